//! Lower bounds of the pushes that are left, and the positions that a bound shows to be lost.
//!
//! The sum over a minimum matching, or over nearest goals where that will do; distances around frozen boxes; pairs
//! that exclude each other; two pushes more for each pair of boxes in conflict.
//!
//! **Invariant**: no bound is more than what is left, whatever is switched on.

use std::sync::Arc;

use super::frozen_costs::FrozenCosts;
use super::goal_pairs::GoalPairs;
use super::penalties::Penalties;
use crate::bits::Bits;
use crate::freeze;
use crate::ground::{Flood, Ground, Way};
use crate::matching::{CostTable, Matching};
use crate::{Effort, Settings};

/// The bounds of one direction.
#[derive(Debug)]
pub(crate) struct Bounds<const W: usize> {
    by_matching: bool,
    /// Boxes that can never move again, in the position asked about last.
    frozen: Bits<W>,
    matching: Matching,
    /// For plain distances, where `matching` has those around frozen boxes.
    plain_matching: Matching,
    costs: Arc<CostTable>,
    plain_costs: Arc<CostTable>,
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
        ground: &Ground,
        way: Way,
        settings: &Settings,
        penalties: Option<Penalties<W>>,
        effort: &Effort,
    ) -> Self {
        let distances = match way {
            Way::Forward => ground.to_goals(),
            Way::Backward => ground.to_starts(),
        };
        let walls = way == Way::Forward && settings.frozen_walls;
        let costs = Arc::new(CostTable::new(ground, distances));
        Self {
            by_matching: settings.matching,
            frozen: Bits::default(),
            matching: Matching::new(distances.n_targets()),
            plain_matching: Matching::new(distances.n_targets()),
            plain_costs: costs.clone(),
            costs,
            nearest: 0,
            frozen_costs: walls.then(|| FrozenCosts::new(ground, effort)),
            goal_pairs: if walls && settings.goal_pairs { GoalPairs::new(ground, effort) } else { None },
            penalties,
            flood: Flood::new(ground),
        }
    }

    /// Returns the work done since the last call, beyond what every position takes.
    pub(crate) fn take_work(&mut self) -> u64 {
        self.goal_pairs.as_mut().map_or(0, GoalPairs::take_work)
    }

    /// Returns the bound of a position; `None` if it is lost.
    pub(crate) fn exact(&mut self, ground: &Ground, boxes: &Bits<W>, squares: &[u16], player: u16) -> Option<u16> {
        self.frozen = Bits::default();
        if let Some(frozen_costs) = &mut self.frozen_costs {
            self.frozen = freeze::frozen(ground, boxes);
            self.costs = frozen_costs.around(ground, &self.frozen);
        }
        let bound = self.around_frozen(ground, boxes, squares)?;
        Some(bound.max(self.with_penalties(ground, boxes, squares, player).unwrap_or(0)))
    }

    /// Takes these boxes of the same position for frozen as well; returns false if it is lost.
    pub(crate) fn freeze(&mut self, ground: &Ground, boxes: &Bits<W>, squares: &[u16], more: &Bits<W>) -> bool {
        let Some(frozen_costs) = &mut self.frozen_costs else { return true };
        if more.is_within(&self.frozen) {
            return true;
        }
        more.iter().for_each(|sq| self.frozen.insert(sq));
        self.costs = frozen_costs.around(ground, &self.frozen);
        self.around_frozen(ground, boxes, squares).is_some()
    }

    fn around_frozen(&mut self, ground: &Ground, boxes: &Bits<W>, squares: &[u16]) -> Option<u16> {
        let bound = if self.by_matching {
            self.matching.solve(&self.costs, squares.iter().copied())?
        } else {
            self.nearest = squares.iter().map(|&sq| self.costs.nearest(sq)).sum();
            CostTable::as_bound(self.nearest)?
        };
        let frozen = &self.frozen;
        let is_lost = self.goal_pairs.as_mut().is_some_and(|pairs| pairs.is_lost(ground, boxes, frozen));
        (!is_lost).then_some(bound)
    }

    /// The plain sum with penalties, if there are any.
    fn with_penalties(&mut self, ground: &Ground, boxes: &Bits<W>, squares: &[u16], player: u16) -> Option<u16> {
        let penalties = self.penalties.as_ref().filter(|penalties| penalties.may_apply(boxes))?;
        self.flood.run(ground, boxes, player);
        let more = penalties.of(ground, boxes, &self.flood);
        if more == 0 {
            return None;
        }
        let plain = if self.by_matching {
            self.plain_matching.solve(&self.plain_costs, squares.iter().copied())?
        } else {
            CostTable::as_bound(squares.iter().map(|&sq| self.plain_costs.nearest(sq)).sum())?
        };
        Some(plain + more)
    }

    /// Returns a bound after the `row`-th box of the last exact one, on `from`, has gone to `to`; `None` if that is
    /// lost.
    #[inline]
    pub(crate) fn after(&self, row: usize, from: u16, to: u16) -> Option<u16> {
        if self.by_matching {
            return self.matching.after(&self.costs, row, to);
        }
        CostTable::as_bound(self.nearest - self.costs.nearest(from) + self.costs.nearest(to))
    }
}
