//! Freeze deadlocks: boxes that hold each other in place for good.
//!
//! The same rule as [`sokocore::FreezeCheck`], which says why it is sound: a box can move along an axis if both its
//! neighbors there are neither wall nor a frozen box, and one of the two is live. Boxes with such an axis are removed
//! until nothing changes; the rest is frozen.

use crate::board::SearchBoard;
use crate::board::bit_set::BitSet;

/// Returns whether the box just put on `sq` is frozen together with a box off goal.
#[inline]
pub(crate) fn is_deadlock<const W: usize>(board: &SearchBoard, goals: &BitSet<W>, boxes: &BitSet<W>, sq: u16) -> bool {
    !has_axis(board, boxes, sq) && !frozen(board, boxes).is_within(goals)
}

/// Returns the boxes that can never move again.
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
fn has_axis<const W: usize>(board: &SearchBoard, frozen_boxes: &BitSet<W>, sq: u16) -> bool {
    let [up, right, down, left] = board.steps(sq);
    let free = |one: u16, other: u16| {
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
    use sokocore::{FreezeCheck, PlantSpec, planted};

    proptest! {
        #[test]
        fn agrees_with_the_core((level, _) in planted(PlantSpec { boxes: 3..=9, ..PlantSpec::default() })) {
            let Some(board) = SearchBoard::new(&level) else { return Ok(()) };
            let boxes = SearchBoard::set::<1>(board.starts());
            let mut core = level.board().no_squares();
            FreezeCheck::new(&level).all_frozen(&level.start().boxes, &mut core);
            let expect: Vec<u16> = core.iter().map(|sq| board.number(sq)).collect();
            let mut found: Vec<u16> = frozen(&board, &boxes).iter().collect();
            found.sort_by_key(|&sq| board.square(sq));
            prop_assert_eq!(found, expect);
        }
    }
}
