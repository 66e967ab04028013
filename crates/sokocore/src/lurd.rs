//! Moves as values and as LURD text: `u d l r` walk, `U D L R` push.
//!
//! This is the plain text form, one letter a move. Wrapping, spaces and run lengths are undone by the crate that
//! reads files.

use std::fmt::{self, Write};
use std::iter::Copied;
use std::str::FromStr;
use std::{slice, vec};

use thiserror::Error;

use crate::Direction;

/// One move of the player: by the rules of the game there are these two kinds. It is written as its LURD letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// A step to a free square.
    Walk(Direction),
    /// A step that pushes a box.
    Push(Direction),
}

impl Step {
    /// Returns the direction of the move.
    #[must_use]
    pub const fn dir(self) -> Direction {
        match self {
            Self::Walk(dir) | Self::Push(dir) => dir,
        }
    }

    /// Returns whether the move pushes a box.
    #[must_use]
    pub const fn is_push(self) -> bool {
        matches!(self, Self::Push(_))
    }

    /// Returns the LURD letter, upper case for a push.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Walk(dir) => dir.letter(),
            Self::Push(dir) => dir.letter().to_ascii_uppercase(),
        }
    }

    /// Reads a LURD letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let dir = Direction::from_letter(letter)?;
        Some(if letter.is_ascii_uppercase() { Self::Push(dir) } else { Self::Walk(dir) })
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letter().fmt(f)
    }
}

/// A sequence of moves. Nothing says that they are legal on some level: see [`replay`](crate::replay).
///
/// It is read from text, collected from steps, iterated over and written as text.
///
/// ```
/// use sokocore::{Lurd, Step};
///
/// let moves: Lurd = "rrdLuuR".parse()?;
/// assert_eq!(moves.len(), 7);
/// let pushes: Lurd = moves.iter().filter(|step| step.is_push()).collect();
/// assert_eq!(pushes.to_string(), "LR");
/// assert_eq!("up".parse::<Lurd>().unwrap_err().position, 2);
/// # Ok::<(), sokocore::ParseLurdError>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lurd(Vec<Step>);

impl Lurd {
    /// Returns the moves.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Visits the moves from the first to the last.
    pub fn iter(&self) -> Copied<slice::Iter<'_, Step>> {
        self.0.iter().copied()
    }

    /// Returns the number of moves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Step> for Lurd {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        Self(steps.into_iter().collect())
    }
}

impl Extend<Step> for Lurd {
    fn extend<I: IntoIterator<Item = Step>>(&mut self, steps: I) {
        self.0.extend(steps);
    }
}

impl From<Vec<Step>> for Lurd {
    fn from(steps: Vec<Step>) -> Self {
        Self(steps)
    }
}

impl<'a> IntoIterator for &'a Lurd {
    type Item = Step;
    type IntoIter = Copied<slice::Iter<'a, Step>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Lurd {
    type Item = Step;
    type IntoIter = vec::IntoIter<Step>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl fmt::Display for Lurd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|step| f.write_char(step.letter()))
    }
}

impl fmt::Debug for Lurd {
    /// Writes `Lurd("rrdL")`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lurd(\"{self}\")")
    }
}

/// A letter that is not a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("'{letter}' at position {position} is not a move; use u d l r and U D L R")]
#[non_exhaustive]
pub struct ParseLurdError {
    /// Place of the letter in the text, from 1.
    pub position: usize,
    /// The letter.
    pub letter: char,
}

impl FromStr for Lurd {
    type Err = ParseLurdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let step = |(at, letter)| Step::from_letter(letter).ok_or(ParseLurdError { position: at + 1, letter });
        text.chars().enumerate().map(step).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        let lurd: Lurd = "luRDdU".parse().unwrap();
        assert_eq!(lurd.to_string(), "luRDdU");
        assert_eq!(format!("{lurd:?}"), "Lurd(\"luRDdU\")");
        assert_eq!((&lurd).into_iter().collect::<Lurd>(), lurd);
        assert_eq!(lurd.clone().into_iter().collect::<Vec<_>>(), lurd.steps());
        assert_eq!(lurd.steps()[2], Step::Push(Direction::Right));
        assert_eq!("lx".parse::<Lurd>(), Err(ParseLurdError { position: 2, letter: 'x' }));
    }

    #[test]
    fn moves_are_made_of_steps_and_grow() {
        let steps = vec![Step::Walk(Direction::Left), Step::Push(Direction::Up)];
        let mut lurd = Lurd::from(steps.clone());
        assert_eq!((lurd.to_string().as_str(), lurd.is_empty(), Lurd::default().is_empty()), ("lU", false, true));
        lurd.extend(steps);
        assert_eq!((lurd.to_string().as_str(), lurd.len()), ("lUlU", 4));
        assert_eq!(Step::Push(Direction::Down).to_string(), "D");
    }
}
