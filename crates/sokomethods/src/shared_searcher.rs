//! What begins optimal searches, among the settings of a run.

use std::sync::Arc;

use sokosearch::{Budget, Context, OptimalSearcher};

/// Ticks of a run that one tick of such a search counts: it takes as long.
pub(crate) const TICKS_OF_SEARCH: u64 = 16;
/// The part of a run's memory that a search may take: one in so many.
const PART_OF_MEMORY: u64 = 2;

/// Returns the budget of a search within a run.
pub(crate) fn search_budget(cx: &Context<'_>) -> Budget {
    let memory = cx.budget().memory();
    cx.budget().clone().with_memory(memory.part(memory.limit() / PART_OF_MEMORY)).with_work(None)
}

/// An [`OptimalSearcher`] that the runs of many levels share. Two are equal if they are the same object.
#[derive(Clone, Debug)]
pub struct SharedOptimalSearcher(Arc<dyn OptimalSearcher>);

impl SharedOptimalSearcher {
    /// Shares a searcher.
    #[must_use]
    pub fn new(searcher: impl OptimalSearcher + 'static) -> Self {
        Self(Arc::new(searcher))
    }

    pub(crate) fn get(&self) -> &dyn OptimalSearcher {
        &*self.0
    }
}

impl PartialEq for SharedOptimalSearcher {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SharedOptimalSearcher {}
