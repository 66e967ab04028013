//! Predecessors whose configurations are looked up together.
//!
//! A look-up waits for memory twice: for a slot, and for the record that the slot names. The look-ups of a batch are
//! independent of each other, so their memory latencies overlap.

use sokocore::FloorSquare;

use crate::ConfigId;
use crate::store::reached_table::{ReachedTable, Vacancy};
use crate::tube::near_spine::NearStates;

/// A state that pulls are generated from.
#[derive(Clone, Copy)]
pub(super) struct PullSource<'k, const K: usize> {
    pub(super) key: &'k [u64; K],
    pub(super) player: usize,
    pub(super) moves: u32,
    /// Whether the state was reached for the first time.
    pub(super) is_new: bool,
}

/// The state before a push, as a pull generates it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Predecessor<const K: usize> {
    pub(super) key: [u64; K],
    pub(super) hash: u64,
    /// Square that the player goes back to.
    pub(super) stand: FloorSquare,
    /// Moves to go from there.
    pub(super) moves: u32,
    /// Whether the state that was pulled from was reached for the first time, not again with fewer moves.
    pub(super) is_new: bool,
    pub(super) near_states: NearStates,
}

/// A few predecessors, and what their look-up found.
#[derive(Debug, Default)]
pub(super) struct PullBatch<const K: usize> {
    predecessors: Vec<Predecessor<K>>,
    found: Vec<Result<ConfigId, Vacancy>>,
}

/// Predecessors that are looked up together.
const ENOUGH: usize = 16;

impl<const K: usize> PullBatch<K> {
    #[inline]
    pub(super) fn push(&mut self, predecessor: Predecessor<K>) {
        self.predecessors.push(predecessor);
    }

    pub(super) const fn is_full(&self) -> bool {
        self.predecessors.len() >= ENOUGH
    }

    /// Looks all of them up.
    pub(super) fn look_up<const W: usize>(&mut self, reached: &ReachedTable<K, W>) {
        let peeked = self.predecessors.iter().fold(0, |all, predecessor| all | reached.peek(predecessor.hash));
        std::hint::black_box(peeked);
        self.found.clear();
        let look_up = |predecessor: &Predecessor<K>| reached.look_up(&predecessor.key, predecessor.hash);
        self.found.extend(self.predecessors.iter().map(look_up));
    }

    /// Returns the predecessors, each with its configuration, or with the vacancy where it was missing.
    pub(super) fn found(&self) -> impl Iterator<Item = (&Predecessor<K>, Result<ConfigId, Vacancy>)> {
        self.predecessors.iter().zip(self.found.iter().copied())
    }

    pub(super) fn clear(&mut self) {
        self.predecessors.clear();
        self.found.clear();
    }
}
