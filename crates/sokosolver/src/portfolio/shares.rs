//! What is shared out between strategies, and how much of it each gets.
//!
//! ```text
//!   time that a strategy has had:   opening ── 0.4 s ── early ── 2.5 s ── late ──▶     a weight for each
//! ```
//!
//! On two threads four strategies that get alike cost twice what the best of them takes alone, and a little for whoever is in
//! the middle of a slice. So the one that is rarely the best on levels of a kind gets less than its share, as long as it
//! shows no promise: then the others cost 1.9 times at most. When promise comes, it is brought up to where the others are, for
//! its first seconds: what is along so far and takes longer is mostly stuck. Packing shows no promise even when it is about to
//! solve, so it has its chance in the opening.

use std::time::Duration;

use super::entrant::Entrant;

/// What is shared out by weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    /// Ticks: repeatable.
    Work,
    /// Time on a processor. Ticks of one strategy take up to ten times as long as those of another.
    Time,
}

/// Stages of the time that a strategy has had: the opening, early, and late.
const N_STAGES: usize = 3;

/// How much a strategy gets beside the others. 1 and up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    /// Of the work, where that is shared out.
    pub(crate) work: u32,
    /// Of the time, where that is shared out: in the opening, early, and late.
    pub(crate) time: [u32; N_STAGES],
}

impl Weights {
    /// The same in every respect.
    pub(crate) const fn all(weight: u32) -> Self {
        Self { work: weight, time: [weight; N_STAGES] }
    }
}

/// How long a turn is, in what is shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slice {
    Ticks(u64),
    Time(Duration),
}

impl Slice {
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

/// Tells how much of its share a strategy has had, and how long its next turn is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares {
    share: Share,
    /// The weights of time of all together, by stages.
    sums: [f64; N_STAGES],
    /// The least weights of time but one.
    usual: [u32; N_STAGES],
}

/// What a strategy has had.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Had {
    pub(crate) ticks: u64,
    pub(crate) time: Duration,
    /// See [`Search::promise`](crate::Search::promise).
    pub(crate) promise: f64,
}

impl Shares {
    /// The shortest slices. Those of 10 milliseconds took 4 % longer (35 small levels, 2026-11-22), of 32 as long.
    const FIRST_TICKS: u64 = 20_000;
    const FIRST_TIME: Duration = Duration::from_millis(20);
    /// A slice is what the strategy had before, divided by this.
    const GROWTH: u32 = 16;
    /// Where the stages end. The one of 88 small levels that packing is the best on takes it a third of a second. Until the
    /// second end nobody has so much that others wait for it: of 71 levels of four sets the best strategy took at most 2.3
    /// seconds where it is not the one that is favored later.
    const ENDS: [Duration; N_STAGES] = [Duration::from_millis(400), Duration::from_millis(2_500), Duration::MAX];
    /// Who is so far along gets as much as others do. Backward search on 40 large boards of four sets, 2026-11-22: after 0.4
    /// seconds so far on all six where it is the best or takes at most a third more, and on 9 others.
    const PROMISING: f64 = 0.85;

    /// Shares out between these.
    pub(crate) fn new<'a>(share: Share, entrants: impl Iterator<Item = &'a Entrant>) -> Self {
        let entrants: Vec<_> = entrants.map(|entrant| entrant.weights).collect();
        let weights = |stage: usize| entrants.iter().map(move |weights| weights.time[stage]);
        let sum = |stage| weights(stage).map(f64::from).sum();
        let usual = |stage| {
            let mut weights: Vec<_> = weights(stage).collect();
            weights.sort_unstable();
            weights.get(1).copied().unwrap_or(1)
        };
        Self { share, sums: [0, 1, 2].map(sum), usual: [0, 1, 2].map(usual) }
    }

    /// Returns how long the next turn is of somebody who had this.
    pub(crate) fn slice(&self, had: Had) -> Slice {
        match self.share {
            Share::Work => Slice::Ticks((had.ticks / u64::from(Self::GROWTH)).max(Self::FIRST_TICKS)),
            Share::Time => Slice::Time((had.time / Self::GROWTH).max(Self::FIRST_TIME)),
        }
    }

    /// Returns the stage of who has had so much time.
    pub(crate) fn stage(time: Duration) -> usize {
        Self::ENDS.iter().filter(|&&end| time >= end).count()
    }

    /// Returns what a strategy of these weights has had, for its share: who has had least goes next.
    pub(crate) fn spent(&self, weights: Weights, had: Had) -> f64 {
        if self.share == Share::Work {
            return had.ticks as f64 / f64::from(weights.work);
        }
        // With the next slice, so that who has a small weight waits for the first one, too.
        let ends = Self::ENDS.map(|end| had.time.min(end) + Self::FIRST_TIME);
        let begins = [Duration::ZERO, ends[0], ends[1]];
        let is_promising = had.promise >= Self::PROMISING;
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

    /// Who has a small part and shows promise has had too little so far, and gets as much as the others.
    #[test]
    fn promise_makes_up_for_a_small_weight() {
        let shares = Shares { share: Share::Time, sums: [40.0; N_STAGES], usual: [10; N_STAGES] };
        let spent = |weight, millis, promise| {
            let had = Had { ticks: 0, time: Duration::from_millis(millis), promise };
            shares.spent(Weights::all(weight), had)
        };
        assert!(spent(5, 600, 0.7) > spent(10, 1_000, 0.0) && spent(5, 600, 0.9) < spent(10, 1_000, 0.0));
        assert!((spent(5, 2_000, 0.9) - spent(10, 2_000, 0.0)).abs() < 1e-9);
        assert!((spent(13, 4_000, 0.9) - spent(13, 4_000, 0.0)).abs() < 1e-9, "who has more keeps it");
        let late = |weight| spent(weight, 4_000, 0.9) - spent(weight, 3_000, 0.9);
        assert!(late(5) > 1.9 * late(10), "what takes long has the part it had");
    }
}
