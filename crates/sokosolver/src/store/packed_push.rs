//! A push or pull in two bytes.

use sokocore::FloorSquare;

use crate::board::FloorPush;

/// The square of a box before its push, times four, plus the direction: on boards of at most 16,384 live squares.
///
/// Of a pull it is the push that undoes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct PackedPush(u16);

impl PackedPush {
    /// Packs a push; directions are taken modulo 4.
    ///
    /// # Panics
    /// If the square is the 16,384th or a later one.
    #[inline]
    pub(crate) fn new(push: FloorPush) -> Self {
        let packed = u16::try_from(push.from.idx() * 4 + (push.dir & 3));
        Self(packed.expect("invariant: boards of searches with packed pushes are small"))
    }

    /// Returns the push.
    #[inline]
    pub(crate) const fn unpack(self) -> FloorPush {
        FloorPush { from: FloorSquare::new(self.0 / 4), dir: (self.0 % 4) as usize }
    }
}
