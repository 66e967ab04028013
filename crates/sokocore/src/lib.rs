//! Sokoban rules as values: levels, moves, replay, metrics. No files, clock, threads, randomness or logging.
//!
//! ```text
//!   XSB text            squares of the board         bits of a box set
//!   #####                #  #  #  #  #
//!   #@$.#   ──Level──▶   #  0  1  2  #   ──boxes──▶   0 1 0 . . .   (square 1)
//!   #   #                #  3  4  5  #   ──goals──▶   0 0 1 . . .   (square 2)
//!   #####                #  #  #  #  #
//! ```
//!
//! # Contents, in reading order
//! * [`Level`]: a level that can be played. Start here.
//! * [`Board`], [`Square`], [`SquareSet`], [`Direction`]: what its squares are called and how they touch.
//! * [`Position`], [`Push`], [`Reach`]: what can be done in a position, forward and backward.
//! * [`Lurd`], [`replay`]: texts of moves, and the one checker that everything passes through.
//! * [`Metrics`], [`Objective`], [`Score`]: what makes one solution better than another.
//! * [`pushes_of`], [`moves_of`], [`Walker`]: solutions as pushes, and the best walks between them.
//! * [`Blocks`], [`Symmetry`]: the shape of a board.
//! * [`FloorGraph`], [`Flood`]: squares numbered for searches, live ones first, and the player's region on them.
//! * [`FreezeCheck`], [`DiagonalCheck`], [`GoalMatching`], [`CorralCheck`], [`PatternSearch`]: positions that are lost.
//! * [`PushDistances`], [`PushLowerBound`]: how many pushes are needed at least.
//! * [`BipartiteMatching`], [`mix64`]: tools that the crates above share.
//! * Feature `strategies`: planted levels and brute force, for tests.
//!
//! # Example
//! ```
//! use sokocore::{Level, replay};
//! let level = Level::parse("######\n#@$ .#\n######")?;
//! let solution = replay(&level, &"RR".parse()?)?;
//! assert_eq!(solution.metrics().to_string(), "2/2/1/1/1/1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod bipartite_matching;
mod blocks;
mod board;
#[cfg(feature = "strategies")]
mod brute_force;
mod counted;
mod deadlock;
mod direction;
mod flood;
mod floor_graph;
mod grid;
mod level;
mod live;
mod lower_bound;
mod lurd;
mod metrics;
mod mix;
mod objective;
mod path;
#[cfg(feature = "strategies")]
mod plant;
mod position;
mod push_distances;
mod reach;
mod replay;
mod square;
mod square_set;
#[cfg(feature = "strategies")]
mod strategies;
mod symmetry;
mod walk;

pub use bipartite_matching::{BipartiteMatching, HallViolator};
pub use blocks::Blocks;
pub use board::Board;
#[cfg(feature = "strategies")]
pub use brute_force::optimum;
pub use deadlock::bipartite::GoalMatching;
pub use deadlock::corral::{CorralCheck, Verdict};
pub use deadlock::diagonal::DiagonalCheck;
pub use deadlock::freeze::FreezeCheck;
pub use deadlock::patterns::{PatternGame, PatternSearch};
pub use direction::Direction;
pub use flood::Flood;
pub use floor_graph::FloorGraph;
pub use grid::{Cell, Grid, ParseGridError};
pub use level::{Level, ParseLevelError};
pub use lower_bound::PushLowerBound;
pub use lurd::{Lurd, ParseLurdError, Step};
pub use metrics::{BoxLineRule, Metrics, MetricsCounter};
pub use mix::{WEYL_STEP, mix64};
pub use objective::{Metric, Objective, ParseObjectiveError, Score, Walks};
pub use path::{moves_of, pushes_of};
#[cfg(feature = "strategies")]
pub use plant::{Carving, PlantSpec, plant};
pub use position::{Position, Push};
pub use push_distances::PushDistances;
pub use reach::Reach;
pub use replay::{Remarks, ReplayError, Snapshot, Solution, replay, replay_snapshot};
pub use square::Square;
pub use square_set::SquareSet;
#[cfg(feature = "strategies")]
pub use strategies::planted;
pub use symmetry::Symmetry;
pub use walk::Walker;
