//! Which phase of the packing order a path is in.
//!
//! The phase belongs to the path and not to the position: a target once filled counts as done until a box leaves it
//! before its time. A path on which a box leaves a goal falls back to the goal's phase; leaving a parking square does
//! so only before the phase it was parked for. So released boxes cost nothing.

use sokocore::FloorSquare;

use super::order::PackingOrder;
use crate::board::board_state::BoardState;

/// Returns the phase after a box has left `from`, before completed phases are counted.
pub(crate) fn after_leaving(order: &PackingOrder, phase: u16, from: FloorSquare) -> u16 {
    let here = || order.at(from).iter().map(|&number| order.target(number));
    let Some(target) = here().filter(|target| target.phase >= phase).min_by_key(|target| target.phase) else {
        return phase;
    };
    if target.phase > phase {
        let is_goal = target.parked_for == 0;
        let licensed = target.parked_for >= phase || !is_goal && phase <= 2;
        return if licensed { phase } else { target.phase };
    }
    // It leaves a target of the present phase: a parking on the same square may have been completed before.
    let earlier = here().map(|target| target.phase).filter(|&other| other > phase).min();
    earlier.unwrap_or(phase)
}

/// Returns whether every target of the phase is filled.
#[inline]
pub(crate) fn is_complete(order: &PackingOrder, state: &BoardState, phase: u16) -> bool {
    order.targets_of(phase).iter().all(|&number| state.has_box(order.target(number).sq))
}
