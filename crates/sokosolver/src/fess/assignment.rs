//! Boxes to targets of their own, at the least cost.
//!
//! Positions are looked at in families: one whole ([`Assignment::begin`]), then those in which one box stands elsewhere,
//! for which one row of the matching is done again. Invariant: what it takes does not depend on that.

use crate::bits::Bits;
use crate::ground::{Distances, Way};
use crate::matching::{CostTable, Matching};

use super::terrain::Terrain;

/// What it takes to bring all boxes to some squares.
#[derive(Debug)]
pub(crate) struct Assignment<const W: usize> {
    costs: Box<CostTable>,
    matching: Box<Matching>,
    n_targets: usize,
    /// The boxes of the position looked at whole, as long as the matching is theirs.
    base: Bits<W>,
    base_cost: Option<u64>,
}

/// What has become of the boxes of a position.
enum Moved {
    Nobody(u64),
    /// The box of this row stands on this square.
    One(usize, u16),
}

impl<const W: usize> Assignment<W> {
    /// What it takes when nothing can be assigned.
    pub(crate) const NEVER: u64 = (1 << 15) - 1;

    /// Assigns boxes to these squares, by pushes or by pulls.
    pub(crate) fn new(terrain: &Terrain<W>, targets: &Bits<W>, way: Way) -> Self {
        let targets: Vec<u16> = targets.iter().collect();
        let distances = Distances::new(terrain.ground(), way, &targets, |_| false);
        let (costs, matching) = (CostTable::new(terrain.ground(), &distances), Matching::new(targets.len()));
        let (costs, matching, n_targets) = (Box::new(costs), Box::new(matching), targets.len());
        Self { costs, matching, n_targets, base: Bits::default(), base_cost: None }
    }

    /// Gets ready for a position and those in which one of its boxes stands elsewhere.
    pub(crate) fn begin(&mut self, boxes: &Bits<W>) {
        self.base_cost = None;
        let cost = self.cost(boxes);
        self.base = *boxes;
        self.base_cost = Some(cost).filter(|&cost| cost < Self::NEVER);
    }

    /// Returns the least pushes or pulls, [`Assignment::NEVER`] if there is no way.
    pub(crate) fn cost(&mut self, boxes: &Bits<W>) -> u64 {
        let cost = match self.moved(boxes) {
            Some(Moved::Nobody(cost)) => return cost,
            Some(Moved::One(row, to)) => self.matching.exact_after(&self.costs, row, to),
            None if boxes.len() > self.n_targets => None,
            None => {
                self.base_cost = None;
                self.matching.solve(&self.costs, boxes.iter())
            }
        };
        cost.map_or(Self::NEVER, |cost| u64::from(cost).min(Self::NEVER - 1))
    }

    /// Returns how boxes differ from those of the position looked at whole; `None` if by more than one box.
    fn moved(&self, boxes: &Bits<W>) -> Option<Moved> {
        let cost = self.base_cost?;
        let (mut gone, mut came) = (self.base.without(boxes).iter(), boxes.without(&self.base).iter());
        match [gone.next(), gone.next(), came.next(), came.next()] {
            [None, _, None, _] => Some(Moved::Nobody(cost)),
            [Some(from), None, Some(to), None] => Some(Moved::One(self.base.n_below(from), to)),
            _ => None,
        }
    }
}
