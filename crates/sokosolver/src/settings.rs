//! The settings of a search, with defaults that solve most levels soonest.

use sokocore::Objective;

use crate::Technique;
use crate::technique::TechniqueSet;

/// The order in which positions are expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Least bound first, each position once. Finds solutions, proves nothing about them.
    #[default]
    Greedy,
    /// Least cost plus bound first.
    AStar,
    /// Depth first within a rising limit of cost plus bound; needs little memory.
    IdaStar,
    /// Layer by layer.
    Bfs,
    /// Depth first within a rising limit of cost.
    Iddfs,
    /// Depth first.
    Dfs,
}

/// The side that a search starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heading {
    /// From the start, by pushes.
    Forward,
    /// From the solved positions, by pulls.
    Backward,
    /// From both sides, until they meet; the side with fewer open positions is expanded first. Depth-first algorithms
    /// search by pushes, and a perimeter made by pulls grows between their rounds.
    #[default]
    Both,
}

/// The weight of the lower bound in the order of A*: positions are expanded by g + w h (weighted A*, Pohl 1970).
///
/// With more weight the search is greedier and finds solutions sooner, not the best ones first. A search pruned by the
/// best solution known, with g + h, still ends with the optimum (anytime weighted A*, Hansen and Zhou 2007).
///
/// ```
/// use sokosolver::{Algorithm, BoundWeight, Optimal, Settings};
///
/// let bound_weight = BoundWeight::from_percent(125);
/// let settings = Settings { algorithm: Algorithm::AStar, optimal: Optimal::Pushes, bound_weight, ..Settings::default() };
/// assert_eq!((settings.bound_weight.percent(), BoundWeight::default().percent()), (125, 100));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundWeight(u16);

impl BoundWeight {
    /// The weight of A*: 100 percent.
    pub const ONE: Self = Self(100);

    /// Returns a weight in percent; below 100 it is 100.
    #[must_use]
    pub const fn from_percent(percent: u16) -> Self {
        if percent < Self::ONE.0 { Self::ONE } else { Self(percent) }
    }

    /// Returns the weight in percent, 100 and up.
    #[must_use]
    pub const fn percent(self) -> u16 {
        self.0
    }
}

impl Default for BoundWeight {
    fn default() -> Self {
        Self::ONE
    }
}

/// What a solution must be optimal in. All but [`Optimal::Any`] exclude incomplete rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimal {
    /// Any solution will do.
    #[default]
    Any,
    /// Fewest pushes.
    Pushes,
    /// Fewest moves.
    Moves,
    /// Fewest pushes, and among those fewest moves.
    PushesMoves,
    /// Fewest moves, and among those fewest pushes.
    MovesPushes,
}

impl Optimal {
    /// Returns the objective that says the same, as far as one of all six metrics can; `None` for any solution.
    ///
    /// ```
    /// use sokocore::Objective;
    /// use sokosolver::Optimal;
    ///
    /// assert_eq!(Optimal::Pushes.objective(), Some(Objective::PUSHES));
    /// ```
    #[must_use]
    pub const fn objective(self) -> Option<Objective> {
        match self {
            Self::Any => None,
            Self::Pushes | Self::PushesMoves => Some(Objective::PUSHES),
            Self::Moves | Self::MovesPushes => Some(Objective::MOVES),
        }
    }
}

/// The settings of a search: the algorithm, and a switch for each [`Technique`].
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The order of expansion.
    pub algorithm: Algorithm,
    /// The side to start from.
    pub heading: Heading,
    /// What the solution must be optimal in; all but "any" need A*, IDA* or breadth-first search.
    pub optimal: Optimal,
    /// The weight of the lower bound in the order of A*; other algorithms ignore it.
    pub bound_weight: BoundWeight,
    /// The techniques that are on.
    pub techniques: TechniqueSet,
    /// The most bytes that stored positions may take; what the run's account allows, if `None`.
    pub table_bytes: Option<u64>,
    /// The seed of what a strategy leaves to chance, such as the order of boxes in `fess-excess-dice`. Other strategies
    /// ignore it.
    pub seed: u64,
}

impl Settings {
    /// Returns whether a technique is on.
    #[inline]
    #[must_use]
    pub fn uses(&self, technique: Technique) -> bool {
        self.techniques.contains(technique)
    }

    /// Switches a technique on or off.
    pub fn switch(&mut self, technique: Technique, is_on: bool) {
        let techniques = self.techniques;
        self.techniques = if is_on { techniques.with(technique) } else { techniques.without(technique) };
    }

    /// Returns these settings with a technique switched on.
    #[must_use]
    pub fn with(mut self, technique: Technique) -> Self {
        self.switch(technique, true);
        self
    }

    /// Returns these settings with a technique switched off.
    #[must_use]
    pub fn without(mut self, technique: Technique) -> Self {
        self.switch(technique, false);
        self
    }

    /// Returns these settings with every technique switched off.
    #[must_use]
    pub const fn plain(mut self) -> Self {
        self.techniques = TechniqueSet::EMPTY;
        self
    }
}
