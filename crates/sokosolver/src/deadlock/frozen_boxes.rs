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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::SearchDirection;
    use crate::board::tests::TestBoard;
    use crate::deadlock::enclosed_areas::EnclosedAreas;

    const HALL: [&str; 5] = ["########", "#.    .#", "#  $$  #", "#   @  #", "########"];

    #[test]
    fn only_a_systematic_search_by_pushes_can_be_without_it() {
        let test = TestBoard::new(&HALL);
        let without = test.settings.clone().without(Technique::Freeze);
        let is_made = |settings, direction| test.made_for(make, settings, direction);
        assert_eq!(is_made(&test.settings, SearchDirection::Forward), [true; 3]);
        assert_eq!(is_made(&without, SearchDirection::Forward), [false, true, true]);
        assert_eq!(is_made(&test.settings, SearchDirection::Backward), [false; 3]);
        assert_eq!(is_made(&without, SearchDirection::Backward), [false; 3]);
    }

    #[test]
    fn a_push_that_freezes_a_box_off_goal_is_forbidden() {
        let test = TestBoard::new(&HALL);
        let areas = EnclosedAreas::new(&test.board);
        let forbids = |places: &[(usize, usize)], (row, column)| {
            let boxes = test.set(places);
            let mut cx = TestContext { board: &test.board, learner: None, areas: &areas };
            let moved = MovedBox { boxes: boxes.view(), sq: test.sq(row, column), side: Some(2) };
            DeadlockTest::forbids(&mut Freeze::default(), moved, &mut cx)
        };
        assert!(forbids(&[(1, 3), (1, 4)], (1, 4)) && forbids(&[(1, 1), (1, 2)], (1, 2)));
        assert!(!forbids(&[(1, 3), (1, 5)], (1, 5)) && !forbids(&[(1, 1), (2, 3)], (1, 1)));
    }
}
