//! What a push costs, and which of two positions is worth more.
//!
//! Costs of two parts, like pushes and then moves, are one number: the first part times 2^16 plus the second.

use crate::{Algorithm, Optimal, Settings};

/// What the cost of a node counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CostRule {
    /// Pushes; the player's region is enough of the player.
    Pushes,
    /// Moves.
    Moves,
    /// Pushes, then moves.
    PushesMoves,
    /// Moves, then pushes.
    MovesPushes,
}

impl CostRule {
    /// Returns the rule for these settings.
    pub(crate) const fn of(settings: &Settings) -> Self {
        match settings.optimal {
            Optimal::Any | Optimal::Pushes => Self::Pushes,
            Optimal::Moves => Self::Moves,
            Optimal::PushesMoves => Self::PushesMoves,
            Optimal::MovesPushes => Self::MovesPushes,
        }
    }

    /// Returns the cost of a push after so many steps.
    pub(crate) fn of_push(self, walk: u16) -> u32 {
        let moves = u32::from(walk) + 1;
        match self {
            Self::Pushes => 1,
            Self::Moves => moves,
            Self::PushesMoves => 1 << 16 | moves,
            Self::MovesPushes => moves << 16 | 1,
        }
    }

    /// Returns the cost of so many steps.
    pub(crate) fn of_walk(self, walk: u16) -> u32 {
        let moves = u32::from(walk);
        match self {
            Self::Pushes => 0,
            Self::Moves | Self::PushesMoves => moves,
            Self::MovesPushes => moves << 16,
        }
    }

    /// Returns the cost that so many pushes have at least.
    pub(crate) fn of_bound(self, bound: u16) -> u32 {
        let bound = u32::from(bound);
        match self {
            Self::Pushes | Self::Moves => bound,
            Self::PushesMoves | Self::MovesPushes => bound << 16 | bound,
        }
    }
}

/// Returns the place in the queue of a node.
pub(crate) fn priority(algorithm: Algorithm, rule: CostRule, cost: u32, bound: u16) -> u64 {
    match algorithm {
        Algorithm::Greedy => u64::from(bound),
        Algorithm::AStar | Algorithm::IdaStar => {
            (u64::from(cost) + u64::from(rule.of_bound(bound))) << 16 | u64::from(bound)
        }
        Algorithm::Bfs | Algorithm::Iddfs | Algorithm::Dfs => u64::from(cost) << 16,
    }
}
