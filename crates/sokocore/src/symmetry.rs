//! The eight rotations and reflections of a board.

use crate::{Cell, Direction, Grid, Lurd, Step};

/// A rotation by quarter turns, after an optional left-right reflection. The default is the identity.
///
/// ```
/// use sokocore::{Level, Lurd, Symmetry, replay};
///
/// let level = Level::parse("######\n#@  .#\n# $ ##\n##   #\n######")?;
/// let moves: Lurd = "dRdrUluR".parse()?;
/// for symmetry in Symmetry::ALL {
///     let image = Level::from_grid(symmetry.grid(level.grid()))?;
///     assert!(replay(&image, &symmetry.moves(&moves)).is_ok());
/// }
/// assert_eq!(Symmetry::ALL[1].moves(&moves).to_string(), "lDldRurD");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Symmetry {
    reflected: bool,
    /// Clockwise quarter turns, 0 to 3.
    turns: usize,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Self; 8] = {
        let mut all = [Self { reflected: false, turns: 0 }; 8];
        let mut at = 0;
        while at < 8 {
            all[at] = Self { reflected: at >= 4, turns: at % 4 };
            at += 1;
        }
        all
    };

    /// Returns the symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Self {
        // A reflection undoes itself, turned or not.
        if self.reflected { self } else { Self { turns: (4 - self.turns) % 4, ..self } }
    }

    /// Returns whether the width of the image is the height of the board: after one or three quarter turns.
    #[must_use]
    pub const fn swaps_sides(self) -> bool {
        self.turns % 2 == 1
    }

    /// Returns where the cell at (row, column) of a board of this width and height is after the transformation.
    #[must_use]
    pub const fn place(self, (row, column): (usize, usize), width: usize, height: usize) -> (usize, usize) {
        let column = if self.reflected { width - 1 - column } else { column };
        match self.turns {
            0 => (row, column),
            1 => (column, height - 1 - row),
            2 => (height - 1 - row, width - 1 - column),
            _ => (width - 1 - column, row),
        }
    }

    /// Returns the direction, transformed.
    #[must_use]
    pub fn dir(self, dir: Direction) -> Direction {
        let flips = self.reflected && matches!(dir, Direction::Left | Direction::Right);
        let start = if flips { dir.opposite() } else { dir };
        (0..self.turns).fold(start, |dir, _| dir.clockwise())
    }

    /// Returns the picture, transformed.
    #[must_use]
    pub fn grid(self, grid: &Grid) -> Grid {
        let (width, height) = (grid.width(), grid.height());
        let (new_width, new_height) = if self.swaps_sides() { (height, width) } else { (width, height) };
        let mut image = Grid::filled(new_width, new_height, Cell::Floor);
        for at in 0..grid.cells().len() {
            let (row, column) = self.place((at / width, at % width), width, height);
            image.set(row, column, grid.cells()[at]);
        }
        image
    }

    /// Returns the moves, transformed.
    #[must_use]
    pub fn moves(self, moves: &Lurd) -> Lurd {
        let turned = |step: &Step| match *step {
            Step::Walk(dir) => Step::Walk(self.dir(dir)),
            Step::Push(dir) => Step::Push(self.dir(dir)),
        };
        moves.steps().iter().map(turned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, replay};

    /// Trap 23: a mirrored or rotated level is solved by the mirrored or rotated moves, with equal metrics.
    #[test]
    fn trap_23_images_have_the_same_solutions() {
        let level = Level::parse("######\n#@  .#\n# $ ##\n##   #\n######").unwrap();
        let moves: Lurd = "dRdrUluR".parse().unwrap();
        let metrics = replay(&level, &moves).unwrap().metrics();
        let mut images = Vec::new();
        for symmetry in Symmetry::ALL {
            let image = Level::from_grid(symmetry.grid(level.grid())).unwrap();
            assert_eq!(replay(&image, &symmetry.moves(&moves)).unwrap().metrics(), metrics);
            assert_eq!(symmetry.inverse().moves(&symmetry.moves(&moves)), moves);
            assert_eq!(symmetry.inverse().grid(image.grid()), *level.grid());
            images.push(image.grid().to_string());
        }
        images.sort();
        images.dedup();
        assert_eq!(images.len(), 8);
    }
}
