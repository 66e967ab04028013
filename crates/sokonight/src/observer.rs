//! What happens in a night, for its observers.

use std::time::Duration;

use sokocore::{Metrics, Objective, Solution};
use sokolibrary::LibraryError;

use crate::{NightLevel, Purpose, SliceReport};

/// An event of a night.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum NightEvent<'a> {
    /// A slice begins.
    #[non_exhaustive]
    SliceBegins {
        /// The worker, from 0 to the number of threads less one; it has one slice at a time.
        worker: usize,
        /// The level.
        level: &'a NightLevel,
        /// What it is for.
        purpose: Purpose,
        /// How long it may take.
        time: Duration,
        /// Its threads.
        n_threads: usize,
        /// The best solution so far by its objective, or by moves; `None` without a solution.
        best: Option<Metrics>,
    },
    /// A better solution was found and replayed, or a first one. It will be in the library within a second.
    #[non_exhaustive]
    Improved {
        /// The level.
        level: &'a NightLevel,
        /// What it is better in.
        objective: Objective,
        /// The solution.
        solution: &'a Solution,
        /// The method or the strategy that found it.
        by: &'a str,
    },
    /// A slice has ended. What it has gained is in the library, unless there is [`NightEvent::Trouble`].
    #[non_exhaustive]
    SliceEnds {
        /// The worker.
        worker: usize,
        /// The level.
        level: &'a NightLevel,
        /// What it was for.
        purpose: Purpose,
        /// What came of it.
        report: &'a SliceReport,
    },
    /// The best solution by an objective is proved to be the best.
    #[non_exhaustive]
    Proved {
        /// The level.
        level: &'a NightLevel,
        /// The objective.
        objective: Objective,
        /// The metrics of the best.
        metrics: Metrics,
    },
    /// The library cannot be written. What was found is kept in memory, and writing is tried again.
    #[non_exhaustive]
    Trouble {
        /// Why.
        error: &'a LibraryError,
    },
}

/// An observer of a night, called from its threads. Functions are observers.
pub trait NightObserver: Sync {
    /// Receives an event. Must return quickly: a search waits.
    fn on(&self, event: NightEvent<'_>);
}

impl<F: Fn(NightEvent<'_>) + Sync> NightObserver for F {
    fn on(&self, event: NightEvent<'_>) {
        self(event);
    }
}
