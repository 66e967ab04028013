//! The searches of a run that is over, whose memory is still to be freed.
//!
//! Freeing their trees takes up to a tenth of a second per GiB, which is longer than a run may be late. So a caller
//! with a time limit takes the answer first and drops this afterwards.
//!
//! Invariant: until it is dropped, the memory stays charged to the account of the run.

use crate::portfolio::strategy_spec::Worker;

/// The trees of a run that is over. Dropping it frees them.
#[derive(Debug, Default)]
#[must_use = "dropping it takes time"]
pub struct DeferredDrop {
    workers: Vec<Worker>,
}

impl DeferredDrop {
    /// Adds a search that has ended.
    pub(crate) fn add(&mut self, worker: Worker) {
        self.workers.push(worker);
    }

    /// Leaks the memory, which the system takes back when the program ends, faster than by freeing it. For the last run
    /// of a program.
    pub fn abandon(self) {
        std::mem::forget(self);
    }
}
