//! Events for the user of a run. Diagnostics for developers go through `tracing` instead.

use std::time::Duration;

use sokocore::{Metric, Metrics, Objective};

/// Something that a run reports.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A method starts a piece of work.
    Working {
        /// The method and its settings, such as `vicinity 20/10`.
        method: &'a str,
        /// What it does now, such as `generating` or `searching`.
        phase: &'a str,
    },
    /// Part of the current piece of work is done.
    Advanced {
        /// Share of the piece, from 0 to 1.
        share: f64,
    },
    /// A part of the run that can be switched by name begins its work; parts may be nested.
    Entered {
        /// The name by which it is switched, such as `delay`.
        technique: &'a str,
    },
    /// The part that was entered last, and not left yet, has ended its work.
    Left {
        /// The name by which it is switched.
        technique: &'a str,
        /// Units of work since it was entered, with those of parts within it.
        ticks: u64,
    },
    /// A better solution was found and checked.
    Improved {
        /// The objective that it improves.
        objective: Objective,
        /// Its metrics.
        metrics: Metrics,
        /// The method that found it.
        method: &'a str,
        /// Time since the run began.
        elapsed: Duration,
    },
    /// A lower bound was proved.
    Bound {
        /// The metric that it is of.
        metric: Metric,
        /// No solution has a smaller value.
        at_least: u64,
    },
    /// A method offered moves that do not solve the level: a bug, reported rather than hidden. Nothing is lost by it.
    Rejected {
        /// The method that offered them.
        method: &'a str,
        /// What the replay said.
        reason: &'a str,
    },
}

/// A listener to a run; called from its worker threads.
///
/// ```
/// use sokosearch::{Event, Progress};
///
/// /// Shows what is being done.
/// struct Line;
///
/// impl Progress for Line {
///     fn on(&self, event: Event<'_>) {
///         if let Event::Working { method, phase } = event {
///             eprint!("\r{method}: {phase}");
///         }
///     }
/// }
/// ```
pub trait Progress: Sync {
    /// Receives an event. Must return quickly: the search waits.
    fn on(&self, event: Event<'_>);
}

/// Ignores all events.
impl Progress for () {
    fn on(&self, _event: Event<'_>) {}
}
