//! Boxes off a target position that touch a wall or another box.

use sokocore::FloorSquare;

use crate::board::SearchBoard;
use crate::board::bit_set::BitSet;

/// Counts the boxes off the target position that touch a wall or a box.
pub(crate) fn n_crowded<const W: usize>(board: &SearchBoard, boxes: &BitSet<W>, target: &BitSet<W>) -> u64 {
    let touches = |sq: FloorSquare| board.steps(sq).into_iter().any(|next| next == board.wall() || boxes.has(next));
    boxes.without(target).iter().filter(|&sq| touches(sq)).count() as u64
}
