//! The solver's settings of a run, and one level's turn with them.

use std::sync::Arc;
use std::time::Duration;

use sokocore::{Level, Objective, Solution};
use sokomethods::polish;
use sokosearch::{Budget, Cancel, Clock, MemoryAccount};
use sokosolver::{DeferredDrop, Optimal, Outcome, SolveKnobs, is_unsolvable};

use super::SolveRun;
use super::found::{Fate, Found, UnderWay, objective_of};
use crate::args::{SolveArgs, algorithm};
use crate::console::Console;
use crate::json::LevelRef;
use crate::level_jobs::{JobTurn, LevelResources};
use crate::process_memory::ResidentMemory;
use crate::proofs;
use crate::watch::Watch;
use crate::work_list::WorkLevel;

/// How levels are solved.
#[derive(Debug)]
pub(crate) struct LevelSolver {
    knobs: SolveKnobs,
    n_threads: usize,
    work: Option<u64>,
    /// For the whole process, in bytes.
    memory: u64,
    resident: ResidentMemory,
    /// Whether solutions are written as the solver found them.
    is_raw: bool,
    /// Whether what the files call proved is proved again.
    rechecks: bool,
}

impl LevelSolver {
    /// Fills in the defaults.
    pub(crate) fn of(args: &SolveArgs, console: &Console) -> anyhow::Result<Self> {
        // What counts ticks is repeatable, and so has one thread, unless told.
        let n_threads = if args.run.work.is_some() && args.run.resources.threads.is_none() {
            1
        } else {
            args.run.resources.n_threads()
        };
        let mut knobs = algorithm::knobs(&args.algorithm, args.direction, args.optimal, 1)?;
        algorithm::switch(&mut knobs.settings, &args.without, false);
        algorithm::switch(&mut knobs.settings, &args.with, true);
        for (option, names) in [("--without", &args.without), ("--with", &args.with)] {
            for technique in names.iter().filter(|&&technique| !knobs.affects(technique)) {
                let text = format!("{option} {technique} changes nothing here: {} does not use it", args.algorithm);
                console.complaints.warning(&text);
            }
        }
        let (memory, work) = (args.run.resources.memory()?, args.run.work);
        let resident = ResidentMemory::default();
        Ok(Self { knobs, n_threads, work, memory, resident, is_raw: args.raw, rechecks: args.recheck })
    }

    /// Makes the solver of another command: any solution will do.
    pub(crate) fn plain(n_threads: usize, work: Option<u64>, memory: u64) -> Self {
        let (knobs, resident) = (SolveKnobs::default(), ResidentMemory::default());
        Self { knobs, n_threads, work, memory, resident, is_raw: false, rechecks: false }
    }

    /// Makes the solver of another command that wants a proof of the best solution.
    pub(crate) fn proving(optimal: Optimal, n_threads: usize, work: Option<u64>, memory: u64) -> Self {
        let mut solver = Self::plain(n_threads, work, memory);
        solver.knobs.settings.optimal = optimal;
        solver
    }

    /// Leaves solutions as the solver finds them.
    pub(super) const fn raw(mut self) -> Self {
        self.is_raw = true;
        self
    }

    /// Returns the threads of the run.
    pub(crate) const fn n_threads(&self) -> usize {
        self.n_threads
    }

    /// Returns whether solutions are left as the solver finds them.
    pub(super) const fn is_raw(&self) -> bool {
        self.is_raw
    }

    /// Returns the memory of the whole process, in bytes.
    pub(crate) const fn memory(&self) -> u64 {
        self.memory
    }

    /// Returns what a solution must be best in.
    pub(crate) const fn optimal(&self) -> Optimal {
        self.knobs.settings.optimal
    }

    /// Returns whether a best solution is asked for.
    pub(crate) fn is_optimal(&self) -> bool {
        self.optimal() != Optimal::Any
    }

    /// Makes an account of a level.
    pub(crate) fn found<'a>(&self, work: &'a WorkLevel<'a>, fate: Fate) -> Found<'a> {
        Found::new(work, fate, self.optimal())
    }

    /// Says what is known about a level before any work; `None` if there is work to do.
    pub(crate) fn settled<'a>(&self, work: &'a WorkLevel<'a>, only_unsolved: bool) -> Option<Found<'a>> {
        let fate = match work.level() {
            Err(error) if is_unsolvable(&error) => Fate::NoSolution(error),
            Err(error) => Fate::BadBoard(error),
            Ok(_) if work.same_as.is_some() => Fate::SameAs,
            Ok(_) if only_unsolved && !work.solutions.is_empty() => Fate::HasSolution,
            Ok(_) => Fate::ProvedBefore(self.proved_before(work)?),
        };
        Some(self.found(work, fate))
    }

    /// The solution that the files call proved, if it is one that was asked for.
    fn proved_before(&self, work: &WorkLevel<'_>) -> Option<Solution> {
        if self.rechecks || !self.is_optimal() {
            return None;
        }
        let proves = |solution: &&Solution| {
            work.proofs.iter().any(|proof| proofs::settles(proof.proved(), self.optimal(), &solution.metrics()))
        };
        work.solutions.iter().find(proves).cloned()
    }

    /// Works on a level for a while. `before` is what came of it in the pass before.
    pub(crate) fn turn<'a>(
        &self,
        under_way: &UnderWay<'a>,
        before: Option<Found<'a>>,
        resources: LevelResources,
        time: Option<Duration>,
        run: &SolveRun<'a, '_>,
    ) -> JobTurn<Found<'a>> {
        drop(std::mem::take(&mut *run.deferred_drop.lock()));
        let SolveRun { session, screen, .. } = run;
        let work = under_way.work();
        let level = match (work.level(), before) {
            (_, Some(before)) if before.is_settled() => return JobTurn::Ended { result: before, set_up: None },
            (Ok(level), _) if !session.cancel.is_cancelled() => level,
            (_, Some(before)) => return JobTurn::Ended { result: before, set_up: None },
            (_, None) => return JobTurn::Ended { result: self.found(work, Fate::NotBegun), set_up: None },
        };
        let title = work.at.entry.title_or_number();
        let objective = objective_of(self.optimal());
        let watch =
            Watch::new(screen.level(work.at.number, &title, time), &session.lines, LevelRef::of(&work.at), objective);
        let found = |solution: &Solution| {
            under_way.found(solution);
            run.saver.level_improved(under_way);
        };
        let known = under_way.known();
        let best = known.iter().map(Solution::metrics).min_by_key(|metrics| objective.score(metrics));
        let watch = watch.with_found(&found).with_best(best);
        let left = time.map(|time| time.saturating_sub(resources.used));
        let limit = resources.limit(left);
        let (outcome, deferred_drop) = self.solve(level, &known, resources, limit, &session.cancel, &watch);
        drop(watch);
        if outcome.has_fault() {
            session.console.complaints.fault_of_search(&title);
        }
        let set_up = outcome.set_up();
        let found = self.found(work, self.fate(level, outcome, &session.cancel));
        if resources.trial.is_some() && limit != left && !found.is_settled() && !session.cancel.is_cancelled() {
            return JobTurn::TooLarge;
        }
        if resources.n_side_by_side == 1 {
            // The result is in time if it is written first.
            *run.deferred_drop.lock() = deferred_drop;
        }
        JobTurn::Ended { result: found, set_up: Some(set_up) }
    }

    /// Runs the solver.
    pub(crate) fn solve(
        &self,
        level: &Level,
        known: &[Solution],
        resources: LevelResources,
        time: Option<Duration>,
        cancel: &Cancel,
        watch: &dyn sokosolver::SolveProgress,
    ) -> (Outcome, DeferredDrop) {
        let memory = MemoryAccount::left_for_searches(self.memory, self.resident.bytes(), self.n_threads);
        let n_parts = u64::try_from(resources.n_side_by_side.max(1)).unwrap_or(u64::MAX);
        let budget = Budget::new(time, MemoryAccount::new(memory / n_parts), cancel.clone()).with_work(self.work);
        let mut knobs = self.knobs.clone().with_threads(resources.n_threads).with_known(known);
        if let Some(objective) = self.optimal().objective() {
            let (level, memory, cancel) = (level.clone(), budget.memory().clone(), cancel.clone());
            let quick = move |solution: &Solution| polish(&level, solution, objective, &memory, &cancel);
            knobs.polish = Some(Arc::new(quick));
        }
        sokosolver::solve_first(level, &knobs, &budget, watch)
    }

    /// What came of a run: its solution with loops and detours cut, unless told. That counts as the level's time.
    pub(super) fn fate(&self, level: &Level, mut outcome: Outcome, cancel: &Cancel) -> Fate {
        let clock = Clock::start();
        let objective = self.optimal().objective().unwrap_or(Objective::MOVES);
        let memory = MemoryAccount::new(self.memory);
        let polished = outcome.solution().map(|solution| {
            if self.is_raw { solution.clone() } else { polish(level, solution, objective, &memory, cancel) }
        });
        let polish = clock.elapsed();
        outcome.elapsed += polish;
        outcome.find_times.polish += polish;
        Fate::Ran(Box::new(outcome), polished)
    }
}
