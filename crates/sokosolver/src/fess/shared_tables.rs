//! What all strategies of one level share: tables, proofs of deadlocks, and the positions known from either side.
//!
//! Invariant: nothing here belongs to one tree, so a strategy that is dropped takes nothing with it. Of several threads
//! each has its own proofs; all the rest is common to them.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::deadlock::pattern_table::PatternTable;
use crate::{Settings, WorkMeter};

use crate::deadlock::position_tests::PositionTests;
use crate::fess::features::hotspots::Hotspots;
use crate::fess::perimeter::Perimeter;
use crate::fess::tables::FessTables;

/// The common property.
#[derive(Debug)]
pub(crate) struct SharedTables<const W: usize> {
    pub(crate) terrain: Arc<FessTables<W>>,
    pub(crate) hotspots: Arc<Hotspots<W>>,
    /// Dead pairs, by pushes.
    pub(crate) patterns: Arc<PatternTable<W>>,
    /// Dead pairs, by pulls.
    pub(crate) pulled_patterns: Arc<PatternTable<W>>,
    pub(crate) verdicts: PositionTests<W>,
    pub(crate) perimeter: Arc<Mutex<Perimeter>>,
    pub(crate) settings: Settings,
}

impl<const W: usize> SharedTables<W> {
    /// Puts the tables together.
    pub(crate) fn new(
        terrain: FessTables<W>,
        hotspots: Hotspots<W>,
        [patterns, pulled_patterns]: [PatternTable<W>; 2],
        settings: Settings,
        effort: &WorkMeter,
    ) -> Self {
        let verdicts = PositionTests::new(&terrain, &settings, effort);
        let perimeter = Arc::new(Mutex::new(Perimeter::new(effort)));
        let [patterns, pulled_patterns] = [patterns, pulled_patterns].map(Arc::new);
        let (terrain, hotspots) = (Arc::new(terrain), Arc::new(hotspots));
        Self { terrain, hotspots, patterns, pulled_patterns, verdicts, perimeter, settings }
    }

    /// Returns the same for another thread.
    pub(crate) fn for_another(&self, effort: &WorkMeter) -> Self {
        Self {
            terrain: Arc::clone(&self.terrain),
            hotspots: Arc::clone(&self.hotspots),
            patterns: Arc::clone(&self.patterns),
            pulled_patterns: Arc::clone(&self.pulled_patterns),
            verdicts: PositionTests::new(&self.terrain, &self.settings, effort),
            perimeter: Arc::clone(&self.perimeter),
            settings: self.settings.clone(),
        }
    }
}
