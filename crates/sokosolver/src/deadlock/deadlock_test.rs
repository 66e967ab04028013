//! The interface of all deadlock tests: what they are asked, and what they answer.
//!
//! ```text
//!   a push, before its position is stored        forbids        ──▶  yes, no
//!   a position that is about to be expanded      proves_dead    ──▶  yes, no        may search, and learn
//!                                                restrict       ──▶  Prune          all pushes, some, or none
//! ```
//!
//! **Soundness**: a position for which a test answers *yes*, and a push that it leaves out, are on no solution that is
//! needed. A test that loses walks, such as PI-corrals, belongs to a technique that `systematic::effective` switches off
//! where moves count. Packing and feature space search prove nothing, and may use a test as a heuristic.

use std::fmt;

use sokocore::FloorSquare;

use crate::board::bit_set::BitView;
use crate::board::{Flood, SearchBoard};
use crate::deadlock::enclosed_areas::EnclosedAreas;
use crate::deadlock::learner::DeadlockLearner;

/// A push or a pull just made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovedBox<'a> {
    /// The squares of all boxes after it.
    pub(crate) boxes: BitView<'a>,
    /// The square of the box that was moved.
    pub(crate) sq: FloorSquare,
    /// The side of the box where the player stands. `None` if that is not known: the answer must then hold for every
    /// square of the player.
    pub(crate) side: Option<usize>,
}

/// A position that is about to be expanded, flooded from the player's square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloodedPosition<'a> {
    /// The squares of all boxes.
    pub(crate) boxes: BitView<'a>,
    /// The same squares in the order in which the search looks at them.
    pub(crate) squares: &'a [FloorSquare],
    pub(crate) player: FloorSquare,
    pub(crate) flood: &'a Flood,
    /// The most boxes of a corral that restricts the pushes.
    pub(crate) max_corral: usize,
}

impl<'a> FloodedPosition<'a> {
    /// Describes a position in which corrals of any size restrict the pushes.
    pub(crate) const fn new(
        boxes: BitView<'a>,
        squares: &'a [FloorSquare],
        player: FloorSquare,
        flood: &'a Flood,
    ) -> Self {
        Self { boxes, squares, player, flood, max_corral: usize::MAX }
    }

    /// Returns whether there is free floor that the player does not reach.
    pub(crate) fn is_closed(&self, board: &SearchBoard) -> bool {
        self.flood.n_reached() + self.squares.len() < board.n_squares()
    }
}

/// What a position says about its pushes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Prune {
    /// Any box may have to be pushed.
    All,
    /// Only the boxes on these squares need be pushed.
    Only(Vec<FloorSquare>),
    /// The position is on no solution.
    Dead,
}

/// What tests share.
#[derive(Debug)]
pub(crate) struct TestContext<'a> {
    pub(crate) board: &'a SearchBoard,
    /// The database and its proofs; `None` if the search learns nothing.
    pub(crate) learner: Option<&'a mut DeadlockLearner>,
    /// The enclosed areas of the position that is examined; outdated while a push is tested.
    pub(crate) areas: &'a EnclosedAreas,
}

/// A deadlock test. It may keep scratch space and caches; its answers depend on the question and on what was learned.
pub(crate) trait DeadlockTest: fmt::Debug + Send {
    /// Returns whether the test reads [`TestContext::areas`]; they are found only if some test does.
    fn reads_areas(&self) -> bool {
        false
    }

    /// Returns whether a push, or a pull in a search by pulls, leads to a position on no solution.
    fn forbids(&mut self, _moved: MovedBox<'_>, _cx: &mut TestContext<'_>) -> bool {
        false
    }

    /// Returns whether a position is on no solution; asked once for each position, so proofs belong here.
    fn proves_dead(&mut self, _position: &FloodedPosition<'_>, _cx: &mut TestContext<'_>) -> bool {
        false
    }

    /// Restricts the pushes of a position. In a search that generates the pushes of a position more than once, feature
    /// space search, the answer depends on the position alone; [`super::packing_corral`] also proves and learns.
    fn restrict(&mut self, _position: &FloodedPosition<'_>, _cx: &mut TestContext<'_>) -> Prune {
        Prune::All
    }

    /// Returns the boxes that the last call of [`DeadlockTest::restrict`] showed to be immovable, all on goals.
    fn immovable(&self) -> &[FloorSquare] {
        &[]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::TestBoard;

    #[derive(Debug)]
    struct Silent;

    impl DeadlockTest for Silent {}

    /// The three squares on the left are beyond the box in the door; without it the player reaches all squares.
    #[test]
    fn a_position_is_closed_if_free_floor_is_beyond_reach() {
        let test = TestBoard::new(&["########", "# #  . #", "#  $@  #", "# #  $.#", "########"]);
        let is_closed = |places: &[(usize, usize)]| {
            let (boxes, squares) = (test.set(places), test.squares(places));
            let flood = test.flood(&boxes, test.board.player());
            FloodedPosition::new(boxes.view(), &squares, test.board.player(), &flood).is_closed(&test.board)
        };
        assert!(is_closed(&[(2, 2), (2, 5)]) && is_closed(&[(2, 2)]));
        assert!(!is_closed(&[(2, 5), (3, 5)]) && !is_closed(&[(2, 5)]) && !is_closed(&[]));
        let all_else = [(1, 3), (1, 4), (1, 5), (1, 6), (2, 2), (2, 3), (2, 5), (3, 3), (3, 4), (3, 5)];
        assert!(is_closed(&all_else), "most squares are taken, and a few are beyond reach");
    }

    #[test]
    fn a_test_answers_nothing_unless_it_says_so() {
        let test = TestBoard::new(&["######", "#@$ .#", "######"]);
        let areas = EnclosedAreas::new(&test.board);
        let mut cx = TestContext { board: &test.board, learner: None, areas: &areas };
        let boxes = test.set(&[(1, 2)]);
        let flood = test.flood(&boxes, test.board.player());
        let position = FloodedPosition::new(boxes.view(), test.board.starts(), test.board.player(), &flood);
        let moved = MovedBox { boxes: boxes.view(), sq: test.sq(1, 2), side: None };
        assert!(!Silent.reads_areas() && !Silent.forbids(moved, &mut cx) && !Silent.proves_dead(&position, &mut cx));
        assert_eq!(Silent.restrict(&position, &mut cx), Prune::All);
        assert!(Silent.immovable().is_empty());
    }
}
