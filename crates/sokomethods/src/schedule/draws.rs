//! The random numbers of one step of a search.

use std::ops::Range;

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

    /// Draws a number from `least` to `most`, the logarithm of which is uniform: small ones as often as ones that are twice as
    /// large.
    pub(crate) fn log_uniform(&mut self, least: usize, most: usize) -> usize {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number below `most`")]
        let drawn = (least as f64 * ((most + 1) as f64 / least as f64).powf(self.share())) as usize;
        drawn.clamp(least, most)
    }

    /// Draws a window of `n_pushes` pushes, of a length from `fewest` to `most`, as far as there are so many.
    pub(crate) fn window(&mut self, n_pushes: usize, fewest: usize, most: usize) -> Range<usize> {
        let length = self.log_uniform(fewest.min(n_pushes), most.min(n_pushes));
        // Windows that would begin before the solution, or end after it, are moved into it.
        let place = self.below(n_pushes + length);
        let start = place.saturating_sub(length / 2).min(n_pushes - length);
        start..start + length
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
