//! The portfolio: several strategies on one level, taking turns until the first of them has an answer.
//!
//! ```text
//!   level ─▶ Profile ─▶ line-up: strategies with weights
//!                           │
//!     thread 1 ── slice ──▶ Roster ◀── slice ── thread 2        trees are paused between slices
//!                           │
//!                        pushes ─▶ moves ─▶ replay ─▶ Answer
//! ```
//!
//! No strategy is best on every level, and nobody knows beforehand which one will be: the times of one strategy
//! spread over five orders of magnitude. So each gets slices in proportion to a weight, and the run takes as long as
//! the quickest one does, divided by its share. (The idea of such portfolios: Huberman, Lukose and Hogg, 1997; for
//! Sokoban: Festival by Yaron Shoham, which runs its strategies one after the other.)
//!
//! Invariants: a solution counts only when it was replayed. *Unsolvable* is said only by a search that loses nothing.
//! *Proved* is said only in a run that was asked to prove, when its best solution costs no more than what a search that
//! loses nothing has shown to be needed.

pub(crate) mod ceiling;
pub(crate) mod entrant;
pub(crate) mod hopeless;
pub(crate) mod leftovers;
mod lineup;
mod member;
pub(crate) mod outcome;
mod profile;
pub(crate) mod progress;
pub(crate) mod race;
mod roster;
mod shares;
mod solved_start;
mod standing;
pub(crate) mod supply;

use std::fmt;
use std::sync::Arc;

use sokocore::{Level, Solution};
use sokosearch::Budget;

use self::leftovers::Leftovers;
use self::race::{Ran, Task};
use self::standing::Standing;
use crate::{Answer, Optimal, Outcome, Settings, SolveEvent, SolveProgress, Strategy};

/// What makes a solution better in little time, see [`SolveKnobs::polish`].
pub type Polish = dyn Fn(&Solution) -> Solution + Send + Sync;

/// Settings of a run.
#[derive(Clone)]
pub struct SolveKnobs {
    /// This strategy alone; the whole portfolio if `None`.
    pub strategy: Option<&'static Strategy>,
    /// What is asked for, and the switches of the searches. Algorithm and heading are those of the strategy called
    /// `systematic`; all others bring their own.
    pub settings: Settings,
    /// Threads that take turns. 1 and up; with one, equal runs do equal work.
    pub n_threads: usize,
    /// Solutions of this level that are known. A run for the best one prunes by them, and ends with the best of them proved
    /// if there is no better one. A run for any solution has no use for them.
    pub known: Vec<Solution>,
    /// What a run for the best solution does to each solution that it finds before the proof, so that it prunes by a better
    /// one; to be quick, since a thread waits. The result is replayed, and left if it is no better.
    pub polish: Option<Arc<Polish>>,
}

impl Default for SolveKnobs {
    fn default() -> Self {
        Self { strategy: None, settings: Settings::default(), n_threads: 1, known: Vec::new(), polish: None }
    }
}

impl fmt::Debug for SolveKnobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { strategy, settings, n_threads, known, polish } = self;
        f.debug_struct("SolveKnobs")
            .field("strategy", strategy)
            .field("settings", settings)
            .field("n_threads", n_threads)
            .field("known", &known.len())
            .field("polish", &polish.is_some())
            .finish()
    }
}

impl SolveKnobs {
    /// Returns what a solution must be best at; any solution will do for [`Optimal::Any`].
    #[must_use]
    pub fn optimal(&self) -> Optimal {
        self.strategy.map_or(self.settings.optimal, |strategy| strategy.optimal(&self.settings))
    }

    /// Returns whether switching a technique, by its name, can change what such a run does.
    #[must_use]
    pub fn heeds(&self, technique: &str) -> bool {
        match self.strategy {
            Some(strategy) => strategy.heeds(technique, &self.settings),
            None => technique == "shared-proofs" || lineup::heeds(technique, &self.settings),
        }
    }
}

/// Solves a level, or says what is known about it when the budget is used up.
pub fn solve(level: &Level, knobs: &SolveKnobs, budget: &Budget, progress: &dyn SolveProgress) -> Outcome {
    solve_first(level, knobs, budget, progress).0
}

/// Does what [`solve`] does, but gives the answer before it frees the memory: the rest is the caller's to drop.
pub fn solve_first(
    level: &Level,
    knobs: &SolveKnobs,
    budget: &Budget,
    progress: &dyn SolveProgress,
) -> (Outcome, Leftovers) {
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
) -> (Outcome, Leftovers) {
    let Ran { answer, lower_bound, end, tried, ticks, leftovers } = match hopeless::fault(level, budget) {
        Some(fault) => Ran::without_search(Answer::Unsolvable { by: fault.reason().to_owned() }, None),
        None => search(level, knobs, budget, progress),
    };
    let (elapsed, peak_bytes) = (budget.elapsed(), budget.memory().peak());
    (Outcome { answer, lower_bound, end, tried, elapsed, ticks, peak_bytes }, leftovers)
}

/// What proves the first bound of a run for the best solution.
const MATCHING: &str = "matching";

/// Searches, unless what is known is the best already.
fn search(level: &Level, knobs: &SolveKnobs, budget: &Budget, progress: &dyn SolveProgress) -> Ran {
    let optimal = knobs.optimal();
    let standing = (optimal != Optimal::Any).then(|| {
        let mut standing = Standing::of(level, optimal, budget);
        standing.take_known(level, &knobs.known);
        standing
    });
    if let Some(standing) = standing.as_ref().filter(|standing| standing.is_proved())
        && let Some(answer) = standing.answer()
    {
        return Ran::without_search(answer, standing.bound());
    }
    if let Some(bound) = standing.as_ref().and_then(Standing::bound).filter(|&bound| bound > 0) {
        progress.on(SolveEvent::Bound { strategy: MATCHING, bound });
    }
    let entrants = lineup::entrants(level, knobs, budget.memory(), standing.as_ref().map(Standing::ceiling));
    let task = Task { entrants, n_threads: knobs.n_threads, standing, polish: knobs.polish.as_deref() };
    race::run(level, task, budget, progress)
}

#[cfg(test)]
mod tests;
