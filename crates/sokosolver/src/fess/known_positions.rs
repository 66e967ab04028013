//! Positions known from either side, shared by all variants of a level: where two sides meet the level is solved.
//!
//! Invariant: an entry is the position of a node, or one that a macro move of a node leads to. Only positions with all
//! boxes on the board are entered. Entries are hashes without their trees, and are not verified: after a meeting a node
//! of the other side has to be found that is the position or leads to it.

use sokosearch::Charge;

use crate::WorkMeter;
use crate::board::SearchDirection;

use crate::store::fingerprint_set::FingerprintSet;

/// The known positions.
#[derive(Debug)]
pub(crate) struct KnownPositions {
    pushed: FingerprintSet,
    pulled: FingerprintSet,
    charge: Charge,
    is_full: bool,
}

impl KnownPositions {
    /// Makes an empty set.
    pub(crate) fn new(meter: &WorkMeter) -> Self {
        let (pushed, pulled) = Default::default();
        Self { pushed, pulled, charge: meter.memory().nothing(), is_full: false }
    }

    /// Returns how many positions are known from the start and from the goals.
    #[cfg(test)]
    pub(crate) const fn len(&self) -> (usize, usize) {
        (self.pushed.len(), self.pulled.len())
    }

    /// Adds a position, unless memory has run out.
    pub(crate) fn add(&mut self, direction: SearchDirection, hash: u64) {
        let ahead = (self.pushed.bytes_ahead() + self.pulled.bytes_ahead()) as u64;
        let charged = self.charge.bytes();
        if ahead > charged && !self.is_full {
            let step = (ahead / 32).clamp(1 << 12, 1 << 18);
            self.is_full = self.charge.add(ahead - charged + step).is_err();
        }
        if !self.is_full {
            if direction == SearchDirection::Forward { self.pushed.insert(hash) } else { self.pulled.insert(hash) }
        }
    }

    /// Adds a position and then its successors, one after the other; returns the last successor that is known from the
    /// other side.
    pub(crate) fn add_with_successors(
        &mut self,
        direction: SearchDirection,
        position: u64,
        next: impl Iterator<Item = u64> + Clone,
    ) -> Option<usize> {
        // All cache lines are prefetched before the first is read.
        for hash in next.clone() {
            self.pushed.touch(hash);
            self.pulled.touch(hash);
        }
        self.add(direction, position);
        let mut met = None;
        for (at, hash) in next.enumerate() {
            if self.meets(direction, hash) {
                met = Some(at);
            }
            self.add(direction, hash);
        }
        met
    }

    /// Returns whether a position is known from the other side.
    pub(crate) fn meets(&self, direction: SearchDirection, hash: u64) -> bool {
        let others = if direction == SearchDirection::Forward { &self.pulled } else { &self.pushed };
        others.has(hash)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sokosearch::{Budget, Cancel, MemoryAccount};

    use super::*;

    fn meter(bytes: u64) -> WorkMeter {
        let budget = Budget::new(Some(Duration::from_secs(9)), MemoryAccount::new(bytes), Cancel::default());
        WorkMeter::new(budget, Cancel::default())
    }

    #[test]
    fn a_position_is_met_from_the_other_side_only() {
        let mut known_positions = KnownPositions::new(&meter(1 << 20));
        known_positions.add(SearchDirection::Backward, 7 << 40);
        assert!(
            known_positions.meets(SearchDirection::Forward, 7 << 40)
                && !known_positions.meets(SearchDirection::Backward, 7 << 40)
        );
        let met = known_positions.add_with_successors(
            SearchDirection::Forward,
            1 << 40,
            [2, 7, 3].into_iter().map(|hash| hash << 40),
        );
        assert_eq!((met, known_positions.len()), (Some(1), (4, 1)));
    }

    #[test]
    fn what_is_known_already_costs_nothing_more() {
        let meter = meter(1 << 20);
        let mut known_positions = KnownPositions::new(&meter);
        (0..1000).for_each(|hash| known_positions.add(SearchDirection::Forward, hash << 40));
        let used = meter.memory().used();
        (0..10_000).for_each(|n| known_positions.add(SearchDirection::Forward, (n % 1000) << 40));
        assert_eq!((meter.memory().used(), known_positions.len().0), (used, 1000));
    }

    #[test]
    fn without_memory_nothing_is_added_and_nothing_fails() {
        let mut known_positions = KnownPositions::new(&meter(0));
        known_positions.add(SearchDirection::Forward, 7);
        assert_eq!(known_positions.len(), (0, 0));
    }
}
