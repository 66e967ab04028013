//! Push distances around boxes that are frozen on goals: these are walls, and their goals are taken.
//!
//! Sets of frozen boxes come back over and over, so the tables are kept. When there is no more room for them all are
//! forgotten; nothing but time is lost.

use std::sync::Arc;

use hashbrown::HashMap;
use sokosearch::Charge;

use crate::Effort;
use crate::bits::Bits;
use crate::ground::{Distances, Ground, SideRows, Way};
use crate::matching::CostTable;

/// What the tables may take together. Where a single one takes more, the walls stay as they are.
const MAX_BYTES: usize = 8 << 20;
/// How much of a table is measured in a tick: nothing on small boards.
const BYTES_PER_TICK: u64 = 1 << 14;

/// Cost tables by frozen set.
#[derive(Debug)]
pub(crate) struct FrozenCosts<const W: usize> {
    tables: HashMap<Bits<W>, Arc<CostTable>>,
    base: Arc<CostTable>,
    sides: Option<Arc<SideRows>>,
    last: Option<(Bits<W>, Arc<CostTable>)>,
    bytes: usize,
    work: u64,
    /// None if there was no memory, or would not be enough for a single table: then the walls stay as they are.
    charge: Option<Charge>,
}

impl<const W: usize> FrozenCosts<W> {
    /// Prepares for tables with the rows of `base`, which is the one without walls.
    pub(crate) fn new(base: Arc<CostTable>, sides: Option<Arc<SideRows>>, effort: &Effort) -> Self {
        let fits = base.bytes() <= MAX_BYTES;
        let charge = if fits { effort.memory().charge(MAX_BYTES as u64).ok() } else { None };
        Self { tables: HashMap::new(), base, sides, last: None, bytes: 0, work: 0, charge }
    }

    /// Returns the ticks that tables took since the last call.
    pub(crate) const fn take_work(&mut self) -> u64 {
        std::mem::replace(&mut self.work, 0)
    }

    /// Returns the distances with these boxes as walls.
    pub(crate) fn around(&mut self, ground: &Ground, frozen: &Bits<W>) -> Arc<CostTable> {
        if frozen.0.iter().all(|&word| word == 0) || self.charge.is_none() {
            return self.base.clone();
        }
        if let Some((_, table)) = self.last.as_ref().filter(|(last, _)| last == frozen) {
            return table.clone();
        }
        let table = if let Some(table) = self.tables.get(frozen) {
            table.clone()
        } else {
            let distances =
                Distances::by_side(ground, Way::Forward, ground.goals(), self.sides.as_deref(), |sq| frozen.has(sq));
            let table = Arc::new(CostTable::new(ground, &distances));
            self.bytes += table.bytes();
            self.work += table.bytes() as u64 / BYTES_PER_TICK;
            if self.bytes > MAX_BYTES {
                self.tables.clear();
                self.bytes = table.bytes();
            }
            self.tables.insert(*frozen, table.clone());
            table
        };
        self.last = Some((*frozen, table.clone()));
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::freeze;
    use crate::matching::Matching;
    use sokocore::Level;
    use sokosearch::{Budget, Cancel, MemoryAccount};

    /// The frozen box bars the corridor to the last goal: no matching, though the plain distances have one.
    #[test]
    fn a_frozen_box_makes_a_goal_unreachable() {
        let rows = ["########", "###.####", "###*   #", "#@   $ #", "########"];
        let level = Level::parse(&rows.join("\n")).unwrap();
        let Some(ground) = Ground::new(&level) else { return };
        let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default());
        let base = Arc::new(CostTable::new(&ground, ground.to_goals()));
        let mut costs = FrozenCosts::<1>::new(base, None, &Effort::new(budget, Cancel::default()));
        let boxes = Ground::set(ground.starts());
        let mut frozen = freeze::frozen(&ground, &boxes);
        let n_goals = ground.goals().len();
        let plain = Matching::new(n_goals).solve(&costs.base.clone(), boxes.iter());
        frozen.insert(ground.number(level.board().square_at(2, 3).unwrap()));
        let barred = Matching::new(n_goals).solve(&costs.around(&ground, &frozen), boxes.iter());
        assert!(plain.is_some() && barred.is_none(), "{plain:?} {barred:?}");
    }
}
