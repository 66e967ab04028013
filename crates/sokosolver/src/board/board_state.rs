//! The mutable board of a search: boxes with fixed numbers, pushed and pulled.
//!
//! Invariant: `at[boxes[i]] == i + 1` for every box on the board; elsewhere it is 0, and [`BoardState::WALL`] for the
//! wall. The key, the count of boxes on goals and the sum of distances to the nearest goals belong to the boxes on the
//! board.

use crate::board::bit_set::BitView;
use crate::board::level_tables::LevelTables;

/// The squares of the boxes.
#[derive(Clone, Debug)]
pub(crate) struct BoardState {
    at: Vec<u16>,
    boxes: Vec<u16>,
    /// The squares with a box, as a set.
    bits: Vec<u64>,
    key: u64,
    n_off_goal: u16,
    to_go: u32,
}

impl BoardState {
    /// The wall, and in the list of boxes the square of one that is not on the board.
    pub(crate) const WALL: u16 = u16::MAX;

    /// Makes an empty board.
    pub(crate) fn new(tables: &LevelTables) -> Self {
        let mut at = vec![0; tables.board().n_squares() + 1];
        at[tables.board().n_squares()] = Self::WALL;
        let bits = vec![0; tables.board().n_words()];
        Self { at, boxes: Vec::new(), bits, key: 0, n_off_goal: 0, to_go: 0 }
    }

    /// Adds a box to the board.
    pub(crate) fn add(&mut self, tables: &LevelTables, sq: u16) {
        self.boxes.push(sq);
        self.put(tables, self.boxes.len() - 1, sq);
    }

    /// Removes all boxes.
    pub(crate) fn clear(&mut self) {
        for &sq in self.boxes.iter().filter(|&&sq| sq != Self::WALL) {
            self.at[usize::from(sq)] = 0;
        }
        self.bits.fill(0);
        self.boxes.clear();
        (self.key, self.n_off_goal, self.to_go) = (0, 0, 0);
    }

    /// Puts a box of the list back on the board.
    #[inline]
    pub(crate) fn put(&mut self, tables: &LevelTables, number: usize, sq: u16) {
        self.boxes[number] = sq;
        self.at[usize::from(sq)] = u16::try_from(number + 1).unwrap_or(Self::WALL - 1);
        self.bits[usize::from(sq) / 64] |= 1 << (sq % 64);
        self.key ^= tables.key(sq);
        self.n_off_goal += u16::from(!tables.is_goal(sq));
        self.to_go += u32::from(tables.nearest(sq));
    }

    /// Takes a box off the board; it keeps its number. Returns the square it was on.
    #[inline]
    pub(crate) fn take(&mut self, tables: &LevelTables, number: usize) -> u16 {
        let sq = std::mem::replace(&mut self.boxes[number], Self::WALL);
        self.at[usize::from(sq)] = 0;
        self.bits[usize::from(sq) / 64] &= !(1 << (sq % 64));
        self.key ^= tables.key(sq);
        self.n_off_goal -= u16::from(!tables.is_goal(sq));
        self.to_go -= u32::from(tables.nearest(sq));
        sq
    }

    /// Moves the box on one square to another.
    #[inline]
    pub(crate) fn shift(&mut self, tables: &LevelTables, from: u16, to: u16) {
        let number = usize::from(self.at[usize::from(from)]) - 1;
        self.take(tables, number);
        self.put(tables, number, to);
    }

    /// Returns whether a box stands on the square; false for the wall.
    #[inline]
    pub(crate) fn has_box(&self, sq: u16) -> bool {
        let here = self.at[usize::from(sq)];
        here != 0 && here != Self::WALL
    }

    /// Returns the squares with a box, as a set.
    #[inline]
    pub(crate) fn view(&self) -> BitView<'_> {
        BitView::new(&self.bits)
    }

    /// Returns the squares of the boxes by their numbers; [`BoardState::WALL`] for those off the board.
    #[inline]
    pub(crate) fn boxes(&self) -> &[u16] {
        &self.boxes
    }

    /// Returns whether neither box nor wall is on the square.
    #[inline]
    pub(crate) fn is_free(&self, sq: u16) -> bool {
        self.at[usize::from(sq)] == 0
    }

    /// Returns the number of the box on a square.
    #[inline]
    pub(crate) fn number(&self, sq: u16) -> usize {
        usize::from(self.at[usize::from(sq)]) - 1
    }

    /// Returns the square of a box; [`BoardState::WALL`] if it is off the board.
    #[inline]
    pub(crate) fn square(&self, number: usize) -> u16 {
        self.boxes[number]
    }

    /// Returns how many numbers boxes have, on or off the board.
    pub(crate) const fn n_boxes(&self) -> usize {
        self.boxes.len()
    }

    /// Returns the squares of the boxes on the board.
    #[inline]
    pub(crate) fn squares(&self) -> impl Iterator<Item = u16> + Clone {
        self.boxes.iter().copied().filter(|&sq| sq != Self::WALL)
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
