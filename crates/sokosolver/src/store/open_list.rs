//! The open list: nodes to be expanded, in the order of the algorithm.
//!
//! A node may be in the list more than once, after its priority has changed: the caller skips outdated entries.

use std::collections::{BTreeMap, VecDeque};

/// The open list, of node numbers.
#[derive(Clone, Debug)]
pub(crate) enum OpenList {
    /// Oldest first.
    Fifo(VecDeque<u32>),
    /// Newest first.
    Lifo(Vec<u32>),
    /// Least priority first, newest first among equals.
    Buckets {
        /// Nodes by priority; no bucket is empty.
        buckets: BTreeMap<u64, Vec<u32>>,
        /// Nodes in all buckets.
        len: usize,
    },
}

impl OpenList {
    /// Makes a list ordered by priority.
    pub(crate) const fn buckets() -> Self {
        Self::Buckets { buckets: BTreeMap::new(), len: 0 }
    }

    /// Adds a node.
    #[inline]
    pub(crate) fn push(&mut self, priority: u64, id: u32) {
        match self {
            Self::Fifo(queue) => queue.push_back(id),
            Self::Lifo(stack) => stack.push(id),
            Self::Buckets { buckets, len } => {
                buckets.entry(priority).or_default().push(id);
                *len += 1;
            }
        }
    }

    /// Removes the first node, with the priority that it was pushed with; `u64::MAX` if the order has no priorities.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u64, u32)> {
        match self {
            Self::Fifo(queue) => queue.pop_front().map(|id| (u64::MAX, id)),
            Self::Lifo(stack) => stack.pop().map(|id| (u64::MAX, id)),
            Self::Buckets { buckets, len } => {
                let mut first = buckets.first_entry()?;
                let priority = *first.key();
                let id = first.get_mut().pop();
                if first.get().is_empty() {
                    first.remove();
                }
                *len -= 1;
                id.map(|id| (priority, id))
            }
        }
    }

    /// Removes a node of the worst priority; `None` if the order has no priorities.
    pub(crate) fn pop_worst(&mut self) -> Option<u32> {
        let Self::Buckets { buckets, len } = self else { return None };
        let mut last = buckets.last_entry()?;
        let id = last.get_mut().pop();
        if last.get().is_empty() {
            last.remove();
        }
        *len -= 1;
        id
    }

    /// Returns the least priority of an open node.
    pub(crate) fn least(&self) -> Option<u64> {
        match self {
            Self::Buckets { buckets, .. } => buckets.first_key_value().map(|(&priority, _)| priority),
            _ => (self.len() > 0).then_some(0),
        }
    }

    /// Returns the oldest open node, if the order is first in, first out.
    pub(crate) fn oldest(&self) -> Option<u32> {
        match self {
            Self::Fifo(queue) => queue.front().copied(),
            _ => None,
        }
    }

    /// Returns the number of entries.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Fifo(queue) => queue.len(),
            Self::Lifo(stack) => stack.len(),
            Self::Buckets { len, .. } => *len,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_order_is_kept() {
        let check = |mut list: OpenList, expect: [u32; 4]| {
            for (priority, id) in [(5, 1), (3, 2), (5, 3), (3, 4)] {
                list.push(priority, id);
            }
            assert_eq!(list.len(), 4);
            assert_eq!([(); 4].map(|()| list.pop().unwrap().1), expect);
            assert_eq!((list.pop(), list.least()), (None, None));
        };
        check(OpenList::Fifo(VecDeque::new()), [1, 2, 3, 4]);
        check(OpenList::Lifo(Vec::new()), [4, 3, 2, 1]);
        check(OpenList::buckets(), [4, 2, 3, 1]);
        let mut list = OpenList::buckets();
        list.push(1, 1);
        list.push(9, 2);
        assert_eq!((list.pop_worst(), list.least()), (Some(2), Some(1)));
    }
}
