//! One push of an order, with the walk that leads to it.

use sokocore::{Board, Push, Square};

use super::cost::OrderCost;

/// A push of the solution and the walk that leads to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) push: Push,
    /// Square of the box after the push.
    pub(crate) to: Square,
    /// Square that the player pushes from.
    pub(crate) stand: Square,
    /// Number of the box.
    pub(crate) n: u16,
    /// Steps walked before the push.
    pub(crate) walk: u32,
    /// Whether a push right before it was taken out of the solution.
    pub(crate) is_cut: bool,
}

impl Link {
    /// Makes the link of a push, without its walk; `None` if a wall is in its way.
    pub(crate) fn of(board: &Board, push: Push, n: u16) -> Option<Self> {
        Some(Self { push, to: push.to(board)?, stand: push.stand(board)?, n, walk: 0, is_cut: false })
    }

    /// Returns whether it continues the box line of `prior`: no walk is between them, and no push was taken out there.
    pub(crate) const fn continues_box_line(&self, prior: &Self) -> bool {
        self.n == prior.n && self.walk == 0 && !self.is_cut
    }

    /// Returns the cost of the link after `prior`, with a walk of so many steps in between.
    pub(crate) fn cost(&self, prior: Option<&Self>, walk: u32) -> OrderCost {
        let same_box = prior.is_some_and(|prior| prior.n == self.n);
        let same_line = same_box && prior.is_some_and(|prior| prior.push.dir == self.push.dir);
        OrderCost {
            moves: walk + 1,
            box_lines: u32::from(!same_line),
            box_changes: u32::from(!same_box),
            pushing_sessions: u32::from(walk > 0 || prior.is_none()),
        }
    }
}
