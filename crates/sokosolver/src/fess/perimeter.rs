//! Positions known from either side, shared by all strategies of a level: where one tree meets the other side's, the
//! level is solved.
//!
//! **Invariant**: an entry names the node of a tree whose position this is, or whose leap leads to it. Only positions
//! with all boxes on the board are entered. Hashes are not verified here: whoever joins two ways plays them.

use hashbrown::HashMap;
use sokosearch::{Charge, MemoryAccount};

use crate::Effort;
use crate::ground::Way;

/// Whose position it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) tree: u16,
    pub(crate) node: u32,
}

/// The known positions.
#[derive(Debug)]
pub(crate) struct Perimeter {
    pushed: HashMap<u64, Owner>,
    pulled: HashMap<u64, Owner>,
    memory: MemoryAccount,
    charge: Charge,
    is_full: bool,
}

impl Perimeter {
    /// Bytes of an entry and its mark, for each that fits before the table grows: at seven eighths of its places.
    const BYTES_EACH: usize = ((size_of::<(u64, Owner)>() + 1) * 8).div_ceil(7);

    /// Knows nothing yet.
    pub(crate) fn new(effort: &Effort) -> Self {
        let (memory, charge) = (effort.memory().clone(), effort.memory().nothing());
        Self { pushed: HashMap::new(), pulled: HashMap::new(), memory, charge, is_full: false }
    }

    /// Returns how many positions are known from the start and from the goals.
    #[cfg(test)]
    pub(crate) fn len(&self) -> (usize, usize) {
        (self.pushed.len(), self.pulled.len())
    }

    /// Notes a position, unless it is known; without memory nothing more is noted.
    pub(crate) fn note(&mut self, way: Way, hash: u64, owner: Owner) {
        let known = if way == Way::Forward { &mut self.pushed } else { &mut self.pulled };
        let mut passing = None;
        if known.len() == known.capacity() && !self.is_full {
            if known.contains_key(&hash) {
                return;
            }
            let grown = (known.capacity().max(1 << 9) * Self::BYTES_EACH) as u64;
            // While a table grows, the one before is there too.
            passing = self.memory.charge(grown).ok();
            self.is_full = passing.is_none() || self.charge.add(grown).is_err();
        }
        if !self.is_full || known.len() < known.capacity() {
            known.entry(hash).or_insert(owner);
        }
        drop(passing);
    }

    /// Notes a position and then those that its leaps lead to, one after the other; returns the last of these that is
    /// known from the other side, and to whom.
    pub(crate) fn enter(
        &mut self,
        way: Way,
        position: u64,
        next: impl Iterator<Item = u64>,
        owner: Owner,
    ) -> Option<(usize, Owner)> {
        self.note(way, position, owner);
        let mut met = None;
        for (at, hash) in next.enumerate() {
            met = self.meet(way, hash).filter(|&other| may_meet(owner, other)).map(|other| (at, other)).or(met);
            self.note(way, hash, owner);
        }
        met
    }

    /// Returns who knows a position from the other side.
    pub(crate) fn meet(&self, way: Way, hash: u64) -> Option<Owner> {
        let others = if way == Way::Forward { &self.pulled } else { &self.pushed };
        others.get(&hash).copied()
    }
}

/// Whether one may know of the other.
#[cfg(not(test))]
const fn may_meet(_: Owner, _: Owner) -> bool {
    true
}

/// In tests each side may be left to itself, and who met whom is noted.
#[cfg(test)]
fn may_meet(one: Owner, other: Owner) -> bool {
    use super::tests::{HAS_PERIMETER, MET};
    MET.set(Some([one.tree.min(other.tree), one.tree.max(other.tree)]));
    HAS_PERIMETER.get()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sokosearch::{Budget, Cancel, MemoryAccount};

    use super::*;

    fn effort(bytes: u64) -> Effort {
        let budget = Budget::new(Some(Duration::from_secs(9)), MemoryAccount::new(bytes), Cancel::default());
        Effort::new(budget, Cancel::default())
    }

    #[test]
    fn a_position_is_met_from_the_other_side_only() {
        let mut perimeter = Perimeter::new(&effort(1 << 20));
        let owner = Owner { tree: 3, node: 5 };
        perimeter.note(Way::Backward, 7, owner);
        perimeter.note(Way::Backward, 7, Owner { tree: 4, node: 1 });
        assert_eq!((perimeter.meet(Way::Forward, 7), perimeter.meet(Way::Backward, 7)), (Some(owner), None));
    }

    #[test]
    fn what_is_known_already_costs_nothing_more() {
        let effort = effort(1 << 20);
        let mut perimeter = Perimeter::new(&effort);
        let owner = Owner { tree: 0, node: 0 };
        (0..1000).for_each(|hash| perimeter.note(Way::Forward, hash, owner));
        let used = effort.memory().used();
        (0..10_000).for_each(|n| perimeter.note(Way::Forward, n % 1000, owner));
        let full = perimeter.pushed.capacity() as u64;
        (1000..full).for_each(|hash| perimeter.note(Way::Forward, hash, owner));
        (0..10_000).for_each(|n| perimeter.note(Way::Forward, n % 1000, owner));
        assert_eq!((effort.memory().used(), perimeter.pushed.capacity() as u64), (used, full));
    }

    #[test]
    fn without_memory_nothing_is_noted_and_nothing_fails() {
        let mut perimeter = Perimeter::new(&effort(0));
        perimeter.note(Way::Forward, 7, Owner { tree: 0, node: 0 });
        assert_eq!(perimeter.len(), (0, 0));
    }
}
