//! Enclosed areas whose boxes must be seen to before all others.
//!
//! A corral is a room that the player cannot enter, with the boxes around it, those at its corners too: they close
//! the fence, and without them few rooms can be proved hopeless. If every push of these boxes leads into the corral and
//! the player can make each of them at once, pushing other boxes first gains nothing: only the corral's boxes are
//! pushed. Rooms are joined where a push leads from one to the next. Every room met is offered to the lessons, whether
//! or not it comes to a corral.
//!
//! Without the corners XSokoban 31 is not solved along its order, with them after 6,829 positions; of 45 levels of that
//! set, with a million ticks each, all orders together solve 30 without and 35 with them (2026-11-21).
//!
//! Not [`crate::deadlock::pi_corral`], which looks for the corral with the fewest pushes and must lose nothing: here the first one
//! is taken, boxes held by the corral stay out of it, and half of the use is in the rooms met on the way.
//!
//! Invariant: `inside` is stamped with the present round for the squares of the corral's rooms, `is_member` for its
//! boxes.

use crate::board::Flood;
use crate::board::board_state::BoardState;
use crate::board::level_tables::LevelTables;
use crate::deadlock::box_freeze::Freeze;
use crate::deadlock::learner::DeadlockLearner;

/// What the rooms of a position come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// Nothing: all boxes may be pushed.
    Nothing,
    /// Only the boxes on these squares.
    Corral(Vec<u16>),
    /// It is a deadlock.
    Dead,
}

/// A position as the player finds it: the flood is that of his region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) yard: &'a LevelTables,
    pub(crate) field: &'a BoardState,
    pub(crate) flood: &'a Flood,
    pub(crate) player: u16,
}

/// Scratch space for finding corrals.
#[derive(Debug)]
pub(crate) struct CorralFinder {
    round: u32,
    inside: Vec<u32>,
    member: Vec<u32>,
    seen: Vec<u32>,
    position: u32,
    squares: Vec<u16>,
    boxes: Vec<u16>,
    max_boxes: usize,
    n_rooms: usize,
    /// The corral's boxes after a push, on a board of their own.
    alone: BoardState,
    bits: Vec<u64>,
    freeze: Freeze,
    n_looks: u64,
}

/// Why a corral came to nothing.
enum Failure {
    Open,
    Dead,
}

impl CorralFinder {
    /// More rooms than this are not joined.
    const MAX_ROOMS: usize = 8;

    /// FeatureMask for corrals of at most so many boxes.
    pub(crate) fn new(yard: &LevelTables, max_boxes: usize) -> Self {
        let n = yard.ground().n_squares() + 1;
        Self {
            round: 0,
            inside: vec![0; n],
            member: vec![0; n],
            seen: vec![0; n],
            position: 0,
            squares: Vec::new(),
            boxes: Vec::new(),
            max_boxes: max_boxes.min(yard.ground().n_boxes().saturating_sub(1)),
            n_rooms: 0,
            alone: BoardState::new(yard),
            bits: vec![0; yard.ground().n_words()],
            freeze: Freeze::default(),
            n_looks: 0,
        }
    }

    /// Returns how many known sets it has looked at.
    pub(crate) const fn n_looks(&self) -> u64 {
        self.n_looks
    }

    /// FeatureMask for a corral around each room next to a box that the player reaches.
    pub(crate) fn find(&mut self, scene: Scene<'_>, lessons: &mut DeadlockLearner) -> Finding {
        let ground = scene.yard.ground();
        self.position += 1;
        for sq in scene.field.squares() {
            let around = ground.steps(sq);
            if !around.iter().any(|&next| scene.flood.reaches(next)) {
                continue;
            }
            for next in around {
                let is_room = scene.flood.is_free(next) && !scene.flood.reaches(next);
                if !is_room || self.seen[usize::from(next)] == self.position {
                    continue;
                }
                match self.grow(scene, lessons, next) {
                    Ok(()) => return Finding::Corral(self.boxes.clone()),
                    Err(Failure::Dead) => return Finding::Dead,
                    Err(Failure::Open) => {}
                }
            }
        }
        Finding::Nothing
    }

    /// Builds the corral of a room, with every room and box that it takes.
    fn grow(&mut self, scene: Scene<'_>, lessons: &mut DeadlockLearner, room: u16) -> Result<(), Failure> {
        let yard = scene.yard;
        self.round += 1;
        self.n_rooms = 0;
        self.squares.clear();
        self.boxes.clear();
        self.add_room(scene, lessons, room)?;
        let mut at = 0;
        while at < self.boxes.len() {
            let sq = self.boxes[at];
            for dir in 0..4 {
                self.admit(scene, lessons, sq, dir)?;
            }
            at += 1;
        }
        let all_home =
            self.boxes.iter().all(|&sq| yard.is_goal(sq)) && self.squares.iter().all(|&sq| !yard.is_goal(sq));
        if all_home || self.boxes.len() > self.max_boxes { Err(Failure::Open) } else { Ok(()) }
    }

    /// Adds the room of a square and the boxes around it, and offers it to the lessons, alone and with what is there.
    fn add_room(&mut self, scene: Scene<'_>, lessons: &mut DeadlockLearner, sq: u16) -> Result<(), Failure> {
        if self.n_rooms == Self::MAX_ROOMS {
            return Err(Failure::Open);
        }
        self.n_rooms += 1;
        let ground = scene.yard.ground();
        let first = self.squares.len();
        self.enter(sq);
        let mut around: Vec<u16> = Vec::new();
        let mut at = first;
        while let Some(&sq) = self.squares.get(at) {
            at += 1;
            for next in ground.steps(sq) {
                if scene.field.has_box(next) {
                    if !around.contains(&next) {
                        around.push(next);
                    }
                } else if next != ground.wall() && self.inside[usize::from(next)] != self.round {
                    self.enter(next);
                }
            }
        }
        self.add_corners(scene, first, &mut around);
        around.iter().for_each(|&sq| self.add_box(sq));
        let alone = lessons.offer(scene.yard, &around, &self.squares[first..], scene.player);
        let joined = self.n_rooms > 1 && lessons.offer(scene.yard, &self.boxes, &self.squares, scene.player);
        if alone || joined { Err(Failure::Dead) } else { Ok(()) }
    }

    /// Adds the boxes that touch the room, which begins at `first`, at a corner.
    fn add_corners(&self, scene: Scene<'_>, first: usize, around: &mut Vec<u16>) {
        let ground = scene.yard.ground();
        for &sq in &self.squares[first..] {
            for (dir, next) in ground.steps(sq).into_iter().enumerate().filter(|&(_, next)| next != ground.wall()) {
                for corner in [ground.step(next, dir + 1), ground.step(next, dir + 3)] {
                    if scene.field.has_box(corner) && !around.contains(&corner) {
                        around.push(corner);
                    }
                }
            }
        }
    }

    fn enter(&mut self, sq: u16) {
        self.inside[usize::from(sq)] = self.round;
        // Rooms that were only joined get their own chance.
        if self.n_rooms == 1 {
            self.seen[usize::from(sq)] = self.position;
        }
        self.squares.push(sq);
    }

    fn add_box(&mut self, sq: u16) {
        if self.member[usize::from(sq)] != self.round {
            self.member[usize::from(sq)] = self.round;
            self.boxes.push(sq);
        }
    }

    /// Sees to it that a push of a box keeps within the corral and can be made at once, if it can ever be made.
    ///
    /// A push that another box is in the way of does not count: the way out is mostly through the corral, and to add
    /// that box makes corrals large and rare. A push that is a deadlock, by the corral's boxes alone, is never made.
    fn admit(&mut self, scene: Scene<'_>, lessons: &mut DeadlockLearner, sq: u16, dir: usize) -> Result<(), Failure> {
        let Scene { yard, field, flood, .. } = scene;
        let ground = yard.ground();
        let (to, stand) = (ground.step(sq, dir), ground.step(sq, dir ^ 2));
        if stand == ground.wall() || !ground.is_live(to) || !field.is_free(to) {
            return Ok(());
        }
        let stays = self.inside[usize::from(to)] == self.round;
        let can_come = flood.reaches(stand) || self.inside[usize::from(stand)] == self.round;
        if stays && can_come || self.is_dead(yard, lessons, sq, to) {
            return Ok(());
        }
        if flood.reaches(to) && flood.reaches(stand) {
            return Err(Failure::Open);
        }
        if !flood.reaches(to) && !stays {
            self.add_room(scene, lessons, to)?;
        }
        if flood.reaches(stand) || self.inside[usize::from(stand)] == self.round {
            return Ok(());
        }
        if !field.has_box(stand) {
            return self.add_room(scene, lessons, stand);
        }
        self.add_unless_held(yard, stand);
        Ok(())
    }

    /// Returns whether a push makes a deadlock of the corral's boxes, whatever the others do.
    fn is_dead(&mut self, yard: &LevelTables, lessons: &DeadlockLearner, from: u16, to: u16) -> bool {
        let after = |&sq: &u16| if sq == from { to } else { sq };
        self.alone.clear();
        self.bits.fill(0);
        for sq in self.boxes.iter().map(after) {
            self.alone.add(yard, sq);
            self.bits[usize::from(sq) / 64] |= 1 << (sq % 64);
        }
        self.n_looks += lessons.sets().n_at(to) as u64;
        self.freeze.is_dead(yard, &self.alone, to) || lessons.sets().forbids(&self.bits, from, to)
    }

    fn add_unless_held(&mut self, yard: &LevelTables, sq: u16) {
        if !self.is_held(yard, sq) {
            self.add_box(sq);
        }
    }

    /// Returns whether a box cannot move before one of the corral's boxes does.
    fn is_held(&self, yard: &LevelTables, sq: u16) -> bool {
        let ground = yard.ground();
        let fixed = |next: u16| next == ground.wall() || self.member[usize::from(next)] == self.round;
        let steps = ground.steps(sq).map(fixed);
        (steps[0] || steps[2]) && (steps[1] || steps[3])
    }
}
