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
//! *Proved* is said only in a run that was asked to prove, and then only provers take part.

pub(crate) mod entrant;
mod hopeless;
pub(crate) mod leftovers;
mod lineup;
mod member;
pub(crate) mod outcome;
mod profile;
pub(crate) mod progress;
mod race;
mod roster;
mod shares;
mod solved_start;
pub(crate) mod supply;

use sokocore::Level;
use sokosearch::Budget;

use self::leftovers::Leftovers;
use self::race::Ran;
use crate::{Answer, Outcome, Settings, SolveProgress, Strategy};

/// Settings of a run.
#[derive(Clone, Debug)]
pub struct SolveKnobs {
    /// This strategy alone; the whole portfolio if `None`.
    pub strategy: Option<&'static Strategy>,
    /// What is asked for, and the switches of the searches. Algorithm and heading are those of the strategy called
    /// `systematic`; all others bring their own.
    pub settings: Settings,
    /// Threads that take turns. 1 and up; with one, equal runs do equal work.
    pub n_threads: usize,
}

impl Default for SolveKnobs {
    fn default() -> Self {
        Self { strategy: None, settings: Settings::default(), n_threads: 1 }
    }
}

impl SolveKnobs {
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
    let Ran { answer, tried, ticks, leftovers } = match hopeless::reason(level, budget) {
        Some(reason) => Ran::without_search(Answer::Unsolvable { by: reason.to_owned() }),
        None => race::run(level, lineup::entrants(level, knobs, budget.memory()), knobs.n_threads, budget, progress),
    };
    let outcome = Outcome { answer, tried, elapsed: budget.elapsed(), ticks, peak_bytes: budget.memory().peak() };
    (outcome, leftovers)
}

#[cfg(test)]
mod tests;
