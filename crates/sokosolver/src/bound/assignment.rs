//! The cost of a minimum assignment of boxes to targets, for families of positions that differ by one box.
//!
//! One position is solved whole ([`Assignment::begin`]); for those in which one of its boxes stands elsewhere only one
//! row of the matching is solved again. Invariant: the cost does not depend on which of the two was done.

use sokocore::FloorSquare;

use crate::board::bit_set::BitSet;
use crate::board::{DistanceRow, Distances, SearchBoard, SearchDirection};
use crate::bound::matching::{CostTable, Matching, MatrixRow};

/// The least pushes or pulls that bring all boxes to a set of squares.
#[derive(Debug)]
pub(crate) struct Assignment<const W: usize> {
    costs: Box<CostTable>,
    matching: Box<Matching>,
    n_targets: usize,
    /// The boxes of the position that was solved whole, as long as the matching is theirs.
    base: BitSet<W>,
    base_cost: Option<u64>,
}

/// How the boxes of a position differ from those of the position that was solved whole.
enum Difference {
    /// Not at all; the cost is known.
    Same(u64),
    /// The box of this row stands on this square.
    One(MatrixRow, FloorSquare),
}

impl<const W: usize> Assignment<W> {
    /// The cost if there is no assignment.
    pub(crate) const NEVER: u64 = (1 << 15) - 1;

    /// Prepares assignments to these squares, by pushes or by pulls.
    pub(crate) fn new(board: &SearchBoard, targets: &BitSet<W>, direction: SearchDirection) -> Self {
        let targets: Vec<FloorSquare> = targets.iter().collect();
        let distances = Distances::new(board.sides(), direction, &targets, |_| false);
        let (costs, matching) = (CostTable::new(board, &distances), Matching::new(targets.len()));
        let (costs, matching, n_targets) = (Box::new(costs), Box::new(matching), targets.len());
        Self { costs, matching, n_targets, base: BitSet::default(), base_cost: None }
    }

    /// Solves a position whole, as the base of those in which one of its boxes stands elsewhere.
    pub(crate) fn begin(&mut self, boxes: &BitSet<W>) {
        self.base_cost = None;
        let cost = self.cost(boxes);
        self.base = *boxes;
        self.base_cost = Some(cost).filter(|&cost| cost < Self::NEVER);
    }

    /// Returns the least pushes or pulls, [`Assignment::NEVER`] if there is no assignment.
    pub(crate) fn cost(&mut self, boxes: &BitSet<W>) -> u64 {
        let cost = match self.difference(boxes) {
            Some(Difference::Same(cost)) => return cost,
            Some(Difference::One(row, to)) => self.matching.exact_after(&self.costs, row, to.into()),
            None if boxes.len() > self.n_targets => None,
            None => {
                self.base_cost = None;
                self.matching.solve(&self.costs, boxes.iter().map(DistanceRow::from))
            }
        };
        cost.map_or(Self::NEVER, |cost| u64::from(cost).min(Self::NEVER - 1))
    }

    /// Returns how boxes differ from those of the base; `None` if by more than one box.
    fn difference(&self, boxes: &BitSet<W>) -> Option<Difference> {
        let cost = self.base_cost?;
        let (mut gone, mut came) = (self.base.without(boxes).iter(), boxes.without(&self.base).iter());
        match [gone.next(), gone.next(), came.next(), came.next()] {
            [None, _, None, _] => Some(Difference::Same(cost)),
            [Some(from), None, Some(to), None] => Some(Difference::One(MatrixRow::new(self.base.n_below(from)), to)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
