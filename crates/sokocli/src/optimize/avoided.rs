//! Levels of which some squares are to be kept off, as levels without these squares.

use sokocore::{Level, Solution, replay};
use sokomethods::without_squares;

use crate::complaint::with_causes;
use crate::inputs::Inputs;
use crate::level_ranges::LevelRanges;

/// A level without the squares to be avoided, or why it cannot do without them.
#[derive(Debug)]
pub(super) struct Avoided {
    number: usize,
    level: Result<Level, String>,
}

/// A level, and the solutions of it that keep off, by their number among the games.
type Kept<'a> = (&'a Level, Vec<(usize, Solution)>);

impl Avoided {
    /// Closes the squares, given as column and row, in all chosen levels.
    pub(super) fn all(inputs: &Inputs, levels: Option<&LevelRanges>, squares: &[(usize, usize)]) -> Vec<Self> {
        if squares.is_empty() {
            return Vec::new();
        }
        let chosen = inputs.levels().filter(|at| levels.is_none_or(|levels| levels.contains(at.number)));
        let closed = chosen.filter_map(|at| {
            let level = without_squares(at.entry.level().ok()?, squares).map_err(with_causes);
            Some(Self { number: at.number, level })
        });
        closed.collect()
    }

    /// The level in place of the one with this number and those of its solutions that keep off; or why there is none.
    /// `None` if nothing is to be avoided.
    pub(super) fn of<'a>(
        all: &'a [Self],
        number: usize,
        solutions: &[(usize, Solution)],
    ) -> Option<Result<Kept<'a>, String>> {
        let own = all.iter().find(|avoided| avoided.number == number)?;
        let level = match &own.level {
            Ok(level) => level,
            Err(why) => return Some(Err(why.clone())),
        };
        let keeps_off = |(game, solution): &(usize, Solution)| Some((*game, replay(level, solution.lurd()).ok()?));
        let kept: Vec<_> = solutions.iter().filter_map(keeps_off).collect();
        if kept.is_empty() && !solutions.is_empty() {
            return Some(Err("no given solution keeps off the squares to be avoided".to_owned()));
        }
        Some(Ok((level, kept)))
    }
}

/// Reads a square: column and row in the picture, from 1.
pub(crate) fn square(text: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|&number| number > 0);
    let square = text.split_once(',').and_then(|(column, row)| number(column).zip(number(row)));
    square.ok_or_else(|| format!("'{text}' is no square; write its column and row, from 1, such as 4,7"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_column_and_row() {
        assert_eq!(square("4,7"), Ok((4, 7)));
        for text in ["4", "0,3", "3,0", "a,b", "1,2,3", ""] {
            assert!(square(text).is_err(), "{text}");
        }
    }
}
