//! Configurations that wait to be taken, those with the least sum first; of equal sums, the last one first.
//!
//! ```text
//!   sum   0    1    2      3         each list one stretch of words: key, steps, key, steps, ...
//!         ∙    ∙   ksks  ksksks
//! ```
//!
//! Invariant: the lists are paid for before they are allocated, and the old place of a list until it is freed.

use sokosearch::{Charge, MemoryAccount, Stop};

/// Lists of configurations, by sum.
#[derive(Debug)]
pub(super) struct Waiting {
    /// Words of a configuration and its steps.
    n_words: usize,
    lists: Vec<List>,
    charge: Option<Charge>,
    account: MemoryAccount,
}

#[derive(Debug, Default)]
struct List {
    words: Vec<u64>,
    charge: Option<Charge>,
}

/// Configurations in the shortest list, and sums in the shortest list of lists.
const FEWEST: usize = 16;

impl Waiting {
    /// Prepares for configurations of so many words.
    pub(super) const fn new(key_words: usize, account: MemoryAccount) -> Self {
        Self { n_words: key_words + 1, lists: Vec::new(), charge: None, account }
    }

    /// Adds a configuration and the steps to it.
    ///
    /// # Errors
    /// [`Stop::Memory`], adding nothing, if there is no room for it.
    pub(super) fn add(&mut self, sum: u32, key: &[u64], steps: u32) -> Result<(), Stop> {
        debug_assert_eq!(key.len() + 1, self.n_words);
        let sum = sum as usize;
        if sum >= self.lists.len() {
            make_room(&mut self.lists, sum + 1, FEWEST, &mut self.charge, &self.account)?;
            self.lists.resize_with(sum + 1, List::default);
        }
        let List { words, charge } = &mut self.lists[sum];
        make_room(words, words.len() + self.n_words, FEWEST * self.n_words, charge, &self.account)?;
        words.extend_from_slice(key);
        words.push(u64::from(steps));
        Ok(())
    }

    /// Takes the next configuration, and returns the steps to it.
    pub(super) fn take(&mut self, key: &mut [u64]) -> Option<u32> {
        let words = self.lists.iter_mut().map(|list| &mut list.words).find(|words| !words.is_empty())?;
        let steps = words.pop()?;
        let rest = words.len() - key.len();
        key.copy_from_slice(&words[rest..]);
        words.truncate(rest);
        u32::try_from(steps).ok()
    }
}

/// Makes room in a list for `n` elements, or for `fewest` or twice as many as before if that is more.
fn make_room<T>(
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

    /// Bytes that the lists have taken.
    fn n_bytes(waiting: &Waiting) -> u64 {
        let words: usize = waiting.lists.iter().map(|list| list.words.capacity()).sum();
        (words * size_of::<u64>() + waiting.lists.capacity() * size_of::<List>()) as u64
    }

    #[test]
    fn the_least_sum_comes_first_and_of_equal_ones_the_last() {
        let mut waiting = Waiting::new(2, MemoryAccount::new(1 << 20));
        for (sum, first) in [(5, 1), (3, 2), (40, 3), (3, 4), (5, 5)] {
            waiting.add(sum, &[first, 7 * first], 100 + sum).unwrap();
        }
        let mut key = [0; 2];
        let mut next = || waiting.take(&mut key).map(|steps| (steps, key));
        assert_eq!([next(), next()], [Some((103, [4, 28])), Some((103, [2, 14]))]);
        assert_eq!([next(), next()], [Some((105, [5, 35])), Some((105, [1, 7]))]);
        assert_eq!([next(), next()], [Some((140, [3, 21])), None]);
    }

    #[test]
    fn lists_are_paid_for_and_end_where_memory_does() {
        let account = MemoryAccount::new(100_000);
        let mut waiting = Waiting::new(1, account.clone());
        let mut n = 0;
        while waiting.add(n / 100, &[u64::from(n)], n).is_ok() {
            n += 1;
            assert_eq!(account.used(), n_bytes(&waiting));
        }
        assert!(account.peak() <= account.limit());
        assert!(n > 2_000, "a third of the room at least is used: {n}");
        assert_eq!(account.used(), n_bytes(&waiting), "what is refused takes nothing");
        let mut key = [0];
        assert_eq!((0..n).filter(|_| waiting.take(&mut key).is_some()).count(), n as usize);
        assert_eq!(waiting.take(&mut key), None);
        drop(waiting);
        assert_eq!(account.used(), 0);
    }
}
