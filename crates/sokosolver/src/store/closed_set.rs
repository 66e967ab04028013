//! The closed positions of a tree, expanded or lost, numbered in the order of insertion.
//!
//! Invariant: a position keeps its number, so that a later test can tell what was closed at an earlier moment.

use hashbrown::HashTable;
use sokocore::mix64;
use sokosearch::ChunkedVec;

/// The closed positions, by 48 bits of their hashes.
#[derive(Debug, Default)]
pub(crate) struct ClosedSet {
    keys: ChunkedVec<u64>,
    table: HashTable<u32>,
}

impl ClosedSet {
    /// Returns the number of positions.
    pub(crate) const fn len(&self) -> usize {
        self.keys.len()
    }

    /// Adds a position; returns whether it is new.
    pub(crate) fn insert(&mut self, hash: u64) -> bool {
        let key = key(hash);
        if self.find(key).is_some() {
            return false;
        }
        let number = u32::try_from(self.keys.len()).expect("invariant: closed positions are numbered by 32 bits");
        self.keys.push(key);
        self.table.insert_unique(mix64(key), number, |&number| mix64(self.keys[number]));
        true
    }

    /// Returns whether the position is closed.
    pub(crate) fn has(&self, hash: u64) -> bool {
        self.find(key(hash)).is_some()
    }

    /// Returns whether the position was among the first `n_first`.
    pub(crate) fn had(&self, hash: u64, n_first: u32) -> bool {
        self.find(key(hash)).is_some_and(|number| number < n_first)
    }

    /// Returns the bytes in use once one more position is inserted. While the table grows, the old one is held too.
    pub(crate) fn bytes_ahead(&self) -> usize {
        let grown = if self.table.len() == self.table.capacity() { 2 * self.table.capacity().max(4) } else { 0 };
        self.keys.bytes_with(1) + (self.table.capacity() + grown) * (size_of::<u32>() + 1) * 8 / 7
    }

    fn find(&self, key: u64) -> Option<u32> {
        self.table.find(mix64(key), |&number| self.keys[number] == key).copied()
    }
}

/// The bits of a hash that a packed move keeps.
const fn key(hash: u64) -> u64 {
    hash >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_known_at_a_moment_stays_known() {
        let mut closed = ClosedSet::default();
        assert!((0..1_000).all(|n: u64| closed.insert(n << 16)) && !closed.insert(7 << 16));
        assert!(closed.has(999 << 16) && !closed.has(1_000 << 16));
        assert!(closed.had(499 << 16, 500) && !closed.had(500 << 16, 500) && !closed.had(5_000 << 16, 500));
        assert!(closed.len() == 1_000 && closed.bytes_ahead() > 13_000);
    }
}
