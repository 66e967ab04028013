//! Which technique affects which search: the table that tells whether a switch changes anything.
//!
//! A switch that affects nothing is no error, but the user is told.

use crate::{Algorithm, Heading, Optimal, Settings};

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
}

impl SearchKind {
    /// A systematic search with these settings.
    pub(crate) fn of(settings: &Settings) -> Self {
        let &Settings { algorithm, heading, optimal, .. } = settings;
        // A proof needs a search that counts costs.
        let is_greedy = matches!(algorithm, Algorithm::Greedy | Algorithm::Dfs);
        let algorithm = if is_greedy && optimal != Optimal::Any { Algorithm::AStar } else { algorithm };
        Self::Systematic { algorithm, heading, optimal }
    }

    /// Returns whether a technique affects this search by itself. Shared proofs need other searches to share with.
    pub(crate) fn affects(self, technique: &str) -> bool {
        match self {
            Self::Systematic { algorithm, heading, optimal } => {
                let by_pushes = heading != Heading::Backward;
                let is_greedy = matches!(algorithm, Algorithm::Greedy | Algorithm::Dfs);
                // Forced or restricted pushes may cost walks.
                let counts_pushes = matches!(optimal, Optimal::Any | Optimal::Pushes);
                match technique {
                    "matching" | "side-distances" | "pairs" | "triples" => true,
                    "penalties" => matches!(algorithm, Algorithm::AStar | Algorithm::IdaStar),
                    "freeze" | "diagonals" | "frozen-walls" | "frozen-corrals" | "goal-pairs" | "corral-proofs" => {
                        by_pushes
                    }
                    "pi-corrals" | "goal-corrals" => by_pushes && counts_pushes,
                    "tunnels" => counts_pushes,
                    "goal-rooms" | "goal-order" | "goal-cuts" => by_pushes && is_greedy,
                    _ => false,
                }
            }
            Self::Packing => matches!(technique, "pairs" | "pi-corrals" | "corral-proofs"),
            Self::Fess => {
                let own = ["pairs", "pi-corrals", "goal-corrals", "corral-proofs", "subtree-proofs"];
                own.contains(&technique) || technique.starts_with("advisor-")
            }
        }
    }
}
