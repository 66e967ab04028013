//! The open lists of a search by features: one heap for each cell of the feature space.
//!
//! ```text
//!   odd turns: the next cell in a circle      even turns: the cell of the best node
//!        │                                         │
//!        ▼                                         ▼
//!   heap of expanded nodes: least weight of path and next macro move first, then its score, then age
//! ```
//!
//! Invariant: a node is in at most one heap. A node whose macro moves were pruned keeps its entry until it is popped.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashMap;
use sokosearch::ChunkedVec;

use crate::fess::tree::nodes::{NodeRecord, NodeScore, NodeStore};

/// An entry of a heap: weight of the path, score key of the next macro move, node.
type OpenEntry = Reverse<(u32, u64, u32)>;

/// How expanded nodes are distributed over heaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CellRule {
    /// One heap for each cell.
    #[default]
    ByFeatures,
    /// One heap for all nodes, as in best-first search: the measure of what cells save.
    #[cfg_attr(not(test), expect(dead_code, reason = "for tests that compare"))]
    OneCell,
}

/// All heaps of a tree.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    rule: CellRule,
    heaps: Vec<BinaryHeap<OpenEntry>>,
    /// Entries that fit into all heaps.
    capacity: usize,
    keys: ChunkedVec<u64>,
    cell_of_key: HashMap<u64, u32>,
    /// All nodes by score, those without macro moves removed from the top only.
    by_score: BinaryHeap<Reverse<(u64, u32)>>,
    cursor: usize,
    turn: u64,
}

impl Cells {
    /// Makes cells by this rule.
    pub(crate) fn new(rule: CellRule) -> Self {
        Self { rule, ..Self::default() }
    }

    /// Drops all heaps; the turn is kept.
    pub(crate) fn clear(&mut self) {
        *self = Self { rule: self.rule, turn: self.turn, ..Self::default() };
    }

    /// Returns the key of the cell for a node whose path has this best score.
    pub(crate) const fn key_of(&self, best: NodeScore) -> u64 {
        match self.rule {
            CellRule::ByFeatures => best.cell,
            CellRule::OneCell => 0,
        }
    }

    /// Returns the key of a cell.
    pub(crate) fn key(&self, cell: u32) -> u64 {
        self.keys[cell]
    }

    /// Returns the cell with this key, opened if there is none.
    pub(crate) fn cell(&mut self, key: u64) -> u32 {
        let new = u32::try_from(self.heaps.len()).expect("invariant: fewer cells than nodes");
        let cell = *self.cell_of_key.entry(key).or_insert(new);
        if cell == new {
            self.cursor = self.heaps.len();
            self.heaps.push(BinaryHeap::new());
            self.keys.push(key);
        }
        cell
    }

    /// Adds a node to the list of all nodes by score.
    pub(crate) fn rank(&mut self, score_key: u64, number: u32) {
        reserve_one(&mut self.by_score);
        self.by_score.push(Reverse((score_key, number)));
    }

    /// Opens a node in its cell, by the weight and the score of its next macro move.
    pub(crate) fn push(&mut self, cell: u32, weight: u32, score_key: u64, number: u32) {
        let heap = &mut self.heaps[cell as usize];
        self.capacity += reserve_one(heap);
        heap.push(Reverse((weight, score_key, number)));
    }

    /// Begins the next turn.
    pub(crate) const fn next_turn(&mut self) {
        self.turn += 1;
    }

    /// Pops the first node of the cell whose turn it is.
    pub(crate) fn pop<const W: usize>(&mut self, nodes: &NodeStore<W>) -> Option<u32> {
        let cell = self.select(nodes)?;
        let Reverse((_, _, number)) = self.heaps[cell].pop()?;
        Some(number)
    }

    fn select<const W: usize>(&mut self, nodes: &NodeStore<W>) -> Option<usize> {
        if self.turn.is_multiple_of(2) {
            while let Some(&Reverse((_, number))) = self.by_score.peek() {
                let &NodeRecord { n_open, cell, .. } = nodes.record(number)?;
                if n_open > 0 && !self.heaps[cell as usize].is_empty() {
                    return Some(cell as usize);
                }
                if n_open > 0 {
                    break;
                }
                self.by_score.pop();
            }
        }
        let (n_cells, from) = (self.heaps.len(), self.cursor);
        let cell = (0..n_cells).map(|at| (from + at) % n_cells).find(|&cell| !self.heaps[cell].is_empty())?;
        self.cursor = (cell + 1) % n_cells;
        Some(cell)
    }

    /// Returns the bytes in use once one more node is added.
    pub(crate) fn bytes_ahead(&self) -> usize {
        let grown = |capacity: usize| capacity + capacity / 4 + 4;
        2 * self.heaps.capacity() * size_of::<BinaryHeap<OpenEntry>>()
            + self.keys.bytes_with(1)
            + self.cell_of_key.capacity() * (size_of::<(u64, u32)>() + 1) * 4
            + grown(self.capacity) * size_of::<OpenEntry>()
            + grown(self.by_score.capacity()) * size_of::<Reverse<(u64, u32)>>()
    }
}

/// Reserves for one more entry by a quarter, not by doubling; returns how many new entries fit.
fn reserve_one<T: Ord>(heap: &mut BinaryHeap<T>) -> usize {
    let before = heap.capacity();
    if heap.len() == before {
        heap.reserve_exact(before / 4 + 4);
    }
    heap.capacity() - before
}
