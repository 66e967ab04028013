//! The walks that the displacement of the boxes asks for.
//!
//! ```text
//!   #########     Three boxes are pushed five columns to the right each, and each push takes the player one column to
//!   #$    . #     the right: fifteen in all. The player ends at most five columns to the right of where it starts, so
//!   #$@   . #     walks take it ten steps to the left at least, however the pushes are ordered.
//!   #$    . #
//!   #########
//! ```
//!
//! A push moves the box and the player by one square in the same direction. So over all pushes the player's coordinate
//! changes as much as the coordinates of all boxes together, and walks make up the difference to where the player ends.
//! That holds for rows and for columns at once, and does not depend on the number of pushes.

use sokocore::{Level, Square};

use crate::board::SearchBoard;

/// The signs of a row and a column in a sum of both.
pub(super) const DIAGONALS: [[i32; 2]; 4] = [[1, 1], [1, -1], [-1, 1], [-1, -1]];

/// Returns the least steps of all walks together; 0 if it is open which goals are filled.
pub(super) fn least_walks(level: &Level, board: &SearchBoard) -> u64 {
    if level.board().goals().len() != level.n_boxes() {
        return 0;
    }
    DIAGONALS.iter().map(|&signs| along(level, board, signs)).max().unwrap_or(0)
}

/// The place of a square along a diagonal. Neighbors differ by one.
pub(super) fn place_along(level: &Level, sq: Square, [down, right]: [i32; 2]) -> i32 {
    let (row, column) = level.board().place(sq);
    let as_i32 = |n: usize| i32::try_from(n).expect("invariant: a grid has at most 2^22 cells");
    down * as_i32(row) + right * as_i32(column)
}

/// The least steps of walks by the places along a diagonal.
fn along(level: &Level, board: &SearchBoard, signs: [i32; 2]) -> u64 {
    let place = |sq| i64::from(place_along(level, sq, signs));
    let goals: i64 = level.board().goals().iter().map(place).sum();
    let starts: i64 = level.start().boxes.iter().map(place).sum();
    let Some(end) = ends(board).map(|sq| place(board.square(sq))).min() else { return 0 };
    u64::try_from(starts - goals + end - place(level.start().player)).unwrap_or(0)
}

/// Visits the squares where the player may stand after the last push: beside a goal.
pub(super) fn ends(board: &SearchBoard) -> impl Iterator<Item = sokocore::FloorSquare> {
    board.goals().iter().flat_map(|&goal| board.steps(goal)).filter(|&sq| sq != board.wall())
}
