//! The board that searches run on, and tables that depend on it alone.
//!
//! ```text
//!  Level ─▶ SearchBoard ── Distances (pushes of a lone box) ── SideRows (told apart by the player's side)
//!               │              └── LevelTables (nearest goals, hash keys)
//!               ├── BitSet, BoardState   boxes, as a set and as numbered pieces
//!               └── Flood, Lifted        the player's region
//! ```
//!
//! # Contents, in reading order
//! * [`search_board`]: the level's [`FloorGraph`](sokocore::FloorGraph) with goals, start squares and sides of boxes.
//!   [`bit_set`]: sets of live squares.
//! * [`sokocore::Flood`]: the player's region. [`lifted`]: the regions for every square that one box may be put on.
//! * [`distances`], [`side_rows`], [`side_distances`], [`goal_index`]: pushes of a lone box, and what tells rows and goals
//!   from squares.
//! * [`tunnels`]: pushes that can only be continued.
//! * [`floor_push`]: pushes on its squares.
//! * [`level_tables`], [`board_state`]: tables and the mutable board of searches that move single boxes.
//! * [`position_level`]: a position as a level of its own.

pub(crate) mod bit_set;
pub(crate) mod board_state;
mod distances;
mod floor_push;
mod goal_index;
pub(crate) mod level_tables;
pub(crate) mod lifted;
pub(crate) mod position_level;
mod search_board;
pub(crate) mod side_distances;
mod side_rows;
pub(crate) mod tunnels;

pub(crate) use distances::Distances;
pub(crate) use floor_push::{BoxShift, FloorPush};
pub(crate) use goal_index::GoalIndex;
pub(crate) use search_board::SearchBoard;
pub(crate) use side_rows::{DistanceRow, SideRows};
pub(crate) use sokocore::Flood;
pub(crate) use sokocore::SearchDirection;
