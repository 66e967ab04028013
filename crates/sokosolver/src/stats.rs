//! The counters of a search.

use std::ops::AddAssign;

/// The counters of a search, or their sum over several. `None` if it was not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchStats {
    /// Positions expanded; 0 if the search does not count them.
    pub expanded: u64,
    /// Positions generated: successors of expanded ones, pruned and known ones included.
    pub generated: Option<u64>,
    /// Generated positions that were known already: hits in the transposition table.
    pub duplicates: Option<u64>,
    /// Positions that were closed, and opened again since they were reached at less cost.
    pub reopened: Option<u64>,
    /// Positions pruned because a test showed a deadlock, when they were generated or expanded.
    pub pruned: Option<u64>,
    /// Most pushes or pulls from the root to a position expanded.
    pub max_depth: Option<u64>,
}

impl AddAssign for SearchStats {
    /// Adds counters, where they were counted, and keeps the greatest depth.
    fn add_assign(&mut self, other: Self) {
        let add = |one: &mut Option<u64>, other: Option<u64>| {
            *one = one.map_or(other, |one| Some(one + other.unwrap_or(0)));
        };
        self.expanded += other.expanded;
        add(&mut self.generated, other.generated);
        add(&mut self.duplicates, other.duplicates);
        add(&mut self.reopened, other.reopened);
        add(&mut self.pruned, other.pruned);
        self.max_depth = self.max_depth.max(other.max_depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_counted_stays_unknown() {
        let mut sum = SearchStats { expanded: 2, max_depth: Some(7), ..SearchStats::default() };
        sum += SearchStats { expanded: 3, generated: Some(9), max_depth: Some(4), ..SearchStats::default() };
        sum += SearchStats { expanded: 1, ..SearchStats::default() };
        assert_eq!((sum.expanded, sum.generated, sum.duplicates, sum.max_depth), (6, Some(9), None, Some(7)));
    }
}
