//! Pulls whose configurations are looked up together.
//!
//! A look-up waits for memory twice: for a slot, and for the record that the slot names. One by one that adds up; a few
//! in a row, each of them independent of the others, wait at the same time.

use crate::ConfigId;
use crate::near_spine::Candidates;
use crate::reached::{Reached, Vacancy};

/// What a pull led to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pulled<const K: usize> {
    pub(super) key: [u64; K],
    pub(super) hash: u64,
    /// Bit of the square that the player goes back to.
    pub(super) stand: u16,
    /// Moves to go from there.
    pub(super) moves: u32,
    /// Whether the state that was pulled from was reached for the first time, not sooner than before.
    pub(super) is_new: bool,
    pub(super) candidates: Candidates,
}

/// A number of pulls.
#[derive(Debug, Default)]
pub(super) struct Batch<const K: usize> {
    pulled: Vec<Pulled<K>>,
    found: Vec<Result<ConfigId, Vacancy>>,
}

/// Pulls that are looked up together.
const ENOUGH: usize = 16;

impl<const K: usize> Batch<K> {
    #[inline]
    pub(super) fn push(&mut self, pulled: Pulled<K>) {
        self.pulled.push(pulled);
    }

    pub(super) const fn is_full(&self) -> bool {
        self.pulled.len() >= ENOUGH
    }

    /// Looks all of them up.
    pub(super) fn find<const W: usize>(&mut self, reached: &Reached<K, W>) {
        let peeked = self.pulled.iter().fold(0, |all, pulled| all | reached.peek(pulled.hash));
        std::hint::black_box(peeked);
        self.found.clear();
        self.found.extend(self.pulled.iter().map(|pulled| reached.look_up(&pulled.key, pulled.hash)));
    }

    /// Returns the pulls, each with its configuration, or where that belonged when they were looked up.
    pub(super) fn found(&self) -> impl Iterator<Item = (&Pulled<K>, Result<ConfigId, Vacancy>)> {
        self.pulled.iter().zip(self.found.iter().copied())
    }

    pub(super) fn clear(&mut self) {
        self.pulled.clear();
        self.found.clear();
    }
}
