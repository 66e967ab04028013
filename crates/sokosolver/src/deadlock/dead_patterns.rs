//! The deadlock test of patterns of one, two and three boxes.
//!
//! Sound, since every pattern was shown to be lost by a search of its boxes alone, see
//! [`pattern_table`](crate::deadlock::pattern_table).

use std::sync::Arc;

use crate::deadlock::deadlock_test::{DeadlockTest, MovedBox, TestContext};
use crate::deadlock::library_parts::LibraryParts;
use crate::deadlock::pattern_table::PatternTable;

/// Makes the test for searches that have a table, by pushes or by pulls.
pub(crate) fn make(parts: &LibraryParts<'_>) -> Option<Box<dyn DeadlockTest>> {
    parts.patterns.map(|table| Box::new(Arc::clone(table)) as _)
}

impl DeadlockTest for Arc<PatternTable> {
    fn forbids(&mut self, moved: MovedBox<'_>, _: &mut TestContext<'_>) -> bool {
        moved.side.is_some_and(|side| self.is_dead(moved.boxes, moved.sq, side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::SearchDirection;
    use crate::board::tests::{TestBoard, searches};
    use crate::deadlock::enclosed_areas::EnclosedAreas;
    use crate::deadlock::pattern_table::tests::patterns;

    /// The table is asked for the side with the player; without a side nothing is known.
    #[test]
    fn a_push_that_makes_a_dead_pattern_is_forbidden() {
        let test = TestBoard::new(&["########", "#.    .#", "#  $$  #", "#   @  #", "########"]);
        let table = Arc::new(patterns(&test.board, SearchDirection::Forward));
        let areas = EnclosedAreas::new(&test.board);
        let mut cx = TestContext { board: &test.board, learner: None, areas: &areas };
        for search in searches() {
            let parts = test.parts(search, SearchDirection::Forward);
            assert!(make(&parts).is_none(), "there is no table");
            let mut made = make(&LibraryParts { patterns: Some(&table), ..parts }).unwrap();
            let mut forbids = |places: &[(usize, usize)], side: Option<usize>| {
                let boxes = test.set(places);
                made.forbids(MovedBox { boxes: boxes.view(), sq: test.sq(1, 4), side }, &mut cx)
            };
            assert!(forbids(&[(1, 3), (1, 4)], Some(2)));
            assert!(!forbids(&[(1, 3), (1, 4)], None) && !forbids(&[(1, 2), (1, 4)], Some(2)));
        }
    }
}
