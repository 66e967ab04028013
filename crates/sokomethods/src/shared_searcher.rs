//! What begins optimal searches, among the settings of a run.

use std::sync::Arc;

use sokocore::{Level, Metric, Square};
use sokosearch::{Budget, OptimalSearch, OptimalSearcher, WindowSearch};

/// An [`OptimalSearcher`] that the runs of many levels share. Two are equal if they are the same object.
#[derive(Clone, Debug)]
pub struct SharedOptimalSearcher(Arc<dyn OptimalSearcher>);

impl SharedOptimalSearcher {
    /// Shares a searcher.
    #[must_use]
    pub fn new(searcher: impl OptimalSearcher + 'static) -> Self {
        Self(Arc::new(searcher))
    }

    pub(crate) fn begin(&self, level: &Level, metric: Metric, budget: &Budget) -> Option<Box<dyn OptimalSearch>> {
        self.0.begin(level, metric, budget)
    }

    pub(crate) fn begin_window(
        &self,
        window: &Level,
        end: Square,
        n_pushes: u64,
        budget: &Budget,
    ) -> Option<Box<dyn WindowSearch>> {
        self.0.begin_window(window, end, n_pushes, budget)
    }
}

impl PartialEq for SharedOptimalSearcher {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedOptimalSearcher {}
