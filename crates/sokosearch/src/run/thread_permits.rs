//! Permits for threads that a run may use and that are idle: a large search acquires them while it runs.
//!
//! Invariant: the free permits are as many as the threads allowed, less those working and those acquired.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A counter of idle threads, from which searches acquire permits.
#[derive(Debug)]
pub struct ThreadPermits {
    n_free: AtomicUsize,
    /// Permits that may become free soon.
    n_expected_free: AtomicUsize,
    least_items: usize,
}

/// A layer of fewer states to expand takes less time than a few synchronizations of threads.
const LEAST_ITEMS: usize = 60;

/// Permits that a search has acquired, released when dropped.
#[derive(Debug)]
pub(crate) struct AcquiredPermits<'a> {
    permits: &'a ThreadPermits,
    n: usize,
}

impl ThreadPermits {
    /// Makes `n` free permits.
    #[must_use]
    pub const fn new(n: usize) -> Self {
        Self { n_free: AtomicUsize::new(n), n_expected_free: AtomicUsize::new(0), least_items: LEAST_ITEMS }
    }

    /// Reserves the permits for searches that reach a layer of at least `n_items` states.
    #[must_use]
    pub const fn with_least_layer(mut self, n_items: usize) -> Self {
        self.least_items = n_items;
        self
    }

    pub(crate) const fn least_items(&self) -> usize {
        self.least_items
    }

    /// Returns how many permits are free now.
    #[must_use]
    pub fn n_free(&self) -> usize {
        self.n_free.load(Ordering::Relaxed)
    }

    /// Announces that `n` permits may become free soon: searches that start later prepare for them.
    pub fn set_expected(&self, n: usize) {
        self.n_expected_free.store(n, Ordering::Relaxed);
    }

    /// Returns how many permits a search that starts now should prepare for.
    pub(crate) fn n_expected(&self) -> usize {
        self.n_free().max(self.n_expected_free.load(Ordering::Relaxed))
    }

    /// Adds one permit, for a thread that becomes idle.
    pub fn add(&self) {
        self.n_free.fetch_add(1, Ordering::Relaxed);
    }

    /// Withdraws one permit; returns false if all are acquired.
    #[must_use]
    pub fn withdraw(&self) -> bool {
        self.take_up_to(1) == 1
    }

    /// Acquires up to `most` of the free permits.
    pub(crate) fn acquire(&self, most: usize) -> AcquiredPermits<'_> {
        AcquiredPermits { permits: self, n: self.take_up_to(most) }
    }

    fn take_up_to(&self, most: usize) -> usize {
        let less = |free: usize| Some(free - free.min(most));
        self.n_free.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).map_or(0, |free| free.min(most))
    }
}

impl AcquiredPermits<'_> {
    pub(crate) const fn n(&self) -> usize {
        self.n
    }
}

impl Drop for AcquiredPermits<'_> {
    fn drop(&mut self) {
        self.permits.n_free.fetch_add(self.n, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acquired_permits_cannot_be_withdrawn_until_they_are_released() {
        let permits = ThreadPermits::new(1);
        permits.add();
        let acquired = permits.acquire(5);
        assert_eq!((acquired.n(), permits.n_free(), permits.withdraw()), (2, 0, false));
        assert_eq!(permits.acquire(1).n(), 0);
        drop(acquired);
        assert!(permits.withdraw() && permits.withdraw() && !permits.withdraw());
        permits.set_expected(3);
        assert_eq!((permits.n_expected(), permits.n_free()), (3, 0));
    }
}
