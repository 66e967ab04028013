//! The random numbers of one step of a search.

use crate::fingerprints::mix;

/// Numbers that a step draws, as `SplitMix64` does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draws {
    seed: u64,
    n_drawn: u64,
}

impl Draws {
    pub(crate) const fn new(seed: u64) -> Self {
        Self { seed, n_drawn: 0 }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.n_drawn += 1;
        mix(self.seed, self.n_drawn)
    }

    /// Draws a number below `n`, or 0 if there is none.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).expect("invariant: below a number that fits")
    }

    /// Draws a number from 0 to 1, and not 0.
    pub(crate) fn share(&mut self) -> f64 {
        // The 53 highest bits as a fraction.
        ((self.next() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}
