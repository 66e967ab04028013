//! The kinds of search that techniques are for.

use crate::{Algorithm, Heading, Optimal, Settings, Technique};

/// A kind of search, as far as techniques are concerned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SearchKind {
    /// A systematic search.
    Systematic {
        /// The order of expansion.
        algorithm: Algorithm,
        /// The side that it starts from.
        heading: Heading,
        /// What the solution must be optimal in.
        optimal: Optimal,
    },
    /// Along packing orders.
    Packing,
    /// Feature space search.
    Fess,
    /// On a compact board; it has one set of rules.
    Compact,
}

impl SearchKind {
    /// A systematic search with these settings.
    pub(crate) const fn of(settings: &Settings) -> Self {
        let &Settings { algorithm, heading, optimal, .. } = settings;
        // A proof needs a search that counts costs.
        let is_greedy = matches!(algorithm, Algorithm::Greedy | Algorithm::Dfs);
        let algorithm = if is_greedy && !matches!(optimal, Optimal::Any) { Algorithm::AStar } else { algorithm };
        Self::Systematic { algorithm, heading, optimal }
    }

    /// Returns whether a technique affects this search by itself. Shared proofs need other searches to share with.
    pub(crate) fn affects(self, technique: Technique) -> bool {
        use Technique as T;
        match self {
            Self::Systematic { algorithm, heading, optimal } => {
                let by_pushes = heading != Heading::Backward;
                let is_greedy = matches!(algorithm, Algorithm::Greedy | Algorithm::Dfs);
                // Forced or restricted pushes may cost walks.
                let ignores_walks = matches!(optimal, Optimal::Any | Optimal::Pushes);
                match technique {
                    T::Matching | T::SideDistances | T::Pairs | T::Triples => true,
                    T::Penalties => matches!(algorithm, Algorithm::AStar | Algorithm::IdaStar),
                    T::Freeze | T::Diagonals | T::FrozenWalls | T::FrozenCorrals | T::GoalPairs | T::CorralProofs => {
                        by_pushes
                    }
                    T::PiCorrals | T::GoalCorrals => by_pushes && ignores_walks,
                    T::Tunnels => ignores_walks,
                    T::GoalRooms | T::GoalOrder | T::GoalCuts => by_pushes && is_greedy,
                    _ => false,
                }
            }
            Self::Packing => matches!(technique, T::Pairs | T::PiCorrals | T::CorralProofs),
            Self::Fess => {
                let own = [T::Pairs, T::PiCorrals, T::GoalCorrals, T::CorralProofs, T::SubtreeProofs];
                own.contains(&technique) || technique.is_advisor()
            }
            Self::Compact => false,
        }
    }
}
