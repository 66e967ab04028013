//! The floor with one box lifted off it, and the pieces of floor after the box is put down elsewhere.
//!
//! ```text
//!   depth-first numbers from the square of the lifted box       put down on 5: what lies below 6 and reaches no
//!     1 2 3                                                      number less than 5 is a piece of its own
//!     8   4 5 6 7
//! ```
//!
//! One depth-first search tells, for every square at once, into how many pieces a box there cuts the floor, in which of
//! them a square lies, and their names: Tarjan's low points (1972). This takes the place of a flood for each macro
//! move. [`SideRows`](super::SideRows) are the same question about the empty board, asked once. The blocks of
//! [`sokocore::Blocks`] are found by low points, too, but on the level's squares, before it is known which are live;
//! `fess/features/bridges` looks for cycles, which takes low points that leave out the way to the parent.
//!
//! Invariant: only the piece that the box was lifted from is known; a player who moves the box never leaves it.

use std::ops::Range;

use sokocore::{FloorGraph, FloorSquare};

use crate::board::bit_set::BitSet;

/// The name of one of the pieces into which a box cuts the floor: the depth-first number of the square that it hangs
/// from, or 0 for what is left. It means something only as long as the box stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct FloorPiece(u16);

impl FloorPiece {
    /// What no cut takes off.
    const REST: Self = Self(0);
}

/// The piece of floor around a lifted box.
#[derive(Clone, Debug)]
pub(crate) struct Lifted {
    /// Depth-first numbers from 1; 0 on floor outside the piece, [`Lifted::SOLID`] on boxes and the wall.
    number: Vec<u16>,
    /// The boxes that are not moved.
    standing: Vec<FloorSquare>,
    /// The least number that a square or those below it touch.
    low: Vec<u16>,
    /// The greatest number below a square.
    last: Vec<u16>,
    /// The least square from here down.
    least: Vec<FloorSquare>,
    /// The direction in which the search came to a square.
    came: Vec<u8>,
    /// The directions of the children that a box here would cut off.
    cuts: Vec<u8>,
    /// The squares by their numbers.
    by_number: Vec<FloorSquare>,
    path: Vec<(FloorSquare, u8)>,
}

impl Lifted {
    /// The number of boxes and of the wall.
    const SOLID: u16 = u16::MAX;

    /// Makes tables for a board, with no box lifted.
    pub(crate) fn new(floor: &FloorGraph) -> Self {
        let n = floor.n_squares() + 1;
        let mut number = vec![0; n];
        number[floor.wall().idx()] = Self::SOLID;
        Self {
            number,
            standing: Vec::new(),
            low: vec![0; n],
            last: vec![0; n],
            least: vec![FloorSquare::default(); n],
            came: vec![0; n],
            cuts: vec![0; n],
            by_number: Vec::with_capacity(n),
            path: Vec::with_capacity(n),
        }
    }

    /// Lifts the box off `from`; `others` are the other boxes.
    pub(crate) fn lift<const W: usize>(&mut self, floor: &FloorGraph, others: &BitSet<W>, from: FloorSquare) {
        for &sq in self.by_number.iter().chain(&self.standing) {
            self.number[sq.idx()] = 0;
        }
        self.by_number.clear();
        self.standing.clear();
        for sq in others.iter() {
            self.number[sq.idx()] = Self::SOLID;
            self.standing.push(sq);
        }
        self.enter(from, 0);
        let (mut sq, mut dir) = (from, 0);
        loop {
            let at = sq.idx();
            let steps = floor.steps(sq);
            // A neighbor that has a number, the parent among them, is touched; SOLID is above all numbers.
            let mut low = self.low[at];
            let mut below = None;
            while let Some(&next) = steps.get(usize::from(dir)) {
                let number = self.number[next.idx()];
                if number == 0 {
                    below = Some(next);
                    break;
                }
                low = low.min(number);
                dir += 1;
            }
            self.low[at] = low;
            if let Some(next) = below {
                self.path.push((sq, dir + 1));
                self.enter(next, dir);
                (sq, dir) = (next, 0);
                continue;
            }
            let above = self.path.pop();
            self.leave(sq, above.map(|(above, _)| above));
            let Some(next) = above else { break };
            (sq, dir) = next;
        }
    }

    fn enter(&mut self, sq: FloorSquare, came: u8) {
        let at = sq.idx();
        self.by_number.push(sq);
        let number = u16::try_from(self.by_number.len()).unwrap_or(u16::MAX);
        (self.number[at], self.low[at], self.least[at]) = (number, number, sq);
        (self.came[at], self.cuts[at]) = (came, 0);
    }

    /// Leaves a square, and passes its low point to the one above.
    fn leave(&mut self, sq: FloorSquare, above: Option<FloorSquare>) {
        let at = sq.idx();
        self.last[at] = u16::try_from(self.by_number.len()).unwrap_or(u16::MAX);
        if let Some(above) = above {
            let up = above.idx();
            self.low[up] = self.low[up].min(self.low[at]);
            self.least[up] = self.least[up].min(self.least[at]);
            if self.low[at] >= self.number[up] {
                self.cuts[up] |= 1 << self.came[at];
            }
        }
    }

    /// Returns the depth-first numbers, from 1, of a square of the piece and of all squares below it.
    pub(crate) fn subtree(&self, sq: FloorSquare) -> Range<u16> {
        self.number[sq.idx()]..self.last[sq.idx()] + 1
    }

    /// Returns the square from which the search came to a square of the piece; `None` for the one it began with.
    pub(crate) fn parent(&self, floor: &FloorGraph, sq: FloorSquare) -> Option<FloorSquare> {
        let came = usize::from(self.came[sq.idx()]);
        (self.number[sq.idx()] != 1).then(|| floor.step(sq, came ^ 2))
    }

    /// Returns whether the square is free floor of the piece, as long as the box is not put down on it.
    #[inline]
    pub(crate) fn has(&self, sq: FloorSquare) -> bool {
        !matches!(self.number[sq.idx()], 0 | Self::SOLID)
    }

    /// Returns the least square of the piece.
    pub(crate) fn whole(&self) -> FloorSquare {
        self.by_number.first().map_or(FloorSquare::default(), |&first| self.least[first.idx()])
    }

    /// Returns into how many pieces this one falls when the box is put down on `to`.
    #[inline]
    pub(crate) fn n_pieces(&self, to: FloorSquare) -> u64 {
        u64::from(self.cuts[to.idx()].count_ones()) + u64::from(self.number[to.idx()] != 1)
    }

    /// Returns a name for the piece of a square while the box is on `to`.
    #[inline]
    pub(crate) fn piece(&self, floor: &FloorGraph, to: FloorSquare, sq: FloorSquare) -> FloorPiece {
        let (mut cuts, number) = (self.cuts[to.idx()], self.number[sq.idx()]);
        while cuts != 0 {
            let top = floor.step(to, cuts.trailing_zeros() as usize).idx();
            if self.number[top] <= number && number <= self.last[top] {
                return FloorPiece(self.number[top]);
            }
            cuts &= cuts - 1;
        }
        FloorPiece::REST
    }

    /// Returns the least square of the player's region while the box is on `to`.
    pub(crate) fn zone(&self, floor: &FloorGraph, to: FloorSquare, player: FloorSquare) -> FloorSquare {
        let piece = self.piece(floor, to, player);
        if piece != FloorPiece::REST {
            return self.least[self.by_number[usize::from(piece.0) - 1].idx()];
        }
        let least = self.whole();
        if least != to && self.piece(floor, to, least) == FloorPiece::REST {
            return least;
        }
        let (number, last) = (usize::from(self.number[to.idx()]), usize::from(self.last[to.idx()]));
        let around = self.by_number[..number - 1].iter().chain(&self.by_number[last..]).copied();
        let below = (0..4).map(|dir| (dir, floor.step(to, dir))).filter(|&(dir, next)| {
            let is_cut = self.cuts[to.idx()] >> dir & 1 != 0;
            let is_below = self.has(next) && usize::from(self.number[next.idx()]) > number;
            is_below && usize::from(self.came[next.idx()]) == dir && !is_cut
        });
        around.chain(below.map(|(_, next)| self.least[next.idx()])).min().unwrap_or(player)
    }

    /// Returns the sides of the box on `to` that the player can walk to from `side`, as bits.
    #[inline]
    pub(crate) fn joined(&self, floor: &FloorGraph, to: FloorSquare, side: usize) -> u8 {
        let piece = self.piece(floor, to, floor.step(to, side));
        let joins = |dir: usize| {
            let next = floor.step(to, dir);
            self.has(next) && self.piece(floor, to, next) == piece
        };
        (0..4).filter(|&dir| joins(dir)).fold(1 << side, |joined, dir| joined | 1 << dir)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Flood, SearchBoard};
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
    use sokocore::{PlantSpec, planted};

    proptest! {
        /// Wherever a box is put down: the same pieces and names as by flooding.
        #[test]
        fn agrees_with_floods((level, _) in planted(PlantSpec { boxes: 2..=8, ..PlantSpec::default() })) {
            let Some(board) = SearchBoard::new(&level) else { return Ok(()) };
            let (mut lifted, mut flood) = (Lifted::new(board.floor()), Flood::new(&board));
            let boxes = SearchBoard::set::<4>(board.starts());
            for from in boxes.iter() {
                let mut others = boxes;
                others.remove(from);
                lifted.lift(board.floor(), &others, from);
                for to in board.live_squares().filter(|&to| lifted.has(to)) {
                    let put = boxes.moved(from, to);
                    let mut names = Vec::new();
                    for sq in board.squares().filter(|&sq| lifted.has(sq) && sq != to) {
                        let zone = flood.run(&board, &put, sq);
                        prop_assert_eq!(lifted.zone(board.floor(), to, sq), zone);
                        names.push(zone);
                        for side in (0..4).filter(|&side| board.step(to, side) == sq) {
                            let joined = lifted.joined(board.floor(), to, side);
                            prop_assert!((0..4).all(|dir| flood.reaches(board.step(to, dir)) == (joined >> dir & 1 != 0)));
                        }
                    }
                    names.sort_unstable();
                    names.dedup();
                    prop_assert_eq!(lifted.n_pieces(to), names.len() as u64);
                }
            }
        }
    }
}
