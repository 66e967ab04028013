//! Boxes that block others: a box on a hotspot keeps another one from goals that it could reach without it.

use sokocore::FloorSquare;

use crate::board::bit_set::BitSet;
use crate::board::{Distances, SearchBoard, SearchDirection};

/// For each square, the squares from which a box reaches fewer goals while a box is there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hotspots<const W: usize>(Vec<BitSet<W>>);

impl<const W: usize> Hotspots<W> {
    /// Returns whether all squares are done.
    pub(crate) const fn is_done(&self, board: &SearchBoard) -> bool {
        self.0.len() >= board.n_live()
    }

    /// Computes the next square.
    pub(crate) fn grow(&mut self, board: &SearchBoard, goals: &BitSet<W>) {
        let mut blocked = BitSet::default();
        let hot = FloorSquare::from_idx(self.0.len());
        if !goals.has(hot) {
            let around = Distances::new(board.sides(), SearchDirection::Forward, board.goals(), |sq| sq == hot);
            let count = |row: &[u16]| row.iter().filter(|&&distance| distance != Distances::NONE).count();
            for sq in board.live_squares().filter(|&sq| sq != hot && !goals.has(sq)) {
                if count(around.row(sq)) < count(board.to_goals().row(sq)) {
                    blocked.insert(sq);
                }
            }
        }
        self.0.push(blocked);
    }

    /// Returns how many boxes block another one.
    pub(crate) fn count(&self, boxes: &BitSet<W>) -> usize {
        boxes.iter().filter(|&sq| self.0.get(sq.idx()).is_some_and(|blocked| blocked.meets(boxes))).count()
    }
}
