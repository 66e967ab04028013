//! The shares of the strategies: what is shared out between them, and how much of it each gets.
//!
//! ```text
//!   time that a strategy has used:   opening ── 0.4 s ── early ── 2.5 s ── late ──▶     a weight for each
//! ```
//!
//! On two threads four strategies of equal weight cost twice the time of the best of them, and the rest of the slices
//! that run. So a strategy that is rarely the best on levels of a kind gets a smaller weight there, and the others cost
//! at most 1.9 times. If its progress estimate is high it catches up with the others during its first seconds; one that
//! is as far and takes longer is mostly stuck. Packing has no progress estimate even just before it solves, so it gets
//! its chance in the opening.

use std::time::Duration;

/// The resource that is shared out by weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    /// Ticks: repeatable.
    Work,
    /// Time on a processor. Ticks of one strategy take up to ten times as long as those of another.
    Time,
}

/// Stages of the time that a strategy has used: the opening, early, and late.
const N_STAGES: usize = 3;

/// The weights of a strategy. 1 and up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    /// For work, where that is shared out.
    pub(crate) work: u32,
    /// For time, where that is shared out: in the opening, early, and late.
    pub(crate) time: [u32; N_STAGES],
}

impl Weights {
    /// The same weight for work and for time.
    #[cfg(test)]
    pub(crate) const fn all(weight: u32) -> Self {
        Self { work: weight, time: [weight; N_STAGES] }
    }
}

/// The length of a slice, in the resource that is shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SliceLength {
    Ticks(u64),
    Time(Duration),
}

impl SliceLength {
    /// Returns the ticks; none if time is counted.
    pub(crate) const fn ticks(self) -> u64 {
        match self {
            Self::Ticks(ticks) => ticks,
            Self::Time(_) => 0,
        }
    }

    /// Returns the time; none if ticks are counted.
    pub(crate) const fn time(self) -> Duration {
        match self {
            Self::Ticks(_) => Duration::ZERO,
            Self::Time(time) => time,
        }
    }
}

/// Computes how much of its share a strategy has used, and how long its next slice is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FairShare {
    resource: Resource,
    /// The sums of the weights of time, by stage.
    sums: [f64; N_STAGES],
    /// The second least weights of time, by stage.
    usual: [u32; N_STAGES],
}

/// The resources that a strategy has used, and its progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    pub(crate) ticks: u64,
    pub(crate) time: Duration,
    /// See [`Search::progress_estimate`](crate::Search::progress_estimate).
    pub(crate) progress_estimate: f64,
}

impl FairShare {
    /// The shortest slices. Slices of 10 milliseconds took 4 % longer, of 32 as long (35 small levels, 2026-11-22).
    const FIRST_TICKS: u64 = 20_000;
    const FIRST_TIME: Duration = Duration::from_millis(20);
    /// A slice is what the strategy has used before, divided by this.
    const GROWTH: u32 = 16;
    /// Where the stages end: after the time that packing needs on small levels, and after that of the best strategy
    /// where it is not the one that is favored later. Measured: see `docs/experiments/2026-11-22-portfolio-line-up.md`.
    const ENDS: [Duration; N_STAGES] = [Duration::from_millis(400), Duration::from_millis(2_500), Duration::MAX];
    /// A strategy with this progress estimate gets as much as the others. Measured: see
    /// `docs/experiments/2026-11-22-portfolio-progress-of-greedy-backward.md`.
    const PROMISING: f64 = 0.85;

    /// Shares out between strategies of these weights.
    pub(crate) fn new(resource: Resource, all: impl Iterator<Item = Weights>) -> Self {
        let all: Vec<Weights> = all.collect();
        let weights = |stage: usize| all.iter().map(move |weights| weights.time[stage]);
        let sum = |stage| weights(stage).map(f64::from).sum();
        let usual = |stage| {
            let mut weights: Vec<_> = weights(stage).collect();
            weights.sort_unstable();
            weights.get(1).copied().unwrap_or(1)
        };
        Self { resource, sums: [0, 1, 2].map(sum), usual: [0, 1, 2].map(usual) }
    }

    /// Returns the length of the next slice after this usage.
    pub(crate) fn slice_length(&self, usage: Usage) -> SliceLength {
        match self.resource {
            Resource::Work => SliceLength::Ticks((usage.ticks / u64::from(Self::GROWTH)).max(Self::FIRST_TICKS)),
            Resource::Time => SliceLength::Time((usage.time / Self::GROWTH).max(Self::FIRST_TIME)),
        }
    }

    /// Returns the stage of a strategy that has used so much time.
    pub(crate) fn stage(time: Duration) -> usize {
        Self::ENDS.iter().filter(|&&end| time >= end).count()
    }

    /// Returns the usage of a strategy relative to its weights: the least runs next.
    pub(crate) fn spent(&self, weights: Weights, usage: Usage) -> f64 {
        if self.resource == Resource::Work {
            return usage.ticks as f64 / f64::from(weights.work);
        }
        // With the next slice, so that a strategy of small weight waits for its first slice, too.
        let ends = Self::ENDS.map(|end| usage.time.min(end) + Self::FIRST_TIME);
        let begins = [Duration::ZERO, ends[0], ends[1]];
        let is_promising = usage.progress_estimate >= Self::PROMISING;
        let in_stage = |stage: usize| {
            let is_raised = is_promising && stage < N_STAGES - 1;
            let weight = weights.time[stage].max(if is_raised { self.usual[stage] } else { 1 });
            (ends[stage] - begins[stage]).as_secs_f64() * self.sums[stage] / f64::from(weight)
        };
        (0..N_STAGES).map(in_stage).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A strategy of small weight with a high progress estimate gets as much as the others.
    #[test]
    fn progress_makes_up_for_a_small_weight() {
        let shares = FairShare { resource: Resource::Time, sums: [40.0; N_STAGES], usual: [10; N_STAGES] };
        let spent = |weight, millis, progress_estimate| {
            let usage = Usage { ticks: 0, time: Duration::from_millis(millis), progress_estimate };
            shares.spent(Weights::all(weight), usage)
        };
        assert!(spent(5, 600, 0.7) > spent(10, 1_000, 0.0) && spent(5, 600, 0.9) < spent(10, 1_000, 0.0));
        assert!((spent(5, 2_000, 0.9) - spent(10, 2_000, 0.0)).abs() < 1e-9);
        assert!((spent(13, 4_000, 0.9) - spent(13, 4_000, 0.0)).abs() < 1e-9, "a larger weight stays");
        let late = |weight| spent(weight, 4_000, 0.9) - spent(weight, 3_000, 0.9);
        assert!(late(5) > 1.9 * late(10), "late, the weight is the small one again");
    }
}
