//! The systematic searches: best-first, breadth-first and iterative deepening, by pushes, by pulls, or both.
//!
//! ```text
//!      start ──pushes──▶ SearchTree ─┐ a position in both:     ┌─ SearchTree ◀──pulls── solved positions
//!                                    └──────▶ solution ◀───────┘
//!      SearchTree = TranspositionTable (nodes) + OpenList (order) + Expander (successors, deadlocks, bounds)
//! ```
//!
//! **Invariant**: "unsolvable" and "optimal" are said only if every rule that was used loses no solution.
//!
//! # Contents, in reading order
//! * [`best_first`]: A\*, greedy, breadth-first and depth-first search with one tree or two. Start here.
//! * [`tree`], [`expander`]: one tree, and the successors of one position.
//! * [`start_positions`], [`cost`]: where a direction starts and ends, and what a step costs.
//! * [`tables`], [`level_source`]: what is computed before the search.
//! * [`frontier_meeting`]: where two trees meet if the player's square counts.
//! * [`iterative_deepening`], [`perimeter`]: IDA\* and iterative deepening, from both sides with a perimeter.

mod best_first;
mod cost;
pub(crate) mod expander;
mod frontier_meeting;
mod iterative_deepening;
mod level_source;
mod perimeter;
mod start_positions;
mod tables;
mod tree;

use std::sync::Arc;

use sokocore::{Level, Square};
use sokosearch::Stop;

use crate::board::SearchBoard;
use crate::search::FixedVerdict;
use crate::{Algorithm, Search, Settings, Technique, Verdict, WorkMeter};
pub(crate) use cost::{CostRule, PlayerKey};
pub(crate) use start_positions::roots;

use best_first::BestFirst;
use iterative_deepening::IterativeDeepening;
use level_source::LevelSource;

/// Builds the search that the settings describe.
#[must_use]
pub fn systematic(level: &Level, settings: &Settings) -> Box<dyn Search> {
    SearchBoard::new(level).map_or_else(|| without_search(level), |board| on(level, board, settings))
}

/// Builds the search that the settings describe, within the budget. If there is an `end`, the player is to end where it
/// can walk to that square, and the level has as many goals as boxes.
///
/// # Errors
/// The reason to stop; the end of a slice is none.
pub(crate) fn systematic_within(
    level: &Level,
    end: Option<Square>,
    settings: &Settings,
    meter: &mut WorkMeter,
) -> Result<Box<dyn Search>, Stop> {
    let Some(board) = SearchBoard::within(level, meter)? else { return Ok(without_search(level)) };
    Ok(on(level, end.into_iter().fold(board, SearchBoard::ending_at), settings))
}

/// The search of a level that has no [`SearchBoard`].
fn without_search(level: &Level) -> Box<dyn Search> {
    let verdict = if is_unsolvable(level) { Verdict::Unsolvable } else { Verdict::GaveUp };
    Box::new(FixedVerdict { name: "systematic", verdict })
}

fn on(level: &Level, board: SearchBoard, settings: &Settings) -> Box<dyn Search> {
    let settings = effective(settings);
    let board = Arc::new(board);
    let source = LevelSource::new(level, &board, &settings);
    match board.n_words() {
        // Debug assertions mark a build for tests, which has fewer widths: each is compiled anew.
        #[cfg(not(debug_assertions))]
        0..=1 => build::<1>(board, source, settings),
        0..=2 => build::<2>(board, source, settings),
        #[cfg(not(debug_assertions))]
        3 => build::<3>(board, source, settings),
        #[cfg(not(debug_assertions))]
        4 => build::<4>(board, source, settings),
        #[cfg(not(debug_assertions))]
        5..=8 => build::<8>(board, source, settings),
        n_words if n_words <= 32 => build::<32>(board, source, settings),
        _ => Box::new(FixedVerdict { name: "systematic", verdict: Verdict::GaveUp }),
    }
}

/// Whether a box can reach no goal, or there are too few goals that boxes can reach. Otherwise the board only exceeds
/// the tables.
fn is_unsolvable(level: &Level) -> bool {
    let (live, boxes) = (level.live(), &level.start().boxes);
    let n_goals = level.board().goals().iter().filter(|&sq| live.contains(sq)).count();
    !boxes.is_subset(live) || n_goals < boxes.len()
}

/// Returns the settings without the techniques that the optimality mode or the algorithm excludes.
fn effective(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    if CostRule::of(&settings) != CostRule::Pushes {
        // Forced pushes may cost moves.
        settings = settings.without(Technique::PiCorrals).without(Technique::Tunnels);
    }
    if settings.optimal != crate::Optimal::Any && matches!(settings.algorithm, Algorithm::Greedy | Algorithm::Dfs) {
        settings.algorithm = Algorithm::AStar;
    }
    if matches!(settings.algorithm, Algorithm::Greedy | Algorithm::Dfs) {
        // Their table costs 5 to 15 % of the ticks of a level that greedy search solves, and saves less: 40 levels,
        // 2026-11-21.
        settings.switch(Technique::Penalties, false);
    }
    settings
}

fn build<const W: usize>(board: Arc<SearchBoard>, source: LevelSource, settings: Settings) -> Box<dyn Search> {
    match settings.algorithm {
        Algorithm::IdaStar | Algorithm::Iddfs => Box::new(IterativeDeepening::<W>::new(board, source, settings)),
        _ => Box::new(BestFirst::<W>::new(board, source, settings)),
    }
}

#[cfg(test)]
pub(crate) mod tests;
