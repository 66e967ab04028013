//! What a push costs, and the priority of a node.
//!
//! A lexicographic cost, such as pushes and then moves, is one number: the first part times 2^16 plus the second.
//!
//! **Invariant**: the second part never carries into the first one. It saturates at [`CostRule::MOST`] instead: below
//! that a sum is exact; at it the sum is a lower bound of the cost, and its first part is exact.

use sokocore::Metrics;

use crate::{Algorithm, BoundWeight, Optimal, Settings};

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

/// What a position keeps of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlayerKey {
    /// The least square of the region: enough where walks cost nothing.
    Region,
    /// The square.
    Square,
}

impl CostRule {
    /// The second part of saturated costs.
    pub(crate) const MOST: u64 = 0xffff;

    /// Returns the rule for these settings.
    pub(crate) const fn of(settings: &Settings) -> Self {
        Self::for_optimal(settings.optimal)
    }

    /// Returns the rule for an optimality mode.
    pub(crate) const fn for_optimal(optimal: Optimal) -> Self {
        match optimal {
            Optimal::Any | Optimal::Pushes => Self::Pushes,
            Optimal::Moves => Self::Moves,
            Optimal::PushesMoves => Self::PushesMoves,
            Optimal::MovesPushes => Self::MovesPushes,
        }
    }

    /// Returns what a position has to keep of the player.
    pub(crate) const fn player_key(self) -> PlayerKey {
        match self {
            Self::Pushes => PlayerKey::Region,
            Self::Moves | Self::PushesMoves | Self::MovesPushes => PlayerKey::Square,
        }
    }

    /// Returns whether a cost has two parts.
    const fn has_two_parts(self) -> bool {
        matches!(self, Self::PushesMoves | Self::MovesPushes)
    }

    /// Adds two costs; `u64::MAX` is more than any.
    #[inline]
    pub(crate) const fn sum(self, one: u64, other: u64) -> u64 {
        if !self.has_two_parts() || one == u64::MAX || other == u64::MAX {
            return one.saturating_add(other);
        }
        let second = (one & Self::MOST) + (other & Self::MOST);
        ((one >> 16) + (other >> 16)) << 16 | if second < Self::MOST { second } else { Self::MOST }
    }

    /// Returns the least cost of a solution through a position of this cost, with this lower bound of the pushes left:
    /// f = g + h.
    #[inline]
    pub(crate) fn least(self, cost: u32, bound: u16) -> u64 {
        self.sum(u64::from(cost), self.of_bound(bound))
    }

    /// Returns g + w h of weighted A*, in percent, of the first parts of the costs: an order, no lower bound.
    #[inline]
    pub(crate) fn weighted(self, cost: u32, bound: u16, weight: BoundWeight) -> u64 {
        let [g, h] = [u64::from(cost), self.of_bound(bound)].map(|cost| self.first_part(cost));
        let percent = |weight: BoundWeight| u64::from(weight.percent());
        percent(BoundWeight::ONE) * g + percent(weight) * h
    }

    /// Returns the cost of a solution.
    pub(crate) fn of_solution(self, metrics: &Metrics) -> u64 {
        let two = |first: u64, second: u64| first << 16 | second.min(Self::MOST);
        match self {
            Self::Pushes => metrics.pushes,
            Self::Moves => metrics.moves,
            Self::PushesMoves => two(metrics.pushes, metrics.moves),
            Self::MovesPushes => two(metrics.moves, metrics.pushes),
        }
    }

    /// Returns whether a cost is exact, not saturated.
    pub(crate) const fn is_exact(self, cost: u64) -> bool {
        !self.has_two_parts() || cost & Self::MOST < Self::MOST
    }

    /// Returns the first part of a cost: pushes or moves.
    pub(crate) const fn first_part(self, cost: u64) -> u64 {
        if self.has_two_parts() { cost >> 16 } else { cost }
    }

    /// Returns the least cost with this first part.
    pub(crate) const fn with_first_part(self, first: u64) -> u64 {
        if self.has_two_parts() { first << 16 } else { first }
    }

    /// Returns how many pushes a cost counts, if it does.
    pub(crate) const fn depth(self, cost: u32) -> Option<u64> {
        match self {
            Self::Pushes => Some(cost as u64),
            Self::Moves => None,
            Self::PushesMoves => Some((cost >> 16) as u64),
            Self::MovesPushes => Some((cost & 0xffff) as u64),
        }
    }

    /// Returns the cost of a push after so many steps.
    pub(crate) fn of_push(self, walk: u16) -> u32 {
        let moves = u32::from(walk.saturating_add(1));
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

    /// Returns the least cost of so many pushes.
    pub(crate) fn of_bound(self, bound: u16) -> u64 {
        let bound = u64::from(bound);
        match self {
            Self::Pushes | Self::Moves => bound,
            Self::PushesMoves | Self::MovesPushes => bound << 16 | bound,
        }
    }
}

/// Returns the priority of a node in the open list; the least comes first.
pub(crate) fn priority(algorithm: Algorithm, weight: BoundWeight, rule: CostRule, cost: u32, bound: u16) -> u64 {
    match algorithm {
        Algorithm::Greedy => u64::from(bound),
        Algorithm::AStar if weight != BoundWeight::ONE => rule.weighted(cost, bound, weight) << 16 | u64::from(bound),
        Algorithm::AStar | Algorithm::IdaStar => rule.least(cost, bound) << 16 | u64::from(bound),
        Algorithm::Bfs | Algorithm::Iddfs | Algorithm::Dfs => u64::from(cost) << 16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second part beyond what a cost can hold does not change the first part, and the order of first parts is kept.
    #[test]
    fn the_second_part_never_becomes_a_first_one() {
        let rule = CostRule::PushesMoves;
        let cost = rule.sum(5 << 16 | 40_000, 2 << 16 | 30_000);
        assert_eq!((rule.first_part(cost), rule.is_exact(cost)), (7, false));
        let least = rule.least(3 << 16 | 65_000, 600);
        assert_eq!((rule.first_part(least), rule.is_exact(least)), (603, false));
        let metrics = Metrics { pushes: 7, moves: 70_000, ..Metrics::default() };
        assert_eq!(rule.of_solution(&metrics), cost);
        assert!(rule.with_first_part(8) > cost && rule.with_first_part(7) < cost);
        assert_eq!(CostRule::Moves.sum(40_000, 40_000), 80_000);
        assert_eq!(CostRule::MovesPushes.depth(9 << 16 | 4), Some(4));
    }
}
