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
    /// Positions pruned because a test showed a deadlock, when they were generated or expanded: the sum of `deadlocks`,
    /// where these are counted.
    pub pruned: Option<u64>,
    /// The same by kind.
    pub deadlocks: Option<DeadlockStats>,
    /// Most steps from the root to a position expanded: pushes or pulls, and macro moves in feature space search. A search
    /// for fewest moves looks at some of its ways only.
    pub max_depth: Option<u64>,
}

/// Positions pruned as deadlocks, by what showed it. Each kind is counted where a search tests for it, or meets it while it
/// generates: the macro moves of feature space search stop on no dead squares, and neither it nor the packing-order search
/// matches boxes to goals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeadlockStats {
    /// A box was moved to a square from which it can reach no goal.
    pub dead_squares: u64,
    /// Boxes hold each other in place off goal, by a test of the box that was moved or by a pattern.
    pub frozen: u64,
    /// The boxes cannot all be given goals of their own.
    pub unmatched: u64,
    /// The position was generated, and found dead when it was to be expanded.
    pub expanded: u64,
}

impl DeadlockStats {
    /// Returns the positions of all kinds.
    #[must_use]
    pub const fn sum(&self) -> u64 {
        self.dead_squares + self.frozen + self.unmatched + self.expanded
    }
}

impl AddAssign for DeadlockStats {
    fn add_assign(&mut self, other: Self) {
        self.dead_squares += other.dead_squares;
        self.frozen += other.frozen;
        self.unmatched += other.unmatched;
        self.expanded += other.expanded;
    }
}

impl SearchStats {
    /// Returns the positions generated for each one expanded; `None` if they were not counted, or none was expanded.
    #[must_use]
    pub fn branching(&self) -> Option<f64> {
        let generated = self.generated.filter(|_| self.expanded > 0)?;
        Some(generated as f64 / self.expanded as f64)
    }

    /// Sets the deadlocks, and their sum.
    pub(crate) const fn with_deadlocks(mut self, deadlocks: DeadlockStats) -> Self {
        (self.pruned, self.deadlocks) = (Some(deadlocks.sum()), Some(deadlocks));
        self
    }
}

/// The counters of a search that counts everything, as [`SearchStats`] has them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SearchCounts {
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) duplicates: u64,
    pub(crate) reopened: u64,
    pub(crate) deadlocks: DeadlockStats,
    pub(crate) max_depth: u64,
}

impl From<SearchCounts> for SearchStats {
    fn from(counts: SearchCounts) -> Self {
        let SearchCounts { expanded, generated, duplicates, reopened, deadlocks, max_depth } = counts;
        let stats = Self {
            expanded,
            generated: Some(generated),
            duplicates: Some(duplicates),
            reopened: Some(reopened),
            max_depth: Some(max_depth),
            ..Self::default()
        };
        stats.with_deadlocks(deadlocks)
    }
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
        if let Some(deadlocks) = other.deadlocks {
            *self.deadlocks.get_or_insert_default() += deadlocks;
        }
        self.max_depth = self.max_depth.max(other.max_depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_counted_stays_unknown() {
        let mut sum = SearchStats { expanded: 2, max_depth: Some(7), ..SearchStats::default() };
        let deadlocks = DeadlockStats { frozen: 2, unmatched: 1, ..DeadlockStats::default() };
        let other = SearchStats { expanded: 3, generated: Some(9), max_depth: Some(4), ..SearchStats::default() };
        sum += other.with_deadlocks(deadlocks);
        sum += SearchStats { expanded: 1, ..SearchStats::default() };
        assert_eq!((sum.expanded, sum.generated, sum.duplicates, sum.max_depth), (6, Some(9), None, Some(7)));
        assert_eq!((sum.pruned, sum.deadlocks, sum.branching()), (Some(3), Some(deadlocks), Some(1.5)));
    }
}
