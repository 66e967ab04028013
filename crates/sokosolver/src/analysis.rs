//! The analysis of a level, for its author: why it has no solution, what is spare, how hard it is.
//!
//! ```text
//!   level ─▶ Fault? ─▶ whole graph? ─▶ solver ─▶ proof ─▶ graph of all best solutions ─▶ boxes · squares · choices
//!              │ unsolvable  │ all answers exact   │ bounds        │ how many, what is spare
//!              ▼             ▼                     ▼               ▼
//!                            Analysis: what is known at the end of the time
//! ```
//!
//! A *best* solution here is one of fewest pushes; walks do not count.
//! Every question has an answer of its own, which may be that it is not known within the limits:
//! a bound is proved, a count is exact or a lower bound, a square is spare, needed, or undecided.
//!
//! # Contents, in reading order
//! * [`analyze`], [`AnalysisKnobs`], [`AnalysisStage`]: the one call. Start here.
//! * [`Analysis`], [`Solvability`], [`Reason`], [`PushBounds`]: its answer.
//! * [`Fault`], [`places_of`], [`is_unsolvable`]: what needs no search.
//! * [`BoxUse`], [`SquareUse`], [`Alternatives`]: what is spare.
//! * [`Choices`], [`Space`]: how hard it is.
//! * [`Survey`], [`Parity`], [`LeastPushes`]: facts about a level that need no search.

mod charged_vec;
pub(crate) mod choices;
pub(crate) mod error_places;
mod graph;
pub(crate) mod shortest;
mod solution_trace;
mod stages;
pub(crate) mod survey;
mod variants;

use std::time::Duration;

use sokocore::{Level, Solution, Square, SquareSet};
use sokosearch::{Budget, End};

use self::choices::Choices;
use self::shortest::Alternatives;
use self::survey::Parity;
use crate::Fault;

/// Settings of an analysis.
#[derive(Clone, Debug)]
pub struct AnalysisKnobs {
    /// Threads of the solver. 1 and up.
    pub n_threads: usize,
    /// The most best solutions that are counted.
    pub max_alternatives: usize,
    /// The most positions of a level that is explored as a whole.
    pub max_whole: usize,
    /// The most positions explored to find all best solutions.
    pub max_best: usize,
}

impl Default for AnalysisKnobs {
    fn default() -> Self {
        Self { n_threads: 1, max_alternatives: 100, max_whole: 1 << 19, max_best: 1 << 21 }
    }
}

/// The stages of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnalysisStage {
    /// Every position of the level.
    Whole,
    /// A first solution.
    Solving,
    /// A proof that no solution has fewer pushes.
    Proving,
    /// All best solutions.
    Best,
    /// Squares that could be wall.
    Squares,
    /// Pushes that lose the level.
    Choices,
    /// The level without each box.
    Boxes,
}

/// The result of an analysis.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Whether it has a solution.
    pub answer: Solvability,
    /// Proved bounds of the fewest pushes.
    pub bounds: PushBounds,
    /// Whether every solution has an even or an odd number of pushes; `None` if that is open.
    pub parity: Option<Parity>,
    /// The best solution that is known; among equal pushes the one of fewest moves. It was replayed.
    pub best: Option<Solution>,
    /// The strategy that found it; `None` if it was given.
    pub found_by: Option<String>,
    /// How many best solutions there are, up to the order of pushes; `None` if that is not known.
    pub alternatives: Option<Alternatives>,
    /// The use of each box, in the order of their start squares. Empty without a solution.
    pub boxes: Vec<BoxUse>,
    /// The use of the empty floor squares. `None` without a solution.
    pub squares: Option<SquareUse>,
    /// The choices at each position of the best solution. Empty without a solution.
    pub choices: Vec<Choices>,
    /// The number of all positions of the level, if they were all explored.
    pub space: Option<Space>,
    /// Positions expanded by the solver and in graphs.
    pub n_nodes: u64,
    /// Whether every question has its full answer, or what stopped the first one that has not.
    pub end: End,
    /// Time of the analysis.
    pub elapsed: Duration,
}

/// Whether a level has a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solvability {
    /// It has one.
    Solvable,
    /// It has none.
    Unsolvable(Reason),
    /// Nothing is known.
    Unknown,
}

/// Why a level has no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The start position shows it.
    Fault(Fault),
    /// None of so many positions is solved, and these are all that can be reached without losing a box for good.
    Exhausted {
        /// Number of positions.
        positions: u64,
    },
    /// A strategy of the solver has exhausted the level by rules that lose no solution.
    Search {
        /// Its name.
        by: String,
    },
}

/// Bounds on the fewest pushes of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PushBounds {
    /// No solution has fewer; proved.
    pub at_least: u64,
    /// A solution has so many.
    pub at_most: Option<u64>,
}

impl PushBounds {
    /// Returns whether the best solution known is proved to be best.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        self.at_most.is_some_and(|at_most| at_most <= self.at_least)
    }
}

/// The use of one box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxUse {
    /// Where the box starts.
    pub from: Square,
    /// Where the best solution known leaves it.
    pub to: Square,
    /// How often that solution pushes it.
    pub pushes: u64,
    /// Whether some best solution never pushes it; `None` if that is not known.
    pub can_stay: Option<bool>,
    /// The fewest pushes of the level without this box and without the goal that it ends on. `None` if that is not
    /// known, or if there is no other box.
    pub others_need: Option<u64>,
}

impl BoxUse {
    /// Returns how many pushes the box costs the others: how many fewer they need without it. `total` is the number of
    /// pushes of the best solution.
    #[must_use]
    pub fn hindrance(&self, total: u64) -> Option<u64> {
        self.others_need.map(|need| (total - self.pushes.min(total)).saturating_sub(need))
    }
}

/// The use of the floor squares that are empty at the start, without goals.
#[derive(Clone, Debug)]
pub struct SquareUse {
    /// Squares that neither a box nor the player enters in the best solution known. All of them together could be wall,
    /// and it would still be a solution.
    pub unentered: SquareSet,
    /// Squares each of which could be wall by itself without a push more.
    pub spare: SquareSet,
    /// Squares that every best solution needs.
    pub needed: SquareSet,
    /// Squares for which that is not known.
    pub undecided: SquareSet,
}

/// All positions of a level that can be reached without losing a box for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// Box sets with regions of the player.
    pub positions: u64,
    /// Positions without a solution.
    pub lost: u64,
}

/// Analyzes a level within a budget. `known` are solutions of it; `stage` is called at the start of each stage.
///
/// The memory that grows is charged to the account of the budget.
///
/// ```
/// use sokocore::Level;
/// use sokosearch::{Budget, Cancel, MemoryAccount};
/// use sokosolver::{AnalysisKnobs, Solvability, analyze};
///
/// let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######")?;
/// let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
/// let analysis = analyze(&level, &[], &AnalysisKnobs::default(), &budget, &|stage| println!("{stage:?}"));
/// assert_eq!((analysis.answer, analysis.bounds.at_least), (Solvability::Solvable, 3));
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
pub fn analyze(
    level: &Level,
    known: &[Solution],
    knobs: &AnalysisKnobs,
    budget: &Budget,
    stage: &dyn Fn(AnalysisStage),
) -> Analysis {
    stages::run(level, known, knobs, budget, stage)
}

#[cfg(test)]
pub(crate) mod tests;
