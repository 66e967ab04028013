//! What a slice is for.

use std::fmt;

use sokocore::{Metric, Objective};

/// What a slice is for.
///
/// ```
/// use sokocore::{Metric, Objective};
/// use sokonight::Purpose;
///
/// assert_eq!(Purpose::Solve.to_string(), "solve");
/// assert_eq!(Purpose::Improve(Objective::PUSHES).to_string(), "pushes");
/// assert_eq!(Purpose::Bound(Metric::Moves).to_string(), "bound moves");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// A first solution.
    Solve,
    /// A better solution by an objective.
    Improve(Objective),
    /// A higher lower bound of a metric: of moves, or of pushes.
    Bound(Metric),
}

impl fmt::Display for Purpose {
    /// Writes the name that the library has for it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Solve => f.write_str("solve"),
            Self::Improve(objective) => objective.fmt(f),
            Self::Bound(metric) => write!(f, "bound {metric}"),
        }
    }
}

impl Purpose {
    /// Returns the objective whose best solution it is about.
    #[must_use]
    pub const fn objective(self) -> Objective {
        match self {
            Self::Improve(objective) => objective,
            Self::Bound(Metric::Pushes) => Objective::PUSHES,
            Self::Bound(_) | Self::Solve => Objective::MOVES,
        }
    }
}
