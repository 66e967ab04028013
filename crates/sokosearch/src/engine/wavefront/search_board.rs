//! The board renumbered for bit-parallel search: live squares first, in the order of their bits in a key.
//!
//! So the words of a key are also a set of squares, that of the boxes, and a flood needs only masks. All other modules
//! use the numbers of `Square`.

use sokocore::{Board, Direction, Square};

use crate::LiveIndex;

/// A board's squares by their bits.
#[derive(Debug)]
pub(crate) struct SearchBoard {
    /// Bit of every square.
    bits: Vec<u16>,
    /// Neighbors of every bit.
    steps: Vec<[Option<u16>; 4]>,
    /// For every bit, the pulls of a player who stands there just after a push.
    pulls: Vec<Pulls>,
}

/// The pulls from one square.
#[derive(Clone, Copy, Debug, Default)]
struct Pulls {
    pulls: [Pull; 4],
    n: usize,
}

/// A push undone: the box ahead of the player moves to where the player was.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pull {
    /// Bit of the box.
    pub(crate) ahead: u16,
    /// Bit of the square that the player goes back to.
    pub(crate) stand: u16,
}

impl SearchBoard {
    pub(crate) fn new(board: &Board, live: &LiveIndex) -> Self {
        let is_live = |sq: &Square| live.bit(*sq).is_some();
        let dead = board.squares().filter(|sq| !is_live(sq));
        let squares: Vec<Square> = (0..live.n_live()).map(|bit| live.square(bit)).chain(dead).collect();
        let mut bits = vec![0; squares.len()];
        for (bit, sq) in (0..).zip(&squares) {
            bits[sq.idx()] = bit;
        }
        let neighbor = |sq: Square, dir| board.step(sq, dir).map(|next| bits[next.idx()]);
        let steps = |&sq: &Square| Direction::ALL.map(|dir| neighbor(sq, dir));
        let steps: Vec<[Option<u16>; 4]> = squares.iter().map(steps).collect();
        let pulls = |(bit, &sq): (usize, &Square)| {
            let pull = |dir: Direction| Some((neighbor(sq, dir)?, neighbor(sq, dir.opposite())?));
            let mut pulls = Pulls::default();
            for (ahead, stand) in Direction::ALL.into_iter().filter(|_| bit < live.n_live()).filter_map(pull) {
                pulls.pulls[pulls.n] = Pull { ahead, stand };
                pulls.n += 1;
            }
            pulls
        };
        let pulls = squares.iter().enumerate().map(pulls).collect();
        Self { bits, steps, pulls }
    }

    #[inline]
    pub(crate) fn bit(&self, sq: Square) -> usize {
        usize::from(self.bits[sq.idx()])
    }

    /// Returns the bit of a square as a `u16`.
    pub(crate) fn bit_as_u16(&self, sq: Square) -> u16 {
        self.bits[sq.idx()]
    }

    /// Returns the number of squares.
    pub(crate) const fn n_bits(&self) -> usize {
        self.bits.len()
    }

    /// Returns the neighbors of a bit.
    pub(crate) fn steps(&self, bit: usize) -> impl Iterator<Item = usize> {
        self.steps[bit].into_iter().flatten().map(usize::from)
    }

    /// Returns the pulls of a player on this bit.
    #[inline]
    pub(crate) fn pulls(&self, bit: usize) -> &[Pull] {
        let Pulls { pulls, n } = &self.pulls[bit];
        &pulls[..*n]
    }

    /// Returns for every bit the set of its neighbors.
    pub(crate) fn neighbors<const W: usize>(&self) -> Vec<[u64; W]> {
        let set = |steps: &[Option<u16>; 4]| {
            let mut set = [0; W];
            for bit in steps.iter().flatten() {
                set[usize::from(*bit) / 64] |= 1 << (bit % 64);
            }
            set
        };
        self.steps.iter().map(set).collect()
    }
}
