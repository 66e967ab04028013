//! What all strategies of one level share: tables, proofs of deadlocks, and the positions known from either side.
//!
//! Invariant: nothing here belongs to one tree, so a strategy that is dropped takes nothing with it. Of several threads
//! each has its own proofs; all the rest is common to them.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::bits::Bits;
use crate::ground::{Distances, Way};
use crate::matching::{CostTable, Matching};
use crate::patterns::Patterns;
use crate::{Effort, Settings};

use super::hotspots::Hotspots;
use super::perimeter::Perimeter;
use super::terrain::Terrain;
use super::verdict::Verdicts;

/// The common property.
#[derive(Debug)]
pub(crate) struct Commons<const W: usize> {
    pub(crate) terrain: Arc<Terrain<W>>,
    pub(crate) hotspots: Arc<Hotspots<W>>,
    /// Dead pairs, by pushes.
    pub(crate) patterns: Arc<Patterns<W>>,
    /// Dead pairs, by pulls.
    pub(crate) pulled_patterns: Arc<Patterns<W>>,
    pub(crate) verdicts: Verdicts<W>,
    pub(crate) perimeter: Arc<Mutex<Perimeter>>,
    pub(crate) settings: Settings,
}

/// Boxes to targets of their own, at the least cost.
///
/// Positions are looked at in families: one whole ([`Assignment::begin`]), then those in which one box stands elsewhere,
/// for which one row of the matching is done again. **Invariant**: what it takes does not depend on that.
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

impl<const W: usize> Commons<W> {
    /// Puts the tables together.
    pub(crate) fn new(
        terrain: Terrain<W>,
        hotspots: Hotspots<W>,
        [patterns, pulled_patterns]: [Patterns<W>; 2],
        settings: Settings,
        effort: &Effort,
    ) -> Self {
        let verdicts = Verdicts::new(&terrain, &settings, effort);
        let perimeter = Arc::new(Mutex::new(Perimeter::new(effort)));
        let [patterns, pulled_patterns] = [patterns, pulled_patterns].map(Arc::new);
        let (terrain, hotspots) = (Arc::new(terrain), Arc::new(hotspots));
        Self { terrain, hotspots, patterns, pulled_patterns, verdicts, perimeter, settings }
    }

    /// Returns the same for another thread.
    pub(crate) fn for_another(&self, effort: &Effort) -> Self {
        Self {
            terrain: Arc::clone(&self.terrain),
            hotspots: Arc::clone(&self.hotspots),
            patterns: Arc::clone(&self.patterns),
            pulled_patterns: Arc::clone(&self.pulled_patterns),
            verdicts: Verdicts::new(&self.terrain, &self.settings, effort),
            perimeter: Arc::clone(&self.perimeter),
            settings: self.settings.clone(),
        }
    }
}

impl<const W: usize> Assignment<W> {
    /// What it takes when nothing can be assigned.
    pub(crate) const NEVER: u64 = (1 << 15) - 1;

    /// Assigns boxes to these squares by pushes.
    pub(crate) fn by_pushes(terrain: &Terrain<W>, targets: &Bits<W>) -> Self {
        let targets: Vec<u16> = targets.iter().collect();
        let distances = Distances::new(terrain.ground(), Way::Forward, &targets, |_| false);
        Self::of(CostTable::new(terrain.ground(), &distances), targets.len())
    }

    /// Assigns boxes to these squares by pulls.
    pub(crate) fn by_pulls(terrain: &Terrain<W>, targets: &Bits<W>) -> Self {
        let targets: Vec<u16> = targets.iter().collect();
        let distances = Distances::new(terrain.ground(), Way::Backward, &targets, |_| false);
        Self::of(CostTable::new(terrain.ground(), &distances), targets.len())
    }

    fn of(costs: CostTable, n_targets: usize) -> Self {
        let matching = Box::new(Matching::new(n_targets));
        Self { costs: Box::new(costs), matching, n_targets, base: Bits::default(), base_cost: None }
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
