//! Proofs about enclosed areas: the boxes around an area that cannot be resolved, even without all others, are a
//! deadlock.
//!
//! Each area is examined once, by the [`DeadlockLearner`](super::learner::DeadlockLearner), which keeps the smallest
//! part of the boxes that is a deadlock.

use sokocore::FloorSquare;

use crate::deadlock::deadlock_test::{DeadlockTest, FloodedPosition, TestContext};
use crate::deadlock::library_parts::LibraryParts;

/// Makes the test for searches by pushes. [`super::packing_corral`] examines areas itself, among them joined ones.
pub(crate) fn make(parts: &LibraryParts<'_>) -> Option<Box<dyn DeadlockTest>> {
    (parts.learns() && !parts.is_packing()).then(|| Box::new(AreaProofs::default()) as _)
}

/// The boxes that touch an area; scratch space.
#[derive(Debug, Default)]
struct AreaProofs(Vec<FloorSquare>);

impl DeadlockTest for AreaProofs {
    fn reads_areas(&self) -> bool {
        true
    }

    fn proves_dead(&mut self, position: &FloodedPosition<'_>, cx: &mut TestContext<'_>) -> bool {
        let Some(learner) = cx.learner.as_deref_mut() else { return false };
        cx.areas.indices().any(|area| {
            cx.areas.touching(cx.board, area, position.boxes, &mut self.0);
            learner.examine_area(&self.0, cx.areas.squares(area), position.player)
        })
    }
}
