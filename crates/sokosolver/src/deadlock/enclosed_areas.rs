//! Enclosed areas: free floor that the player does not reach, and the boxes around it.
//!
//! ```text
//!   #########
//!   #  $    #     one area: the four squares on the left
//!   #  ##$@ #     its fence: the box on the right of it
//!   #########     touching it: that box alone; a box in the place of the left # below it would touch at a corner
//! ```

use sokocore::FloorSquare;

use crate::board::bit_set::BitView;
use crate::board::{Flood, SearchBoard};

/// The index of an enclosed area in its position: below 63, so that a set of areas is one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct AreaIndex(u8);

impl AreaIndex {
    /// Returns the index.
    #[inline]
    pub(crate) const fn idx(self) -> usize {
        self.0 as usize
    }

    /// Returns the set of this area alone.
    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        1 << self.0
    }
}

/// The enclosed areas of one position, with scratch space.
#[derive(Clone, Debug)]
pub(crate) struct EnclosedAreas {
    /// The area of every square: its index, or [`EnclosedAreas::OUTSIDE`].
    areas: Vec<u8>,
    /// The squares of all areas, one area after the other.
    squares: Vec<FloorSquare>,
    /// The index of each area's first square in `squares`.
    starts: Vec<usize>,
    /// The boxes at the sides of each area's squares.
    fences: Vec<FloorSquare>,
    /// The index of each area's first box in `fences`.
    fence_starts: Vec<usize>,
}

impl EnclosedAreas {
    const OUTSIDE: u8 = u8::MAX;
    /// Areas that are labeled; further ones are ignored.
    const MAX: usize = 63;

    /// Makes scratch space, with no area.
    pub(crate) fn new(board: &SearchBoard) -> Self {
        Self {
            areas: vec![Self::OUTSIDE; board.n_squares() + 1],
            squares: Vec::new(),
            starts: Vec::new(),
            fences: Vec::new(),
            fence_starts: Vec::new(),
        }
    }

    /// Forgets all areas.
    pub(crate) fn clear(&mut self) {
        for &sq in &self.squares {
            self.areas[sq.idx()] = Self::OUTSIDE;
        }
        self.squares.clear();
        self.starts.clear();
        self.fences.clear();
        self.fence_starts.clear();
    }

    /// Finds the areas of a position that is flooded.
    pub(crate) fn label(&mut self, board: &SearchBoard, flood: &Flood) {
        self.clear();
        for sq in board.squares() {
            let is_new = self.of(sq).is_none() && flood.is_free(sq) && !flood.reaches(sq);
            if is_new && self.len() < Self::MAX {
                self.spread(board, flood, sq);
            }
        }
    }

    /// Adds the area of this square.
    fn spread(&mut self, board: &SearchBoard, flood: &Flood, sq: FloorSquare) {
        let area = u8::try_from(self.len()).expect("invariant: at most MAX areas");
        let mut head = self.squares.len();
        self.fence_starts.push(self.fences.len());
        self.starts.push(head);
        self.areas[sq.idx()] = area;
        self.squares.push(sq);
        while let Some(&sq) = self.squares.get(head) {
            head += 1;
            for next in board.steps(sq) {
                if !flood.is_free(next) {
                    if next != board.wall() {
                        self.fences.push(next);
                    }
                } else if self.areas[next.idx()] == Self::OUTSIDE {
                    self.areas[next.idx()] = area;
                    self.squares.push(next);
                }
            }
        }
    }

    /// Returns the number of areas.
    pub(crate) const fn len(&self) -> usize {
        self.starts.len()
    }

    /// Visits the areas.
    pub(crate) fn indices(&self) -> impl Iterator<Item = AreaIndex> + use<> {
        let n_areas = u8::try_from(self.len()).expect("invariant: at most MAX areas");
        (0..n_areas).map(AreaIndex)
    }

    /// Returns the area of a square.
    #[inline]
    pub(crate) fn of(&self, sq: FloorSquare) -> Option<AreaIndex> {
        let area = self.areas[sq.idx()];
        (area != Self::OUTSIDE).then_some(AreaIndex(area))
    }

    /// Returns the squares of an area.
    pub(crate) fn squares(&self, area: AreaIndex) -> &[FloorSquare] {
        let end = self.starts.get(area.idx() + 1).copied().unwrap_or(self.squares.len());
        &self.squares[self.starts[area.idx()]..end]
    }

    /// Returns the boxes at the sides of an area's squares, some more than once.
    pub(crate) fn fence(&self, area: AreaIndex) -> &[FloorSquare] {
        let end = self.fence_starts.get(area.idx() + 1).copied().unwrap_or(self.fences.len());
        &self.fences[self.fence_starts[area.idx()]..end]
    }

    /// Collects the boxes that touch an area at a side or at a corner, in ascending order.
    pub(crate) fn touching(
        &self,
        board: &SearchBoard,
        area: AreaIndex,
        boxes: BitView<'_>,
        found: &mut Vec<FloorSquare>,
    ) {
        found.clear();
        for &sq in self.squares(area) {
            for (dir, next) in (0..4).map(|dir| (dir, board.step(sq, dir))).filter(|&(_, next)| next != board.wall()) {
                let around = [next, board.step(next, dir + 1), board.step(next, dir + 3)];
                found.extend(around.into_iter().filter(|&sq| boxes.has(sq)));
            }
        }
        found.sort_unstable();
        found.dedup();
    }
}

#[cfg(test)]
mod tests;
