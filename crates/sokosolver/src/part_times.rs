//! How a search divides its time: one expansion in so many is timed, part by part.
//!
//! ```text
//!   expansion   1   2   3  ...  128  129  130
//!   timed       ▓                    ▓             ▓ = storage · deadlock tests · evaluation · successors · storage
//! ```
//!
//! Reading a clock takes some 25 nanoseconds, and an expansion has some 30 changes from part to part, so that the samples
//! cost less than a thousandth of the search. They change nothing that is counted.

use std::ops::AddAssign;
use std::time::Duration;

use sokosearch::Clock;

/// Time of a search by part. What a search measures is a sample; [`Attempt::parts`](crate::Attempt::parts) is the estimate
/// for all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartTimes {
    /// Tests for deadlocks, of a box that was moved and of whole positions, and proofs of them.
    pub deadlock_tests: Duration,
    /// Lower bounds, features and scores.
    pub evaluation: Duration,
    /// Floods, and the pushes or pulls that are possible.
    pub successors: Duration,
    /// Tables of positions, trees and open lists.
    pub storage: Duration,
}

/// Time that a run spends on solutions once a search has found them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FindTimes {
    /// Joining pushes to moves by shortest walks, and replaying them.
    pub replay: Duration,
    /// Quick improvements, see [`SolveKnobs::polish`](crate::SolveKnobs::polish).
    pub polish: Duration,
}

impl AddAssign for FindTimes {
    fn add_assign(&mut self, other: Self) {
        self.replay += other.replay;
        self.polish += other.polish;
    }
}

/// A part of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    DeadlockTests,
    Evaluation,
    Successors,
    Storage,
}

/// Times the parts of some expansions.
#[derive(Debug)]
pub(crate) struct PartSampler {
    n_expansions: u32,
    is_on: bool,
    part: Part,
    clock: Clock,
    /// When the part was entered.
    entered: Duration,
    times: PartTimes,
}

impl PartTimes {
    /// Returns the sum.
    #[must_use]
    pub const fn total(&self) -> Duration {
        let Self { deadlock_tests, evaluation, successors, storage } = *self;
        deadlock_tests.saturating_add(evaluation).saturating_add(successors).saturating_add(storage)
    }

    /// Returns the same parts of another time; `None` if there was no sample.
    pub(crate) fn scaled_to(self, total: Duration) -> Option<Self> {
        let sampled = self.total();
        if sampled.is_zero() {
            return None;
        }
        let scale = total.as_secs_f64() / sampled.as_secs_f64();
        Some(Self {
            deadlock_tests: self.deadlock_tests.mul_f64(scale),
            evaluation: self.evaluation.mul_f64(scale),
            successors: self.successors.mul_f64(scale),
            storage: self.storage.mul_f64(scale),
        })
    }

    const fn part_mut(&mut self, part: Part) -> &mut Duration {
        match part {
            Part::DeadlockTests => &mut self.deadlock_tests,
            Part::Evaluation => &mut self.evaluation,
            Part::Successors => &mut self.successors,
            Part::Storage => &mut self.storage,
        }
    }
}

impl AddAssign for PartTimes {
    fn add_assign(&mut self, other: Self) {
        self.deadlock_tests += other.deadlock_tests;
        self.evaluation += other.evaluation;
        self.successors += other.successors;
        self.storage += other.storage;
    }
}

impl Default for PartSampler {
    fn default() -> Self {
        let (part, entered) = (Part::Storage, Duration::ZERO);
        Self { n_expansions: 0, is_on: false, part, clock: Clock::start(), entered, times: PartTimes::default() }
    }
}

impl PartSampler {
    /// One expansion in so many is timed.
    const EVERY: u32 = 128;

    /// Begins an expansion with this part. What an earlier one has not ended is left out.
    #[inline]
    pub(crate) fn begin(&mut self, part: Part) {
        self.is_on = self.n_expansions.is_multiple_of(Self::EVERY);
        self.n_expansions = self.n_expansions.wrapping_add(1);
        if self.is_on {
            self.part = part;
            self.entered = self.clock.elapsed();
        }
    }

    /// Enters a part, and returns the one that it interrupts.
    #[inline]
    pub(crate) fn enter(&mut self, part: Part) -> Part {
        if self.is_on { self.switch(part) } else { part }
    }

    /// Ends the expansion.
    #[inline]
    pub(crate) fn end(&mut self) {
        self.enter(Part::Storage);
        self.is_on = false;
    }

    #[cold]
    fn switch(&mut self, part: Part) -> Part {
        let now = self.clock.elapsed();
        let before = std::mem::replace(&mut self.part, part);
        *self.times.part_mut(before) += now.saturating_sub(self.entered);
        self.entered = now;
        before
    }

    /// Returns the times of the samples.
    pub(crate) const fn times(&self) -> PartTimes {
        self.times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_expansion_in_so_many_is_timed() {
        let mut sampler = PartSampler::default();
        for n in 0..2 * PartSampler::EVERY {
            sampler.begin(Part::Storage);
            assert_eq!(sampler.is_on, n % PartSampler::EVERY == 0);
            let before = sampler.enter(Part::Evaluation);
            assert!(!sampler.is_on || before == Part::Storage);
            std::hint::black_box([n; 64]);
            sampler.enter(before);
            sampler.end();
        }
        let times = sampler.times();
        assert!(!times.evaluation.is_zero() && times.successors.is_zero(), "{times:?}");
    }

    #[test]
    fn samples_are_scaled_to_the_whole() {
        let second = Duration::from_secs(1);
        let sample = PartTimes { evaluation: second, storage: 3 * second, ..PartTimes::default() };
        let whole = sample.scaled_to(8 * second).unwrap();
        assert_eq!((whole.evaluation, whole.storage, whole.total()), (2 * second, 6 * second, 8 * second));
        assert_eq!(PartTimes::default().scaled_to(second), None);
    }
}
