//! What the deadlock tests of a search are made from.

use std::sync::Arc;

use sokocore::Level;

use crate::board::level_tables::LevelTables;
use crate::board::{SearchBoard, SearchDirection};
use crate::deadlock::pattern_table::PatternTable;
use crate::search_kind::SearchKind;
use crate::{Settings, Technique, WorkMeter};

/// What a library is made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LibraryParts<'a> {
    pub(crate) level: &'a Level,
    pub(crate) board: &'a SearchBoard,
    /// For searches that learn.
    pub(crate) tables: Option<&'a Arc<LevelTables>>,
    /// For searches that have a table of dead patterns.
    pub(crate) patterns: Option<&'a Arc<PatternTable>>,
    pub(crate) search: SearchKind,
    pub(crate) direction: SearchDirection,
    pub(crate) settings: &'a Settings,
    pub(crate) meter: &'a WorkMeter,
}

impl LibraryParts<'_> {
    /// Returns whether the search makes pushes; if not, it makes pulls.
    pub(crate) fn is_by_pushes(&self) -> bool {
        self.direction == SearchDirection::Forward
    }

    /// Returns whether the search learns deadlocks, if its level has tables for that.
    pub(crate) fn learns(&self) -> bool {
        self.is_by_pushes() && (!self.is_systematic() || self.settings.uses(Technique::CorralProofs))
    }

    /// Returns whether the search is a systematic one.
    pub(crate) const fn is_systematic(&self) -> bool {
        matches!(self.search, SearchKind::Systematic { .. })
    }

    /// Returns whether the search follows packing orders.
    pub(crate) const fn is_packing(&self) -> bool {
        matches!(self.search, SearchKind::Packing)
    }

    /// Returns whether the search is a feature space search.
    pub(crate) const fn is_fess(&self) -> bool {
        matches!(self.search, SearchKind::Fess)
    }
}
