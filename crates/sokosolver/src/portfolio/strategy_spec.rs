//! The configuration of a strategy in a run, and a worker that runs its search in slices.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use sokosearch::{Budget, Cancel, Clock, MemoryAccount, Stop};

use crate::portfolio::shares::{SliceLength, Weights};
use crate::{PartTimes, Search, SearchStats, Verdict, WorkMeter};

/// Starts a search. What it does then is charged and counted like the rest.
pub(crate) type StartSearch = Box<dyn Fn(&mut WorkMeter) -> Result<Box<dyn Search>, Stop> + Send + Sync>;

/// What a strategy contributes to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It proves its solutions optimal.
    Prover,
    /// It finds any solution. In a run for the best solution it ends once there is one.
    Finder,
}

/// The configuration of a strategy in a run.
pub(crate) struct StrategySpec {
    pub(crate) name: String,
    pub(crate) weights: Weights,
    pub(crate) role: Role,
    pub(crate) start: StartSearch,
}

impl fmt::Debug for StrategySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StrategySpec").field("name", &self.name).field("weights", &self.weights).finish_non_exhaustive()
    }
}

/// A search that was started, with its work meter.
pub(crate) struct Worker {
    search: Option<Box<dyn Search>>,
    pub(crate) meter: WorkMeter,
    /// Time on the processor before it could expand a position.
    pub(crate) set_up: Duration,
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").field("meter", &self.meter).finish_non_exhaustive()
    }
}

/// The result of a slice.
#[derive(Debug)]
pub(crate) struct SliceResult {
    /// `None` if it panicked.
    pub(crate) result: Option<Result<Verdict, Stop>>,
    pub(crate) ticks: u64,
    pub(crate) elapsed: Duration,
}

impl Worker {
    /// Makes a worker that has not started, with a memory account of its own.
    pub(crate) fn new(budget: &Budget, memory: MemoryAccount, done: Cancel) -> Self {
        let budget = budget.clone().with_memory(memory).with_work(None);
        Self { search: None, meter: WorkMeter::new(budget, done), set_up: Duration::ZERO }
    }

    /// Makes a worker on the same search, to run at the same time, if the search allows it.
    pub(crate) fn fork_worker(&self, budget: &Budget, memory: MemoryAccount, done: Cancel) -> Option<Self> {
        let mut worker = Self::new(budget, memory, done);
        if let Some(deadlocks) = self.meter.shared_deadlocks() {
            worker.meter.share_deadlocks(deadlocks.clone());
        }
        worker.search = Some(self.search.as_ref()?.fork_worker(&worker.meter)?);
        Some(worker)
    }

    /// Runs a slice.
    pub(crate) fn run_slice(&mut self, spec: &StrategySpec, length: SliceLength) -> SliceResult {
        let (clock, before) = (Clock::start(), self.meter.ticks());
        let (began, is_set_up) = (self.meter.budget().elapsed(), self.meter.set_up_at().is_some());
        match length {
            SliceLength::Ticks(ticks) => self.meter.start_slice(ticks),
            SliceLength::Time(time) => self.meter.start_timed_slice(time),
        }
        // A panic of one strategy must not end the others. Its search is dropped without being used again.
        let result = catch_unwind(AssertUnwindSafe(|| self.resume(spec)));
        if result.is_err() {
            self.search = None;
        }
        // A slice without a tick counts one, so that no other strategy waits forever.
        let ticks = (self.meter.ticks() - before).max(1);
        let elapsed = clock.elapsed();
        if !is_set_up {
            self.set_up += self.meter.set_up_at().map_or(elapsed, |at| at.saturating_sub(began));
        }
        SliceResult { result: result.ok(), ticks, elapsed }
    }

    fn resume(&mut self, spec: &StrategySpec) -> Result<Verdict, Stop> {
        let search = match &mut self.search {
            Some(search) => search,
            none => none.insert((spec.start)(&mut self.meter)?),
        };
        search.resume(&mut self.meter)
    }

    /// Returns the estimate of its progress, 0 to 1.
    pub(crate) fn progress_estimate(&self) -> f64 {
        self.search.as_ref().map_or(0.0, |search| search.progress_estimate())
    }

    /// Returns its counters.
    pub(crate) fn stats(&self) -> SearchStats {
        self.search.as_ref().map_or_else(SearchStats::default, |search| search.stats())
    }

    /// Returns how some of its expansions have divided their time.
    pub(crate) fn part_times(&self) -> PartTimes {
        self.search.as_ref().map_or_else(PartTimes::default, |search| search.part_times())
    }

    /// Returns its proved lower bound, see [`Search::proved_cost`].
    pub(crate) fn proved_cost(&self) -> u64 {
        self.search.as_ref().map_or(0, |search| search.proved_cost())
    }
}
