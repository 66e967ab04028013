//! What a run of the solver tells the people who watch it.

use std::time::Duration;

use sokocore::{Metrics, Solution};

use crate::AttemptEnd;

/// Something worth showing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SolveEvent<'a> {
    /// A strategy has its turn.
    Turn {
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
        /// What it measures.
        metrics: Metrics,
        /// Time since the run began.
        elapsed: Duration,
    },
    /// A run for the best solution has found a better one than all that it knew, or its first one. It was replayed.
    Improved {
        /// The strategy that found it.
        strategy: &'a str,
        /// What it measures.
        metrics: Metrics,
        /// Time since the run began.
        elapsed: Duration,
        /// The solution.
        solution: &'a Solution,
    },
    /// A run for the best solution has proved that more pushes or moves are needed than it knew before.
    Bound {
        /// The strategy that proved it, or `matching` for what boxes and goals show before any search.
        strategy: &'a str,
        /// The fewest that a solution can have, of pushes or moves, by what counts first.
        bound: u64,
    },
    /// A strategy offered pushes that do not solve the level: a bug, reported rather than hidden.
    Rejected {
        /// The strategy.
        strategy: &'a str,
        /// What the replay said.
        reason: &'a str,
    },
}

/// Something that listens to a run; called from its threads.
pub trait SolveProgress: Sync {
    /// Takes note of an event. Must return quickly: the search waits.
    fn on(&self, event: SolveEvent<'_>);
}

/// Listens silently.
impl SolveProgress for () {
    fn on(&self, _event: SolveEvent<'_>) {}
}
