//! The limits of a search: time, memory, work, and cancellation.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::{Clock, MemoryAccount};

/// Why a search ended before it was exhausted. Not an error: what was found by then counts.
///
/// It travels by `?` from the innermost loop to the driver, which turns it into an [`End`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The user asked for it.
    Cancelled,
    /// The time is used up.
    Time,
    /// The memory account is exhausted.
    Memory,
    /// The number of ticks allowed is used up: those of the run ([`Budget::with_work`]), of a slice, or of one step that
    /// counts its own.
    ///
    /// The code that set the limit tells them apart. At the end of a slice a search keeps its state and can be resumed:
    /// `Context::sliced` returns `None` for its own slice, and passes on [`Stop::Work`] for the run or an outer slice. A
    /// scheduler resumes a search that returns it, until the ticks of the run are used up.
    Work,
    /// The first gain was found, and the run was to end with it.
    FirstGain,
}

/// How a search or a run ended. Exhaustive: there is no third way, and the reasons to stop grow in [`Stop`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything within its neighborhood was searched.
    Exhausted,
    /// It was stopped before that.
    Stopped(Stop),
}

impl Stop {
    /// Returns the reason in one word or two, as reports and JSON lines have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cancelled => "interrupted",
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Work => "work",
            Self::FirstGain => "first gain",
        }
    }
}

impl fmt::Display for Stop {
    /// Writes [`Stop::name`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for End {
    /// Writes `exhausted`, or the reason to stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhausted => f.write_str("exhausted"),
            Self::Stopped(stop) => stop.fmt(f),
        }
    }
}

/// A flag that ends all searches that hold a copy of it.
///
/// ```
/// use sokosearch::Cancel;
///
/// let cancel = Cancel::default();
/// let of_the_search = cancel.clone();
/// std::thread::spawn(move || cancel.cancel()).join().expect("the thread ends");
/// assert!(of_the_search.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Raises the flag, for good.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the flag was raised.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The limits of one search.
///
/// ```
/// use sokosearch::{Budget, Cancel, MemoryAccount, Stop};
///
/// let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default()).with_work(Some(1_000));
/// assert_eq!(budget.poll(999), Ok(()));
/// assert_eq!(budget.poll(1_000), Err(Stop::Work));
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    clock: Clock,
    time: Option<Duration>,
    work: Option<u64>,
    memory: MemoryAccount,
    cancel: Cancel,
}

impl Budget {
    /// Makes a budget whose time runs from now: `time` without a limit if `None`.
    #[must_use]
    pub fn new(time: Option<Duration>, memory: MemoryAccount, cancel: Cancel) -> Self {
        Self { clock: Clock::start(), time, work: None, memory, cancel }
    }

    /// Limits the number of ticks as well, which makes a run repeatable on any machine.
    #[must_use]
    pub fn with_work(mut self, ticks: Option<u64>) -> Self {
        self.work = ticks;
        self
    }

    /// Changes the time limit, still counted from when the budget was made.
    #[must_use]
    pub const fn with_time(mut self, time: Option<Duration>) -> Self {
        self.time = time;
        self
    }

    /// Switches to another memory account, such as a part of the current one; the clock keeps running.
    #[must_use]
    pub fn with_memory(mut self, memory: MemoryAccount) -> Self {
        self.memory = memory;
        self
    }

    /// Returns the time since the budget was made.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// Returns the time limit.
    #[must_use]
    pub const fn time(&self) -> Option<Duration> {
        self.time
    }

    /// Returns the limit of ticks.
    #[must_use]
    pub const fn work(&self) -> Option<u64> {
        self.work
    }

    /// Returns the memory account.
    #[must_use]
    pub const fn memory(&self) -> &MemoryAccount {
        &self.memory
    }

    /// Checks all limits after `ticks` units of work.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn poll(&self, ticks: u64) -> Result<(), Stop> {
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        if self.work.is_some_and(|limit| ticks >= limit) {
            return Err(Stop::Work);
        }
        if self.time.is_some_and(|limit| self.clock.elapsed() >= limit) {
            return Err(Stop::Time);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_limit_that_was_hit() {
        let cancel = Cancel::default();
        let memory = MemoryAccount::new(0);
        let budget = Budget::new(None, memory.clone(), cancel.clone()).with_work(Some(10));
        assert_eq!(budget.poll(9), Ok(()));
        assert_eq!(budget.poll(10), Err(Stop::Work));
        let over = Budget::new(Some(Duration::ZERO), memory, cancel.clone());
        assert_eq!(over.poll(0), Err(Stop::Time));
        cancel.cancel();
        assert_eq!(over.poll(0), Err(Stop::Cancelled));
    }

    #[test]
    fn time_passes_from_the_start_on() {
        let budget = Budget::new(None, MemoryAccount::new(0), Cancel::default());
        let pause = Duration::from_millis(2);
        std::thread::sleep(pause);
        assert!(budget.elapsed() >= pause);
    }

    #[test]
    fn ends_are_named() {
        assert_eq!([End::Exhausted, End::Stopped(Stop::Time)].map(|end| end.to_string()), ["exhausted", "time"]);
    }
}
