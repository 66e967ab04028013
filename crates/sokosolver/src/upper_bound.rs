//! The cost of the best solution that a run knows, by which all its searches prune.
//!
//! Costs are those of the systematic searches, by the run's optimality mode. The cost only falls, so what was pruned by
//! an earlier one is no better than what is known later.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An upper bound that all threads of a run share.
#[derive(Clone, Debug)]
pub(crate) struct UpperBound(Arc<AtomicU64>);

impl UpperBound {
    /// Makes the bound of a run that knows no solution.
    pub(crate) fn new() -> Self {
        Self(Arc::new(AtomicU64::new(u64::MAX)))
    }

    /// Returns the cost; `u64::MAX` if no solution is known.
    pub(crate) fn cost(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Lowers it to the cost of a solution that was replayed.
    pub(crate) fn lower(&self, cost: u64) {
        self.0.fetch_min(cost, Ordering::Relaxed);
    }
}
