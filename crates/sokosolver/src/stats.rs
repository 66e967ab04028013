//! What a search has counted.

use std::ops::AddAssign;

/// Counts of a search, or of several together. `None` is what was not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchStats {
    /// Positions expanded; 0 if the search does not count them.
    pub expanded: u64,
    /// Positions generated: successors of expanded ones, those that were pruned and known ones among them.
    pub generated: Option<u64>,
    /// Generated positions that were known already: hits in the transposition table.
    pub duplicates: Option<u64>,
    /// Known positions that were expanded already, and are expanded again since they were reached at less cost.
    pub reopened: Option<u64>,
    /// Positions pruned because a test showed a deadlock, when they were generated or expanded.
    pub pruned: Option<u64>,
    /// Most pushes or pulls from the root to a position expanded.
    pub max_depth: Option<u64>,
}

impl AddAssign for SearchStats {
    /// Adds counts, of those who count; of the depths the greatest stays.
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
    fn what_nobody_counts_stays_unknown() {
        let mut sum = SearchStats { expanded: 2, max_depth: Some(7), ..SearchStats::default() };
        sum += SearchStats { expanded: 3, generated: Some(9), max_depth: Some(4), ..SearchStats::default() };
        sum += SearchStats { expanded: 1, ..SearchStats::default() };
        assert_eq!((sum.expanded, sum.generated, sum.duplicates, sum.max_depth), (6, Some(9), None, Some(7)));
    }
}
