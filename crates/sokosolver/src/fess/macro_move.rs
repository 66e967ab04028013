//! Macro moves: one box carried by the player over any number of pushes or pulls, the others standing still.
//!
//! Invariant: one leap for each square and player side that a push or pull of this box leads to, where sides that the
//! player can walk between are one. The start itself is none.
pub(crate) mod lifted;

use crate::board::bit_set::BitSet;
use crate::board::{Flood, SearchBoard, SearchDirection};

use self::lifted::Lifted;

/// A macro move: the box goes from one square to another, and the player ends at `player`, beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct MacroMove {
    pub(crate) from: u16,
    pub(crate) to: u16,
    pub(crate) player: u16,
}

/// Scratch space for the leaps on one ground.
#[derive(Debug)]
pub(crate) struct MacroMoves {
    flood: Flood,
    round: u32,
    seen: Vec<u32>,
    /// Square, side, where it came from in this list, and the direction of the push or pull that led here.
    states: Vec<(u16, usize, usize)>,
}

impl MacroMoves {
    /// Makes scratch space.
    pub(crate) fn new(ground: &SearchBoard) -> Self {
        Self { flood: Flood::new(ground), round: 0, seen: vec![0; ground.n_live() * 4], states: Vec::new() }
    }

    /// Returns whether the box on `sq` can make a first push or pull, so that it may have leaps.
    pub(crate) fn can_start<const W: usize>(
        ground: &SearchBoard,
        way: SearchDirection,
        boxes: &BitSet<W>,
        sq: u16,
        reach: impl Fn(u16) -> bool,
    ) -> bool {
        let is_free = |sq: u16| sq != ground.wall() && !boxes.has(sq);
        let can_go = |side: usize| {
            let stand = ground.step(sq, side);
            reach(stand)
                && match way {
                    SearchDirection::Forward => {
                        ground.is_live(ground.step(sq, side ^ 2)) && !boxes.has(ground.step(sq, side ^ 2))
                    }
                    SearchDirection::Backward => ground.is_live(stand) && is_free(ground.step(stand, side)),
                }
        };
        (0..4).any(can_go)
    }

    /// Hands over every leap of the box on `sq`, which is lifted, given where the player can walk now; boxes only go
    /// to squares that `may_pass` allows.
    #[expect(clippy::too_many_arguments, reason = "a position, what moves in it, and two rules")]
    pub(crate) fn each<const W: usize>(
        &mut self,
        ground: &SearchBoard,
        way: SearchDirection,
        boxes: &BitSet<W>,
        sq: u16,
        lifted: &Lifted,
        reach: impl Fn(u16) -> bool,
        may_pass: impl Fn(&BitSet<W>, u16) -> bool,
        mut emit: impl FnMut(MacroMove),
    ) {
        let mut others = *boxes;
        others.remove(sq);
        self.round += 1;
        self.states.clear();
        for side in (0..4).filter(|&side| reach(ground.step(sq, side))) {
            self.enter(sq, side, usize::MAX);
        }
        let mut at = 0;
        while let Some(&(now, side, _)) = self.states.get(at) {
            let stand = ground.step(now, side);
            let (to, room) = match way {
                SearchDirection::Forward => (ground.step(now, side ^ 2), stand),
                SearchDirection::Backward => (stand, ground.step(stand, side)),
            };
            let player = if way == SearchDirection::Forward { now } else { room };
            if ground.is_live(to)
                && !others.has(to)
                && (way == SearchDirection::Forward || (room != ground.wall() && !others.has(room)))
                && !self.is_seen(to, side)
                && may_pass(&others, to)
            {
                emit(MacroMove { from: sq, to, player });
                let joined = lifted.joined(ground, to, side);
                for other in (0..4).filter(|other| joined >> other & 1 != 0) {
                    self.enter(to, other, at);
                }
            }
            at += 1;
        }
    }

    /// Returns the single pushes or pulls of a leap as squares and directions, in order; `None` if there is no way.
    pub(crate) fn walk<const W: usize>(
        &mut self,
        ground: &SearchBoard,
        boxes: &BitSet<W>,
        leap: MacroMove,
        reach: impl Fn(u16) -> bool,
    ) -> Option<Vec<(u16, usize)>> {
        let others = {
            let mut others = *boxes;
            others.remove(leap.from);
            others
        };
        let mut lifted = Lifted::new(ground);
        lifted.lift(ground, &others, leap.from);
        self.each(ground, SearchDirection::Forward, boxes, leap.from, &lifted, reach, |_, _| true, |_| ());
        self.flood.run(ground, &others.moved(leap.to, leap.to), leap.player);
        let flood = &self.flood;
        let ends = |&(sq, side, _): &(u16, usize, usize)| sq == leap.to && flood.reaches(ground.step(sq, side));
        let mut at = self.states.iter().position(ends)?;
        let mut pushes = Vec::new();
        while let Some(&(sq, _, came)) = self.states.get(at) {
            if let Some(&(before, side, _)) = self.states.get(came) {
                debug_assert_eq!(ground.step(before, side ^ 2), sq, "a push leads from one state to the next");
                pushes.push((before, side ^ 2));
            }
            at = came;
        }
        pushes.reverse();
        Some(pushes)
    }

    fn is_seen(&self, sq: u16, side: usize) -> bool {
        self.seen[usize::from(sq) * 4 + side] == self.round
    }

    fn enter(&mut self, sq: u16, side: usize, came: usize) {
        let seen = &mut self.seen[usize::from(sq) * 4 + side];
        if *seen != self.round {
            *seen = self.round;
            self.states.push((sq, side, came));
        }
    }
}
