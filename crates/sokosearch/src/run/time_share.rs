//! How several searches of one level share its time.
//!
//! Invariant: the times taken and not given back never exceed the level's time, once for each thread that can work on
//! the level. So with one thread a level never takes longer than its time, and with enough threads each search has all
//! of it.

use std::time::Duration;

use parking_lot::Mutex;

/// The time of one level, of which each of its searches takes a share.
///
/// ```
/// use std::time::Duration;
///
/// use sokosearch::TimeShare;
///
/// let share = TimeShare::new(Some(Duration::from_secs(30)), 2, 1);
/// assert_eq!(share.take(), Some(Duration::from_secs(15)));
/// share.give_back(Duration::from_secs(10));
/// assert_eq!(share.take(), Some(Duration::from_secs(25)), "what the first search has left");
/// ```
#[derive(Debug)]
pub struct TimeShare {
    longest: Option<Duration>,
    left: Mutex<TimeLeft>,
}

#[derive(Debug)]
struct TimeLeft {
    left: Duration,
    n_waiting: u32,
}

impl TimeShare {
    /// Shares `time` among `n_jobs` searches on `n_threads` threads; without a limit if `None`.
    #[must_use]
    pub fn new(time: Option<Duration>, n_jobs: usize, n_threads: usize) -> Self {
        let as_u32 = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let left = time.unwrap_or_default().saturating_mul(as_u32(n_threads.min(n_jobs)));
        Self { longest: time, left: Mutex::new(TimeLeft { left, n_waiting: as_u32(n_jobs) }) }
    }

    /// Takes the time of the next search: an equal share among those that have not begun; `None` without a limit.
    pub fn take(&self) -> Option<Duration> {
        let longest = self.longest?;
        let mut time = self.left.lock();
        let share = (time.left / time.n_waiting.max(1)).min(longest);
        time.left -= share;
        time.n_waiting = time.n_waiting.saturating_sub(1);
        Some(share)
    }

    /// Gives back what a search did not use.
    pub fn give_back(&self, unused: Duration) {
        self.left.lock().left += unused;
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
