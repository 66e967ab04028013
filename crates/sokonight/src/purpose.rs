//! What a slice is for.

use std::fmt;

use sokocore::Objective;

/// What a slice is for.
///
/// ```
/// use sokocore::Objective;
/// use sokonight::Purpose;
///
/// assert_eq!(Purpose::Solve.to_string(), "solve");
/// assert_eq!(Purpose::Improve(Objective::PUSHES).to_string(), "pushes");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// A first solution.
    Solve,
    /// A better solution by an objective.
    Improve(Objective),
}

impl fmt::Display for Purpose {
    /// Writes the name that the library has for it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Solve => f.write_str("solve"),
            Self::Improve(objective) => objective.fmt(f),
        }
    }
}
