//! The four directions, in the fixed order up, right, down, left.
//!
//! The order is part of the crate's contract: everything that enumerates directions does so in the order of
//! [`Direction::ALL`], so that the same input gives the same output.

use std::fmt;

/// One of the four directions, written as a word.
///
/// ```
/// use sokocore::Direction;
///
/// assert_eq!(Direction::ALL.map(Direction::letter), ['u', 'r', 'd', 'l']);
/// assert_eq!(Direction::Up.clockwise(), Direction::Right);
/// assert_eq!(Direction::Left.opposite().to_string(), "right");
/// assert_eq!(Direction::Down.offset(), (1, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// One row up.
    Up,
    /// One column to the right.
    Right,
    /// One row down.
    Down,
    /// One column to the left.
    Left,
}

impl Direction {
    /// All directions, clockwise from up.
    pub const ALL: [Self; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];

    /// Returns the place of this direction in [`Direction::ALL`].
    #[must_use]
    pub const fn idx(self) -> usize {
        self as usize
    }

    /// Returns the direction of the step back.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) % 4]
    }

    /// Returns the next direction, clockwise.
    #[must_use]
    pub const fn clockwise(self) -> Self {
        Self::ALL[(self as usize + 1) % 4]
    }

    /// Returns the change of (row, column) that one step makes.
    #[must_use]
    pub const fn offset(self) -> (isize, isize) {
        match self {
            Self::Up => (-1, 0),
            Self::Right => (0, 1),
            Self::Down => (1, 0),
            Self::Left => (0, -1),
        }
    }

    /// Returns the lower-case LURD letter: `u`, `r`, `d` or `l`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Up => 'u',
            Self::Right => 'r',
            Self::Down => 'd',
            Self::Left => 'l',
        }
    }

    /// Reads a LURD letter of either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'u' | 'U' => Some(Self::Up),
            'r' | 'R' => Some(Self::Right),
            'd' | 'D' => Some(Self::Down),
            'l' | 'L' => Some(Self::Left),
            _ => None,
        }
    }
}

impl fmt::Display for Direction {
    /// Writes `up`, `right`, `down` or `left`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Up => "up",
            Self::Right => "right",
            Self::Down => "down",
            Self::Left => "left",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_steps_cancel() {
        for dir in Direction::ALL {
            let (row, column) = dir.offset();
            assert_eq!(dir.opposite().offset(), (-row, -column));
            assert_eq!(dir.clockwise().clockwise(), dir.opposite());
            assert_eq!(Direction::from_letter(dir.letter()), Some(dir));
        }
    }
}
