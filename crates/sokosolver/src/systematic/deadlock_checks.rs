//! The deadlock checks of a forward search that are made from the level itself.

use std::sync::Arc;

use sokocore::Level;

use crate::board::SearchBoard;
use crate::board::level_tables::LevelTables;
use crate::deadlock::diagonals::Diagonals;
use crate::{Heading, Settings, WorkMeter};

/// Deadlock checks that need more than the [`SearchBoard`].
#[derive(Clone, Debug, Default)]
pub(crate) struct DeadlockChecks {
    /// For proofs about enclosed areas.
    pub(crate) level_tables: Option<Arc<LevelTables>>,
    /// For closed diagonals.
    pub(crate) diagonals: Option<Diagonals>,
}

impl DeadlockChecks {
    /// Prepares what the settings ask for; a search by pulls has none of them.
    pub(crate) fn new(level: &Level, board: &SearchBoard, settings: &Settings, meter: Option<&WorkMeter>) -> Self {
        if settings.heading == Heading::Backward {
            return Self::default();
        }
        let tables = if settings.corral_proofs { LevelTables::on(level, board.clone()) } else { None };
        let share =
            |tables: LevelTables| Arc::new(if let Some(meter) = meter { tables.sharing(meter) } else { tables });
        let diagonals = settings.diagonals.then(|| Diagonals::new(level));
        Self { level_tables: tables.map(share), diagonals }
    }
}
