//! Boxes in each other's way: a box on a hotspot keeps another one from goals it could reach without it.

use crate::board::bit_set::BitSet;
use crate::board::{Distances, SearchBoard, SearchDirection};

/// For each square, where a box would lose goals by a box on that square.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hotspots<const W: usize>(Vec<BitSet<W>>);

impl<const W: usize> Hotspots<W> {
    /// Returns whether all squares are done.
    pub(crate) const fn is_done(&self, ground: &SearchBoard) -> bool {
        self.0.len() >= ground.n_live()
    }

    /// Does the next square.
    pub(crate) fn grow(&mut self, ground: &SearchBoard, goals: &BitSet<W>) {
        let mut blocked = BitSet::default();
        let Ok(hot) = u16::try_from(self.0.len()) else { return };
        if !goals.has(hot) {
            let around = Distances::new(ground, SearchDirection::Forward, ground.goals(), |sq| sq == hot);
            let count = |row: &[u16]| row.iter().filter(|&&distance| distance != Distances::NONE).count();
            for sq in (0..ground.wall()).filter(|&sq| ground.is_live(sq) && sq != hot && !goals.has(sq)) {
                if count(around.row(sq)) < count(ground.to_goals().row(sq)) {
                    blocked.insert(sq);
                }
            }
        }
        self.0.push(blocked);
    }

    /// Returns how many boxes block another one.
    pub(crate) fn count(&self, boxes: &BitSet<W>) -> usize {
        boxes.iter().filter(|&sq| self.0.get(usize::from(sq)).is_some_and(|blocked| blocked.meets(boxes))).count()
    }
}
