//! The direction of a search.

/// The direction of a search: by pushes from the start, or by pulls from the solved positions.
///
/// ```
/// use sokocore::SearchDirection;
///
/// assert_eq!(SearchDirection::Forward.opposite(), SearchDirection::Backward);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SearchDirection {
    /// From the start, by pushes, to the goals.
    Forward,
    /// From the solved positions, by pulls, to the squares where boxes start.
    Backward,
}

impl SearchDirection {
    /// Returns the other direction.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
        }
    }
}
