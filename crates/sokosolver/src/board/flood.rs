//! The player's region: the flood fill of the inner loops.
//!
//! Invariant: a square is stamped `round` if a box stands on it, `round + 1` if the player reaches it, and anything
//! less if neither. Rounds rise by two, so that nothing is cleared. The square past the last one is the wall: its stamp
//! is higher than any round, which saves a test in the loop.

use crate::board::SearchBoard;
use crate::board::bit_set::BitSet;

/// Scratch space for floods over one board.
#[derive(Clone, Debug)]
pub(crate) struct Flood {
    round: u32,
    stamps: Vec<u32>,
    queue: Vec<u16>,
    n_reached: usize,
    distances: Vec<u16>,
}

impl Flood {
    /// Makes scratch space.
    pub(crate) fn new(board: &SearchBoard) -> Self {
        let mut stamps = vec![0; board.n_squares() + 1];
        stamps[board.n_squares()] = u32::MAX;
        Self { round: 0, stamps, queue: vec![0; board.n_squares() + 4], n_reached: 0, distances: Vec::new() }
    }

    /// Places the boxes, and forgets the last region.
    #[inline]
    pub(crate) fn place(&mut self, boxes: impl Iterator<Item = u16>) {
        if self.round >= u32::MAX - 4 {
            let wall = self.stamps.len() - 1;
            self.stamps[..wall].fill(0);
            self.round = 0;
        }
        self.round += 2;
        for sq in boxes {
            self.stamps[usize::from(sq)] = self.round;
        }
    }

    /// Floods from `player`, after [`Flood::place`]; returns the region's name, its least square.
    #[inline]
    pub(crate) fn spread(&mut self, board: &SearchBoard, player: u16) -> u16 {
        let reached = self.round + 1;
        self.stamps[usize::from(player)] = reached;
        self.queue[0] = player;
        let (mut head, mut tail, mut least) = (0, 1, player);
        while head < tail {
            let sq = self.queue[head];
            head += 1;
            least = least.min(sq);
            for next in board.steps(sq) {
                let stamp = &mut self.stamps[usize::from(next)];
                if *stamp < reached - 1 {
                    *stamp = reached;
                    self.queue[tail] = next;
                    tail += 1;
                }
            }
        }
        self.n_reached = tail;
        least
    }

    /// Floods from `player`, after [`Flood::place`], and records the steps for [`Flood::distance`].
    pub(crate) fn measure(&mut self, board: &SearchBoard, player: u16) {
        self.distances.resize(self.stamps.len(), 0);
        let reached = self.round + 1;
        self.stamps[usize::from(player)] = reached;
        self.distances[usize::from(player)] = 0;
        self.queue[0] = player;
        let (mut head, mut tail) = (0, 1);
        while head < tail {
            let sq = self.queue[head];
            head += 1;
            for next in board.steps(sq) {
                let stamp = &mut self.stamps[usize::from(next)];
                if *stamp < reached - 1 {
                    *stamp = reached;
                    self.distances[usize::from(next)] = self.distances[usize::from(sq)] + 1;
                    self.queue[tail] = next;
                    tail += 1;
                }
            }
        }
        self.n_reached = tail;
    }

    /// Returns how many squares the player reaches.
    pub(crate) const fn n_reached(&self) -> usize {
        self.n_reached
    }

    /// Returns the squares reached by the last flood.
    pub(crate) fn region(&self) -> &[u16] {
        &self.queue[..self.n_reached]
    }

    /// Returns the steps to a square that [`Flood::measure`] reached.
    pub(crate) fn distance(&self, sq: u16) -> u16 {
        self.distances[usize::from(sq)]
    }

    /// Floods from `player` around `boxes`; returns the region's name, its least square.
    #[inline]
    pub(crate) fn run<const W: usize>(&mut self, board: &SearchBoard, boxes: &BitSet<W>, player: u16) -> u16 {
        self.place(boxes.iter());
        self.spread(board, player)
    }

    /// Returns whether the player reaches the square; false for the wall.
    #[inline]
    pub(crate) fn reaches(&self, sq: u16) -> bool {
        self.stamps[usize::from(sq)] == self.round + 1
    }

    /// Returns whether the square is free of walls and boxes, reached or not.
    #[inline]
    pub(crate) fn is_free(&self, sq: u16) -> bool {
        let stamp = self.stamps[usize::from(sq)];
        stamp != self.round && stamp <= self.round + 1
    }
}
