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
//! * [`first_look`]: the search of a compact board before all others.
//! * [`selection`], [`profile`]: the strategies of a run and their weights, by the features of the level.
//! * [`race`], [`scheduler`], [`shares`]: the threads, the order of the slices, and weights by stage. The queue is the
//!   crate's [`FairShareQueue`](crate::fair_share::FairShareQueue).
//! * [`strategy_spec`], [`strategy_state`]: one strategy: its configuration and workers, and its state in a run.
//! * [`best_known`], [`outcome`], [`progress`], [`deferred_drop`]: what a run knows, returns, reports, and leaves to
//!   drop.
//! * [`solved_start`]: levels that start solved. [`portfolio_source`], [`optimal_searcher`]: for an optimizer, one solution
//!   after the other, and A* pruned by its incumbent.

mod best_known;
pub(crate) mod deferred_drop;
mod first_look;
pub(crate) mod knobs;
pub(crate) mod optimal_searcher;
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
use self::first_look::{first_look, is_enough};
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
    let result = search(level, knobs, budget, progress);
    let RaceResult { answer, lower_bound, end, tried, ticks, find_times, deferred_drop, .. } = result;
    let (elapsed, peak_bytes) = (budget.elapsed(), budget.memory().peak());
    (Outcome { answer, lower_bound, end, tried, elapsed, find_times, ticks, peak_bytes }, deferred_drop)
}

/// The name of what proves the first bound of a run for the best solution.
const MATCHING: &str = "matching";

/// Looks at the level, and searches it if that was not enough.
fn search(level: &Level, knobs: &SolveKnobs, budget: &Budget, progress: &dyn SolveProgress) -> RaceResult {
    let optimal = knobs.optimal();
    let best_known = (optimal != Optimal::Any).then(|| {
        let mut best_known = BestKnown::new(level, optimal);
        best_known.take_known(level, &knobs.known);
        best_known
    });
    let mut first = first_look(level, knobs, best_known, budget, progress);
    if is_enough(&first) {
        return first;
    }
    let best_known = first.best_known.take();
    // The strategies need its memory.
    drop(std::mem::take(&mut first.deferred_drop));
    // The reason is worth more than a search that has shown as much.
    if let Some(fault) = Fault::within(level, budget) {
        let answer = Answer::Unsolvable { by: fault.reason().to_owned() };
        return RaceResult::without_search(answer, None);
    }
    if matches!(first.answer, Answer::Unsolvable { .. }) {
        return first;
    }
    // A limit of work is for the portfolio: the first look, a small part of it, takes none of it away.
    search_by_portfolio(level, knobs, best_known, budget, progress).after(first)
}

/// Searches with all strategies, unless the best known solution is proved already.
fn search_by_portfolio(
    level: &Level,
    knobs: &SolveKnobs,
    mut best_known: Option<BestKnown>,
    budget: &Budget,
    progress: &dyn SolveProgress,
) -> RaceResult {
    if let Some(best_known) = &mut best_known {
        best_known.raise_by_matching(level, budget);
        if let Some(answer) = best_known.answer().filter(|_| best_known.is_proved()) {
            return RaceResult::without_search(answer, best_known.bound());
        }
        if let Some(bound) = best_known.bound().filter(|&bound| bound > 0) {
            progress.on(SolveEvent::Bound { strategy: MATCHING, bound });
        }
    }
    let specs = selection::select(level, knobs, budget.memory(), best_known.as_ref().map(BestKnown::upper_bound));
    let race_spec = RaceSpec { specs, n_threads: knobs.n_threads, best_known, polish: knobs.polish.as_deref() };
    race::run(level, race_spec, budget, progress)
}

#[cfg(test)]
pub(crate) mod tests;
