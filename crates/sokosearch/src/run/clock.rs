//! The one place that reads the operating system's clock.

#![expect(clippy::disallowed_types, reason = "this file is the door to Instant that everything else uses")]

use std::time::{Duration, Instant};

/// A stopwatch that started when it was made.
#[derive(Clone, Copy, Debug)]
pub struct Clock(Instant);

impl Clock {
    /// Starts a stopwatch.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns the time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
