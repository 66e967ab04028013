//! The proof that a few boxes can never be resolved: a small exhaustive search without the other boxes.
//!
//! The boxes stand in a *fence*, their squares and the enclosed floor. A box that escapes from the fence is taken off
//! the board: it may be anywhere afterwards, and without it the rest is only easier. Then the search backtracks to
//! before that box's present run of pushes and continues without it. If not all boxes escape, or end on goals, within
//! so many positions, nothing is proved.
//!
//! Invariant: a position visited before is dead, on the current path, or was left when a box escaped; in each case it
//! need not be visited again. For the last case: the escape returns to where the run of that box began, and only that
//! box has moved since. The proof succeeds only if the position there is dead without the box, so the position that was
//! left is dead as well. A later escape may depend on this one, so no run goes back to before it.
//!
//! Known sets prune the proof, so what is learned first helps to learn the rest. Positions are known by 64-bit hashes:
//! of 2^15 positions two have the same hash with a probability of about 3 in 10^11.

use std::sync::Arc;

use hashbrown::HashSet;
use sokocore::FloorSquare;

use crate::board::board_state::{BoardState, BoxIndex};
use crate::board::level_tables::LevelTables;
use crate::board::{BoxShift, Flood};
use crate::deadlock::deadlock_sets::{DeadlockSets, SetOccupancy};
use crate::deadlock::freeze::Freeze;

/// What is to be proved: that these boxes, alone, are a deadlock for a player on this square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    pub(crate) boxes: &'a [FloorSquare],
    pub(crate) player: FloorSquare,
    /// Positions that the proof may expand.
    pub(crate) max_nodes: u32,
}

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
    /// The box; none if the run must not be continued.
    number: Option<BoxIndex>,
    /// The depth at which the run began.
    began: usize,
}

/// A push within a proof.
#[derive(Clone, Copy, Debug)]
struct ProofPush {
    run: PushRun,
    from: FloorSquare,
    to: FloorSquare,
}

/// A position on the current path of a proof.
#[derive(Debug)]
struct ProofFrame {
    /// The push that led to it; none for the first position.
    push: Option<ProofPush>,
    player: FloorSquare,
    /// The boxes taken off the board here, with their squares.
    taken: Vec<(BoxIndex, FloorSquare)>,
    /// The pushes that are still to be tried, the next one last.
    pushes: Vec<ProofPush>,
}

/// Searches for proofs.
#[derive(Debug)]
pub(crate) struct Prover {
    tables: Arc<LevelTables>,
    state: BoardState,
    occupancy: SetOccupancy,
    flood: Flood,
    freeze: Freeze,
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
    /// Pushes in a row that a proof may make.
    const MAX_DEPTH: usize = 800;
    /// Squares and regions that a single box may be pushed to before it counts as free.
    const MAX_STATES: usize = 64;

    pub(crate) fn new(tables: &Arc<LevelTables>) -> Self {
        let board = tables.board();
        Self {
            state: BoardState::new(tables),
            occupancy: SetOccupancy::default(),
            flood: Flood::new(board),
            freeze: Freeze::default(),
            fence: vec![false; board.n_squares() + 1],
            by_axes: false,
            visited: HashSet::new(),
            n_nodes: 0,
            max_nodes: 0,
            runs: Vec::new(),
            n_total: 0,
            by_nearest: true,
            tables: Arc::clone(tables),
        }
    }

    /// Tries the pushes in the order in which they are generated.
    #[cfg(test)]
    pub(crate) fn in_any_order(self) -> Self {
        Self { by_nearest: false, ..self }
    }

    /// Returns the positions expanded so far by all proofs.
    pub(crate) const fn n_total(&self) -> u64 {
        self.n_total
    }

    /// Returns how many known sets it has looked up.
    pub(crate) const fn n_lookups(&self) -> u64 {
        self.occupancy.n_lookups()
    }

    /// Returns whether the boxes are proved to be a deadlock, where a box escapes by leaving its fence: the squares of
    /// the boxes and those `inside`.
    pub(crate) fn is_dead_within(
        &mut self,
        sets: &DeadlockSets,
        question: Question<'_>,
        inside: &[FloorSquare],
    ) -> bool {
        let fence = || question.boxes.iter().chain(inside).map(|&sq| sq.idx());
        fence().for_each(|sq| self.fence[sq] = true);
        let is_dead = self.is_dead(sets, question);
        fence().for_each(|sq| self.fence[sq] = false);
        is_dead
    }

    /// Returns whether the boxes are proved to be a deadlock, where a box escapes as soon as the player can push it
    /// along both axes.
    pub(crate) fn is_dead_by_axes(&mut self, sets: &DeadlockSets, question: Question<'_>) -> bool {
        self.by_axes = true;
        let is_dead = self.is_dead(sets, question);
        self.by_axes = false;
        is_dead
    }

    fn is_dead(&mut self, sets: &DeadlockSets, Question { boxes, player, max_nodes }: Question<'_>) -> bool {
        self.set_up(sets, boxes);
        self.visited.clear();
        self.runs.clear();
        (self.n_nodes, self.max_nodes) = (0, max_nodes);
        let is_dead = !self.state.is_solved() && self.search(sets, player) == ProofResult::Dead;
        self.n_total += u64::from(self.n_nodes);
        is_dead
    }

    /// Returns the boxes that are left when those are taken away, one after the other, that the player can push along
    /// both axes, now or after pushing them elsewhere while the others stand still.
    pub(crate) fn tied(&mut self, sets: &DeadlockSets, boxes: &[FloorSquare], player: FloorSquare) -> Vec<FloorSquare> {
        let mut left = boxes.to_vec();
        let mut at = 0;
        let mut n_since = 0;
        while n_since < left.len() {
            at %= left.len();
            self.set_up(sets, &left);
            if self.gets_free(sets, BoxIndex::new(at), player) {
                left.swap_remove(at);
                n_since = 0;
            } else {
                at += 1;
                n_since += 1;
            }
        }
        left
    }

    /// Returns whether the player can push a single box to a square where it can be pushed along both axes.
    fn gets_free(&mut self, sets: &DeadlockSets, number: BoxIndex, player: FloorSquare) -> bool {
        let mut todo = vec![(self.state.square(number), player)];
        let mut seen = HashSet::new();
        while let Some((sq, player)) = todo.pop() {
            let now = self.state.square(number);
            self.shift(sets, now, sq);
            let least = self.spread(player);
            if !seen.insert((sq, least)) {
                continue;
            }
            self.n_total += 1;
            if seen.len() > Self::MAX_STATES || self.has_both_axes(sets, number) {
                return true;
            }
            let pushes = (0..4).filter_map(|dir| self.push(sets, number, dir));
            todo.extend(pushes.map(|BoxShift { from, to }| (to, from)));
        }
        false
    }

    /// Returns whether the player, after a flood, can push the box along both axes.
    fn has_both_axes(&mut self, sets: &DeadlockSets, number: BoxIndex) -> bool {
        (0..2).all(|axis| [axis, axis + 2].into_iter().any(|dir| self.push(sets, number, dir).is_some()))
    }

    /// Returns whether the player has no legal push with only these boxes on the board, and one of them is off goal.
    pub(crate) fn is_stuck(&mut self, sets: &DeadlockSets, boxes: &[FloorSquare], player: FloorSquare) -> bool {
        self.set_up(sets, boxes);
        self.n_total += 1;
        if self.state.is_solved() {
            return false;
        }
        self.spread(player);
        self.state.numbers().all(|number| (0..4).all(|dir| self.push(sets, number, dir).is_none()))
    }

    /// Returns the squares of the player's region with only these boxes on the board.
    pub(crate) fn region(&mut self, boxes: &[FloorSquare], player: FloorSquare) -> Vec<FloorSquare> {
        let board = self.tables.board();
        self.flood.place(boxes.iter().copied());
        self.flood.spread(board, player);
        board.squares().filter(|&sq| self.flood.reaches(sq)).collect()
    }

    fn set_up(&mut self, sets: &DeadlockSets, boxes: &[FloorSquare]) {
        sets.extend(&mut self.occupancy, self.state.squares());
        for number in self.state.numbers() {
            if self.state.square(number) != BoardState::OFF_BOARD {
                self.take(sets, number);
            }
        }
        self.state.clear();
        for &sq in boxes {
            self.state.add(&self.tables, sq);
            sets.put(&mut self.occupancy, sq);
        }
    }

    fn spread(&mut self, player: FloorSquare) -> FloorSquare {
        self.flood.place(self.state.squares());
        self.flood.spread(self.tables.board(), player)
    }

    /// Moves a box.
    fn shift(&mut self, sets: &DeadlockSets, from: FloorSquare, to: FloorSquare) {
        self.state.shift(&self.tables, from, to);
        sets.take(&mut self.occupancy, from);
        sets.put(&mut self.occupancy, to);
    }

    /// Takes a box off the board; returns its square.
    fn take(&mut self, sets: &DeadlockSets, number: BoxIndex) -> FloorSquare {
        let sq = self.state.take(&self.tables, number);
        sets.take(&mut self.occupancy, sq);
        sq
    }

    /// Returns the squares before and after a push, if the player, after a flood, can make it and it is no known
    /// deadlock.
    fn push(&mut self, sets: &DeadlockSets, number: BoxIndex, dir: usize) -> Option<BoxShift> {
        let board = self.tables.board();
        let from = self.state.square(number);
        if from == BoardState::OFF_BOARD {
            return None;
        }
        let (to, stand) = (board.step(from, dir), board.step(from, dir ^ 2));
        if !board.is_live(to) || !self.flood.reaches(stand) || !self.state.is_free(to) {
            return None;
        }
        if sets.forbids_counted(&self.occupancy, from, to) {
            return None;
        }
        self.state.shift(&self.tables, from, to);
        let dead = self.freeze.is_dead(board, self.state.view(), to);
        self.state.shift(&self.tables, to, from);
        (!dead).then_some(BoxShift { from, to })
    }

    /// Searches depth first from the position on the board, which is as before when the search ends.
    fn search(&mut self, sets: &DeadlockSets, player: FloorSquare) -> ProofResult {
        let mut path: Vec<ProofFrame> = Vec::new();
        let mut top = ProofFrame { push: None, player, taken: Vec::new(), pushes: Vec::new() };
        let mut result = self.expand(sets, &mut top);
        loop {
            match result {
                // Pushes are left.
                None => {
                    let Some(push) = top.pushes.pop() else {
                        result = Some(ProofResult::Dead);
                        continue;
                    };
                    self.shift(sets, push.from, push.to);
                    self.runs.push(push.run);
                    let next =
                        ProofFrame { push: Some(push), player: push.from, taken: Vec::new(), pushes: Vec::new() };
                    path.push(std::mem::replace(&mut top, next));
                    result = if self.state.is_solved() { Some(ProofResult::Open) } else { self.expand(sets, &mut top) };
                }
                // The search continues from here without the box.
                Some(ProofResult::Escape(PushRun { number: Some(number), began })) if began == self.runs.len() => {
                    top.taken.push((number, self.take(sets, number)));
                    // A later escape may depend on this one: no run backtracks to before it.
                    if let Some(last) = self.runs.last_mut() {
                        last.number = None;
                    }
                    result = if self.state.is_solved() { Some(ProofResult::Open) } else { self.expand(sets, &mut top) };
                }
                // Backtracks.
                Some(end) => {
                    for (number, sq) in top.taken {
                        self.state.put(&self.tables, number, sq);
                        sets.put(&mut self.occupancy, sq);
                    }
                    let (Some(before), Some(push)) = (path.pop(), top.push) else { return end };
                    self.runs.pop();
                    self.shift(sets, push.to, push.from);
                    top = before;
                    result = (end != ProofResult::Dead).then_some(end);
                }
            }
        }
    }

    /// Generates the pushes of a position, which is on the board, unless its result is known without them.
    fn expand(&mut self, sets: &DeadlockSets, frame: &mut ProofFrame) -> Option<ProofResult> {
        frame.pushes.clear();
        let least = self.spread(frame.player);
        if !self.visited.insert(self.state.key() ^ self.tables.key(least).rotate_left(31)) {
            return Some(ProofResult::Dead);
        }
        self.n_nodes += 1;
        let depth = self.runs.len();
        if self.n_nodes > self.max_nodes || depth > Self::MAX_DEPTH {
            return Some(ProofResult::Open);
        }
        for number in self.state.numbers() {
            let mut axes = [false; 2];
            for dir in 0..4 {
                let Some(BoxShift { from, to }) = self.push(sets, number, dir) else { continue };
                let run = self.runs.last().copied().filter(|last| last.number == Some(number));
                let run = run.unwrap_or(PushRun { number: Some(number), began: depth });
                axes[dir & 1] = true;
                let escapes = if self.by_axes { axes == [true; 2] } else { !self.fence[to.idx()] };
                if escapes {
                    return Some(ProofResult::Escape(run));
                }
                frame.pushes.push(ProofPush { run, from, to });
            }
        }
        // Pushes toward goals or out of the fence end a proof that fails; one that succeeds tries all pushes in any
        // order. XSokoban 11, 28, 31, 50, 66, 69 by packing orders: 313,000 ticks with it, 366,000 without, 2026-11-21.
        if self.by_nearest {
            let nearest = |sq| i32::from(self.tables.nearest(sq));
            frame.pushes.sort_by_key(|push| nearest(push.to) - nearest(push.from));
        }
        frame.pushes.reverse();
        None
    }
}

#[cfg(test)]
pub(crate) mod reference;
#[cfg(test)]
mod tests;
