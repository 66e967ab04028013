//! Lower bounds of the pushes that are left, and the positions that a bound shows to be lost.
//!
//! The sum over a minimum matching, or over nearest goals where that will do; distances around frozen boxes; pairs
//! that exclude each other; two pushes more for each pair of boxes in conflict.
//!
//! With [`Sides`] a box's distances are those with the player where he is. Which sides of a box he can come to is told by
//! the walls and that box alone, so only moving it changes that: all the others keep their rows, and what prices say of
//! a child holds as before. Around frozen boxes it holds as well: they only take ways away.
//!
//! **Invariant**: no bound is more than what is left, whatever is switched on.

use std::sync::Arc;

use super::frozen_costs::FrozenCosts;
use super::goal_pairs::GoalPairs;
use super::penalties::Penalties;
use super::tables::Sides;
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
    /// The row of each box in the costs, in that position.
    rows: Vec<u16>,
    matching: Matching,
    /// For distances without walls, where `matching` has those around frozen boxes.
    open_matching: Matching,
    costs: Arc<CostTable>,
    open_costs: Arc<CostTable>,
    sides: Option<Sides>,
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
        sides: Option<Sides>,
        effort: &Effort,
    ) -> Self {
        let distances = match way {
            Way::Forward => ground.to_goals(),
            Way::Backward => ground.to_starts(),
        };
        let walls = way == Way::Forward && settings.frozen_walls;
        let costs =
            sides.as_ref().map_or_else(|| Arc::new(CostTable::new(ground, distances)), |sides| sides.costs.clone());
        let rows = sides.as_ref().map(|sides| sides.rows.clone());
        Self {
            by_matching: settings.matching,
            frozen: Bits::default(),
            rows: Vec::new(),
            matching: Matching::new(distances.n_targets()),
            open_matching: Matching::new(distances.n_targets()),
            open_costs: costs.clone(),
            nearest: 0,
            frozen_costs: walls.then(|| FrozenCosts::new(costs.clone(), rows, effort)),
            costs,
            sides,
            goal_pairs: if walls && settings.goal_pairs { GoalPairs::new(ground, effort) } else { None },
            penalties,
            flood: Flood::new(ground),
        }
    }

    /// Returns the work done since the last call, beyond what every position takes.
    pub(crate) fn take_work(&mut self) -> u64 {
        let by_pairs = self.goal_pairs.as_mut().map_or(0, GoalPairs::take_work);
        by_pairs + self.frozen_costs.as_mut().map_or(0, FrozenCosts::take_work)
    }

    /// Returns the bound of a position; `None` if it is lost.
    pub(crate) fn exact(&mut self, ground: &Ground, boxes: &Bits<W>, squares: &[u16], player: u16) -> Option<u16> {
        self.frozen = Bits::default();
        if let Some(frozen_costs) = &mut self.frozen_costs {
            self.frozen = freeze::frozen(ground, boxes);
            self.costs = frozen_costs.around(ground, &self.frozen);
        }
        self.rows.clear();
        match &self.sides {
            Some(sides) => self.rows.extend(squares.iter().map(|&sq| sides.rows.of(sq, player))),
            None => self.rows.extend_from_slice(squares),
        }
        let bound = self.around_frozen(ground, boxes)?;
        Some(bound.max(self.with_penalties(ground, boxes, player).unwrap_or(0)))
    }

    /// Takes these boxes of the same position for frozen as well; returns false if it is lost.
    pub(crate) fn freeze(&mut self, ground: &Ground, boxes: &Bits<W>, more: &Bits<W>) -> bool {
        let Some(frozen_costs) = &mut self.frozen_costs else { return true };
        if more.is_within(&self.frozen) {
            return true;
        }
        more.iter().for_each(|sq| self.frozen.insert(sq));
        self.costs = frozen_costs.around(ground, &self.frozen);
        self.around_frozen(ground, boxes).is_some()
    }

    fn around_frozen(&mut self, ground: &Ground, boxes: &Bits<W>) -> Option<u16> {
        let bound = if self.by_matching {
            self.matching.solve(&self.costs, self.rows.iter().copied())?
        } else {
            self.nearest = self.rows.iter().map(|&row| self.costs.nearest(row)).sum();
            CostTable::as_bound(self.nearest)?
        };
        let frozen = &self.frozen;
        let is_lost = self.goal_pairs.as_mut().is_some_and(|pairs| pairs.is_lost(ground, boxes, frozen));
        (!is_lost).then_some(bound)
    }

    /// The sum without walls with penalties, if there are any.
    fn with_penalties(&mut self, ground: &Ground, boxes: &Bits<W>, player: u16) -> Option<u16> {
        let penalties = self.penalties.as_ref().filter(|penalties| penalties.may_apply(boxes))?;
        self.flood.run(ground, boxes, player);
        let more = penalties.of(ground, boxes, &self.flood);
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

    /// Returns a bound after the `number`-th box of the last exact one has gone to `sq`, with the player on that side of
    /// it; `None` if that is lost.
    #[inline]
    pub(crate) fn after(&self, number: usize, sq: u16, side: usize) -> Option<u16> {
        let row = self.sides.as_ref().map_or(sq, |sides| sides.rows.at(sq, side));
        if self.by_matching {
            return self.matching.after(&self.costs, number, row);
        }
        CostTable::as_bound(self.nearest - self.costs.nearest(self.rows[number]) + self.costs.nearest(row))
    }
}
