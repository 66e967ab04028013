//! One level to be optimized: where it starts from, what it has reached, which searches are still to come.
//!
//! Invariant: `starts` holds, for each kept objective, the best of the solutions in the file. The pool starts from
//! these, so whatever differs from them is new.

use std::time::Duration;

use parking_lot::Mutex;
use sokocore::{Lurd, Metrics, Objective, Solution};
use sokoio::{Collection, EditError};
use sokosearch::{End, Pool};

use super::snapshot::Snapshot;
use super::time_share::TimeShare;
use super::titles::add_gains;
use crate::inputs::InputLevel;
use crate::plan::Plan;
use crate::saver::Gains;

/// One level of the run.
#[derive(Debug)]
pub(super) struct LevelTask<'a> {
    pub(super) at: InputLevel<'a>,
    /// The snapshot that is optimized rather than the solutions.
    pub(super) snapshot: Option<&'a Snapshot>,
    pub(super) pool: Pool<'a>,
    pub(super) time: TimeShare,
    /// The valid solutions of the file: index among the games, metrics.
    pub(super) known: Vec<(usize, Metrics)>,
    /// All valid solutions of the file, if there are several.
    pub(super) several: Vec<Solution>,
    /// The strategy that found the first solution, if the file had none.
    pub(super) solved_by: Option<String>,
    starts: Vec<(Objective, Solution)>,
    progress: Mutex<Progress>,
}

#[derive(Debug)]
struct Progress {
    reports: Vec<JobReport>,
    n_left: usize,
}

/// What became of one search.
#[derive(Clone, Debug)]
pub(super) struct JobReport {
    pub(super) objective: Objective,
    pub(super) ending: Ending,
    pub(super) elapsed: Duration,
    pub(super) ticks: u64,
    pub(super) peak_bytes: u64,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// By itself or by a limit.
    Ran(End),
    /// Nothing better exists.
    Proved,
    /// With the first gain, as asked.
    FirstGain,
    /// It was not begun, because the user had interrupted the run.
    NotBegun,
    /// A fault of ours; what it had found is kept.
    Panicked,
}

/// Best before and after, for one objective.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) objective: Objective,
    pub(super) before: Solution,
    pub(super) after: Solution,
    /// Whether not even the solution before is in the file.
    pub(super) is_new: bool,
}

impl Change {
    /// Returns whether something was gained.
    pub(super) fn is_gain(&self) -> bool {
        self.is_new || self.objective.score(&self.after.metrics()) < self.objective.score(&self.before.metrics())
    }
}

impl<'a> LevelTask<'a> {
    /// Opens the task. The plan's objectives will be searched for; the bests in moves and in pushes are kept in any case.
    /// `None` if there is no solution to start from.
    pub(super) fn new(
        at: InputLevel<'a>,
        level: &'a sokocore::Level,
        solutions: &[(usize, Solution)],
        plan: &Plan,
        time: TimeShare,
    ) -> Option<Self> {
        let objectives = &plan.objectives;
        let mut kept = objectives.to_vec();
        kept.extend([Objective::MOVES, Objective::PUSHES].iter().filter(|objective| !objectives.contains(objective)));
        let pool = Pool::new(level, &solutions.first()?.1, &kept);
        for (_, solution) in solutions {
            // Cannot fail: it was replayed on this level.
            let _ = pool.offer(solution.lurd());
        }
        let pool = if plan.keeps_end { pool.keeping_ends() } else { pool };
        let several: Vec<_> = solutions.iter().map(|(_, solution)| solution.clone()).collect();
        let several = if several.len() > 1 { several } else { Vec::new() };
        let starts = kept.iter().map(|&objective| (objective, pool.best(objective))).collect();
        let known = solutions.iter().map(|(game, solution)| (*game, solution.metrics())).collect();
        let progress = Progress { reports: Vec::new(), n_left: objectives.len() };
        let (snapshot, solved_by, progress) = (None, None, Mutex::new(progress));
        Some(Self { at, snapshot, pool, time, known, several, solved_by, starts, progress })
    }

    /// Opens the task of a level whose file has no solution; this one was found `by` a strategy of the solver.
    pub(super) fn of_first(
        at: InputLevel<'a>,
        level: &'a sokocore::Level,
        solution: Solution,
        by: String,
        plan: &Plan,
        time: TimeShare,
    ) -> Option<Self> {
        let task = Self::new(at, level, &[(0, solution)], plan, time)?;
        Some(Self { known: Vec::new(), solved_by: Some(by), ..task })
    }

    /// Opens the task of a snapshot.
    pub(super) fn of_snapshot(
        at: InputLevel<'a>,
        snapshot: &'a Snapshot,
        plan: &Plan,
        time: TimeShare,
    ) -> Option<Self> {
        let plan = Plan { keeps_end: true, ..plan.clone() };
        let start = [(snapshot.game, snapshot.sub.start().clone())];
        let task = Self::new(at, snapshot.sub.level(), &start, &plan, time)?;
        Some(Self { snapshot: Some(snapshot), ..task })
    }

    /// Returns the name of what is optimized.
    pub(super) fn title(&self) -> String {
        let title = self.at.entry.title_or_number();
        if self.snapshot.is_some() { format!("{title}, snapshot") } else { title }
    }

    /// Returns the moves to be written for a solution of the pool.
    pub(super) fn game(&self, solution: &Solution) -> Lurd {
        self.snapshot.map_or_else(|| solution.lurd().clone(), |snapshot| snapshot.game(solution.lurd()))
    }

    /// Returns the metrics of those moves.
    pub(super) fn metrics(&self, solution: &Solution) -> Metrics {
        self.snapshot.map_or_else(|| solution.metrics(), |_| Metrics::count(self.game(solution).steps()))
    }

    /// Returns what has changed for one of the kept objectives so far.
    pub(super) fn change(&self, objective: Objective) -> Change {
        let start = self.starts.iter().find(|(kept, _)| *kept == objective).or(self.starts.first());
        let before = start.expect("invariant: a task keeps at least moves and pushes").1.clone();
        Change { objective, before, after: self.pool.best(objective), is_new: self.solved_by.is_some() }
    }

    /// Returns what has changed for all kept objectives so far.
    pub(super) fn changes(&self) -> Vec<Change> {
        self.starts.iter().map(|&(objective, _)| self.change(objective)).collect()
    }

    /// Notes what became of a search. Returns whether it was the last one.
    pub(super) fn end(&self, report: JobReport) -> bool {
        let mut progress = self.progress.lock();
        progress.n_left -= 1;
        progress.reports.push(report);
        progress.n_left == 0
    }

    /// Returns whether a search failed by a fault of ours.
    pub(super) fn has_failed(&self) -> bool {
        self.progress.lock().reports.iter().any(|report| report.ending == Ending::Panicked)
    }

    /// Returns whether no search was begun.
    pub(super) fn is_untouched(&self) -> bool {
        self.progress.lock().reports.iter().all(|report| report.ending == Ending::NotBegun)
    }

    /// Returns what became of the search for an objective, if it has ended.
    pub(super) fn report(&self, objective: Objective) -> Option<JobReport> {
        self.progress.lock().reports.iter().find(|report| report.objective == objective).cloned()
    }
}

impl Gains for LevelTask<'_> {
    fn key(&self) -> (usize, Option<usize>) {
        (self.at.number, self.snapshot.map(|snapshot| snapshot.game))
    }

    fn input_idx(&self) -> usize {
        self.at.input_idx
    }

    fn add_to(&self, collection: &mut Collection) -> Result<bool, EditError> {
        add_gains(collection, self)
    }
}

impl Ending {
    /// Says it in a word, as tables and JSON do.
    pub(super) const fn name(self) -> &'static str {
        use sokosearch::Stop;
        match self {
            Self::Ran(End::Exhausted) => "exhausted",
            Self::Proved => "proved optimal",
            Self::FirstGain => "first gain",
            Self::Ran(End::Stopped(Stop::Time)) => "time",
            Self::Ran(End::Stopped(Stop::Memory)) => "memory",
            Self::Ran(End::Stopped(Stop::Work)) => "work",
            Self::Ran(End::Stopped(Stop::Cancelled)) => "interrupted",
            Self::NotBegun => "not begun",
            Self::Panicked => "failed",
        }
    }
}
