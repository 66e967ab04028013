//! What a search for a solution may use: the run's budget, and its present slice of it.

use sokosearch::{Budget, Cancel, MemoryAccount, Stop};

use crate::exchange::Exchange;

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
    /// What all searches of the run have proved, if they tell each other.
    exchange: Option<Exchange>,
}

impl Effort {
    /// Makes the effort of one search within a run; `done` ends it as a cancellation does.
    #[must_use]
    pub const fn new(budget: Budget, done: Cancel) -> Self {
        Self { budget, done, ticks: 0, next_poll: 1, slice_end: u64::MAX, exchange: None }
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
        self.next_poll = self.ticks;
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
        if self.ticks < self.slice_end { Ok(()) } else { Err(Stop::Work) }
    }
}
