//! Waiting for what another thread or a browser does, and what is said where there is nothing to wait for.

use std::io::{self, Write as _};
use std::thread;
use std::time::Duration;

use sokosearch::Clock;

/// How long something is waited for, in seconds.
pub(crate) const PATIENCE: u64 = 60;

/// Waits until something is there.
pub(crate) fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let clock = Clock::start();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(clock.elapsed() < Duration::from_secs(PATIENCE), "it did not come: {what}");
        thread::sleep(Duration::from_millis(40));
    }
}

/// Says what is not tried.
pub(crate) fn note(text: &str) {
    // Without a reader it is not said.
    let _ = writeln!(io::stderr(), "note: {text}");
}
