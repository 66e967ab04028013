//! A push by the squares of a search board, as single steps of box and direction, or as the squares before and after.

use sokocore::FloorSquare;

/// A push of the box on a square, in a direction of [`FloorGraph`](sokocore::FloorGraph).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FloorPush {
    /// The square of the box before it, where the player stands after it.
    pub(crate) from: FloorSquare,
    /// The direction, 0 to 3.
    pub(crate) dir: usize,
}

/// A box moved from one square to another, by a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoxShift {
    pub(crate) from: FloorSquare,
    pub(crate) to: FloorSquare,
}
