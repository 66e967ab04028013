//! Walking distances on the empty board: an admissible heuristic for walks.
//!
//! Invariant: the distances of two neighbors to one square differ by exactly one, as on every grid.

use sokocore::{Board, Reach, Square};

/// Boards with more squares have no table (8 MiB at this size), and use rows and columns instead.
const MAX_TABLE: usize = 2_048;

/// Lower bounds on walks on one board.
pub(crate) enum WallDistances {
    /// Steps from square to square around the walls, row by row.
    Table { n_squares: usize, steps: Vec<u16> },
    /// Rows and columns of the squares.
    Coordinates(Vec<(u32, u32)>),
}

impl WallDistances {
    pub(crate) fn new(board: &Board) -> Self {
        let n_squares = board.n_squares();
        if n_squares > MAX_TABLE {
            let narrow = |n: usize| u32::try_from(n).expect("invariant: a board is small");
            let place = |sq| {
                let (row, column) = board.place(sq);
                (narrow(row), narrow(column))
            };
            return Self::Coordinates(board.squares().map(place).collect());
        }
        let (mut reach, no_boxes) = (Reach::new(board), board.no_squares());
        let mut steps = Vec::with_capacity(n_squares * n_squares);
        for from in board.squares() {
            let region = reach.flood(board, &no_boxes, from);
            let to = |sq| region.distance(sq).and_then(|distance| u16::try_from(distance).ok());
            steps.extend(board.squares().map(|sq| to(sq).unwrap_or(u16::MAX)));
        }
        Self::Table { n_squares, steps }
    }

    /// Returns the lower bounds to one square, by the numbers of the others; `None` if there is no table.
    pub(crate) fn row(&self, to: Square) -> Option<&[u16]> {
        match self {
            Self::Table { n_squares, steps } => Some(&steps[to.idx() * n_squares..][..*n_squares]),
            Self::Coordinates(_) => None,
        }
    }

    /// Returns a lower bound on the steps of a walk.
    #[inline]
    pub(crate) fn distance(&self, from: Square, to: Square) -> u32 {
        self.distance_of(from.idx(), to)
    }

    /// As [`WallDistances::distance`], from the square of this number.
    #[inline]
    pub(crate) fn distance_of(&self, from: usize, to: Square) -> u32 {
        match self {
            Self::Table { n_squares, steps } => u32::from(steps[to.idx() * n_squares + from]),
            Self::Coordinates(places) => {
                let ((row, column), (to_row, to_column)) = (places[from], places[to.idx()]);
                row.abs_diff(to_row) + column.abs_diff(to_column)
            }
        }
    }
}
