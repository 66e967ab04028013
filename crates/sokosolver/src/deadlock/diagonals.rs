//! Closed diagonals of boxes: [`sokocore::DiagonalCheck`] on a [`SearchBoard`].

use sokocore::{DiagonalCheck, Level, SquareSet};

use crate::board::SearchBoard;
use crate::board::bit_set::BitSet;

/// The check, with scratch space for a position in the level's own numbers.
#[derive(Clone, Debug)]
pub(crate) struct Diagonals {
    check: DiagonalCheck,
    boxes: SquareSet,
}

impl Diagonals {
    /// Prepares the check of a level.
    pub(crate) fn new(level: &Level) -> Self {
        Self { check: DiagonalCheck::new(level), boxes: level.board().no_squares() }
    }

    /// Returns whether the box just pushed to `sq` closes a diagonal that is a deadlock.
    #[inline]
    pub(crate) fn is_deadlock<const W: usize>(
        &mut self,
        board: &SearchBoard,
        boxes: &BitSet<W>,
        player: u16,
        sq: u16,
    ) -> bool {
        // A diagonal that closes has another box at a corner of this one, or a wall beyond its gap.
        let has_neighbor = (0..4).any(|dir| {
            let next = board.step(sq, dir);
            let corner = board.step(next.min(board.wall() - 1), dir + 1);
            next != board.wall() && !boxes.has(next) && boxes.has(corner)
        });
        if !has_neighbor {
            return false;
        }
        self.boxes.clear();
        for sq in boxes.iter() {
            self.boxes.insert(board.square(sq));
        }
        self.check.is_deadlock(&self.boxes, board.square(player), board.square(sq))
    }
}
