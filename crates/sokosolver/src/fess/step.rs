//! How far a search by features got with the work it was given.

use sokocore::Push;

use super::meeting::Place;

/// A position that a tree of the other side knows.
#[derive(Clone, Debug)]
pub(crate) struct Meeting<const W: usize> {
    /// From the root of this side to the position.
    pub(crate) way: Vec<Place<W>>,
    /// The tree of this side.
    pub(crate) tree: u16,
}

/// What came of a stretch of work.
#[derive(Debug)]
pub(crate) enum Step<const W: usize> {
    /// The work is used up.
    Paused,
    Met(Meeting<W>),
    /// These pushes lead from the start to the goals.
    Solved(Vec<Push>),
    /// Nothing is left to do.
    Exhausted,
}
