//! The command `optimize`: prepare, search, save, report.
//!
//! ```text
//!  Inputs ─▶ Preparation ─▶ jobs = tasks × objectives ─▶ worker threads ──┐
//!                 │                                                       ▼
//!                 └─ skipped ─────────────▶ report ◀─ LevelTask ◀── Pool · JobReport
//!                                                         │
//!                            attendant thread ─▶ Saver ◀──┘
//! ```
//!
//! Invariant: whatever stops the run, every target file holds all of its inputs, and after a clean stop all finds.

mod avoided;
mod first_solution;
mod fresh;
mod level_task;
mod preparation;
mod report;
mod snapshot;
mod time_share;
mod titles;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use parking_lot::Mutex;
use sokocore::Objective;
use sokomethods::{Knobs, SharedSource};
use sokosearch::{Budget, Cancel, Context, End, MemoryAccount, Stop, run_jobs};
use tracing::info;

use self::avoided::Avoided;
pub(crate) use self::avoided::square;
use self::first_solution::solve_first;
use self::fresh::Fresh;
use self::level_task::{Ending, JobReport, LevelTask};
use self::preparation::{Preparation, Warnings, prepare};
use self::report::Results;
use self::snapshot::Snapshot;
use crate::args::{OptimizeArgs, RunArgs};
use crate::complaint;
use crate::exit::Exit;
use crate::output;
use crate::plan::Plan;
use crate::saver::Saver;
use crate::screen::{Chatter, Screen};
use crate::session::Session;

/// Runs the command.
pub(crate) fn run(args: &OptimizeArgs, verbose: u8) -> anyhow::Result<Exit> {
    let plan = Plan::of(args)?;
    let (session, saver) = Session::open(&args.run)?;
    let Session { inputs, cancel, .. } = &session;
    let levels = args.run.levels.as_ref();
    let warnings = if args.run.quiet { Warnings::Hidden } else { Warnings::Shown };
    let snapshots = if args.snapshots { Snapshot::all(inputs, levels, warnings) } else { Vec::new() };
    let avoided = Avoided::all(inputs, levels, &args.avoid);
    let mut prepared = prepare(inputs, (&snapshots, &avoided), levels, &plan, warnings);
    if plan.solves {
        let screen = Screen::new(Chatter::of(args.run.quiet, verbose));
        solve_first(&mut prepared, &avoided, &plan, &saver, cancel, &screen);
    }
    let run = Run::new(&plan, &prepared, &saver, cancel.clone(), &args.run, verbose);
    run.search();
    let print_error = run.print_error.into_inner();
    let n_faults = prepared.n_faults + prepared.tasks.iter().filter(|task| task.has_failed()).count();
    let results = Results { plan: &plan, prepared: &prepared };
    session.end(saver, n_faults, "nothing was improved", print_error, &results)
}

/// All that the searches of a run share.
struct Run<'a> {
    plan: &'a Plan,
    tasks: &'a [LevelTask<'a>],
    saver: &'a Saver,
    cancel: Cancel,
    screen: Screen,
    n_workers: usize,
    /// Threads of each worker.
    n_threads: usize,
    memory: u64,
    prints_json: bool,
    print_error: Mutex<Option<std::io::Error>>,
}

impl<'a> Run<'a> {
    fn new(
        plan: &'a Plan,
        prepared: &'a Preparation<'a>,
        saver: &'a Saver,
        cancel: Cancel,
        args: &RunArgs,
        verbose: u8,
    ) -> Self {
        let n_jobs = (prepared.tasks.len() * plan.objectives.len()).max(1);
        let n_workers = plan.n_threads.min(n_jobs);
        // What counts ticks is repeatable, and so has one thread.
        let n_threads = if plan.work.is_some() { 1 } else { plan.n_threads / n_workers };
        Self {
            plan,
            tasks: &prepared.tasks,
            saver,
            cancel,
            screen: Screen::new(Chatter::of(args.quiet, verbose)),
            n_workers,
            n_threads,
            memory: plan.memory_of_worker(n_workers),
            prints_json: args.json,
            print_error: Mutex::new(None),
        }
    }

    /// Runs all searches, while an attendant saves what they find.
    fn search(&self) {
        info!(
            levels = self.tasks.len(),
            workers = self.n_workers,
            threads_of_each = self.n_threads,
            memory_of_each = self.memory,
            "run"
        );
        self.saver.attend(self.tasks, || {
            let jobs =
                self.tasks.iter().flat_map(|task| self.plan.objectives.iter().map(move |&objective| (task, objective)));
            run_jobs(self.n_workers, jobs, |(task, objective)| self.job(task, objective));
        });
    }

    /// Optimizes one level for one objective.
    fn job(&self, task: &LevelTask<'_>, objective: Objective) {
        let report = if self.cancel.is_cancelled() {
            JobReport { objective, ending: Ending::NotBegun, elapsed: Duration::ZERO, ticks: 0, peak_bytes: 0 }
        } else {
            self.run_job(task, objective)
        };
        if task.end(report) {
            self.level_done(task);
        }
    }

    fn run_job(&self, task: &LevelTask<'_>, objective: Objective) -> JobReport {
        let title = task.title();
        let improved = || self.saver.level_improved();
        let view = self.screen.search(&title, objective, task.pool.best(objective).metrics(), &improved);
        let time = task.time.take();
        let budget = Budget::new(time, MemoryAccount::new(self.memory), self.cancel.clone()).with_work(self.plan.work);
        let mut context = Context::new(&task.pool, objective, &budget, &view);
        if self.plan.ends_at_first {
            context = context.ending_at_first();
        }
        // A part of a solution, or one whose end is kept, is no business of a solver's.
        let is_whole = self.plan.knobs.scope.is_none() && !self.plan.keeps_end && task.snapshot.is_none();
        let fresh = || SharedSource::new(Fresh::new(task.pool.level(), &budget, &self.cancel));
        let source = (is_whole && self.plan.solves).then(fresh);
        let (others, n_threads) = (task.several.clone(), self.n_threads);
        let knobs = Knobs { others, n_threads, source, ..self.plan.knobs.clone() };
        // A fault in a method must not cost the other levels; what the pool holds is replayed and sound.
        let result = catch_unwind(AssertUnwindSafe(|| sokomethods::optimize(&knobs, &mut context)));
        let ending = match result {
            Ok(Err(_)) if context.has_ended_at_first() => Ending::FirstGain,
            Ok(_) if task.pool.is_proved(objective) => Ending::Proved,
            Ok(Ok(())) if context.is_short_of_memory() => Ending::Ran(End::Stopped(Stop::Memory)),
            Ok(Ok(())) => Ending::Ran(End::Exhausted),
            Ok(Err(stop)) => Ending::Ran(End::Stopped(stop)),
            Err(_) => {
                complaint::error(&format!("{}: a search failed by a fault of this program; please report it", title));
                Ending::Panicked
            }
        };
        let elapsed = budget.elapsed();
        task.time.give_back(time.unwrap_or_default().saturating_sub(elapsed));
        let peak_bytes = budget.memory().peak();
        info!(level = task.at.number, %objective, end = ending.name(), ?elapsed, peak_bytes, "search done");
        JobReport { objective, ending, elapsed, ticks: context.ticks(), peak_bytes }
    }

    fn level_done(&self, task: &LevelTask<'_>) {
        self.saver.level_done(task);
        if task.is_untouched() {
            return;
        }
        self.screen.line(&report::line(task, &self.plan.objectives));
        if self.prints_json {
            let mut print_error = self.print_error.lock();
            for &objective in &self.plan.objectives {
                if print_error.is_none() {
                    *print_error = output::print_line(&report::json(task, objective).to_string()).err();
                }
            }
        }
    }
}
