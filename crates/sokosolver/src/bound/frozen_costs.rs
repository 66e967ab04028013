//! Push distances around boxes that are frozen on goals: these boxes are walls, and their goals are taken.
//!
//! The same sets of frozen boxes recur, so their tables are cached. When the cache is full it is cleared; that costs
//! only time.

use std::sync::Arc;

use hashbrown::HashMap;
use sokosearch::Charge;

use crate::WorkMeter;
use crate::board::bit_set::BitSet;
use crate::board::{Distances, SearchBoard, SearchDirection, SideRows};
use crate::bound::matching::CostTable;

/// Bytes of the cache. On boards where a single table takes more, frozen boxes are no walls.
const MAX_BYTES: usize = 8 << 20;
/// Bytes of a table that are measured in one tick: on small boards a table costs none.
const BYTES_PER_TICK: u64 = 1 << 14;

/// Cost tables by frozen set.
#[derive(Debug)]
pub(crate) struct FrozenCosts<const W: usize> {
    tables: HashMap<BitSet<W>, Arc<CostTable>>,
    base: Arc<CostTable>,
    sides: Option<Arc<SideRows>>,
    last: Option<(BitSet<W>, Arc<CostTable>)>,
    bytes: usize,
    work: u64,
    /// `None` without memory, or if a single table would not fit: then frozen boxes are no walls.
    charge: Option<Charge>,
}

impl<const W: usize> FrozenCosts<W> {
    /// Prepares for tables with the rows of `base`, which has no frozen boxes.
    pub(crate) fn new(base: Arc<CostTable>, sides: Option<Arc<SideRows>>, meter: &WorkMeter) -> Self {
        let fits = base.bytes() <= MAX_BYTES;
        let charge = if fits { meter.memory().charge(MAX_BYTES as u64).ok() } else { None };
        Self { tables: HashMap::new(), base, sides, last: None, bytes: 0, work: 0, charge }
    }

    /// Returns the ticks that tables took since the last call.
    pub(crate) const fn take_work(&mut self) -> u64 {
        std::mem::replace(&mut self.work, 0)
    }

    /// Returns the distances with these boxes as walls.
    pub(crate) fn around(&mut self, board: &SearchBoard, frozen: &BitSet<W>) -> Arc<CostTable> {
        if frozen.0.iter().all(|&word| word == 0) || self.charge.is_none() {
            return self.base.clone();
        }
        if let Some((_, table)) = self.last.as_ref().filter(|(last, _)| last == frozen) {
            return table.clone();
        }
        let table = if let Some(table) = self.tables.get(frozen) {
            table.clone()
        } else {
            let distances = Distances::by_side(
                board.sides(),
                SearchDirection::Forward,
                board.goals(),
                self.sides.as_deref(),
                |sq| frozen.has(sq),
            );
            let table = Arc::new(CostTable::new(board, &distances));
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
mod tests;
