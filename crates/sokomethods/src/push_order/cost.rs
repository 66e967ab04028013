//! The cost of consecutive pushes in the four metrics that reordering can change.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

use sokocore::Metrics;

/// Moves, box lines, box changes and pushing sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OrderCost {
    pub(crate) moves: u32,
    pub(crate) box_lines: u32,
    pub(crate) box_changes: u32,
    pub(crate) pushing_sessions: u32,
}

impl OrderCost {
    /// Returns the metrics of a whole solution of this cost, without player lines.
    pub(crate) fn metrics(self, n_pushes: usize) -> Metrics {
        Metrics {
            moves: u64::from(self.moves),
            pushes: n_pushes as u64,
            box_lines: u64::from(self.box_lines),
            box_changes: u64::from(self.box_changes),
            pushing_sessions: u64::from(self.pushing_sessions),
            player_lines: 0,
        }
    }
}

impl Add for OrderCost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            moves: self.moves.wrapping_add(other.moves),
            box_lines: self.box_lines.wrapping_add(other.box_lines),
            box_changes: self.box_changes.wrapping_add(other.box_changes),
            pushing_sessions: self.pushing_sessions.wrapping_add(other.pushing_sessions),
        }
    }
}

impl AddAssign for OrderCost {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Differences may be negative in between: they wrap, and wrap back when the rest is added.
impl Sub for OrderCost {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            moves: self.moves.wrapping_sub(other.moves),
            box_lines: self.box_lines.wrapping_sub(other.box_lines),
            box_changes: self.box_changes.wrapping_sub(other.box_changes),
            pushing_sessions: self.pushing_sessions.wrapping_sub(other.pushing_sessions),
        }
    }
}

impl Sum for OrderCost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::default(), Add::add)
    }
}
