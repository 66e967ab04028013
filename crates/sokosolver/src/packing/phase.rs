//! Which phase of the packing order a path is in.
//!
//! The phase belongs to the path and not to the position: a target once filled counts as done until a box leaves it
//! without license. Leaving a goal takes the path back to the goal's phase; leaving a parking does so only as long
//! as the phase it was parked for has not come. So released boxes cost nothing.

use super::order::Order;
use crate::board::board_state::BoardState;

/// Returns the phase after a box has left `from`, before the board is looked at.
pub(crate) fn after_leaving(order: &Order, phase: u16, from: u16) -> u16 {
    let here = || order.at(from).iter().map(|&number| order.target(number));
    let Some(target) = here().filter(|target| target.phase >= phase).min_by_key(|target| target.phase) else {
        return phase;
    };
    if target.phase > phase {
        let is_goal = target.parked_for == 0;
        let licensed = target.parked_for >= phase || !is_goal && phase <= 2;
        return if licensed { phase } else { target.phase };
    }
    // It leaves a target of the running phase: a parking on the same square may have been completed before.
    let earlier = here().map(|target| target.phase).filter(|&other| other > phase).min();
    earlier.unwrap_or(phase)
}

/// Returns whether every target of the phase is filled.
#[inline]
pub(crate) fn is_complete(order: &Order, field: &BoardState, phase: u16) -> bool {
    order.members(phase).iter().all(|&number| field.has_box(order.target(number).sq))
}
