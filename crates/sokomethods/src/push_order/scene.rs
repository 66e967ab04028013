//! Boxes and player at one moment, with the shortest walk to any square.
//!
//! Walks are found by A*, led by the distances that walls alone leave. On a grid the estimate of a path grows by
//! two or not at all with every step, so two stacks do for a queue: what keeps the estimate, and what adds two.

use sokocore::{Board, Direction, Level, Square};

use super::Link;
use super::wall_distances::WallDistances;

/// A position that pushes are made and taken back in.
pub(crate) struct Scene<'a> {
    board: &'a Board,
    walls: WallDistances,
    boxes: Vec<bool>,
    player: Square,
    /// Squares expanded in the current round of [`Scene::walk`].
    stamps: Vec<u32>,
    round: u32,
    now: Vec<Square>,
    later: Vec<Square>,
}

impl<'a> Scene<'a> {
    /// The level's start.
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
        }
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

    /// Whether the box is there and finds its squares free, wherever the player is.
    pub(crate) fn fits(&self, link: &Link) -> bool {
        self.has_box(link.push.from) && !self.has_box(link.to) && !self.has_box(link.stand)
    }

    /// Makes a push, wherever the player is. Returns false, changing nothing, if a box is missing or in the way.
    pub(crate) fn push(&mut self, link: &Link) -> bool {
        let fits = self.fits(link);
        if fits {
            self.boxes[link.push.from.idx()] = false;
            self.boxes[link.to.idx()] = true;
            self.player = link.push.from;
        }
        fits
    }

    /// Takes a push back; the player goes to where it was before walking to it.
    pub(crate) fn pull(&mut self, link: &Link, player: Square) {
        self.boxes[link.to.idx()] = false;
        self.boxes[link.push.from.idx()] = true;
        self.player = player;
    }

    /// Steps to where the push is made from; `None` if the player cannot get there.
    pub(crate) fn walk(&mut self, link: &Link) -> Option<u32> {
        let to = link.stand;
        if self.player == to {
            return Some(0);
        }
        if self.has_box(to) {
            return None;
        }
        self.start_round();
        let mut estimate = self.walls.distance(self.player, to);
        self.now.push(self.player);
        loop {
            while let Some(sq) = self.now.pop() {
                if self.stamps[sq.idx()] == self.round {
                    continue;
                }
                self.stamps[sq.idx()] = self.round;
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
            if self.later.is_empty() {
                return None;
            }
            std::mem::swap(&mut self.now, &mut self.later);
            estimate += 2;
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
