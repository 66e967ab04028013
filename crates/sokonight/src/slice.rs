//! A slice of a night: one level, one purpose, some seconds.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use sokocore::{Level, Metric, Metrics, Objective, Solution, Symmetry, replay};
use sokolibrary::RunDone;
use sokomethods::{Checkpoint, Knobs, SharedOptimalSearcher, SharedSolutionSource, WindowExchange, polish};
use sokosearch::{Budget, Cancel, Context, End, Event, MemoryAccount, Progress, Stop};
use sokosolver::{AStarSearcher, Answer, Optimal, SolveEvent, SolveKnobs, SolveProgress};

use crate::levels::UNSOLVABLE;
use crate::schedule::item::{WORTH_OF_BOUND, WORTH_OF_SOLUTION};
use crate::{
    FindStore, LevelFinds, LevelState, NightEvent, NightObserver, PolishedSource, Purpose, SliceEnding, SliceGain,
};

/// Slices shorter than this do without other solutions of the solver: a comparison of them takes longer.
const SHORTEST_WITH_SOURCE: Duration = Duration::from_secs(4);

/// What slices share: where their finds go, what watches them, the seed, the memory.
///
/// ```
/// use std::time::Duration;
///
/// use sokocore::{Level, Objective};
/// use sokolibrary::{Library, Origin};
/// use sokonight::{LevelState, LibraryQueue, NightLevel, Purpose, SliceLimits, Slices};
/// use sokosearch::{Cancel, MemoryAccount};
///
/// let queue = LibraryQueue::of(Library::in_memory()?, Origin::of_run("an example"));
/// let slices = Slices::new(&queue, &|_: sokonight::NightEvent<'_>| {}, 0, MemoryAccount::new(64 << 20));
/// let level = NightLevel::new(Level::parse("#######\n#@ $ .#\n#######")?);
/// let state = LevelState::new(&level, &[Objective::MOVES]);
/// let limits = SliceLimits::new(Duration::from_secs(1), 64 << 20, Cancel::default());
/// let report = slices.run(&state, Purpose::Solve, &limits);
/// assert_eq!((report.ended, state.best(Objective::MOVES).map(|best| best.moves)), ("solved", Some(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(missing_debug_implementations, reason = "an observer has none")]
pub struct Slices<'r> {
    pub(crate) store: &'r dyn FindStore,
    pub(crate) observer: &'r dyn NightObserver,
    pub(crate) seed: u64,
    /// The account of all searches.
    pub(crate) memory: MemoryAccount,
}

/// What a slice may use.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SliceLimits {
    /// How long it may take.
    pub time: Duration,
    /// Its threads. 1 and up, default 1.
    pub n_threads: usize,
    /// Slices that the item has had before. Default 0.
    pub n_slices: u64,
    /// The most bytes of its searches.
    pub memory: u64,
    /// Raised to end it before its time.
    pub cancel: Cancel,
    /// What other islands of the level tell of windows. Default none.
    pub windows: Option<Arc<dyn WindowExchange>>,
}

impl SliceLimits {
    /// Makes limits of a slice with one thread.
    #[must_use]
    pub const fn new(time: Duration, memory: u64, cancel: Cancel) -> Self {
        Self { time, n_threads: 1, n_slices: 0, memory, cancel, windows: None }
    }

    /// Sets [`SliceLimits::windows`].
    #[must_use]
    pub fn with_windows(self, windows: Option<Arc<dyn WindowExchange>>) -> Self {
        Self { windows, ..self }
    }

    /// Sets [`SliceLimits::n_threads`].
    #[must_use]
    pub fn with_threads(self, n_threads: usize) -> Self {
        Self { n_threads: n_threads.max(1), ..self }
    }

    /// Sets [`SliceLimits::n_slices`].
    #[must_use]
    pub fn with_slices_before(self, n_slices: u64) -> Self {
        Self { n_slices, ..self }
    }
}

/// What became of a slice.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SliceReport {
    /// What the schedule is told.
    pub result: SliceGain,
    /// What became better.
    pub gains: Vec<Gain>,
    /// What was proved beyond what was known: the metric, its bound before and after.
    pub bound: Option<(Metric, u64, u64)>,
    /// How the search ended, in a word or two.
    pub ended: &'static str,
    /// Whether it failed by a fault of ours.
    pub has_failed: bool,
}

impl SliceReport {
    /// Returns whether the slice has proved that there is no solution.
    #[must_use]
    pub fn is_unsolvable(&self) -> bool {
        self.ended == UNSOLVABLE
    }
}

/// A best solution that became better, or the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gain {
    /// What it is better in.
    pub objective: Objective,
    /// What the best measured before; `None` for a first solution.
    pub before: Option<Metrics>,
    /// What it measures now.
    pub after: Metrics,
}

/// How a search has ended.
struct SearchEnd {
    ended: &'static str,
    ticks: u64,
    has_failed: bool,
    ending: SliceEnding,
}

impl SearchEnd {
    const fn new(ended: &'static str, ticks: u64) -> Self {
        Self { ended, ticks, has_failed: false, ending: SliceEnding::Open }
    }

    const fn settled(self) -> Self {
        self.ending(SliceEnding::Settled)
    }

    const fn ending(self, ending: SliceEnding) -> Self {
        Self { ending, ..self }
    }

    const fn failed(self, has_failed: bool) -> Self {
        Self { has_failed, ..self }
    }
}

impl<'r> Slices<'r> {
    /// Makes slices that put what they find into a store, and that share a seed and an account of memory.
    #[must_use]
    pub fn new(store: &'r dyn FindStore, observer: &'r dyn NightObserver, seed: u64, memory: MemoryAccount) -> Self {
        Self { store, observer, seed, memory }
    }

    /// Runs a slice, and puts what it finds into the store.
    pub fn run(&self, state: &LevelState<'_>, purpose: Purpose, limits: &SliceLimits) -> SliceReport {
        let memory = self.memory.part(limits.memory);
        let budget = Budget::new(Some(limits.time), memory, limits.cancel.clone());
        if matches!(purpose, Purpose::Bound(_)) {
            state.compute_bounds(&budget);
        }
        let bounds_before = state.known_bounds();
        let end = match purpose {
            Purpose::Solve => self.solve(state, &budget, limits),
            Purpose::Improve(objective) => self.improve(state, objective, &budget, limits),
            Purpose::Bound(metric) => self.raise_bound(state, metric, &budget, limits),
        };
        let gains = state.take_gains();
        let elapsed = budget.elapsed();
        let mut run = RunDone::new(purpose.to_string(), elapsed, end.ended);
        (run.ticks, run.has_gain) = (end.ticks, !gains.is_empty());
        // The first slice of a level has its whole time; what an earlier night or another worker has computed is known.
        if state.known_bounds() == (0, 0) {
            state.compute_bounds(&budget);
        }
        let bounds = state.known_bounds();
        self.store.put(finds(state).with_runs(vec![run]).with_bounds(Some(bounds)));
        let bound = match purpose {
            Purpose::Bound(Metric::Pushes) => Some((Metric::Pushes, bounds_before.1, bounds.1)),
            Purpose::Bound(metric) => Some((metric, bounds_before.0, bounds.0)),
            _ => None,
        };
        let bound = bound.filter(|(_, before, after)| after > before);
        #[expect(clippy::cast_precision_loss, reason = "moves and pushes are far below 2^52")]
        let of_bound = bound.map_or(0.0, |(_, before, after)| (after - before) as f64 * WORTH_OF_BOUND);
        let gain = gains.iter().map(worth).sum::<f64>() + of_bound;
        let result = SliceGain::new(elapsed, gain, end.ending).with_work(limits.n_threads, end.ticks);
        SliceReport { result, gains, bound, ended: end.ended, has_failed: end.has_failed }
    }

    /// Improves the best solution by an objective.
    fn improve(
        &self,
        state: &LevelState<'_>,
        objective: Objective,
        budget: &Budget,
        limits: &SliceLimits,
    ) -> SearchEnd {
        let Some(pool) = state.pool.get() else { return SearchEnd::new("no solution", 0) };
        let watch = SliceWatch { slices: self, state };
        let mut context = Context::new(pool, objective, budget, &watch);
        let level = &state.of.level;
        let source = (limits.time >= SHORTEST_WITH_SOURCE)
            .then(|| SharedSolutionSource::new(PolishedSource::new(level, budget, &limits.cancel)));
        let others: Vec<_> = state.bests().into_iter().map(|(_, solution)| solution).collect();
        let knobs = Knobs::default().with_seed(self.seed).with_threads(limits.n_threads);
        let searcher = source.is_some().then(|| SharedOptimalSearcher::new(AStarSearcher));
        let knobs = knobs.with_others(others).with_source(source).with_searcher(searcher);
        let knobs = match &limits.windows {
            Some(windows) => knobs.with_window_exchange(windows.clone()),
            None => knobs,
        };
        let before = self.store.checkpoint(level, objective);
        let keep = |checkpoint: &Checkpoint| self.store.put_checkpoint(level, checkpoint);
        let run = || sokomethods::optimize_from(&knobs, before.as_ref(), Some(&keep), &mut context);
        let result = catch_unwind(AssertUnwindSafe(run)).map(|(result, last)| {
            last.iter().for_each(keep);
            result
        });
        let end = |ended| SearchEnd::new(ended, context.ticks());
        match result {
            Err(_) => end("failed").failed(true).settled(),
            Ok(_) if pool.is_proved(objective) => end("proved optimal").settled(),
            Ok(Ok(())) if context.is_short_of_memory() => end("memory").ending(SliceEnding::ShortOfMemory),
            Ok(Ok(())) => end("nothing left to try").settled(),
            Ok(Err(stop)) => end(stop.name()),
        }
    }

    /// Looks for a first solution. Each slice works on another image of the level, turned or mirrored: directions and
    /// squares come in another order, so that the searches take another way.
    fn solve(&self, state: &LevelState<'_>, budget: &Budget, limits: &SliceLimits) -> SearchEnd {
        let level = &state.of.level;
        let symmetry = Symmetry::ALL[usize::try_from(limits.n_slices % 8).unwrap_or(0)];
        let image = Level::from_grid(symmetry.grid(level.grid()));
        let (symmetry, image) = image.map_or((Symmetry::default(), level.clone()), |image| (symmetry, image));
        let knobs = SolveKnobs::default().with_threads(limits.n_threads);
        let (outcome, deferred) = sokosolver::solve_first(&image, &knobs, budget, &());
        drop(deferred);
        let ticks = outcome.tried.iter().map(|attempt| attempt.ticks).sum();
        let end = |ended| SearchEnd::new(ended, ticks).failed(outcome.has_fault());
        match &outcome.answer {
            Answer::Solved { solution, by, .. } => {
                let Ok(solution) = replay(level, &symmetry.inverse().moves(solution.lurd())) else {
                    return end("failed").failed(true).settled();
                };
                state.begin(&polish(level, &solution, Objective::MOVES, budget.memory(), &limits.cancel));
                for (objective, solution) in state.bests() {
                    self.improved(state, objective, &solution, by, outcome.elapsed);
                }
                end("solved").settled()
            }
            Answer::Unsolvable { .. } => end(UNSOLVABLE).settled(),
            Answer::Unsolved(_) => end("not solved"),
        }
    }

    /// Raises the lower bound of a metric by the searches for the best solution. A better solution that they find counts.
    fn raise_bound(&self, state: &LevelState<'_>, metric: Metric, budget: &Budget, limits: &SliceLimits) -> SearchEnd {
        let optimal = if metric == Metric::Pushes { Optimal::Pushes } else { Optimal::Moves };
        let level = &state.of.level;
        let known: Vec<_> = state.bests().into_iter().map(|(_, solution)| solution).collect();
        let mut knobs = SolveKnobs::default().with_threads(limits.n_threads).with_known(known);
        knobs.settings.optimal = optimal;
        let watch = SliceWatch { slices: self, state };
        let outcome = sokosolver::solve(level, &knobs, budget, &watch);
        state.learn(optimal, metric, &outcome);
        if let Some(solution) = outcome.solution() {
            watch.offer(solution, outcome.by().unwrap_or_default(), outcome.elapsed);
        }
        let end = |ended| SearchEnd::new(ended, outcome.ticks).failed(outcome.has_fault());
        match outcome.end {
            _ if state.is_bound_met(metric) => end("proved optimal").settled(),
            End::Stopped(Stop::Memory) => end("memory").ending(SliceEnding::ShortOfMemory),
            End::Stopped(stop) => end(stop.name()),
            // No strategy is left: what there was did not fit into the memory.
            End::Exhausted => end("not proved").ending(SliceEnding::ShortOfMemory),
        }
    }

    /// Tells of a better solution, and puts it into the store.
    fn improved(&self, state: &LevelState<'_>, objective: Objective, solution: &Solution, by: &str, elapsed: Duration) {
        state.finders.note(objective, solution.metrics(), by, elapsed);
        self.store.put(finds(state));
        self.observer.on(NightEvent::Improved { level: state.of, objective, solution, by });
    }
}

/// What a gain counts for the schedule: in what its objective counts first.
fn worth(gain: &Gain) -> f64 {
    let Gain { objective, before, after } = gain;
    before.map_or(WORTH_OF_SOLUTION, |before| objective.score(&before).gain_of(objective.score(after)))
}

/// Everything that the library should know of a level.
fn finds(state: &LevelState<'_>) -> LevelFinds {
    let bests = state.bests().into_iter();
    let solutions = bests.map(|(objective, solution)| state.finders.found(solution, objective)).collect();
    LevelFinds { solutions, proofs: state.proofs(), ..LevelFinds::of(&state.of.level) }
}

/// Tells of better solutions as they are found.
struct SliceWatch<'a, 'l> {
    slices: &'a Slices<'a>,
    state: &'a LevelState<'l>,
}

impl SliceWatch<'_, '_> {
    /// Takes over a solution of the solver, if it is better.
    fn offer(&self, solution: &Solution, by: &str, elapsed: Duration) {
        let Some(pool) = self.state.pool.get() else { return };
        if let Ok((improved, solution)) = pool.offer(solution.lurd()) {
            for objective in improved {
                self.slices.improved(self.state, objective, &solution, by, elapsed);
            }
        }
    }
}

impl SolveProgress for SliceWatch<'_, '_> {
    fn on(&self, event: SolveEvent<'_>) {
        if let SolveEvent::Improved { solution, strategy, elapsed, .. } = event {
            self.offer(solution, strategy, elapsed);
        }
    }
}

impl Progress for SliceWatch<'_, '_> {
    fn on(&self, event: Event<'_>) {
        if let Event::Improved { objective, method, elapsed, .. } = event
            && let Some(pool) = self.state.pool.get()
        {
            self.slices.improved(self.state, objective, &pool.best(objective), method, elapsed);
        }
    }
}
