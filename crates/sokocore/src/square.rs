//! Floor squares as small numbers. Invariant: the number inside is never zero.
//!
//! A [`Square`] means something only together with the board that numbered it.
//! Boards number the floor squares that the player could ever stand on, row by row, from zero.

use std::fmt;
use std::num::NonZeroU16;

/// A floor square, by its number on its board: at most 65,534 of them.
///
/// Stored plus one, so that `Option<Square>` is as small as a `Square`. It is written as its number; its row and
/// column are in [`Board::place`](crate::Board::place).
///
/// ```
/// use sokocore::{Direction, Level};
///
/// let level = Level::parse("######\n#@$ .#\n######")?;
/// let board = level.board();
/// let player = level.start().player;
/// assert_eq!((player.to_string().as_str(), board.place(player)), ("0", (1, 1)));
/// assert_eq!(board.step(player, Direction::Right), board.square_at(1, 2));
/// assert_eq!(board.step(player, Direction::Up), None);
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(NonZeroU16);

const _: () = assert!(size_of::<Square>() == size_of::<Option<Square>>());

impl Square {
    /// The largest number of floor squares that a board may have.
    pub const MAX_COUNT: usize = 65_534;

    /// Returns the square with this number, or `None` from [`Square::MAX_COUNT`] on.
    #[must_use]
    pub fn new(number: usize) -> Option<Self> {
        let stored = u16::try_from(number).ok().filter(|&n| usize::from(n) < Self::MAX_COUNT)? + 1;
        NonZeroU16::new(stored).map(Self)
    }

    /// Returns the square's number, from zero.
    #[must_use]
    pub const fn idx(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl fmt::Display for Square {
    /// Writes the square's number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.idx().fmt(f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sq{}", self.idx())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip_up_to_the_limit() {
        for number in [0, 1, 63, 64, Square::MAX_COUNT - 1] {
            assert_eq!(Square::new(number).map(Square::idx), Some(number));
        }
        assert_eq!(Square::new(Square::MAX_COUNT), None);
        assert_eq!(Square::new(usize::from(u16::MAX)), None);
        assert_eq!(Square::new(usize::MAX), None);
    }
}
