//! How a slice of work on a search ends.

use sokocore::Push;

use super::path::PathPosition;

/// A position that a tree of the other side knows.
#[derive(Clone, Debug)]
pub(crate) struct Meeting<const W: usize> {
    /// From the root of this side to the position.
    pub(crate) path: Vec<PathPosition<W>>,
    /// The search of this side.
    pub(crate) number: u16,
}

/// The end of a slice.
#[derive(Debug)]
pub(crate) enum SliceEnd<const W: usize> {
    /// The slice is used up.
    Paused,
    Met(Meeting<W>),
    /// These pushes lead from the start to the goals.
    Solved(Vec<Push>),
    /// No macro move is left.
    Exhausted,
}
