//! What is known about a few boxes alone, made before the search: dead patterns, pairs in conflict, and what each box
//! takes with the player on either side.

use std::sync::Arc;

use sokosearch::{Charge, Stop};

use super::penalties::{Penalties, PenaltyMaker};
use crate::ground::{Distances, Ground, SideRows, Way};
use crate::matching::CostTable;
use crate::patterns::{PatternMaker, Patterns};
use crate::{Effort, Settings};

/// The tables of one direction.
#[derive(Debug)]
pub(crate) struct Tables<const W: usize> {
    pub(crate) patterns: Patterns<W>,
    pub(crate) penalties: Option<Penalties<W>>,
    pub(crate) sides: Option<Sides>,
}

/// Rows by the player's side, and their costs.
#[derive(Debug)]
pub(crate) struct Sides {
    pub(crate) rows: Arc<SideRows>,
    pub(crate) costs: Arc<CostTable>,
    _charge: Charge,
}

/// The making of [`Tables`], which can be paused.
#[derive(Debug)]
pub(crate) struct TableMaker {
    patterns: PatternMaker,
    penalties: Option<PenaltyMaker>,
    /// Which way distances by side are still to be measured.
    to_measure: Option<Way>,
    sides: Option<Sides>,
}

impl TableMaker {
    /// Plans the tables that the settings ask for.
    pub(crate) fn new(ground: &Ground, way: Way, settings: &Settings, effort: &Effort) -> Self {
        let penalties = if settings.penalties { PenaltyMaker::new(ground, way, effort) } else { None };
        let to_measure = settings.side_distances.then_some(way);
        Self { patterns: PatternMaker::new(ground, way, settings), penalties, to_measure, sides: None }
    }

    /// Goes on; once it returns, [`TableMaker::finish`] gives the tables.
    ///
    /// # Errors
    /// The slice or the budget is used up.
    pub(crate) fn go_on(&mut self, ground: &Ground, effort: &mut Effort) -> Result<(), Stop> {
        if let Some(way) = self.to_measure {
            self.sides = Sides::within(ground, way, effort)?;
            self.to_measure = None;
        }
        self.patterns.go_on(effort)?;
        self.penalties.as_mut().map_or(Ok(()), |penalties| penalties.go_on(ground, effort))
    }

    /// Makes the tables.
    pub(crate) fn finish<const W: usize>(self, ground: &Ground, effort: &Effort) -> Tables<W> {
        let patterns = self.patterns.finish(ground, effort);
        let penalties = self.penalties.map(|penalties| penalties.finish(ground, effort));
        Tables { patterns, penalties, sides: self.sides }
    }
}

impl Sides {
    /// Measures with an eye on the clock; `None` if no side is like another, or there is no memory.
    fn within(ground: &Ground, way: Way, effort: &mut Effort) -> Result<Option<Self>, Stop> {
        let Some(rows) = SideRows::new(ground) else { return Ok(None) };
        let targets = ground.targets(way);
        let bytes = CostTable::bytes_of(rows.n_rows(), targets.len());
        let Ok(charge) = effort.memory().charge(bytes as u64) else { return Ok(None) };
        let distances = Distances::within(ground, way, targets, Some(&rows), effort)?;
        let costs = Arc::new(CostTable::new(ground, &distances));
        Ok(Some(Self { rows: Arc::new(rows), costs, _charge: charge }))
    }
}
