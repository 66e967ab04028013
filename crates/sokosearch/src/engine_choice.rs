//! The choice between the engines, and how much memory each needs.

use sokocore::{Metric, Objective};

use crate::{ClosedSet, MemoryAccount, Order};

/// A choice of engines. They agree on the two metrics that an order counts, which property tests check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Backward, with all six metrics refined, where the order counts moves and pushes; else as the reference.
    #[default]
    Fast,
    /// The lockstep search of the YASO description: simple, forward.
    Reference,
}

impl Engine {
    pub(crate) fn is_backward(self, order: Order) -> bool {
        self == Self::Fast && matches!(order, Order::MovesPushes | Order::PushesMoves)
    }

    /// Bytes that a search in this order keeps for each configuration.
    pub(crate) fn bytes_per_config(self, order: Order, n_squares: usize) -> u64 {
        let (bits, more) = if self.is_backward(order) { (2, 1) } else { (order.n_planes(), 0) };
        ClosedSet::bytes_for(8, n_squares, bits) / 8 + more
    }

    /// Bytes that configurations and tables of their states may take; the rest is for queues.
    pub(crate) fn byte_limit(self, order: Order, account: &MemoryAccount) -> u64 {
        account.free() / 10 * if self.is_backward(order) { 8 } else { 4 }
    }

    /// Returns whether the engines count the objective's first metric. If not, [`crate::search_by_objective`] does
    /// without them.
    #[must_use]
    pub fn counts(objective: &Objective) -> bool {
        !matches!(objective.order()[0], Metric::BoxChanges | Metric::PushingSessions | Metric::PlayerLines)
    }

    /// Returns whether a search through the whole space of a level proves its result optimal in all six metrics.
    #[must_use]
    pub fn proves(self, objective: &Objective) -> bool {
        let [first, second, ..] = *objective.order();
        let exact = first == Metric::Moves || (first == Metric::Pushes && second == Metric::Moves);
        exact && self.is_backward(Order::of(objective))
    }
}
