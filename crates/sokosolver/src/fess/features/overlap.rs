//! How many boxes stand as in one position of a path: the most over all its positions.
//!
//! After one macro move only two squares change: those of the box before and after. Invariant: `counts` belongs to the
//! boxes `now`, one for each position of the path.

use sokocore::FloorSquare;

use crate::board::bit_set::BitSet;

/// A path to be compared with positions.
#[derive(Clone, Debug)]
pub(crate) struct Overlap<const W: usize> {
    path: Vec<BitSet<W>>,
    /// For each square, whether a box is there in each position of the path: 1 or 0.
    held: Vec<Vec<u16>>,
    now: BitSet<W>,
    counts: Vec<u16>,
}

impl<const W: usize> Overlap<W> {
    /// Takes a path over so many live squares.
    pub(crate) fn new(path: Vec<BitSet<W>>, n_live: usize) -> Self {
        let held = (0..n_live)
            .map(FloorSquare::from_idx)
            .map(|sq| path.iter().map(|then| u16::from(then.has(sq))).collect())
            .collect();
        let mut overlap = Self { path, held, now: BitSet::default(), counts: Vec::new() };
        overlap.begin(&BitSet::default());
        overlap
    }

    /// Counts for a position.
    pub(crate) fn begin(&mut self, boxes: &BitSet<W>) {
        self.now = *boxes;
        self.counts.clear();
        let count =
            |then: &BitSet<W>| u16::try_from(then.n_shared(boxes)).expect("invariant: fewer boxes than squares");
        self.counts.extend(self.path.iter().map(count));
    }

    /// Returns the most boxes that stand as in one position of the path; fast for positions a macro move away from the
    /// one counted.
    pub(crate) fn most(&self, boxes: &BitSet<W>) -> u64 {
        let both = self.now.shared(boxes);
        let (gone, come) = (self.now.len() - both.len(), boxes.len() - both.len());
        let most = match (gone, come) {
            (0, 0) => self.counts.iter().copied().max(),
            (1, 1) => {
                let held = |set: &BitSet<W>| {
                    let only = set.without(&both).iter().next();
                    &self.held[only.expect("invariant: one square is not in both").idx()]
                };
                let moments = self.counts.iter().zip(held(&self.now)).zip(held(boxes));
                moments.map(|((count, gone), come)| count - gone + come).max()
            }
            _ => return self.path.iter().map(|then| then.n_shared(boxes) as u64).max().unwrap_or(0),
        };
        u64::from(most.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_move_it_is_the_same_as_counted_anew() {
        let set = |squares: &[u16]| {
            let mut set = BitSet::<2>::default();
            squares.iter().for_each(|&sq| set.insert(FloorSquare::new(sq)));
            set
        };
        let path = vec![set(&[1, 2, 70]), set(&[1, 3, 71]), set(&[4, 3, 71])];
        let mut overlap = Overlap::new(path, 100);
        let boxes = set(&[1, 2, 71]);
        overlap.begin(&boxes);
        assert_eq!(overlap.most(&boxes), 2);
        for (from, to, most) in [(2, 3, 3), (71, 70, 3), (1, 99, 1), (1, 4, 2)] {
            let moved = boxes.moved(FloorSquare::new(from), FloorSquare::new(to));
            assert_eq!(overlap.most(&moved), most);
            let far = overlap.clone();
            overlap.begin(&moved);
            assert_eq!(overlap.most(&moved), most);
            overlap = far;
        }
        assert_eq!(overlap.most(&set(&[3, 4, 5])), 2, "two boxes away");
    }
}
