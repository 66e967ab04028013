//! Boxes and player between two pushes, with the shortest walk to any square.
//!
//! Walks are found by A* with the distances among walls alone as heuristic. On a grid each step raises the estimate
//! of a path by two or not at all, so two stacks are the open list: squares with the current estimate, and with two
//! more.

use sokocore::{Board, Direction, Level, Square, SquareSet};

use super::link::Link;
use super::wall_distances::WallDistances;

/// A position in which pushes are made and unmade.
pub(crate) struct WalkedBoard<'a> {
    board: &'a Board,
    walls: WallDistances,
    boxes: Vec<bool>,
    player: Square,
    /// The last round of [`WalkedBoard::walk`] that expanded a square.
    stamps: Vec<u32>,
    round: u32,
    now: Vec<Square>,
    later: Vec<Square>,
    /// Squares expanded since [`WalkedBoard::take_expanded`].
    n_expanded: u64,
}

impl<'a> WalkedBoard<'a> {
    /// Returns the start of the level.
    pub(crate) fn new(level: &'a Level) -> Self {
        let board = level.board();
        let mut boxes = vec![false; board.n_squares()];
        level.start().boxes.iter().for_each(|sq| boxes[sq.idx()] = true);
        Self {
            board,
            walls: WallDistances::new(board),
            boxes,
            player: level.start().player,
            stamps: vec![0; board.n_squares()],
            round: 0,
            now: Vec::new(),
            later: Vec::new(),
            n_expanded: 0,
        }
    }

    pub(crate) const fn board(&self) -> &'a Board {
        self.board
    }

    pub(crate) const fn walls(&self) -> &WallDistances {
        &self.walls
    }

    pub(crate) const fn player(&self) -> Square {
        self.player
    }

    pub(crate) fn has_box(&self, sq: Square) -> bool {
        self.boxes[sq.idx()]
    }

    /// Puts a box on a square, or takes it away.
    pub(crate) fn set_box(&mut self, sq: Square, is_there: bool) {
        self.boxes[sq.idx()] = is_there;
    }

    /// Takes over another position.
    pub(crate) fn place(&mut self, boxes: &SquareSet, player: Square) {
        self.boxes.fill(false);
        boxes.iter().for_each(|sq| self.boxes[sq.idx()] = true);
        self.player = player;
    }

    /// Returns how many squares walks have expanded since the last call.
    pub(crate) const fn take_expanded(&mut self) -> u64 {
        std::mem::replace(&mut self.n_expanded, 0)
    }

    /// Returns whether the box is there and its squares are free, wherever the player is.
    pub(crate) fn fits(&self, link: &Link) -> bool {
        self.has_box(link.push.from) && !self.has_box(link.to) && !self.has_box(link.stand)
    }

    /// Makes a push, wherever the player is. Returns false, changing nothing, if its box is missing or a box blocks it.
    pub(crate) fn push(&mut self, link: &Link) -> bool {
        let fits = self.fits(link);
        if fits {
            self.boxes[link.push.from.idx()] = false;
            self.boxes[link.to.idx()] = true;
            self.player = link.push.from;
        }
        fits
    }

    /// Moves a box and the player to other squares, which are free.
    pub(crate) fn shift(&mut self, from: Square, to: Square, player: Square) {
        self.boxes[from.idx()] = false;
        self.boxes[to.idx()] = true;
        self.player = player;
    }

    /// Unmakes a push, with the player back on the given square.
    pub(crate) fn pull(&mut self, link: &Link, player: Square) {
        self.boxes[link.to.idx()] = false;
        self.boxes[link.push.from.idx()] = true;
        self.player = player;
    }

    /// Returns the steps to the square that the push is made from; `None` if the player cannot reach it.
    pub(crate) fn walk(&mut self, link: &Link) -> Option<u32> {
        self.steps(self.player, link.stand, u32::MAX)
    }

    /// Returns the steps from one square to another; `None` if they are more than `limit`, or if boxes are in the way.
    pub(crate) fn steps(&mut self, from: Square, to: Square, limit: u32) -> Option<u32> {
        if from == to {
            return Some(0);
        }
        let mut estimate = self.walls.distance(from, to);
        if estimate > limit || self.has_box(to) {
            return None;
        }
        self.start_round();
        self.now.push(from);
        loop {
            while let Some(sq) = self.now.pop() {
                if self.stamps[sq.idx()] == self.round {
                    continue;
                }
                self.stamps[sq.idx()] = self.round;
                self.n_expanded += 1;
                let rest = self.walls.distance(sq, to);
                for dir in Direction::ALL {
                    let Some(next) = self.board.step(sq, dir) else { continue };
                    if next == to {
                        return Some(estimate - rest + 1);
                    }
                    if self.boxes[next.idx()] || self.stamps[next.idx()] == self.round {
                        continue;
                    }
                    let nearer = self.walls.distance(next, to) < rest;
                    if nearer { self.now.push(next) } else { self.later.push(next) }
                }
            }
            estimate += 2;
            if self.later.is_empty() || estimate > limit {
                return None;
            }
            std::mem::swap(&mut self.now, &mut self.later);
        }
    }

    fn start_round(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.stamps.fill(0);
            self.round = 1;
        }
        self.now.clear();
        self.later.clear();
    }
}
