//! The events of a run, for its observers.

use std::time::Duration;

use sokocore::{Metrics, Solution};

use crate::AttemptEnd;

/// An event of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SolveEvent<'a> {
    /// A strategy gets a slice.
    Slice {
        /// Its name.
        strategy: &'a str,
    },
    /// A strategy leaves the run.
    Left {
        /// Its name.
        strategy: &'a str,
        /// Why.
        end: AttemptEnd,
    },
    /// A solution was found and replayed. It is the answer if any will do.
    Solved {
        /// The strategy that found it.
        strategy: &'a str,
        /// Its metrics.
        metrics: Metrics,
        /// Time since the run began.
        elapsed: Duration,
    },
    /// A run for the best solution has found its first solution, or a better one. It was replayed.
    Improved {
        /// The strategy that found it.
        strategy: &'a str,
        /// Its metrics.
        metrics: Metrics,
        /// Time since the run began.
        elapsed: Duration,
        /// The solution.
        solution: &'a Solution,
    },
    /// A run for the best solution has raised its proved lower bound.
    Bound {
        /// The strategy that proved it, or `matching` for the bound before any search.
        strategy: &'a str,
        /// The fewest pushes or moves of a solution, by what counts first.
        bound: u64,
    },
    /// A strategy reported pushes that do not solve the level: a bug.
    Rejected {
        /// The strategy.
        strategy: &'a str,
        /// The error of the replay.
        reason: &'a str,
    },
}

/// An observer of a run, called from its threads.
pub trait SolveProgress: Sync {
    /// Receives an event. Must return quickly: the search waits.
    fn on(&self, event: SolveEvent<'_>);
}

/// Ignores all events.
impl SolveProgress for () {
    fn on(&self, _event: SolveEvent<'_>) {}
}
