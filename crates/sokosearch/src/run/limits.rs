//! The limits of a run as its caller sets them, before it begins.

use std::time::Duration;

use super::budget::{Budget, Cancel};
use super::memory::MemoryAccount;

/// The limits of a run: time, memory, work and cancellation. Its clock starts with [`Limits::budget`].
///
/// ```
/// use std::time::Duration;
///
/// use sokosearch::Limits;
///
/// let limits = Limits::new(Duration::from_secs(60));
/// assert_eq!(limits.time(), Some(Duration::from_secs(60)));
/// let limits = limits.with_work(1_000);
/// assert_eq!(limits.time(), None, "limited work ends the run");
/// assert_eq!(limits.with_time(Duration::from_secs(1)).time(), Some(Duration::from_secs(1)));
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    /// `None` if nothing was said.
    time: Option<Option<Duration>>,
    default_time: Duration,
    memory: u64,
    work: Option<u64>,
    cancel: Cancel,
}

impl Limits {
    /// Bytes that a run may use unless told otherwise: 1 GiB.
    pub const DEFAULT_MEMORY: u64 = 1 << 30;

    /// Makes limits of so much time, [`Limits::DEFAULT_MEMORY`], and any work.
    #[must_use]
    pub fn new(default_time: Duration) -> Self {
        Self { time: None, default_time, memory: Self::DEFAULT_MEMORY, work: None, cancel: Cancel::default() }
    }

    /// Limits the time; `None` for no limit.
    #[must_use]
    pub fn with_time(self, limit: impl Into<Option<Duration>>) -> Self {
        Self { time: Some(limit.into()), ..self }
    }

    /// Limits the bytes that searches may use at once.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Limits the work, in ticks; `None` for no limit. A run with limited work has no limit of time unless one is set.
    #[must_use]
    pub fn with_work(self, ticks: impl Into<Option<u64>>) -> Self {
        Self { work: ticks.into(), ..self }
    }

    /// Ends the run when this flag is raised.
    #[must_use]
    pub fn with_cancel(self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self }
    }

    /// Returns the limit of time, with its default.
    #[must_use]
    pub fn time(&self) -> Option<Duration> {
        self.time.unwrap_or(if self.work.is_some() { None } else { Some(self.default_time) })
    }

    /// Returns the limit of memory, in bytes.
    #[must_use]
    pub const fn memory(&self) -> u64 {
        self.memory
    }

    /// Returns the limit of work, in ticks.
    #[must_use]
    pub const fn work(&self) -> Option<u64> {
        self.work
    }

    /// Returns a budget of these limits, with a memory account of its own. Its clock starts now.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget::new(self.time(), MemoryAccount::new(self.memory), self.cancel.clone()).with_work(self.work)
    }
}
