//! The work of a search: its ticks, its slice, and the budget of the run.

use std::time::Duration;

use sokosearch::{Budget, Cancel, MemoryAccount, Stop};

use crate::deadlock::shared::SharedDeadlocks;
use crate::upper_bound::UpperBound;

/// Ticks between two polls of the budget.
const POLL_EVERY: u64 = 64;

/// Counts the work of one search, and stops it at the end of a slice or of the budget.
///
/// A tick is about one position generated and looked up, about a microsecond. Longer steps count several ticks.
///
/// ```
/// use sokosearch::{Budget, Cancel, MemoryAccount, Stop};
/// use sokosolver::WorkMeter;
///
/// let budget = Budget::new(None, MemoryAccount::new(1 << 20), Cancel::default());
/// let mut meter = WorkMeter::new(budget, Cancel::default());
/// meter.start_slice(100);
/// let mut count = || loop {
///     if let Err(stop) = meter.tick() {
///         break (meter.ticks(), stop);
///     }
/// };
/// assert_eq!(count(), (100, Stop::Work), "the slice is used up, and the search can be resumed");
/// ```
#[derive(Debug)]
pub struct WorkMeter {
    budget: Budget,
    /// Raised when another search of the same run has solved the level.
    done: Cancel,
    ticks: u64,
    next_poll: u64,
    slice_end: u64,
    /// When the slice ends, by the clock of the run.
    slice_time: Option<Duration>,
    /// The deadlocks proved by all searches of the run, if they share them.
    shared_deadlocks: Option<SharedDeadlocks>,
    /// The cost of the best solution known, if the run searches for better ones.
    upper_bound: Option<UpperBound>,
    /// When the search was set up, by the clock of the run.
    set_up_at: Option<Duration>,
}

impl WorkMeter {
    /// Makes the meter of one search within a run. When `done` is raised, the search is stopped as if it was cancelled.
    #[must_use]
    pub const fn new(budget: Budget, done: Cancel) -> Self {
        Self {
            budget,
            done,
            ticks: 0,
            next_poll: 1,
            slice_end: u64::MAX,
            slice_time: None,
            shared_deadlocks: None,
            upper_bound: None,
            set_up_at: None,
        }
    }

    /// Returns the memory account, which all searches of a run share.
    #[must_use]
    pub const fn memory(&self) -> &MemoryAccount {
        self.budget.memory()
    }

    /// Shares proofs of deadlocks with the other searches of the run.
    pub(crate) fn share_deadlocks(&mut self, shared_deadlocks: SharedDeadlocks) {
        self.shared_deadlocks = Some(shared_deadlocks);
    }

    /// Returns the store of deadlocks that the searches of the run share, if there is one.
    pub(crate) const fn shared_deadlocks(&self) -> Option<&SharedDeadlocks> {
        self.shared_deadlocks.as_ref()
    }

    /// Lets the search prune by the best solution that its run knows.
    pub(crate) fn watch_upper_bound(&mut self, upper_bound: UpperBound) {
        self.upper_bound = Some(upper_bound);
    }

    /// Returns the cost that a solution has to be below; `u64::MAX` if the run knows none.
    pub(crate) fn upper_bound(&self) -> u64 {
        self.upper_bound.as_ref().map_or(u64::MAX, UpperBound::cost)
    }

    /// Returns whether the search should report solutions before it has proved the best one.
    pub(crate) const fn wants_improvements(&self) -> bool {
        self.upper_bound.is_some()
    }

    /// Records that the tables of the search are made, and that it expands positions from now on. Later calls change
    /// nothing.
    pub fn mark_set_up(&mut self) {
        if self.set_up_at.is_none() {
            self.set_up_at = Some(self.budget.elapsed());
        }
    }

    /// Returns when the search was set up, by the clock of the run; `None` before that.
    pub(crate) const fn set_up_at(&self) -> Option<Duration> {
        self.set_up_at
    }

    /// Returns the limits of the run.
    #[must_use]
    pub const fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Returns the ticks so far.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Starts a slice of so many ticks, which replaces the previous one.
    pub const fn start_slice(&mut self, ticks: u64) {
        self.slice_end = self.ticks.saturating_add(ticks);
        self.slice_time = None;
        self.next_poll = self.ticks;
    }

    /// Starts a slice of so much time, which replaces the previous one.
    pub fn start_timed_slice(&mut self, time: Duration) {
        self.start_slice(u64::MAX);
        self.slice_time = Some(self.budget.elapsed() + time);
    }

    /// Counts one tick, and polls the budget when that is due.
    ///
    /// # Errors
    /// The reason to stop; [`Stop::Work`] at the end of a slice too.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.ticks_of(1)
    }

    /// Counts `n` ticks at once.
    ///
    /// # Errors
    /// As [`WorkMeter::tick`].
    #[inline]
    pub fn ticks_of(&mut self, n: u64) -> Result<(), Stop> {
        self.ticks += n;
        if self.ticks < self.next_poll { Ok(()) } else { self.poll() }
    }

    /// Counts `n` ticks without polling the budget; the next tick does so if that is due.
    pub const fn count(&mut self, n: u64) {
        self.ticks += n;
    }

    /// Counts `n` ticks of work that cannot be paused: the end of a slice does not stop it.
    ///
    /// # Errors
    /// The reason to stop, which is never [`Stop::Work`].
    pub fn tick_unpausable(&mut self, n: u64) -> Result<(), Stop> {
        match self.ticks_of(n) {
            Err(Stop::Work) => Ok(()),
            result => result,
        }
    }

    /// Polls the budget at once.
    ///
    /// # Errors
    /// The reason to stop.
    #[cold]
    pub fn poll(&mut self) -> Result<(), Stop> {
        self.next_poll = (self.ticks + POLL_EVERY).min(self.slice_end.max(self.ticks));
        self.budget.poll(self.ticks)?;
        if self.done.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let is_over = self.ticks >= self.slice_end || self.slice_time.is_some_and(|end| self.budget.elapsed() >= end);
        if is_over { Err(Stop::Work) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_ends_by_ticks_or_by_the_clock() {
        let budget = Budget::new(None, MemoryAccount::new(0), Cancel::default());
        let mut meter = WorkMeter::new(budget, Cancel::default());
        meter.start_timed_slice(Duration::ZERO);
        assert_eq!(meter.tick(), Err(Stop::Work));
        meter.start_slice(10);
        assert_eq!([meter.ticks_of(9), meter.tick()], [Ok(()), Err(Stop::Work)]);
        meter.start_timed_slice(Duration::from_secs(3_600));
        assert_eq!(meter.ticks_of(1 << 40), Ok(()));
    }
}
