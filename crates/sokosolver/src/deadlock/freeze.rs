//! Freeze deadlocks: boxes that hold each other in place for good.
//!
//! A box can move along an axis if both its neighbors there are neither wall nor a frozen box, and one of the two is
//! live. A box that can move along neither axis is frozen; a group of frozen boxes of which one is off goal is a
//! deadlock. [`sokocore::FreezeCheck`] says why this is sound.
//!
//! Two algorithms, compared by a property test: [`Freeze`] starts from one box, follows what blocks it and then what it
//! blocks, which mostly ends at once; [`frozen`] removes movable boxes from the whole set until nothing changes.
//!
//! Invariant of [`Freeze`]: while a box is tested it counts as a wall for its neighbors, and boxes found frozen by
//! assuming that another one is are forgotten when that one is not.

use sokocore::FloorSquare;

use crate::board::SearchBoard;
use crate::board::bit_set::{BitSet, BitView};

/// The test of one box, with scratch space.
#[derive(Clone, Debug, Default)]
pub(crate) struct Freeze {
    /// The boxes found frozen, or tested at present.
    found: Vec<FloorSquare>,
}

impl Freeze {
    /// Returns whether the box, just moved, freezes a group of which some box is off goal: itself, and boxes that it
    /// holds.
    #[inline]
    pub(crate) fn is_dead(&mut self, board: &SearchBoard, boxes: BitView<'_>, sq: FloorSquare) -> bool {
        self.is_frozen(board, boxes, sq) && self.has_off_goal(board, boxes)
    }

    /// Returns whether some box is off goal among those found, or among those that are frozen since these are.
    fn has_off_goal(&mut self, board: &SearchBoard, boxes: BitView<'_>) -> bool {
        let mut at = 0;
        while let Some(&sq) = self.found.get(at) {
            if !board.is_goal(sq) {
                return true;
            }
            for next in board.steps(sq) {
                if boxes.has(next) && !self.found.contains(&next) {
                    self.test(board, boxes, next);
                }
            }
            at += 1;
        }
        false
    }

    /// Returns whether the box on the square is frozen.
    #[inline]
    pub(crate) fn is_frozen(&mut self, board: &SearchBoard, boxes: BitView<'_>, sq: FloorSquare) -> bool {
        self.found.clear();
        self.test(board, boxes, sq)
    }

    fn test(&mut self, board: &SearchBoard, boxes: BitView<'_>, sq: FloorSquare) -> bool {
        let before = self.found.len();
        self.found.push(sq);
        if self.is_blocked(board, boxes, sq, 0) && self.is_blocked(board, boxes, sq, 1) {
            return true;
        }
        self.found.truncate(before);
        false
    }

    fn is_blocked(&mut self, board: &SearchBoard, boxes: BitView<'_>, sq: FloorSquare, axis: usize) -> bool {
        let (a, b) = (board.step(sq, axis), board.step(sq, axis + 2));
        if a == board.wall() || b == board.wall() || !board.is_live(a) && !board.is_live(b) {
            return true;
        }
        [a, b].into_iter().any(|next| boxes.has(next) && (self.found.contains(&next) || self.test(board, boxes, next)))
    }
}

/// Returns all boxes that are frozen.
pub(crate) fn frozen<const W: usize>(board: &SearchBoard, boxes: &BitSet<W>) -> BitSet<W> {
    let mut frozen_boxes = *boxes;
    loop {
        let before = frozen_boxes;
        for sq in before.iter() {
            if has_axis(board, &frozen_boxes, sq) {
                frozen_boxes.remove(sq);
            }
        }
        if frozen_boxes == before {
            return frozen_boxes;
        }
    }
}

#[inline]
fn has_axis<const W: usize>(board: &SearchBoard, frozen_boxes: &BitSet<W>, sq: FloorSquare) -> bool {
    let [up, right, down, left] = board.steps(sq);
    let free = |one: FloorSquare, other: FloorSquare| {
        one != board.wall()
            && other != board.wall()
            && (board.is_live(one) || board.is_live(other))
            && !frozen_boxes.has(one)
            && !frozen_boxes.has(other)
    };
    free(up, down) || free(left, right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{prop_assert_eq, proptest};
    use sokocore::{FreezeCheck, Level, PlantSpec, planted};

    proptest! {
        #[test]
        fn all_three_algorithms_agree((level, _) in planted(PlantSpec { boxes: 3..=9, ..PlantSpec::default() })) {
            let Some(board) = SearchBoard::new(&level) else { return Ok(()) };
            let boxes = SearchBoard::set::<2>(board.starts());
            let mut core = level.board().no_squares();
            FreezeCheck::new(&level).all_frozen(&level.start().boxes, &mut core);
            let expect: Vec<FloorSquare> = core.iter().map(|sq| board.number(sq)).collect();
            let in_order = |mut squares: Vec<FloorSquare>| {
                squares.sort_by_key(|&sq| board.square(sq));
                squares
            };
            prop_assert_eq!(&in_order(frozen(&board, &boxes).iter().collect()), &expect);
            let mut freeze = Freeze::default();
            let one_by_one = boxes.iter().filter(|&sq| freeze.is_frozen(&board, boxes.view(), sq)).collect();
            prop_assert_eq!(in_order(one_by_one), expect);
            let is_dead = boxes.iter().any(|sq| freeze.is_dead(&board, boxes.view(), sq));
            prop_assert_eq!(is_dead, frozen(&board, &boxes).iter().any(|sq| !board.goals().contains(&sq)));
        }
    }

    #[test]
    fn boxes_freeze_each_other_and_are_dead_off_goal_only() {
        let check = |rows: &[&str], boxes: &[(usize, usize)]| {
            let level = Level::parse(&rows.join("\n")).unwrap();
            let board = SearchBoard::new(&level).unwrap();
            let squares: Vec<FloorSquare> = boxes
                .iter()
                .map(|&(row, column)| board.number(level.board().square_at(row, column).unwrap()))
                .collect();
            let (set, mut freeze) = (SearchBoard::set::<2>(&squares), Freeze::default());
            (freeze.is_frozen(&board, set.view(), squares[0]), freeze.is_dead(&board, set.view(), squares[0]))
        };
        let hall = ["########", "#      #", "#  $$  #", "#  $$  #", "#@.... #", "########"];
        assert_eq!(check(&hall, &[(3, 3), (2, 3), (2, 4), (3, 4)]), (true, true));
        assert_eq!(check(&hall, &[(3, 3), (2, 3), (2, 4)]), (false, false));
        let at_goals = ["########", "#      #", "#@$$   #", "#..    #", "########"];
        assert_eq!(check(&at_goals, &[(3, 1), (3, 2)]), (true, false));
        let corner = ["########", "#.     #", "#  $$  #", "#   . @#", "########"];
        assert_eq!(check(&corner, &[(1, 1), (1, 2)]), (true, true), "the box on the goal freezes the other");
    }
}
