//! A position as a level of its own.
//!
//! Invariant: its squares have the same numbers, so pushes, positions and sets of squares are valid in both.

use sokocore::{Direction, Level, Position, Square};

/// Returns the level with the boxes and the player of a position. `None` if its squares get other numbers, or if it is
/// no level.
pub(crate) fn level_at(level: &Level, position: &Position) -> Option<Level> {
    let board = level.board();
    let picture = position.display(board);
    let mut grid = level.play_grid().clone();
    for sq in board.squares() {
        let (row, column) = board.place(sq);
        grid.set(row, column, picture.cell(sq));
    }
    let made = Level::from_grid(grid).ok()?;
    let same = |sq: Square| Direction::ALL.iter().all(|&dir| made.board().step(sq, dir) == board.step(sq, dir));
    (made.board().n_squares() == board.n_squares() && board.squares().all(same)).then_some(made)
}
