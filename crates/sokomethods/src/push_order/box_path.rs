//! The way of one box to a square with the fewest moves, while all other boxes stay where they are.
//!
//! A* (Hart, Nilsson and Raphael, *IEEE Transactions on Systems Science and Cybernetics* 4, 1968) over the squares of the box
//! and the directions that it was pushed in. The player walks to the next side around all boxes. A push is one move, so the
//! distance of the box among walls alone is a lower bound of what is left.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sokocore::{Direction, Push, Square};

use super::PushOrder;
use super::link::Link;

/// A position of the box, with the player behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct OpenPosition {
    /// A lower bound of the moves of a whole path, f = g + h.
    least: u32,
    moves: u32,
    sq: Square,
    /// The direction of the last push; `None` at the beginning.
    last: Option<Direction>,
}

/// The best way known to a position.
#[derive(Clone, Copy, Debug, Default)]
struct BoxPathNode {
    /// The number of the search that has found it.
    round: u32,
    moves: u32,
    /// The direction of the push before the last one.
    before: Option<Direction>,
}

/// Scratch space of the searches on one board.
#[derive(Debug)]
pub(crate) struct BoxPathSearch {
    /// For each square and direction of the last push.
    nodes: Vec<BoxPathNode>,
    round: u32,
    open: BinaryHeap<Reverse<OpenPosition>>,
    /// Positions expanded since [`BoxPathSearch::take_expanded`].
    n_expanded: u64,
}

impl BoxPathSearch {
    pub(crate) fn new(order: &PushOrder<'_>) -> Self {
        let n_nodes = Direction::ALL.len() * order.level.board().n_squares();
        Self { nodes: vec![BoxPathNode::default(); n_nodes], round: 0, open: BinaryHeap::new(), n_expanded: 0 }
    }

    /// Returns how many positions were expanded since the last call.
    pub(crate) const fn take_expanded(&mut self) -> u64 {
        std::mem::replace(&mut self.n_expanded, 0)
    }

    /// Fills `path` with the pushes of the box `n` from one square to another, from where the links played have led. The box is
    /// on the first square, and the other is free. Returns false if no path has fewer moves than `limit`.
    pub(crate) fn find(
        &mut self,
        order: &mut PushOrder<'_>,
        (from, to): (Square, Square),
        n: u16,
        limit: u32,
        path: &mut Vec<Link>,
    ) -> bool {
        path.clear();
        self.round += 1;
        self.open.clear();
        let player = order.state.player();
        self.open.push(Reverse(OpenPosition { least: 0, moves: 0, sq: from, last: None }));
        while let Some(Reverse(position)) = self.open.pop() {
            if position.least >= limit {
                return false;
            }
            if position.sq == to {
                self.trace(order, position, n, path);
                return true;
            }
            let is_outdated = |dir| self.nodes[position_number(position.sq, dir)].moves < position.moves;
            if !position.last.is_some_and(is_outdated) {
                let behind = position.last.and_then(|dir| order.level.board().step(position.sq, dir.opposite()));
                order.state.shift(from, position.sq, behind.unwrap_or(player));
                self.expand(order, position, to);
                order.state.shift(position.sq, from, player);
            }
        }
        false
    }

    /// Inserts the positions after one more push.
    fn expand(&mut self, order: &mut PushOrder<'_>, position: OpenPosition, to: Square) {
        self.n_expanded += 1;
        for dir in Direction::ALL {
            let Some(link) = Link::of(order.level.board(), Push { from: position.sq, dir }, 0) else { continue };
            if !order.state.fits(&link) {
                continue;
            }
            let Some(walk) = order.state.walk(&link) else { continue };
            let moves = position.moves + walk + 1;
            let node = &mut self.nodes[position_number(link.to, dir)];
            if node.round < self.round || moves < node.moves {
                *node = BoxPathNode { round: self.round, moves, before: position.last };
                let least = moves + order.state.walls().distance(link.to, to);
                self.open.push(Reverse(OpenPosition { least, moves, sq: link.to, last: Some(dir) }));
            }
        }
    }

    /// Fills `path` with the pushes to a position.
    fn trace(&self, order: &PushOrder<'_>, end: OpenPosition, n: u16, path: &mut Vec<Link>) {
        let (mut sq, mut last) = (end.sq, end.last);
        while let Some(dir) = last {
            last = self.nodes[position_number(sq, dir)].before;
            let pushed = order.level.board().step(sq, dir.opposite()).map(|from| Push { from, dir });
            let Some(link) = pushed.and_then(|push| Link::of(order.level.board(), push, n)) else { break };
            path.push(link);
            sq = link.push.from;
        }
        path.reverse();
    }
}

/// Returns the number of the position of a box that was last pushed onto a square in a direction.
pub(crate) const fn position_number(sq: Square, dir: Direction) -> usize {
    Direction::ALL.len() * sq.idx() + dir.idx()
}
