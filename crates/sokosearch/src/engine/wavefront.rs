//! The wavefront engine, the fastest: backward like `backward`, all players of a configuration at once, through a tube
//! that is never generated, or through all configurations.
//!
//! ```text
//!  queue: moves to go = m            configuration 17, player 5        states to expand with m moves to go
//!                                    configuration 40, player 9
//!        │ flood: the player's region from there, ahead of the layers, but for squares reached with as few moves
//!        │ pull:  wherever one of these players has a box beside him, if the tube can contain what that leads to; the
//!        │        configuration before the push is looked up, and if it is new, tested for membership (see `near_spine`)
//!        └─────────────────────────▶ queue, as many moves later as the flood took (pushes/moves: in the next push layer)
//! ```
//!
//! * **moves/pushes**: layers of moves alone. Pushes, and all other metrics, are left to the refinement (see `refine`),
//!   which finds the best of all paths with the fewest moves. A later flood may reach a state with fewer moves than an
//!   earlier one did. So moves to go are final only up to those of the current layer (traps 1 and 14), and a state is checked
//!   once more when its layer is expanded.
//! * **pushes/moves**: push layers. A pull leads to the next push layer, so all players that enter a configuration in a layer
//!   are known when it begins: each configuration is flooded once in a layer, from all of them, and its moves to go are final.
//!
//! Joins, announcements, and what a stopped search still offers, are those of `backward`, but that in pushes/moves order the
//! spine is compared after a whole push layer, or after the part of it that was expanded before a stop.
//!
//! # Contents, in reading order
//! * `wavefront_search`: one search and all that it owns. `search_input`, `pull_table`: what it is given.
//! * `layer_driver`: expands layer after layer. `phase_runner`, `thread_team`: on one thread or several;
//!   `parallel_gate`: whether several threads pay.
//! * `shard`: a share of the configurations. `expand`, `expand_push_layer`: floods and pulls, where moves come first and
//!   where pushes do. `pull_batch`: predecessors looked up together.
//!   `mailboxes`: predecessors for other shards. Results, states and work do not depend on the number of shards.
//! * `bucket_queue`: the open list. `recent_distances`: exact distances of what was flooded not long ago.
//!   `spine_players`: which states are on the spine. `shards_view`: all shards as one store, to read paths from.

mod bucket_queue;
mod expand;
mod expand_push_layer;
mod layer_driver;
mod mailboxes;
mod parallel_gate;
mod phase_runner;
mod pull_batch;
mod pull_table;
mod recent_distances;
mod search_input;
mod shard;
mod shards_view;
mod spine_players;
mod thread_team;
mod wavefront_search;

use std::ops::RangeInclusive;

use self::wavefront_search::WavefrontSearch;
use crate::engine::path::joins::Refinement;
use crate::tube::near_spine::{MAX_LIMITS, SpineNeighborhood};
use crate::{Context, Engine, Neighborhood, Report, SearchWindow, Stop};

/// Searches the window through the configurations near its spine, as [`crate::search`] does through those of a store
/// made by [`crate::Tube::around`]. Returns `None` where that has to be done instead: for orders that do not count
/// moves and pushes, with the reference engine, with more goals than boxes, with more than four limits, and on boards
/// of more than 1,024 squares.
///
/// # Errors
/// The run was stopped; the best that was found by then has been offered.
pub fn search_near(
    window: SearchWindow<'_>,
    neighborhood: &Neighborhood,
    cx: &mut Context<'_>,
) -> Result<Option<Report>, Stop> {
    let tube = SpineNeighborhood { neighborhood, first: window.from, last: window.to };
    dispatch(window, Some(tube), SearchAim::Improve, cx)
}

/// Searches the window through the configurations near some `states` of its spine, given by their numbers; of the others only their own configurations belong to the tube. For spines whose neighborhoods do
/// not fit into memory all at once: every round searches the whole spine, so no gain is cut off at the border of a window
/// (the method of the JSoko optimizer). Returns `None` where [`search_near`] does.
///
/// # Errors
/// As for [`search_near`].
pub fn search_round(
    window: SearchWindow<'_>,
    states: RangeInclusive<usize>,
    neighborhood: &Neighborhood,
    cx: &mut Context<'_>,
) -> Result<Option<Report>, Stop> {
    dispatch(
        window,
        Some(SpineNeighborhood { neighborhood, first: *states.start(), last: *states.end() }),
        SearchAim::Improve,
        cx,
    )
}

/// Searches the window through every configuration there is, as [`crate::search`] does through those of
/// [`crate::whole_space`], but keeps only those that it reaches. Returns `None` where [`search_near`] does.
///
/// # Errors
/// As for [`search_near`].
pub fn search_everything(window: SearchWindow<'_>, cx: &mut Context<'_>) -> Result<Option<Report>, Stop> {
    dispatch(window, None, SearchAim::Improve, cx)
}

/// Searches the window like [`search_near`], and moves the run to a random one of the optimal paths through it, as
/// [`crate::plateau_walk`] does. Returns whether the search finished, and `None` where [`search_near`] does.
///
/// # Errors
/// The run was stopped.
pub fn plateau_walk_near(
    window: SearchWindow<'_>,
    neighborhood: &Neighborhood,
    seed: u64,
    cx: &mut Context<'_>,
) -> Result<Option<bool>, Stop> {
    let tube = SpineNeighborhood { neighborhood, first: window.from, last: window.to };
    Ok(dispatch(window, Some(tube), SearchAim::PlateauWalk(seed), cx)?.map(|report| report.finished))
}

/// What to do with the optimal paths.
#[derive(Clone, Copy)]
enum SearchAim {
    /// Offer the best of them.
    Improve,
    /// Move the run to the one that the seed chooses.
    PlateauWalk(u64),
}

/// Searches with arrays as wide as the board and its keys need.
fn dispatch(
    window: SearchWindow<'_>,
    tube: Option<SpineNeighborhood<'_>>,
    aim: SearchAim,
    cx: &mut Context<'_>,
) -> Result<Option<Report>, Stop> {
    let board = cx.level().board();
    let several_ends = window.to == window.spine.end() && cx.level().n_boxes() != board.goals().len();
    let is_counted = window.engine.is_backward(window.order) && Engine::counts(&cx.objective());
    if several_ends || !is_counted || tube.is_some_and(|tube| tube.neighborhood.limits.len() > MAX_LIMITS) {
        return Ok(None);
    }
    let key_words = window.live.words();
    let search = match board.n_squares().div_ceil(64) {
        // Debug assertions mark a build for tests, which has fewer widths: each is compiled anew.
        #[cfg(not(debug_assertions))]
        1 => search::<1, 1>,
        ..=2 if key_words == 1 => search::<1, 2>,
        2 => search::<2, 2>,
        #[cfg(not(debug_assertions))]
        3 if key_words <= 2 => search::<2, 3>,
        #[cfg(not(debug_assertions))]
        3 => search::<3, 3>,
        #[cfg(not(debug_assertions))]
        4 if key_words <= 3 => search::<3, 4>,
        #[cfg(not(debug_assertions))]
        4 => search::<4, 4>,
        #[cfg(not(debug_assertions))]
        5 if key_words <= 4 => search::<4, 5>,
        #[cfg(not(debug_assertions))]
        5 => search::<5, 5>,
        #[cfg(not(debug_assertions))]
        6 => search::<6, 6>,
        #[cfg(not(debug_assertions))]
        7 | 8 => search::<8, 8>,
        #[cfg(not(debug_assertions))]
        9..=12 => search::<12, 12>,
        n_words if n_words <= 16 => search::<16, 16>,
        _ => return Ok(None),
    };
    search(window, tube, aim, cx).map(Some)
}

/// Searches with keys of up to `K` words on a board of up to `64 * W` squares.
fn search<const K: usize, const W: usize>(
    window: SearchWindow<'_>,
    tube: Option<SpineNeighborhood<'_>>,
    aim: SearchAim,
    cx: &mut Context<'_>,
) -> Result<Report, Stop> {
    let halfway = window.from + (window.to - window.from) / 2;
    let unfinished =
        Report { improved: false, n_states: 0, bytes: 0, reached: halfway, finished: false, refined: false };
    let mut search = match WavefrontSearch::<K, W>::new(window, tube, cx) {
        Ok(search) => search,
        Err(Stop::Memory) => return Ok(unfinished),
        Err(stop) => return Err(stop),
    };
    let end = search.run(cx);
    let (n_states, bytes) = (search.n_states(), search.bytes());
    cx.count_tube(search.n_configs() as u64, n_states, bytes);
    let best = search.joins().best();
    let mut finished = best.is_some_and(|join| join.state == window.from);
    match (aim, best) {
        (SearchAim::PlateauWalk(seed), Some(join)) if finished && matches!(end, Ok(()) | Err(Stop::Memory)) => {
            finished = search.plateau_walk(join, seed, cx);
        }
        (SearchAim::Improve, Some(join)) => {
            // Refinement only adds to a path that is in the pool already.
            let refinement = if finished && end.is_ok() { Refinement::AllMetrics } else { Refinement::None };
            search.offer(join, refinement, cx);
            finished &= !search.joins().paths_failed();
        }
        _ => {}
    }
    let report = Report { improved: search.joins().improved(), n_states, bytes, ..unfinished };
    match end {
        Ok(()) | Err(Stop::Memory) if finished => {
            // The refinement may have been cut off.
            cx.poll()?;
            Ok(Report { reached: window.to, finished, refined: search.joins().refined(), ..report })
        }
        Ok(()) | Err(Stop::Memory) => Ok(report),
        Err(stop) => Err(stop),
    }
}

#[cfg(test)]
mod tests;
