//! The workers of a night: each takes one slice after the other.

use std::thread::sleep;
use std::time::{Duration, SystemTime};

use crossbeam::channel::{RecvTimeoutError, bounded};
use parking_lot::Mutex;
use sokosearch::Clock;

use crate::plan::{NightPlan, TakenItem};
use crate::{LevelState, LibraryQueue, NightControl, NightEvent, NightKnobs, SliceLimits, Slices};

/// How often the library is written.
const TICK: Duration = Duration::from_millis(100);
/// How long a worker waits when there is nothing for it, or the night is paused.
const WAIT: Duration = Duration::from_millis(20);
/// With less than this left, no slice is begun.
const SHORTEST_REST: Duration = Duration::from_millis(50);

/// All that the workers of a night share.
pub(crate) struct Workers<'r, 'l> {
    pub(crate) slices: Slices<'r>,
    pub(crate) queue: &'r LibraryQueue,
    pub(crate) plan: Mutex<NightPlan>,
    pub(crate) knobs: &'r NightKnobs,
    pub(crate) states: &'r [LevelState<'l>],
    pub(crate) control: &'r NightControl,
    pub(crate) clock: Clock,
}

impl Workers<'_, '_> {
    /// Runs all workers to the end of the night.
    pub(crate) fn run(&self) {
        let (running, ended) = bounded::<()>(0);
        let tend = || {
            while matches!(ended.recv_timeout(TICK), Err(RecvTimeoutError::Timeout)) {
                if let Err(error) = self.queue.tick() {
                    self.slices.observer.on(NightEvent::Trouble { error: &error });
                }
            }
        };
        let joined = crossbeam::scope(|scope| {
            scope.builder().name("tend".to_owned()).spawn(|_| tend()).map(drop).unwrap_or_default();
            let others = 1..self.knobs.n_threads;
            // Where the system gives fewer threads, fewer are used.
            let spawned = others.map_while(|worker| scope.builder().spawn(move |_| self.work(worker)).ok());
            let workers: Vec<_> = spawned.collect();
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
            // The flag is taken before it is asked whether the night is paused: a pause in between raises it.
            let cancel = self.control.of_slice();
            let taken = if self.control.is_paused() {
                None
            } else {
                let mut plan = self.plan.lock();
                if plan.n_open() == 0 {
                    break;
                }
                plan.take(worker, self.knobs.n_threads, self.clock.elapsed())
            };
            let Some(taken) = taken else {
                sleep(WAIT);
                continue;
            };
            let part = u64::try_from(self.knobs.n_threads / taken.n_threads).unwrap_or(u64::MAX).max(1);
            let limits = SliceLimits {
                time: taken.time.min(left),
                n_threads: taken.n_threads,
                n_slices: taken.n_slices,
                memory: self.knobs.memory / part,
                cancel,
                windows: None,
            };
            self.run_slice(worker, &taken, &limits);
        }
    }

    fn run_slice(&self, worker: usize, taken: &TakenItem, limits: &SliceLimits) {
        let (state, observer, purpose) = (&self.states[taken.idx], self.slices.observer, taken.purpose);
        let (level, objective) = (state.of, taken.purpose.objective());
        let best = state.best(objective);
        let (time, n_threads) = (limits.time, limits.n_threads);
        observer.on(NightEvent::SliceBegins { worker, level, purpose, time, n_threads, best });
        let was_proved = state.is_proved(objective);
        let report = self.slices.run(state, purpose, limits);
        self.plan.lock().end(worker, taken, state, &report, self.knobs);
        // What is reported is kept.
        if let Err(error) = self.queue.flush() {
            observer.on(NightEvent::Trouble { error: &error });
        }
        observer.on(NightEvent::SliceEnds { worker, level, purpose, report: &report });
        if let Some(metrics) = state.best(objective).filter(|_| !was_proved && state.is_proved(objective)) {
            observer.on(NightEvent::Proved { level, objective, metrics });
        }
    }
}
