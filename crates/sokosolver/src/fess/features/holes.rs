//! Goals in a dead end of one square: a box in one stays there until the end, and blocks nothing.

use sokocore::FloorSquare;

use crate::fess::tables::FessTables;

/// Returns whether the square is a goal with three walls.
pub(crate) fn is_hole<const W: usize>(tables: &FessTables<W>, sq: FloorSquare) -> bool {
    let wall = tables.board().wall();
    tables.goals.has(sq) && tables.board().steps(sq).into_iter().filter(|&next| next == wall).count() == 3
}
