//! What came of a run: an answer, and what each strategy did towards it.

use std::fmt;
use std::time::Duration;

use sokocore::Solution;
use sokosearch::{End, Stop};

/// What is known about a level after a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It can be solved, and here is how. The solution was replayed.
    Solved {
        /// The solution.
        solution: Solution,
        /// The strategy that found it.
        by: String,
        /// Whether no better one exists by what the run was asked to prove.
        proved: bool,
    },
    /// It cannot be solved: a search that loses nothing has looked at everything.
    Unsolvable {
        /// What has shown it.
        by: String,
    },
    /// Nothing is known.
    Unsolved(End),
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What is known now.
    pub answer: Answer,
    /// What was tried, in the order of preference.
    pub tried: Vec<Attempt>,
    /// Time of the run.
    pub elapsed: Duration,
    /// Units of work of all strategies.
    pub ticks: u64,
    /// Most bytes in use at once.
    pub peak_bytes: u64,
}

/// What one strategy did in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its name.
    pub strategy: String,
    /// Units of work.
    pub ticks: u64,
    /// Positions expanded, as far as the strategy counts them.
    pub n_nodes: u64,
    /// Time on the processor, added up over its slices.
    pub elapsed: Duration,
    /// Most bytes in use at once.
    pub peak_bytes: u64,
    /// How it ended.
    pub end: AttemptEnd,
}

/// How the attempt of one strategy ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptEnd {
    /// It solved the level.
    Solved,
    /// It showed that there is no solution.
    Unsolvable,
    /// It came to its end, and nothing follows from that.
    GaveUp,
    /// A limit of the run, or the user.
    Stopped(Stop),
    /// Another strategy was first.
    Overtaken,
    /// It never had its turn.
    NotBegun,
    /// What it found does not solve the level: a fault of the program.
    Wrong,
    /// It broke down: a fault of the program.
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

    /// Returns the positions that all strategies expanded.
    #[must_use]
    pub fn n_nodes(&self) -> u64 {
        self.tried.iter().map(|attempt| attempt.n_nodes).sum()
    }

    /// Returns whether a strategy showed a fault of the program.
    #[must_use]
    pub fn has_fault(&self) -> bool {
        self.tried.iter().any(|attempt| matches!(attempt.end, AttemptEnd::Wrong | AttemptEnd::Failed))
    }
}

impl fmt::Display for AttemptEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::GaveUp => "gave up",
            Self::Stopped(Stop::Time) => "time",
            Self::Stopped(Stop::Memory) => "memory",
            Self::Stopped(Stop::Work) => "work",
            Self::Stopped(Stop::Cancelled) => "interrupted",
            Self::Overtaken => "overtaken",
            Self::NotBegun => "not begun",
            Self::Wrong => "wrong",
            Self::Failed => "failed",
        })
    }
}
