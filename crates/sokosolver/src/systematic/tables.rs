//! What is known about a few boxes alone, made before the search: dead patterns, and pairs in conflict.

use sokosearch::Stop;

use super::penalties::{Penalties, PenaltyMaker};
use crate::ground::{Ground, Way};
use crate::patterns::{PatternMaker, Patterns};
use crate::{Effort, Settings};

/// The tables of one direction.
#[derive(Debug)]
pub(crate) struct Tables<const W: usize> {
    pub(crate) patterns: Patterns<W>,
    pub(crate) penalties: Option<Penalties<W>>,
}

/// The making of [`Tables`], which can be paused.
#[derive(Debug)]
pub(crate) struct TableMaker {
    patterns: PatternMaker,
    penalties: Option<PenaltyMaker>,
}

impl TableMaker {
    /// Plans the tables that the settings ask for.
    pub(crate) fn new(ground: &Ground, way: Way, settings: &Settings, effort: &Effort) -> Self {
        let penalties = if settings.penalties { PenaltyMaker::new(ground, way, effort) } else { None };
        Self { patterns: PatternMaker::new(ground, way, settings), penalties }
    }

    /// Goes on; once it returns, [`TableMaker::finish`] gives the tables.
    ///
    /// # Errors
    /// The slice or the budget is used up.
    pub(crate) fn go_on(&mut self, ground: &Ground, effort: &mut Effort) -> Result<(), Stop> {
        self.patterns.go_on(effort)?;
        self.penalties.as_mut().map_or(Ok(()), |penalties| penalties.go_on(ground, effort))
    }

    /// Makes the tables.
    pub(crate) fn finish<const W: usize>(self, ground: &Ground, effort: &Effort) -> Tables<W> {
        let patterns = self.patterns.finish(ground, effort);
        Tables { patterns, penalties: self.penalties.map(|penalties| penalties.finish(ground, effort)) }
    }
}
