//! The mutable board of a search: boxes with fixed numbers, pushed and pulled.
//!
//! Invariant: `at[boxes[i]] == i + 1` for every box on the board; elsewhere it is 0, and [`BoardState::SOLID`] for the
//! wall. The key, the count of boxes on goals and the sum of distances to the nearest goals belong to the boxes on the
//! board.

use sokocore::FloorSquare;

use crate::board::bit_set::BitView;
use crate::board::level_tables::LevelTables;

/// The number of a box, which it keeps while it is moved: its place in the list of boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct BoxIndex(u16);

impl BoxIndex {
    /// Makes the number of the box at a place of the list.
    ///
    /// # Panics
    /// If the place is above 65,535: no board has so many boxes.
    #[inline]
    pub(crate) fn new(idx: usize) -> Self {
        Self(u16::try_from(idx).expect("invariant: boxes are numbered by 16 bits"))
    }

    /// Returns the place in the list of boxes.
    #[inline]
    pub(crate) const fn idx(self) -> usize {
        self.0 as usize
    }
}

/// The squares of the boxes.
#[derive(Clone, Debug)]
pub(crate) struct BoardState {
    at: Vec<u16>,
    boxes: Vec<FloorSquare>,
    /// The squares with a box, as a set.
    bits: Vec<u64>,
    key: u64,
    n_off_goal: u16,
    to_go: u32,
}

impl BoardState {
    /// In the list of boxes, the square of one that is not on the board; no board has it.
    pub(crate) const OFF_BOARD: FloorSquare = FloorSquare::new(u16::MAX);

    /// What is on the wall, which is no box.
    const SOLID: u16 = u16::MAX;

    /// Makes an empty board.
    pub(crate) fn new(tables: &LevelTables) -> Self {
        let mut at = vec![0; tables.board().n_squares() + 1];
        at[tables.board().n_squares()] = Self::SOLID;
        let bits = vec![0; tables.board().n_words()];
        Self { at, boxes: Vec::new(), bits, key: 0, n_off_goal: 0, to_go: 0 }
    }

    /// Adds a box to the board.
    pub(crate) fn add(&mut self, tables: &LevelTables, sq: FloorSquare) {
        self.boxes.push(sq);
        self.put(tables, BoxIndex::new(self.boxes.len() - 1), sq);
    }

    /// Removes all boxes.
    pub(crate) fn clear(&mut self) {
        for &sq in self.boxes.iter().filter(|&&sq| sq != Self::OFF_BOARD) {
            self.at[sq.idx()] = 0;
        }
        self.bits.fill(0);
        self.boxes.clear();
        (self.key, self.n_off_goal, self.to_go) = (0, 0, 0);
    }

    /// Puts a box of the list back on the board.
    #[inline]
    pub(crate) fn put(&mut self, tables: &LevelTables, number: BoxIndex, sq: FloorSquare) {
        self.boxes[number.idx()] = sq;
        self.at[sq.idx()] = number.0 + 1;
        self.bits[sq.idx() / 64] |= 1 << (sq.idx() % 64);
        self.key ^= tables.key(sq);
        self.n_off_goal += u16::from(!tables.is_goal(sq));
        self.to_go += u32::from(tables.nearest(sq));
    }

    /// Takes a box off the board; it keeps its number. Returns the square it was on.
    #[inline]
    pub(crate) fn take(&mut self, tables: &LevelTables, number: BoxIndex) -> FloorSquare {
        let sq = std::mem::replace(&mut self.boxes[number.idx()], Self::OFF_BOARD);
        self.at[sq.idx()] = 0;
        self.bits[sq.idx() / 64] &= !(1 << (sq.idx() % 64));
        self.key ^= tables.key(sq);
        self.n_off_goal -= u16::from(!tables.is_goal(sq));
        self.to_go -= u32::from(tables.nearest(sq));
        sq
    }

    /// Moves the box on one square to another.
    #[inline]
    pub(crate) fn shift(&mut self, tables: &LevelTables, from: FloorSquare, to: FloorSquare) {
        let number = self.number(from);
        self.take(tables, number);
        self.put(tables, number, to);
    }

    /// Returns whether a box stands on the square; false for the wall.
    #[inline]
    pub(crate) fn has_box(&self, sq: FloorSquare) -> bool {
        let here = self.at[sq.idx()];
        here != 0 && here != Self::SOLID
    }

    /// Returns the squares with a box, as a set.
    #[inline]
    pub(crate) fn view(&self) -> BitView<'_> {
        BitView::new(&self.bits)
    }

    /// Returns the squares of the boxes by their numbers; [`BoardState::OFF_BOARD`] for those off the board.
    #[inline]
    pub(crate) fn boxes(&self) -> &[FloorSquare] {
        &self.boxes
    }

    /// Returns whether neither box nor wall is on the square.
    #[inline]
    pub(crate) fn is_free(&self, sq: FloorSquare) -> bool {
        self.at[sq.idx()] == 0
    }

    /// Returns the number of the box on a square.
    #[inline]
    pub(crate) fn number(&self, sq: FloorSquare) -> BoxIndex {
        BoxIndex(self.at[sq.idx()] - 1)
    }

    /// Returns the square of a box; [`BoardState::OFF_BOARD`] if it is off the board.
    #[inline]
    pub(crate) fn square(&self, number: BoxIndex) -> FloorSquare {
        self.boxes[number.idx()]
    }

    /// Returns how many numbers boxes have, on or off the board.
    pub(crate) const fn n_boxes(&self) -> usize {
        self.boxes.len()
    }

    /// Visits the numbers of the boxes, on or off the board.
    #[inline]
    pub(crate) fn numbers(&self) -> impl Iterator<Item = BoxIndex> + use<> {
        (0..self.n_boxes()).map(BoxIndex::new)
    }

    /// Returns the squares of the boxes on the board.
    #[inline]
    pub(crate) fn squares(&self) -> impl Iterator<Item = FloorSquare> + Clone {
        self.boxes.iter().copied().filter(|&sq| sq != Self::OFF_BOARD)
    }

    /// Returns the hash key of the boxes.
    #[inline]
    pub(crate) const fn key(&self) -> u64 {
        self.key
    }

    /// Returns whether every box is on a goal.
    #[inline]
    pub(crate) const fn is_solved(&self) -> bool {
        self.n_off_goal == 0
    }

    /// Returns the sum of the boxes' distances to their nearest goals.
    #[inline]
    pub(crate) const fn to_go(&self) -> u32 {
        self.to_go
    }
}
