//! Every position of a level that pushes reach from its start, with the fewest pushes that still solve it, and the best
//! solutions of the level by moves and pushes.
//!
//! Breadth-first search without a bound, a deadlock test or a symmetry. Only positions that this search itself has shown
//! to be unsolvable are left out of the second search, for moves.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashMap;

use super::flat_board::{FlatBoard, FlatState, MAX_CELLS, bit, cells};

/// Pushes left of a position that cannot be solved.
const UNSOLVABLE: u32 = u32::MAX;

/// All reachable positions.
#[derive(Debug)]
pub(super) struct PositionGraph {
    /// One state of each position, that in which it was first reached; the start is the first.
    pub(super) states: Vec<FlatState>,
    /// By boxes and least cell of the player's region.
    numbers: HashMap<FlatState, u32>,
    pushes_left: Vec<u32>,
    /// The fewest pushes from the start.
    depths: Vec<u64>,
    /// Each push, as the numbers of the positions before and after it.
    pub(super) edges: Vec<[u32; 2]>,
}

/// The costs of the best solutions, each with the costs of the best among equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Optimum {
    pub(super) pushes: u64,
    pub(super) moves: u64,
    /// Fewest moves with the fewest pushes.
    pub(super) moves_of_fewest_pushes: u64,
    /// Fewest pushes with the fewest moves.
    pub(super) pushes_of_fewest_moves: u64,
}

impl PositionGraph {
    /// Explores; `None` if there are more positions than `max`.
    pub(super) fn explore(board: &FlatBoard, max: usize) -> Option<Self> {
        let mut graph = Self {
            states: Vec::new(),
            numbers: HashMap::new(),
            pushes_left: Vec::new(),
            depths: vec![0],
            edges: Vec::new(),
        };
        graph.number(board, board.start);
        let mut at = 0;
        while at < graph.states.len() {
            let from = graph.states[at];
            for next in pushes(board, from) {
                let to = graph.number(board, next);
                if graph.depths.len() < graph.states.len() {
                    graph.depths.push(graph.depths[at] + 1);
                }
                graph.edges.push([u32::try_from(at).ok()?, to]);
            }
            if graph.states.len() > max {
                return None;
            }
            at += 1;
        }
        graph.measure(board);
        Some(graph)
    }

    /// Returns the number of a state's position, which is added if it is new.
    fn number(&mut self, board: &FlatBoard, state: FlatState) -> u32 {
        let next = u32::try_from(self.states.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(key(board, state)).or_insert(next);
        if number == next {
            self.states.push(state);
        }
        number
    }

    /// Finds the pushes left, from the solved positions backward.
    fn measure(&mut self, board: &FlatBoard) {
        let n = self.states.len();
        let mut before = vec![Vec::new(); n];
        self.edges.iter().for_each(|&[from, to]| before[to as usize].push(from));
        self.pushes_left = vec![UNSOLVABLE; n];
        let mut layer: Vec<u32> =
            (0..).zip(&self.states).filter(|(_, s)| board.is_solved(s.boxes)).map(|(at, _)| at).collect();
        for left in 0.. {
            layer.retain(|&at| self.pushes_left[at as usize] == UNSOLVABLE);
            layer.iter().for_each(|&at| self.pushes_left[at as usize] = left);
            if layer.is_empty() {
                return;
            }
            layer = layer.iter().flat_map(|&at| before[at as usize].iter().copied()).collect();
            layer.sort_unstable();
            layer.dedup();
        }
    }

    /// Returns the fewest pushes that solve the position of a state, 0 if it is solved; `None` if it cannot be solved.
    pub(super) fn pushes_left(&self, board: &FlatBoard, state: FlatState) -> Option<u64> {
        let number = *self.numbers.get(&key(board, state))?;
        self.left(number as usize)
    }

    /// As [`PositionGraph::pushes_left`] for the position of this number.
    pub(super) fn left(&self, number: usize) -> Option<u64> {
        let left = self.pushes_left[number];
        (left != UNSOLVABLE).then_some(u64::from(left))
    }

    /// Returns the fewest pushes that lead from the start to the position of this number.
    pub(super) fn depth(&self, number: usize) -> u64 {
        self.depths[number]
    }

    /// Returns the costs of the best solutions, which have a push each; `None` if there is no solution.
    pub(super) fn optimum(&self, board: &FlatBoard) -> Option<Optimum> {
        let (pushes, moves_of_fewest_pushes) = self.cheapest(board, |is_push| (u64::from(is_push), 1))?;
        let (moves, pushes_of_fewest_moves) = self.cheapest(board, |is_push| (1, u64::from(is_push)))?;
        Some(Optimum { pushes, moves, moves_of_fewest_pushes, pushes_of_fewest_moves })
    }

    /// Dijkstra's algorithm over single moves.
    fn cheapest(&self, board: &FlatBoard, price: fn(bool) -> (u64, u64)) -> Option<(u64, u64)> {
        let mut costs = vec![(u64::MAX, u64::MAX); self.states.len() * MAX_CELLS];
        let place = |number: u32, player: usize| number as usize * MAX_CELLS + player;
        costs[place(0, board.start.player)] = (0, 0);
        let mut open = BinaryHeap::from([Reverse(((0, 0), false, 0, board.start))]);
        while let Some(Reverse((cost, is_pushed, number, state))) = open.pop() {
            if is_pushed && board.is_solved(state.boxes) {
                return Some(cost);
            }
            if costs[place(number, state.player)] < cost {
                continue;
            }
            for way in 0..4 {
                let Some((next, is_push)) = board.play(state, way) else { continue };
                let number = if is_push { self.numbers[&key(board, next)] } else { number };
                if self.left(number as usize).is_none() {
                    continue;
                }
                let step = price(is_push);
                let next_cost = (cost.0 + step.0, cost.1 + step.1);
                let known = &mut costs[place(number, next.player)];
                // The start may be solved and be reached by a push for nothing less than any other way.
                if next_cost < *known || is_push && board.is_solved(next.boxes) {
                    *known = next_cost.min(*known);
                    open.push(Reverse((next_cost, is_push, number, next)));
                }
            }
        }
        None
    }
}

/// The normal form of a state's position.
fn key(board: &FlatBoard, state: FlatState) -> FlatState {
    FlatState { boxes: state.boxes, player: board.region(state).trailing_zeros() as usize }
}

/// The states after each push that the player can walk to.
pub(super) fn pushes(board: &FlatBoard, state: FlatState) -> impl Iterator<Item = FlatState> {
    let region = board.region(state);
    cells(state.boxes).flat_map(move |cell| (0..4).map(move |way| (cell, way))).filter_map(move |(cell, way)| {
        // The opposite way leads from the box to where the player stands.
        let stand = board.beside(cell, way ^ 2);
        let next =
            (region & bit(stand) != 0).then(|| board.play(FlatState { player: stand, ..state }, way)).flatten()?;
        next.1.then_some(next.0)
    })
}
