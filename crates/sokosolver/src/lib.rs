//! Finds solutions of Sokoban levels.
//!
//! # Contents, in reading order
//! * [`Search`], [`Verdict`]: what every way of solving has in common. Start here.
//! * [`Effort`]: what a search may use, in slices.
//! * [`solve`], [`solve_first`], [`SolveKnobs`]: the portfolio; [`Leftovers`], [`Outcome`], [`Answer`], [`Attempt`], [`AttemptEnd`], [`SearchStats`]: its result.
//! * [`SolveProgress`], [`SolveEvent`]: the events of a run, for its observers.
//! * [`Supply`], [`Supplied`]: one solution after the other, for an optimizer.
//! * [`Strategy`], [`STRATEGIES`]: everything that can be asked for by name.
//! * [`analyze`], [`Analysis`], [`AnalysisKnobs`]: what a level is like: why it has no solution, what is spare, how hard it is.
//! * [`systematic`], [`Settings`], [`Advisors`]: breadth first to greedy, by pushes and by pulls, with proofs if wanted.
#![forbid(unsafe_code)]

mod analysis;
mod bits;
mod effort;
mod exchange;
mod fess;
mod freeze;
mod ground;
mod matching;
mod open_list;
mod packing;
mod patterns;
mod pi_corral;
mod portfolio;
mod position_level;
mod search;
mod settings;
mod stats;
mod strategy;
mod systematic;
mod table;
mod techniques;
mod zeros;

pub use analysis::choices::Choices;
pub use analysis::inspection::{Fault, is_unsolvable, places_of};
pub use analysis::shortest::Alternatives;
pub use analysis::survey::{LeastPushes, Parity, Survey};
pub use analysis::{
    Analysis, AnalysisKnobs, BoxUse, PushBounds, Reason, Solvability, Space, SquareUse, Stage, analyze,
};
pub use effort::Effort;
pub use portfolio::leftovers::Leftovers;
pub use portfolio::outcome::{Answer, Attempt, AttemptEnd, Outcome};
pub use portfolio::progress::{SolveEvent, SolveProgress};
pub use portfolio::supply::{Supplied, Supply};
pub use portfolio::{Polish, SolveKnobs, solve, solve_first};
pub use search::{Search, Verdict};
pub use settings::{Advisors, Algorithm, Heading, Optimal, Settings};
pub use stats::SearchStats;
pub use strategy::{STRATEGIES, Strategy};
pub use systematic::systematic;
