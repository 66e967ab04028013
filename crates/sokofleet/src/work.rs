//! A worker: takes slices from the queue, runs them, and gives what they find to the fleet.
//!
//! ```text
//!   queue ─▶ Deal ─▶ known level ─▶ sokonight: Slices ─finds─▶ FindOutbox ─▶ server
//!     ▲                                 ▲   │
//!     └──── next slice, by its gain ────┼───┘
//!                 finds of others ──────┘
//! ```

mod checkpoints;
mod heartbeat;
mod islands;
mod known;
mod listener;
pub(crate) mod outbox;
mod slice;
mod slice_store;
mod windows;
mod worker;

use std::path::PathBuf;
use std::time::Duration;

use sokocore::{Metrics, Objective};
use sokonight::{NightControl, Purpose, SliceReport};

use crate::keys::checked_name;
use crate::{Fleet, FleetError};
pub(crate) use known::{AttributedSolution, Boards};
use worker::WorkerRun;

/// How a worker works.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WorkKnobs {
    /// Its name, which no other worker has: letters, digits, `-` and `_`, at most 40. Default the computer's and some digits.
    pub name: Option<String>,
    /// The computer, for people. Default "computer".
    pub host: String,
    /// Threads. 1 and up, default 1.
    pub n_threads: usize,
    /// Bytes of all searches together. Default 1 GiB.
    pub memory: u64,
    /// How long it works. Default until it is told to stop.
    pub time: Option<Duration>,
    /// Whether it stops when no slice is left, at this worker or another. Default no.
    pub until_empty: bool,
    /// The most islands of a level and purpose, this worker's and others'. 1 and up, default 64.
    pub max_islands: u64,
    /// Time of threads that an item has had before it gets a second island: most levels are done by then. Default 10 seconds.
    pub island_after: Duration,
    /// A folder for solutions that wait for a server that is away. Default none: they wait in memory.
    pub spool: Option<PathBuf>,
}

impl Default for WorkKnobs {
    fn default() -> Self {
        Self {
            name: None,
            host: "computer".to_owned(),
            n_threads: 1,
            memory: 1 << 30,
            time: None,
            until_empty: false,
            max_islands: 64,
            island_after: Duration::from_secs(10),
            spool: None,
        }
    }
}

impl WorkKnobs {
    /// Sets [`WorkKnobs::name`].
    #[must_use]
    pub fn with_name(self, name: Option<String>) -> Self {
        Self { name, ..self }
    }

    /// Sets [`WorkKnobs::host`].
    #[must_use]
    pub fn with_host(self, host: impl Into<String>) -> Self {
        Self { host: host.into(), ..self }
    }

    /// Sets [`WorkKnobs::n_threads`].
    #[must_use]
    pub fn with_threads(self, n_threads: usize) -> Self {
        Self { n_threads: n_threads.max(1), ..self }
    }

    /// Sets [`WorkKnobs::memory`].
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Self {
        Self { memory, ..self }
    }

    /// Sets [`WorkKnobs::time`].
    #[must_use]
    pub fn with_time(self, time: Option<Duration>) -> Self {
        Self { time, ..self }
    }

    /// Sets [`WorkKnobs::until_empty`].
    #[must_use]
    pub fn until_empty(self, until_empty: bool) -> Self {
        Self { until_empty, ..self }
    }

    /// Sets [`WorkKnobs::max_islands`].
    #[must_use]
    pub fn with_max_islands(self, max_islands: u64) -> Self {
        Self { max_islands: max_islands.max(1), ..self }
    }

    /// Sets [`WorkKnobs::island_after`].
    #[must_use]
    pub fn with_island_after(self, island_after: Duration) -> Self {
        Self { island_after, ..self }
    }

    /// Sets [`WorkKnobs::spool`].
    #[must_use]
    pub fn with_spool(self, spool: Option<PathBuf>) -> Self {
        Self { spool, ..self }
    }

    /// Returns the name, made up if none is set.
    fn worker_name(&self) -> Result<String, FleetError> {
        let wrong =
            |error: crate::keys::ParseNameError| FleetError::Address { what: format!("the worker's name: {error}") };
        if let Some(name) = &self.name {
            return checked_name(name).map_err(wrong);
        }
        let mut digits = [0; 3];
        getrandom::fill(&mut digits).map_err(|error| FleetError::System(error.to_string()))?;
        let host: String = self.host.chars().filter(char::is_ascii_alphanumeric).take(24).collect();
        let host = if host.is_empty() { "computer".to_owned() } else { host };
        let digits: String = digits.iter().map(|digit| format!("{digit:02x}")).collect();
        checked_name(&format!("{host}-{digits}")).map_err(wrong)
    }
}

/// What happens while a worker works.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum WorkEvent<'a> {
    /// A slice begins.
    #[non_exhaustive]
    SliceBegins {
        /// What a person calls the level.
        level: &'a str,
        /// What it is for.
        purpose: Purpose,
        /// Which island it is, from 0.
        island: u64,
        /// How long it may take.
        time: Duration,
        /// The best solution so far by its objective, or by moves; `None` without a solution.
        best: Option<Metrics>,
    },
    /// A better solution was found here and replayed, or a first one. It will be on the server within a second.
    #[non_exhaustive]
    Improved {
        /// What a person calls the level.
        level: &'a str,
        /// What it is better in.
        objective: Objective,
        /// What it measures.
        metrics: Metrics,
        /// The method or the strategy that found it.
        by: &'a str,
    },
    /// A better solution of another worker was taken over, after a replay.
    #[non_exhaustive]
    TakenOver {
        /// What a person calls the level.
        level: &'a str,
        /// What it is better in.
        objective: Objective,
        /// What it measures.
        metrics: Metrics,
        /// The other worker.
        worker: &'a str,
    },
    /// A slice has ended, and what it has gained is on the server.
    #[non_exhaustive]
    SliceEnds {
        /// What a person calls the level.
        level: &'a str,
        /// What it was for.
        purpose: Purpose,
        /// Which island it was.
        island: u64,
        /// What came of it.
        report: &'a SliceReport,
        /// Whether another worker had the slice in the meantime, so that its account was dropped. What it found was kept.
        is_overtaken: bool,
    },
    /// The server cannot be reached, or refuses. Everything waits, and is tried again.
    #[non_exhaustive]
    Trouble {
        /// Why.
        error: &'a FleetError,
    },
    /// The server answers again.
    Recovered,
    /// Nothing is to be done at the moment.
    Idle,
}

/// An observer of a worker, called from its threads. Functions are observers.
pub trait WorkObserver: Sync {
    /// Receives an event. Must return quickly: a search waits.
    fn on(&self, event: WorkEvent<'_>);
}

impl<F: Fn(WorkEvent<'_>) + Sync> WorkObserver for F {
    fn on(&self, event: WorkEvent<'_>) {
        self(event);
    }
}

/// What a worker has done.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WorkOutcome {
    /// Its name.
    pub worker: String,
    /// Slices that it has ended.
    pub n_slices: u64,
    /// Solutions that it has delivered.
    pub n_finds: u64,
    /// Slices that failed by a fault of ours.
    pub n_failed: u64,
    /// Solutions that the server does not have yet: they are in the spool, and the next worker with it delivers them.
    pub n_waiting: usize,
    /// Why it has stopped.
    pub ended: &'static str,
}

impl Fleet {
    /// Works until it is told to stop, its time is over, or the fleet is drained. Threads of its own call the observer.
    ///
    /// # Errors
    /// The name is none, or the server does not let this user work under it. A server that is away is no error: it is waited for.
    pub fn work(
        &self,
        knobs: &WorkKnobs,
        control: &NightControl,
        observer: &dyn WorkObserver,
    ) -> Result<WorkOutcome, FleetError> {
        let name = knobs.worker_name()?;
        WorkerRun::new(self, &name, knobs, control, observer).run()
    }
}
