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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::{TestBoard, searches};

    #[test]
    fn a_search_is_of_one_kind_and_in_one_direction() {
        let test = TestBoard::new(&["######", "#@$ .#", "######"]);
        for (number, search) in searches().into_iter().enumerate() {
            for direction in [SearchDirection::Forward, SearchDirection::Backward] {
                let parts = test.parts(search, direction);
                assert_eq!(parts.is_by_pushes(), direction == SearchDirection::Forward);
                let kinds = [parts.is_systematic(), parts.is_packing(), parts.is_fess()];
                assert_eq!(kinds, [0, 1, 2].map(|kind| kind == number), "{search:?}");
            }
        }
    }

    /// A search by pulls never learns, a systematic one by pushes only with proofs about corrals.
    #[test]
    fn searches_by_pushes_learn_unless_a_systematic_one_is_without_proofs() {
        let test = TestBoard::new(&["######", "#@$ .#", "######"]);
        let without = test.settings.clone().without(Technique::CorralProofs);
        let learns = |settings, direction| {
            searches().map(|search| LibraryParts { settings, ..test.parts(search, direction) }.learns())
        };
        assert_eq!(learns(&test.settings, SearchDirection::Forward), [true, true, true]);
        assert_eq!(learns(&without, SearchDirection::Forward), [false, true, true]);
        assert_eq!(learns(&test.settings, SearchDirection::Backward), [false; 3]);
        assert_eq!(learns(&without, SearchDirection::Backward), [false; 3]);
    }
}
