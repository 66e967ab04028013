//! How the searches of one level share its time.
//!
//! Invariant: the times handed out and not given back never exceed the level's time, once for each thread that can
//! work on the level. So with one thread a level never takes longer than its time, and with enough threads each
//! search has all of it.

use std::time::Duration;

use parking_lot::Mutex;

/// The time of one level.
#[derive(Debug)]
pub(super) struct TimeShare {
    longest: Option<Duration>,
    purse: Mutex<Purse>,
}

#[derive(Debug)]
struct Purse {
    left: Duration,
    n_waiting: u32,
}

impl TimeShare {
    /// Opens the purse for `n_jobs` searches on `n_threads` threads.
    pub(super) fn new(time: Option<Duration>, n_jobs: usize, n_threads: usize) -> Self {
        let as_u32 = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let left = time.unwrap_or_default().saturating_mul(as_u32(n_threads.min(n_jobs)));
        Self { longest: time, purse: Mutex::new(Purse { left, n_waiting: as_u32(n_jobs) }) }
    }

    /// Takes the next search's time: an equal share among those that have not begun.
    pub(super) fn take(&self) -> Option<Duration> {
        let longest = self.longest?;
        let mut purse = self.purse.lock();
        let share = (purse.left / purse.n_waiting.max(1)).min(longest);
        purse.left -= share;
        purse.n_waiting = purse.n_waiting.saturating_sub(1);
        Some(share)
    }

    /// Gives back what a search did not use.
    pub(super) fn give_back(&self, unused: Duration) {
        self.purse.lock().left += unused;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn one_thread_shares_and_passes_on_what_is_left() {
        let share = TimeShare::new(Some(seconds(30)), 2, 1);
        assert_eq!(share.take(), Some(seconds(15)));
        share.give_back(seconds(10));
        assert_eq!(share.take(), Some(seconds(25)));
    }

    #[test]
    fn enough_threads_give_everyone_all_the_time() {
        let share = TimeShare::new(Some(seconds(30)), 2, 4);
        assert_eq!(share.take(), Some(seconds(30)));
        assert_eq!(share.take(), Some(seconds(30)));
        assert_eq!(TimeShare::new(None, 1, 1).take(), None);
    }
}
