//! The solver as one value: a level, settings with defaults, and one call.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use sokocore::{Level, ReplayError, Solution, replay};
use sokosearch::{Cancel, Limits};

use crate::{CustomStrategy, Optimal, Outcome, Settings, SolveEvent, SolveKnobs, SolveProgress, Strategy, solve};

/// Longest time of a run that has no limit of its own.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// A listener to events.
type OnEvent<'a> = Box<dyn FnMut(SolveEvent<'_>) + Send + 'a>;

/// Solves a level: the whole crate behind one call.
///
/// | setting | default |
/// |---|---|
/// | [`optimal`](Self::optimal) | any solution will do |
/// | [`strategy`](Self::strategy) | the portfolio |
/// | [`time`](Self::time) | 60 seconds, none if [`work`](Self::work) is limited |
/// | [`memory`](Self::memory) | 1 GiB |
/// | [`threads`](Self::threads) | 1 |
///
/// With one thread and limited work, equal runs do equal work on every machine.
///
/// ```
/// use std::time::Duration;
///
/// use sokocore::Level;
/// use sokosolver::{Optimal, Solver};
///
/// let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######")?;
/// let outcome = Solver::new(&level).optimal(Optimal::Moves).time(Duration::from_secs(10)).run();
/// assert!(outcome.is_proved());
/// assert_eq!(outcome.metrics().expect("it has a solution").moves, 12);
/// println!("{}", outcome.answer); // solved by a-star-forward, proved optimal: 12/5/5/3/4/11
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
///
/// Any thread that has a clone of the [`Cancel`] ends the run, which then returns what is known:
///
/// ```
/// use std::thread;
///
/// use sokocore::Level;
/// use sokosearch::{Cancel, End, Stop};
/// use sokosolver::Solver;
///
/// let level = Level::parse("#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######")?;
/// let cancel = Cancel::default();
/// let solver = Solver::new(&level).time(None).cancel(&cancel);
/// let outcome = thread::scope(|scope| {
///     let run = scope.spawn(|| solver.run());
///     cancel.cancel();
///     run.join().expect("the solver does not panic")
/// });
/// assert!(outcome.end == End::Stopped(Stop::Cancelled) || outcome.solution().is_some(), "unless it was quicker");
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
pub struct Solver<'a> {
    level: &'a Level,
    knobs: SolveKnobs,
    limits: Limits,
    on_event: Mutex<Option<OnEvent<'a>>>,
}

impl fmt::Debug for Solver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("knobs", &self.knobs).field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<'a> Solver<'a> {
    /// Makes a solver of a level, with the default settings.
    #[must_use]
    pub fn new(level: &'a Level) -> Self {
        Self { level, knobs: SolveKnobs::default(), limits: Limits::new(DEFAULT_TIME), on_event: Mutex::default() }
    }

    /// Sets what the solution is to be optimal in, and proved to be if the limits allow it.
    #[must_use]
    pub const fn optimal(mut self, optimal: Optimal) -> Self {
        self.knobs.settings.optimal = optimal;
        self
    }

    /// Runs only this strategy, instead of the portfolio.
    #[must_use]
    pub const fn strategy(mut self, strategy: &'static Strategy) -> Self {
        self.knobs.strategy = Some(strategy);
        self
    }

    /// Adds a strategy of one's own.
    #[must_use]
    pub fn custom(mut self, strategy: CustomStrategy) -> Self {
        self.knobs.custom.push(strategy);
        self
    }

    /// Runs only the strategies added by [`custom`](Self::custom).
    #[must_use]
    pub const fn only_custom(mut self) -> Self {
        self.knobs.runs_built_in = false;
        self
    }

    /// Replaces the settings of the searches, [`optimal`](Self::optimal) among them.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.knobs.settings = settings;
        self
    }

    /// Limits the time of a run; `None` for no limit.
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

    /// Limits the work, in ticks; a tick is about one position generated. `None` for no limit.
    #[must_use]
    pub fn work(mut self, ticks: impl Into<Option<u64>>) -> Self {
        self.limits = self.limits.with_work(ticks);
        self
    }

    /// Sets the number of threads. 1 and up; 0 counts as 1.
    #[must_use]
    pub const fn threads(mut self, n_threads: usize) -> Self {
        self.knobs.n_threads = n_threads;
        self
    }

    /// Adds a known solution. A run for the best solution prunes by it, and returns it if there is no better one; a run
    /// for any solution ignores it.
    ///
    /// # Errors
    /// It does not solve the level.
    pub fn known(mut self, solution: &Solution) -> Result<Self, ReplayError> {
        self.knobs.known.push(replay(self.level, solution.lurd())?);
        Ok(self)
    }

    /// Improves each solution by `polish` before a run for the best solution prunes by it. It must be quick.
    #[must_use]
    pub fn polish(mut self, polish: impl Fn(&Solution) -> Solution + Send + Sync + 'static) -> Self {
        self.knobs.polish = Some(Arc::new(polish));
        self
    }

    /// Ends the run when this flag is raised.
    #[must_use]
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.limits = self.limits.with_cancel(cancel);
        self
    }

    /// Calls `listener` for each event: better solutions and bounds as they are found, among others. It is called from
    /// the threads of the run, one call at a time, and must return quickly, since the searches wait.
    #[must_use]
    pub fn on_event(mut self, listener: impl FnMut(SolveEvent<'_>) + Send + 'a) -> Self {
        *self.on_event.get_mut() = Some(Box::new(listener));
        self
    }

    /// Solves the level, or says what is known about it when a limit is reached. A search that panics is reported as an
    /// attempt that failed.
    #[must_use]
    pub fn run(&self) -> Outcome {
        solve(self.level, &self.knobs, &self.limits.budget(), &Listener(&self.on_event))
    }
}

/// Passes the events of a run to its listener.
struct Listener<'r, 'a>(&'r Mutex<Option<OnEvent<'a>>>);

impl SolveProgress for Listener<'_, '_> {
    fn on(&self, event: SolveEvent<'_>) {
        if let Some(listener) = &mut *self.0.lock() {
            listener(event);
        }
    }
}
