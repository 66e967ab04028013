//! The orders in which engines expand states.
//!
//! A cost is a pair of numbers compared lexicographically, and every step adds 0 or 1 to each. So the nodes that an
//! expansion generates have the current cost, the next one, or belong to the next layer: queues stay sorted.
//!
//! | order | walk | push | push along the line |
//! |---|---|---|---|
//! | moves/pushes | 1, 0 | 1, 1 | |
//! | pushes/moves | 0, 1 | 1, 1 | |
//! | pushes only | 0, 0 | 1, 0 | |
//! | box lines/moves | 0, 1 | 1, 1 | 0, 1 |
//! | box lines/pushes | 0, 0 | 1, 1 | 0, 1 |

use sokocore::{Metric, Metrics, Objective, Walks};

/// The cost of a path in some order, first metric first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    /// The metric that decides.
    pub primary: u32,
    /// The metric that decides among equals.
    pub secondary: u32,
}

impl Cost {
    const fn new(primary: u32, secondary: u32) -> Self {
        Self { primary, secondary }
    }

    pub(crate) const fn plus(self, step: Self) -> Self {
        Self::new(self.primary + step.primary, self.secondary + step.secondary)
    }

    /// Returns the cost that is left after `spent`, metric by metric.
    pub(crate) const fn minus(self, spent: Self) -> Self {
        Self::new(self.primary.saturating_sub(spent.primary), self.secondary.saturating_sub(spent.secondary))
    }

    /// Returns how much less than `other` this is.
    pub(crate) fn gain_over(self, other: Self) -> Gain {
        let less = |one: u32, other: u32| i64::from(other) - i64::from(one);
        Gain { primary: less(self.primary, other.primary), secondary: less(self.secondary, other.secondary) }
    }
}

/// By how much one cost is less than another; the first metric decides, and positive means better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Gain {
    pub(crate) primary: i64,
    pub(crate) secondary: i64,
}

/// One of the five search orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Moves, then pushes.
    MovesPushes,
    /// Pushes, then moves.
    PushesMoves,
    /// Pushes; the player's walks are floods.
    PushesOnly,
    /// Box lines, then moves.
    LinesMoves,
    /// Box lines, then pushes.
    LinesPushes,
}

impl Order {
    /// Returns the order closest to an objective. Metrics that no order has (box changes, sessions, player lines) are
    /// skipped here; they still count when solutions are compared.
    #[must_use]
    pub fn of(objective: &Objective) -> Self {
        let mut known = objective
            .order()
            .iter()
            .filter(|metric| matches!(metric, Metric::Moves | Metric::Pushes | Metric::BoxLines));
        match (known.next(), known.next()) {
            (Some(Metric::BoxLines), Some(Metric::Pushes)) => Self::LinesPushes,
            (Some(Metric::BoxLines), _) => Self::LinesMoves,
            (Some(Metric::Pushes), _) if objective.walks() == Walks::Ignored => Self::PushesOnly,
            (Some(Metric::Pushes), _) => Self::PushesMoves,
            _ => Self::MovesPushes,
        }
    }

    /// Returns what a path with these metrics costs in this order.
    #[must_use]
    pub fn cost(self, metrics: &Metrics) -> Cost {
        let [moves, pushes, lines] = [metrics.moves, metrics.pushes, metrics.box_lines];
        let (primary, secondary) = match self {
            Self::MovesPushes => (moves, pushes),
            Self::PushesMoves => (pushes, moves),
            Self::PushesOnly => (pushes, 0),
            Self::LinesMoves => (lines, moves),
            Self::LinesPushes => (lines, pushes),
        };
        Cost::new(u32::try_from(primary).unwrap_or(u32::MAX), u32::try_from(secondary).unwrap_or(u32::MAX))
    }

    pub(crate) const fn walk(self) -> Cost {
        match self {
            Self::MovesPushes => Cost::new(1, 0),
            Self::PushesMoves | Self::LinesMoves => Cost::new(0, 1),
            Self::PushesOnly | Self::LinesPushes => Cost::new(0, 0),
        }
    }

    pub(crate) const fn push(self) -> Cost {
        match self {
            Self::PushesOnly => Cost::new(1, 0),
            _ => Cost::new(1, 1),
        }
    }

    /// A push of the same box in the same direction as the push just made.
    pub(crate) const fn push_along(self) -> Cost {
        if self.counts_lines() { Cost::new(0, 1) } else { self.push() }
    }

    /// The moves in a cost, in the two orders that count moves and pushes.
    pub(crate) const fn moves_in(self, cost: Cost) -> Option<u32> {
        match self {
            Self::MovesPushes => Some(cost.primary),
            Self::PushesMoves => Some(cost.secondary),
            _ => None,
        }
    }

    pub(crate) const fn counts_lines(self) -> bool {
        matches!(self, Self::LinesMoves | Self::LinesPushes)
    }

    /// Planes of the closed set: where lines count, a state just after a push in some direction differs from the
    /// same state reached by walking, because pushing on is cheaper from it.
    pub(crate) const fn n_planes(self) -> usize {
        if self.counts_lines() { 5 } else { 1 }
    }

    /// Whether pushes may be marked when they are generated. Only in moves/pushes order a state generated later never
    /// costs less: equal configurations have push counts of equal parity (traps 1 to 3).
    pub(crate) const fn marks_generated_pushes(self) -> bool {
        matches!(self, Self::MovesPushes)
    }
}
