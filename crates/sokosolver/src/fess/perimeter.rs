//! Positions known from either side, shared by all strategies of a level: where one tree meets the other side's, the
//! level is solved.
//!
//! **Invariant**: an entry is the position of a node, or one that a leap of a node leads to. Only positions with all
//! boxes on the board are entered. Hashes are not verified here, and whose position it is is not kept: whoever finds one
//! looks for a node of the other side that is it or leads to it, and plays both ways.

use sokosearch::Charge;

use crate::WorkMeter;
use crate::board::SearchDirection;

use crate::store::fingerprint_set::FingerprintSet;

/// The known positions.
#[derive(Debug)]
pub(crate) struct Perimeter {
    pushed: FingerprintSet,
    pulled: FingerprintSet,
    charge: Charge,
    is_full: bool,
}

impl Perimeter {
    /// Knows nothing yet.
    pub(crate) fn new(effort: &WorkMeter) -> Self {
        let (pushed, pulled) = Default::default();
        Self { pushed, pulled, charge: effort.memory().nothing(), is_full: false }
    }

    /// Returns how many positions are known from the start and from the goals.
    #[cfg(test)]
    pub(crate) const fn len(&self) -> (usize, usize) {
        (self.pushed.len(), self.pulled.len())
    }

    /// Notes a position; without memory nothing more is noted.
    pub(crate) fn note(&mut self, way: SearchDirection, hash: u64) {
        let ahead = (self.pushed.bytes_ahead() + self.pulled.bytes_ahead()) as u64;
        let charged = self.charge.bytes();
        if ahead > charged && !self.is_full {
            let step = (ahead / 32).clamp(1 << 12, 1 << 18);
            self.is_full = self.charge.add(ahead - charged + step).is_err();
        }
        if !self.is_full {
            if way == SearchDirection::Forward { self.pushed.insert(hash) } else { self.pulled.insert(hash) }
        }
    }

    /// Notes a position and then those that its leaps lead to, one after the other; returns the last of these that is
    /// known from the other side.
    pub(crate) fn enter(
        &mut self,
        way: SearchDirection,
        position: u64,
        next: impl Iterator<Item = u64> + Clone,
    ) -> Option<usize> {
        // All lines are asked for before any is looked at, so that memory answers for many at once.
        for hash in next.clone() {
            self.pushed.touch(hash);
            self.pulled.touch(hash);
        }
        self.note(way, position);
        let mut met = None;
        for (at, hash) in next.enumerate() {
            if self.meets(way, hash) && may_meet() {
                met = Some(at);
            }
            self.note(way, hash);
        }
        met
    }

    /// Returns whether a position is known from the other side.
    pub(crate) fn meets(&self, way: SearchDirection, hash: u64) -> bool {
        let others = if way == SearchDirection::Forward { &self.pulled } else { &self.pushed };
        others.has(hash)
    }
}

/// Whether one side may know of the other.
#[cfg(not(test))]
const fn may_meet() -> bool {
    true
}

/// In tests each side may be left to itself.
#[cfg(test)]
fn may_meet() -> bool {
    super::tests::HAS_PERIMETER.get()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sokosearch::{Budget, Cancel, MemoryAccount};

    use super::*;

    fn effort(bytes: u64) -> WorkMeter {
        let budget = Budget::new(Some(Duration::from_secs(9)), MemoryAccount::new(bytes), Cancel::default());
        WorkMeter::new(budget, Cancel::default())
    }

    #[test]
    fn a_position_is_met_from_the_other_side_only() {
        let mut perimeter = Perimeter::new(&effort(1 << 20));
        perimeter.note(SearchDirection::Backward, 7 << 40);
        assert!(
            perimeter.meets(SearchDirection::Forward, 7 << 40) && !perimeter.meets(SearchDirection::Backward, 7 << 40)
        );
        let met = perimeter.enter(SearchDirection::Forward, 1 << 40, [2, 7, 3].into_iter().map(|hash| hash << 40));
        assert_eq!((met, perimeter.len()), (Some(1), (4, 1)));
    }

    #[test]
    fn what_is_known_already_costs_nothing_more() {
        let effort = effort(1 << 20);
        let mut perimeter = Perimeter::new(&effort);
        (0..1000).for_each(|hash| perimeter.note(SearchDirection::Forward, hash << 40));
        let used = effort.memory().used();
        (0..10_000).for_each(|n| perimeter.note(SearchDirection::Forward, (n % 1000) << 40));
        assert_eq!((effort.memory().used(), perimeter.len().0), (used, 1000));
    }

    #[test]
    fn without_memory_nothing_is_noted_and_nothing_fails() {
        let mut perimeter = Perimeter::new(&effort(0));
        perimeter.note(SearchDirection::Forward, 7);
        assert_eq!(perimeter.len(), (0, 0));
    }
}
