//! The open list of the compact searches: a stack for every priority, all of them chained in one vector.
//!
//! Invariant: no stack below `least` has an entry.

/// The end of a chain.
const NONE: u32 = u32::MAX;

/// Entries by priority, the least first, and among equals the newest.
#[derive(Clone, Debug)]
pub(super) struct BucketQueue<T> {
    /// The newest entry of each priority.
    heads: Vec<u32>,
    /// Entries, each with the next one of its chain.
    entries: Vec<(T, u32)>,
    /// The chain of entries that can be used again.
    unused: u32,
    least: usize,
}

impl<T: Copy> BucketQueue<T> {
    pub(super) const fn new() -> Self {
        Self { heads: Vec::new(), entries: Vec::new(), unused: NONE, least: 0 }
    }

    #[inline]
    pub(super) fn push(&mut self, priority: u32, value: T) {
        let priority = priority as usize;
        if priority >= self.heads.len() {
            self.heads.resize(priority + 16, NONE);
        }
        let next = self.heads[priority];
        let entry = if self.unused == NONE {
            self.entries.push((value, next));
            u32::try_from(self.entries.len() - 1).expect("invariant: entries are fewer than bytes charged")
        } else {
            let entry = self.unused;
            let place = &mut self.entries[entry as usize];
            self.unused = place.1;
            *place = (value, next);
            entry
        };
        self.heads[priority] = entry;
        self.least = self.least.min(priority);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, T)> {
        while let Some(head) = self.heads.get_mut(self.least) {
            if *head != NONE {
                let entry = *head;
                let place = &mut self.entries[entry as usize];
                (*head, place.1) = (place.1, self.unused);
                self.unused = entry;
                let priority = u32::try_from(self.least).expect("invariant: priorities have 32 bits");
                return Some((priority, place.0));
            }
            self.least += 1;
        }
        None
    }

    /// The entries that were in the queue at once.
    pub(super) const fn len_at_most(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_priority_comes_first_and_among_equals_the_newest() {
        let mut queue = BucketQueue::new();
        for (priority, value) in [(5, 'a'), (3, 'b'), (5, 'c'), (3, 'd')] {
            queue.push(priority, value);
        }
        assert_eq!([queue.pop(), queue.pop()], [Some((3, 'd')), Some((3, 'b'))]);
        queue.push(2, 'e');
        assert_eq!([queue.pop(), queue.pop(), queue.pop()], [Some((2, 'e')), Some((5, 'c')), Some((5, 'a'))]);
        assert_eq!((queue.pop(), queue.len_at_most()), (None, 4));
    }
}
