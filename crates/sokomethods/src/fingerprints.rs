//! Fingerprints of windows, and sets of them within the memory account.
//!
//! A set that may not grow is cleared and filled again; without any memory it stays empty. A missing fingerprint costs
//! time only: every search that uses a set ends for another reason as well.
//!
//! Invariant: a table is charged before it is allocated, and until it is freed.

use hashbrown::HashSet;
use sokocore::{Lurd, WEYL_STEP, mix64};
use sokosearch::{Charge, MemoryAccount, Spine};

use crate::checkpoint::field::Bits;

/// A set of fingerprints.
#[derive(Debug, Default)]
pub(crate) struct WindowSet {
    known: HashSet<u64>,
    charge: Option<Charge>,
}

/// Entries of the smallest table. Each larger table has twice as many.
const FEWEST: usize = 28;
/// Most entries.
const MOST: usize = FEWEST << 15;
/// No set takes more than this part of the account's limit.
const PART: u64 = 64;

impl WindowSet {
    pub(crate) fn contains(&self, fingerprint: u64) -> bool {
        self.known.contains(&fingerprint)
    }

    /// Returns its fingerprints in ascending order, at most so many: if there are more, those that are least, which are any.
    pub(crate) fn save(&self, most: usize) -> Vec<Bits> {
        let mut saved: Vec<_> = self.known.iter().copied().map(Bits).collect();
        saved.sort_unstable();
        saved.truncate(most);
        saved
    }

    /// Inserts fingerprints that were saved.
    pub(crate) fn restore(&mut self, saved: &[Bits], account: &MemoryAccount) {
        for fingerprint in saved {
            self.insert(fingerprint.0, account);
        }
    }

    #[cfg(test)]
    pub(crate) fn n_known(&self) -> usize {
        self.known.len()
    }

    /// Inserts a fingerprint. Returns whether it was missing.
    pub(crate) fn insert(&mut self, fingerprint: u64, account: &MemoryAccount) -> bool {
        if self.contains(fingerprint) {
            return false;
        }
        if self.known.len() == self.known.capacity() && !self.grow(account) {
            self.known.clear();
        }
        if self.known.len() < self.known.capacity() {
            self.known.insert(fingerprint);
        }
        true
    }

    /// Doubles the table. Returns false if the limits or the account refuse.
    fn grow(&mut self, account: &MemoryAccount) -> bool {
        let capacity = (2 * self.known.capacity()).max(FEWEST);
        let n_bytes = n_bytes(capacity);
        if capacity > MOST || n_bytes > account.limit() / PART {
            return false;
        }
        let Ok(charge) = account.charge(n_bytes) else { return false };
        let mut larger = HashSet::with_capacity(capacity);
        larger.extend(self.known.drain());
        self.known = larger;
        self.charge = Some(charge);
        true
    }
}

/// Bytes of a table for so many entries: an eighth is left free, each place has a control byte, and some follow.
const fn n_bytes(capacity: usize) -> u64 {
    let n_places = (capacity * 8 / 7).next_power_of_two();
    (n_places * (size_of::<u64>() + 1) + 16) as u64
}

/// Returns the fingerprint of the window from state `from` to state `to`, searched in the neighborhood named by `salt`.
///
/// A window is its content: the neighborhood, the first state, the pushes, and whether the last state is the solved
/// position. While none of these changes, searching the window again gains nothing.
pub(crate) fn fingerprint(spine: &Spine, from: usize, to: usize, salt: u64) -> u64 {
    let start = &spine.states()[from];
    let pushes = spine.pushes()[from..to].iter().flat_map(|push| [push.from.idx() as u64, push.dir.idx() as u64]);
    let ends = [start.player.idx() as u64, u64::from(to == spine.end())];
    start.key.iter().copied().chain(ends).chain(pushes).fold(salt, mix)
}

/// Returns the fingerprint of moves.
pub(crate) fn moves_fingerprint(moves: &Lurd) -> u64 {
    moves.iter().map(|step| u64::from(step.is_push()) << 2 | step.dir().idx() as u64).fold(0, mix)
}

/// Mixes a number into a fingerprint.
pub(crate) fn mix(seed: u64, number: u64) -> u64 {
    mix64((seed ^ number).wrapping_add(WEYL_STEP))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inserts `n` fingerprints within the account. Returns how many are known at the end.
    fn fill(n: u64, account: &MemoryAccount) -> usize {
        let mut set = WindowSet::default();
        for number in 0..n {
            assert!(set.insert(mix(0, number), account));
            assert!(account.used() >= set.known.allocation_size() as u64, "charged");
            assert!(set.charge.is_none() || set.contains(mix(0, number)));
            assert!(set.known.capacity() == 0 || !set.insert(mix(0, number), account));
        }
        let n_known = (0..n).filter(|&number| set.contains(mix(0, number))).count();
        assert_eq!(n_known, set.n_known());
        drop(set);
        assert_eq!(account.used(), 0, "released");
        n_known
    }

    #[test]
    fn a_set_with_room_knows_all() {
        let account = MemoryAccount::new(64 << 20);
        assert_eq!(fill(10_000, &account), 10_000);
        assert!(account.peak() <= n_bytes(7_168) + n_bytes(14_336), "the old table and the new one");
    }

    #[test]
    fn a_set_that_may_not_grow_is_cleared_and_filled_again() {
        // Room for 56 entries: they fill up five times, and 20 are left.
        assert_eq!(fill(300, &MemoryAccount::new(64 * n_bytes(56))), 20);
        assert_eq!(fill(300, &MemoryAccount::new(64 * n_bytes(56) - 1)), 300 % 28);
        assert_eq!(fill(300, &MemoryAccount::new(0)), 0);
    }

    #[test]
    fn a_set_does_not_grow_into_other_charges() {
        let account = MemoryAccount::new(64 << 20);
        let others = account.charge((64 << 20) - n_bytes(28) - n_bytes(56) + 1).unwrap();
        let mut set = WindowSet::default();
        (0..28).for_each(|number| assert!(set.insert(number, &account)));
        assert!(set.insert(28, &account));
        assert!(set.contains(28) && !set.contains(0), "there was no memory for 56 beside 28");
        drop(others);
        (29..80).for_each(|number| assert!(set.insert(number, &account)));
        assert!((28..80).all(|number| set.contains(number)));
    }

    #[test]
    fn a_set_is_saved_up_to_a_size_and_restored() {
        let account = MemoryAccount::new(64 << 20);
        let mut set = WindowSet::default();
        [5, 3, 9].into_iter().for_each(|number| assert!(set.insert(number, &account)));
        let saved = set.save(2);
        assert_eq!((&*saved, set.save(9)), (&[Bits(3), Bits(5)][..], vec![Bits(3), Bits(5), Bits(9)]));
        let mut restored = WindowSet::default();
        restored.restore(&saved, &account);
        assert!(restored.contains(3) && restored.contains(5) && !restored.contains(9));
    }

    #[test]
    fn a_set_has_a_largest_size() {
        let account = MemoryAccount::new(1 << 40);
        assert_eq!(fill(MOST as u64 + 5, &account), 5);
    }
}
