//! Boxes and player between two pushes, with the shortest walk to any square.

use sokocore::{Board, Level, Square, SquareSet};

use super::link::Link;
use super::walk_search::WalkSearch;
use super::wall_distances::WallDistances;

/// A position in which pushes are made and unmade.
pub(crate) struct WalkedBoard<'a> {
    board: &'a Board,
    walls: WallDistances,
    search: WalkSearch,
    player: Square,
}

impl<'a> WalkedBoard<'a> {
    /// Returns the start of the level.
    pub(crate) fn new(level: &'a Level) -> Self {
        let (board, start) = (level.board(), level.start());
        let (walls, search) = (WallDistances::new(board), WalkSearch::new(board));
        let mut walked = Self { board, walls, search, player: start.player };
        walked.place(&start.boxes, start.player);
        walked
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
        self.search.has_box(sq)
    }

    /// Puts a box on a square, or takes it away.
    pub(crate) fn set_box(&mut self, sq: Square, is_there: bool) {
        self.search.set_box(sq, is_there);
    }

    /// Takes over another position.
    pub(crate) fn place(&mut self, boxes: &SquareSet, player: Square) {
        self.search.clear();
        boxes.iter().for_each(|sq| self.search.set_box(sq, true));
        self.player = player;
    }

    /// Returns how many squares walks have expanded since the last call.
    pub(crate) const fn take_expanded(&mut self) -> u64 {
        self.search.take_expanded()
    }

    /// Returns whether the box is there and its squares are free, wherever the player is.
    pub(crate) fn fits(&self, link: &Link) -> bool {
        self.has_box(link.push.from) && !self.has_box(link.to) && !self.has_box(link.stand)
    }

    /// Makes a push, wherever the player is. Returns false, changing nothing, if its box is missing or a box blocks it.
    pub(crate) fn push(&mut self, link: &Link) -> bool {
        let fits = self.fits(link);
        if fits {
            self.search.set_box(link.push.from, false);
            self.search.set_box(link.to, true);
            self.player = link.push.from;
        }
        fits
    }

    /// Moves a box and the player to other squares, which are free.
    pub(crate) fn shift(&mut self, from: Square, to: Square, player: Square) {
        self.search.set_box(from, false);
        self.search.set_box(to, true);
        self.player = player;
    }

    /// Unmakes a push, with the player back on the given square.
    pub(crate) fn pull(&mut self, link: &Link, player: Square) {
        self.search.set_box(link.to, false);
        self.search.set_box(link.push.from, true);
        self.player = player;
    }

    /// Unmakes pushes, which were made in this order, with the player back on the given square.
    pub(crate) fn pull_all(&mut self, links: &[Link], player: Square) {
        for (at, link) in links.iter().enumerate().rev() {
            self.pull(link, at.checked_sub(1).map_or(player, |prior| links[prior].push.from));
        }
    }

    /// Returns the first push in this order whose box is missing or whose squares are occupied, wherever the player is. The
    /// position stays as it is.
    pub(crate) fn first_misfit(&mut self, order: &[Link]) -> Option<usize> {
        let player = self.player;
        let misfit = order.iter().position(|link| !self.push(link));
        self.pull_all(&order[..misfit.unwrap_or(order.len())], player);
        misfit
    }

    /// Returns the steps to the square that the push is made from; `None` if the player cannot reach it.
    pub(crate) fn walk(&mut self, link: &Link) -> Option<u32> {
        self.steps(self.player, link.stand, u32::MAX)
    }

    /// Returns the player's steps to a square, of which `most` is an upper bound; `None` if the player cannot reach it. No search
    /// is needed where the distance among walls is as much.
    pub(crate) fn steps_to(&mut self, sq: Square, most: u32) -> Option<u32> {
        if self.walls.distance(self.player, sq) == most { Some(most) } else { self.steps(self.player, sq, most) }
    }

    /// Returns the steps from one square to another; `None` if they are more than `limit`, or if boxes are in the way.
    pub(crate) fn steps(&mut self, from: Square, to: Square, limit: u32) -> Option<u32> {
        if from == to {
            return Some(0);
        }
        if self.has_box(to) {
            return None;
        }
        match self.walls.row(to) {
            Some(row) => self.search.steps(from, limit, |sq| u32::from(row[sq])),
            None => self.search.steps(from, limit, |sq| self.walls.distance_of(sq, to)),
        }
    }
}
