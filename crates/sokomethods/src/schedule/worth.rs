//! The value of an arm: its discounted gain per tick, with a prior for arms without a gain.

use std::cmp::Ordering;

use sokosearch::Context;

use crate::checkpoint::field::{Bits, fields};

/// Ticks that the prior of an arm of rank 0 stands for; each rank doubles them.
const PRIOR_TICKS: f64 = 1e6;
/// Gain that the prior of every arm stands for, as a share of the first metric of the incumbent: an optimistic initial
/// value (Sutton and Barto 2018, section 2.6), so that no arm with early gains holds up the others. Measured: see
/// `docs/experiments/2026-11-23-prior-gain.md`.
const PRIOR_SHARE: f64 = 0.3;
/// The least such gain.
const LEAST_PRIOR_GAIN: f64 = 1.0;
/// By how many ranks a seed other than 0 moves an arm at most.
const VARIATION: f64 = 1.5;
/// Half-life of a gain while an arm gains nothing more, in prior ticks.
const HALF_LIFE: f64 = 8.0;
/// Pushes above which the half-life grows with the solution, since a sweep over it takes longer.
const SHORT_SOLUTION: f64 = 200.0;
/// Discount of the past after a gain of this arm or of another one.
const DISCOUNT: f64 = 0.8;

/// Discounted gains and ticks of an arm.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worth {
    gain: f64,
    ticks: f64,
    prior_ticks: f64,
}

/// The gain that the prior of every arm stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PriorGain(f64);

impl PriorGain {
    /// Returns the prior gain on the incumbent of a search.
    pub(crate) fn on(cx: &Context<'_>) -> Self {
        let score = cx.objective().score(&cx.incumbent().metrics());
        Self((score.primary() as f64 * PRIOR_SHARE).max(LEAST_PRIOR_GAIN))
    }
}

/// Gains and ticks as a checkpoint has them: the prior follows from the rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SavedWorth {
    gain: Bits,
    ticks: Bits,
}

fields!(SavedWorth { gain, ticks });

impl Worth {
    /// Returns the prior of an arm: the higher its rank, the lower its value.
    pub(crate) fn of_rank(rank: usize) -> Self {
        let rank = i32::try_from(rank).expect("invariant: a rank is the number of an arm");
        Self { gain: 0.0, ticks: 0.0, prior_ticks: PRIOR_TICKS * 2_f64.powi(rank) }
    }

    /// Makes the prior stand for more ticks or fewer, by up to [`VARIATION`] ranks.
    pub(crate) fn vary(&mut self, number: u64) {
        // The 53 highest bits as a fraction.
        let share = (number >> 11) as f64 / (1_u64 << 53) as f64;
        self.prior_ticks *= (VARIATION * (2.0 * share - 1.0)).exp2();
    }

    /// Adds a slice that worked on a solution of `n_pushes` pushes. Ticks without a gain discount earlier gains.
    pub(crate) fn add(&mut self, gain: f64, ticks: u64, n_pushes: u64) {
        self.ticks += ticks as f64;
        if gain > 0.0 {
            self.gain = (self.gain + gain) * DISCOUNT;
            self.ticks *= DISCOUNT;
        } else {
            let sweep = (n_pushes as f64 / SHORT_SOLUTION).max(1.0);
            self.gain *= 0.5_f64.powf(ticks as f64 / (HALF_LIFE * self.prior_ticks * sweep));
        }
    }

    /// Discounts the ticks spent: another arm has changed the spine.
    pub(crate) fn discount_ticks(&mut self) {
        self.ticks *= DISCOUNT;
    }

    pub(crate) const fn save(&self) -> SavedWorth {
        SavedWorth { gain: Bits(self.gain.to_bits()), ticks: Bits(self.ticks.to_bits()) }
    }

    /// Takes up the gains and ticks of an earlier run.
    pub(crate) fn restore(&mut self, saved: SavedWorth) {
        let number = |bits: Bits| Some(f64::from_bits(bits.0)).filter(|number| number.is_finite() && *number >= 0.0);
        (self.gain, self.ticks) = (number(saved.gain).unwrap_or(0.0), number(saved.ticks).unwrap_or(0.0));
    }

    /// Compares by gain per tick, then by rank; a lower rank is worth more.
    pub(crate) fn compare(&self, other: &Self, PriorGain(prior_gain): PriorGain) -> Ordering {
        let rate = |worth: &Self| (worth.gain + prior_gain) / (worth.ticks + worth.prior_ticks);
        rate(self).total_cmp(&rate(other)).then_with(|| other.prior_ticks.total_cmp(&self.prior_ticks))
    }
}
