//! What all strategies of one level share: tables, proofs of deadlocks, and the positions known from either side.
//!
//! Invariant: nothing here belongs to one tree, so a strategy that is dropped takes nothing with it.

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
    pub(crate) terrain: Terrain<W>,
    pub(crate) hotspots: Hotspots<W>,
    /// Dead pairs, by pushes.
    pub(crate) patterns: Patterns<W>,
    /// Dead pairs, by pulls.
    pub(crate) pulled_patterns: Patterns<W>,
    pub(crate) verdicts: Verdicts<W>,
    pub(crate) perimeter: Perimeter,
    pub(crate) settings: Settings,
}

/// Boxes to targets of their own, at the least cost.
#[derive(Debug)]
pub(crate) struct Assignment {
    costs: Box<CostTable>,
    matching: Box<Matching>,
    n_targets: usize,
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
        let perimeter = Perimeter::new(effort);
        Self { terrain, hotspots, patterns, pulled_patterns, verdicts, perimeter, settings }
    }
}

impl Assignment {
    /// What it takes when nothing can be assigned.
    pub(crate) const NEVER: u64 = (1 << 15) - 1;

    /// Assigns boxes to these squares by pushes.
    pub(crate) fn by_pushes<const W: usize>(terrain: &Terrain<W>, targets: &Bits<W>) -> Self {
        let targets: Vec<u16> = targets.iter().collect();
        let distances = Distances::new(terrain.ground(), Way::Forward, &targets, |_| false);
        Self::of(CostTable::new(terrain.ground(), &distances), targets.len())
    }

    /// Assigns boxes to these squares by pulls.
    pub(crate) fn by_pulls<const W: usize>(terrain: &Terrain<W>, targets: &Bits<W>) -> Self {
        let targets: Vec<u16> = targets.iter().collect();
        let distances = Distances::new(terrain.ground(), Way::Backward, &targets, |_| false);
        Self::of(CostTable::new(terrain.ground(), &distances), targets.len())
    }

    fn of(costs: CostTable, n_targets: usize) -> Self {
        Self { costs: Box::new(costs), matching: Box::new(Matching::new(n_targets)), n_targets }
    }

    /// Returns the least pushes or pulls, [`Assignment::NEVER`] if there is no way.
    pub(crate) fn cost<const W: usize>(&mut self, boxes: &Bits<W>) -> u64 {
        let cost = if boxes.len() > self.n_targets { None } else { self.matching.solve(&self.costs, boxes.iter()) };
        cost.map_or(Self::NEVER, |cost| u64::from(cost).min(Self::NEVER - 1))
    }
}
