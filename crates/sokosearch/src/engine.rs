//! The engines: searches for a better path between two states of the spine.
//!
//! ```text
//!              window of the spine                     spine     ●───●───●───●───●───●───●
//!                     │                                          from        join       to
//!      ┌──────────────┼───────────────┐
//!      ▼              ▼               ▼                backward engines search from `to` to `from`; at a join the new
//!  wavefront      backward        reference            rest is cheaper than the spine's own (see `path`)
//!  tube tested    tube generated  tube generated
//!  backward       backward        forward
//! ```
//!
//! # Contents, in reading order
//! * This file: [`SearchWindow`], [`Report`], and the choice of an engine.
//! * `reference`: the lockstep search of the YASO description. Simple; the others are tested against it.
//! * `backward`: the same by pulls from the end, through any store of configurations.
//! * `wavefront`: backward, all players of a configuration at once, through a tube that is never generated. The fastest.
//! * `exact`: A* over pushes, for objectives that the engines above do not count.
//! * `path`: from the distances of a backward search to paths, and to the best of the optimal paths.
//! * `state`: a configuration and the player. `spine_index`: which states of a store are on the spine.

pub(crate) mod backward;
pub(crate) mod exact;
mod path;
mod reference;
mod spine_index;
mod state;
pub(crate) mod wavefront;

use sokocore::Direction;

use crate::{ConfigStore, Context, Engine, LiveIndex, Order, Spine, Stop, search_exact};

/// The part of the spine to improve, and how to search it.
#[derive(Clone, Copy, Debug)]
pub struct SearchWindow<'a> {
    /// The live squares of the level.
    pub live: &'a LiveIndex,
    /// The spine to improve.
    pub spine: &'a Spine,
    /// Number of the spine state to start from.
    pub from: usize,
    /// Number of the spine state to end at; the last one stands for every solved state, or, where the pool keeps ends,
    /// for those with the player on its square.
    pub to: usize,
    /// What to minimize.
    pub order: Order,
    /// The order in which directions are tried.
    pub directions: [Direction; 4],
    /// Which engine to use.
    pub engine: Engine,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// Whether the pool accepted a solution for the run's own objective.
    pub improved: bool,
    /// States expanded.
    pub n_states: u64,
    /// Bytes of the tables of states, and of the queues at their largest.
    pub bytes: u64,
    /// Where a next attempt should end if this one did not finish for lack of memory.
    pub reached: usize,
    /// Whether everything cheaper than the result was searched.
    pub finished: bool,
    /// Whether the result is the best of all that was searched in all six metrics, not only in those that the engine
    /// counts.
    pub refined: bool,
}

/// Searches the window through the configurations of `store`, and offers what it finds to the pool.
///
/// # Errors
/// The run was stopped; the best solution found has been offered. Lack of memory is not an error: the report says that
/// the search did not finish.
///
/// # Panics
/// If the store lacks a configuration of the window.
pub fn search<S: ConfigStore>(window: SearchWindow<'_>, store: &S, cx: &mut Context<'_>) -> Result<Report, Stop> {
    if window.engine.is_backward(window.order) {
        backward::search(window, store, cx)
    } else {
        reference::search(window, store, cx)
    }
}

/// Searches the window like [`search`], but by the objective itself ([`search_exact`]) where no engine counts its
/// first metric.
///
/// # Errors
/// As for [`search`].
///
/// # Panics
/// If the store lacks a configuration of the window.
pub fn search_by_objective<S: ConfigStore>(
    window: SearchWindow<'_>,
    store: &S,
    cx: &mut Context<'_>,
) -> Result<Report, Stop> {
    if Engine::counts(&cx.objective()) { search(window, store, cx) } else { search_exact(window, store, cx) }
}
