//! The result of an optimizer's run: a solution for each objective, why it ended, and what it took.

use std::fmt;
use std::time::Duration;

use sokocore::{Metrics, Objective, Solution};
use sokosearch::{End, Tally};

use crate::Checkpoint;

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptimizeOutcome {
    /// The results, one for each objective, in the order in which they were asked for.
    pub results: Vec<ObjectiveOutcome>,
    /// What each method has gained, the first gains first.
    pub gains: Vec<MethodGains>,
    /// Time of the run.
    pub elapsed: Duration,
    /// Most bytes in use at once.
    pub peak_bytes: u64,
}

/// The result for one objective.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ObjectiveOutcome {
    /// The objective.
    pub objective: Objective,
    /// The best solution given, by this objective.
    pub before: Solution,
    /// The best solution now, replayed; never worse than the one before.
    pub best: Solution,
    /// Why the search ended. Exhausted means that no method gains anything more, and is a proof only if
    /// [`is_proved`](Self::is_proved) says so.
    pub end: End,
    /// Whether the whole space was searched, so that no solution of the level is better in any of the six metrics.
    pub is_proved: bool,
    /// Time of the search.
    pub elapsed: Duration,
    /// Units of work.
    pub ticks: u64,
    /// The totals of its tube searches.
    pub tally: Tally,
    /// Where the search has ended, for [`Optimizer::resume`](crate::Optimizer::resume). None for a run with a scope.
    pub checkpoint: Option<Checkpoint>,
}

/// What one method has gained for one objective.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MethodGains {
    /// The method, as in [`Event::Improved`](sokosearch::Event::Improved).
    pub method: String,
    /// The objective.
    pub objective: Objective,
    /// Improvements.
    pub n_gains: u64,
    /// What they have gained of the objective's first metric: moves, pushes, and so on.
    pub gained: u64,
}

/// A better solution, at the moment when it was found.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Improvement<'a> {
    /// The objective by which it is better.
    pub objective: Objective,
    /// The solution, replayed.
    pub solution: &'a Solution,
    /// The metrics of the best solution before it.
    pub before: Metrics,
    /// The method that found it.
    pub method: &'a str,
    /// Time since the run began.
    pub elapsed: Duration,
}

impl OptimizeOutcome {
    /// Returns the best solution by the first objective.
    #[must_use]
    pub fn solution(&self) -> &Solution {
        &self.first().best
    }

    /// Returns the result for an objective, if it was asked for.
    #[must_use]
    pub fn by(&self, objective: Objective) -> Option<&ObjectiveOutcome> {
        self.results.iter().find(|result| result.objective == objective)
    }

    /// Returns whether something was gained for any objective.
    #[must_use]
    pub fn is_improved(&self) -> bool {
        self.results.iter().any(ObjectiveOutcome::is_improved)
    }

    /// Returns whether every result is proved optimal.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        self.results.iter().all(|result| result.is_proved)
    }

    /// Returns why the run ended: exhausted if all searches were, otherwise what stopped the first one that was not.
    #[must_use]
    pub fn end(&self) -> End {
        self.results.iter().map(|result| result.end).find(|&end| end != End::Exhausted).unwrap_or(End::Exhausted)
    }

    /// Returns the units of work of all searches.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.results.iter().map(|result| result.ticks).sum()
    }

    fn first(&self) -> &ObjectiveOutcome {
        self.results.first().expect("invariant: a run has an objective")
    }
}

impl ObjectiveOutcome {
    /// Returns whether the best solution is better than the one before.
    #[must_use]
    pub fn is_improved(&self) -> bool {
        self.objective.score(&self.best.metrics()) < self.objective.score(&self.before.metrics())
    }
}

impl fmt::Display for ObjectiveOutcome {
    /// Writes one line, such as `moves: 14/3/3/2/3/11 -> 12/5/5/3/4/11, proved optimal`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { objective, before, best, end, .. } = self;
        write!(f, "{objective}: {} -> {}, ", before.metrics(), best.metrics())?;
        if self.is_proved { f.write_str("proved optimal") } else { write!(f, "{end}") }
    }
}
