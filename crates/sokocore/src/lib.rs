//! Sokoban rules as values: levels, moves, replay, metrics. No files, clock, threads, randomness or logging.
//!
//! ```text
//!   XSB text            squares of the board         bits of a box set
//!   #####                #  #  #  #  #
//!   #@$.#   ──Level──▶   #  0  1  2  #   ──boxes──▶   0 1 0 . . .   (square 1)
//!   #   #                #  3  4  5  #   ──goals──▶   0 0 1 . . .   (square 2)
//!   #####                #  #  #  #  #
//!
//!   "RR" ──Lurd──▶ moves ──replay on the level──▶ Solution ──▶ Metrics 2/2/1/1/1/1 ──Objective──▶ Score
//! ```
//!
//! # Quick start
//! Read a level, check a solution, count its metrics:
//! ```
//! use sokocore::{Level, replay};
//!
//! let level: Level = "######\n#@$ .#\n######".parse()?;
//! let solution = replay(&level, &"RR".parse()?)?;
//! assert_eq!(solution.metrics().to_string(), "2/2/1/1/1/1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! Make each push that the player can make, and draw the position after it:
//! ```
//! use sokocore::Level;
//!
//! let level: Level = "######\n#@$ .#\n######".parse()?;
//! let (board, start) = (level.board(), level.start());
//! for push in start.pushes(board) {
//!     let mut next = start.clone();
//!     assert!(next.push(board, push));
//!     assert_eq!(next.display(board).to_string(), "######\n# @$.#\n######\n");
//! }
//! # Ok::<(), sokocore::ParseLevelError>(())
//! ```
//!
//! # Contents, in reading order
//! * [`Level`]: a level that can be played. Start here.
//! * [`Grid`], [`Cell`]: its picture, as read and written.
//! * [`Board`], [`Square`], [`SquareSet`], [`Direction`]: the numbers of its squares, and how they touch.
//! * [`Position`], [`Push`]: the boxes and the player, and moves forward and backward. [`Picture`] draws them.
//! * [`Reach`], [`Region`]: where the player can walk, and the pushes and pulls that it can make from there.
//! * [`Lurd`], [`Step`]: moves and their text.
//! * [`replay`], [`Solution`]: the one checker that every solution passes through.
//! * [`Metrics`], [`Objective`], [`Score`]: what makes one solution better than another.
//! * [`pushes_of`], [`moves_of`], [`Walker`]: solutions as pushes, and the best walks between them.
//! * [`Blocks`], [`Symmetry`]: the shape of a board.
//! * [`FreezeCheck`], [`DiagonalCheck`], [`GoalMatching`], [`PatternSearch`]: positions that can no longer be solved.
//! * [`PushDistances`], [`PushLowerBound`]: how many pushes are needed at least.
//! * [`FloorGraph`], [`FloorSquare`], [`Flood`]: squares numbered for searches, live ones first, and the player's
//!   region on them.
//! * [`BipartiteMatching`], [`MinCostMatching`], [`mix64`]: tools that the crates above share.
//!
//! # What it guarantees
//! * The same input gives the same output, in the same order, on every machine.
//! * No text makes it panic: what cannot be read is an error that says where and what to do. A square of another board
//!   is a bug of the caller, and panics with a message.
//! * A [`Solution`] exists only if [`replay`] made it: its moves are legal and solve the level.
//! * A deadlock check never calls a position dead that lies on a path from the start to a solved position. The converse
//!   is not promised.
//!
//! # Deadlock checks
//! | check | finds | a call costs | needs the player |
//! |---|---|---|---|
//! | [`Level::live`] | a box on a square from which it reaches no goal | nothing | no |
//! | [`FreezeCheck`] | boxes that hold each other in place | boxes that touch each other | no |
//! | [`DiagonalCheck`] | a gap between boxes where every push jams | a few diagonals | yes |
//! | [`GoalMatching`] | boxes that cannot all have different goals | boxes x goals for each box that moved | no |
//! | [`PatternSearch`] | all pairs and triples of boxes that are dead by themselves, once for a level | a search beforehand | yes |
//!
//! # Features
//! * `testing`, off by default: levels with planted solutions, exact answers by brute force, all deadlock checks at once,
//!   and property-test strategies, for tests. It brings in `proptest`.
//!
//! Programs to start from are in `examples/`: `replay`, `one_push_away` and `deadlocks`.
#![forbid(unsafe_code)]

mod bipartite_matching;
mod blocks;
mod board;
#[cfg(feature = "testing")]
mod brute_force;
#[cfg(feature = "testing")]
mod campaign;
mod counted;
mod deadlock;
#[cfg(feature = "testing")]
mod deadlock_checks;
mod direction;
mod flood;
mod floor_graph;
mod floor_square;
mod grid;
mod level;
mod live;
mod lower_bound;
mod lurd;
mod metrics;
mod min_cost_matching;
mod mix;
mod objective;
mod path;
mod picture;
#[cfg(feature = "testing")]
mod plant;
#[cfg(feature = "testing")]
mod planted;
#[cfg(feature = "testing")]
mod planted_levels;
mod position;
mod push_distances;
mod reach;
mod region;
mod replay;
mod search_direction;
mod square;
mod square_set;
mod symmetry;
mod walk;

pub use bipartite_matching::{BipartiteMatching, HallViolator};
pub use blocks::Blocks;
pub use board::Board;
#[cfg(feature = "testing")]
pub use brute_force::optimum;
#[cfg(feature = "testing")]
pub use campaign::n_cases;
pub use deadlock::bipartite::GoalMatching;
pub use deadlock::diagonal::DiagonalCheck;
pub use deadlock::freeze::FreezeCheck;
pub use deadlock::patterns::PatternSearch;
#[cfg(feature = "testing")]
pub use deadlock_checks::DeadlockChecks;
pub use direction::Direction;
pub use flood::Flood;
pub use floor_graph::FloorGraph;
pub use floor_square::FloorSquare;
pub use grid::{Cell, Grid, ParseGridError};
pub use level::{Level, ParseLevelError};
pub use lower_bound::PushLowerBound;
pub use lurd::{Lurd, ParseLurdError, Step};
pub use metrics::{BoxLineRule, Metrics, MetricsCounter};
pub use min_cost_matching::MinCostMatching;
pub use mix::{WEYL_STEP, mix64};
pub use objective::{Metric, Objective, ParseObjectiveError, Score, Walks};
pub use path::{moves_of, pushes_of};
pub use picture::Picture;
#[cfg(feature = "testing")]
pub use plant::{Carving, PlantSpec, plant};
#[cfg(feature = "testing")]
pub use planted::planted;
#[cfg(feature = "testing")]
pub use planted_levels::{hard_level, planted_levels};
pub use position::{Position, Push};
pub use push_distances::PushDistances;
pub use reach::Reach;
pub use region::Region;
pub use replay::{Remarks, ReplayError, Snapshot, Solution, replay, replay_snapshot};
pub use search_direction::SearchDirection;
pub use square::Square;
pub use square_set::{SquareSet, Squares};
pub use symmetry::Symmetry;
pub use walk::Walker;

/// The examples of the README, compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
