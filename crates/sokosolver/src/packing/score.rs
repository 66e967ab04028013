//! The score of a push by the packing order: the lowest is expanded first.
//!
//! ```text
//!   pushes so far - pushes that served the order + sum of distances to nearest goals, but for parked boxes
//!   - 32 for each target done - 2 for each open target that the box moved nearer to - 1 if it reached one
//!   + 2 (1 + distance of the box to the nearest open target), or 8 if it cannot reach any
//! ```
//!
//! A parked box is in place until its release, so its distance does not count. In YASS it does, which delays every
//! parking far from the goals: XSokoban 50, where 14 of 16 boxes are parked, takes 13,032 positions with it and 8,299
//! without, 66 57,731 and 22,009, 69 10,036 and 7,854 (2026-11-22).
//!
//! The distance is that of the box just pushed, so the score belongs to a path, not to a position. Constants are those
//! of Brian Damgaard's YASS, where 32 was the most robust of several. (Here, too: of 128 levels, with 200,000 ticks for
//! each of eight variants, 75 are solved with 32; 64 loses four of them and gains one, 2026-11-21.)

use sokocore::FloorSquare;

use super::order::{PackingOrder, TargetIndex};
use super::phase::{after_leaving, is_complete};
use crate::board::board_state::BoardState;
use crate::board::level_tables::LevelTables;
use crate::board::{BoxShift, Distances};
use crate::deadlock::freeze::Freeze;

/// What a child inherits from its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inherited {
    /// The phase of the parent.
    pub(crate) phase: u16,
    /// The pushes so far, the scored one included.
    pub(crate) depth: u16,
    /// How many of the earlier ones served the order.
    pub(crate) n_useful: u16,
    /// A box froze on a goal before the goal's phase.
    pub(crate) is_premature: bool,
}

/// The score of a push, and what the child inherits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PushScore {
    pub(crate) value: i32,
    pub(crate) phase: u16,
    pub(crate) n_useful: u16,
    pub(crate) is_premature: bool,
}

/// Scores pushes by one order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scorer {
    /// The reward for a filled target; 32 by default.
    pub(crate) per_target: i32,
}

impl Default for Scorer {
    fn default() -> Self {
        Self { per_target: 32 }
    }
}

impl Scorer {
    /// Scores a push; `None` at the start. The board is that after the push.
    pub(crate) fn score(
        self,
        tables: &LevelTables,
        order: &PackingOrder,
        state: &BoardState,
        freeze: &mut Freeze,
        inherited: Inherited,
        push: Option<BoxShift>,
    ) -> PushScore {
        let mut phase = push.map_or(inherited.phase, |push| after_leaving(order, inherited.phase, push.from));
        let mut moved = push;
        while phase > 0 && is_complete(order, state, phase) {
            phase -= 1;
            moved = None;
        }
        let to_go = i32::try_from(state.to_go()).unwrap_or(i32::MAX / 4);
        let total = i32::try_from(order.targets().len()).expect("invariant: targets are numbered by 16 bits");
        let parked = order.parkings(phase).filter(|&sq| state.has_box(sq));
        let distance_left = to_go - parked.map(|sq| i32::from(tables.nearest(sq))).sum::<i32>();
        let base = i32::from(inherited.depth) + distance_left - i32::from(inherited.n_useful) + total * self.per_target;
        let is_done = |number: &&TargetIndex| state.has_box(order.target(**number).sq);
        let higher: usize = (phase + 1..=order.n_phases()).map(|phase| order.targets_of(phase).len()).sum();
        let filled = order.targets_of(phase).iter().filter(is_done).count();
        let n_done = i32::try_from(higher + filled).expect("invariant: targets are numbered by 16 bits");
        let (mut bonus, distance) = Self::progress(order, state, phase, moved);
        let serves = bonus > 0;
        bonus += n_done * self.per_target - distance;
        let mut is_premature = inherited.is_premature;
        if let Some(BoxShift { to, .. }) = push
            && let Some(goal) = tables.goal_of(to)
            && order.target(goal).phase < inherited.phase
            && freeze.is_frozen(tables.board(), state.view(), to)
        {
            is_premature = true;
        }
        if is_premature {
            let n_early = count_early(tables, order, state, freeze, phase);
            is_premature = n_early > 0;
            bonus -= to_go * n_early / 2;
        }
        let n_useful = inherited.n_useful + u16::from(serves);
        PushScore { value: (base - bonus).max(1), phase, n_useful, is_premature }
    }

    /// Returns the reward for moving nearer to targets of the phase, and the penalty for the distance still to go.
    fn progress(order: &PackingOrder, state: &BoardState, phase: u16, moved: Option<BoxShift>) -> (i32, i32) {
        let Some(BoxShift { from, to }) = moved else { return (0, 8) };
        if phase == 0 {
            return (0, 8);
        }
        let on_target = order.is_target(to, phase);
        let (mut reward, mut nearest) = (i32::from(on_target), Distances::NONE);
        for &number in order.targets_of(phase) {
            if !state.has_box(order.target(number).sq) {
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

/// Counts the boxes that are frozen on goals of later phases.
fn count_early(tables: &LevelTables, order: &PackingOrder, state: &BoardState, freeze: &mut Freeze, phase: u16) -> i32 {
    let early = |sq: FloorSquare| tables.goal_of(sq).is_some_and(|goal| order.target(goal).phase < phase);
    let n = state
        .squares()
        .filter(|&sq| early(sq))
        .filter(|&sq| freeze.is_frozen(tables.board(), state.view(), sq))
        .count();
    i32::try_from(n).expect("invariant: fewer boxes than squares")
}
