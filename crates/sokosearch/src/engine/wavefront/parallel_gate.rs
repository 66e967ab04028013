//! Decides whether to share a layer among threads, by what sharing cost lately.
//!
//! Where layers are small, or other programs keep the processors busy, threads that wait for each other after every
//! phase are slower than one thread alone. The time of one thread is estimated from equal shares.
//!
//! ```text
//!  together  48 phases, timed ──▶ faster? ──yes──▶ together
//!                                     └──no───▶ alone for 48 phases, twice as many each time in a row ──▶ together
//! ```

use std::time::Duration;

/// Phases to judge sharing by.
const JUDGED_PHASES: u32 = 48;
/// Phases to run alone when sharing did not pay, at first and at most. At first a few: a new thread may share the
/// processor of the thread that spawned it for some milliseconds.
const PHASES_ALONE: u32 = 48;
const MOST_PHASES_ALONE: u32 = 160 * PHASES_ALONE;

/// The times of the last phases.
#[derive(Debug, Default)]
pub(super) struct ParallelGate {
    working: Duration,
    waiting: Duration,
    n_judged: u32,
    n_alone: u32,
    /// Phases that ran alone after the last judgement; 0 if sharing paid.
    last_alone: u32,
}

impl ParallelGate {
    /// Whether the next phase should run alone.
    pub(super) const fn runs_alone(&mut self) -> bool {
        let runs_alone = self.n_alone > 0;
        self.n_alone = self.n_alone.saturating_sub(1);
        runs_alone
    }

    /// Records how long one of `n_threads` threads worked in a phase, and then waited for the others.
    pub(super) fn record(&mut self, n_threads: usize, working: Duration, waiting: Duration) {
        self.working += working;
        self.waiting += waiting;
        self.n_judged += 1;
        if self.n_judged == JUDGED_PHASES {
            let alone = self.working.saturating_mul(u32::try_from(n_threads).unwrap_or(u32::MAX));
            let has_paid = self.working + self.waiting < alone / 10 * 9;
            let n_alone = if has_paid { 0 } else { (2 * self.last_alone).clamp(PHASES_ALONE, MOST_PHASES_ALONE) };
            *self = Self { n_alone, last_alone: n_alone, ..Self::default() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of the next phases run alone when each shared one takes so many microseconds.
    fn n_alone(n_threads: usize, working: u64, waiting: u64) -> usize {
        let mut gate = ParallelGate::default();
        (0..JUDGED_PHASES + PHASES_ALONE)
            .filter(|_| {
                let runs_alone = gate.runs_alone();
                if !runs_alone {
                    gate.record(n_threads, Duration::from_micros(working), Duration::from_micros(waiting));
                }
                runs_alone
            })
            .count()
    }

    #[test]
    fn threads_that_wait_too_much_are_not_used() {
        assert_eq!((n_alone(2, 100, 5), n_alone(2, 100, 70), n_alone(3, 100, 150)), (0, 0, 0));
        assert_eq!((n_alone(2, 100, 90), n_alone(3, 100, 200)), (PHASES_ALONE as usize, PHASES_ALONE as usize));
        assert_eq!(n_alone(1, 100, 0), PHASES_ALONE as usize, "no helpers");
    }

    #[test]
    fn phases_alone_double_while_sharing_does_not_pay() {
        let mut gate = ParallelGate::default();
        let mut spells = [0; 7];
        for spell in &mut spells {
            (0..JUDGED_PHASES).for_each(|_| gate.record(2, Duration::from_micros(100), Duration::from_micros(100)));
            *spell = std::iter::from_fn(|| gate.runs_alone().then_some(())).count();
        }
        assert_eq!(spells, [48, 96, 192, 384, 768, 1_536, 3_072]);
        (0..JUDGED_PHASES).for_each(|_| gate.record(2, Duration::from_micros(100), Duration::ZERO));
        assert_eq!((gate.runs_alone(), gate.last_alone), (false, 0));
    }
}
