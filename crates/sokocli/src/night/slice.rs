//! A slice of a night: one level, one purpose, some seconds.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use sokocore::{Level, Metric, Metrics, Objective};
use sokoio::Proved;
use sokolibrary::RunDone;
use sokomethods::{Checkpoint, Knobs, SharedSolutionSource};
use sokosearch::{Budget, Cancel, Context, Event, MemoryAccount, Progress};
use sokosolver::{Answer, LevelBounds, Optimal, SolveKnobs};

use super::levels::LevelState;
use super::schedule::{SliceGain, WORTH_OF_SOLUTION};
use crate::library::sync::{LevelFinds, LibrarySync};
use crate::optimize::fresh::Fresh;
use crate::solve::polish::polish;

/// Slices shorter than this do without other solutions of the solver: a comparison of them takes longer.
const SHORTEST_WITH_SOURCE: Duration = Duration::from_secs(4);

/// What a slice is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Solve,
    Improve(Objective),
}

/// What all slices of a night share.
#[derive(Debug)]
pub(super) struct Slices<'r> {
    pub(super) sync: &'r LibrarySync,
    pub(super) cancel: &'r Cancel,
    pub(super) seed: u64,
    /// Bytes of each search.
    pub(super) memory: u64,
}

/// Time and threads of a slice.
#[derive(Clone, Copy, Debug)]
pub(super) struct SliceLimits {
    pub(super) time: Duration,
    pub(super) n_threads: usize,
}

/// What became of a slice, for people.
#[derive(Clone, Debug)]
pub(super) struct SliceReport {
    pub(super) result: SliceGain,
    /// What became better: the objective, the metrics before and after.
    pub(super) gains: Vec<(Objective, Option<Metrics>, Metrics)>,
    /// How the search ended.
    pub(super) ended: &'static str,
    /// Whether it failed by a fault of ours.
    pub(super) has_failed: bool,
}

impl Purpose {
    /// Names it as the library does.
    pub(super) fn name(self) -> String {
        match self {
            Self::Solve => "solve".to_owned(),
            Self::Improve(objective) => objective.to_string(),
        }
    }
}

impl Slices<'_> {
    /// Runs a slice, and puts what it finds into the library.
    pub(super) fn run(&self, state: &LevelState<'_>, purpose: Purpose, limits: SliceLimits) -> SliceReport {
        let before: Vec<_> = state.before.iter().map(|(objective, _)| (*objective, state.best(*objective))).collect();
        let memory = MemoryAccount::new(self.memory);
        let budget = Budget::new(Some(limits.time), memory, self.cancel.clone());
        let (ended, ticks, has_failed, is_settled) = match purpose {
            Purpose::Solve => self.solve(state, &budget, limits),
            Purpose::Improve(objective) => self.improve(state, objective, &budget, limits),
        };
        let is_better = |(objective, old): &(Objective, Option<Metrics>)| {
            let new = state.best(*objective)?;
            let gained = old.is_none_or(|old| objective.score(&new) < objective.score(&old));
            gained.then_some((*objective, *old, new))
        };
        let gains: Vec<_> = before.iter().filter_map(is_better).collect();
        let gain = gains.iter().map(|(objective, old, new)| worth(*objective, old.as_ref(), new)).sum();
        let elapsed = budget.elapsed();
        let mut run = RunDone::new(purpose.name(), elapsed, ended);
        (run.ticks, run.has_gain) = (ticks, !gains.is_empty());
        let bounds = *state.bounds.get_or_init(|| self.bounds(state));
        self.sync.put(LevelFinds { runs: vec![run], bounds, ..finds(state) });
        SliceReport { result: SliceGain { elapsed, gain, is_settled }, gains, ended, has_failed }
    }

    /// Computes the lower bounds of a level, some milliseconds' work.
    fn bounds(&self, state: &LevelState<'_>) -> Option<(u64, u64)> {
        let budget = Budget::new(None, MemoryAccount::new(self.memory), self.cancel.clone());
        let bounds = LevelBounds::within(&state.of.level, &budget)?;
        bounds.at_least(Metric::Moves).zip(bounds.at_least(Metric::Pushes))
    }

    /// Improves the best solution by an objective.
    fn improve(
        &self,
        state: &LevelState<'_>,
        objective: Objective,
        budget: &Budget,
        limits: SliceLimits,
    ) -> (&'static str, u64, bool, bool) {
        let Some(pool) = state.pool.get() else { return ("no solution", 0, false, false) };
        let watch = SliceWatch { sync: self.sync, state };
        let mut context = Context::new(pool, objective, budget, &watch);
        let source = (limits.time >= SHORTEST_WITH_SOURCE)
            .then(|| SharedSolutionSource::new(Fresh::new(&state.of.level, budget, self.cancel)));
        let others: Vec<_> = state.bests().into_iter().map(|(_, solution)| solution).collect();
        let knobs = Knobs::default().with_seed(self.seed).with_threads(limits.n_threads);
        let knobs = knobs.with_others(others).with_source(source);
        let level = &state.of.level;
        let before = self.sync.checkpoint(level, objective);
        let keep = |checkpoint: &Checkpoint| self.sync.put_checkpoint(level, checkpoint);
        let run = || sokomethods::optimize_from(&knobs, before.as_ref(), Some(&keep), &mut context);
        let result = catch_unwind(AssertUnwindSafe(run)).map(|(result, last)| {
            last.iter().for_each(keep);
            result
        });
        let ticks = context.ticks();
        let is_proved = pool.is_proved(objective);
        match result {
            Err(_) => ("failed", ticks, true, true),
            Ok(_) if is_proved => ("proved optimal", ticks, false, true),
            Ok(Ok(())) if context.is_short_of_memory() => ("memory", ticks, false, true),
            Ok(Ok(())) => ("nothing left to try", ticks, false, true),
            Ok(Err(stop)) => (stop.name(), ticks, false, false),
        }
    }

    /// Looks for a first solution.
    fn solve(&self, state: &LevelState<'_>, budget: &Budget, limits: SliceLimits) -> (&'static str, u64, bool, bool) {
        let level: &Level = &state.of.level;
        let knobs = SolveKnobs::default().with_threads(limits.n_threads);
        let (outcome, deferred) = sokosolver::solve_first(level, &knobs, budget, &());
        drop(deferred);
        let ticks = outcome.tried.iter().map(|attempt| attempt.ticks).sum();
        let has_fault = outcome.has_fault();
        match &outcome.answer {
            Answer::Solved { solution, .. } => {
                let polished = polish(level, solution, Optimal::Any, self.cancel);
                state.begin(&polished);
                ("solved", ticks, has_fault, true)
            }
            Answer::Unsolvable { .. } => ("unsolvable", ticks, has_fault, true),
            Answer::Unsolved(_) => ("not solved", ticks, has_fault, false),
        }
    }
}

/// What a gain counts for the schedule: in what its objective counts first.
fn worth(objective: Objective, old: Option<&Metrics>, new: &Metrics) -> f64 {
    old.map_or(WORTH_OF_SOLUTION, |old| objective.score(old).gain_of(objective.score(new)))
}

/// Everything that the library should know of a level.
fn finds(state: &LevelState<'_>) -> LevelFinds {
    let mut finds = LevelFinds::of(&state.of.level);
    for (objective, solution) in state.bests() {
        if state.is_proved(objective) {
            finds.proofs.push(Proved::Best { objective, metrics: solution.metrics() });
        }
        finds.solutions.push((solution, objective));
    }
    finds
}

/// Puts better solutions into the library as they are found.
#[derive(Debug)]
struct SliceWatch<'a, 'l> {
    sync: &'a LibrarySync,
    state: &'a LevelState<'l>,
}

impl Progress for SliceWatch<'_, '_> {
    fn on(&self, event: Event<'_>) {
        if matches!(event, Event::Improved { .. }) {
            self.sync.put(finds(self.state));
        }
    }
}
