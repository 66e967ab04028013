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
