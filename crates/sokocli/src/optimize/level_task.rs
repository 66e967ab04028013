//! One level to be optimized: where it starts from, what it has reached, which searches are still to come.
//!
//! Invariant: `starts` holds, for each kept objective, the best of the solutions that are known. The pool starts from
//! these, so whatever differs from them is new. A task without a solution has no pool until the solver has found one.

use std::sync::OnceLock;
use std::time::Duration;

use parking_lot::Mutex;
use sokocore::{Level, Lurd, Metric, Metrics, Objective, Solution};
use sokoio::ProofNote;
use sokonight::Finders;
use sokosearch::{End, Pool};
use sokosolver::{LevelBounds, Optimal, Outcome};

use super::bound_attempts::BoundAttempts;
use super::skip_reason::SkipReason;
use super::snapshot::SnapshotLevel;
use crate::inputs::InputLevel;
use crate::plan::Plan;
use crate::proofs;
use crate::work_list::WorkLevel;

/// One level of the run.
#[derive(Debug)]
pub(super) struct LevelTask<'a> {
    pub(super) work: &'a WorkLevel<'a>,
    /// The level that is played: without the squares to be avoided, or with a snapshot's end for goals.
    pub(super) level: &'a Level,
    /// The snapshot that is optimized rather than the solutions.
    pub(super) snapshot: Option<&'a SnapshotLevel>,
    /// What was asked for.
    pub(super) objectives: Vec<Objective>,
    /// Whether results tell lower bounds, and whether people see them.
    pub(super) tells_bounds: bool,
    pub(super) shows_bounds: bool,
    start: OnceLock<Start<'a>>,
    bounds: OnceLock<Mutex<TaskBounds>>,
    /// What has found the bests.
    pub(super) finders: Finders,
    state: Mutex<TaskState>,
}

/// Where the searches of a task begin.
#[derive(Debug)]
pub(super) struct Start<'a> {
    pub(super) pool: Pool<'a>,
    /// All solutions that are known, if there are several.
    pub(super) several: Vec<Solution>,
    /// The strategy that found the first solution, if none was known.
    pub(super) solved_by: Option<String>,
    /// The best for each kept objective.
    starts: Vec<(Objective, Solution)>,
}

/// The lower bounds of a task.
#[derive(Clone, Copy, Debug)]
struct TaskBounds {
    /// `None` if boxes and goals cannot be matched.
    of_level: Option<LevelBounds>,
    /// Whether searches have raised them in this run.
    is_raised: bool,
}

#[derive(Debug, Default)]
struct TaskState {
    reports: Vec<JobReport>,
    /// Searches of this pass that have not ended.
    n_left: usize,
    time_of_solver: Duration,
    bound_attempts: BoundAttempts,
    /// Why there is no solution.
    unsolved: Option<SkipReason>,
}

/// What became of the searches for one objective.
#[derive(Clone, Debug)]
pub(super) struct JobReport {
    pub(super) objective: Objective,
    /// How the last one ended.
    pub(super) ending: Ending,
    /// Of all of them.
    pub(super) elapsed: Duration,
    pub(super) ticks: u64,
    pub(super) peak_bytes: u64,
}

impl JobReport {
    /// Makes the report of an objective that was not searched.
    pub(super) const fn without_search(objective: Objective, ending: Ending) -> Self {
        Self { objective, ending, elapsed: Duration::ZERO, ticks: 0, peak_bytes: 0 }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// By itself or by a limit.
    Ran(End),
    /// Nothing better exists.
    Proved,
    /// Nothing better exists, as the file says.
    ProvedBefore,
    /// With the first gain, as asked.
    FirstGain,
    /// It was not begun, because the run was interrupted or its time was over.
    NotBegun,
    /// A fault of ours; what it had found is kept.
    Panicked,
}

/// Best before and after, for one objective.
#[derive(Clone, Debug)]
pub(super) struct ObjectiveChange {
    pub(super) objective: Objective,
    pub(super) before: Solution,
    pub(super) after: Solution,
    /// Whether not even the solution before is in a file.
    pub(super) is_new: bool,
}

impl ObjectiveChange {
    /// Returns whether something was gained.
    pub(super) fn is_gain(&self) -> bool {
        self.is_new || self.objective.score(&self.after.metrics()) < self.objective.score(&self.before.metrics())
    }
}

impl<'a> LevelTask<'a> {
    /// Opens the task of a level. The bests in moves and in pushes are kept, whatever the objectives are.
    pub(super) fn new(work: &'a WorkLevel<'a>, level: &'a Level, solutions: &[Solution], plan: &Plan) -> Self {
        let task = Self::unbegun(work, level, None, plan);
        task.begin(solutions, plan.keeps_end, None);
        task
    }

    /// Opens the task of a snapshot.
    pub(super) fn of_snapshot(work: &'a WorkLevel<'a>, snapshot: &'a SnapshotLevel, plan: &Plan) -> Self {
        let task = Self::unbegun(work, snapshot.sub.level(), Some(snapshot), plan);
        task.begin(&[snapshot.sub.start().clone()], true, None);
        task
    }

    fn unbegun(work: &'a WorkLevel<'a>, level: &'a Level, snapshot: Option<&'a SnapshotLevel>, plan: &Plan) -> Self {
        Self {
            work,
            level,
            snapshot,
            objectives: plan.objectives.clone(),
            tells_bounds: plan.tells_bounds,
            shows_bounds: plan.bound_share.is_some(),
            start: OnceLock::new(),
            bounds: OnceLock::new(),
            finders: Finders::default(),
            state: Mutex::default(),
        }
    }

    /// Begins from a solution that a strategy of the solver has found.
    pub(super) fn begin_solved(&self, solution: Solution, by: String, plan: &Plan) {
        self.begin(&[solution], plan.keeps_end, Some(by));
    }

    fn begin(&self, solutions: &[Solution], keeps_end: bool, solved_by: Option<String>) {
        let Some(first) = solutions.first() else { return };
        let mut kept = self.objectives.clone();
        let named = [Objective::MOVES, Objective::PUSHES];
        kept.extend(named.iter().filter(|objective| !self.objectives.contains(objective)));
        let pool = Pool::new(self.level, first, &kept);
        for solution in solutions {
            pool.offer(solution.lurd()).expect("invariant: it was replayed on this level");
        }
        let pool = if keeps_end { pool.keeping_ends() } else { pool };
        let several = if solutions.len() > 1 { solutions.to_vec() } else { Vec::new() };
        let starts = kept.iter().map(|&objective| (objective, pool.best(objective))).collect();
        let start = Start { pool, several, solved_by, starts };
        self.start.set(start).expect("invariant: a task begins once");
    }

    /// Notes why the solver has no solution.
    pub(super) fn unsolved(&self, reason: SkipReason) {
        self.state.lock().unsolved = Some(reason);
    }

    /// Returns why there is no solution.
    pub(super) fn why_unsolved(&self) -> Option<SkipReason> {
        if self.start.get().is_some() { None } else { self.state.lock().unsolved.clone() }
    }

    /// Returns the level as it was read.
    pub(super) const fn at(&self) -> &'a InputLevel<'a> {
        &self.work.at
    }

    /// Returns where the searches begin; `None` while there is no solution.
    pub(super) fn start(&self) -> Option<&Start<'a>> {
        self.start.get()
    }

    /// Returns whether the level is played as it was read: no snapshot, and no squares to be avoided.
    pub(super) fn is_as_read(&self) -> bool {
        self.snapshot.is_none() && self.work.level().is_ok_and(|level| std::ptr::eq(level, self.level))
    }

    /// Returns the name of what is optimized.
    pub(super) fn title(&self) -> String {
        let title = self.at().entry.title_or_number();
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

    fn bounds(&self) -> &Mutex<TaskBounds> {
        self.bounds.get_or_init(|| Mutex::new(TaskBounds { of_level: LevelBounds::of(self.level), is_raised: false }))
    }

    /// Takes over what a run of the solver for the best solution has proved.
    pub(super) fn learn(&self, metric: Metric, optimal: Optimal, outcome: &Outcome, n_side_by_side: usize) {
        self.state.lock().bound_attempts.note(metric, outcome.elapsed, n_side_by_side, outcome.end);
        let mut bounds = self.bounds().lock();
        bounds.is_raised = true;
        if let Some(of_level) = &mut bounds.of_level {
            of_level.learn(optimal, outcome);
        }
    }

    /// Takes over a lower bound that was proved while the level was optimized.
    pub(super) fn note_bound(&self, metric: Metric, at_least: u64) {
        let mut bounds = self.bounds().lock();
        let Some(of_level) = &mut bounds.of_level else { return };
        let before = of_level.at_least(metric);
        of_level.note(metric, at_least);
        bounds.is_raised |= of_level.at_least(metric) > before;
    }

    /// Returns whether a search for a lower bound may get further than the one before.
    pub(super) fn may_raise(&self, metric: Metric, time: Option<Duration>, n_side_by_side: usize) -> bool {
        self.state.lock().bound_attempts.may_get_further(metric, time, n_side_by_side)
    }

    /// Returns the least value of a metric among the solutions that are known; `None` while there is none.
    pub(super) fn best(&self, metric: Metric) -> Option<u64> {
        let kept = self.start()?.starts.iter().map(|&(objective, _)| objective);
        kept.filter_map(|objective| Some(metric.of(&self.change(objective)?.after.metrics()))).min()
    }

    /// Returns what every solution needs at least of a metric, by its bounds and by what files call proved. `None` if
    /// neither tells.
    pub(super) fn lower_bound(&self, metric: Metric) -> Option<u64> {
        let best = self.best(metric);
        let begins_with = |objective: &&Objective| objective.order()[0] == metric;
        if self.objectives.iter().filter(begins_with).any(|&objective| self.is_proved(objective)) {
            return best;
        }
        let own = self.bounds().lock().of_level.and_then(|bounds| bounds.at_least(metric));
        // A solution below a bound would show a fault of ours: nothing is claimed then.
        own.max(self.noted(metric)).filter(|&bound| best.is_none_or(|best| bound <= best))
    }

    /// What files call proved of a metric. A snapshot is a level of its own.
    fn noted(&self, metric: Metric) -> Option<u64> {
        let notes = self.work.proofs.iter().filter(|_| self.snapshot.is_none());
        proofs::at_least(notes, metric, self.best(metric))
    }

    /// Returns what every solution needs at least of what an objective counts first, and how far the best one may be from
    /// that in percent. Snapshots have none: their moves before the start are fixed.
    pub(super) fn gap(&self, objective: Objective) -> Option<(u64, f64)> {
        let metric = objective.order()[0];
        let bound = self.lower_bound(metric).filter(|_| self.tells_bounds && self.snapshot.is_none())?;
        Some((bound, proofs::gap_percent(metric.of(&self.change(objective)?.after.metrics()), bound)?))
    }

    /// Returns what searches have proved about moves and pushes beyond what files say, as notes for the best solutions.
    pub(super) fn new_proofs(&self) -> Vec<(Objective, ProofNote)> {
        let is_whole = self.snapshot.is_none() && self.work.level().is_ok_and(|level| std::ptr::eq(level, self.level));
        if !is_whole || !self.bounds.get().is_some_and(|bounds| bounds.lock().is_raised) {
            return Vec::new();
        }
        let note = |(metric, objective)| {
            let (bound, best) = (self.lower_bound(metric)?, self.best(metric)?);
            let is_said = self.is_proved(objective) || (bound < best && self.noted(metric) >= Some(bound));
            let note = proofs::bound_note(metric, bound, best).filter(|_| !is_said)?;
            Some((objective, note))
        };
        [(Metric::Moves, Objective::MOVES), (Metric::Pushes, Objective::PUSHES)].into_iter().filter_map(note).collect()
    }

    /// Returns what has changed for one of the kept objectives so far; `None` while there is no solution.
    pub(super) fn change(&self, objective: Objective) -> Option<ObjectiveChange> {
        let start = self.start()?;
        let (_, before) = start.starts.iter().find(|(kept, _)| *kept == objective)?;
        let (before, after) = (before.clone(), start.pool.best(objective));
        Some(ObjectiveChange { objective, before, after, is_new: start.solved_by.is_some() })
    }

    /// Returns what has changed for all kept objectives so far.
    pub(super) fn changes(&self) -> Vec<ObjectiveChange> {
        let kept = self.start().into_iter().flat_map(|start| &start.starts);
        kept.filter_map(|&(objective, _)| self.change(objective)).collect()
    }

    /// Returns whether something was gained for an objective that was asked for.
    pub(super) fn is_improved(&self) -> bool {
        self.objectives.iter().any(|&objective| self.change(objective).is_some_and(|change| change.is_gain()))
    }

    /// Returns whether the best solution by an objective is proved to be the best there is, now or before.
    pub(super) fn is_proved(&self, objective: Objective) -> bool {
        let is_proved_now = self.start().is_some_and(|start| start.pool.is_proved(objective));
        is_proved_now || self.report(objective).is_some_and(|report| report.ending == Ending::ProvedBefore)
    }

    /// Notes that so many searches are to come.
    pub(super) fn expect(&self, n_searches: usize) {
        self.state.lock().n_left = n_searches;
    }

    /// Notes what became of a search. Returns whether it was the last one of the pass.
    pub(super) fn end(&self, report: JobReport) -> bool {
        let mut state = self.state.lock();
        state.n_left = state.n_left.saturating_sub(1);
        match state.reports.iter_mut().find(|old| old.objective == report.objective) {
            None => state.reports.push(report),
            Some(_) if report.ending == Ending::NotBegun => {}
            Some(old) => {
                old.ending = report.ending;
                old.elapsed += report.elapsed;
                old.ticks += report.ticks;
                old.peak_bytes = old.peak_bytes.max(report.peak_bytes);
            }
        }
        state.n_left == 0
    }

    /// Notes that the solver took so long, with a solution or without.
    pub(super) fn add_time_of_solver(&self, elapsed: Duration) {
        self.state.lock().time_of_solver += elapsed;
    }

    /// Returns how long the solver and the searches for an objective have worked on the level.
    pub(super) fn time_used(&self, objective: Objective) -> Duration {
        let searches = self.report(objective).map_or(Duration::ZERO, |report| report.elapsed);
        self.state.lock().time_of_solver + searches
    }

    /// Returns whether a search failed by a fault of ours.
    pub(super) fn has_failed(&self) -> bool {
        self.state.lock().reports.iter().any(|report| report.ending == Ending::Panicked)
    }

    /// Returns whether any search was begun.
    pub(super) fn is_begun(&self) -> bool {
        self.state.lock().reports.iter().any(|report| report.ending != Ending::NotBegun)
    }

    /// Returns what became of the search for an objective, if it has ended.
    pub(super) fn report(&self, objective: Objective) -> Option<JobReport> {
        self.state.lock().reports.iter().find(|report| report.objective == objective).cloned()
    }

    /// Returns the objectives that more time may help.
    pub(super) fn open_objectives(&self) -> Vec<Objective> {
        let is_open = |objective: &&Objective| self.report(**objective).is_none_or(|report| report.ending.is_open());
        self.objectives.iter().filter(is_open).copied().collect()
    }

    /// Returns whether more time may help.
    pub(super) fn is_open(&self) -> bool {
        match self.start() {
            Some(_) => !self.open_objectives().is_empty(),
            None => self.why_unsolved().is_none_or(|reason| reason.is_open()),
        }
    }
}

impl Ending {
    /// Says it in a word, as tables and JSON do.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ran(End::Exhausted) => "nothing left to try",
            Self::Proved => "proved optimal",
            Self::ProvedBefore => "proved before",
            Self::FirstGain => "first gain",
            Self::Ran(End::Stopped(stop)) => stop.name(),
            Self::NotBegun => "not begun",
            Self::Panicked => "failed",
        }
    }

    /// Whether a longer search could find more.
    pub(super) const fn is_open(self) -> bool {
        matches!(self, Self::Ran(End::Stopped(_)) | Self::NotBegun)
    }
}
