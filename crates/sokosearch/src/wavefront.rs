//! The fastest engine: backward like `backward`, all players of a configuration at once, through a tube that is never
//! generated.
//!
//! ```text
//!  layer: moves to go = m            configuration 17  players ..#.#...     one work item: a configuration and the
//!                                    configuration 40  players .#......     players that reach the end in m moves
//!        │ walk: neighbors of the players, less boxes, less what was reached before
//!        ├─────────────────────────▶ layer m + 1, the same configuration
//!        │ pull: where a player's neighbor is a box; the configuration before is looked up, and if it is new,
//!        │       asked whether it belongs to the tube (see `near_spine`)
//!        └─────────────────────────▶ layer m + 1, another configuration (pushes/moves: the next push layer)
//! ```
//!
//! * **moves/pushes**: layers of moves alone. Every step costs one, so a state is marked when it is generated, and
//!   first come is cheapest. Pushes, and all other metrics, are left to the refinement (see `refine`), which finds the
//!   best of all ways with the fewest moves.
//! * **pushes/moves**: within a push layer a flood by moves. Pulled states wait for their moves and are marked when
//!   taken, all of one cost before any of them is expanded; walks when generated (traps 1 and 14).
//!
//! Joins, announcements and what a stopped search brings are those of `backward`.

mod batch;
mod bits;
mod sweep;
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
    let board = cx.level().board();
    let several_ends = stretch.to == stretch.spine.end() && cx.level().n_boxes() != board.goals().len();
    let is_counted = stretch.engine.is_backward(stretch.order) && Engine::counts(&cx.objective());
    if several_ends || !is_counted || neighborhood.limits.len() > MAX_LIMITS {
        return Ok(None);
    }
    let key_words = stretch.live.words();
    match board.n_squares().div_ceil(64) {
        1 => search::<1, 1>(stretch, neighborhood, cx),
        2 if key_words == 1 => search::<1, 2>(stretch, neighborhood, cx),
        2 => search::<2, 2>(stretch, neighborhood, cx),
        3 if key_words <= 2 => search::<2, 3>(stretch, neighborhood, cx),
        3 => search::<3, 3>(stretch, neighborhood, cx),
        4 if key_words <= 3 => search::<3, 4>(stretch, neighborhood, cx),
        4 => search::<4, 4>(stretch, neighborhood, cx),
        5 if key_words <= 4 => search::<4, 5>(stretch, neighborhood, cx),
        5 => search::<5, 5>(stretch, neighborhood, cx),
        6 => search::<6, 6>(stretch, neighborhood, cx),
        7 | 8 => search::<8, 8>(stretch, neighborhood, cx),
        9..=12 => search::<12, 12>(stretch, neighborhood, cx),
        13..=16 => search::<16, 16>(stretch, neighborhood, cx),
        _ => Ok(None),
    }
}

/// Searches with keys of up to `K` words on a board of up to `64 * W` squares.
fn search<const K: usize, const W: usize>(
    stretch: Stretch<'_>,
    neighborhood: &Neighborhood,
    cx: &mut Context<'_>,
) -> Result<Option<Report>, Stop> {
    let halfway = stretch.from + (stretch.to - stretch.from) / 2;
    let unfinished =
        Report { improved: false, n_states: 0, bytes: 0, reached: halfway, finished: false, refined: false };
    let mut search = match Sweep::<K, W>::new(stretch, neighborhood, cx) {
        Ok(search) => search,
        Err(Stop::Memory) => return Ok(Some(unfinished)),
        Err(stop) => return Err(stop),
    };
    let end = search.run(cx);
    let (n_states, bytes) = (search.n_states(), search.bytes());
    cx.count_tube(search.n_configs() as u64, n_states, bytes);
    let best = search.joins().best();
    let finished = best.is_some_and(|join| join.state == stretch.from);
    if let Some(join) = best {
        // Refinement only adds to a path that is in the pool already.
        let refines = finished && end.is_ok();
        search.offer((join, refines), cx);
    }
    let finished = finished && !search.joins().paths_failed();
    let report = Report { improved: search.joins().improved(), n_states, bytes, ..unfinished };
    match end {
        Ok(()) | Err(Stop::Memory) if finished => {
            // The refinement may have been cut off.
            cx.poll()?;
            Ok(Some(Report { reached: stretch.to, finished, refined: search.joins().refined(), ..report }))
        }
        Ok(()) | Err(Stop::Memory) => Ok(Some(report)),
        Err(stop) => Err(stop),
    }
}
