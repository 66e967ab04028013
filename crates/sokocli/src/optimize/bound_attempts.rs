//! What searches for the bounds of a level have cost, so that later passes repeat none that would end where one has ended.
//!
//! A search for a bound cannot be continued: it restarts. With twice the time it may get further; with less, or if its
//! memory is what it was short of, it ends at the bound that is known.

use std::time::Duration;

use sokocore::Metric;
use sokosearch::{End, Stop};

/// So many times more time, or memory, is worth another search.
const GROWTH: u32 = 2;

/// The searches for the bounds of one level.
#[derive(Clone, Debug, Default)]
pub(super) struct BoundAttempts(Vec<BoundAttempt>);

/// The last search for a bound of a metric.
#[derive(Clone, Copy, Debug)]
struct BoundAttempt {
    metric: Metric,
    elapsed: Duration,
    /// Searches among which the memory was shared out.
    n_side_by_side: usize,
    end: End,
}

impl BoundAttempts {
    /// Notes how a search has ended.
    pub(super) fn note(&mut self, metric: Metric, elapsed: Duration, n_side_by_side: usize, end: End) {
        self.0.retain(|attempt| attempt.metric != metric);
        self.0.push(BoundAttempt { metric, elapsed, n_side_by_side, end });
    }

    /// Returns whether another search may get further than the last one; without a limit of time if that is `None`.
    pub(super) fn may_get_further(&self, metric: Metric, time: Option<Duration>, n_side_by_side: usize) -> bool {
        let Some(last) = self.0.iter().find(|attempt| attempt.metric == metric) else { return true };
        match last.end {
            End::Stopped(Stop::Time | Stop::Cancelled) => time.is_none_or(|time| time >= last.elapsed * GROWTH),
            End::Stopped(Stop::Memory) => n_side_by_side.max(1) * GROWTH as usize <= last.n_side_by_side,
            End::Stopped(_) | End::Exhausted => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_repeated_only_with_more_of_what_it_was_short_of() {
        let second = Duration::from_secs(1);
        let mut attempts = BoundAttempts::default();
        assert!(attempts.may_get_further(Metric::Moves, Some(second), 1));
        attempts.note(Metric::Moves, 4 * second, 4, End::Stopped(Stop::Time));
        for (seconds, expected) in [(1, false), (4, false), (7, false), (8, true), (16, true)] {
            assert_eq!(attempts.may_get_further(Metric::Moves, Some(seconds * second), 1), expected, "{seconds}");
        }
        assert!(attempts.may_get_further(Metric::Pushes, Some(second), 1), "that is another bound");
        attempts.note(Metric::Moves, 4 * second, 4, End::Stopped(Stop::Memory));
        let with_memory = [4, 3, 2, 1].map(|n| attempts.may_get_further(Metric::Moves, Some(99 * second), n));
        assert_eq!(with_memory, [false, false, true, true]);
        for end in [End::Exhausted, End::Stopped(Stop::Work)] {
            attempts.note(Metric::Moves, second, 4, end);
            assert!(!attempts.may_get_further(Metric::Moves, None, 1), "{end:?}");
        }
    }
}
