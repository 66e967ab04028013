//! The static part of a level: which floor squares there are, how they touch, and which are goals.
//!
//! Invariant: the squares that the player could reach if no box stood in the way are numbered, row by row; everything
//! else is wall to the searches. So a sealed room costs nothing, and no square touches the border of the grid.

use crate::{Direction, Square, SquareSet};

/// The walls, floor squares and goals of a level.
///
/// It is written as its walls and goals, without boxes and player.
///
/// ```
/// use sokocore::{Direction, Level};
///
/// let level = Level::parse("######\n#@$ .#\n######")?;
/// let board = level.board();
/// assert_eq!(board.n_squares(), 4);
/// assert_eq!(board.to_string(), "######\n#   .#\n######\n");
///
/// let goal = board.goals().iter().next().expect("the level has a goal");
/// assert_eq!(board.place(goal), (1, 4));
/// assert_eq!(board.step(goal, Direction::Left), board.square_at(1, 3));
/// assert_eq!(board.step(goal, Direction::Right), None);
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    width: usize,
    /// Cell number (row * width + column) of every square, ascending.
    cells: Vec<u32>,
    /// Neighbor of every square in every direction.
    steps: Vec<[Option<Square>; 4]>,
    goals: SquareSet,
}

impl Board {
    /// Numbers the cells that `is_floor` names, row by row.
    ///
    /// The caller has checked that there are at most [`Square::MAX_COUNT`] of them and that none lies on the
    /// border of the grid.
    pub(crate) fn new(width: usize, is_floor: &[bool], is_goal: impl Fn(usize) -> bool) -> Self {
        let mut cells = Vec::new();
        let mut number = vec![None; is_floor.len()];
        for (cell, _) in is_floor.iter().enumerate().filter(|(_, floor)| **floor) {
            number[cell] = Square::new(cells.len());
            cells.push(u32::try_from(cell).expect("invariant: a grid has at most 2^22 cells"));
        }
        let mut goals = SquareSet::empty(cells.len());
        goals.extend((0..is_floor.len()).filter(|&cell| is_goal(cell)).filter_map(|cell| number[cell]));
        let stride = isize::try_from(width).expect("invariant: a grid has at most 2^22 cells");
        let neighbors = |&cell: &u32| {
            let at = |dir: Direction| {
                let (row, column) = dir.offset();
                let next = (cell as usize).checked_add_signed(row * stride + column);
                number[next.expect("invariant: floor does not touch the border of the grid")]
            };
            Direction::ALL.map(at)
        };
        let steps = cells.iter().map(neighbors).collect();
        Self { width, cells, steps, goals }
    }

    /// Returns the same floor with other goals.
    pub(crate) fn with_goals(&self, goals: SquareSet) -> Self {
        Self { goals, ..self.clone() }
    }

    /// Returns the number of floor squares.
    #[must_use]
    pub const fn n_squares(&self) -> usize {
        self.cells.len()
    }

    /// Returns the number of columns of the level's grid.
    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// Visits all floor squares in ascending order.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        (0..self.cells.len()).filter_map(Square::new)
    }

    /// Returns the neighbor of `sq` in this direction, or `None` if a wall is there.
    ///
    /// # Panics
    /// When the number of `sq` is beyond this board: the square is of another one.
    #[must_use]
    pub fn step(&self, sq: Square, dir: Direction) -> Option<Square> {
        self.steps[sq.idx()][dir.idx()]
    }

    /// Returns the (row, column) of a square in the level's picture, both from zero.
    ///
    /// # Panics
    /// As [`Board::step`].
    #[must_use]
    pub fn place(&self, sq: Square) -> (usize, usize) {
        let cell = self.cells[sq.idx()] as usize;
        (cell / self.width, cell % self.width)
    }

    /// Returns the square at this row and column, or `None` if it is wall, sealed off or outside.
    #[must_use]
    pub fn square_at(&self, row: usize, column: usize) -> Option<Square> {
        if column >= self.width {
            return None;
        }
        let cell = u32::try_from(row.checked_mul(self.width)?.checked_add(column)?).ok()?;
        self.cells.binary_search(&cell).ok().and_then(Square::new)
    }

    /// Returns the goal squares.
    #[must_use]
    pub const fn goals(&self) -> &SquareSet {
        &self.goals
    }

    /// Returns the empty set of this board's squares.
    #[must_use]
    pub fn no_squares(&self) -> SquareSet {
        SquareSet::empty(self.cells.len())
    }

    /// Returns the set of these squares of the board.
    ///
    /// # Panics
    /// As [`SquareSet::insert`].
    #[must_use]
    pub fn set_of(&self, squares: impl IntoIterator<Item = Square>) -> SquareSet {
        let mut set = self.no_squares();
        set.extend(squares);
        set
    }
}
