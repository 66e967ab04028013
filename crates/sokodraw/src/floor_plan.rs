//! What of a board never moves: walls, floor and goals, as paths that join neighbors.
//!
//! ```text
//!   #####        walls: rectangles over each run of a row, and over each run that two rows share, all drawn
//!   ##  #        with a stroke as wide as the corners are round, so that they join to one shape
//!   #####
//! ```
//!
//! Invariant: a square is outside exactly if it is no wall and a way without walls leads from it to the border.

use sokocore::{Cell, Grid};

use crate::skin::UNITS;

/// How round the corners of walls are, in units.
const ROUNDING: usize = 5;

/// The walls, the floor and the goals of a board.
///
/// ```
/// use sokocore::Grid;
/// use sokodraw::FloorPlan;
///
/// let grid = Grid::parse("  ####\n###  #\n#@ $.#\n######")?;
/// assert_eq!(FloorPlan::of(&grid).rows(), ["  ####", "###--#", "#@-$.#", "######"]);
/// # Ok::<(), sokocore::ParseGridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FloorPlan<'a> {
    grid: &'a Grid,
    is_outside: Vec<bool>,
}

impl<'a> FloorPlan<'a> {
    /// Looks which squares are outside, in time linear in the cells.
    #[must_use]
    pub fn of(grid: &'a Grid) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let mut is_outside = vec![false; width * height];
        let mut open: Vec<(usize, usize)> = (0..width)
            .flat_map(|column| [(0, column), (height - 1, column)])
            .chain((0..height).flat_map(|row| [(row, 0), (row, width - 1)]))
            .collect();
        while let Some((row, column)) = open.pop() {
            let cell = row * width + column;
            if is_outside[cell] || grid.at(row, column) == Cell::Wall {
                continue;
            }
            is_outside[cell] = true;
            open.extend(row.checked_sub(1).map(|row| (row, column)));
            open.extend(column.checked_sub(1).map(|column| (row, column)));
            open.extend((row + 1 < height).then_some((row + 1, column)));
            open.extend((column + 1 < width).then_some((row, column + 1)));
        }
        Self { grid, is_outside }
    }

    /// Returns the picture that it was made of.
    #[must_use]
    pub const fn grid(&self) -> &'a Grid {
        self.grid
    }

    /// Returns the rows in XSB letters, with `-` for empty floor and a space for what is outside. Scripts of pages draw
    /// boards from these.
    #[must_use]
    pub fn rows(&self) -> Vec<String> {
        let letter = |(row, column)| match self.grid.at(row, column) {
            Cell::Floor if !self.is_outside(row, column) => '-',
            cell => cell.letter(),
        };
        (0..self.grid.height())
            .map(|row| (0..self.grid.width()).map(|column| letter((row, column))).collect())
            .collect()
    }

    /// Returns the path of the walls, drawn by a stroke of twice the [`rounding`](Self::rounding) with round joins.
    pub(crate) fn walls(&self) -> String {
        let grid = self.grid;
        let mut path = String::new();
        for row in 0..grid.height() {
            let is_wall = |column: usize| grid.at(row, column) == Cell::Wall;
            let is_double =
                |column: usize| is_wall(column) && row + 1 < grid.height() && grid.at(row + 1, column) == Cell::Wall;
            push_runs(&mut path, grid.width(), is_wall, |x, width| wall_rectangle(x, row, width, 1));
            push_runs(&mut path, grid.width(), is_double, |x, width| wall_rectangle(x, row, width, 2));
        }
        path
    }

    /// Returns the path of everything that is neither wall nor outside.
    pub(crate) fn floor(&self) -> String {
        let mut path = String::new();
        for row in 0..self.grid.height() {
            let is_floor = |column: usize| self.grid.at(row, column) != Cell::Wall && !self.is_outside(row, column);
            // It reaches below the round corners of the walls beside it.
            let rectangle = |column: usize, n: usize| {
                let (x, y, width) = (column * UNITS - ROUNDING, row * UNITS, n * UNITS + 2 * ROUNDING);
                format!("M{x} {y}h{width}v{UNITS}h-{width}z")
            };
            push_runs(&mut path, self.grid.width(), is_floor, rectangle);
        }
        path
    }

    /// Returns the row and column of every goal.
    pub(crate) fn goals(&self) -> impl Iterator<Item = (usize, usize)> {
        let (grid, width) = (self.grid, self.grid.width());
        let goals = grid.cells().iter().enumerate().filter(|(_, cell)| cell.is_goal());
        goals.map(move |(at, _)| (at / width, at % width))
    }

    /// Returns how round the corners of walls are, in units.
    pub(crate) const fn rounding() -> usize {
        ROUNDING
    }

    fn is_outside(&self, row: usize, column: usize) -> bool {
        self.is_outside[row * self.grid.width() + column]
    }
}

/// Appends what a run is drawn as, given its first column and its length, for each run of columns that are `in_it`.
fn push_runs(
    path: &mut String,
    n_columns: usize,
    in_it: impl Fn(usize) -> bool,
    rectangle: impl Fn(usize, usize) -> String,
) {
    let mut column = 0;
    while column < n_columns {
        let n = (column..n_columns).take_while(|&column| in_it(column)).count();
        if n > 0 {
            path.push_str(&rectangle(column, n));
        }
        column += n.max(1);
    }
}

/// A rectangle as much smaller than its cells as the stroke makes it larger.
fn wall_rectangle(column: usize, row: usize, n_columns: usize, n_rows: usize) -> String {
    let (x, y) = (column * UNITS + ROUNDING, row * UNITS + ROUNDING);
    let (width, height) = (n_columns * UNITS - 2 * ROUNDING, n_rows * UNITS - 2 * ROUNDING);
    format!("M{x} {y}h{width}v{height}h-{width}z")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &str, walls: &str, floor: &str) {
        let grid = Grid::parse(rows).unwrap();
        let plan = FloorPlan::of(&grid);
        assert_eq!((plan.walls().as_str(), plan.floor().as_str()), (walls, floor), "{rows}");
    }

    #[test]
    fn runs_of_walls_are_joined() {
        check("##", "M5 5h54v22h-54z", "");
        check("# #", "M5 5h22v22h-22zM69 5h22v22h-22z", "");
        check("#\n##", "M5 5h22v22h-22zM5 5h22v54h-22zM5 37h54v22h-54z", "");
    }

    #[test]
    fn only_what_is_closed_in_is_floor() {
        let grid = Grid::parse("   ####\n ###.$#\n #@   #\n ######  #\n   $").unwrap();
        let plan = FloorPlan::of(&grid);
        assert_eq!(plan.floor(), "M123 32h74v32h-74zM59 64h138v32h-138z");
        assert_eq!(plan.rows()[3], " ######  #");
        assert_eq!(plan.goals().collect::<Vec<_>>(), [(1, 4)]);
    }
}
