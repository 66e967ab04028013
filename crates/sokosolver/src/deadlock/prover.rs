//! The proof that a few boxes can never be resolved: a small exhaustive search with nothing else on the board.
//!
//! The candidate's boxes stand in a *fence*, their squares and the enclosed floor. A box that gets out of the fence
//! is taken off the board: it may yet be anywhere, and without it the rest is only easier. Then the search jumps back to before
//! that box's present run of pushes and goes on without it. If not all boxes get out, or come to rest on goals, within
//! so many positions, nothing is proved.
//!
//! Invariant: a position met before on this board is dead or still being looked at; either way it need not be looked
//! at again. Sets already known prune the proof, so what is learned first helps to learn the rest.

use hashbrown::HashSet;

use crate::board::Flood;
use crate::board::board_state::BoardState;
use crate::board::level_tables::LevelTables;
use crate::deadlock::box_freeze::Freeze;
use crate::deadlock::deadlock_sets::{DeadlockSets, SetOccupancy};

/// What is known about a position within a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Dead,
    /// All got out, or the search was too long.
    Open,
    /// This box got out; its run of pushes began at that depth.
    Escape(usize, usize),
}

/// Scratch space for proofs.
#[derive(Debug)]
pub(crate) struct Prover {
    field: BoardState,
    load: SetOccupancy,
    flood: Flood,
    freeze: Freeze,
    fence: Vec<bool>,
    /// There is no fence; a box gets out once it can be pushed along both axes.
    by_axes: bool,
    visited: HashSet<u64>,
    n_nodes: u32,
    max_nodes: u32,
    /// The box pushed last, and the depth at which its run began.
    run: Vec<(usize, usize)>,
    n_total: u64,
    /// Whether the pushes that bring boxes nearer to their nearest goals go first.
    by_nearest: bool,
}

impl Prover {
    /// Pushes in a row that a proof may try: it is recursive, and stacks of threads are small.
    const MAX_DEPTH: usize = 800;
    /// Squares and regions that a box by itself may come to before it counts as free.
    const MAX_STATES: usize = 64;

    pub(crate) fn new(yard: &LevelTables) -> Self {
        Self {
            field: BoardState::new(yard),
            load: SetOccupancy::default(),
            flood: Flood::new(yard.ground()),
            freeze: Freeze::default(),
            fence: vec![false; yard.ground().n_squares() + 1],
            by_axes: false,
            visited: HashSet::new(),
            n_nodes: 0,
            max_nodes: 0,
            run: Vec::new(),
            n_total: 0,
            by_nearest: true,
        }
    }

    /// Takes the pushes as they come.
    #[cfg(test)]
    pub(crate) const fn in_any_order(mut self) -> Self {
        self.by_nearest = false;
        self
    }

    /// Returns the positions looked at so far by all proofs.
    pub(crate) const fn n_total(&self) -> u64 {
        self.n_total
    }

    /// Returns how many known sets it has looked at.
    pub(crate) const fn n_looks(&self) -> u64 {
        self.load.n_looks()
    }

    /// Returns whether the boxes are proved to be a deadlock for a player standing there.
    pub(crate) fn is_dead(
        &mut self,
        yard: &LevelTables,
        sets: &DeadlockSets,
        boxes: &[u16],
        inside: &[u16],
        player: u16,
        max_nodes: u32,
    ) -> bool {
        boxes.iter().chain(inside).for_each(|&sq| self.fence[usize::from(sq)] = true);
        let is_dead = self.try_all(yard, sets, boxes, player, max_nodes);
        boxes.iter().chain(inside).for_each(|&sq| self.fence[usize::from(sq)] = false);
        is_dead
    }

    /// As [`Prover::is_dead`] without a fence: boxes are taken off the board as soon as the player, after a push of
    /// theirs, can push them along both axes.
    pub(crate) fn is_dead_by_axes(
        &mut self,
        yard: &LevelTables,
        sets: &DeadlockSets,
        boxes: &[u16],
        player: u16,
        max_nodes: u32,
    ) -> bool {
        self.by_axes = true;
        let is_dead = self.try_all(yard, sets, boxes, player, max_nodes);
        self.by_axes = false;
        is_dead
    }

    fn try_all(&mut self, yard: &LevelTables, sets: &DeadlockSets, boxes: &[u16], player: u16, max_nodes: u32) -> bool {
        self.set_up(yard, sets, boxes);
        self.visited.clear();
        self.run.clear();
        (self.n_nodes, self.max_nodes) = (0, max_nodes);
        let is_dead = !self.field.is_solved() && self.look(yard, sets, player) == Fate::Dead;
        self.n_total += u64::from(self.n_nodes);
        is_dead
    }

    /// Returns the boxes that are left when those are taken away, one after the other, that the player can push along
    /// both axes, now or after pushing them elsewhere while the others stand still.
    pub(crate) fn tied(&mut self, yard: &LevelTables, sets: &DeadlockSets, boxes: &[u16], player: u16) -> Vec<u16> {
        let mut left = boxes.to_vec();
        let mut at = 0;
        let mut n_since = 0;
        while n_since < left.len() {
            at %= left.len();
            self.set_up(yard, sets, &left);
            if self.gets_free(yard, sets, at, player) {
                left.swap_remove(at);
                n_since = 0;
            } else {
                at += 1;
                n_since += 1;
            }
        }
        left
    }

    /// Whether the player can push a box by itself to where he can push it along both axes.
    fn gets_free(&mut self, yard: &LevelTables, sets: &DeadlockSets, number: usize, player: u16) -> bool {
        let mut todo = vec![(self.field.square(number), player)];
        let mut seen = HashSet::new();
        while let Some((sq, player)) = todo.pop() {
            let now = self.field.square(number);
            self.field.shift(yard, now, sq);
            sets.take(&mut self.load, now);
            sets.put(&mut self.load, sq);
            let least = self.spread(yard, player);
            if !seen.insert((sq, least)) {
                continue;
            }
            self.n_total += 1;
            if seen.len() > Self::MAX_STATES || self.has_both_axes(yard, sets, number) {
                return true;
            }
            let pushes = (0..4).filter_map(|dir| self.push(yard, sets, number, dir));
            todo.extend(pushes.map(|(from, to)| (to, from)));
        }
        false
    }

    /// Whether the player, after a flood, can push the box along both axes.
    fn has_both_axes(&mut self, yard: &LevelTables, sets: &DeadlockSets, number: usize) -> bool {
        (0..2).all(|axis| [axis, axis + 2].into_iter().any(|dir| self.push(yard, sets, number, dir).is_some()))
    }

    /// Returns whether the player has no legal push at all with only these boxes on the board, one of them off goal.
    pub(crate) fn is_stuck(&mut self, yard: &LevelTables, sets: &DeadlockSets, boxes: &[u16], player: u16) -> bool {
        self.set_up(yard, sets, boxes);
        self.n_total += 1;
        if self.field.is_solved() {
            return false;
        }
        self.spread(yard, player);
        (0..boxes.len()).all(|number| (0..4).all(|dir| self.push(yard, sets, number, dir).is_none()))
    }

    /// Returns the squares of the player's region with only these boxes on the board.
    pub(crate) fn region(&mut self, yard: &LevelTables, boxes: &[u16], player: u16) -> Vec<u16> {
        self.flood.place(boxes.iter().copied());
        self.flood.spread(yard.ground(), player);
        (0..yard.ground().wall()).filter(|&sq| self.flood.reaches(sq)).collect()
    }

    fn set_up(&mut self, yard: &LevelTables, sets: &DeadlockSets, boxes: &[u16]) {
        sets.extend(&mut self.load, self.field.squares());
        for number in 0..self.field.n_boxes() {
            if self.field.square(number) != BoardState::WALL {
                let sq = self.field.take(yard, number);
                sets.take(&mut self.load, sq);
            }
        }
        self.field.clear();
        for &sq in boxes {
            self.field.add(yard, sq);
            sets.put(&mut self.load, sq);
        }
    }

    fn spread(&mut self, yard: &LevelTables, player: u16) -> u16 {
        self.flood.place(self.field.squares());
        self.flood.spread(yard.ground(), player)
    }

    /// Returns from where to where the player, after a flood, can push the box in a direction without harm.
    fn push(&mut self, yard: &LevelTables, sets: &DeadlockSets, number: usize, dir: usize) -> Option<(u16, u16)> {
        let ground = yard.ground();
        let from = self.field.square(number);
        if from == BoardState::WALL {
            return None;
        }
        let (to, stand) = (ground.step(from, dir), ground.step(from, dir ^ 2));
        if !ground.is_live(to) || !self.flood.reaches(stand) || !self.field.is_free(to) {
            return None;
        }
        if sets.is_deadlock(&self.load, from, to) {
            return None;
        }
        self.field.shift(yard, from, to);
        let dead = self.freeze.is_dead(yard, &self.field, to);
        self.field.shift(yard, to, from);
        (!dead).then_some((from, to))
    }

    fn look(&mut self, yard: &LevelTables, sets: &DeadlockSets, player: u16) -> Fate {
        let mut taken: Vec<(usize, u16)> = Vec::new();
        let fate = loop {
            match self.look_once(yard, sets, player) {
                Fate::Escape(number, depth) if depth == self.run.len() => {
                    let sq = self.field.take(yard, number);
                    sets.take(&mut self.load, sq);
                    taken.push((number, sq));
                    // What gets out from here on may owe it to this: no run goes back before it.
                    if let Some((last, _)) = self.run.last_mut() {
                        *last = usize::MAX;
                    }
                    if self.field.is_solved() {
                        break Fate::Open;
                    }
                }
                fate => break fate,
            }
        };
        for (number, sq) in taken {
            self.field.put(yard, number, sq);
            sets.put(&mut self.load, sq);
        }
        fate
    }

    fn look_once(&mut self, yard: &LevelTables, sets: &DeadlockSets, player: u16) -> Fate {
        let least = self.spread(yard, player);
        if !self.visited.insert(self.field.key() ^ yard.key(least).rotate_left(31)) {
            return Fate::Dead;
        }
        self.n_nodes += 1;
        let depth = self.run.len();
        if self.n_nodes > self.max_nodes || depth > Self::MAX_DEPTH {
            return Fate::Open;
        }
        let mut pushes = Vec::new();
        for number in 0..self.field.n_boxes() {
            let mut axes = [false; 2];
            for dir in 0..4 {
                let Some((from, to)) = self.push(yard, sets, number, dir) else { continue };
                let began = self.run.last().filter(|&&(last, _)| last == number).map_or(depth, |&(_, began)| began);
                axes[dir & 1] = true;
                if self.by_axes && axes == [true; 2] {
                    return Fate::Escape(number, began);
                }
                if !self.by_axes && !self.fence[usize::from(to)] {
                    return Fate::Escape(number, began);
                }
                pushes.push((number, began, from, to));
            }
        }
        // What leads home or out ends a proof that fails; one that succeeds looks at everything in any order. XSokoban
        // 11, 28, 31, 50, 66, 69 by packing orders: 313,000 ticks with it, 366,000 without, 2026-11-21.
        if self.by_nearest {
            pushes.sort_by_key(|&(_, _, from, to)| i32::from(yard.nearest(to)) - i32::from(yard.nearest(from)));
        }
        for (number, began, from, to) in pushes {
            self.field.shift(yard, from, to);
            sets.take(&mut self.load, from);
            sets.put(&mut self.load, to);
            self.run.push((number, began));
            let fate = if self.field.is_solved() { Fate::Open } else { self.look(yard, sets, from) };
            self.run.pop();
            sets.take(&mut self.load, to);
            sets.put(&mut self.load, from);
            self.field.shift(yard, to, from);
            if fate != Fate::Dead {
                return fate;
            }
        }
        Fate::Dead
    }
}
