//! The state of a strategy in a run: its workers, its memory, and the resources that it has used.
//!
//! ```text
//!   waiting workers ──take──▶ running ──put back──▶ waiting        the spare worker is taken when one more is due
//! ```
//!
//! Invariant: all workers run one search and charge one account. A strategy that has ended gets no slice, and its
//! workers are dropped when they return.

use std::collections::VecDeque;
use std::time::Duration;

use sokosearch::MemoryAccount;

use crate::fair_share::FairShareTask;
use crate::portfolio::shares::{FairShare, Usage, Weights};
use crate::portfolio::strategy_spec::Worker;
use crate::{AttemptEnd, PartTimes, SearchStats};

/// The state of a strategy.
#[derive(Debug)]
pub(crate) struct StrategyState {
    /// How its lane shares out its part.
    pub(crate) shares: FairShare,
    weights: Weights,
    pub(crate) end: Option<AttemptEnd>,
    /// The workers that wait for a slice, the longest first; empty before the first slice.
    pub(crate) waiting: VecDeque<Box<Worker>>,
    /// A further worker that has not run yet.
    pub(crate) spare: Option<Box<Worker>>,
    /// A worker has ended while others continue, so a further one would have nothing to do.
    pub(crate) has_enough_workers: bool,
    pub(crate) memory: MemoryAccount,
    pub(crate) ticks: u64,
    /// Time of the slices that are running.
    pub(crate) scheduled_time: Duration,
    /// The counters of the worker that has expanded most.
    pub(crate) stats: SearchStats,
    /// How expansions have divided their time, of the worker that has sampled most.
    pub(crate) part_times: PartTimes,
    /// The proved lower bound of the cost of every solution.
    pub(crate) proved_cost: u64,
    /// The estimate of its progress, 0 to 1.
    pub(crate) progress_estimate: f64,
    pub(crate) elapsed: Duration,
    /// The part of it before the first worker could expand a position.
    pub(crate) set_up: Duration,
    pub(crate) n_restarts: u32,
    pub(crate) peak_bytes: u64,
}

impl StrategyState {
    /// Makes the state of a strategy that has not started.
    pub(crate) fn new(shares: FairShare, weights: Weights, memory: MemoryAccount) -> Self {
        Self {
            shares,
            weights,
            end: None,
            waiting: VecDeque::new(),
            spare: None,
            has_enough_workers: false,
            memory,
            ticks: 0,
            scheduled_time: Duration::ZERO,
            stats: SearchStats::default(),
            part_times: PartTimes::default(),
            proved_cost: 0,
            progress_estimate: 0.0,
            elapsed: Duration::ZERO,
            set_up: Duration::ZERO,
            n_restarts: 0,
            peak_bytes: 0,
        }
    }

    /// Returns whether a further worker could run.
    pub(crate) fn has_spare(&self) -> bool {
        self.end.is_none() && self.spare.is_some()
    }

    /// Takes a worker for a slice of so much time; `None` if the search has not started.
    pub(crate) fn take(&mut self, time: Duration) -> Option<Box<Worker>> {
        self.scheduled_time += time;
        self.waiting.pop_front().or_else(|| self.spare.take())
    }

    /// Returns the resources of all workers together, those of running slices included.
    pub(crate) fn usage(&self) -> Usage {
        Usage { ticks: self.ticks, time: self.elapsed + self.scheduled_time, progress_estimate: self.progress_estimate }
    }

    /// Returns the resources for each of so many workers.
    pub(crate) fn usage_per_worker(&self, n_workers: usize) -> Usage {
        let n_workers = n_workers.max(1);
        let time =
            self.elapsed / u32::try_from(n_workers).expect("invariant: there are at most as many workers as threads");
        Usage { ticks: self.ticks / n_workers as u64, time, progress_estimate: self.progress_estimate }
    }

    /// Takes in what a worker says of the search after a slice.
    pub(crate) fn observe(&mut self, worker: &Worker) {
        self.set_up = self.set_up.max(worker.set_up);
        let stats = worker.stats();
        if stats.expanded >= self.stats.expanded {
            self.stats = stats;
        }
        let part_times = worker.part_times();
        if part_times.total() > self.part_times.total() {
            self.part_times = part_times;
        }
        self.proved_cost = self.proved_cost.max(worker.proved_cost());
        self.progress_estimate = self.progress_estimate.max(worker.progress_estimate());
        self.peak_bytes = self.peak_bytes.max(self.memory.peak());
    }

    /// Ends the strategy, unless it has ended already. Running workers are dropped when they return.
    pub(crate) fn finish(&mut self, end: AttemptEnd) {
        self.end.get_or_insert(end);
        (self.waiting, self.spare) = Default::default();
    }

    /// Returns whether it has started and has a waiting worker, so that its memory can be freed, now or soon.
    pub(crate) fn can_be_dropped(&self) -> bool {
        self.end.is_none() && !self.waiting.is_empty()
    }
}

/// What a slice of a strategy has used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SliceUsage {
    pub(crate) ticks: u64,
    pub(crate) elapsed: Duration,
    /// The time that it was scheduled for.
    pub(crate) scheduled_time: Duration,
}

impl FairShareTask for StrategyState {
    type Usage = SliceUsage;

    fn virtual_time(&self) -> f64 {
        self.shares.spent(self.weights, self.usage())
    }

    fn charge(&mut self, used: SliceUsage) {
        self.scheduled_time -= used.scheduled_time;
        self.ticks += used.ticks;
        self.elapsed += used.elapsed;
    }

    fn is_over(&self) -> bool {
        self.end.is_some()
    }

    fn has_idle_worker(&self) -> bool {
        !self.waiting.is_empty()
    }
}
