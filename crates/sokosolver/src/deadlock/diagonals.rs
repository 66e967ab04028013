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
        // A cheap filter, not a necessary condition: most diagonals that close have another box at a corner of this one.
        // It looks at one corner on each side, and misses those that walls close.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::SearchDirection;
    use crate::board::tests::TestBoard;
    use crate::deadlock::enclosed_areas::EnclosedAreas;

    /// The cell (3, 3) has a wall on its left and boxes around, and walls over the corners at the ends of a diagonal.
    const CELL: [&str; 8] =
        ["#########", "#       #", "# #$    #", "# # $   #", "#  $#   #", "#   ... #", "#@      #", "#########"];

    fn forbids(
        test: &TestBoard,
        places: &[(usize, usize)],
        (row, column): (usize, usize),
        side: Option<usize>,
    ) -> bool {
        let (boxes, areas) = (test.set(places), EnclosedAreas::new(&test.board));
        let mut cx = TestContext { board: &test.board, learner: None, areas: &areas };
        let moved = MovedBox { boxes: boxes.view(), sq: test.sq(row, column), side };
        Diagonals::new(&test.level).forbids(moved, &mut cx)
    }

    #[test]
    fn it_is_made_for_systematic_searches_by_pushes() {
        let test = TestBoard::new(&CELL);
        let without = test.settings.clone().without(Technique::Diagonals);
        let is_made = |settings, direction| test.made_for(make, settings, direction);
        assert_eq!(is_made(&test.settings, SearchDirection::Forward), [true, false, false]);
        assert_eq!(is_made(&without, SearchDirection::Forward), [false; 3]);
        assert_eq!(is_made(&test.settings, SearchDirection::Backward), [false; 3]);
    }

    /// Whichever box was pushed last closes the diagonal; it takes all three, and a player outside.
    #[test]
    fn a_push_that_closes_a_diagonal_is_forbidden() {
        let test = TestBoard::new(&CELL);
        let closed = [(2, 3), (3, 4), (4, 3)];
        for (sq, side) in [((2, 3), 0), ((3, 4), 1), ((4, 3), 2)] {
            assert!(forbids(&test, &closed, sq, Some(side)), "{sq:?}");
            assert!(!forbids(&test, &closed, sq, None), "the player may be inside");
        }
        assert!(!forbids(&test, &closed, (2, 3), Some(2)), "the player is inside");
        for open in [[(2, 3), (3, 4), (5, 3)], [(2, 3), (3, 5), (4, 3)], [(1, 3), (3, 4), (4, 3)]] {
            for (sq, side) in [(open[0], 1), (open[1], 1), (open[2], 2)] {
                assert!(!forbids(&test, &open, sq, Some(side)), "{open:?} {sq:?}");
            }
        }
    }

    /// With a goal in the cell one of the boxes may come to rest there.
    #[test]
    fn a_goal_in_the_cell_opens_a_diagonal() {
        let rows =
            ["#########", "#       #", "# #$    #", "# #.$   #", "#  $#   #", "#    .. #", "#@      #", "#########"];
        let test = TestBoard::new(&rows);
        assert!(!forbids(&test, &[(2, 3), (3, 4), (4, 3)], (3, 4), Some(1)));
    }
}
