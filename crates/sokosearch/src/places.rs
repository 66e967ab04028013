//! Threads that a run may use and nobody does: a large search takes them for as long as it lasts.
//!
//! Invariant: the number of free places is that of the threads allowed, less those at work or lent.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Free places for threads.
#[derive(Debug)]
pub struct Places {
    n_free: AtomicUsize,
    /// How many may be free before long.
    n_expected: AtomicUsize,
    least_items: usize,
}

/// A layer with fewer states to be entered than this takes less time than it takes threads to wait for each other a few times.
const LEAST_ITEMS: usize = 60;

/// Places that a search has taken, given back when dropped.
#[derive(Debug)]
pub(crate) struct Loan<'a> {
    places: &'a Places,
    n: usize,
}

impl Places {
    /// Makes so many places, all of them free.
    #[must_use]
    pub const fn new(n: usize) -> Self {
        Self { n_free: AtomicUsize::new(n), n_expected: AtomicUsize::new(0), least_items: LEAST_ITEMS }
    }

    /// Lends only to searches that come upon a layer with so many configurations.
    #[must_use]
    pub const fn for_layers_of(mut self, n_items: usize) -> Self {
        self.least_items = n_items;
        self
    }

    pub(crate) const fn least_items(&self) -> usize {
        self.least_items
    }

    /// Returns how many are free just now.
    #[must_use]
    pub fn n_free(&self) -> usize {
        self.n_free.load(Ordering::Relaxed)
    }

    /// Says that so many may be free before long: searches that begin from now on prepare for that.
    pub fn expect(&self, n: usize) {
        self.n_expected.store(n, Ordering::Relaxed);
    }

    /// Returns how many a search that begins now should prepare for.
    pub(crate) fn n_promised(&self) -> usize {
        self.n_free().max(self.n_expected.load(Ordering::Relaxed))
    }

    /// Offers one more: the place of a thread that has nothing to do.
    pub fn offer(&self) {
        self.n_free.fetch_add(1, Ordering::Relaxed);
    }

    /// Takes one back, or returns false if all are lent.
    #[must_use]
    pub fn take_back(&self) -> bool {
        self.take(1) == 1
    }

    /// Lends up to `most` of the free places.
    pub(crate) fn lend(&self, most: usize) -> Loan<'_> {
        Loan { places: self, n: self.take(most) }
    }

    fn take(&self, most: usize) -> usize {
        let less = |free: usize| Some(free - free.min(most));
        self.n_free.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).map_or(0, |free| free.min(most))
    }
}

impl Loan<'_> {
    pub(crate) const fn n(&self) -> usize {
        self.n
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        self.places.n_free.fetch_add(self.n, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lent_cannot_be_taken_until_it_is_given_back() {
        let places = Places::new(1);
        places.offer();
        let loan = places.lend(5);
        assert_eq!((loan.n(), places.n_free(), places.take_back()), (2, 0, false));
        assert_eq!(places.lend(1).n(), 0);
        drop(loan);
        assert!(places.take_back() && places.take_back() && !places.take_back());
        places.expect(3);
        assert_eq!((places.n_promised(), places.n_free()), (3, 0));
    }
}
