//! The command `solve`: small levels side by side, large ones with all threads, saved as they are solved.
//!
//! ```text
//!  Inputs ─▶ work list ─▶ LevelJobs ─▶ LevelSolver ─▶ Found ─▶ table, JSON lines
//!                ▲            │                         │
//!                └── passes ──┘     background thread ─▶ Saver
//! ```
//!
//! * [`level_solver`]: one level's turn with the solver.
//! * [`found`]: what came of a level, and how that is written into its file. [`report`]: how it is told.
//! * [`stream`]: levels by the million, without files to be written but one of results.
//!
//! Invariant: as for `optimize`, every target holds all of its inputs, and after a clean stop all finds.

pub(crate) mod found;
pub(crate) mod level_solver;
pub(crate) mod report;
mod stream;

use std::time::Duration;

use parking_lot::Mutex;
use sokosolver::DeferredDrop;

use self::found::{Fate, Found, UnderWay};
use self::level_solver::LevelSolver;
use self::report::SolveSummary;
use crate::args::SolveArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::level_fault::LevelFault;
use crate::level_jobs::{JobTurn, LevelJobs};
use crate::outputs::saver::Saver;
use crate::process_memory::keep_within;
use crate::run_time::Passes;
use crate::screen::{RunFacts, Screen, Verbosity};
use crate::session::Session;
use crate::work_list::{Warnings, WorkLevel};

/// Longest time for a level when nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// Runs the command.
pub(crate) fn run(args: &SolveArgs, console: &Console) -> anyhow::Result<Exit> {
    if let Some(results) = &args.results {
        return stream::run(args, results, console);
    }
    let solver = LevelSolver::of(args, console)?;
    let (session, mut outputs) = Session::open(&args.run, console)?;
    keep_within(solver.memory());
    let list = session.work_list(&mut outputs);
    let saver = Saver::new(outputs, args.run.output.keep(), &console.complaints);
    let saver = saver.with_library(session.library.clone());
    let mut passes = args.run.passes(DEFAULT_TIME);
    session.lines.print(&report::run_line(args, &solver, &session, &passes));
    let facts = RunFacts { n_levels: list.len(), total_time: passes.total() };
    let verbosity = Verbosity::of(args.run.quiet, console.verbose);
    let screen = Screen::new(verbosity, console, facts, &report::COLUMNS, session.prints_rows());
    report::expect(&screen, &list);
    let under_way: Vec<_> = list.iter().map(UnderWay::new).collect();
    let deferred_drop = Mutex::default();
    let run = SolveRun {
        args,
        solver: &solver,
        list: &list,
        under_way: &under_way,
        session: &session,
        screen: &screen,
        saver: &saver,
        deferred_drop,
    };
    let found = saver.while_saving(&under_way, || run.all(&mut passes));
    let deferred_drop = run.deferred_drop.into_inner();
    let n_faults = found.iter().filter(|found| found.is_fault()).count();
    let results = SolveSummary { found: &found };
    let exit = session.end(saver, screen, n_faults, "nothing new was found", &results);
    deferred_drop.abandon();
    exit
}

/// All that the levels of a run share.
pub(crate) struct SolveRun<'a, 'r> {
    args: &'r SolveArgs,
    solver: &'r LevelSolver,
    list: &'a [WorkLevel<'a>],
    /// What levels have reached that are being worked on.
    under_way: &'r [UnderWay<'a>],
    session: &'r Session<'r>,
    screen: &'r Screen,
    saver: &'r Saver,
    /// Memory of the last level that ran alone: it is freed after the result is written.
    deferred_drop: Mutex<DeferredDrop>,
}

impl<'a> SolveRun<'a, '_> {
    /// Works on all levels, in passes, and returns what came of them.
    fn all(&self, passes: &mut Passes) -> Vec<Found<'a>> {
        let mut found: Vec<Option<Found<'a>>> =
            self.list.iter().map(|work| self.solver.settled(work, self.args.unsolved)).collect();
        let open = |found: &[Option<Found<'_>>]| -> Vec<usize> {
            (0..found.len()).filter(|&idx| found[idx].as_ref().is_none_or(|found| !found.is_settled())).collect()
        };
        for work in self.list.iter().filter(|work| work.same_as.is_none()) {
            let is_told = |fault: &LevelFault| fault.is_error() || self.session.warnings() == Warnings::Shown;
            if let Some(fault) = LevelFault::at(&work.at).filter(is_told) {
                fault.complain(&work.at, &self.session.console.complaints);
            }
        }
        // One pass reports every level in its place, those that are settled among them.
        let is_one_pass = passes.total().is_none() && !open(&found).is_empty();
        if !is_one_pass {
            found.iter().flatten().for_each(|found| self.report(found));
        }
        let n_side_by_side = self.args.run.resources.n_threads();
        while let Some(time) = passes.next(open(&found).len(), n_side_by_side) {
            if self.session.cancel.is_cancelled() {
                break;
            }
            if is_one_pass {
                self.pass(&(0..found.len()).collect::<Vec<_>>(), time, &mut found, |_| true);
            } else {
                self.pass(&open(&found), time, &mut found, Found::is_settled);
            }
        }
        let (list, solver) = (self.list, self.solver);
        let end = |(idx, found): (usize, Option<Found<'a>>)| match found {
            Some(found) if found.is_settled() || is_one_pass => found,
            found => {
                let found = found.unwrap_or_else(|| solver.found(&list[idx], Fate::NotBegun));
                self.saver.level_done(&found);
                self.report(&found);
                found
            }
        };
        found.into_iter().enumerate().map(end).collect()
    }

    /// Works on these levels, each for as long as this, and reports those that are said to be reported.
    fn pass(
        &self,
        levels: &[usize],
        time: Option<Duration>,
        found: &mut [Option<Found<'a>>],
        is_reported: impl Fn(&Found<'a>) -> bool + Sync,
    ) {
        let run = &self.args.run;
        let jobs = LevelJobs {
            n_threads: self.solver.n_threads(),
            n_jobs: run.jobs.map(std::num::NonZeroUsize::get),
            may_begin_again: run.work.is_none(),
            is_unordered: run.unordered,
            time,
        };
        let before: Vec<_> = levels.iter().map(|&idx| Mutex::new(found[idx].take())).collect();
        let work = |at: usize, resources| {
            let before = before[at].lock().take();
            let turn = self.solver.turn(&self.under_way[levels[at]], before, resources, time, self);
            if let JobTurn::Ended { result: found, .. } = &turn
                && is_reported(found)
            {
                // Results wait for those before them to be told, not to be saved.
                self.saver.level_done(found);
            }
            turn
        };
        jobs.run(levels.len(), work, |at, result: Found<'a>| {
            if is_reported(&result) {
                self.report(&result);
            }
            found[levels[at]] = Some(result);
        });
    }

    /// Says what was found, once.
    fn report(&self, found: &Found<'_>) {
        self.screen.finished(&report::finished(found));
        self.session.lines.print(&report::result_line(found));
    }
}
