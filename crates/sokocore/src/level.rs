//! A level that can be played: a closed board, one player, and boxes that could all reach goals.
//!
//! Invariant: everything that the player could reach without boxes is floor of the board, everything else is wall to
//! the searches. What is supported and what is refused is in the table of [`Level`].

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::counted::Counted;
use crate::live::live_squares;
use crate::{Board, Cell, Direction, Grid, ParseGridError, Position, Square, SquareSet};

/// A level: its picture, the board that the searches see, and the start position.
///
/// It is written as its picture in standard letters and read from any picture with the usual aliases. Two levels are
/// equal if their pictures are.
///
/// | level | here |
/// |---|---|
/// | fewer boxes than goals | supported: solved when every box is on a goal |
/// | more boxes than goals | refused: no position could be solved |
/// | no boxes | refused: there is nothing to push |
/// | start already solved | supported: a solution needs at least one push |
/// | sealed rooms | walls in the search, unchanged in every output |
/// | a box off goal in a sealed room | refused: unsolvable |
/// | player outside the walls, open border | refused |
/// | more than 65,534 floor squares | refused |
///
/// Each refusal is a [`ParseLevelError`] of its own.
///
/// ```
/// use sokocore::Level;
///
/// let level: Level = "#######\n#p b-o#\n#######".parse()?;
/// assert_eq!(level.to_string(), "#######\n#@ $ .#\n#######\n");
/// assert_eq!((level.n_boxes(), level.board().n_squares(), level.live().len()), (1, 5, 4));
/// assert!(!level.is_solved(&level.start().boxes));
///
/// let error = "######\n#@$$.#\n######".parse::<Level>().unwrap_err();
/// assert_eq!(error.to_string(), "the player can reach 2 boxes but only 1 goal; such a level has no solution");
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Level {
    grid: Grid,
    play_grid: Grid,
    board: Board,
    start: Position,
    live: SquareSet,
}

/// Why a picture is not a level that can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseLevelError {
    /// The text is not a picture at all.
    #[error("the board cannot be read")]
    Grid(#[from] ParseGridError),
    /// No `@` or `+`.
    #[error("the level has no player; mark one with @, or with + on a goal")]
    NoPlayer,
    /// Two or more players.
    #[error("the level has {count} players, the second at row {row}, column {column}; keep one")]
    SeveralPlayers {
        /// Number of players.
        count: usize,
        /// Row of the second player, from 1.
        row: usize,
        /// Column of the second player, from 1.
        column: usize,
    },
    /// The player's room has a hole in its wall.
    #[error("the border is open at row {row}, column {column}; close it with #")]
    OpenBorder {
        /// Row of the hole, from 1.
        row: usize,
        /// Column of the hole, from 1.
        column: usize,
    },
    /// The player stands outside the walls, with no box in reach.
    #[error("the player stands outside the walls at row {row}, column {column}; put it inside")]
    PlayerOutside {
        /// Row of the player, from 1.
        row: usize,
        /// Column of the player, from 1.
        column: usize,
    },
    /// No box in the part of the board that the player can reach.
    #[error("the level has no box that the player could reach; there is nothing to push")]
    NoBoxes,
    /// No position could be solved.
    #[error("the player can reach {boxes} boxes but only {}; such a level has no solution", Counted(*goals, "goal", "goals"))]
    MoreBoxesThanGoals {
        /// Boxes in reach.
        boxes: usize,
        /// Goals in reach.
        goals: usize,
    },
    /// A box off goal in a room that the player can never enter.
    #[error("the box at row {row}, column {column} is off goal in a sealed room; the level has no solution")]
    SealedBox {
        /// Row of the box, from 1.
        row: usize,
        /// Column of the box, from 1.
        column: usize,
    },
    /// More floor squares than a square number can name.
    #[error("the level has {count} floor squares, more than {max}", max = Square::MAX_COUNT)]
    TooManySquares {
        /// Number of floor squares.
        count: usize,
    },
}

impl Level {
    /// Reads a level from XSB rows separated by line breaks.
    ///
    /// # Errors
    /// The text is not a picture, or the level is refused; see the table of [`Level`].
    pub fn parse(text: &str) -> Result<Self, ParseLevelError> {
        Self::from_grid(Grid::parse(text)?)
    }

    /// Makes a level of a picture.
    ///
    /// # Errors
    /// As [`Level::parse`].
    pub fn from_grid(grid: Grid) -> Result<Self, ParseLevelError> {
        let player_cell = find_player(&grid)?;
        let is_floor = reachable_cells(&grid, player_cell)?;
        let place = |cell: usize| (cell / grid.width() + 1, cell % grid.width() + 1);
        let mut play_grid = grid.clone();
        for (cell, _) in is_floor.iter().enumerate().filter(|(_, floor)| !**floor) {
            let (row, column) = place(cell);
            if grid.cells()[cell] == Cell::Box {
                return Err(ParseLevelError::SealedBox { row, column });
            }
            play_grid.set(row - 1, column - 1, Cell::Wall);
        }
        let count = is_floor.iter().filter(|floor| **floor).count();
        if count > Square::MAX_COUNT {
            return Err(ParseLevelError::TooManySquares { count });
        }
        let board = Board::new(grid.width(), &is_floor, |cell| grid.cells()[cell].is_goal());
        let square_of = |cell: usize| board.square_at(cell / grid.width(), cell % grid.width());
        let has_box = |&cell: &usize| play_grid.cells()[cell].is_box();
        let box_square = |cell: usize| square_of(cell).expect("invariant: play grid boxes stand on floor");
        let boxes = board.set_of((0..play_grid.cells().len()).filter(has_box).map(box_square));
        let goals = board.goals().len();
        match boxes.len() {
            0 => return Err(ParseLevelError::NoBoxes),
            boxes if boxes > goals => return Err(ParseLevelError::MoreBoxesThanGoals { boxes, goals }),
            _ => {}
        }
        let player = square_of(player_cell).expect("invariant: the player stands on floor");
        let start = Position { boxes, player };
        let live = live_squares(&board, &start.boxes);
        Ok(Self { grid, play_grid, board, start, live })
    }

    /// Returns the subproblem that leads from one position to another box set, which are its goals, on the same floor:
    /// squares have the same numbers, so pushes, positions and sets of squares are valid in both levels. `None` if the
    /// position has no boxes, more boxes than there are goals, or a box on the player's square.
    ///
    /// ```
    /// use sokocore::{Level, Push, Direction};
    ///
    /// let level = Level::parse("########\n#@$   .#\n########")?;
    /// let board = level.board();
    /// let mut after = level.start().clone();
    /// after.push(board, Push { from: board.square_at(1, 2).expect("floor"), dir: Direction::Right });
    /// let goals = board.set_of(board.square_at(1, 5));
    /// let window = level.subproblem(&after, &goals).expect("one box, one goal");
    /// assert_eq!(window.to_string(), "########\n# @$ . #\n########\n");
    /// # Ok::<(), sokocore::ParseLevelError>(())
    /// ```
    ///
    /// # Panics
    /// When the position or the goals are those of a board of another size.
    #[must_use]
    pub fn subproblem(&self, from: &Position, goals: &SquareSet) -> Option<Self> {
        let Position { boxes, player } = from;
        if boxes.is_empty() || boxes.len() > goals.len() || boxes.contains(*player) {
            return None;
        }
        let board = self.board.with_goals(goals.clone());
        let picture = from.display(&board);
        let mut grid = self.play_grid.clone();
        for sq in board.squares() {
            let (row, column) = board.place(sq);
            grid.set(row, column, picture.cell(sq));
        }
        let live = live_squares(&board, boxes);
        Some(Self { play_grid: grid.clone(), grid, start: from.clone(), live, board })
    }

    /// Returns the picture that the level was made of, unchanged.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the picture with everything that the player can never reach turned into wall.
    #[must_use]
    pub const fn play_grid(&self) -> &Grid {
        &self.play_grid
    }

    /// Returns the floor squares, how they touch, and which are goals.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the position before the first move.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the number of boxes that the player could reach. Boxes in sealed rooms do not count.
    #[must_use]
    pub fn n_boxes(&self) -> usize {
        self.start.boxes.len()
    }

    /// Returns the live squares: those that some box can be pushed to, and from which it can still reach
    /// a goal. All other floor squares are *dead*.
    ///
    /// The set is exact for a box alone on the board, with the player's side of the box taken into account.
    #[must_use]
    pub const fn live(&self) -> &SquareSet {
        &self.live
    }

    /// Returns whether every box stands on a goal.
    ///
    /// # Panics
    /// When the boxes are those of a board of another size.
    #[must_use]
    pub fn is_solved(&self, boxes: &SquareSet) -> bool {
        boxes.is_subset(self.board.goals())
    }
}

impl FromStr for Level {
    type Err = ParseLevelError;

    /// As [`Level::parse`].
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl TryFrom<&str> for Level {
    type Error = ParseLevelError;

    /// As [`Level::parse`].
    fn try_from(text: &str) -> Result<Self, Self::Error> {
        Self::parse(text)
    }
}

impl TryFrom<Grid> for Level {
    type Error = ParseLevelError;

    /// As [`Level::from_grid`].
    fn try_from(grid: Grid) -> Result<Self, Self::Error> {
        Self::from_grid(grid)
    }
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Level {:?}", self.grid)
    }
}

fn find_player(grid: &Grid) -> Result<usize, ParseLevelError> {
    let mut players = (0..grid.cells().len()).filter(|&cell| grid.cells()[cell].is_player());
    let first = players.next().ok_or(ParseLevelError::NoPlayer)?;
    match players.next() {
        None => Ok(first),
        Some(second) => Err(ParseLevelError::SeveralPlayers {
            count: 2 + players.count(),
            row: second / grid.width() + 1,
            column: second % grid.width() + 1,
        }),
    }
}

/// Floods from the player, ignoring boxes; an open border is an error.
fn reachable_cells(grid: &Grid, player: usize) -> Result<Vec<bool>, ParseLevelError> {
    let (width, height) = (grid.width(), grid.height());
    let mut reached = vec![false; width * height];
    let mut todo = vec![player];
    let mut hole = None;
    reached[player] = true;
    while let Some(cell) = todo.pop() {
        let (row, column) = (cell / width, cell % width);
        if row == 0 || column == 0 || row + 1 == height || column + 1 == width {
            hole = Some(hole.map_or(cell, |other: usize| other.min(cell)));
            continue;
        }
        for dir in Direction::ALL {
            let (down, right) = dir.offset();
            let next = (row.wrapping_add_signed(down)) * width + column.wrapping_add_signed(right);
            if !reached[next] && grid.cells()[next] != Cell::Wall {
                reached[next] = true;
                todo.push(next);
            }
        }
    }
    let Some(hole) = hole else { return Ok(reached) };
    let boxes_in_reach = (0..reached.len()).any(|cell| reached[cell] && grid.cells()[cell].is_box());
    let (row, column) = (hole / width + 1, hole % width + 1);
    Err(if boxes_in_reach || !grid.cells().iter().any(|cell| cell.is_box()) {
        ParseLevelError::OpenBorder { row, column }
    } else {
        ParseLevelError::PlayerOutside { row: player / width + 1, column: player % width + 1 }
    })
}

#[cfg(test)]
mod tests;
