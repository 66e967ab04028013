//! What a run leaves behind: trees that nobody needs any more.
//!
//! To free them takes up to a tenth of a second per GiB, which is longer than a run may be late. So whoever has to be
//! in time takes the answer first and drops this afterwards.
//!
//! Invariant: until it is dropped, the memory stays charged to the account of the run.

use super::entrant::Runner;

/// The trees of a run that is over. Free them by dropping this, once the answer is where it belongs.
#[derive(Debug, Default)]
#[must_use = "dropping it takes time"]
pub struct Leftovers {
    runners: Vec<Runner>,
}

impl Leftovers {
    /// Takes in a search that has ended.
    pub(crate) fn add(&mut self, runner: Runner) {
        self.runners.push(runner);
    }

    /// Leaves all to the system, which takes back the memory of a program that ends sooner than we could. For the
    /// last run of a program: the memory stays taken.
    pub fn abandon(self) {
        std::mem::forget(self);
    }
}
