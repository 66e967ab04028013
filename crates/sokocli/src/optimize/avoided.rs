//! Levels of which some squares are to be kept off, as levels without these squares.

use sokocore::{Level, Solution, replay};
use sokomethods::without_squares;

use crate::complaint::with_causes;
use crate::exit::UsageError;
use crate::work_list::WorkLevel;

/// A level without the squares to be avoided, or why it cannot do without them.
#[derive(Debug)]
pub(super) struct Avoided {
    number: usize,
    level: Result<Level, String>,
}

/// A level, and the solutions of it that keep off.
type Kept<'a> = (&'a Level, Vec<Solution>);

impl Avoided {
    /// Closes the squares, given as column and row, in all levels of the list. A square that lies outside of every one of
    /// them is a mistake of the command line.
    pub(super) fn all(list: &[WorkLevel<'_>], squares: &[(usize, usize)]) -> Result<Vec<Self>, UsageError> {
        let levels = || list.iter().filter_map(|work| Some((work.at.number, work.level().ok()?)));
        for &(column, row) in squares {
            let (width, height) = levels().fold((0, 0), |(width, height), (_, level)| {
                (width.max(level.grid().width()), height.max(level.grid().height()))
            });
            if column > width || row > height {
                let range = format!("columns go from 1 to {width}, rows from 1 to {height}");
                return Err(UsageError(format!("--avoid {column},{row} lies off the board: {range}")));
            }
        }
        let close = |(number, level): (usize, &Level)| Self {
            number,
            level: without_squares(level, squares).map_err(with_causes),
        };
        Ok(if squares.is_empty() { Vec::new() } else { levels().map(close).collect() })
    }

    /// The level in place of the one with this number and those of its solutions that keep off; or why there is none.
    /// `None` if nothing is to be avoided.
    pub(super) fn of<'a>(all: &'a [Self], number: usize, solutions: &[Solution]) -> Option<Result<Kept<'a>, String>> {
        let own = all.iter().find(|avoided| avoided.number == number)?;
        let level = match &own.level {
            Ok(level) => level,
            Err(why) => return Some(Err(why.clone())),
        };
        let kept: Vec<_> = solutions.iter().filter_map(|solution| replay(level, solution.lurd()).ok()).collect();
        if kept.is_empty() && !solutions.is_empty() {
            return Some(Err("no given solution keeps off the squares to be avoided".to_owned()));
        }
        Some(Ok((level, kept)))
    }
}
