//! Boxes that cannot be moved now, wherever the player is.

use sokocore::FloorSquare;

use crate::board::SearchBoard;
use crate::board::bit_set::BitSet;
use crate::deadlock::freeze::Freeze;
use crate::fess::tables::FessTables;

/// Counts the boxes off goal that no push can move without a deadlock.
pub(crate) fn n_stuck_by_pushes<const W: usize>(tables: &FessTables<W>, boxes: &BitSet<W>, freeze: &mut Freeze) -> u64 {
    let board = tables.board();
    let mut can_go = |sq: FloorSquare, dir: usize| {
        let (to, stand) = (board.step(sq, dir), board.step(sq, dir ^ 2));
        board.is_live(to)
            && !boxes.has(to)
            && stand != board.wall()
            && !boxes.has(stand)
            && !freeze.is_dead(board, boxes.moved(sq, to).view(), to)
    };
    boxes.iter().filter(|&sq| !tables.goals.has(sq) && !(0..4).any(|dir| can_go(sq, dir))).count() as u64
}

/// Counts the boxes that no pull can move.
pub(crate) fn n_stuck_by_pulls<const W: usize>(board: &SearchBoard, boxes: &BitSet<W>) -> u64 {
    let free = |sq: FloorSquare| sq != board.wall() && !boxes.has(sq);
    let can_go = |sq: FloorSquare, side: usize| {
        let stand = board.step(sq, side);
        free(stand) && board.is_live(stand) && free(board.step(stand, side))
    };
    boxes.iter().filter(|&sq| !(0..4).any(|side| can_go(sq, side))).count() as u64
}
