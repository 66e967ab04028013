//! Results in the order of the list, however they come.

use hashbrown::HashMap;

/// Holds results back until all before them are there.
#[derive(Debug)]
pub(crate) struct InOrder<R> {
    next: usize,
    waiting: HashMap<usize, R>,
    /// Indices that were put, where nothing is held back.
    is_unordered: bool,
    done: hashbrown::HashSet<usize>,
}

impl<R> InOrder<R> {
    /// Makes an empty one. If results are not to be ordered, nothing is held back.
    pub(crate) fn new(is_unordered: bool) -> Self {
        Self { next: 0, waiting: HashMap::new(), is_unordered, done: hashbrown::HashSet::new() }
    }

    /// Takes a result, and returns those whose turn it is now with their indices. An index counts once.
    pub(crate) fn put(&mut self, idx: usize, result: R) -> Vec<(usize, R)> {
        if self.is_unordered {
            return if self.done.insert(idx) { vec![(idx, result)] } else { Vec::new() };
        }
        if idx >= self.next {
            self.waiting.insert(idx, result);
        }
        let mut due = Vec::new();
        while let Some(result) = self.waiting.remove(&self.next) {
            due.push((self.next, result));
            self.next += 1;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_wait_for_those_before() {
        let mut order = InOrder::new(false);
        assert_eq!(order.put(1, 'b'), []);
        assert_eq!(order.put(0, 'a'), [(0, 'a'), (1, 'b')]);
        assert_eq!(order.put(0, 'x'), []);
        assert_eq!(order.put(2, 'c'), [(2, 'c')]);
        let mut unordered = InOrder::new(true);
        assert_eq!(unordered.put(1, 'b'), [(1, 'b')]);
        assert_eq!(unordered.put(1, 'b'), []);
    }
}
