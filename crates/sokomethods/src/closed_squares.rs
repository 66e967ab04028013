//! A level without some of its squares: its solutions are those solutions of the level that avoid the squares, move by
//! move.
//!
//! This answers whether a level can be solved without a square, and keeps boxes in place: a box on a goal is closed
//! together with its goal. An empty goal cannot be closed, since it needs a box.

use sokocore::{Cell, Grid, Level, ParseLevelError};
use thiserror::Error;

/// Why squares cannot be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CloseError {
    /// The square is not part of the picture.
    #[error("there is no square in column {column}, row {row}")]
    Outside {
        /// Column, from 1.
        column: usize,
        /// Row, from 1.
        row: usize,
    },
    /// The square is needed.
    #[error("column {column}, row {row} is needed: {what}")]
    Needed {
        /// Column, from 1.
        column: usize,
        /// Row, from 1.
        row: usize,
        /// What stands there.
        what: &'static str,
    },
    /// The rest cannot be solved.
    #[error("without the squares the level cannot be solved")]
    Level(#[from] ParseLevelError),
}

/// Turns squares into walls, given as column and row in the picture, both from 1.
///
/// ```
/// use sokocore::Level;
/// use sokomethods::without_squares;
///
/// let level = Level::parse("######\n#@$ .#\n#    #\n######")?;
/// let without = without_squares(&level, &[(2, 3), (3, 3)])?;
/// assert_eq!(without.board().n_squares(), level.board().n_squares() - 2);
/// assert!(without_squares(&level, &[(5, 2)]).is_err(), "a goal");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// See [`CloseError`].
pub fn without_squares(level: &Level, squares: &[(usize, usize)]) -> Result<Level, CloseError> {
    let play = level.play_grid();
    let mut grid = Grid::filled(play.width(), play.height(), Cell::Wall);
    for (row, column) in (0..play.height()).flat_map(|row| (0..play.width()).map(move |column| (row, column))) {
        grid.set(row, column, play.at(row, column));
    }
    for &(column, row) in squares {
        if !(1..=play.width()).contains(&column) || !(1..=play.height()).contains(&row) {
            return Err(CloseError::Outside { column, row });
        }
        let cell = play.at(row - 1, column - 1);
        let what = match (cell.is_player(), cell.is_box(), cell.is_goal()) {
            (true, ..) => Some("the player starts there"),
            (_, true, false) => Some("a box off goal stands there"),
            (_, false, true) => Some("a box has to get to this goal"),
            _ => None,
        };
        if let Some(what) = what {
            return Err(CloseError::Needed { column, row, what });
        }
        grid.set(row - 1, column - 1, Cell::Wall);
    }
    Ok(Level::from_grid(grid)?)
}

#[cfg(test)]
mod tests {
    use sokocore::replay;

    use super::*;

    fn level() -> Level {
        Level::parse("########\n#@ $ . #\n#    * #\n########").unwrap()
    }

    #[test]
    fn solutions_that_keep_off_are_those_of_the_smaller_level() {
        let closed = without_squares(&level(), &[(2, 3), (6, 3)]).unwrap();
        let direct = "rRR".parse().unwrap();
        assert_eq!(replay(&closed, &direct).unwrap().lurd(), replay(&level(), &direct).unwrap().lurd());
        let detour = "drurRR".parse().unwrap();
        assert!(replay(&level(), &detour).is_ok() && replay(&closed, &detour).is_err());
        assert_eq!((level().n_boxes(), closed.n_boxes()), (2, 1));
    }

    #[test]
    fn what_is_needed_cannot_be_closed() {
        for (square, what) in [((2, 2), "player"), ((4, 2), "box off goal"), ((6, 2), "goal")] {
            let error = without_squares(&level(), &[square]).unwrap_err();
            assert!(matches!(error, CloseError::Needed { .. }) && error.to_string().contains(what), "{error}");
        }
        assert_eq!(without_squares(&level(), &[(9, 1)]).unwrap_err(), CloseError::Outside { column: 9, row: 1 });
        assert_eq!(without_squares(&level(), &[(1, 0)]).unwrap_err(), CloseError::Outside { column: 1, row: 0 });
        assert!(matches!(without_squares(&level(), &[(5, 2), (5, 3)]), Err(CloseError::Level(_))));
    }
}
