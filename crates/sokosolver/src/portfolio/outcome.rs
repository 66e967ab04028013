//! The result of a run: its answer, and the attempt of each strategy.

use std::fmt;
use std::time::Duration;

use sokocore::{Metrics, Solution};
use sokosearch::{End, Stop};

use crate::{FindTimes, PartTimes, SearchStats};

/// What is known about a level after a run. Exhaustive: there is no fourth answer, but those there are may tell more one
/// day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It has a solution, which was replayed.
    #[non_exhaustive]
    Solved {
        /// The solution.
        solution: Solution,
        /// The strategy that found it; `known` if it was handed in with
        /// [`SolveKnobs::known`](crate::SolveKnobs::known).
        by: String,
        /// Whether no better one exists by what the run was asked to prove.
        proved: bool,
    },
    /// It has no solution: a complete search was exhausted, or the start position shows it.
    #[non_exhaustive]
    Unsolvable {
        /// The strategy or the rule that showed it.
        by: String,
    },
    /// Nothing is known.
    Unsolved(End),
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// What is known now.
    pub answer: Answer,
    /// The proved lower bound of every solution, in pushes or moves, by what counts first in
    /// [`Settings::optimal`](crate::Settings::optimal). `None` if the run was for any solution, or if there is none.
    pub lower_bound: Option<u64>,
    /// Why the run ended: exhausted if its answer is final, or if no strategy was left.
    pub end: End,
    /// The attempts of the strategies, in the order of preference.
    pub tried: Vec<Attempt>,
    /// Time of the run.
    pub elapsed: Duration,
    /// The parts of it that were spent on solutions once they were found.
    pub find_times: FindTimes,
    /// Units of work of all strategies.
    pub ticks: u64,
    /// Most bytes in use at once.
    pub peak_bytes: u64,
}

/// What one strategy did in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// Its name.
    pub strategy: String,
    /// Units of work.
    pub ticks: u64,
    /// Its counters.
    pub stats: SearchStats,
    /// The lower bound that it proved by itself, see [`Outcome::lower_bound`].
    pub lower_bound: Option<u64>,
    /// Time on the processor, added up over its slices.
    pub elapsed: Duration,
    /// The part of it before the first position could be expanded, in which tables are made.
    pub set_up: Duration,
    /// How the rest of it divides, estimated from samples; `None` if nothing was sampled.
    pub parts: Option<PartTimes>,
    /// Most bytes in use at once.
    pub peak_bytes: u64,
    /// How it ended.
    pub end: AttemptEnd,
}

/// How the attempt of one strategy ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttemptEnd {
    /// It solved the level.
    Solved,
    /// It showed that no solution is better than the best one that the run knew.
    Proved,
    /// It showed that there is no solution.
    Unsolvable,
    /// It was exhausted by rules that may lose solutions: nothing follows.
    GaveUp,
    /// A limit of the run, or the user, stopped it.
    Stopped(Stop),
    /// Another strategy was first: with the answer, or with the solution that this one was to find.
    Overtaken,
    /// It never had a slice.
    NotBegun,
    /// Its solution does not solve the level: a bug.
    Wrong,
    /// It panicked: a bug.
    Failed,
}

impl Outcome {
    /// Returns the solution, if there is one.
    #[must_use]
    pub const fn solution(&self) -> Option<&Solution> {
        match &self.answer {
            Answer::Solved { solution, .. } => Some(solution),
            _ => None,
        }
    }

    /// Returns the metrics of the solution, if there is one.
    #[must_use]
    pub fn metrics(&self) -> Option<Metrics> {
        self.solution().map(Solution::metrics)
    }

    /// Returns the strategy or the rule that gave the answer, if there is one.
    #[must_use]
    pub fn by(&self) -> Option<&str> {
        match &self.answer {
            Answer::Solved { by, .. } | Answer::Unsolvable { by } => Some(by),
            Answer::Unsolved(_) => None,
        }
    }

    /// Returns whether it is proved that the level has no solution.
    #[must_use]
    pub const fn is_unsolvable(&self) -> bool {
        matches!(self.answer, Answer::Unsolvable { .. })
    }

    /// Returns whether the answer is final: there is no solution, or none better by what the run was asked for.
    #[must_use]
    pub const fn is_proved(&self) -> bool {
        matches!(self.answer, Answer::Unsolvable { .. } | Answer::Solved { proved: true, .. })
    }

    /// Returns the sum of the counters of all strategies.
    #[must_use]
    pub fn stats(&self) -> SearchStats {
        let mut sum = SearchStats::default();
        self.tried.iter().for_each(|attempt| sum += attempt.stats);
        sum
    }

    /// Returns the longest set-up time of a strategy.
    #[must_use]
    pub fn set_up(&self) -> Duration {
        self.tried.iter().map(|attempt| attempt.set_up).max().unwrap_or_default()
    }

    /// Returns the positions that all strategies expanded.
    #[must_use]
    pub fn n_nodes(&self) -> u64 {
        self.stats().expanded
    }

    /// Returns whether an attempt showed a bug.
    #[must_use]
    pub fn has_fault(&self) -> bool {
        self.tried.iter().any(|attempt| matches!(attempt.end, AttemptEnd::Wrong | AttemptEnd::Failed))
    }
}

impl Attempt {
    /// Returns the positions that it expanded, as far as it counts them.
    #[must_use]
    pub const fn n_nodes(&self) -> u64 {
        self.stats.expanded
    }
}

impl fmt::Display for Answer {
    /// Writes one line, such as `solved by fess: 230/97/64/31/58/120`, `unsolvable, by a-star-forward`, or
    /// `unsolved: time`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Solved { solution, by, proved } => {
                let proof = if *proved { ", proved optimal" } else { "" };
                write!(f, "solved by {by}{proof}: {}", solution.metrics())
            }
            Self::Unsolvable { by } => write!(f, "unsolvable, by {by}"),
            Self::Unsolved(end) => write!(f, "unsolved: {end}"),
        }
    }
}

impl fmt::Display for AttemptEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Solved => "solved",
            Self::Proved => "proved",
            Self::Unsolvable => "unsolvable",
            Self::GaveUp => "gave up",
            Self::Stopped(stop) => stop.name(),
            Self::Overtaken => "overtaken",
            Self::NotBegun => "not begun",
            Self::Wrong => "wrong",
            Self::Failed => "failed",
        })
    }
}
