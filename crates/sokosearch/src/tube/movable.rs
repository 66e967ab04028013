//! Which boxes of a spine state may be displaced.

use sokocore::{Board, Push};

use super::Boxes;
use super::spine::SpineRange;
use crate::store::bits::BoxShift;
use crate::{LiveIndex, Spine};

/// The boxes that may be displaced, state by state in the order of the spine.
#[derive(Debug)]
pub(crate) struct Movable<'a> {
    board: &'a Board,
    live: &'a LiveIndex,
    spine: &'a Spine,
    /// Their squares in state `at`; `None` if all boxes may move.
    chosen: Option<Vec<u64>>,
    at: usize,
}

impl<'a> Movable<'a> {
    pub(crate) fn new(
        board: &'a Board,
        live: &'a LiveIndex,
        SpineRange { spine, from, to }: SpineRange<'a>,
        boxes: &Boxes,
    ) -> Self {
        let chosen = match boxes {
            Boxes::All => None,
            Boxes::Pushed => {
                let mut pushed = vec![0; live.words()];
                for &push in spine.pushes()[from..to].iter().rev() {
                    let shift = shift_of_push(board, live, push);
                    move_bit(&mut pushed, shift.to, shift.from);
                }
                Some(pushed)
            }
            Boxes::Group(first) => {
                let mut group = vec![0; live.words()];
                first.iter().for_each(|bit| group[bit / 64] |= 1 << (bit % 64));
                for &push in &spine.pushes()[..from] {
                    let shift = shift_of_push(board, live, push);
                    if group[shift.from / 64] >> (shift.from % 64) & 1 != 0 {
                        move_bit(&mut group, shift.from, shift.to);
                    }
                }
                Some(group)
            }
        };
        Self { board, live, spine, chosen, at: from }
    }

    /// Returns those of state `at`. States are asked for in ascending order.
    pub(crate) fn at(&mut self, at: usize) -> &[u64] {
        let Some(chosen) = &mut self.chosen else { return &self.spine.states()[at].key };
        for &push in &self.spine.pushes()[self.at..at] {
            let shift = shift_of_push(self.board, self.live, push);
            if chosen[shift.from / 64] >> (shift.from % 64) & 1 != 0 {
                move_bit(chosen, shift.from, shift.to);
            }
        }
        self.at = at;
        chosen
    }
}

/// The box that a push of the spine shifts.
pub(super) fn shift_of_push(board: &Board, live: &LiveIndex, push: Push) -> BoxShift {
    let target = board.step(push.from, push.dir).expect("invariant: the spine's boxes stay on the board");
    let bit = |sq| live.bit(sq).expect("invariant: the spine's boxes stay on live squares");
    BoxShift { from: bit(push.from), to: bit(target) }
}

pub(super) fn move_bit(key: &mut [u64], from: usize, to: usize) {
    key[from / 64] &= !(1 << (from % 64));
    key[to / 64] |= 1 << (to % 64);
}
