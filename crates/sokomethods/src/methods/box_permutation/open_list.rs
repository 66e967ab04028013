//! The open list of the discovery: least sum first, and of equal sums the last one first.
//!
//! ```text
//!   sum   0    1    2      3         each list a sequence of words: key, steps, key, steps, ...
//!         ∙    ∙   ksks  ksksks
//! ```
//!
//! Invariant: a list is charged before it is allocated, and until it is freed.

use sokosearch::{Charge, MemoryAccount, Stop};

/// Buckets of configurations, by sum.
#[derive(Debug)]
pub(super) struct OpenList {
    /// Words of a configuration and its steps.
    n_words: usize,
    buckets: Vec<SumBucket>,
    charge: Option<Charge>,
    account: MemoryAccount,
}

#[derive(Debug, Default)]
struct SumBucket {
    words: Vec<u64>,
    charge: Option<Charge>,
}

/// Least capacity of a bucket in configurations, and of the list of buckets.
const FEWEST: usize = 16;

impl OpenList {
    /// Makes an empty list for configurations of so many words.
    pub(super) const fn new(key_words: usize, account: MemoryAccount) -> Self {
        Self { n_words: key_words + 1, buckets: Vec::new(), charge: None, account }
    }

    /// Inserts a configuration and the steps to it.
    ///
    /// # Errors
    /// [`Stop::Memory`], inserting nothing, if it does not fit into memory.
    pub(super) fn push(&mut self, sum: u32, key: &[u64], steps: u32) -> Result<(), Stop> {
        debug_assert_eq!(key.len() + 1, self.n_words);
        let sum = sum as usize;
        if sum >= self.buckets.len() {
            reserve(&mut self.buckets, sum + 1, FEWEST, &mut self.charge, &self.account)?;
            self.buckets.resize_with(sum + 1, SumBucket::default);
        }
        let SumBucket { words, charge } = &mut self.buckets[sum];
        reserve(words, words.len() + self.n_words, FEWEST * self.n_words, charge, &self.account)?;
        words.extend_from_slice(key);
        words.push(u64::from(steps));
        Ok(())
    }

    /// Removes the next configuration into `key`, and returns the steps to it.
    pub(super) fn pop(&mut self, key: &mut [u64]) -> Option<u32> {
        let words = self.buckets.iter_mut().map(|bucket| &mut bucket.words).find(|words| !words.is_empty())?;
        let steps = words.pop()?;
        let rest = words.len() - key.len();
        key.copy_from_slice(&words[rest..]);
        words.truncate(rest);
        Some(u32::try_from(steps).expect("invariant: pushed as 32 bits"))
    }
}

/// Grows a list to a capacity of at least `n`, at least `fewest`, and at least twice as much as before.
fn reserve<T>(
    list: &mut Vec<T>,
    n: usize,
    fewest: usize,
    charge: &mut Option<Charge>,
    account: &MemoryAccount,
) -> Result<(), Stop> {
    if n <= list.capacity() {
        return Ok(());
    }
    let capacity = n.max(fewest).max(2 * list.capacity());
    let more = account.charge((capacity * size_of::<T>()) as u64)?;
    list.reserve_exact(capacity - list.len());
    *charge = Some(more);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of all buckets.
    fn n_bytes(open: &OpenList) -> u64 {
        let words: usize = open.buckets.iter().map(|bucket| bucket.words.capacity()).sum();
        (words * size_of::<u64>() + open.buckets.capacity() * size_of::<SumBucket>()) as u64
    }

    #[test]
    fn the_least_sum_comes_first_and_of_equal_ones_the_last() {
        let mut open = OpenList::new(2, MemoryAccount::new(1 << 20));
        for (sum, first) in [(5, 1), (3, 2), (40, 3), (3, 4), (5, 5)] {
            open.push(sum, &[first, 7 * first], 100 + sum).unwrap();
        }
        let mut key = [0; 2];
        let mut next = || open.pop(&mut key).map(|steps| (steps, key));
        assert_eq!([next(), next()], [Some((103, [4, 28])), Some((103, [2, 14]))]);
        assert_eq!([next(), next()], [Some((105, [5, 35])), Some((105, [1, 7]))]);
        assert_eq!([next(), next()], [Some((140, [3, 21])), None]);
    }

    #[test]
    fn buckets_are_charged_and_end_where_memory_does() {
        let account = MemoryAccount::new(100_000);
        let mut open = OpenList::new(1, account.clone());
        let mut n = 0;
        while open.push(n / 100, &[u64::from(n)], n).is_ok() {
            n += 1;
            assert_eq!(account.used(), n_bytes(&open));
        }
        assert!(account.peak() <= account.limit());
        assert!(n > 2_000, "at least a third of the memory is used: {n}");
        assert_eq!(account.used(), n_bytes(&open), "a refused insertion takes nothing");
        let mut key = [0];
        assert_eq!((0..n).filter(|_| open.pop(&mut key).is_some()).count(), n as usize);
        assert_eq!(open.pop(&mut key), None);
        drop(open);
        assert_eq!(account.used(), 0);
    }
}
