//! A run: threads that execute the slices of one scheduler until there is an answer.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use sokocore::{Level, Push, Solution, moves_of, replay};
use sokosearch::{Budget, Cancel, Clock, End, Stop, run_jobs};
use tracing::{debug, error, info};

use super::shares::Resource;
use crate::portfolio::best_known::BestKnown;
use crate::portfolio::deferred_drop::DeferredDrop;
use crate::portfolio::knobs::Polish;
use crate::portfolio::scheduler::{NextSlice, PortfolioScheduler, ScheduledSlice};
use crate::portfolio::strategy_spec::{Role, SliceResult, StrategySpec};
use crate::{Answer, Attempt, AttemptEnd, FindTimes, SolveEvent, SolveProgress, Verdict};

/// The state that the threads share.
struct Race<'a> {
    level: &'a Level,
    polish: Option<&'a Polish>,
    budget: &'a Budget,
    progress: &'a dyn SolveProgress,
    /// Raised when there is an answer.
    done: Cancel,
    state: Mutex<RaceState>,
    /// Notified when a strategy was put back or the run has ended.
    changed: Condvar,
}

struct RaceState {
    scheduler: PortfolioScheduler,
    answer: Option<Answer>,
    /// In a run for the best solution.
    best_known: Option<BestKnown>,
    find_times: FindTimes,
}

/// The configuration of a run.
pub(crate) struct RaceSpec<'a> {
    pub(crate) specs: Vec<StrategySpec>,
    pub(crate) n_threads: usize,
    /// For the best solution; any will do if `None`.
    pub(crate) best_known: Option<BestKnown>,
    /// Improves a solution before it becomes the upper bound.
    pub(crate) polish: Option<&'a Polish>,
}

/// The result of a run.
pub(crate) struct RaceResult {
    pub(crate) answer: Answer,
    /// The proved lower bound, by what counts first.
    pub(crate) lower_bound: Option<u64>,
    pub(crate) end: End,
    /// The attempts of the strategies.
    pub(crate) tried: Vec<Attempt>,
    /// The ticks of all together.
    pub(crate) ticks: u64,
    pub(crate) find_times: FindTimes,
    /// The best solution and the bound, in a run for the best solution.
    pub(crate) best_known: Option<BestKnown>,
    pub(crate) deferred_drop: DeferredDrop,
}

impl RaceResult {
    /// The result if the answer needs no search.
    pub(crate) fn without_search(answer: Answer, lower_bound: Option<u64>) -> Self {
        let (deferred_drop, best_known) = (DeferredDrop::default(), None);
        let (tried, find_times) = (Vec::new(), FindTimes::default());
        Self { answer, lower_bound, end: End::Exhausted, tried, ticks: 0, find_times, best_known, deferred_drop }
    }
}

/// Runs the strategies until one has an answer.
pub(crate) fn run(level: &Level, race_spec: RaceSpec<'_>, budget: &Budget, progress: &dyn SolveProgress) -> RaceResult {
    let RaceSpec { specs, n_threads, best_known, polish } = race_spec;
    let done = Cancel::default();
    let n_threads = n_threads.max(1);
    let resource = if n_threads == 1 || budget.work().is_some() { Resource::Work } else { Resource::Time };
    let scheduler = PortfolioScheduler::new(specs, resource, n_threads, budget, &done);
    let state = Mutex::new(RaceState { scheduler, answer: None, best_known, find_times: FindTimes::default() });
    let race = Race { level, polish, budget, progress, done, state, changed: Condvar::new() };
    run_jobs(n_threads, 0..n_threads, |_| race.run_slices());
    let RaceState { scheduler, answer, best_known, find_times } = race.state.into_inner();
    let answer = answer.unwrap_or(Answer::Unsolved(End::Exhausted));
    let (end, others) = match answer {
        Answer::Unsolved(end @ End::Stopped(stop)) => (end, AttemptEnd::Stopped(stop)),
        _ => (End::Exhausted, AttemptEnd::Overtaken),
    };
    let ticks = scheduler.ticks();
    let (tried, deferred_drop) = scheduler.close(others, best_known.as_ref().map(BestKnown::rule));
    // A solution found in the last slices counts, too.
    let best = best_known.as_ref().and_then(BestKnown::answer);
    let answer = best.unwrap_or(answer);
    let is_solvable = !matches!(answer, Answer::Unsolvable { .. });
    let lower_bound = best_known.as_ref().filter(|_| is_solvable).and_then(BestKnown::bound);
    RaceResult { answer, lower_bound, end, tried, ticks, find_times, best_known, deferred_drop }
}

impl Race<'_> {
    /// Executes one slice after the other until there is an answer.
    fn run_slices(&self) {
        while let Some(mut slice) = self.next() {
            self.progress.on(SolveEvent::Slice { strategy: &slice.spec.name });
            let result = slice.worker.run_slice(&slice.spec, slice.length);
            debug!(strategy = slice.spec.name, ticks = result.ticks, elapsed = ?result.elapsed, "slice");
            self.collect(slice, result);
        }
    }

    /// Takes the next slice, if need be after others have put theirs back; `None` when the run has ended.
    fn next(&self) -> Option<ScheduledSlice> {
        let mut state = self.state.lock();
        loop {
            if state.answer.is_some() {
                return None;
            }
            match state.scheduler.next(u64::MAX) {
                NextSlice::Run(slice) => return Some(slice),
                NextSlice::Wait => self.changed.wait(&mut state),
                NextSlice::Over(end) => self.answer(&mut state, Answer::Unsolved(end)),
            }
        }
    }

    /// Sets the answer, unless there is one, and ends the run.
    fn answer(&self, state: &mut RaceState, answer: Answer) {
        state.answer.get_or_insert(answer);
        self.done.cancel();
        state.scheduler.stop();
        self.changed.notify_all();
    }

    /// Takes in the result of a slice: its solution, its bound, and how the strategy continues.
    fn collect(&self, slice: ScheduledSlice, result: SliceResult) {
        let SliceResult { result, ticks, elapsed } = result;
        let spec = &*Arc::clone(&slice.spec);
        // The replay takes time, so it comes before the lock.
        let (found, find_times) = self.found(spec, result.as_ref());
        let mut state = self.state.lock();
        state.find_times += find_times;
        let has_found = found.is_some();
        let solution = match &mut state.best_known {
            Some(_) => {
                self.record(&mut state, spec, slice.worker.proved_cost(), found);
                None
            }
            None => found,
        };
        let end = match result {
            Some(Err(Stop::Work)) => None,
            Some(Ok(Verdict::Better(_))) if has_found && state.best_known.is_some() => None,
            Some(Err(Stop::Cancelled)) if state.is_over_for(spec, &self.done) => Some(AttemptEnd::Overtaken),
            Some(Err(stop)) => Some(AttemptEnd::Stopped(stop)),
            Some(Ok(Verdict::Solved(_) | Verdict::Better(_))) if !has_found => Some(AttemptEnd::Wrong),
            Some(Ok(Verdict::Solved(_) | Verdict::Better(_))) => Some(AttemptEnd::Solved),
            Some(Ok(Verdict::NoneBetter)) => Some(AttemptEnd::Proved),
            Some(Ok(Verdict::Unsolvable)) => Some(AttemptEnd::Unsolvable),
            Some(Ok(Verdict::GaveUp)) => Some(AttemptEnd::GaveUp),
            None => Some(AttemptEnd::Failed),
        };
        let is_contradicted = state.best_known.as_ref().is_some_and(BestKnown::is_contradicted);
        let end = if is_contradicted && spec.role == Role::Prover { Some(AttemptEnd::Wrong) } else { end };
        let answer = state.answer_after(end, solution, &spec.name);
        let is_over = answer.is_some() || (end == Some(AttemptEnd::Overtaken) && self.done.is_cancelled());
        if let Some(answer) = answer {
            self.answer(&mut state, answer);
        }
        match end {
            None => state.scheduler.put_back(slice, ticks, elapsed),
            Some(end) if is_over => {
                state.scheduler.finish_run(slice, end, ticks, elapsed);
                self.announce_end(spec, Some(end));
            }
            Some(end) => {
                let end = state.scheduler.finish(slice, end, ticks, elapsed);
                self.announce_end(spec, end);
            }
        }
        if state.best_known.as_ref().is_some_and(BestKnown::has_solution) {
            state.scheduler.end_finders();
        }
        self.changed.notify_all();
    }

    /// Replays and polishes the solution of a slice, if it has one, and says how long that took.
    fn found(&self, spec: &StrategySpec, result: Option<&Result<Verdict, Stop>>) -> (Option<Solution>, FindTimes) {
        let mut times = FindTimes::default();
        let Some(Ok(Verdict::Solved(pushes) | Verdict::Better(pushes))) = result else { return (None, times) };
        let clock = Clock::start();
        let found = self.check(spec, pushes);
        times.replay = clock.elapsed();
        // A proved solution needs no polish.
        if matches!(result, Some(Ok(Verdict::Solved(_)))) && spec.role == Role::Prover {
            return (found, times);
        }
        let polished = found.map(|solution| self.polished(solution));
        times.polish = clock.elapsed() - times.replay;
        (polished, times)
    }

    /// Records the solution and the lower bound of a slice, in a run for the best solution.
    fn record(&self, state: &mut RaceState, spec: &StrategySpec, proved_cost: u64, found: Option<Solution>) {
        let Some(best_known) = &mut state.best_known else { return };
        let strategy = spec.name.as_str();
        if let Some(solution) = found
            && best_known.offer(solution.clone(), strategy)
        {
            let (metrics, elapsed) = (solution.metrics(), self.budget.elapsed());
            self.progress.on(SolveEvent::Improved { strategy, metrics, elapsed, solution: &solution });
        }
        if spec.role == Role::Prover
            && let Some(bound) = best_known.raise(proved_cost)
        {
            info!(strategy, bound, "bound");
            self.progress.on(SolveEvent::Bound { strategy, bound });
        }
    }

    /// The better one of a solution and its polished version.
    fn polished(&self, solution: Solution) -> Solution {
        let Some(polish) = self.polish else { return solution };
        let state = self.state.lock();
        let is_wanted = state.best_known.as_ref().is_some_and(|best_known| best_known.is_better(&solution.metrics()));
        drop(state);
        if !is_wanted {
            return solution;
        }
        let polished = replay(self.level, polish(&solution).lurd());
        let state = self.state.lock();
        let is_better =
            |one: &Solution| state.best_known.as_ref().is_some_and(|best_known| best_known.ranks(one, &solution));
        polished.ok().filter(is_better).unwrap_or(solution)
    }

    fn announce_end(&self, spec: &StrategySpec, end: Option<AttemptEnd>) {
        match end {
            Some(end) => {
                info!(strategy = spec.name, %end, "left");
                self.progress.on(SolveEvent::Left { strategy: &spec.name, end });
            }
            None => info!(
                strategy = spec.name,
                "starts again, since others had taken the memory, or continues on other threads"
            ),
        }
    }

    /// Replays a solution and reports it.
    fn check(&self, spec: &StrategySpec, pushes: &[Push]) -> Option<Solution> {
        let elapsed: Duration = self.budget.elapsed();
        match checked(self.level, pushes) {
            Ok(solution) => {
                let metrics = solution.metrics();
                info!(strategy = spec.name, %metrics, ?elapsed, "solved");
                self.progress.on(SolveEvent::Solved { strategy: &spec.name, metrics, elapsed });
                Some(solution)
            }
            Err(reason) => {
                error!(strategy = spec.name, reason, "a find does not replay; it is ignored. Please report this");
                self.progress.on(SolveEvent::Rejected { strategy: &spec.name, reason: &reason });
                None
            }
        }
    }
}

impl RaceState {
    /// Whether the run needs this strategy no more.
    fn is_over_for(&self, spec: &StrategySpec, done: &Cancel) -> bool {
        done.is_cancelled()
            || (spec.role == Role::Finder && self.best_known.as_ref().is_some_and(BestKnown::has_solution))
    }

    /// The answer that ends the run after a strategy has ended in this way, or paused.
    fn answer_after(&mut self, end: Option<AttemptEnd>, solution: Option<Solution>, by: &str) -> Option<Answer> {
        if let Some(AttemptEnd::Stopped(stop @ (Stop::Time | Stop::Cancelled))) = end {
            return Some(Answer::Unsolved(End::Stopped(stop)));
        }
        if let Some(best_known) = &mut self.best_known {
            if end == Some(AttemptEnd::Unsolvable) {
                best_known.note_unsolvable();
                return (!best_known.has_solution()).then(|| Answer::Unsolvable { by: by.to_owned() });
            }
            return best_known.answer().filter(|_| best_known.is_proved());
        }
        match (end, solution) {
            (Some(AttemptEnd::Solved), Some(solution)) => {
                Some(Answer::Solved { solution, by: by.to_owned(), proved: false })
            }
            (Some(AttemptEnd::Unsolvable), _) => Some(Answer::Unsolvable { by: by.to_owned() }),
            _ => None,
        }
    }
}

/// Joins pushes by shortest walks and replays them.
pub(crate) fn checked(level: &Level, pushes: &[Push]) -> Result<Solution, String> {
    let moves = moves_of(level, pushes).ok_or_else(|| "a push cannot be made".to_owned())?;
    replay(level, &moves).map_err(|error| error.to_string())
}
