//! The proof that a few boxes can never be resolved: a small exhaustive search without the other boxes.
//!
//! The boxes stand in a *fence*, their squares and the enclosed floor. A box that escapes from the fence is taken off
//! the board: it may be anywhere afterwards, and without it the rest is only easier. Then the search backtracks to
//! before that box's present run of pushes and continues without it. If not all boxes escape, or end on goals, within
//! so many positions, nothing is proved.
//!
//! Invariant: a position visited before on this board is dead or on the current path; either way it need not be visited
//! again. Known sets prune the proof, so what is learned first helps to learn the rest.

use hashbrown::HashSet;

use crate::board::Flood;
use crate::board::board_state::BoardState;
use crate::board::level_tables::LevelTables;
use crate::deadlock::box_freeze::BoxFreeze;
use crate::deadlock::deadlock_sets::{DeadlockSets, SetOccupancy};

/// The result for a position within a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProofResult {
    Dead,
    /// All boxes escaped, or the limit was reached.
    Open,
    /// The box of this run escaped.
    Escape(PushRun),
}

/// Pushes of one box in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PushRun {
    /// The number of the box.
    number: usize,
    /// The depth at which the run began.
    began: usize,
}

/// Searches for proofs.
#[derive(Debug)]
pub(crate) struct Prover {
    state: BoardState,
    occupancy: SetOccupancy,
    flood: Flood,
    freeze: BoxFreeze,
    fence: Vec<bool>,
    /// There is no fence; a box escapes once it can be pushed along both axes.
    by_axes: bool,
    visited: HashSet<u64>,
    n_nodes: u32,
    max_nodes: u32,
    /// For each push on the current path, its run.
    runs: Vec<PushRun>,
    n_total: u64,
    /// Whether pushes that bring boxes nearer to their nearest goals are tried first.
    by_nearest: bool,
}

impl Prover {
    /// Pushes in a row that a proof may make: it is recursive, and stacks of threads are small.
    const MAX_DEPTH: usize = 800;
    /// Squares and regions that a single box may be pushed to before it counts as free.
    const MAX_STATES: usize = 64;

    pub(crate) fn new(tables: &LevelTables) -> Self {
        Self {
            state: BoardState::new(tables),
            occupancy: SetOccupancy::default(),
            flood: Flood::new(tables.board()),
            freeze: BoxFreeze::default(),
            fence: vec![false; tables.board().n_squares() + 1],
            by_axes: false,
            visited: HashSet::new(),
            n_nodes: 0,
            max_nodes: 0,
            runs: Vec::new(),
            n_total: 0,
            by_nearest: true,
        }
    }

    /// Tries the pushes in the order in which they are generated.
    #[cfg(test)]
    pub(crate) const fn in_any_order(mut self) -> Self {
        self.by_nearest = false;
        self
    }

    /// Returns the positions expanded so far by all proofs.
    pub(crate) const fn n_total(&self) -> u64 {
        self.n_total
    }

    /// Returns how many known sets it has looked up.
    pub(crate) const fn n_lookups(&self) -> u64 {
        self.occupancy.n_lookups()
    }

    /// Returns whether the boxes are proved to be a deadlock for a player on this square.
    pub(crate) fn is_dead(
        &mut self,
        tables: &LevelTables,
        sets: &DeadlockSets,
        boxes: &[u16],
        inside: &[u16],
        player: u16,
        max_nodes: u32,
    ) -> bool {
        boxes.iter().chain(inside).for_each(|&sq| self.fence[usize::from(sq)] = true);
        let is_dead = self.try_all(tables, sets, boxes, player, max_nodes);
        boxes.iter().chain(inside).for_each(|&sq| self.fence[usize::from(sq)] = false);
        is_dead
    }

    /// As [`Prover::is_dead`] without a fence: boxes are taken off the board as soon as the player, after a push of
    /// theirs, can push them along both axes.
    pub(crate) fn is_dead_by_axes(
        &mut self,
        tables: &LevelTables,
        sets: &DeadlockSets,
        boxes: &[u16],
        player: u16,
        max_nodes: u32,
    ) -> bool {
        self.by_axes = true;
        let is_dead = self.try_all(tables, sets, boxes, player, max_nodes);
        self.by_axes = false;
        is_dead
    }

    fn try_all(
        &mut self,
        tables: &LevelTables,
        sets: &DeadlockSets,
        boxes: &[u16],
        player: u16,
        max_nodes: u32,
    ) -> bool {
        self.set_up(tables, sets, boxes);
        self.visited.clear();
        self.runs.clear();
        (self.n_nodes, self.max_nodes) = (0, max_nodes);
        let is_dead = !self.state.is_solved() && self.search(tables, sets, player) == ProofResult::Dead;
        self.n_total += u64::from(self.n_nodes);
        is_dead
    }

    /// Returns the boxes that are left when those are taken away, one after the other, that the player can push along
    /// both axes, now or after pushing them elsewhere while the others stand still.
    pub(crate) fn tied(&mut self, tables: &LevelTables, sets: &DeadlockSets, boxes: &[u16], player: u16) -> Vec<u16> {
        let mut left = boxes.to_vec();
        let mut at = 0;
        let mut n_since = 0;
        while n_since < left.len() {
            at %= left.len();
            self.set_up(tables, sets, &left);
            if self.gets_free(tables, sets, at, player) {
                left.swap_remove(at);
                n_since = 0;
            } else {
                at += 1;
                n_since += 1;
            }
        }
        left
    }

    /// Returns whether the player can push a single box to a square where he can push it along both axes.
    fn gets_free(&mut self, tables: &LevelTables, sets: &DeadlockSets, number: usize, player: u16) -> bool {
        let mut todo = vec![(self.state.square(number), player)];
        let mut seen = HashSet::new();
        while let Some((sq, player)) = todo.pop() {
            let now = self.state.square(number);
            self.state.shift(tables, now, sq);
            sets.take(&mut self.occupancy, now);
            sets.put(&mut self.occupancy, sq);
            let least = self.spread(tables, player);
            if !seen.insert((sq, least)) {
                continue;
            }
            self.n_total += 1;
            if seen.len() > Self::MAX_STATES || self.has_both_axes(tables, sets, number) {
                return true;
            }
            let pushes = (0..4).filter_map(|dir| self.push(tables, sets, number, dir));
            todo.extend(pushes.map(|(from, to)| (to, from)));
        }
        false
    }

    /// Returns whether the player, after a flood, can push the box along both axes.
    fn has_both_axes(&mut self, tables: &LevelTables, sets: &DeadlockSets, number: usize) -> bool {
        (0..2).all(|axis| [axis, axis + 2].into_iter().any(|dir| self.push(tables, sets, number, dir).is_some()))
    }

    /// Returns whether the player has no legal push with only these boxes on the board, and one of them is off goal.
    pub(crate) fn is_stuck(&mut self, tables: &LevelTables, sets: &DeadlockSets, boxes: &[u16], player: u16) -> bool {
        self.set_up(tables, sets, boxes);
        self.n_total += 1;
        if self.state.is_solved() {
            return false;
        }
        self.spread(tables, player);
        (0..boxes.len()).all(|number| (0..4).all(|dir| self.push(tables, sets, number, dir).is_none()))
    }

    /// Returns the squares of the player's region with only these boxes on the board.
    pub(crate) fn region(&mut self, tables: &LevelTables, boxes: &[u16], player: u16) -> Vec<u16> {
        self.flood.place(boxes.iter().copied());
        self.flood.spread(tables.board(), player);
        (0..tables.board().wall()).filter(|&sq| self.flood.reaches(sq)).collect()
    }

    fn set_up(&mut self, tables: &LevelTables, sets: &DeadlockSets, boxes: &[u16]) {
        sets.extend(&mut self.occupancy, self.state.squares());
        for number in 0..self.state.n_boxes() {
            if self.state.square(number) != BoardState::WALL {
                let sq = self.state.take(tables, number);
                sets.take(&mut self.occupancy, sq);
            }
        }
        self.state.clear();
        for &sq in boxes {
            self.state.add(tables, sq);
            sets.put(&mut self.occupancy, sq);
        }
    }

    fn spread(&mut self, tables: &LevelTables, player: u16) -> u16 {
        self.flood.place(self.state.squares());
        self.flood.spread(tables.board(), player)
    }

    /// Returns the squares before and after a push, if the player, after a flood, can make it and it is no known
    /// deadlock.
    fn push(&mut self, tables: &LevelTables, sets: &DeadlockSets, number: usize, dir: usize) -> Option<(u16, u16)> {
        let board = tables.board();
        let from = self.state.square(number);
        if from == BoardState::WALL {
            return None;
        }
        let (to, stand) = (board.step(from, dir), board.step(from, dir ^ 2));
        if !board.is_live(to) || !self.flood.reaches(stand) || !self.state.is_free(to) {
            return None;
        }
        if sets.is_deadlock(&self.occupancy, from, to) {
            return None;
        }
        self.state.shift(tables, from, to);
        let dead = self.freeze.is_dead(tables, &self.state, to);
        self.state.shift(tables, to, from);
        (!dead).then_some((from, to))
    }

    fn search(&mut self, tables: &LevelTables, sets: &DeadlockSets, player: u16) -> ProofResult {
        let mut taken: Vec<(usize, u16)> = Vec::new();
        let result = loop {
            match self.expand(tables, sets, player) {
                ProofResult::Escape(PushRun { number, began }) if began == self.runs.len() => {
                    let sq = self.state.take(tables, number);
                    sets.take(&mut self.occupancy, sq);
                    taken.push((number, sq));
                    // A later escape may depend on this one: no run backtracks to before it.
                    if let Some(last) = self.runs.last_mut() {
                        last.number = usize::MAX;
                    }
                    if self.state.is_solved() {
                        break ProofResult::Open;
                    }
                }
                result => break result,
            }
        };
        for (number, sq) in taken {
            self.state.put(tables, number, sq);
            sets.put(&mut self.occupancy, sq);
        }
        result
    }

    fn expand(&mut self, tables: &LevelTables, sets: &DeadlockSets, player: u16) -> ProofResult {
        let least = self.spread(tables, player);
        if !self.visited.insert(self.state.key() ^ tables.key(least).rotate_left(31)) {
            return ProofResult::Dead;
        }
        self.n_nodes += 1;
        let depth = self.runs.len();
        if self.n_nodes > self.max_nodes || depth > Self::MAX_DEPTH {
            return ProofResult::Open;
        }
        let mut pushes = Vec::new();
        for number in 0..self.state.n_boxes() {
            let mut axes = [false; 2];
            for dir in 0..4 {
                let Some((from, to)) = self.push(tables, sets, number, dir) else { continue };
                let run = self.runs.last().copied().filter(|last| last.number == number);
                let run = run.unwrap_or(PushRun { number, began: depth });
                axes[dir & 1] = true;
                if self.by_axes && axes == [true; 2] {
                    return ProofResult::Escape(run);
                }
                if !self.by_axes && !self.fence[usize::from(to)] {
                    return ProofResult::Escape(run);
                }
                pushes.push((run, from, to));
            }
        }
        // Pushes toward goals or out of the fence end a proof that fails; one that succeeds tries all pushes in any
        // order. XSokoban 11, 28, 31, 50, 66, 69 by packing orders: 313,000 ticks with it, 366,000 without, 2026-11-21.
        if self.by_nearest {
            pushes.sort_by_key(|&(_, from, to)| i32::from(tables.nearest(to)) - i32::from(tables.nearest(from)));
        }
        for (run, from, to) in pushes {
            self.state.shift(tables, from, to);
            sets.take(&mut self.occupancy, from);
            sets.put(&mut self.occupancy, to);
            self.runs.push(run);
            let result = if self.state.is_solved() { ProofResult::Open } else { self.search(tables, sets, from) };
            self.runs.pop();
            sets.take(&mut self.occupancy, to);
            sets.put(&mut self.occupancy, from);
            self.state.shift(tables, to, from);
            if result != ProofResult::Dead {
                return result;
            }
        }
        ProofResult::Dead
    }
}
