//! The command `optimize`: prepare, solve what has no solution, search, save, report.
//!
//! ```text
//!  work list ─▶ Preparation ─▶ tasks without a solution ─▶ LevelSolver
//!                   │              │
//!                   │          tasks × objectives ─▶ worker threads ─▶ Pool · JobReport
//!                   │              ▲                                      │
//!                   │              └─────────────── passes ───────────────┤
//!                   └─ skipped ─────────────▶ report ◀─ LevelTask ◀───────┤
//!                                     background thread ─▶ Saver ◀─────────┘
//! ```
//!
//! * [`preparation`]: which levels become a [`LevelTask`], and which are skipped for a [`skip_reason`]. [`avoided`],
//!   [`snapshot`]: levels made of those that were read.
//! * [`first_solution`]: levels without a solution are solved first.
//! * [`raise_bounds`]: lower bounds are raised by search, if that is asked for.
//!   [`bound_attempts`]: which of these searches are worth repeating.
//! * [`checkpoint_store`]: where the searches of one pass have ended, for the next.
//! * [`level_task`]: what a level has reached. [`gains`]: how that is written into its file.
//! * [`report`]: the lines, the table, JSON.
//!
//! Invariant: whatever stops the run, every target holds all of its inputs, and after a clean stop all finds.

mod avoided;
mod bound_attempts;
mod checkpoint_store;
mod first_solution;
mod gains;
mod level_task;
mod preparation;
mod raise_bounds;
pub(crate) mod report;
mod skip_reason;
mod snapshot;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::time::Duration;

use parking_lot::Mutex;
use sokocore::Objective;
use sokomethods::{Checkpoint, SharedOptimalSearcher, SharedSolutionSource, sort_for_search};
use sokonight::PolishedSource;
use sokosearch::{Budget, Context, End, MemoryAccount, Stop, TimeShare, run_jobs};
use sokosolver::AStarSearcher;
use tracing::debug;

use self::avoided::Avoided;
use self::checkpoint_store::CheckpointStore;
use self::level_task::{Ending, JobReport, LevelTask, Start};
use self::preparation::{DerivedLevels, Preparation, prepare};
use self::report::OptimizeSummary;
use self::snapshot::SnapshotLevel;
use crate::args::OptimizeArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::in_order::InOrder;
use crate::json::LevelRef;
use crate::outputs::saver::Saver;
use crate::plan::Plan;
use crate::process_memory::{keep_within, resident_memory};
use crate::run_time::Passes;
use crate::screen::{RunFacts, Screen, Verbosity};
use crate::session::Session;
use crate::watch::Watch;

/// Longest time for a level when nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(30);

/// The part of the memory that checkpoints of earlier passes may have: one of so many.
const CHECKPOINT_SHARE: u64 = 8;

/// Runs the command.
pub(crate) fn run(args: &OptimizeArgs, console: &Console) -> anyhow::Result<Exit> {
    let plan = Plan::of(args)?;
    let (session, mut outputs) = Session::open(&args.run, console)?;
    keep_within(plan.memory);
    let list = session.work_list(&mut outputs);
    let has_snapshots = args.snapshots;
    let derived = DerivedLevels {
        snapshots: if has_snapshots {
            SnapshotLevel::all(&list, session.warnings(), &console.complaints)
        } else {
            Vec::new()
        },
        avoided: Avoided::all(&list, &args.avoid)?,
    };
    let prepared = prepare(&list, &derived, &plan, &console.complaints)?;
    let saver = Saver::new(outputs, args.run.output.keep(), &console.complaints);
    let saver = saver.with_library(session.library.clone());
    let mut passes = args.run.passes(DEFAULT_TIME);
    session.lines.print(&report::run_line(args, &plan, &session, &passes));
    let facts = RunFacts { n_levels: prepared.tasks.len() + prepared.skipped.len(), total_time: passes.total() };
    let verbosity = Verbosity::of(args.run.quiet, console.verbose);
    let screen = Screen::new(verbosity, console, facts, &report::COLUMNS, session.prints_rows());
    report::expect(&screen, &prepared);
    let run = OptimizeRun {
        args,
        plan: &plan,
        prepared: &prepared,
        session: &session,
        screen: &screen,
        saver: &saver,
        reported: Mutex::new(InOrder::new(args.run.unordered)),
        checkpoints: Mutex::new(CheckpointStore::new(plan.memory / CHECKPOINT_SHARE)),
    };
    saver.while_saving(&prepared.tasks, || run.all(&mut passes));
    let n_faults = prepared.n_faults + prepared.tasks.iter().filter(|task| task.has_failed()).count();
    let results = OptimizeSummary { plan: &plan, prepared: &prepared };
    session.end(saver, screen, n_faults, "nothing was improved", &results)
}

/// All that the searches of a run share.
struct OptimizeRun<'a, 'r> {
    args: &'r OptimizeArgs,
    plan: &'r Plan,
    prepared: &'r Preparation<'a>,
    session: &'r Session<'r>,
    screen: &'r Screen,
    saver: &'r Saver,
    /// Tasks that are done, by their index, until those before them are.
    reported: Mutex<InOrder<()>>,
    /// Where searches have ended, by the index of the task, unless the library has that.
    checkpoints: Mutex<CheckpointStore>,
}

/// The threads and the memory of searches that run at the same time.
#[derive(Clone, Copy, Debug)]
struct WorkerLimits {
    n: usize,
    /// Threads of each.
    n_threads: usize,
    /// Bytes of each.
    memory: u64,
}

/// What the searches of one level share in a pass.
#[derive(Debug)]
struct LevelShare {
    time: TimeShare,
    /// The solver as a source of further solutions, in the memory of the search that begins it.
    source: OnceLock<SharedSolutionSource>,
}

impl<'a> OptimizeRun<'a, '_> {
    fn tasks(&self) -> &[LevelTask<'a>] {
        &self.prepared.tasks
    }

    /// Runs the passes; what they find is saved by another thread.
    fn all(&self, passes: &mut Passes) {
        for skipped in &self.prepared.skipped {
            self.screen.finished(&report::skipped(skipped));
            self.session.lines.print(&report::skipped_line(skipped));
        }
        self.note_what_is_proved();
        let is_one_pass = passes.total().is_none();
        loop {
            let open: Vec<usize> = (0..self.tasks().len()).filter(|&idx| self.tasks()[idx].is_open()).collect();
            if self.session.cancel.is_cancelled() {
                break;
            }
            let Some(time) = passes.next(open.len(), self.plan.n_threads) else { break };
            let mut used = first_solution::find_first_solutions(self, &open, time);
            raise_bounds::raise_bounds(self, &open, &mut used, time);
            self.pass(&open, &used, time, is_one_pass);
        }
        for idx in 0..self.tasks().len() {
            self.level_done(idx);
        }
    }

    /// Spares the searches whose result a file calls proved.
    fn note_what_is_proved(&self) {
        if self.args.recheck || !self.plan.is_whole() {
            return;
        }
        for task in self.tasks().iter().filter(|task| task.snapshot.is_none()) {
            for &objective in &self.plan.objectives {
                let metrics = task.change(objective).map(|change| change.before.metrics());
                let settles =
                    |metrics| task.work.proofs.iter().any(|proof| proof.proved().is_best_by(objective, metrics));
                if metrics.as_ref().is_some_and(settles) {
                    task.end(JobReport::without_search(objective, Ending::ProvedBefore));
                }
            }
        }
    }

    /// Optimizes these tasks, each for as long as this, less what the solver has used.
    fn pass(&self, open: &[usize], used: &[Duration], time: Option<Duration>, is_one_pass: bool) {
        let n_threads = self.plan.n_threads;
        let mut jobs = Vec::new();
        let mut shares = Vec::new();
        for (&idx, used) in open.iter().zip(used) {
            let task = &self.tasks()[idx];
            let mut objectives = if task.start().is_some() { task.open_objectives() } else { Vec::new() };
            sort_for_search(&mut objectives, |objective| *objective);
            task.expect(objectives.len());
            let left = time.map(|time| time.saturating_sub(*used).max(Duration::from_millis(1)));
            shares
                .push(LevelShare { time: TimeShare::new(left, objectives.len(), n_threads), source: OnceLock::new() });
            jobs.extend(objectives.into_iter().map(|objective| (idx, shares.len() - 1, objective)));
        }
        let workers = self.workers(jobs.len());
        debug!(searches = jobs.len(), ?workers, ?time, "pass");
        if is_one_pass {
            let is_done = |idx: &usize| !jobs.iter().any(|(other, ..)| other == idx);
            (0..self.tasks().len()).filter(is_done).for_each(|idx| self.level_done(idx));
        }
        run_jobs(workers.n, jobs, |(idx, share, objective)| {
            let task = &self.tasks()[idx];
            let report = if self.session.cancel.is_cancelled() {
                JobReport::without_search(objective, Ending::NotBegun)
            } else {
                let before = self.checkpoints.lock().get((idx, objective));
                let (report, checkpoint) = self.search(task, objective, before, &shares[share], workers);
                if !is_one_pass {
                    let checkpoint = checkpoint.filter(|_| report.ending.is_open());
                    self.checkpoints.lock().put((idx, objective), checkpoint.as_ref());
                }
                report
            };
            if task.end(report) && is_one_pass {
                self.level_done(idx);
            }
        });
    }

    /// Whether anything is shown of a level in work.
    fn shows_progress(&self) -> bool {
        self.screen.draws() || self.session.lines.is_on()
    }

    fn workers(&self, n_jobs: usize) -> WorkerLimits {
        let n_threads = self.plan.n_threads;
        let most = self.args.run.jobs.map_or(n_threads, |jobs| jobs.get().saturating_mul(self.plan.objectives.len()));
        let n = n_threads.min(most).min(n_jobs.max(1)).max(1);
        // What counts ticks is repeatable, and so has one thread.
        let of_each = if self.plan.work.is_some() { 1 } else { n_threads / n };
        WorkerLimits { n, n_threads: of_each, memory: self.plan.memory_of_worker(n, resident_memory()) }
    }

    /// Optimizes one level for one objective, from where the search before has ended. Returns where this one has, unless
    /// the library has that.
    fn search(
        &self,
        task: &LevelTask<'_>,
        objective: Objective,
        before: Option<Checkpoint>,
        share: &LevelShare,
        workers: WorkerLimits,
    ) -> (JobReport, Option<Checkpoint>) {
        let Some(start) = task.start() else {
            return (JobReport::without_search(objective, Ending::NotBegun), before);
        };
        let title = task.title();
        let time = share.time.take();
        let improved = || self.saver.level_improved(task);
        let bound = |metric, at_least| task.note_bound(metric, at_least);
        let view = self.screen.level(task.at().number, &title, time);
        view.best(objective, start.pool.best(objective).metrics());
        let watch = Watch::new(view, &self.session.lines, LevelRef::of(task.at()), objective)
            .after(task.time_used(objective))
            .with_improved(&improved)
            .with_finders(&task.finders)
            .with_bound(&bound)
            .with_lower_bound(self.shows_progress().then(|| task.lower_bound(objective.order()[0])).flatten())
            .with_best(Some(start.pool.best(objective).metrics()));
        let cancel = &self.session.cancel;
        let account = MemoryAccount::new(workers.memory);
        let budget = Budget::new(time, account, cancel.clone()).with_work(self.plan.work);
        let mut context = Context::new(&start.pool, objective, &budget, &watch);
        if self.plan.ends_at_first {
            context = context.ending_at_first();
        }
        // A solver has no use for a part of a solution, or for one whose end is kept.
        let is_whole = self.plan.is_whole() && task.snapshot.is_none();
        let is_owner = Cell::new(false);
        let fresh = || {
            is_owner.set(true);
            SharedSolutionSource::new(PolishedSource::new(start.pool.level(), &budget, cancel))
        };
        let source = (is_whole && self.plan.solves).then(|| share.source.get_or_init(fresh).clone());
        let (others, n_threads) = (start.several.clone(), workers.n_threads);
        let searcher = source.as_ref().map(|_| SharedOptimalSearcher::new(AStarSearcher));
        let knobs = self.plan.knobs.clone().with_others(others).with_threads(n_threads).with_source(source.clone());
        let knobs = knobs.with_searcher(searcher);
        // A fault in a method must not cost the other levels; what the pool holds is replayed and sound.
        // The library is about levels as they stand.
        let library = self.session.library.as_deref().filter(|_| is_whole && task.is_as_read());
        let before = before.or_else(|| library?.queue().checkpoint(task.level, objective));
        let keep = |checkpoint: &Checkpoint| {
            library.iter().for_each(|library| library.queue().put_checkpoint(task.level, checkpoint));
        };
        let run = || sokomethods::optimize_from(&knobs, before.as_ref(), Some(&keep), &mut context);
        let result = catch_unwind(AssertUnwindSafe(run));
        if let Ok((_, Some(last))) = &result {
            keep(last);
        }
        // Its memory is that of this search.
        if let Some(source) = source.filter(|_| is_owner.get()) {
            source.close();
        }
        let (ending, checkpoint) = match result {
            Ok((result, checkpoint)) => (ending(&context, start, objective, result), checkpoint),
            Err(_) => {
                self.session.console.complaints.fault_of_search(&title);
                (Ending::Panicked, None)
            }
        };
        let elapsed = budget.elapsed();
        share.time.give_back(time.unwrap_or_default().saturating_sub(elapsed));
        let peak_bytes = budget.memory().peak();
        debug!(level = task.at().number, %objective, end = ending.name(), ?elapsed, peak_bytes, "search done");
        let checkpoint = checkpoint.filter(|_| library.is_none_or(|library| !library.is_in_use()));
        (JobReport { objective, ending, elapsed, ticks: context.ticks(), peak_bytes }, checkpoint)
    }

    /// Saves what a level has gained, and says it once.
    fn level_done(&self, idx: usize) {
        // Held while lines are printed, so that they come in order.
        let mut reported = self.reported.lock();
        for (idx, ()) in reported.put(idx, ()) {
            let task = &self.tasks()[idx];
            self.saver.level_done(task);
            if !task.is_begun() && task.start().is_some() && task.open_objectives().len() == task.objectives.len() {
                continue;
            }
            self.screen.finished(&report::finished(task));
            for line in report::result_lines(task) {
                self.session.lines.print(&line);
            }
        }
    }
}

fn ending(context: &Context<'_>, start: &Start<'_>, objective: Objective, result: Result<(), Stop>) -> Ending {
    match result {
        Err(_) if context.has_ended_at_first() => Ending::FirstGain,
        _ if start.pool.is_proved(objective) => Ending::Proved,
        Ok(()) if context.is_short_of_memory() => Ending::Ran(End::Stopped(Stop::Memory)),
        Ok(()) => Ending::Ran(End::Exhausted),
        Err(stop) => Ending::Ran(End::Stopped(stop)),
    }
}
