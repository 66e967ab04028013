//! Numbers of solutions as the pages get them, with all that is computed from them.

use serde::{Deserialize, Serialize};
use sokocore::Metrics;

/// The six metrics of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MetricsJson {
    pub(crate) moves: u64,
    pub(crate) pushes: u64,
    pub(crate) box_lines: u64,
    pub(crate) box_changes: u64,
    pub(crate) pushing_sessions: u64,
    pub(crate) player_lines: u64,
}

/// What is known of the best in one metric: the best found, and what is proved.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct RangeJson {
    /// The best solution known; null without one.
    best: Option<u64>,
    /// No solution has fewer.
    at_least: u64,
    /// Whether the best is proved.
    is_proved: bool,
    /// How far the best may be above the bound, in percent of the bound; null if that is not known.
    gap_percent: Option<f64>,
}

impl From<Metrics> for MetricsJson {
    fn from(metrics: Metrics) -> Self {
        let Metrics { moves, pushes, box_lines, box_changes, pushing_sessions, player_lines } = metrics;
        Self { moves, pushes, box_lines, box_changes, pushing_sessions, player_lines }
    }
}

impl RangeJson {
    /// Compares the best found with the bound.
    pub(crate) fn new(best: Option<u64>, at_least: u64) -> Self {
        let gap = |best: u64| (best > 0 && at_least > 0).then(|| gap_percent(best, at_least));
        Self { best, at_least, is_proved: best.is_some_and(|best| best <= at_least), gap_percent: best.and_then(gap) }
    }
}

/// How far a result may be above a bound, in percent of the bound, to a tenth.
#[expect(clippy::cast_precision_loss, reason = "a tenth of a percent needs no more")]
fn gap_percent(best: u64, at_least: u64) -> f64 {
    let gap = best.saturating_sub(at_least) as f64 * 100.0 / at_least as f64;
    (gap * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(best: Option<u64>, at_least: u64, is_proved: bool, gap: Option<f64>) {
        let range = RangeJson::new(best, at_least);
        assert_eq!((range.is_proved, range.gap_percent), (is_proved, gap), "{best:?} {at_least}");
    }

    #[test]
    fn gaps_are_shares_of_the_bound() {
        check(Some(110), 100, false, Some(10.0));
        check(Some(100), 100, true, Some(0.0));
        check(Some(5), 0, false, None);
        check(Some(0), 0, true, None);
        check(None, 100, false, None);
        check(Some(1_003), 1_000, false, Some(0.3));
    }
}
