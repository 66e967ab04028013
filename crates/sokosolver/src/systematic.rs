//! The systematic searches: every algorithm, in every direction, over one state space.
//!
//! ```text
//!          start ──pushes──▶ Tree ─┐ a position in both:     ┌─ Tree ◀──pulls── solved positions
//!                                  └──────▶ solution ◀───────┘
//!   Tree = Table (nodes) + OpenList (what next) + Expander (moves, dead ends, bounds)
//! ```
//!
//! **Invariant**: "unsolvable" and "optimal" are said only if no rule was used on the way that can lose solutions.

mod aids;
mod bounds;
mod cost;
mod crossing;
mod deepening;
mod duel;
mod expander;
mod frozen_costs;
mod goal_cut;
mod goal_means;
mod goal_order;
mod goal_pairs;
mod goal_room;
mod home;
mod penalties;
mod perimeter;
mod schooling;
mod side_distances;
mod tables;
mod tree;
mod tunnels;

use std::sync::Arc;

use sokocore::Level;
use sokosearch::Stop;

use crate::ground::Ground;
use crate::{Algorithm, Effort, Search, Settings, Verdict};
pub(crate) use cost::CostRule;

use aids::Aids;
use deepening::Deepening;
use duel::Duel;

/// Makes the search that the settings describe.
#[must_use]
pub fn systematic(level: &Level, settings: &Settings) -> Box<dyn Search> {
    Ground::new(level).map_or_else(|| hopeless(level), |ground| on(level, ground, settings, None))
}

/// Makes the search that the settings describe, with an eye on the clock.
///
/// # Errors
/// The reason to stop; the end of a slice is none.
pub(crate) fn systematic_within(
    level: &Level,
    settings: &Settings,
    effort: &mut Effort,
) -> Result<Box<dyn Search>, Stop> {
    let ground = Ground::within(level, effort)?;
    Ok(ground.map_or_else(|| hopeless(level), |ground| on(level, ground, settings, Some(effort))))
}

fn hopeless(level: &Level) -> Box<dyn Search> {
    Box::new(Hopeless { complete: is_lost(level) })
}

fn on(level: &Level, ground: Ground, settings: &Settings, effort: Option<&Effort>) -> Box<dyn Search> {
    let settings = effective(settings);
    let ground = Arc::new(ground);
    let aids = Aids::new(level, &ground, &settings, effort);
    match ground.n_words() {
        0..=1 => build::<1>(ground, aids, settings),
        2 => build::<2>(ground, aids, settings),
        3 => build::<3>(ground, aids, settings),
        4 => build::<4>(ground, aids, settings),
        5..=8 => build::<8>(ground, aids, settings),
        9..=32 => build::<32>(ground, aids, settings),
        _ => Box::new(Hopeless { complete: false }),
    }
}

/// Whether a box can reach no goal, or there are too few goals that boxes can reach. Otherwise it is only the tables
/// that are too small for the board.
fn is_lost(level: &Level) -> bool {
    let (live, boxes) = (level.live(), &level.start().boxes);
    let n_goals = level.board().goals().iter().filter(|&sq| live.contains(sq)).count();
    !boxes.is_subset(live) || n_goals < boxes.len()
}

/// Switches off what an optimal mode forbids.
fn effective(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    if CostRule::of(&settings) != CostRule::Pushes {
        // Pushes made at once may cost walks.
        (settings.pi_corrals, settings.tunnels) = (false, false);
    }
    if settings.optimal != crate::Optimal::Any && matches!(settings.algorithm, Algorithm::Greedy | Algorithm::Dfs) {
        settings.algorithm = Algorithm::AStar;
    }
    if matches!(settings.algorithm, Algorithm::Greedy | Algorithm::Dfs) {
        // Their table takes 5 to 15 % of the ticks of a level that greed solves, and saves fewer: 40 levels, 2026-11-21.
        settings.penalties = false;
    }
    settings
}

fn build<const W: usize>(ground: Arc<Ground>, aids: Aids, settings: Settings) -> Box<dyn Search> {
    match settings.algorithm {
        Algorithm::IdaStar | Algorithm::Iddfs => Box::new(Deepening::<W>::new(ground, aids, settings)),
        _ => Box::new(Duel::<W>::new(ground, aids, settings)),
    }
}

/// A level that the searches cannot be set up for.
#[derive(Debug)]
struct Hopeless {
    /// Whether that is because it has no solution.
    complete: bool,
}

impl Search for Hopeless {
    fn name(&self) -> &'static str {
        "systematic"
    }

    fn go_on(&mut self, _: &mut Effort) -> Result<Verdict, Stop> {
        Ok(if self.complete { Verdict::Unsolvable } else { Verdict::GaveUp })
    }
}

#[cfg(test)]
pub(crate) mod tests;
