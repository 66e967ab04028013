//! One level to be optimized: where it starts from, what it has reached, which searches are still to come.
//!
//! Invariant: `starts` holds, for each kept objective, the best of the solutions in the file. The pool starts from
//! these, so whatever differs from them is new.

use std::time::Duration;

use parking_lot::Mutex;
use sokocore::{Metrics, Objective, Solution};
use sokosearch::{End, Pool};

use super::time_share::TimeShare;
use crate::inputs::InputLevel;

/// One level of the run.
#[derive(Debug)]
pub(super) struct LevelTask<'a> {
    pub(super) at: InputLevel<'a>,
    pub(super) pool: Pool<'a>,
    pub(super) time: TimeShare,
    /// The valid solutions of the file: index among the games, metrics.
    pub(super) known: Vec<(usize, Metrics)>,
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
}

impl Change {
    /// Returns whether something was gained.
    pub(super) fn is_gain(&self) -> bool {
        self.objective.score(&self.after.metrics()) < self.objective.score(&self.before.metrics())
    }
}

impl<'a> LevelTask<'a> {
    /// Opens the task. `objectives` will be searched for; the bests in moves and in pushes are kept in any case.
    /// `None` if there is no solution to start from.
    pub(super) fn new(
        at: InputLevel<'a>,
        level: &'a sokocore::Level,
        solutions: &[(usize, Solution)],
        objectives: &[Objective],
        time: TimeShare,
    ) -> Option<Self> {
        let mut kept = objectives.to_vec();
        kept.extend([Objective::MOVES, Objective::PUSHES].iter().filter(|objective| !objectives.contains(objective)));
        let pool = Pool::new(level, &solutions.first()?.1, &kept);
        for (_, solution) in solutions {
            // Cannot fail: it was replayed on this level.
            let _ = pool.offer(solution.lurd());
        }
        let starts = kept.iter().map(|&objective| (objective, pool.best(objective))).collect();
        let known = solutions.iter().map(|(game, solution)| (*game, solution.metrics())).collect();
        let progress = Progress { reports: Vec::new(), n_left: objectives.len() };
        Some(Self { at, pool, time, known, starts, progress: Mutex::new(progress) })
    }

    /// Returns what has changed for one of the kept objectives so far.
    pub(super) fn change(&self, objective: Objective) -> Change {
        let start = self.starts.iter().find(|(kept, _)| *kept == objective).or(self.starts.first());
        let before = start.expect("invariant: a task keeps at least moves and pushes").1.clone();
        Change { objective, before, after: self.pool.best(objective) }
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

impl Ending {
    /// Says it in a word, as tables and JSON do.
    pub(super) const fn name(self) -> &'static str {
        use sokosearch::Stop;
        match self {
            Self::Ran(End::Exhausted) => "exhausted",
            Self::Ran(End::Stopped(Stop::Time)) => "time",
            Self::Ran(End::Stopped(Stop::Memory)) => "memory",
            Self::Ran(End::Stopped(Stop::Work)) => "work",
            Self::Ran(End::Stopped(Stop::Cancelled)) => "interrupted",
            Self::NotBegun => "not begun",
            Self::Panicked => "failed",
        }
    }
}
