//! What a search for a solution may use: the run's budget, and its present slice of it.

use std::time::Duration;

use sokosearch::{Budget, Cancel, MemoryAccount, Stop};

use crate::exchange::Exchange;
use crate::portfolio::ceiling::Ceiling;

/// How many ticks pass between two looks at the budget.
const POLL_EVERY: u64 = 64;

/// The work of one search: counts it, and stops it at the end of a slice or of the budget.
///
/// A tick is about one position generated and looked up, a microsecond or so: whoever does more at once ticks more.
#[derive(Debug)]
pub struct Effort {
    budget: Budget,
    /// Raised when another search of the same run has solved the level.
    done: Cancel,
    ticks: u64,
    next_poll: u64,
    slice_end: u64,
    /// When the slice ends, by the clock of the run.
    slice_time: Option<Duration>,
    /// What all searches of the run have proved, if they tell each other.
    exchange: Option<Exchange>,
    /// What the best solution known costs, if the run looks for better ones.
    ceiling: Option<Ceiling>,
    /// When the search was set up, by the clock of the run.
    set_up_at: Option<Duration>,
}

impl Effort {
    /// Makes the effort of one search within a run; `done` ends it as a cancellation does.
    #[must_use]
    pub const fn new(budget: Budget, done: Cancel) -> Self {
        Self {
            budget,
            done,
            ticks: 0,
            next_poll: 1,
            slice_end: u64::MAX,
            slice_time: None,
            exchange: None,
            ceiling: None,
            set_up_at: None,
        }
    }

    /// Returns the memory account, which all searches of a run share.
    #[must_use]
    pub const fn memory(&self) -> &MemoryAccount {
        self.budget.memory()
    }

    /// Lets the search tell others of its run what it proves, and learn from them.
    pub(crate) fn share(&mut self, exchange: Exchange) {
        self.exchange = Some(exchange);
    }

    /// Returns the store of what all searches of the run have proved, if there is one.
    pub(crate) const fn exchange(&self) -> Option<&Exchange> {
        self.exchange.as_ref()
    }

    /// Lets the search know what the best solution costs that its run knows.
    pub(crate) fn watch(&mut self, ceiling: Ceiling) {
        self.ceiling = Some(ceiling);
    }

    /// Returns what a solution must cost less than to be wanted; `u64::MAX` if the run knows none.
    pub(crate) fn ceiling(&self) -> u64 {
        self.ceiling.as_ref().map_or(u64::MAX, Ceiling::cost)
    }

    /// Returns whether a solution that may not be the best is wanted before the search is over.
    pub(crate) const fn wants_any(&self) -> bool {
        self.ceiling.is_some()
    }

    /// Notes that the tables of the search are made, and that it expands positions from now on. Later calls change
    /// nothing.
    pub fn mark_set_up(&mut self) {
        if self.set_up_at.is_none() {
            self.set_up_at = Some(self.budget.elapsed());
        }
    }

    /// Returns the run's time at which the search was set up; `None` before that.
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

    /// Starts a slice of so many ticks; it takes the place of the one before.
    pub const fn start_slice(&mut self, ticks: u64) {
        self.slice_end = self.ticks.saturating_add(ticks);
        self.slice_time = None;
        self.next_poll = self.ticks;
    }

    /// Starts a slice of so much time; it takes the place of the one before.
    pub fn start_timed_slice(&mut self, time: Duration) {
        self.start_slice(u64::MAX);
        self.slice_time = Some(self.budget.elapsed() + time);
    }

    /// Counts one unit of work and from time to time looks at the budget.
    ///
    /// # Errors
    /// The reason to stop; [`Stop::Work`] at the end of a slice too.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.ticks_of(1)
    }

    /// Counts `n` units of work at once.
    ///
    /// # Errors
    /// As [`Effort::tick`].
    #[inline]
    pub fn ticks_of(&mut self, n: u64) -> Result<(), Stop> {
        self.ticks += n;
        if self.ticks < self.next_poll { Ok(()) } else { self.poll() }
    }

    /// Counts `n` units of work that are done; the next tick looks at the budget if it is time to.
    pub const fn count(&mut self, n: u64) {
        self.ticks += n;
    }

    /// Counts `n` units of work that cannot be paused: goes on past the end of a slice.
    ///
    /// # Errors
    /// The reason to stop, which is never [`Stop::Work`].
    pub fn press_on(&mut self, n: u64) -> Result<(), Stop> {
        match self.ticks_of(n) {
            Err(Stop::Work) => Ok(()),
            result => result,
        }
    }

    /// Looks at the budget at once.
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
        let mut effort = Effort::new(budget, Cancel::default());
        effort.start_timed_slice(Duration::ZERO);
        assert_eq!(effort.tick(), Err(Stop::Work));
        effort.start_slice(10);
        assert_eq!([effort.ticks_of(9), effort.tick()], [Ok(()), Err(Stop::Work)]);
        effort.start_timed_slice(Duration::from_secs(3_600));
        assert_eq!(effort.ticks_of(1 << 40), Ok(()));
    }
}
