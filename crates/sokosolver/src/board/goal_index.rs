//! Goals by their index, where the square of the goal is not meant.

/// The index of a goal among [`SearchBoard::goals`](super::SearchBoard::goals), and so of its column in distances to
/// goals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct GoalIndex(u16);

impl GoalIndex {
    /// Makes an index.
    ///
    /// # Panics
    /// If it is above 65,535: no board has so many goals.
    #[inline]
    pub(crate) fn new(idx: usize) -> Self {
        Self(u16::try_from(idx).expect("invariant: goals are numbered by 16 bits"))
    }

    /// Returns the index, for packing.
    #[inline]
    pub(crate) const fn get(self) -> u16 {
        self.0
    }

    /// Returns the index as that of tables.
    #[inline]
    pub(crate) const fn idx(self) -> usize {
        self.0 as usize
    }
}
