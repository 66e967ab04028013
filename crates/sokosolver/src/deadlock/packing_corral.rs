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

use sokocore::FloorSquare;

use crate::board::SearchBoard;
use crate::board::bit_set::BitView;
use crate::deadlock::deadlock_test::{DeadlockTest, FloodedPosition, Prune, TestContext};
use crate::deadlock::freeze::Freeze;
use crate::deadlock::learner::DeadlockLearner;
use crate::deadlock::library_parts::LibraryParts;

/// Makes the test for searches along packing orders.
pub(crate) fn make(parts: &LibraryParts<'_>) -> Option<Box<dyn DeadlockTest>> {
    parts.is_packing().then(|| Box::new(CorralFinder::new(parts.board)) as _)
}

/// Finds corrals.
#[derive(Debug)]
pub(crate) struct CorralFinder {
    round: u32,
    inside: Vec<u32>,
    member: Vec<u32>,
    seen: Vec<u32>,
    find_round: u32,
    squares: Vec<FloorSquare>,
    boxes: Vec<FloorSquare>,
    n_areas: usize,
    /// The corral's boxes after a push, without the others, as a set.
    alone: Vec<u64>,
    freeze: Freeze,
}

/// Why an area becomes no corral.
enum Failure {
    Open,
    Dead,
}

impl CorralFinder {
    /// More areas than this are not joined.
    const MAX_AREAS: usize = 8;

    /// Makes scratch space.
    pub(crate) fn new(board: &SearchBoard) -> Self {
        let n = board.n_squares() + 1;
        Self {
            round: 0,
            inside: vec![0; n],
            member: vec![0; n],
            seen: vec![0; n],
            find_round: 0,
            squares: Vec::new(),
            boxes: Vec::new(),
            n_areas: 0,
            alone: vec![0; board.n_words()],
            freeze: Freeze::default(),
        }
    }

    /// Builds a corral around each area next to a box that the player reaches, until one is found.
    fn find(&mut self, board: &SearchBoard, position: &FloodedPosition<'_>, learner: &mut DeadlockLearner) -> Prune {
        self.find_round += 1;
        for &sq in position.squares {
            let around = board.steps(sq);
            if !around.iter().any(|&next| position.flood.reaches(next)) {
                continue;
            }
            for next in around {
                let is_area = position.flood.is_free(next) && !position.flood.reaches(next);
                if !is_area || self.seen[next.idx()] == self.find_round {
                    continue;
                }
                match self.grow(board, position, learner, next) {
                    Ok(()) => return Prune::Only(self.boxes.clone()),
                    Err(Failure::Dead) => return Prune::Dead,
                    Err(Failure::Open) => {}
                }
            }
        }
        Prune::All
    }

    /// Builds the corral of an area, with every area and box that it takes.
    fn grow(
        &mut self,
        board: &SearchBoard,
        position: &FloodedPosition<'_>,
        learner: &mut DeadlockLearner,
        area: FloorSquare,
    ) -> Result<(), Failure> {
        self.round += 1;
        self.n_areas = 0;
        self.squares.clear();
        self.boxes.clear();
        self.add_area(board, position, learner, area)?;
        let mut at = 0;
        while at < self.boxes.len() {
            let sq = self.boxes[at];
            for dir in 0..4 {
                self.extend(board, position, learner, sq, dir)?;
            }
            at += 1;
        }
        let is_goal = |sq: &FloorSquare| learner.tables().is_goal(*sq);
        let all_on_goals = self.boxes.iter().all(is_goal) && !self.squares.iter().any(is_goal);
        let max_boxes = position.max_corral.min(board.n_boxes().saturating_sub(1));
        if all_on_goals || self.boxes.len() > max_boxes { Err(Failure::Open) } else { Ok(()) }
    }

    /// Adds the area of a square and the boxes around it; the learner examines it alone and with the areas before it.
    fn add_area(
        &mut self,
        board: &SearchBoard,
        position: &FloodedPosition<'_>,
        learner: &mut DeadlockLearner,
        sq: FloorSquare,
    ) -> Result<(), Failure> {
        if self.n_areas == Self::MAX_AREAS {
            return Err(Failure::Open);
        }
        self.n_areas += 1;
        let first = self.squares.len();
        self.enter(sq);
        let mut around: Vec<FloorSquare> = Vec::new();
        let mut at = first;
        while let Some(&sq) = self.squares.get(at) {
            at += 1;
            for next in board.steps(sq) {
                if position.boxes.has(next) {
                    if !around.contains(&next) {
                        around.push(next);
                    }
                } else if next != board.wall() && self.inside[next.idx()] != self.round {
                    self.enter(next);
                }
            }
        }
        self.add_corners(board, position, first, &mut around);
        around.iter().for_each(|&sq| self.add_box(sq));
        let alone = learner.examine_area(&around, &self.squares[first..], position.player);
        let joined = self.n_areas > 1 && learner.examine_area(&self.boxes, &self.squares, position.player);
        if alone || joined { Err(Failure::Dead) } else { Ok(()) }
    }

    /// Adds the boxes that touch the area, which begins at `first`, at a corner.
    fn add_corners(
        &self,
        board: &SearchBoard,
        position: &FloodedPosition<'_>,
        first: usize,
        around: &mut Vec<FloorSquare>,
    ) {
        for &sq in &self.squares[first..] {
            for (dir, next) in board.steps(sq).into_iter().enumerate().filter(|&(_, next)| next != board.wall()) {
                for corner in [board.step(next, dir + 1), board.step(next, dir + 3)] {
                    if position.boxes.has(corner) && !around.contains(&corner) {
                        around.push(corner);
                    }
                }
            }
        }
    }

    fn enter(&mut self, sq: FloorSquare) {
        self.inside[sq.idx()] = self.round;
        // Areas that were only joined are tried by themselves later.
        if self.n_areas == 1 {
            self.seen[sq.idx()] = self.find_round;
        }
        self.squares.push(sq);
    }

    fn add_box(&mut self, sq: FloorSquare) {
        if self.member[sq.idx()] != self.round {
            self.member[sq.idx()] = self.round;
            self.boxes.push(sq);
        }
    }

    /// Extends the corral until a push of a box stays inside and can be made at once, if it can ever be made.
    ///
    /// A push that another box blocks does not count: the way out is mostly through the corral, and adding that box
    /// makes corrals large and rare. A push that is a deadlock, by the corral's boxes alone, is never made.
    fn extend(
        &mut self,
        board: &SearchBoard,
        position: &FloodedPosition<'_>,
        learner: &mut DeadlockLearner,
        sq: FloorSquare,
        dir: usize,
    ) -> Result<(), Failure> {
        let FloodedPosition { boxes, flood, .. } = *position;
        let (to, stand) = (board.step(sq, dir), board.step(sq, dir ^ 2));
        if stand == board.wall() || !board.is_live(to) || boxes.has(to) {
            return Ok(());
        }
        let stays = self.inside[to.idx()] == self.round;
        let can_come = flood.reaches(stand) || self.inside[stand.idx()] == self.round;
        if stays && can_come || self.is_dead(board, learner, sq, to) {
            return Ok(());
        }
        if flood.reaches(to) && flood.reaches(stand) {
            return Err(Failure::Open);
        }
        if !flood.reaches(to) && !stays {
            self.add_area(board, position, learner, to)?;
        }
        if flood.reaches(stand) || self.inside[stand.idx()] == self.round {
            return Ok(());
        }
        if !boxes.has(stand) {
            return self.add_area(board, position, learner, stand);
        }
        if !self.is_held(board, stand) {
            self.add_box(stand);
        }
        Ok(())
    }

    /// Returns whether a push makes a deadlock of the corral's boxes, wherever the others are.
    fn is_dead(
        &mut self,
        board: &SearchBoard,
        learner: &mut DeadlockLearner,
        from: FloorSquare,
        to: FloorSquare,
    ) -> bool {
        self.alone.fill(0);
        for &sq in &self.boxes {
            let sq = if sq == from { to } else { sq };
            self.alone[sq.idx() / 64] |= 1 << (sq.idx() % 64);
        }
        let alone = BitView::new(&self.alone);
        learner.count_lookups_at(to);
        self.freeze.is_dead(board, alone, to) || learner.sets().forbids(alone, from, to)
    }

    /// Returns whether a box cannot move before one of the corral's boxes does.
    fn is_held(&self, board: &SearchBoard, sq: FloorSquare) -> bool {
        let fixed = |next: FloorSquare| next == board.wall() || self.member[next.idx()] == self.round;
        let steps = board.steps(sq).map(fixed);
        (steps[0] || steps[2]) && (steps[1] || steps[3])
    }
}

impl DeadlockTest for CorralFinder {
    fn restrict(&mut self, position: &FloodedPosition<'_>, cx: &mut TestContext<'_>) -> Prune {
        cx.learner.as_deref_mut().map_or(Prune::All, |learner| self.find(cx.board, position, learner))
    }
}

#[cfg(test)]
mod tests;
