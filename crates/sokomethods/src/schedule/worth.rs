//! What an arm has gained for its work, and so what the next slice of it may be worth.

use std::cmp::Ordering;

/// Ticks after which an arm of the first rank that has not gained counts half.
const PATIENCE: f64 = 1e6;
/// What an arm without a gain counts as having gained.
const HOPE: f64 = 1.0;
/// Work in vain after which a gain counts half, in patiences, where the solution has up to so many pushes; a longer
/// one takes longer to sweep.
const HALF_LIFE: f64 = 8.0;
const PUSHES: f64 = 200.0;
/// How much of the past counts after a gain, its own or another arm's.
const DECAY: f64 = 0.8;

/// Gains and ticks of an arm, the past fading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worth {
    gain: f64,
    ticks: f64,
    patience: f64,
}

impl Worth {
    /// What an arm is worth before its first slice: the less the higher its rank.
    pub(crate) fn of_rank(rank: usize) -> Self {
        Self { gain: 0.0, ticks: 0.0, patience: PATIENCE * 2_f64.powi(i32::try_from(rank).unwrap_or(30)) }
    }

    /// Takes note of what a slice gained on a solution of so many pushes. What was gained long ago fades.
    pub(crate) fn add(&mut self, gain: f64, ticks: u64, n_pushes: u64) {
        self.ticks += ticks as f64;
        if gain > 0.0 {
            self.gain = (self.gain + gain) * DECAY;
            self.ticks *= DECAY;
        } else {
            let sweep = (n_pushes as f64 / PUSHES).max(1.0);
            self.gain *= 0.5_f64.powf(ticks as f64 / (HALF_LIFE * self.patience * sweep));
        }
    }

    /// Forgives some of the work done in vain: another arm has changed the spine.
    pub(crate) fn forgive(&mut self) {
        self.ticks *= DECAY;
    }

    /// Compares by gain per tick; of equal ones, the lower rank is worth more.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let rate = |worth: &Self| (worth.gain + HOPE) / (worth.ticks + worth.patience);
        rate(self).total_cmp(&rate(other)).then_with(|| other.patience.total_cmp(&self.patience))
    }
}
