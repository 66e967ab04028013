//! The open list of the exact search: nodes in ascending order of their estimated metrics.
//!
//! A node that is reached again with less is pushed again, so there may be many more entries than nodes. Invariant: the
//! charge covers the array of the heap; while it grows, the old array and the new one are both charged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::{Charge, MemoryAccount, Stop};

/// The first capacity.
const MIN_CAPACITY: usize = 256;

/// A node to expand. Entries are in the order of these fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ExactOpenEntry {
    /// Metrics of the whole path, as far as they are known, by the objective's order.
    pub(super) estimate: [u32; 6],
    /// Number of the node.
    pub(super) node: u32,
    /// Whether the node is the end, and the estimate counts the joint.
    pub(super) counts_joint: bool,
}

/// Entries, the least one first.
#[derive(Debug)]
pub(super) struct OpenList {
    heap: BinaryHeap<Reverse<ExactOpenEntry>>,
    charge: Charge,
    account: MemoryAccount,
}

impl OpenList {
    pub(super) fn new(account: &MemoryAccount) -> Self {
        Self { heap: BinaryHeap::new(), charge: account.nothing(), account: account.clone() }
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.charge.bytes()
    }

    pub(super) fn push(&mut self, entry: ExactOpenEntry) -> Result<(), Stop> {
        if self.heap.len() == self.heap.capacity() {
            let more = self.heap.len().max(MIN_CAPACITY);
            let charge = self.account.charge(((self.heap.len() + more) * size_of::<ExactOpenEntry>()) as u64)?;
            self.heap.reserve_exact(more);
            self.charge = charge;
        }
        self.heap.push(Reverse(entry));
        Ok(())
    }

    pub(super) fn pop(&mut self) -> Option<ExactOpenEntry> {
        self.heap.pop().map(|Reverse(entry)| entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_comes_first_and_every_entry_is_charged() {
        let account = MemoryAccount::new(1 << 16);
        let mut open = OpenList::new(&account);
        let entry = |n: u32| ExactOpenEntry { estimate: [n % 100; 6], node: n, counts_joint: false };
        let n_pushed = (0..).take_while(|&n| open.push(entry(n)).is_ok()).count();
        assert!(n_pushed >= 512 && open.heap.capacity() >= n_pushed);
        assert_eq!(open.bytes(), (open.heap.capacity() * size_of::<ExactOpenEntry>()) as u64);
        assert!(account.used() == open.bytes() && account.peak() <= account.limit());
        let popped: Vec<ExactOpenEntry> = std::iter::from_fn(|| open.pop()).collect();
        assert!(popped.is_sorted() && popped.len() == n_pushed);
    }
}
