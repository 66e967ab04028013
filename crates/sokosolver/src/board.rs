//! The board that searches run on, and tables that depend on it alone.
//!
//! ```text
//!  Level ─▶ FloorGraph ─▶ SideGraph ─▶ Distances (pushes of a lone box) ─▶ SearchBoard ─▶ LevelTables (nearest goals,
//!               │             └──▶ SideRows (told apart by the player's side)                hash keys)
//!               ├── BitSet, BoardState   boxes, as a set and as numbered pieces
//!               └── Flood, Lifted        the player's region
//! ```
//!
//! # Contents, in reading order
//! * [`side_graph`]: the level's [`FloorGraph`](sokocore::FloorGraph), with the sides of a box. [`bit_set`]: sets of live
//!   squares.
//! * [`sokocore::Flood`]: the player's region. [`lifted`]: the regions for every square that one box may be put on.
//! * [`distances`], [`side_rows`]: pushes of a lone box, and what tells its rows from squares.
//! * [`search_board`]: the floor with goals, start squares, and the distances to both. [`goal_index`], [`side_distances`]:
//!   goals by number, and distances by side.
//! * [`tunnels`]: pushes that can only be continued.
//! * [`floor_push`]: pushes on its squares.
//! * [`level_tables`], [`board_state`]: tables and the mutable board of searches that move single boxes.

pub(crate) mod bit_set;
pub(crate) mod board_state;
mod distances;
mod floor_push;
mod goal_index;
pub(crate) mod level_tables;
pub(crate) mod lifted;
mod search_board;
pub(crate) mod side_distances;
mod side_graph;
mod side_rows;
pub(crate) mod tunnels;

pub(crate) use distances::Distances;
pub(crate) use floor_push::{BoxShift, FloorPush};
pub(crate) use goal_index::GoalIndex;
pub(crate) use search_board::SearchBoard;
pub(crate) use side_graph::SideGraph;
pub(crate) use side_rows::{DistanceRow, SideRows};
pub(crate) use sokocore::Flood;
pub(crate) use sokocore::SearchDirection;

#[cfg(test)]
pub(crate) mod tests;
