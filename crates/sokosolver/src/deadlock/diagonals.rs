//! Closed diagonals of boxes: [`sokocore::DiagonalCheck`] on a [`SearchBoard`].

use sokocore::{DiagonalCheck, FloorSquare, Level, SquareSet};

use crate::board::SearchBoard;
use crate::board::bit_set::BitView;
use crate::deadlock::deadlock_test::{DeadlockTest, MovedBox, TestContext};
use crate::deadlock::library_parts::LibraryParts;
use crate::technique::Technique;

/// Makes the test for systematic searches by pushes.
pub(crate) fn make(parts: &LibraryParts<'_>) -> Option<Box<dyn DeadlockTest>> {
    let is_wanted = parts.is_systematic() && parts.is_by_pushes() && parts.settings.uses(Technique::Diagonals);
    is_wanted.then(|| Box::new(Diagonals::new(parts.level)) as _)
}

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
    fn is_deadlock(&mut self, board: &SearchBoard, boxes: BitView<'_>, player: FloorSquare, sq: FloorSquare) -> bool {
        // A diagonal that closes has another box at a corner of this one, or a wall beyond its gap.
        let has_neighbor = (0..4).any(|dir| {
            let next = board.step(sq, dir);
            next != board.wall() && !boxes.has(next) && boxes.has(board.step(next, dir + 1))
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

impl DeadlockTest for Diagonals {
    fn forbids(&mut self, moved: MovedBox<'_>, cx: &mut TestContext<'_>) -> bool {
        let player = |side| cx.board.step(moved.sq, side);
        moved.side.is_some_and(|side| self.is_deadlock(cx.board, moved.boxes, player(side), moved.sq))
    }
}
