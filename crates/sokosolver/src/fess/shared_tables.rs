//! What all variants of a level share: tables, proofs of deadlocks, and the positions known from either side.
//!
//! Invariant: nothing here belongs to one search, so dropping a variant drops no table. Each thread has proofs of its
//! own; all else is common to the threads.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::deadlock::pattern_table::PatternTable;
use crate::{Settings, WorkMeter};

use crate::deadlock::position_tests::PositionTests;
use crate::fess::features::hotspots::Hotspots;
use crate::fess::known_positions::KnownPositions;
use crate::fess::tables::FessTables;
use crate::fess::tree::cells::CellRule;

/// The shared tables, as one thread holds them.
#[derive(Debug)]
pub(crate) struct SharedTables<const W: usize> {
    pub(crate) tables: Arc<FessTables<W>>,
    pub(crate) hotspots: Arc<Hotspots<W>>,
    /// Dead pairs, by pushes.
    pub(crate) push_patterns: Arc<PatternTable<W>>,
    /// Dead pairs, by pulls.
    pub(crate) pull_patterns: Arc<PatternTable<W>>,
    pub(crate) position_tests: PositionTests<W>,
    pub(crate) known_positions: Arc<Mutex<KnownPositions>>,
    pub(crate) settings: Settings,
    pub(crate) cell_rule: CellRule,
}

impl<const W: usize> SharedTables<W> {
    /// Puts the tables together.
    pub(crate) fn new(
        tables: FessTables<W>,
        hotspots: Hotspots<W>,
        [push_patterns, pull_patterns]: [PatternTable<W>; 2],
        settings: Settings,
        meter: &WorkMeter,
    ) -> Self {
        let position_tests = PositionTests::new(&tables, &settings, meter);
        let known_positions = Arc::new(Mutex::new(KnownPositions::new(meter)));
        let [push_patterns, pull_patterns] = [push_patterns, pull_patterns].map(Arc::new);
        let (tables, hotspots) = (Arc::new(tables), Arc::new(hotspots));
        Self {
            tables,
            hotspots,
            push_patterns,
            pull_patterns,
            position_tests,
            known_positions,
            settings,
            cell_rule: CellRule::default(),
        }
    }

    /// Returns the tables for another thread.
    pub(crate) fn for_another_thread(&self, meter: &WorkMeter) -> Self {
        Self {
            tables: Arc::clone(&self.tables),
            hotspots: Arc::clone(&self.hotspots),
            push_patterns: Arc::clone(&self.push_patterns),
            pull_patterns: Arc::clone(&self.pull_patterns),
            position_tests: PositionTests::new(&self.tables, &self.settings, meter),
            known_positions: Arc::clone(&self.known_positions),
            settings: self.settings.clone(),
            cell_rule: self.cell_rule,
        }
    }
}
