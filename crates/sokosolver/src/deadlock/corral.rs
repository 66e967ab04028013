//! Corrals: enclosed areas whose boxes must be pushed before all others.
//!
//! A corral is an area that the player cannot enter, with the boxes around it, those at its corners too: they close the
//! fence, and without them few areas can be proved dead. If every push of these boxes leads into the corral and the
//! player can make each of them at once, pushing other boxes first gains nothing: only the corral's boxes are pushed.
//! Areas are joined where a push leads from one to the next. The learner examines every area, whether or not it becomes
//! a corral.
//!
//! Without the corners XSokoban 31 is not solved along its order, with them after 6,829 positions; of 45 levels of that
//! set, with a million ticks each, all orders together solve 30 without and 35 with them (2026-11-21).
//!
//! Not [`crate::deadlock::pi_corral`], which finds the corral with the fewest pushes and must lose no solution: here
//! the first one is taken, boxes held by the corral stay out of it, and half of the use is that areas are examined.
//!
//! Invariant: `inside` is stamped with the present round for the squares of the corral's areas, `member` for its boxes.

use crate::board::Flood;
use crate::board::board_state::BoardState;
use crate::board::level_tables::LevelTables;
use crate::deadlock::box_freeze::BoxFreeze;
use crate::deadlock::learner::DeadlockLearner;

/// What the enclosed areas of a position say about its pushes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CorralResult {
    /// No corral: all boxes may be pushed.
    Nothing,
    /// A corral: only the boxes on these squares need be pushed.
    Corral(Vec<u16>),
    /// The position is a deadlock.
    Dead,
}

/// A position, flooded from the player's square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloodedPosition<'a> {
    pub(crate) tables: &'a LevelTables,
    pub(crate) state: &'a BoardState,
    pub(crate) flood: &'a Flood,
    pub(crate) player: u16,
}

/// Finds corrals.
#[derive(Debug)]
pub(crate) struct CorralFinder {
    round: u32,
    inside: Vec<u32>,
    member: Vec<u32>,
    seen: Vec<u32>,
    find_round: u32,
    squares: Vec<u16>,
    boxes: Vec<u16>,
    max_boxes: usize,
    n_areas: usize,
    /// The corral's boxes after a push, without the others.
    alone: BoardState,
    bits: Vec<u64>,
    freeze: BoxFreeze,
    n_lookups: u64,
}

/// Why an area becomes no corral.
enum Failure {
    Open,
    Dead,
}

impl CorralFinder {
    /// More areas than this are not joined.
    const MAX_AREAS: usize = 8;

    /// Makes a finder of corrals of at most so many boxes.
    pub(crate) fn new(tables: &LevelTables, max_boxes: usize) -> Self {
        let n = tables.board().n_squares() + 1;
        Self {
            round: 0,
            inside: vec![0; n],
            member: vec![0; n],
            seen: vec![0; n],
            find_round: 0,
            squares: Vec::new(),
            boxes: Vec::new(),
            max_boxes: max_boxes.min(tables.board().n_boxes().saturating_sub(1)),
            n_areas: 0,
            alone: BoardState::new(tables),
            bits: vec![0; tables.board().n_words()],
            freeze: BoxFreeze::default(),
            n_lookups: 0,
        }
    }

    /// Returns how many known sets it has looked up.
    pub(crate) const fn n_lookups(&self) -> u64 {
        self.n_lookups
    }

    /// Builds a corral around each area next to a box that the player reaches, until one is found.
    pub(crate) fn find(&mut self, position: FloodedPosition<'_>, learner: &mut DeadlockLearner) -> CorralResult {
        let board = position.tables.board();
        self.find_round += 1;
        for sq in position.state.squares() {
            let around = board.steps(sq);
            if !around.iter().any(|&next| position.flood.reaches(next)) {
                continue;
            }
            for next in around {
                let is_area = position.flood.is_free(next) && !position.flood.reaches(next);
                if !is_area || self.seen[usize::from(next)] == self.find_round {
                    continue;
                }
                match self.grow(position, learner, next) {
                    Ok(()) => return CorralResult::Corral(self.boxes.clone()),
                    Err(Failure::Dead) => return CorralResult::Dead,
                    Err(Failure::Open) => {}
                }
            }
        }
        CorralResult::Nothing
    }

    /// Builds the corral of an area, with every area and box that it takes.
    fn grow(&mut self, position: FloodedPosition<'_>, learner: &mut DeadlockLearner, area: u16) -> Result<(), Failure> {
        let tables = position.tables;
        self.round += 1;
        self.n_areas = 0;
        self.squares.clear();
        self.boxes.clear();
        self.add_area(position, learner, area)?;
        let mut at = 0;
        while at < self.boxes.len() {
            let sq = self.boxes[at];
            for dir in 0..4 {
                self.extend(position, learner, sq, dir)?;
            }
            at += 1;
        }
        let all_on_goals =
            self.boxes.iter().all(|&sq| tables.is_goal(sq)) && self.squares.iter().all(|&sq| !tables.is_goal(sq));
        if all_on_goals || self.boxes.len() > self.max_boxes { Err(Failure::Open) } else { Ok(()) }
    }

    /// Adds the area of a square and the boxes around it; the learner examines it alone and with the areas before it.
    fn add_area(
        &mut self,
        position: FloodedPosition<'_>,
        learner: &mut DeadlockLearner,
        sq: u16,
    ) -> Result<(), Failure> {
        if self.n_areas == Self::MAX_AREAS {
            return Err(Failure::Open);
        }
        self.n_areas += 1;
        let board = position.tables.board();
        let first = self.squares.len();
        self.enter(sq);
        let mut around: Vec<u16> = Vec::new();
        let mut at = first;
        while let Some(&sq) = self.squares.get(at) {
            at += 1;
            for next in board.steps(sq) {
                if position.state.has_box(next) {
                    if !around.contains(&next) {
                        around.push(next);
                    }
                } else if next != board.wall() && self.inside[usize::from(next)] != self.round {
                    self.enter(next);
                }
            }
        }
        self.add_corners(position, first, &mut around);
        around.iter().for_each(|&sq| self.add_box(sq));
        let alone = learner.examine_area(position.tables, &around, &self.squares[first..], position.player);
        let joined =
            self.n_areas > 1 && learner.examine_area(position.tables, &self.boxes, &self.squares, position.player);
        if alone || joined { Err(Failure::Dead) } else { Ok(()) }
    }

    /// Adds the boxes that touch the area, which begins at `first`, at a corner.
    fn add_corners(&self, position: FloodedPosition<'_>, first: usize, around: &mut Vec<u16>) {
        let board = position.tables.board();
        for &sq in &self.squares[first..] {
            for (dir, next) in board.steps(sq).into_iter().enumerate().filter(|&(_, next)| next != board.wall()) {
                for corner in [board.step(next, dir + 1), board.step(next, dir + 3)] {
                    if position.state.has_box(corner) && !around.contains(&corner) {
                        around.push(corner);
                    }
                }
            }
        }
    }

    fn enter(&mut self, sq: u16) {
        self.inside[usize::from(sq)] = self.round;
        // Areas that were only joined are tried by themselves later.
        if self.n_areas == 1 {
            self.seen[usize::from(sq)] = self.find_round;
        }
        self.squares.push(sq);
    }

    fn add_box(&mut self, sq: u16) {
        if self.member[usize::from(sq)] != self.round {
            self.member[usize::from(sq)] = self.round;
            self.boxes.push(sq);
        }
    }

    /// Extends the corral until a push of a box stays inside and can be made at once, if it can ever be made.
    ///
    /// A push that another box blocks does not count: the way out is mostly through the corral, and adding that box
    /// makes corrals large and rare. A push that is a deadlock, by the corral's boxes alone, is never made.
    fn extend(
        &mut self,
        position: FloodedPosition<'_>,
        learner: &mut DeadlockLearner,
        sq: u16,
        dir: usize,
    ) -> Result<(), Failure> {
        let FloodedPosition { tables, state, flood, .. } = position;
        let board = tables.board();
        let (to, stand) = (board.step(sq, dir), board.step(sq, dir ^ 2));
        if stand == board.wall() || !board.is_live(to) || !state.is_free(to) {
            return Ok(());
        }
        let stays = self.inside[usize::from(to)] == self.round;
        let can_come = flood.reaches(stand) || self.inside[usize::from(stand)] == self.round;
        if stays && can_come || self.is_dead(tables, learner, sq, to) {
            return Ok(());
        }
        if flood.reaches(to) && flood.reaches(stand) {
            return Err(Failure::Open);
        }
        if !flood.reaches(to) && !stays {
            self.add_area(position, learner, to)?;
        }
        if flood.reaches(stand) || self.inside[usize::from(stand)] == self.round {
            return Ok(());
        }
        if !state.has_box(stand) {
            return self.add_area(position, learner, stand);
        }
        self.add_unless_held(tables, stand);
        Ok(())
    }

    /// Returns whether a push makes a deadlock of the corral's boxes, wherever the others are.
    fn is_dead(&mut self, tables: &LevelTables, learner: &DeadlockLearner, from: u16, to: u16) -> bool {
        let after = |&sq: &u16| if sq == from { to } else { sq };
        self.alone.clear();
        self.bits.fill(0);
        for sq in self.boxes.iter().map(after) {
            self.alone.add(tables, sq);
            self.bits[usize::from(sq) / 64] |= 1 << (sq % 64);
        }
        self.n_lookups += learner.sets().n_at(to) as u64;
        self.freeze.is_dead(tables, &self.alone, to) || learner.sets().forbids(&self.bits, from, to)
    }

    fn add_unless_held(&mut self, tables: &LevelTables, sq: u16) {
        if !self.is_held(tables, sq) {
            self.add_box(sq);
        }
    }

    /// Returns whether a box cannot move before one of the corral's boxes does.
    fn is_held(&self, tables: &LevelTables, sq: u16) -> bool {
        let board = tables.board();
        let fixed = |next: u16| next == board.wall() || self.member[usize::from(next)] == self.round;
        let steps = board.steps(sq).map(fixed);
        (steps[0] || steps[2]) && (steps[1] || steps[3])
    }
}
