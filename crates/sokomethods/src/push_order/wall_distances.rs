//! How far it is from square to square if no box stands in the way: never more than any real walk.
//!
//! Invariant: the distance between neighbors' distances to one square is exactly one, as on every grid.

use sokocore::{Board, Reach, Square};

/// Larger boards are measured in rows and columns instead of with a table (8 MiB at this size).
const MAX_TABLE: usize = 2_048;

/// Lower bounds for walks on one board.
pub(crate) enum WallDistances {
    /// Steps from square to square around the walls, row by row.
    Steps { n_squares: usize, steps: Vec<u16> },
    /// Rows and columns of the squares.
    Places(Vec<(u32, u32)>),
}

impl WallDistances {
    pub(crate) fn new(board: &Board) -> Self {
        let n_squares = board.n_squares();
        if n_squares > MAX_TABLE {
            let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            let place = |sq| {
                let (row, column) = board.place(sq);
                (narrow(row), narrow(column))
            };
            return Self::Places(board.squares().map(place).collect());
        }
        let mut reach = Reach::new(board);
        let mut steps = Vec::with_capacity(n_squares * n_squares);
        for from in board.squares() {
            reach.flood(board, &board.no_squares(), from);
            let to = |sq| reach.distance(sq).and_then(|distance| u16::try_from(distance).ok());
            steps.extend(board.squares().map(|sq| to(sq).unwrap_or(u16::MAX)));
        }
        Self::Steps { n_squares, steps }
    }

    /// Steps that a walk takes at least.
    #[inline]
    pub(crate) fn distance(&self, from: Square, to: Square) -> u32 {
        match self {
            Self::Steps { n_squares, steps } => u32::from(steps[to.idx() * n_squares + from.idx()]),
            Self::Places(places) => {
                let ((row, column), (to_row, to_column)) = (places[from.idx()], places[to.idx()]);
                row.abs_diff(to_row) + column.abs_diff(to_column)
            }
        }
    }
}
