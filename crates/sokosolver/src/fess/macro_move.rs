//! Macro moves: one box carried by the player over any number of pushes or pulls, the others standing still.
//!
//! Invariant: one macro move for each square and player side that a push or pull of this box leads to, where sides that
//! the player can walk between are one. The start itself is none.

use sokocore::FloorSquare;

use crate::board::bit_set::BitSet;
use crate::board::lifted::Lifted;
use crate::board::{Flood, FloorPush, SearchBoard, SearchDirection};

/// A macro move: the box moves from one square to another, and the player ends at `player`, beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct MacroMove {
    pub(crate) from: FloorSquare,
    pub(crate) to: FloorSquare,
    pub(crate) player: FloorSquare,
}

/// Generates macro moves on one board.
#[derive(Debug)]
pub(crate) struct MacroMoveGenerator {
    flood: Flood,
    round: u32,
    seen: Vec<u32>,
    states: Vec<BoxState>,
}

/// A square of the box and a side of the player.
#[derive(Clone, Copy, Debug)]
struct BoxState {
    sq: FloorSquare,
    side: usize,
    /// The index of the state before it; `usize::MAX` for the first ones.
    before: usize,
}

impl MacroMoveGenerator {
    /// Makes scratch space.
    pub(crate) fn new(board: &SearchBoard) -> Self {
        Self { flood: Flood::new(board), round: 0, seen: vec![0; board.n_live() * 4], states: Vec::new() }
    }

    /// Returns whether the box on `sq` can make a first push or pull, so that it may have macro moves.
    pub(crate) fn can_start<const W: usize>(
        board: &SearchBoard,
        direction: SearchDirection,
        boxes: &BitSet<W>,
        sq: FloorSquare,
        reach: impl Fn(FloorSquare) -> bool,
    ) -> bool {
        let is_free = |sq: FloorSquare| sq != board.wall() && !boxes.has(sq);
        let can_go = |side: usize| {
            let stand = board.step(sq, side);
            reach(stand)
                && match direction {
                    SearchDirection::Forward => {
                        board.is_live(board.step(sq, side ^ 2)) && !boxes.has(board.step(sq, side ^ 2))
                    }
                    SearchDirection::Backward => board.is_live(stand) && is_free(board.step(stand, side)),
                }
        };
        (0..4).any(can_go)
    }

    /// Emits every macro move of the box on `sq`, which is lifted, given where the player can walk now; boxes pass only
    /// the squares that `may_pass` allows.
    #[expect(clippy::too_many_arguments, reason = "a position, what moves in it, and two rules")]
    pub(crate) fn generate<const W: usize>(
        &mut self,
        board: &SearchBoard,
        direction: SearchDirection,
        boxes: &BitSet<W>,
        sq: FloorSquare,
        lifted: &Lifted,
        reach: impl Fn(FloorSquare) -> bool,
        mut may_pass: impl FnMut(&BitSet<W>, FloorSquare) -> bool,
        mut emit: impl FnMut(MacroMove),
    ) {
        let mut others = *boxes;
        others.remove(sq);
        self.round += 1;
        self.states.clear();
        for side in (0..4).filter(|&side| reach(board.step(sq, side))) {
            self.enter(sq, side, usize::MAX);
        }
        let mut at = 0;
        while let Some(&BoxState { sq: now, side, .. }) = self.states.get(at) {
            let stand = board.step(now, side);
            let (to, behind) = match direction {
                SearchDirection::Forward => (board.step(now, side ^ 2), stand),
                SearchDirection::Backward => (stand, board.step(stand, side)),
            };
            let player = if direction == SearchDirection::Forward { now } else { behind };
            if board.is_live(to)
                && !others.has(to)
                && (direction == SearchDirection::Forward || (behind != board.wall() && !others.has(behind)))
                && !self.is_seen(to, side)
                && may_pass(&others, to)
            {
                emit(MacroMove { from: sq, to, player });
                let joined = lifted.joined(board.floor(), to, side);
                for other in (0..4).filter(|other| joined >> other & 1 != 0) {
                    self.enter(to, other, at);
                }
            }
            at += 1;
        }
    }

    /// Returns the single pushes of a macro move, in order; `None` if it is not possible.
    pub(crate) fn pushes<const W: usize>(
        &mut self,
        board: &SearchBoard,
        boxes: &BitSet<W>,
        macro_move: MacroMove,
        reach: impl Fn(FloorSquare) -> bool,
    ) -> Option<Vec<FloorPush>> {
        let mut others = *boxes;
        others.remove(macro_move.from);
        let mut lifted = Lifted::new(board.floor());
        lifted.lift(board.floor(), &others, macro_move.from);
        self.generate(board, SearchDirection::Forward, boxes, macro_move.from, &lifted, reach, |_, _| true, |_| ());
        self.flood.run(board, &others.moved(macro_move.to, macro_move.to), macro_move.player);
        let flood = &self.flood;
        let is_end = |state: &BoxState| state.sq == macro_move.to && flood.reaches(board.step(state.sq, state.side));
        let mut at = self.states.iter().position(is_end)?;
        let mut pushes = Vec::new();
        while let Some(&BoxState { sq: to, before, .. }) = self.states.get(at) {
            if let Some(&BoxState { sq, side, .. }) = self.states.get(before) {
                debug_assert_eq!(board.step(sq, side ^ 2), to, "a push leads from one state to the next");
                pushes.push(FloorPush { from: sq, dir: side ^ 2 });
            }
            at = before;
        }
        pushes.reverse();
        Some(pushes)
    }

    fn is_seen(&self, sq: FloorSquare, side: usize) -> bool {
        self.seen[sq.idx() * 4 + side] == self.round
    }

    fn enter(&mut self, sq: FloorSquare, side: usize, before: usize) {
        let seen = &mut self.seen[sq.idx() * 4 + side];
        if *seen != self.round {
            *seen = self.round;
            self.states.push(BoxState { sq, side, before });
        }
    }
}
