//! Lower bounds of the pushes that are left, and positions that a bound shows to be lost.
//!
//! The cost of a minimum matching, or the sum over nearest goals where that is enough; distances around frozen boxes;
//! pairs of goals that exclude each other; two pushes more for each pair of boxes in conflict.
//!
//! With [`SideCosts`] a box's distances depend on the side of it where the player is. The walls and that box alone
//! decide which of its sides the player can reach, so only moving that box changes them: all others keep their rows,
//! and the dual bounds of children hold. They hold around frozen boxes too, which only remove paths.
//!
//! **Invariant**: every bound is admissible, whatever is switched on.

use std::sync::Arc;

use crate::board::bit_set::BitSet;
use crate::board::{Flood, SearchBoard, SearchDirection};
use crate::bound::frozen_costs::FrozenCosts;
use crate::bound::matching::{CostTable, Matching};
use crate::bound::penalties::Penalties;
use crate::bound::side_costs::SideCosts;
use crate::deadlock::freeze;
use crate::goal_macros::goal_pairs::GoalPairs;
use crate::{Settings, Technique, WorkMeter};

/// The lower bounds of one direction.
#[derive(Debug)]
pub(crate) struct Bounds<const W: usize> {
    by_matching: bool,
    /// Boxes that can never move again, in the last position.
    frozen: BitSet<W>,
    /// The row of each box in the costs, in the last position.
    rows: Vec<u16>,
    matching: Matching,
    /// For distances on the empty board, where `matching` has those around frozen boxes.
    open_matching: Matching,
    costs: Arc<CostTable>,
    open_costs: Arc<CostTable>,
    sides: Option<SideCosts>,
    /// Sum over the nearest targets.
    nearest: u32,
    frozen_costs: Option<FrozenCosts<W>>,
    goal_pairs: Option<GoalPairs<W>>,
    penalties: Option<Penalties<W>>,
    flood: Flood,
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
        Self {
            by_matching: settings.uses(Technique::Matching),
            frozen: BitSet::default(),
            rows: Vec::new(),
            matching: Matching::new(distances.n_targets()),
            open_matching: Matching::new(distances.n_targets()),
            open_costs: costs.clone(),
            nearest: 0,
            frozen_costs: walls.then(|| FrozenCosts::new(costs.clone(), rows, meter)),
            costs,
            sides,
            goal_pairs: if walls && settings.uses(Technique::GoalPairs) { GoalPairs::new(board, meter) } else { None },
            penalties,
            flood: Flood::new(board),
        }
    }

    /// Returns the ticks since the last call, beyond those of every position.
    pub(crate) fn take_work(&mut self) -> u64 {
        let by_pairs = self.goal_pairs.as_mut().map_or(0, GoalPairs::take_work);
        by_pairs + self.frozen_costs.as_mut().map_or(0, FrozenCosts::take_work)
    }

    /// Returns the bound of a position; `None` if it is lost.
    pub(crate) fn exact(
        &mut self,
        board: &SearchBoard,
        boxes: &BitSet<W>,
        squares: &[u16],
        player: u16,
    ) -> Option<u16> {
        self.frozen = BitSet::default();
        if let Some(frozen_costs) = &mut self.frozen_costs {
            self.frozen = freeze::frozen(board, boxes);
            self.costs = frozen_costs.around(board, &self.frozen);
        }
        self.rows.clear();
        match &self.sides {
            Some(sides) => self.rows.extend(squares.iter().map(|&sq| sides.rows.of(sq, player))),
            None => self.rows.extend_from_slice(squares),
        }
        let bound = self.around_frozen(board, boxes)?;
        Some(bound.max(self.with_penalties(board, boxes, player).unwrap_or(0)))
    }

    /// Adds frozen boxes of the same position; returns false if that shows it to be lost.
    pub(crate) fn freeze(&mut self, board: &SearchBoard, boxes: &BitSet<W>, more: &BitSet<W>) -> bool {
        let Some(frozen_costs) = &mut self.frozen_costs else { return true };
        if more.is_within(&self.frozen) {
            return true;
        }
        more.iter().for_each(|sq| self.frozen.insert(sq));
        self.costs = frozen_costs.around(board, &self.frozen);
        self.around_frozen(board, boxes).is_some()
    }

    fn around_frozen(&mut self, board: &SearchBoard, boxes: &BitSet<W>) -> Option<u16> {
        let bound = if self.by_matching {
            self.matching.solve(&self.costs, self.rows.iter().copied())?
        } else {
            self.nearest = self.rows.iter().map(|&row| self.costs.nearest(row)).sum();
            CostTable::as_bound(self.nearest)?
        };
        let frozen = &self.frozen;
        let is_lost = self.goal_pairs.as_mut().is_some_and(|pairs| pairs.is_lost(board, boxes, frozen));
        (!is_lost).then_some(bound)
    }

    /// The bound on the empty board plus penalties, if there are any.
    fn with_penalties(&mut self, board: &SearchBoard, boxes: &BitSet<W>, player: u16) -> Option<u16> {
        let penalties = self.penalties.as_ref().filter(|penalties| penalties.may_apply(boxes))?;
        self.flood.run(board, boxes, player);
        let more = penalties.of(board, boxes, &self.flood);
        if more == 0 {
            return None;
        }
        let open = if self.by_matching {
            self.open_matching.solve(&self.open_costs, self.rows.iter().copied())?
        } else {
            CostTable::as_bound(self.rows.iter().map(|&row| self.open_costs.nearest(row)).sum())?
        };
        Some(open + more)
    }

    /// Returns a bound after the `number`-th box of the last exact bound has moved to `sq`, with the player on that
    /// side of it; `None` if that is lost.
    #[inline]
    pub(crate) fn after(&self, number: usize, sq: u16, side: usize) -> Option<u16> {
        let row = self.sides.as_ref().map_or(sq, |sides| sides.rows.at(sq, side));
        if self.by_matching {
            return self.matching.after(&self.costs, number, row);
        }
        CostTable::as_bound(self.nearest - self.costs.nearest(self.rows[number]) + self.costs.nearest(row))
    }
}
