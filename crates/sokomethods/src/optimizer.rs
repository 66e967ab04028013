//! The optimizer as one value: a level, settings with defaults, and one call.
//!
//! ```text
//!  Optimizer ── run(solution) ──▶ Pool ─┬─▶ search by objective 1 ─┐
//!    level, objectives, limits,         └─▶ search by objective 2 ─┴─▶ OptimizeOutcome
//!    settings, listeners ◀── Reporter ◀── events ──┘
//! ```
//!
//! Invariant: the run replays every solution that it is given and every one that it finds, so that all results solve
//! the level, and none is worse than what the run started with.

pub(crate) mod outcome;
mod reporter;

use std::fmt;
use std::time::Duration;

use parking_lot::Mutex;
use sokocore::{Level, Objective, ReplayError, Solution, replay};
use sokosearch::{
    Budget, Cancel, Context, End, Event, Limits, OptimalSearcher, Pool, SolutionSource, Stop, TimeShare, run_jobs,
};

use crate::optimizer::outcome::{Improvement, ObjectiveOutcome, OptimizeOutcome};
use crate::optimizer::reporter::Reporter;
use crate::{
    Checkpoint, CustomMethod, Knobs, Scope, SharedOptimalSearcher, SharedSolutionSource, optimize_from, sort_for_search,
};

/// Longest time of a run that has no limit of its own.
const DEFAULT_TIME: Duration = Duration::from_secs(30);

/// A listener to improvements.
type OnImprovement<'a> = Box<dyn FnMut(&Improvement<'_>) + Send + 'a>;
/// A listener to events.
type OnEvent<'a> = Box<dyn FnMut(Event<'_>) + Send + 'a>;
/// A listener to checkpoints.
type CheckpointListener<'a> = Box<dyn FnMut(&Checkpoint) + Send + 'a>;

/// Improves solutions of a level: the whole crate behind one call.
///
/// | setting | default |
/// |---|---|
/// | [`objective`](Self::objective) | fewest moves, then pushes |
/// | [`time`](Self::time) | 30 seconds, none if [`work`](Self::work) is limited |
/// | [`memory`](Self::memory) | 1 GiB |
/// | [`threads`](Self::threads) | 1 |
/// | [`knobs`](Self::knobs) | [`Knobs::default`] |
///
/// A run ends when no method gains anything more, when the result is proved optimal, or at a limit. With one thread and
/// limited work, equal runs give equal results on every machine.
///
/// ```
/// use std::time::Duration;
///
/// use sokocore::{Level, Objective, replay};
/// use sokomethods::Optimizer;
///
/// let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######")?;
/// let start = replay(&level, &"drruurDullDrdL".parse()?)?;
/// let outcome = Optimizer::new(&level)
///     .objective(Objective::MOVES)
///     .objective(Objective::PUSHES)
///     .time(Duration::from_secs(10))
///     .on_improvement(|found| println!("{} by {}", found.solution.metrics(), found.method))
///     .run(&start)?;
/// let moves = outcome.by(Objective::MOVES).expect("it was asked for");
/// assert_eq!((moves.before.metrics().moves, moves.best.metrics().moves), (14, 12));
/// assert!(moves.is_proved && outcome.is_proved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Any thread that has a clone of the [`Cancel`] ends the run, which then returns what it has found:
///
/// ```
/// use std::thread;
/// use std::time::Duration;
///
/// use sokocore::{Level, replay};
/// use sokomethods::Optimizer;
/// use sokosearch::{Cancel, End, Stop};
///
/// let level = Level::parse("#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######")?;
/// let start = replay(&level, &"lUruLdrdrUluRdldlDrdLururDldR".parse()?)?;
/// let cancel = Cancel::default();
/// let optimizer = Optimizer::new(&level).time(None).cancel(&cancel);
/// let outcome = thread::scope(|scope| {
///     let run = scope.spawn(|| optimizer.run(&start));
///     cancel.cancel();
///     run.join().expect("no method panics")
/// })?;
/// assert!(outcome.end() == End::Stopped(Stop::Cancelled) || outcome.is_proved(), "unless it was quicker");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Optimizer<'a> {
    level: &'a Level,
    objectives: Vec<Objective>,
    knobs: Knobs,
    limits: Limits,
    /// At most one for each objective.
    checkpoints: Vec<Checkpoint>,
    keeps_end: bool,
    ends_at_first: bool,
    listeners: Mutex<Listeners<'a>>,
}

/// What is called during a run.
#[derive(Default)]
struct Listeners<'a> {
    on_improvement: Option<OnImprovement<'a>>,
    on_event: Option<OnEvent<'a>>,
    on_checkpoint: Option<CheckpointListener<'a>>,
}

impl fmt::Debug for Optimizer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Optimizer")
            .field("objectives", &self.objectives)
            .field("knobs", &self.knobs)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl<'a> Optimizer<'a> {
    /// Makes an optimizer for solutions of a level, with the default settings.
    #[must_use]
    pub fn new(level: &'a Level) -> Self {
        Self {
            level,
            objectives: Vec::new(),
            knobs: Knobs::default(),
            limits: Limits::new(DEFAULT_TIME),
            checkpoints: Vec::new(),
            keeps_end: false,
            ends_at_first: false,
            listeners: Mutex::default(),
        }
    }

    /// Adds an objective. Each has a search and a result of its own; a solution found for one also counts for the others.
    #[must_use]
    pub fn objective(mut self, objective: Objective) -> Self {
        if !self.objectives.contains(&objective) {
            self.objectives.push(objective);
        }
        self
    }

    /// Limits the time of a run, which its objectives share; `None` for no limit.
    #[must_use]
    pub fn time(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.limits = self.limits.with_time(limit);
        self
    }

    /// Limits the bytes that the searches may use at once. The process takes some MiB beside them.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.limits = self.limits.with_memory(bytes);
        self
    }

    /// Limits the work for each objective, in ticks; a tick is about one state expanded. `None` for no limit.
    #[must_use]
    pub fn work(mut self, ticks: impl Into<Option<u64>>) -> Self {
        self.limits = self.limits.with_work(ticks);
        self
    }

    /// Sets the number of threads, which the objectives share. 1 and up; 0 counts as 1.
    #[must_use]
    pub const fn threads(mut self, n_threads: usize) -> Self {
        self.knobs.n_threads = n_threads;
        self
    }

    /// Sets the seed of all random choices.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.knobs.seed = seed;
        self
    }

    /// Lets only a part of the solution change.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Self {
        self.knobs.scope = Some(scope);
        self
    }

    /// Adds a method of one's own to those of the schedule.
    #[must_use]
    pub fn method(mut self, method: CustomMethod) -> Self {
        self.knobs.methods.push(method);
        self
    }

    /// Adds a source of solutions of other shapes, such as a solver, for when improvement has stalled.
    #[must_use]
    pub fn source(mut self, source: impl SolutionSource + 'static) -> Self {
        self.knobs.source = Some(SharedSolutionSource::new(source));
        self
    }

    /// Adds a searcher, such as A*, that prunes by the best solution and proves a lower bound beside the other methods.
    #[must_use]
    pub fn searcher(mut self, searcher: impl OptimalSearcher + 'static) -> Self {
        self.knobs.searcher = Some(SharedOptimalSearcher::new(searcher));
        self
    }

    /// Adds another solution of the level, from which the run may start as well, and which is relinked with the best.
    ///
    /// # Errors
    /// It does not solve the level.
    pub fn known(mut self, solution: &Solution) -> Result<Self, ReplayError> {
        self.knobs.others.push(replay(self.level, solution.lurd())?);
        Ok(self)
    }

    /// Continues where an earlier run ended: the search for the checkpoint's objective starts from its solution, if that is
    /// better, and skips windows that gave no gain. Of several for one objective the last one counts; one of
    /// another level is left out.
    ///
    /// ```
    /// use sokocore::{Level, replay};
    /// use sokomethods::{Checkpoint, Optimizer};
    ///
    /// let level = Level::parse("#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######")?;
    /// let start = replay(&level, &"lUruLdrdrUluRdldlDrdLururDldR".parse()?)?;
    /// let first = Optimizer::new(&level).work(50_000).run(&start)?;
    /// let bytes = first.results[0].checkpoint.as_ref().map(Checkpoint::to_bytes).expect("there is no scope");
    ///
    /// let checkpoint = Checkpoint::from_bytes(&bytes)?;
    /// let second = Optimizer::new(&level).resume(&checkpoint).run(first.solution())?;
    /// assert!(second.is_proved(), "nothing limits it");
    /// let proved = second.results[0].checkpoint.as_ref().expect("there is no scope");
    /// assert!(proved.is_exhausted() && proved.ticks() > checkpoint.ticks());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn resume(mut self, checkpoint: &Checkpoint) -> Self {
        self.checkpoints.retain(|other| other.objective() != checkpoint.objective());
        self.checkpoints.push(checkpoint.clone());
        self
    }

    /// Replaces all settings of the methods, and so those made before by [`threads`](Self::threads),
    /// [`seed`](Self::seed), [`scope`](Self::scope), [`method`](Self::method), [`source`](Self::source),
    /// [`searcher`](Self::searcher) and [`known`](Self::known): best called first.
    #[must_use]
    pub fn knobs(mut self, knobs: Knobs) -> Self {
        self.knobs = knobs;
        self
    }

    /// Refuses solutions that leave the player on another square than the one given.
    #[must_use]
    pub const fn keep_end(mut self) -> Self {
        self.keeps_end = true;
        self
    }

    /// Ends the search for an objective with its first gain.
    #[must_use]
    pub const fn first_gain(mut self) -> Self {
        self.ends_at_first = true;
        self
    }

    /// Ends the run when this flag is raised.
    #[must_use]
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.limits = self.limits.with_cancel(cancel);
        self
    }

    /// Calls `listener` for each improvement. It is called from the threads of the run, one call at a time, and must
    /// return quickly, since the searches wait.
    #[must_use]
    pub fn on_improvement(mut self, listener: impl FnMut(&Improvement<'_>) + Send + 'a) -> Self {
        self.listeners.get_mut().on_improvement = Some(Box::new(listener));
        self
    }

    /// Calls `listener` for each event, such as to show progress; as for [`on_improvement`](Self::on_improvement).
    #[must_use]
    pub fn on_event(mut self, listener: impl FnMut(Event<'_>) + Send + 'a) -> Self {
        self.listeners.get_mut().on_event = Some(Box::new(listener));
        self
    }

    /// Calls `listener` every few seconds, and sooner after a gain, with where the search for an objective is, for a run that
    /// may be killed; as for [`on_improvement`](Self::on_improvement).
    #[must_use]
    pub fn on_checkpoint(mut self, listener: impl FnMut(&Checkpoint) + Send + 'a) -> Self {
        self.listeners.get_mut().on_checkpoint = Some(Box::new(listener));
        self
    }

    /// Improves a solution until nothing is left to try, or a limit is reached.
    ///
    /// # Errors
    /// The solution, or another one among the settings, does not solve the level.
    ///
    /// # Panics
    /// If a method panics, or a listener.
    pub fn run(&self, start: &Solution) -> Result<OptimizeOutcome, ReplayError> {
        let objectives = if self.objectives.is_empty() { &[Objective::MOVES][..] } else { &self.objectives };
        let start = replay(self.level, start.lurd())?;
        let pool = Pool::new(self.level, &start, objectives);
        for other in &self.knobs.others {
            pool.offer(other.lurd())?;
        }
        let pool = if self.keeps_end { pool.keeping_ends() } else { pool };
        let mut others = self.knobs.others.clone();
        if !others.is_empty() {
            others.insert(0, start);
        }
        let before: Vec<_> = objectives.iter().map(|&objective| (objective, pool.best(objective))).collect();
        let reporter = Reporter::new(&pool, &before, &self.listeners);
        let n_threads = self.knobs.n_threads.max(1);
        let n_searches = n_threads.min(objectives.len());
        // A limit of ticks is for one thread, so that the run is repeatable.
        let threads_of_each = if self.limits.work().is_some() { 1 } else { n_threads / n_searches };
        let run = OptimizerRun {
            optimizer: self,
            pool: &pool,
            reporter: &reporter,
            budget: self.limits.budget(),
            memory_of_each: self.limits.memory() / n_searches as u64,
            time_share: TimeShare::new(self.limits.time(), objectives.len(), n_threads),
            knobs: Knobs { others, n_threads: threads_of_each, ..self.knobs.clone() },
        };
        let results: Vec<_> = before.iter().map(|_| Mutex::new(None)).collect();
        let mut searches: Vec<_> = results.iter().zip(&before).collect();
        sort_for_search(&mut searches, |(_, (objective, _))| *objective);
        run_jobs(n_searches, searches, |(result, (objective, before))| {
            *result.lock() = Some(run.search(*objective, before));
        });
        let results = results.into_iter().map(|result| result.into_inner().expect("invariant: every job was run"));
        let (elapsed, peak_bytes) = (run.budget.elapsed(), run.budget.memory().peak());
        Ok(OptimizeOutcome { results: results.collect(), gains: reporter.into_gains(), elapsed, peak_bytes })
    }
}

/// What the searches of a run share.
struct OptimizerRun<'r, 'a> {
    optimizer: &'r Optimizer<'a>,
    pool: &'r Pool<'r>,
    reporter: &'r Reporter<'r, 'a>,
    /// Its clock is that of the run.
    budget: Budget,
    memory_of_each: u64,
    time_share: TimeShare,
    knobs: Knobs,
}

impl OptimizerRun<'_, '_> {
    /// Improves the pool's solution for one objective.
    fn search(&self, objective: Objective, before: &Solution) -> ObjectiveOutcome {
        let time = self.time_share.take();
        let begun = self.budget.elapsed();
        let memory = self.budget.memory().part(self.memory_of_each);
        let budget = self.budget.clone().with_time(time.map(|time| begun + time)).with_memory(memory);
        let mut cx = Context::new(self.pool, objective, &budget, self.reporter);
        if self.optimizer.ends_at_first {
            cx = cx.ending_at_first();
        }
        let checkpoint = self.optimizer.checkpoints.iter().find(|checkpoint| checkpoint.objective() == objective);
        let listeners = &self.optimizer.listeners;
        let has_listener = listeners.lock().on_checkpoint.is_some();
        let on_checkpoint = |checkpoint: &Checkpoint| {
            if let Some(listener) = &mut listeners.lock().on_checkpoint {
                listener(checkpoint);
            }
        };
        let on_checkpoint: Option<&(dyn Fn(&Checkpoint) + Sync)> =
            if has_listener { Some(&on_checkpoint) } else { None };
        let (ended, checkpoint) = optimize_from(&self.knobs, checkpoint, on_checkpoint, &mut cx);
        let end = match ended {
            Err(_) if cx.has_ended_at_first() => End::Stopped(Stop::FirstGain),
            _ if cx.is_proved() => End::Exhausted,
            Ok(()) if cx.is_short_of_memory() => End::Stopped(Stop::Memory),
            Ok(()) => End::Exhausted,
            Err(stop) => End::Stopped(stop),
        };
        let elapsed = self.budget.elapsed() - begun;
        self.time_share.give_back(time.unwrap_or_default().saturating_sub(elapsed));
        ObjectiveOutcome {
            objective,
            before: before.clone(),
            best: self.pool.best(objective),
            end,
            is_proved: cx.is_proved(),
            elapsed,
            ticks: cx.ticks(),
            tally: cx.tally(),
            checkpoint,
        }
    }
}

#[cfg(test)]
mod tests;
