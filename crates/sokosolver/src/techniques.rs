//! Which technique has a say in which search: the table that tells whether a switch changes anything.
//!
//! A switch elsewhere is no fault, but whoever sets it ought to know that it does nothing.

use crate::{Algorithm, Heading, Optimal, Settings};

/// A search, as far as techniques are concerned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Realm {
    /// A systematic search.
    Systematic {
        /// In which order.
        algorithm: Algorithm,
        /// From which side.
        heading: Heading,
        /// What is counted.
        optimal: Optimal,
    },
    /// Along packing orders.
    Packing,
    /// By features.
    Fess,
}

impl Realm {
    /// A systematic search with these settings.
    pub(crate) fn of(settings: &Settings) -> Self {
        let &Settings { algorithm, heading, optimal, .. } = settings;
        // What proves is a search that counts.
        let is_greedy = matches!(algorithm, Algorithm::Greedy | Algorithm::Dfs);
        let algorithm = if is_greedy && optimal != Optimal::Any { Algorithm::AStar } else { algorithm };
        Self::Systematic { algorithm, heading, optimal }
    }

    /// Whether a technique has a say in this search by itself. Sharing proofs takes others to share them with.
    pub(crate) fn heeds(self, technique: &str) -> bool {
        match self {
            Self::Systematic { algorithm, heading, optimal } => {
                let by_pushes = heading != Heading::Backward;
                let is_greedy = matches!(algorithm, Algorithm::Greedy | Algorithm::Dfs);
                // Pushes made at once, or restricted to a part of the board, may cost walks.
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
