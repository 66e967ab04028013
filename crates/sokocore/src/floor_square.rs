//! The squares of a floor graph as small numbers. Invariant: the number inside is one that its graph gave out, or that of
//! the wall, or a mark of its holder that stands for no square.
//!
//! A [`FloorSquare`] means something only together with the [`FloorGraph`](crate::FloorGraph) that numbered it, which
//! numbers live squares first; a [`Square`](crate::Square) is numbered row by row. The two are types of their own, so
//! that neither is taken for the other, nor for a distance or an index of goals or boxes.

use std::fmt;

/// A square of a [`FloorGraph`](crate::FloorGraph), or its wall, by number: live squares come first, the wall last.
///
/// It takes two bytes, and is written as its number. The order is that of the numbers; the default is the first square.
///
/// # Example
/// ```
/// use sokocore::{FloorGraph, FloorSquare, Level};
/// let level = Level::parse("######\n#@$ .#\n######")?;
/// let graph = FloorGraph::new(&level);
/// let squares: Vec<FloorSquare> = graph.squares().collect();
/// assert_eq!(squares, [0, 1, 2, 3].map(FloorSquare::new));
/// assert_eq!(graph.number(level.start().player), squares[3], "the player stands on the one dead square");
/// assert_eq!(graph.wall().idx(), squares.len());
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct FloorSquare(u16);

impl FloorSquare {
    /// Makes a square of its number, which is not checked: [`FloorSquare::get`] gives it back.
    #[inline]
    #[must_use]
    pub const fn new(number: u16) -> Self {
        Self(number)
    }

    /// Makes a square of an index of a table.
    ///
    /// # Panics
    /// If the index is above 65,535: no graph has so many squares.
    #[inline]
    #[must_use]
    pub fn from_idx(idx: usize) -> Self {
        Self(u16::try_from(idx).expect("invariant: squares are numbered by 16 bits"))
    }

    /// Returns the number, for packing: from zero, and up to 65,534 for squares and the wall.
    #[inline]
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// Returns the number as an index of tables.
    #[inline]
    #[must_use]
    pub const fn idx(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for FloorSquare {
    /// Writes the number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for FloorSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "floor{}", self.0)
    }
}
