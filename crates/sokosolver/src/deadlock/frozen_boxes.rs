//! The deadlock test of frozen boxes.
//!
//! Sound, since boxes that hold each other in place never reach their goals, see [`freeze`](crate::deadlock::freeze).

use crate::deadlock::deadlock_test::{DeadlockTest, MovedBox, TestContext};
use crate::deadlock::freeze::Freeze;
use crate::deadlock::library_parts::LibraryParts;
use crate::technique::Technique;

/// Makes the test for searches by pushes; only systematic searches can switch it off.
pub(crate) fn make(parts: &LibraryParts<'_>) -> Option<Box<dyn DeadlockTest>> {
    let is_on = parts.settings.uses(Technique::Freeze) || !parts.is_systematic();
    (parts.is_by_pushes() && is_on).then(|| Box::new(Freeze::default()) as _)
}

impl DeadlockTest for Freeze {
    fn forbids(&mut self, moved: MovedBox<'_>, cx: &mut TestContext<'_>) -> bool {
        self.is_dead(cx.board, moved.boxes, moved.sq)
    }
}
