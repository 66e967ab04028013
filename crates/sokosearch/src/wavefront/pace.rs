//! Whether it pays to share a layer among threads, by what it cost lately.
//!
//! Where layers are small, or other programs keep the processors busy, threads that wait for each other after every
//! phase are slower than one that does all. What one would take is known well enough: the shares are equal.
//!
//! ```text
//!  together  48 phases, timed ──▶ paid? ──yes──▶ together
//!                                   └──no───▶ alone for 48 phases, each time in a row twice as many ──▶ together
//! ```

use std::time::Duration;

/// Phases to judge by.
const JUDGED_PHASES: u32 = 48;
/// Phases to do alone when sharing did not pay, at first, and at most.
/// At first a few: a thread that has just begun may share the processor of the one that began it for some milliseconds.
const PHASES_ALONE: u32 = 48;
const MOST_PHASES_ALONE: u32 = 160 * PHASES_ALONE;

/// What the last phases cost.
#[derive(Debug, Default)]
pub(super) struct Pace {
    working: Duration,
    waiting: Duration,
    n_judged: u32,
    n_alone: u32,
    /// As many as were done alone when sharing did not pay the last time; 0 when it did.
    last_alone: u32,
}

impl Pace {
    /// Whether the next phase is better done alone.
    pub(super) const fn is_alone(&mut self) -> bool {
        let is_alone = self.n_alone > 0;
        self.n_alone = self.n_alone.saturating_sub(1);
        is_alone
    }

    /// Notes how long one of so many threads worked in a phase, and then waited for the others.
    pub(super) fn note(&mut self, n_threads: usize, working: Duration, waiting: Duration) {
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

    /// How many of the next phases are done alone when each that is shared takes so many microseconds.
    fn n_alone(n_threads: usize, working: u64, waiting: u64) -> usize {
        let mut pace = Pace::default();
        (0..JUDGED_PHASES + PHASES_ALONE)
            .filter(|_| {
                let is_alone = pace.is_alone();
                if !is_alone {
                    pace.note(n_threads, Duration::from_micros(working), Duration::from_micros(waiting));
                }
                is_alone
            })
            .count()
    }

    #[test]
    fn threads_that_wait_too_much_leave_the_work_to_one() {
        assert_eq!((n_alone(2, 100, 5), n_alone(2, 100, 70), n_alone(3, 100, 150)), (0, 0, 0));
        assert_eq!((n_alone(2, 100, 90), n_alone(3, 100, 200)), (PHASES_ALONE as usize, PHASES_ALONE as usize));
        assert_eq!(n_alone(1, 100, 0), PHASES_ALONE as usize, "nobody helps");
    }

    #[test]
    fn the_longer_it_does_not_pay_the_longer_one_is_left_alone() {
        let mut pace = Pace::default();
        let mut spells = [0; 7];
        for spell in &mut spells {
            (0..JUDGED_PHASES).for_each(|_| pace.note(2, Duration::from_micros(100), Duration::from_micros(100)));
            *spell = std::iter::from_fn(|| pace.is_alone().then_some(())).count();
        }
        assert_eq!(spells, [48, 96, 192, 384, 768, 1_536, 3_072]);
        (0..JUDGED_PHASES).for_each(|_| pace.note(2, Duration::from_micros(100), Duration::ZERO));
        assert_eq!((pace.is_alone(), pace.last_alone), (false, 0));
    }
}
