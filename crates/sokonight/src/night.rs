//! A night: its workers take slices from the schedule until the time is over or nothing is left to do.

use std::thread::sleep;
use std::time::{Duration, SystemTime};

use crossbeam::channel::{RecvTimeoutError, bounded};
use parking_lot::Mutex;
use sokocore::Objective;
use sokosearch::{Clock, MemoryAccount};

use crate::levels::{LevelOutcome, LevelState};
use crate::slice::{SliceLimits, Slices};
use crate::{Item, LibraryQueue, NightControl, NightEvent, NightLevel, NightObserver, Purpose, Schedule, SliceReport};

/// How often the library is written.
const TICK: Duration = Duration::from_millis(100);
/// How long a worker waits when every open item is in a slice, or the night is paused.
const WAIT: Duration = Duration::from_millis(50);
/// With less than this left, no slice is begun.
const SHORTEST_REST: Duration = Duration::from_millis(50);

/// What is to be done in a night.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NightKnobs {
    /// What is improved. Default moves and pushes.
    pub objectives: Vec<Objective>,
    /// How long it lasts, without its pauses. Default until nothing is left to do.
    pub time: Option<Duration>,
    /// When it ends by the clock on the wall, which runs on while the computer sleeps. Default never.
    pub until: Option<SystemTime>,
    /// Threads. 1 and up, default 1.
    pub n_threads: usize,
    /// Bytes of all searches together. Default 1 GiB.
    pub memory: u64,
    /// Seed of random choices. Default 0.
    pub seed: u64,
    /// Whether every level gets the same time, to compare with. Default no.
    pub has_equal_slices: bool,
}

impl Default for NightKnobs {
    fn default() -> Self {
        Self {
            objectives: vec![Objective::MOVES, Objective::PUSHES],
            time: None,
            until: None,
            n_threads: 1,
            memory: 1 << 30,
            seed: 0,
            has_equal_slices: false,
        }
    }
}

impl NightKnobs {
    /// Sets [`NightKnobs::objectives`].
    #[must_use]
    pub fn with_objectives(self, objectives: impl Into<Vec<Objective>>) -> Self {
        Self { objectives: objectives.into(), ..self }
    }

    /// Sets [`NightKnobs::time`].
    #[must_use]
    pub fn with_time(self, time: impl Into<Option<Duration>>) -> Self {
        Self { time: time.into(), ..self }
    }

    /// Sets [`NightKnobs::until`].
    #[must_use]
    pub fn with_until(self, until: impl Into<Option<SystemTime>>) -> Self {
        Self { until: until.into(), ..self }
    }

    /// Sets [`NightKnobs::n_threads`].
    #[must_use]
    pub fn with_threads(self, n_threads: usize) -> Self {
        Self { n_threads: n_threads.max(1), ..self }
    }

    /// Sets [`NightKnobs::memory`].
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Self {
        Self { memory, ..self }
    }

    /// Sets [`NightKnobs::seed`].
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets [`NightKnobs::has_equal_slices`].
    #[must_use]
    pub fn with_equal_slices(self, has_equal_slices: bool) -> Self {
        Self { has_equal_slices, ..self }
    }
}

/// A night, ready to begin.
#[derive(Debug)]
pub struct Night<'r> {
    levels: &'r [NightLevel],
    queue: &'r LibraryQueue,
    knobs: &'r NightKnobs,
}

/// What a night has brought.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NightOutcome {
    /// What became of each level, in their order.
    pub levels: Vec<LevelOutcome>,
    /// Slices that failed by a fault of ours.
    pub n_failed: usize,
    /// How long it took, with its pauses.
    pub elapsed: Duration,
}

impl<'r> Night<'r> {
    /// Makes a night over these levels. What it finds gets into the library through the queue.
    #[must_use]
    pub fn new(levels: &'r [NightLevel], queue: &'r LibraryQueue, knobs: &'r NightKnobs) -> Self {
        Self { levels, queue, knobs }
    }

    /// Runs until the time is over, nothing is left to do, or the control says stop. Threads of its own call the
    /// observer.
    pub fn run(&self, control: &NightControl, observer: &dyn NightObserver) -> NightOutcome {
        let clock = Clock::start();
        let states: Vec<_> = self.levels.iter().map(|level| LevelState::new(level, &self.knobs.objectives)).collect();
        let memory = MemoryAccount::new(self.knobs.memory);
        let slices = Slices { queue: self.queue, observer, seed: self.knobs.seed, memory };
        let plan = Mutex::new(NightPlan::new(&states, self.knobs));
        let workers = Workers { slices, plan, knobs: self.knobs, states: &states, control, clock };
        workers.run();
        let n_failed = workers.plan.lock().n_failed;
        let levels = states.iter().map(LevelState::outcome).collect();
        NightOutcome { levels, n_failed, elapsed: clock.elapsed() }
    }
}

/// The items of the schedule.
#[derive(Debug)]
struct NightPlan {
    schedule: Schedule,
    /// The level and the purpose of each item.
    items: Vec<(usize, Purpose)>,
    n_failed: usize,
}

impl NightPlan {
    /// Makes an item for each level and objective that is open, with the time that it has had.
    fn new(states: &[LevelState<'_>], knobs: &NightKnobs) -> Self {
        let schedule = if knobs.has_equal_slices { Schedule::equal() } else { Schedule::default() };
        let mut plan = Self { schedule, items: Vec::new(), n_failed: 0 };
        for (idx, state) in states.iter().enumerate() {
            if state.pool.get().is_none() {
                plan.add(idx, state, Purpose::Solve);
            } else {
                plan.add_objectives(idx, state, &knobs.objectives);
            }
        }
        plan
    }

    fn add_objectives(&mut self, idx: usize, state: &LevelState<'_>, objectives: &[Objective]) {
        for &objective in objectives.iter().filter(|&&objective| !state.is_proved(objective)) {
            self.add(idx, state, Purpose::Improve(objective));
        }
    }

    fn add(&mut self, idx: usize, state: &LevelState<'_>, purpose: Purpose) {
        let item = match purpose {
            Purpose::Solve => Item::solving(),
            Purpose::Improve(objective) => {
                let best = state.best(objective);
                let counted = best.map_or(0, |best| objective.score(&best).primary());
                Item::improving(counted, best.map_or(0, |best| best.pushes))
            }
        };
        self.schedule.add(item.after(state.of.spent_on(purpose)));
        self.items.push((idx, purpose));
    }
}

/// All that the workers of a night share.
struct Workers<'r, 'l> {
    slices: Slices<'r>,
    plan: Mutex<NightPlan>,
    knobs: &'r NightKnobs,
    states: &'r [LevelState<'l>],
    control: &'r NightControl,
    clock: Clock,
}

/// An item in a slice.
struct TakenItem {
    item: usize,
    idx: usize,
    purpose: Purpose,
    limits: SliceLimits,
}

impl Workers<'_, '_> {
    fn run(&self) {
        let (running, ended) = bounded::<()>(0);
        let tend = || {
            while matches!(ended.recv_timeout(TICK), Err(RecvTimeoutError::Timeout)) {
                if let Err(error) = self.slices.queue.tick() {
                    self.slices.observer.on(NightEvent::Trouble { error: &error });
                }
            }
        };
        let joined = crossbeam::scope(|scope| {
            scope.builder().name("tend".to_owned()).spawn(|_| tend()).map(drop).unwrap_or_default();
            let others = 1..self.knobs.n_threads.max(1);
            let workers: Vec<_> = others.map(|worker| scope.spawn(move |_| self.work(worker))).collect();
            self.work(0);
            workers.into_iter().for_each(|worker| worker.join().unwrap_or_default());
            drop(running);
        });
        joined.expect("invariant: a fault of a search ends its slice alone");
    }

    /// Returns what is left of the night; `None` if it is over.
    fn left(&self) -> Option<Duration> {
        if self.control.is_stopped() {
            return None;
        }
        let gone = self.clock.elapsed().saturating_sub(self.control.paused());
        let of_time = self.knobs.time.map_or(Duration::MAX, |time| time.saturating_sub(gone));
        let to_end = |until: SystemTime| until.duration_since(SystemTime::now()).unwrap_or_default();
        let left = of_time.min(self.knobs.until.map_or(Duration::MAX, to_end));
        (left >= SHORTEST_REST).then_some(left)
    }

    fn work(&self, worker: usize) {
        while let Some(left) = self.left() {
            if self.control.is_paused() {
                sleep(WAIT);
                continue;
            }
            if self.plan.lock().schedule.n_open() == 0 {
                break;
            }
            match self.take(left) {
                Some(taken) => self.run_slice(worker, &taken),
                None => sleep(WAIT),
            }
        }
    }

    /// Takes the next item; `None` if all are in slices.
    fn take(&self, left: Duration) -> Option<TakenItem> {
        let cancel = self.control.of_slice();
        let mut plan = self.plan.lock();
        let n_open = plan.schedule.n_open();
        let (item, slice) = plan.schedule.take()?;
        let (idx, purpose) = plan.items[item];
        // Few open items share all threads.
        let n_threads = (self.knobs.n_threads / n_open).max(1);
        let share = u64::try_from(self.knobs.n_threads / n_threads).unwrap_or(u64::MAX).max(1);
        let limits = SliceLimits { time: slice.min(left), n_threads, memory: self.knobs.memory / share, cancel };
        Some(TakenItem { item, idx, purpose, limits })
    }

    fn run_slice(&self, worker: usize, taken: &TakenItem) {
        let &TakenItem { item, idx, purpose, ref limits } = taken;
        let (state, observer) = (&self.states[idx], self.slices.observer);
        let level = state.of;
        let objective = match purpose {
            Purpose::Improve(objective) => objective,
            Purpose::Solve => Objective::MOVES,
        };
        let best = state.best(objective);
        let (time, n_threads) = (limits.time, limits.n_threads);
        observer.on(NightEvent::SliceBegins { worker, level, purpose, time, n_threads, best });
        let was_proved = state.is_proved(objective);
        let report = self.slices.run(state, purpose, limits);
        self.end(item, idx, purpose, &report);
        // What is reported is kept.
        if let Err(error) = self.slices.queue.flush() {
            observer.on(NightEvent::Trouble { error: &error });
        }
        observer.on(NightEvent::SliceEnds { worker, level, purpose, report: &report });
        if let Some(metrics) = state.best(objective).filter(|_| !was_proved && state.is_proved(objective)) {
            observer.on(NightEvent::Proved { level, objective, metrics });
        }
    }

    /// Tells the schedule what came of a slice; a level that is solved is to be improved from then on.
    fn end(&self, item: usize, idx: usize, purpose: Purpose, report: &SliceReport) {
        let mut plan = self.plan.lock();
        plan.schedule.end(item, report.result);
        plan.n_failed += usize::from(report.has_failed);
        let state = &self.states[idx];
        if purpose == Purpose::Solve && state.pool.get().is_some() {
            plan.add_objectives(idx, state, &self.knobs.objectives);
        }
    }
}
