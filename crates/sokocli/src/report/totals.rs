//! What a report adds up to, by an objective.

use std::collections::BTreeMap;

use super::level::{ReportContent, Shown};

/// Most finders that a chart names; the others are one.
const MAX_FINDERS: usize = 6;
/// The upper ends of the classes of gaps, in percent; the last class has none.
const GAPS: [(f64, &str); 6] =
    [(0.0, "proved"), (5.0, "≤ 5"), (10.0, "≤ 10"), (20.0, "≤ 20"), (50.0, "≤ 50"), (100.0, "≤ 100")];

/// Sums over all levels.
#[derive(Debug, Default)]
pub(super) struct ReportTotals {
    pub(super) n_levels: usize,
    pub(super) n_solved: usize,
    /// Levels that came with a solution, and have a better one now.
    pub(super) n_improved: usize,
    /// Levels that came without.
    pub(super) n_newly_solved: usize,
    pub(super) n_proved: usize,
    /// Of the levels that came with a solution: what it counts, and what the best counts.
    pub(super) before: u64,
    pub(super) after: u64,
    /// Gains by who found the best: levels, and what was gained. Largest first.
    pub(super) finders: Vec<(String, usize, u64)>,
    /// Solved levels by their gap.
    pub(super) gaps: Vec<(String, usize)>,
}

impl ReportTotals {
    /// Adds up.
    pub(super) fn of(report: &ReportContent, objective_idx: usize) -> Self {
        let mut totals = Self { n_levels: report.levels.len(), ..Self::default() };
        let mut finders: BTreeMap<String, (usize, u64)> = BTreeMap::new();
        let mut classes = [0_usize; GAPS.len() + 2];
        for rating in report.levels.iter().filter_map(|level| level.best[objective_idx].as_ref()) {
            totals.n_solved += 1;
            totals.n_proved += usize::from(rating.is_proved());
            if let Some(before) = rating.before {
                totals.before += Shown::counted(before, objective_idx);
                totals.after += Shown::counted(rating.after, objective_idx);
                totals.n_improved += usize::from(rating.is_better);
            } else {
                totals.n_newly_solved += 1;
            }
            if rating.is_better {
                let by = if rating.by.is_empty() { "not known" } else { &rating.by };
                let finder = finders.entry(by.to_owned()).or_default();
                finder.0 += 1;
                finder.1 += rating.gain;
            }
            let class = rating
                .gap
                .map_or(GAPS.len() + 1, |gap| GAPS.iter().position(|(end, _)| gap <= *end).unwrap_or(GAPS.len()));
            classes[class] += 1;
        }
        let names = GAPS.iter().map(|(_, name)| *name).chain(["> 100", "unknown"]);
        totals.gaps = names.zip(classes).map(|(name, n)| (name.to_owned(), n)).collect();
        totals.finders = finders.into_iter().map(|(name, (n, gain))| (name, n, gain)).collect();
        totals.finders.sort_by_key(|(_, n, gain)| (u64::MAX - gain, usize::MAX - n));
        if totals.finders.len() > MAX_FINDERS {
            let others = totals.finders.split_off(MAX_FINDERS - 1);
            let sums = others.iter().fold((0, 0), |sums, (_, n, gain)| (sums.0 + n, sums.1 + gain));
            totals.finders.push(("others".to_owned(), sums.0, sums.1));
        }
        totals
    }

    /// What was gained, in percent of what the levels came with.
    pub(super) fn gain_percent(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "a percentage for people; sums are far below 2^52")]
        (self.before > 0).then(|| (self.before - self.after) as f64 * 100.0 / self.before as f64)
    }
}
