//! Tables made before the search: dead patterns, pairs of boxes in conflict, and costs by the player's side of a box.

use std::sync::Arc;

use sokosearch::Stop;

use crate::board::{SearchBoard, SearchDirection};
use crate::bound::penalties::{Penalties, PenaltyMaker};
use crate::bound::side_costs::SideCosts;
use crate::deadlock::pattern_table::{PatternMaker, PatternTable};
use crate::{Settings, Technique, WorkMeter};

/// The tables of one direction.
#[derive(Debug)]
pub(crate) struct SearchTables<const W: usize> {
    pub(crate) patterns: Arc<PatternTable>,
    pub(crate) penalties: Option<Penalties<W>>,
    pub(crate) sides: Option<SideCosts>,
}

/// Builds [`SearchTables`]; it can be paused.
#[derive(Debug)]
pub(crate) struct TableMaker {
    patterns: PatternMaker,
    penalties: Option<PenaltyMaker>,
    /// The direction in which the costs by side are still to be measured.
    to_measure: Option<SearchDirection>,
    sides: Option<SideCosts>,
}

impl TableMaker {
    /// Plans the tables that the settings ask for.
    pub(crate) fn new(board: &SearchBoard, direction: SearchDirection, settings: &Settings, meter: &WorkMeter) -> Self {
        let penalties =
            if settings.uses(Technique::Penalties) { PenaltyMaker::new(board, direction, meter) } else { None };
        let to_measure = settings.uses(Technique::SideDistances).then_some(direction);
        Self { patterns: PatternMaker::new(board, direction, settings), penalties, to_measure, sides: None }
    }

    /// Starts or continues the work; once it returns, [`TableMaker::finish`] makes the tables.
    ///
    /// # Errors
    /// The slice or the budget is used up.
    pub(crate) fn resume(&mut self, board: &SearchBoard, meter: &mut WorkMeter) -> Result<(), Stop> {
        if let Some(direction) = self.to_measure {
            self.sides = SideCosts::within(board, direction, meter)?;
            self.to_measure = None;
        }
        self.patterns.resume(meter)?;
        self.penalties.as_mut().map_or(Ok(()), |penalties| penalties.resume(board, meter))
    }

    /// Makes the tables.
    pub(crate) fn finish<const W: usize>(self, board: &SearchBoard, meter: &WorkMeter) -> SearchTables<W> {
        let patterns = Arc::new(self.patterns.finish(board, meter));
        let penalties = self.penalties.map(|penalties| penalties.finish(board, meter));
        SearchTables { patterns, penalties, sides: self.sides }
    }
}
