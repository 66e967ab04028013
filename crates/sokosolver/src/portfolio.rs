//! The portfolio: several strategies on one level, in interleaved slices, until one of them has an answer.
//!
//! ```text
//!   level ─▶ Profile ─▶ selection: strategies with weights
//!                           │
//!     thread 1 ── slice ──▶ PortfolioScheduler ◀── slice ── thread 2        searches are paused between slices
//!                           │
//!                        pushes ─▶ moves ─▶ replay ─▶ Answer
//! ```
//!
//! No strategy is best on every level, and the best one is not known beforehand: the times of one strategy spread over
//! five orders of magnitude. So each gets slices in proportion to a weight, and the run takes as long as the fastest
//! one, divided by its share. (The idea of such portfolios: Huberman, Lukose and Hogg, 1997; for Sokoban: Festival by
//! Yaron Shoham, which runs its strategies one after the other.)
//!
//! Invariants: a solution counts only when it was replayed. *Unsolvable* is said only by a complete search. *Proved* is
//! said only in a run for the best solution, when its best solution costs no more than a proved lower bound.
//!
//! # Contents, in reading order
//! * [`knobs`]: the settings of a run.
//! * [`selection`], [`profile`]: the strategies of a run and their weights, by the features of the level.
//! * [`race`], [`scheduler`], [`shares`]: the threads, the order of the slices, and weights by stage. The queue is the
//!   crate's [`FairShareQueue`](crate::fair_share::FairShareQueue).
//! * [`strategy_spec`], [`strategy_state`]: one strategy: its configuration and workers, and its state in a run.
//! * [`best_known`], [`outcome`], [`progress`], [`deferred_drop`]: what a run knows, returns, reports, and leaves to
//!   drop.
//! * [`solved_start`]: levels that start solved. [`portfolio_source`]: one solution after the other, for an optimizer.

mod best_known;
pub(crate) mod deferred_drop;
pub(crate) mod knobs;
pub(crate) mod portfolio_source;
mod profile;
mod scheduler;
mod selection;
mod shares;
mod solved_start;
mod strategy_spec;
mod strategy_state;

pub(crate) mod outcome;
pub(crate) mod progress;
pub(crate) mod race;

use sokocore::Level;
use sokosearch::Budget;

use self::best_known::BestKnown;
use self::deferred_drop::DeferredDrop;
use self::knobs::SolveKnobs;
use self::race::{RaceResult, RaceSpec};
use crate::{Answer, Fault, Optimal, Outcome, SolveEvent, SolveProgress};

/// Solves a level, or says what is known about it when the budget is used up.
pub fn solve(level: &Level, knobs: &SolveKnobs, budget: &Budget, progress: &dyn SolveProgress) -> Outcome {
    solve_first(level, knobs, budget, progress).0
}

/// Does what [`solve`] does, but returns before the memory is freed: the caller drops it.
pub fn solve_first(
    level: &Level,
    knobs: &SolveKnobs,
    budget: &Budget,
    progress: &dyn SolveProgress,
) -> (Outcome, DeferredDrop) {
    if level.is_solved(&level.start().boxes) {
        return solved_start::solve(level, knobs, budget, progress);
    }
    run_portfolio(level, knobs, budget, progress)
}

/// Solves a level that does not start solved.
fn run_portfolio(
    level: &Level,
    knobs: &SolveKnobs,
    budget: &Budget,
    progress: &dyn SolveProgress,
) -> (Outcome, DeferredDrop) {
    let RaceResult { answer, lower_bound, end, tried, ticks, deferred_drop } = match Fault::within(level, budget) {
        Some(fault) => RaceResult::without_search(Answer::Unsolvable { by: fault.reason().to_owned() }, None),
        None => search(level, knobs, budget, progress),
    };
    let (elapsed, peak_bytes) = (budget.elapsed(), budget.memory().peak());
    (Outcome { answer, lower_bound, end, tried, elapsed, ticks, peak_bytes }, deferred_drop)
}

/// The name of what proves the first bound of a run for the best solution.
const MATCHING: &str = "matching";

/// Searches, unless the best known solution is proved already.
fn search(level: &Level, knobs: &SolveKnobs, budget: &Budget, progress: &dyn SolveProgress) -> RaceResult {
    let optimal = knobs.optimal();
    let best_known = (optimal != Optimal::Any).then(|| {
        let mut best_known = BestKnown::of(level, optimal, budget);
        best_known.take_known(level, &knobs.known);
        best_known
    });
    if let Some(best_known) = best_known.as_ref().filter(|best_known| best_known.is_proved())
        && let Some(answer) = best_known.answer()
    {
        return RaceResult::without_search(answer, best_known.bound());
    }
    if let Some(bound) = best_known.as_ref().and_then(BestKnown::bound).filter(|&bound| bound > 0) {
        progress.on(SolveEvent::Bound { strategy: MATCHING, bound });
    }
    let specs = selection::select(level, knobs, budget.memory(), best_known.as_ref().map(BestKnown::upper_bound));
    let race_spec = RaceSpec { specs, n_threads: knobs.n_threads, best_known, polish: knobs.polish.as_deref() };
    race::run(level, race_spec, budget, progress)
}

#[cfg(test)]
pub(crate) mod tests;
