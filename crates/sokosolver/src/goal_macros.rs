//! Techniques about the order of the goals: goal rooms, goal order, goal cuts; goal pairs are one of the bounds.
//!
//! They are here because the specification of the solver names them, and they are kept apart because they do not pay.
//! In greedy forward search on 53 levels (one thread, 300,000 ticks each, 2026-11-22, see
//! `docs/experiments/2026-11-22-each-technique-left-out.md`):
//! * goal rooms: the same 29 levels, 320,355 nodes with them and 320,699 without;
//! * goal pairs: the same 29 levels, 320,355 nodes and 320,369;
//! * goal order: 31 levels instead of 29, but 23 % more nodes on those solved either way;
//! * goal cuts: 31 levels instead of 29, and 2 % fewer nodes. Goal order and goal cuts together solved 33 of 45 levels
//!   of five sets instead of 31, but 11 of 28 crowded ones instead of 14, so both are off by default.
//!
//! On levels made for them each saves five sixths of the nodes or more (`systematic/tests/techniques.rs`).
//!
//! Forward only, and rooms, order and cuts only in searches that count no costs: they prefer pushes without a proof
//! that these are on a best solution.
//!
//! # Contents, in reading order
//! * [`goal_room`]: the goal macro of a room with one entrance (Junghanns and Schaeffer).
//! * [`goal_order`], [`goal_cut`]: layers of goals, and boxes pushed straight to the next one (Diedler).

mod goal_cut;
mod goal_order;
mod goal_room;

use self::goal_cut::GoalCut;
use self::goal_order::GoalOrder;
use self::goal_room::GoalRoom;
use crate::board::bit_set::BitSet;
use crate::board::{Flood, FloorPush, SearchBoard, SearchDirection};
use crate::{Algorithm, Optimal, Settings, Technique};

/// The goal macros that the settings ask for and the level allows.
#[derive(Debug)]
pub(crate) struct GoalMacros<const W: usize> {
    room: Option<GoalRoom<W>>,
    order: Option<GoalOrder<W>>,
    cut: Option<GoalCut>,
    /// Whether the order changes priorities.
    ranks: bool,
    work: u64,
}

impl<const W: usize> GoalMacros<W> {
    /// Prepares for a level.
    pub(crate) fn new(board: &SearchBoard, direction: SearchDirection, settings: &Settings) -> Self {
        let counts_no_costs = matches!(settings.algorithm, Algorithm::Greedy | Algorithm::Dfs);
        let applies = direction == SearchDirection::Forward && counts_no_costs && settings.optimal == Optimal::Any;
        let wants_order = applies && (settings.uses(Technique::GoalOrder) || settings.uses(Technique::GoalCuts));
        let order = if wants_order { GoalOrder::new(board) } else { None };
        Self {
            room: if applies && settings.uses(Technique::GoalRooms) { GoalRoom::new(board) } else { None },
            cut: (order.is_some() && settings.uses(Technique::GoalCuts)).then(|| GoalCut::new(board)),
            order,
            ranks: settings.uses(Technique::GoalOrder),
            work: 0,
        }
    }

    /// Returns the floods made since the last call.
    pub(crate) const fn take_work(&mut self) -> u64 {
        std::mem::replace(&mut self.work, 0)
    }

    /// Returns the next push of a box that is in the goal room, after a flood from the player.
    pub(crate) fn push_in_room(&self, board: &SearchBoard, boxes: &BitSet<W>, flood: &Flood) -> Option<FloorPush> {
        self.room.as_ref()?.push(board, boxes, flood)
    }

    /// Drops the goal room.
    pub(crate) fn forget_room(&mut self) {
        self.room = None;
    }

    /// Returns how many boxes are on goals before their turn in the order.
    #[inline]
    pub(crate) fn n_early(&self, boxes: &BitSet<W>) -> usize {
        self.order.as_ref().filter(|_| self.ranks).map_or(0, |order| order.n_early(boxes))
    }

    /// Returns a goal cut: the pushes of a box straight to the next goal.
    pub(crate) fn cut(&mut self, board: &SearchBoard, boxes: &BitSet<W>, flood: &Flood) -> Option<Vec<FloorPush>> {
        let (order, cut) = (self.order.as_ref()?, self.cut.as_mut()?);
        let goals = order.next(boxes)?;
        let mut movable = *boxes;
        order.placed(boxes).iter().for_each(|sq| movable.remove(sq));
        let (pushes, n_floods) = cut.find(board, boxes, &movable, &goals, flood);
        self.work += n_floods.div_ceil(4);
        pushes
    }
}
