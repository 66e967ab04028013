//! How good a push is in the light of the packing order: the lower, the sooner it is followed up.
//!
//! ```text
//!   pushes so far - pushes that served the order + sum of distances to nearest goals, but for parked boxes
//!   - 32 for each target done - 2 for each open target that the box came nearer to - 1 if it came to one
//!   + 2 (1 + distance of the box to the nearest open target), or 8 if it cannot get to any
//! ```
//!
//! A box that is parked, and is to stay for now, is where it ought to be, so its way home does not count. In YASS it does,
//! which holds up every parking far from the goals: XSokoban 50, where 14 of 16 boxes are parked, takes 13,032 positions
//! with it and 8,299 without, 66 57,731 and 22,009, 69 10,036 and 7,854 (2026-11-22).
//!
//! The distance is that of the box just pushed, so the score belongs to a path, not to a position. Constants are those of
//! Brian Damgaard's YASS, where 32 was the most robust of several. (Here, too: of 128 levels, with 200,000 ticks
//! for each of eight variants, 75 fall with 32; 64 loses four of them and brings one, 2026-11-21.)

use super::order::Order;
use super::phase::{after_leaving, is_complete};
use crate::board::Distances;
use crate::board::board_state::BoardState;
use crate::board::level_tables::LevelTables;
use crate::deadlock::box_freeze::Freeze;

/// What a child inherits from its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lineage {
    /// The phase of the parent.
    pub(crate) phase: u16,
    /// The pushes so far, the one to be judged included.
    pub(crate) depth: u16,
    /// How many of the earlier ones served the order.
    pub(crate) n_free: u16,
    /// A box froze on a goal before its time.
    pub(crate) is_premature: bool,
}

/// What a push is worth, and what its child hands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Worth {
    pub(crate) score: i32,
    pub(crate) phase: u16,
    pub(crate) n_free: u16,
    pub(crate) is_premature: bool,
}

/// Judges pushes by one order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judge {
    /// What a filled target is worth; 32 by default.
    pub(crate) per_target: i32,
}

impl Default for Judge {
    fn default() -> Self {
        Self { per_target: 32 }
    }
}

impl Judge {
    /// Judges the push that brought a box from `from` to `to`; `None` at the start. The board is that after it.
    pub(crate) fn judge(
        self,
        yard: &LevelTables,
        order: &Order,
        field: &BoardState,
        freeze: &mut Freeze,
        lineage: Lineage,
        push: Option<(u16, u16)>,
    ) -> Worth {
        let mut phase = push.map_or(lineage.phase, |(from, _)| after_leaving(order, lineage.phase, from));
        let mut moved = push;
        while phase > 0 && is_complete(order, field, phase) {
            phase -= 1;
            moved = None;
        }
        let to_go = i32::try_from(field.to_go()).unwrap_or(i32::MAX / 4);
        let total = i32::try_from(order.targets().len()).unwrap_or(0);
        let parked = order.parkings(phase).filter(|&sq| field.has_box(sq));
        let ways_home = to_go - parked.map(|sq| i32::from(yard.nearest(sq))).sum::<i32>();
        let base = i32::from(lineage.depth) + ways_home - i32::from(lineage.n_free) + total * self.per_target;
        let is_done = |number: &&u16| field.has_box(order.target(**number).sq);
        let higher: usize = (phase + 1..=order.n_phases()).map(|phase| order.members(phase).len()).sum();
        let filled = order.members(phase).iter().filter(is_done).count();
        let n_done = i32::try_from(higher + filled).unwrap_or(0);
        let (mut bonus, distance) = Self::progress(order, field, phase, moved);
        let serves = bonus > 0;
        bonus += n_done * self.per_target - distance;
        let mut is_premature = lineage.is_premature;
        if let Some((_, to)) = push
            && let Some(goal) = yard.goal_of(to)
            && order.target(goal).phase < lineage.phase
            && freeze.is_frozen(yard, field, to)
        {
            is_premature = true;
        }
        if is_premature {
            let n_early = count_early(yard, order, field, freeze, phase);
            is_premature = n_early > 0;
            bonus -= to_go * n_early / 2;
        }
        let n_free = lineage.n_free + u16::from(serves);
        Worth { score: (base - bonus).max(1), phase, n_free, is_premature }
    }

    /// Returns the reward for coming nearer to targets of the phase, and the penalty for the way still to go.
    fn progress(order: &Order, field: &BoardState, phase: u16, moved: Option<(u16, u16)>) -> (i32, i32) {
        let Some((from, to)) = moved else { return (0, 8) };
        if phase == 0 {
            return (0, 8);
        }
        let on_target = order.is_target(to, phase);
        let (mut reward, mut nearest) = (i32::from(on_target), Distances::NONE);
        for &number in order.members(phase) {
            if !field.has_box(order.target(number).sq) {
                let (before, now) = (order.distance(from, number), order.distance(to, number));
                reward += if now < before { 2 } else { 0 };
                nearest = nearest.min(now);
            }
        }
        let penalty = match nearest {
            _ if on_target => 2,
            Distances::NONE => 8,
            distance => 2 * (1 + i32::from(distance)),
        };
        (reward, penalty)
    }
}

/// Counts the boxes that are frozen on goals whose time has not come.
fn count_early(yard: &LevelTables, order: &Order, field: &BoardState, freeze: &mut Freeze, phase: u16) -> i32 {
    let early = |sq: u16| yard.goal_of(sq).is_some_and(|goal| order.target(goal).phase < phase);
    let n = field.squares().filter(|&sq| early(sq)).filter(|&sq| freeze.is_frozen(yard, field, sq)).count();
    i32::try_from(n).unwrap_or(0)
}
