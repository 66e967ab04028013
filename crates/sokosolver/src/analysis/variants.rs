//! A level with one change.

use sokocore::{Cell, Level, ParseLevelError, Square};

use super::BoxUse;

/// The level with a wall in place of a square; `None` if it is no valid level.
pub(super) fn with_wall(level: &Level, square: Square) -> Option<Level> {
    changed(level, &[(square, |_| Cell::Wall)]).ok()
}

/// The level without a box and without the goal that it ends on; `None` if it is the only box.
pub(super) fn without(level: &Level, one: &BoxUse) -> Option<Level> {
    let no_box = |cell: Cell| if cell == Cell::BoxOnGoal { Cell::Goal } else { Cell::Floor };
    let no_goal = |cell: Cell| match cell {
        Cell::BoxOnGoal => Cell::Box,
        Cell::PlayerOnGoal => Cell::Player,
        Cell::Goal => Cell::Floor,
        other => other,
    };
    changed(level, &[(one.from, no_box), (one.to, no_goal)]).ok()
}

/// A square, and the change of its cell.
type CellChange = (Square, fn(Cell) -> Cell);

/// Changes cells one after the other.
fn changed(level: &Level, changes: &[CellChange]) -> Result<Level, ParseLevelError> {
    let mut grid = level.play_grid().clone();
    for (sq, change) in changes {
        let (row, column) = level.board().place(*sq);
        let cell = grid.cells()[row * grid.width() + column];
        grid.set(row, column, change(cell));
    }
    Level::from_grid(grid)
}
