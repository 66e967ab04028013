//! The picture of a level: a rectangle of cells, read from XSB text and written back.
//!
//! Reading here is strict about letters and lenient about shape: rows may have any length and are filled with
//! floor. Margins, run lengths and everything else that files do belong to the crate that reads files.

use std::fmt::{self, Write};
use std::str::FromStr;

use thiserror::Error;

/// What stands on one cell of a level's picture, written as its XSB letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    /// `#`.
    Wall,
    /// Space, `-` or `_`.
    Floor,
    /// `.` or `o`.
    Goal,
    /// `$` or `b`.
    Box,
    /// `*` or `B`.
    BoxOnGoal,
    /// `@`, `p` or `m`.
    Player,
    /// `+`, `P` or `M`.
    PlayerOnGoal,
}

impl Cell {
    /// Reads a board letter, with the aliases of old files.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            '#' => Self::Wall,
            ' ' | '-' | '_' => Self::Floor,
            '.' | 'o' => Self::Goal,
            '$' | 'b' => Self::Box,
            '*' | 'B' => Self::BoxOnGoal,
            '@' | 'p' | 'm' => Self::Player,
            '+' | 'P' | 'M' => Self::PlayerOnGoal,
            _ => return None,
        })
    }

    /// Returns the standard XSB letter.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Wall => '#',
            Self::Floor => ' ',
            Self::Goal => '.',
            Self::Box => '$',
            Self::BoxOnGoal => '*',
            Self::Player => '@',
            Self::PlayerOnGoal => '+',
        }
    }

    /// Returns whether a goal is marked here.
    #[must_use]
    pub const fn is_goal(self) -> bool {
        matches!(self, Self::Goal | Self::BoxOnGoal | Self::PlayerOnGoal)
    }

    /// Returns whether a box stands here.
    #[must_use]
    pub const fn is_box(self) -> bool {
        matches!(self, Self::Box | Self::BoxOnGoal)
    }

    /// Returns whether the player stands here.
    #[must_use]
    pub const fn is_player(self) -> bool {
        matches!(self, Self::Player | Self::PlayerOnGoal)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letter().fmt(f)
    }
}

/// A rectangle of cells.
///
/// ```
/// use sokocore::{Cell, Grid};
///
/// let mut grid: Grid = "####\n#@\n####".parse()?;
/// assert_eq!((grid.width(), grid.height()), (4, 3));
/// grid.set(1, 3, Cell::Wall);
/// assert_eq!(grid.to_string(), "####\n#@ #\n####\n");
/// # Ok::<(), sokocore::ParseGridError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    width: usize,
    cells: Vec<Cell>,
}

/// Why a text is not a picture of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseGridError {
    /// A letter that no board uses.
    #[error("row {row}, column {column}: '{letter}' is not a board letter; use # . $ * @ + and space, - or _")]
    Letter {
        /// Row of the letter, from 1.
        row: usize,
        /// Column of the letter, from 1.
        column: usize,
        /// The letter.
        letter: char,
    },
    /// The picture has no cell at all.
    #[error("the board is empty")]
    Empty,
    /// The rectangle around the picture is larger than [`Grid::MAX_CELLS`].
    #[error("the board is {width} x {height}, more than {max} cells in all", max = Grid::MAX_CELLS)]
    TooLarge {
        /// Length of the longest row.
        width: usize,
        /// Number of rows.
        height: usize,
    },
}

impl Grid {
    /// The largest number of cells, wall included: 4 MiB of memory.
    pub const MAX_CELLS: usize = 1 << 22;

    /// Reads a picture, one row a line.
    ///
    /// # Errors
    /// A letter that is not a board letter, no cells, or more than [`Grid::MAX_CELLS`].
    pub fn parse(text: &str) -> Result<Self, ParseGridError> {
        let rows: Vec<&str> = text.lines().collect();
        let width = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0);
        if width == 0 {
            return Err(ParseGridError::Empty);
        }
        if width.saturating_mul(rows.len()) > Self::MAX_CELLS {
            return Err(ParseGridError::TooLarge { width, height: rows.len() });
        }
        let mut cells = Vec::with_capacity(width * rows.len());
        for (row, line) in rows.iter().enumerate() {
            for (column, letter) in line.chars().enumerate() {
                let cell = Cell::from_letter(letter);
                cells.push(cell.ok_or(ParseGridError::Letter { row: row + 1, column: column + 1, letter })?);
            }
            cells.resize((row + 1) * width, Cell::Floor);
        }
        Ok(Self { width, cells })
    }

    /// Returns a grid of `width * height` cells, all equal.
    ///
    /// # Panics
    /// When the grid would be empty or larger than [`Grid::MAX_CELLS`].
    #[must_use]
    pub fn filled(width: usize, height: usize, cell: Cell) -> Self {
        let n_cells = width.saturating_mul(height);
        assert!((1..=Self::MAX_CELLS).contains(&n_cells), "a grid has 1 to 2^22 cells, not {width} x {height}");
        Self { width, cells: vec![cell; width * height] }
    }

    /// Returns the number of columns.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.cells.len() / self.width
    }

    /// Returns the cells, row by row.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns the cell in this row and column, both from zero.
    ///
    /// # Panics
    /// Outside the grid.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> Cell {
        self.cells[self.cell_number(row, column)]
    }

    /// Changes one cell.
    ///
    /// # Panics
    /// Outside the grid.
    pub fn set(&mut self, row: usize, column: usize, cell: Cell) {
        let number = self.cell_number(row, column);
        self.cells[number] = cell;
    }

    fn cell_number(&self, row: usize, column: usize) -> usize {
        let (width, height) = (self.width, self.height());
        assert!(column < width && row < height, "row {row}, column {column} is outside the grid of {width} x {height}");
        row * width + column
    }
}

impl FromStr for Grid {
    type Err = ParseGridError;

    /// As [`Grid::parse`].
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

impl fmt::Display for Grid {
    /// Writes the rows without trailing floor, each ended by a line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.cells.chunks(self.width) {
            let length = row.iter().rposition(|&cell| cell != Cell::Floor).map_or(0, |at| at + 1);
            row[..length].iter().try_for_each(|cell| f.write_char(cell.letter()))?;
            f.write_char('\n')?;
        }
        Ok(())
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_aliases_and_fills_short_rows() {
        let grid = Grid::parse("####\n#p\n#-_B\n").unwrap();
        assert_eq!((grid.width(), grid.height()), (4, 3));
        assert_eq!(grid.to_string(), "####\n#@\n#  *\n");
    }

    #[test]
    fn names_the_place_of_a_bad_letter() {
        let error = Grid::parse("###\n#x#\n").unwrap_err();
        assert_eq!(error, ParseGridError::Letter { row: 2, column: 2, letter: 'x' });
        assert_eq!(Grid::parse("\n\n"), Err(ParseGridError::Empty));
    }

    #[test]
    fn refuses_rectangles_that_are_mostly_air() {
        let text = format!("{}\n{}", "#".repeat(10_000), "#\n".repeat(10_000));
        assert!(matches!(Grid::parse(&text), Err(ParseGridError::TooLarge { .. })));
    }

    #[test]
    fn the_largest_rectangle_is_read() {
        let row = format!("{}\n", "#".repeat(1 << 11));
        let grid = Grid::parse(&row.repeat(1 << 11)).unwrap();
        assert_eq!(grid.cells().len(), Grid::MAX_CELLS);
        let too_large = Err(ParseGridError::TooLarge { width: 1 << 11, height: (1 << 11) + 1 });
        assert_eq!(Grid::parse(&row.repeat((1 << 11) + 1)), too_large);
    }

    #[test]
    fn a_cell_is_written_as_its_letter() {
        assert_eq!([Cell::Wall, Cell::BoxOnGoal, Cell::Floor].map(|cell| cell.to_string()), ["#", "*", " "]);
    }
}
