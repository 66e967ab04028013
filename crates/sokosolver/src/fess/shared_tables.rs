//! What all variants of a level share: tables, proofs of deadlocks, and the positions known from either side.
//!
//! Invariant: nothing here belongs to one search, so dropping a variant drops no table. Each thread has proofs of its
//! own; all else is common to the threads.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::board::SearchDirection;
use crate::deadlock::library::DeadlockLibrary;
use crate::deadlock::library_parts::LibraryParts;
use crate::deadlock::pattern_table::PatternTable;
use crate::part_times::PartSampler;
use crate::search_kind::SearchKind;
use crate::{Settings, WorkMeter};

use crate::fess::features::hotspots::Hotspots;
use crate::fess::known_positions::KnownPositions;
use crate::fess::tables::FessTables;
use crate::fess::tree::cells::CellRule;

/// The shared tables, as one thread holds them.
#[derive(Debug)]
pub(crate) struct SharedTables<const W: usize> {
    pub(crate) tables: Arc<FessTables<W>>,
    pub(crate) hotspots: Arc<Hotspots<W>>,
    /// Dead pairs, by pushes and by pulls.
    patterns: [Arc<PatternTable>; 2],
    /// The deadlock tests of searches by pushes.
    pub(crate) push_deadlocks: DeadlockLibrary,
    /// The deadlock tests of searches by pulls.
    pub(crate) pull_deadlocks: DeadlockLibrary,
    pub(crate) known_positions: Arc<Mutex<KnownPositions>>,
    pub(crate) settings: Settings,
    pub(crate) cell_rule: CellRule,
    /// Times expansions of this thread.
    pub(crate) sampler: PartSampler,
}

impl<const W: usize> SharedTables<W> {
    /// Puts the tables together.
    pub(crate) fn new(
        tables: Arc<FessTables<W>>,
        hotspots: Arc<Hotspots<W>>,
        patterns: [Arc<PatternTable>; 2],
        settings: Settings,
        meter: &WorkMeter,
    ) -> Self {
        let known_positions = Arc::new(Mutex::new(KnownPositions::new(meter)));
        let [push_deadlocks, pull_deadlocks] = libraries(&tables, &patterns, &settings, meter);
        let cell_rule = CellRule::default();
        let sampler = PartSampler::default();
        Self {
            tables,
            hotspots,
            patterns,
            push_deadlocks,
            pull_deadlocks,
            known_positions,
            settings,
            cell_rule,
            sampler,
        }
    }

    /// Returns the tables for another thread.
    pub(crate) fn for_another_thread(&self, meter: &WorkMeter) -> Self {
        let [push_deadlocks, pull_deadlocks] = libraries(&self.tables, &self.patterns, &self.settings, meter);
        Self {
            tables: Arc::clone(&self.tables),
            hotspots: Arc::clone(&self.hotspots),
            patterns: self.patterns.clone(),
            push_deadlocks,
            pull_deadlocks,
            known_positions: Arc::clone(&self.known_positions),
            settings: self.settings.clone(),
            cell_rule: self.cell_rule,
            sampler: PartSampler::default(),
        }
    }
}

/// Makes the deadlock tests by pushes and by pulls.
fn libraries<const W: usize>(
    tables: &FessTables<W>,
    patterns: &[Arc<PatternTable>; 2],
    settings: &Settings,
    meter: &WorkMeter,
) -> [DeadlockLibrary; 2] {
    [SearchDirection::Forward, SearchDirection::Backward].map(|direction| {
        DeadlockLibrary::new(&LibraryParts {
            level: tables.level.level(),
            board: tables.board(),
            tables: Some(&tables.level),
            patterns: Some(&patterns[usize::from(direction == SearchDirection::Backward)]),
            search: SearchKind::Fess,
            direction,
            settings,
            meter,
        })
    })
}
