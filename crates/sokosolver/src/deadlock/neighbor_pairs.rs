//! Pairs of neighboring boxes, each examined once.
//!
//! Most small deadlocks are of two boxes side by side, at a corner, or with one square between them. A table of all
//! pairs takes longer than most searches along an order; here a pair is examined when a push first brings it about.
//! This takes the place of the patterns that Brian Damgaard's YASS makes before it searches.
//!
//! Invariant: one bit for each square, side of the player and place of the neighbor.

use sokocore::FloorSquare;

use crate::board::SearchBoard;
use crate::deadlock::deadlock_test::{DeadlockTest, MovedBox, TestContext};
use crate::deadlock::library_parts::LibraryParts;
use crate::technique::Technique;

/// Makes the test for searches along packing orders; all others have tables of all pairs.
pub(crate) fn make(parts: &LibraryParts<'_>) -> Option<Box<dyn DeadlockTest>> {
    let is_wanted = parts.is_packing() && parts.settings.uses(Technique::Pairs);
    is_wanted.then(|| Box::new(NeighborPairs::new(parts.board)) as _)
}

/// The pairs examined so far.
#[derive(Debug)]
pub(crate) struct NeighborPairs {
    /// For each square and side, a bit for each place.
    met: Vec<u16>,
}

impl NeighborPairs {
    /// Makes an empty set.
    pub(crate) fn new(board: &SearchBoard) -> Self {
        Self { met: vec![0; board.n_live() * 4] }
    }

    /// Returns a neighbor of the box just pushed whose pair is not examined yet, and marks the pair.
    pub(crate) fn next_new(&mut self, board: &SearchBoard, moved: MovedBox<'_>) -> Option<FloorSquare> {
        let MovedBox { boxes, sq, side } = moved;
        let side = side?;
        let met = &mut self.met[sq.idx() * 4 + side];
        for dir in 0..4 {
            let next = board.step(sq, dir);
            if next == board.wall() {
                continue;
            }
            let places = [next, board.step(next, dir), board.step(next, dir + 1), board.step(next, dir + 3)];
            for (place, other) in places.into_iter().enumerate() {
                let bit = 1 << (dir * 4 + place);
                if *met & bit == 0 && boxes.has(other) {
                    *met |= bit;
                    return Some(other);
                }
            }
        }
        None
    }
}

impl DeadlockTest for NeighborPairs {
    fn forbids(&mut self, moved: MovedBox<'_>, cx: &mut TestContext<'_>) -> bool {
        let Some(learner) = cx.learner.as_deref_mut() else { return false };
        while let Some(other) = self.next_new(cx.board, moved) {
            let player = moved.side.map_or(moved.sq, |side| cx.board.step(moved.sq, side));
            if learner.proves_pair([moved.sq, other], player) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests;
