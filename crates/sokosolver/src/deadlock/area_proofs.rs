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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::SearchDirection;
    use crate::board::tests::TestBoard;
    use crate::deadlock::enclosed_areas::EnclosedAreas;
    use crate::deadlock::learner::DeadlockLearner;
    use crate::technique::Technique;

    /// From the right, the box before the dead end can neither be pushed into it nor out of it.
    const DEAD_END: [&str; 5] = ["#########", "###  . .#", "# $@ $  #", "###     #", "#########"];

    #[test]
    fn it_is_made_for_searches_that_learn_but_not_along_packing_orders() {
        let test = TestBoard::new(&DEAD_END);
        let without = test.settings.clone().without(Technique::CorralProofs);
        let is_made = |settings, direction| test.made_for(make, settings, direction);
        assert_eq!(is_made(&test.settings, SearchDirection::Forward), [true, false, true]);
        assert_eq!(is_made(&without, SearchDirection::Forward), [false, false, true]);
        assert_eq!(is_made(&test.settings, SearchDirection::Backward), [false; 3]);
        assert!(AreaProofs::default().reads_areas());
    }

    fn is_proved(
        test: &TestBoard,
        learner: Option<&mut DeadlockLearner>,
        places: &[(usize, usize)],
        player: FloorSquare,
    ) -> bool {
        let (boxes, squares) = (test.set(places), test.squares(places));
        let flood = test.flood(&boxes, player);
        let mut areas = EnclosedAreas::new(&test.board);
        areas.label(&test.board, &flood);
        let position = FloodedPosition::new(boxes.view(), &squares, player, &flood);
        let mut cx = TestContext { board: &test.board, learner, areas: &areas };
        AreaProofs::default().proves_dead(&position, &mut cx)
    }

    #[test]
    fn a_box_that_cannot_leave_an_area_is_dead() {
        let test = TestBoard::new(&DEAD_END);
        let [inside, outside] = [test.sq(2, 1), test.sq(2, 3)];
        let places = [(2, 2), (2, 5)];
        assert!(is_proved(&test, Some(&mut test.learner()), &places, outside));
        assert!(!is_proved(&test, Some(&mut test.learner()), &places, inside), "it can be pushed out");
        assert!(!is_proved(&test, None, &places, outside), "nothing is learned");
        assert!(!is_proved(&test, Some(&mut test.learner()), &[(2, 4), (2, 5)], outside), "nothing is enclosed");
    }
}
