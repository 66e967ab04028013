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
//! * [`selection`], [`profile`]: the strategies of a run and their weights, by the features of the level.
//! * [`race`], [`scheduler`], [`shares`]: the threads, the order of the slices, and weights by stage. The queue is the
//!   crate's [`FairShareQueue`](crate::fair_share::FairShareQueue).
//! * [`strategy_spec`], [`strategy_state`]: one strategy: its configuration and workers, and its state in a run.
//! * [`best_known`], [`outcome`], [`progress`], [`deferred_drop`]: what a run knows, returns, reports, and leaves to
//!   drop.
//! * [`solved_start`]: levels that start solved. [`portfolio_source`]: one solution after the other, for an optimizer.

mod best_known;
pub(crate) mod deferred_drop;
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

use std::fmt;
use std::sync::Arc;

use sokocore::{Level, Solution};
use sokosearch::Budget;

use self::best_known::BestKnown;
use self::deferred_drop::DeferredDrop;
use self::race::{RaceResult, RaceSpec};
use crate::{
    Answer, CustomStrategy, Fault, Optimal, Outcome, Settings, SolveEvent, SolveProgress, Strategy, Technique,
};

/// A quick improvement of a solution, see [`SolveKnobs::polish`].
pub type Polish = dyn Fn(&Solution) -> Solution + Send + Sync;

/// Settings of a run.
///
/// ```
/// use sokosolver::{SolveKnobs, Strategy};
///
/// let knobs = SolveKnobs::default().with_strategy(Strategy::named("a-star")).with_threads(2);
/// assert_eq!(knobs.strategy.map(|strategy| strategy.name), Some("a-star"));
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct SolveKnobs {
    /// Only this strategy; the whole portfolio if `None`.
    pub strategy: Option<&'static Strategy>,
    /// Strategies from outside this crate, which run beside that. Default none.
    pub custom: Vec<CustomStrategy>,
    /// Whether the strategies of this crate take part, as `strategy` says. Default yes; otherwise only custom ones run.
    pub runs_built_in: bool,
    /// The optimality mode and the techniques. Algorithm and heading apply only to the strategy called `systematic`;
    /// all others have their own.
    pub settings: Settings,
    /// Threads of the run. 1 and up; with one, equal runs do equal work.
    pub n_threads: usize,
    /// Known solutions of this level. A run for the best one prunes by them, and ends with the best of them proved if
    /// there is no better one. A run for any solution ignores them.
    pub known: Vec<Solution>,
    /// Applied by a run for the best solution to each solution found before the proof, so that it prunes by a better
    /// one. It must be quick, since a thread waits. The result is replayed, and ignored if it is no better.
    pub polish: Option<Arc<Polish>>,
}

impl Default for SolveKnobs {
    fn default() -> Self {
        Self {
            strategy: None,
            custom: Vec::new(),
            runs_built_in: true,
            settings: Settings::default(),
            n_threads: 1,
            known: Vec::new(),
            polish: None,
        }
    }
}

impl fmt::Debug for SolveKnobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { strategy, custom, runs_built_in, settings, n_threads, known, polish } = self;
        f.debug_struct("SolveKnobs")
            .field("strategy", strategy)
            .field("custom", custom)
            .field("runs_built_in", runs_built_in)
            .field("settings", settings)
            .field("n_threads", n_threads)
            .field("known", &known.len())
            .field("polish", &polish.is_some())
            .finish()
    }
}

impl SolveKnobs {
    /// Sets [`SolveKnobs::strategy`].
    #[must_use]
    pub fn with_strategy(mut self, strategy: impl Into<Option<&'static Strategy>>) -> Self {
        self.strategy = strategy.into();
        self
    }

    /// Sets [`SolveKnobs::settings`].
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets [`SolveKnobs::n_threads`].
    #[must_use]
    pub const fn with_threads(mut self, n_threads: usize) -> Self {
        self.n_threads = n_threads;
        self
    }

    /// Sets [`SolveKnobs::known`].
    #[must_use]
    pub fn with_known(mut self, known: impl Into<Vec<Solution>>) -> Self {
        self.known = known.into();
        self
    }

    /// Adds one of [`SolveKnobs::custom`].
    #[must_use]
    pub fn with_custom(mut self, strategy: CustomStrategy) -> Self {
        self.custom.push(strategy);
        self
    }

    /// Returns the optimality mode of the run; [`Optimal::Any`] if any solution will do.
    #[must_use]
    pub fn optimal(&self) -> Optimal {
        self.strategy.map_or(self.settings.optimal, |strategy| strategy.optimal(&self.settings))
    }

    /// Returns whether switching a technique can change what such a run does.
    #[must_use]
    pub fn affects(&self, technique: Technique) -> bool {
        match self.strategy {
            Some(strategy) => strategy.affects(technique, &self.settings),
            None => technique == Technique::SharedProofs || selection::affects(technique, &self.settings),
        }
    }
}

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
