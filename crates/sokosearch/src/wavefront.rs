//! The fastest engine: backward like `backward`, all players of a configuration at once, through a tube that is never
//! generated, or through all there is.
//!
//! ```text
//!  agenda: moves to go = m           configuration 17, player 5        states to be entered with m moves to go
//!                                    configuration 40, player 9
//!        │ enter: all walks from there, ahead of the layers, as far as nobody has come with as few moves
//!        │ pull: where one of these players has a box beside him; the configuration before is looked up, and if it is
//!        │       new, asked whether it belongs to the tube (see `near_spine`)
//!        └─────────────────────────▶ agenda, as many moves later as the walk took (pushes/moves: in the next push layer)
//! ```
//!
//! * **moves/pushes**: layers of moves alone. Pushes, and all other metrics, are left to the refinement (see `refine`),
//!   which finds the best of all ways with the fewest moves.
//! * **pushes/moves**: within a push layer by moves; what is pulled belongs to the next push layer.
//!
//! A state that was reached by a walk may be reached sooner by another one that begins later. So moves to go are final
//! only up to those of the current layer (traps 1 and 14), and what is entered is looked at once more when it is due.
//!
//! Joins, announcements and what a stopped search brings are those of `backward`.
//!
//! The files, in reading order: `sweep` goes from layer to layer; `terrain` is what it goes through; a `shard` holds a
//! share of the configurations; `enter` is what it does with each of them, with the help of its `agenda` and of the
//! exact moves to go of what was `entered` not long ago; `crew` lets several threads work, and `mail` carries what they
//! find for each other. Results, states and work do not depend on how many there are.

mod agenda;
mod batch;
mod bits;
mod crew;
mod enter;
mod entered;
mod mail;
mod pace;
mod shard;
mod spine_players;
mod sweep;
mod terrain;
mod view;

use crate::near_spine::MAX_LIMITS;
use crate::wavefront::sweep::Sweep;
use crate::{Context, Engine, Neighborhood, Report, Stop, Stretch};

/// Searches the stretch through the configurations near its spine, as [`crate::search`] does through those of a store
/// made by [`crate::Tube::around`]. Returns `None` where that has to be done instead: for orders that do not count
/// moves and pushes, with the reference engine, with more goals than boxes, with more than four limits, and on boards
/// of more than 1,024 squares.
///
/// # Errors
/// The run was stopped; the best that was found by then has been offered.
pub fn search_near(
    stretch: Stretch<'_>,
    neighborhood: &Neighborhood,
    cx: &mut Context<'_>,
) -> Result<Option<Report>, Stop> {
    let around = Around { neighborhood, states: (stretch.from, stretch.to) };
    dispatch(stretch, Some(around), Aim::Improve, cx)
}

/// Searches the stretch through the configurations near some states of its spine, given by the numbers of the first and
/// the last of them; the others are followed as they are. For stretches whose neighborhoods do not fit into the memory all
/// at once: round after round searches all of it, so nothing ends at the border of a window (the way of the JSoko
/// optimizer). Returns `None` where [`search_near`] does.
///
/// # Errors
/// As for [`search_near`].
pub fn search_round(
    stretch: Stretch<'_>,
    states: (usize, usize),
    neighborhood: &Neighborhood,
    cx: &mut Context<'_>,
) -> Result<Option<Report>, Stop> {
    dispatch(stretch, Some(Around { neighborhood, states }), Aim::Improve, cx)
}

/// Around which states of the spine, by their numbers, configurations may lie, and how far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around<'a> {
    pub(crate) neighborhood: &'a Neighborhood,
    pub(crate) states: (usize, usize),
}

/// Searches the stretch through every configuration there is, as [`crate::search`] does through those of
/// [`crate::whole_space`], but keeps only those that it reaches. Returns `None` where [`search_near`] does.
///
/// # Errors
/// As for [`search_near`].
pub fn search_everything(stretch: Stretch<'_>, cx: &mut Context<'_>) -> Result<Option<Report>, Stop> {
    dispatch(stretch, None, Aim::Improve, cx)
}

/// Searches the stretch like [`search_near`], and turns to a random one of the best ways through it, as
/// [`crate::wander`] does. Returns whether it came to its end, and `None` where [`search_near`] does.
///
/// # Errors
/// The run was stopped.
pub fn wander_near(
    stretch: Stretch<'_>,
    neighborhood: &Neighborhood,
    seed: u64,
    cx: &mut Context<'_>,
) -> Result<Option<bool>, Stop> {
    let around = Around { neighborhood, states: (stretch.from, stretch.to) };
    Ok(dispatch(stretch, Some(around), Aim::Wander(seed), cx)?.map(|report| report.finished))
}

/// What to do with the best ways.
#[derive(Clone, Copy)]
enum Aim {
    /// Offer the best of them.
    Improve,
    /// Turn to the one that the seed chooses.
    Wander(u64),
}

/// Searches with arrays as wide as the board and its keys need.
fn dispatch(
    stretch: Stretch<'_>,
    around: Option<Around<'_>>,
    aim: Aim,
    cx: &mut Context<'_>,
) -> Result<Option<Report>, Stop> {
    let board = cx.level().board();
    let several_ends = stretch.to == stretch.spine.end() && cx.level().n_boxes() != board.goals().len();
    let is_counted = stretch.engine.is_backward(stretch.order) && Engine::counts(&cx.objective());
    if several_ends || !is_counted || around.is_some_and(|around| around.neighborhood.limits.len() > MAX_LIMITS) {
        return Ok(None);
    }
    let key_words = stretch.live.words();
    let search = match board.n_squares().div_ceil(64) {
        1 => search::<1, 1>,
        2 if key_words == 1 => search::<1, 2>,
        2 => search::<2, 2>,
        3 if key_words <= 2 => search::<2, 3>,
        3 => search::<3, 3>,
        4 if key_words <= 3 => search::<3, 4>,
        4 => search::<4, 4>,
        5 if key_words <= 4 => search::<4, 5>,
        5 => search::<5, 5>,
        6 => search::<6, 6>,
        7 | 8 => search::<8, 8>,
        9..=12 => search::<12, 12>,
        13..=16 => search::<16, 16>,
        _ => return Ok(None),
    };
    search(stretch, around, aim, cx).map(Some)
}

/// Searches with keys of up to `K` words on a board of up to `64 * W` squares.
fn search<const K: usize, const W: usize>(
    stretch: Stretch<'_>,
    around: Option<Around<'_>>,
    aim: Aim,
    cx: &mut Context<'_>,
) -> Result<Report, Stop> {
    let halfway = stretch.from + (stretch.to - stretch.from) / 2;
    let unfinished =
        Report { improved: false, n_states: 0, bytes: 0, reached: halfway, finished: false, refined: false };
    let mut search = match Sweep::<K, W>::new(stretch, around, cx) {
        Ok(search) => search,
        Err(Stop::Memory) => return Ok(unfinished),
        Err(stop) => return Err(stop),
    };
    let end = search.run(cx);
    let (n_states, bytes) = (search.n_states(), search.bytes());
    cx.count_tube(search.n_configs() as u64, n_states, bytes);
    let best = search.joins().best();
    let mut finished = best.is_some_and(|join| join.state == stretch.from);
    match (aim, best) {
        (Aim::Wander(seed), Some(join)) if finished && matches!(end, Ok(()) | Err(Stop::Memory)) => {
            finished = search.wander(join, seed, cx);
        }
        (Aim::Improve, Some(join)) => {
            // Refinement only adds to a path that is in the pool already.
            search.offer((join, finished && end.is_ok()), cx);
            finished &= !search.joins().paths_failed();
        }
        _ => {}
    }
    let report = Report { improved: search.joins().improved(), n_states, bytes, ..unfinished };
    match end {
        Ok(()) | Err(Stop::Memory) if finished => {
            // The refinement may have been cut off.
            cx.poll()?;
            Ok(Report { reached: stretch.to, finished, refined: search.joins().refined(), ..report })
        }
        Ok(()) | Err(Stop::Memory) => Ok(report),
        Err(stop) => Err(stop),
    }
}

#[cfg(test)]
mod tests;
