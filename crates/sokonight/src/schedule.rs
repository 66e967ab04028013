//! Which item gets the next slice of a night: the one that is expected to gain most for its time.
//!
//! ```text
//!   gain                     ▁▂▃▄▅▆  a curve falls by about as much in each doubling of its time:
//!     │              ▂▄▅▆▇▇▇▇        its rate is  b / time,  and b is estimated from its slices
//!     │      ▂▅▇▇▇▇▇▇
//!     └──────┴──────┴──────┴──────▶ time, each mark twice the one before
//! ```
//!
//! The estimate of `b` is what the item gained in its last half e-folding of time, averaged with what any item gains: a
//! share of its gap, which is what its solution counts above the proved bound. So an item that falls gets more, and one
//! that is dry rests, the longer the longer it was dry. None has more than an eighth of a night while others wait, so that
//! a level of ten thousand moves cannot hold up all others.
//!
//! It is the idea of the optimizer's bandit over arms (`sokomethods/schedule/bandit.rs`), one floor up. How near it comes
//! to what knows all curves is measured by `cargo xtask bench night`.
//!
//! Invariant: an item is in at most one slice at a time; one that is settled gets none.

pub(crate) mod item;

use std::cmp::Ordering;
use std::time::Duration;

use self::item::{Item, SliceGain};

/// The part of a night that one item may have while others wait.
const MOST_OF_NIGHT: f64 = 1.0 / 8.0;
/// As a multiple of an equal part, where the items are few.
const MOST_OF_FEW: f64 = 4.0;
/// Seconds that any item may have in a night.
const LEAST_OF_NIGHT: f64 = 10.0;

/// The items of a night.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    items: Vec<Item>,
    /// Whether the item that has had the least time is next, whatever slices gained.
    is_equal: bool,
    /// Seconds of threads in this night.
    total: f64,
    n_settled: usize,
}

/// An item that was taken, with what its slice may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Turn {
    /// The number of the item.
    pub item: usize,
    /// The length of its slice.
    pub time: Duration,
    /// Whether its slice should have all threads and all memory.
    pub is_wide: bool,
}

impl Schedule {
    /// Makes a schedule that gives every item the same time, to compare with.
    #[must_use]
    pub fn equal() -> Self {
        Self { is_equal: true, ..Self::default() }
    }

    /// Adds an item. Returns its number.
    pub fn add(&mut self, item: Item) -> usize {
        self.items.push(item);
        self.items.len() - 1
    }

    /// Takes the next item; `None` if none is waiting. Its slice is wide if all of `n_threads` gain more on it than on as
    /// many items.
    pub fn take(&mut self, n_threads: usize) -> Option<Turn> {
        let item = self.next()?;
        self.items[item].begin();
        let is_wide = n_threads > 1 && !self.is_equal && self.pays_wide(item, n_threads);
        Some(Turn { item, time: self.items[item].slice(), is_wide })
    }

    /// The waiting item that is next.
    fn next(&self) -> Option<usize> {
        let most = self.most_of_one();
        let has_had_most = |at: usize| !self.is_equal && self.items[at].tonight() > most;
        self.waiting()
            .min_by(|&one, &other| has_had_most(one).cmp(&has_had_most(other)).then_with(|| self.order(one, other)))
    }

    /// Seconds after which an item waits for others, so that none holds up all of them.
    fn most_of_one(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a number of items")]
        let n_open = self.n_open().max(1) as f64;
        LEAST_OF_NIGHT + self.total * MOST_OF_NIGHT.max(MOST_OF_FEW / n_open)
    }

    fn waiting(&self) -> impl Iterator<Item = usize> {
        (0..self.items.len()).filter(|&at| self.items[at].is_waiting())
    }

    /// Compares by which is next.
    fn order(&self, one: usize, other: usize) -> Ordering {
        let (first, second) = (&self.items[one], &self.items[other]);
        let order = if self.is_equal {
            first.spent().total_cmp(&second.spent())
        } else {
            // Short solutions first among equals.
            second.rate().total_cmp(&first.rate()).then(first.n_pushes().cmp(&second.n_pushes()))
        };
        order.then(one.cmp(&other))
    }

    /// Returns whether all threads should work on an item: because it did not fit into its share of the memory, or because
    /// no other items are worth as much.
    fn pays_wide(&self, item: usize, n_threads: usize) -> bool {
        let taken = &self.items[item];
        if taken.needs_all_memory() {
            return true;
        }
        let mut others: Vec<f64> = self.waiting().map(|at| self.items[at].rate()).collect();
        others.sort_by(|one, other| other.total_cmp(one));
        let others: f64 = others.iter().take(n_threads - 1).sum();
        taken.rate() * taken.speedup(n_threads) > taken.rate() + others
    }

    /// Notes what came of a slice.
    pub fn end(&mut self, at: usize, result: &SliceGain) {
        let before = self.items[at].tonight();
        self.items[at].end(result);
        self.total += self.items[at].tonight() - before;
        self.n_settled += usize::from(self.items[at].is_settled());
    }

    /// Notes what the best solution of an item counts now, and the bound below it.
    pub fn update(&mut self, at: usize, counted: u64, bound: u64) {
        self.items[at].update(counted, bound);
    }

    /// Settles an item that is not in a slice: it gets no more.
    pub fn settle(&mut self, at: usize) {
        self.n_settled += usize::from(!self.items[at].is_settled());
        self.items[at].settle();
    }

    /// Returns how many items are not settled.
    #[must_use]
    pub const fn n_open(&self) -> usize {
        self.items.len() - self.n_settled
    }
}

#[cfg(test)]
mod tests;
