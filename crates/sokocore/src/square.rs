//! Floor squares as small numbers, and why they are never zero inside.
//!
//! A [`Square`] means something only together with the board that numbered it.
//! Boards number the floor squares that the player could ever stand on, row by row, from zero.

use std::fmt;
use std::num::NonZeroU16;

/// A floor square, by its number on its board: at most 65,534 of them.
///
/// Stored plus one, so that `Option<Square>` is as small as a `Square`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(NonZeroU16);

const _: () = assert!(size_of::<Square>() == size_of::<Option<Square>>());

impl Square {
    /// The largest number of floor squares that a board may have.
    pub const MAX_COUNT: usize = 65_534;

    /// Returns the square with this number, or `None` from [`Square::MAX_COUNT`] on.
    #[must_use]
    pub fn new(number: usize) -> Option<Self> {
        let stored = u16::try_from(number + 1).ok().filter(|&n| n < u16::MAX)?;
        NonZeroU16::new(stored).map(Self)
    }

    /// Returns the square's number, from zero.
    #[must_use]
    pub const fn idx(self) -> usize {
        self.0.get() as usize - 1
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
    }
}
