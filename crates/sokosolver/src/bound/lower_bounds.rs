//! Lower bounds of the pushes that are left, and positions that a bound shows to be lost.
//!
//! ```text
//!   a position:  cost of a minimum matching, around frozen boxes  ─┐
//!                each of the bounds beside it                     ─┴─▶ the largest; lost if any says so
//!   its child:   the matching, with one row solved again
//! ```
//!
//! Where a matching is switched off, it is the sum over nearest goals.
//!
//! With [`SideCosts`] a box's distances depend on the side of it where the player is. The walls and that box alone
//! decide which of its sides the player can reach, so only moving that box changes them: all others keep their rows,
//! and the dual bounds of children hold. They hold around frozen boxes too, which only remove paths.
//!
//! **Invariant**: every bound is admissible, whatever is switched on.

use std::sync::Arc;

use sokocore::FloorSquare;

use crate::board::bit_set::BitSet;
use crate::board::{DistanceRow, SearchBoard, SearchDirection};
use crate::bound::added_bound::{AddedBound, BoundParts, BoundedPosition};
use crate::bound::frozen_costs::FrozenCosts;
use crate::bound::matching::{CostTable, Matching, MatrixRow};
use crate::bound::penalties::Penalties;
use crate::bound::side_costs::SideCosts;
use crate::deadlock::freeze;
use crate::{Settings, Technique, WorkMeter};

/// The lower bounds of one direction.
#[derive(Debug)]
pub(crate) struct Bounds<const W: usize> {
    by_matching: bool,
    /// Boxes that can never move again, in the last position.
    frozen: BitSet<W>,
    /// The row of each box in the costs, in the last position.
    rows: Vec<DistanceRow>,
    matching: Matching,
    costs: Arc<CostTable>,
    sides: Option<SideCosts>,
    /// Sum over the nearest targets.
    nearest: u32,
    frozen_costs: Option<FrozenCosts<W>>,
    /// The player's square in the last position.
    player: FloorSquare,
    added: Vec<Box<dyn AddedBound<W>>>,
}

impl<const W: usize> Bounds<W> {
    /// Prepares what the settings ask for.
    pub(crate) fn new(
        board: &SearchBoard,
        direction: SearchDirection,
        settings: &Settings,
        penalties: Option<Penalties<W>>,
        sides: Option<SideCosts>,
        meter: &WorkMeter,
    ) -> Self {
        let distances = match direction {
            SearchDirection::Forward => board.to_goals(),
            SearchDirection::Backward => board.to_starts(),
        };
        let walls = direction == SearchDirection::Forward && settings.uses(Technique::FrozenWalls);
        let costs =
            sides.as_ref().map_or_else(|| Arc::new(CostTable::new(board, distances)), |sides| sides.costs.clone());
        let rows = sides.as_ref().map(|sides| sides.rows.clone());
        let frozen_costs = walls.then(|| FrozenCosts::new(costs.clone(), rows, meter));
        let mut parts =
            BoundParts { board, direction, settings, costs: &costs, has_frozen_walls: walls, penalties, meter };
        let added = Self::ADDED.iter().filter_map(|make| make(&mut parts)).collect();
        Self {
            by_matching: settings.uses(Technique::Matching),
            frozen: BitSet::default(),
            rows: Vec::new(),
            matching: Matching::new(distances.n_targets()),
            nearest: 0,
            frozen_costs,
            costs,
            sides,
            player: board.player(),
            added,
        }
    }

    /// Returns the ticks since the last call, beyond those of every position.
    pub(crate) fn take_work(&mut self) -> u64 {
        let by_added: u64 = self.added.iter_mut().map(|bound| bound.take_work()).sum();
        by_added + self.frozen_costs.as_mut().map_or(0, FrozenCosts::take_work)
    }

    /// Returns the bound of a position; `None` if it is lost.
    pub(crate) fn exact(
        &mut self,
        board: &SearchBoard,
        boxes: &BitSet<W>,
        squares: &[FloorSquare],
        player: FloorSquare,
    ) -> Option<u16> {
        self.frozen = BitSet::default();
        if let Some(frozen_costs) = &mut self.frozen_costs {
            self.frozen = freeze::frozen(board, boxes);
            self.costs = frozen_costs.around(board, &self.frozen);
        }
        self.rows.clear();
        match &self.sides {
            Some(sides) => self.rows.extend(squares.iter().map(|&sq| sides.rows.of(sq, player))),
            None => self.rows.extend(squares.iter().map(|&sq| DistanceRow::from(sq))),
        }
        self.player = player;
        let bound = self.around_frozen()?;
        Some(bound.max(self.most_added(board, boxes, |_| true)?))
    }

    /// Adds frozen boxes of the same position; returns false if that shows it to be lost.
    pub(crate) fn freeze(&mut self, board: &SearchBoard, boxes: &BitSet<W>, more: &BitSet<W>) -> bool {
        let Some(frozen_costs) = &mut self.frozen_costs else { return true };
        if more.is_within(&self.frozen) {
            return true;
        }
        more.iter().for_each(|sq| self.frozen.insert(sq));
        self.costs = frozen_costs.around(board, &self.frozen);
        self.around_frozen().is_some() && self.most_added(board, boxes, |bound| bound.reads_frozen()).is_some()
    }

    /// The cost of the matching with frozen boxes as walls.
    fn around_frozen(&mut self) -> Option<u16> {
        if self.by_matching {
            return self.matching.solve(&self.costs, self.rows.iter().copied());
        }
        self.nearest = self.rows.iter().map(|&row| self.costs.nearest(row)).sum();
        CostTable::as_bound(self.nearest)
    }

    /// The largest of the bounds beside the matching that are asked; `None` if the position is lost.
    fn most_added(
        &mut self,
        board: &SearchBoard,
        boxes: &BitSet<W>,
        is_asked: impl Fn(&dyn AddedBound<W>) -> bool,
    ) -> Option<u16> {
        let Self { added, rows, player, frozen, .. } = self;
        let position = BoundedPosition { board, boxes, rows, player: *player, frozen };
        let mut asked = added.iter_mut().filter(|bound| is_asked(&***bound));
        asked.try_fold(0, |most, bound| Some(most.max(bound.of(&position)?)))
    }

    /// Returns a bound after the box of this row in the last exact bound has moved to `sq`, with the player on that
    /// side of it; `None` if that is lost.
    #[inline]
    pub(crate) fn after(&self, row: MatrixRow, sq: FloorSquare, side: usize) -> Option<u16> {
        let to = self.sides.as_ref().map_or(sq.into(), |sides| sides.rows.at(sq, side));
        if self.by_matching {
            return self.matching.after(&self.costs, row, to);
        }
        CostTable::as_bound(self.nearest - self.costs.nearest(self.rows[row.idx()]) + self.costs.nearest(to))
    }
}

#[cfg(test)]
mod tests;
