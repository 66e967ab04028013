//! What a search for any solution does about the order of the goals: rooms, early boxes, cuts.
//!
//! Forward only, and only where greed decides: what counts costs must not be led.

use super::goal_cut::GoalCut;
use super::goal_order::GoalOrder;
use super::goal_room::GoalRoom;
use crate::bits::Bits;
use crate::ground::{Flood, Ground, Way};
use crate::{Algorithm, Optimal, Settings};

/// The means that the settings ask for and the level allows.
#[derive(Debug)]
pub(crate) struct GoalMeans<const W: usize> {
    room: Option<GoalRoom<W>>,
    order: Option<GoalOrder<W>>,
    cut: Option<GoalCut>,
    ranks: bool,
    work: u64,
}

impl<const W: usize> GoalMeans<W> {
    /// Prepares for a level.
    pub(crate) fn new(ground: &Ground, way: Way, settings: &Settings) -> Self {
        let is_free = matches!(settings.algorithm, Algorithm::Greedy | Algorithm::Dfs);
        let leads = way == Way::Forward && is_free && settings.optimal == Optimal::Any;
        let wants_order = leads && (settings.goal_order || settings.goal_cuts);
        let order = if wants_order { GoalOrder::new(ground) } else { None };
        Self {
            room: if leads && settings.goal_rooms { GoalRoom::new(ground) } else { None },
            cut: (order.is_some() && settings.goal_cuts).then(|| GoalCut::new(ground)),
            order,
            ranks: settings.goal_order,
            work: 0,
        }
    }

    /// Returns the floods made since the last call.
    pub(crate) const fn take_work(&mut self) -> u64 {
        std::mem::replace(&mut self.work, 0)
    }

    /// Returns the push that a box on its way through the room has to make, after a flood from the player.
    pub(crate) fn push_in_room(&self, ground: &Ground, boxes: &Bits<W>, flood: &Flood) -> Option<(u16, usize)> {
        self.room.as_ref()?.push(ground, boxes, flood)
    }

    /// Has no room from now on.
    pub(crate) fn forget_room(&mut self) {
        self.room = None;
    }

    /// Returns how many boxes are on goals whose turn has not come.
    #[inline]
    pub(crate) fn n_early(&self, boxes: &Bits<W>) -> usize {
        self.order.as_ref().filter(|_| self.ranks).map_or(0, |order| order.n_early(boxes))
    }

    /// Returns the pushes of a box straight to the next goal.
    pub(crate) fn cut(&mut self, ground: &Ground, boxes: &Bits<W>, flood: &Flood) -> Option<Vec<(u16, usize)>> {
        let (order, cut) = (self.order.as_ref()?, self.cut.as_mut()?);
        let goals = order.next(boxes)?;
        let mut movable = *boxes;
        order.placed(boxes).iter().for_each(|sq| movable.remove(sq));
        let (pushes, n_floods) = cut.find(ground, boxes, &movable, &goals, flood);
        self.work += n_floods.div_ceil(4);
        pushes
    }
}
