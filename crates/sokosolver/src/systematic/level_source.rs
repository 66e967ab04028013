//! What a search keeps of its level until its tables are made.

use std::sync::Arc;

use sokocore::Level;

use crate::board::SearchBoard;
use crate::board::level_tables::LevelTables;
use crate::{Heading, Settings, Technique};

/// A level, with the tables that proofs of deadlocks need.
#[derive(Clone, Debug)]
pub(crate) struct LevelSource {
    pub(crate) level: Arc<Level>,
    /// `None` in a search that makes no proofs, or if the level's boxes and goals differ in number.
    pub(crate) tables: Option<Arc<LevelTables>>,
}

impl LevelSource {
    /// Prepares what the settings ask for.
    pub(crate) fn new(level: &Level, board: &SearchBoard, settings: &Settings) -> Self {
        let proves = settings.heading != Heading::Backward && settings.uses(Technique::CorralProofs);
        let tables = if proves { LevelTables::on(level, board.clone()) } else { None };
        Self { level: Arc::new(level.clone()), tables: tables.map(Arc::new) }
    }
}
