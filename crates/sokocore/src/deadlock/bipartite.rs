//! Bipartite deadlocks: the boxes cannot all be sent to different goals.
//!
//! A box may be matched with a goal that it could be pushed to if it were alone on the board. The
//! [`BipartiteMatching`] is kept between calls: after one push only the box that moved has to look for a goal. The
//! answer does not depend on what was kept.

use crate::{BipartiteMatching, Level, PushDistances, Square, SquareSet};

/// A matching of boxes with goals that follows the boxes from call to call. It is a deadlock if the boxes cannot all be
/// matched with different goals (augmenting paths, Kuhn 1955).
///
/// A call costs boxes x goals for each box that moved since the last call. What is kept never changes an answer.
///
/// On boards where [`PushDistances`] would be too large it knows nothing and never reports a deadlock.
///
/// ```
/// use sokocore::{GoalMatching, Level};
///
/// // Both boxes at the upper wall can reach the left goal only.
/// let level = Level::parse("########\n#. $ $ #\n#      #\n#   @  #\n# .    #\n########")?;
/// assert!(GoalMatching::new(&level).is_deadlock(&level.start().boxes));
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GoalMatching {
    distances: Option<PushDistances>,
    /// Squares of boxes are rows, goals are columns.
    matching: BipartiteMatching,
}

impl GoalMatching {
    /// Prepares the push distances of this level.
    #[must_use]
    pub fn new(level: &Level) -> Self {
        Self::with_distances(level, PushDistances::new(level))
    }

    /// Prepares the push distances with boxes on the squares `frozen` that never move again: they keep their goals
    /// and stand in the way of all others. Worth its cost, that of [`GoalMatching::new`], once for each frozen set.
    #[must_use]
    pub fn around(level: &Level, frozen: &SquareSet) -> Self {
        Self::with_distances(level, PushDistances::around(level, frozen))
    }

    fn with_distances(level: &Level, distances: Option<PushDistances>) -> Self {
        let board = level.board();
        Self { distances, matching: BipartiteMatching::new(board.n_squares(), board.goals().len()) }
    }

    /// Returns whether some box must go without a goal.
    pub fn is_deadlock(&mut self, boxes: &SquareSet) -> bool {
        let Some(distances) = &self.distances else { return false };
        let square = |row: usize| Square::new(row).expect("invariant: rows are squares");
        self.matching.retain(|row| boxes.contains(square(row)));
        let fits = |row: usize, goal: usize| distances.get(square(row), goal).is_some();
        !boxes.iter().all(|sq| self.matching.add(sq.idx(), fits).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[&str], expect: bool) {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let mut matching = GoalMatching::new(&level);
        assert_eq!(matching.is_deadlock(&level.start().boxes), expect, "{level:?}");
        assert_eq!(matching.is_deadlock(&level.start().boxes), expect, "the second answer differs: {level:?}");
    }

    #[test]
    fn two_boxes_that_need_the_same_goal() {
        check(&["########", "#. $ $ #", "#      #", "#   @  #", "# .    #", "########"], true);
        check(&["########", "#. $ $.#", "#      #", "#   @  #", "#      #", "########"], false);
        check(&["########", "#.*    #", "#   $  #", "#   @. #", "#      #", "########"], false);
    }

    #[test]
    fn spare_goals_are_used() {
        check(&["########", "#.   $.#", "# $    #", "#   @. #", "#      #", "########"], false);
    }

    #[test]
    fn a_box_that_reaches_no_goal_is_a_deadlock() {
        check(&["######", "# $ .#", "#  @ #", "######"], false);
        check(&["######", "#   .#", "# @  #", "#$   #", "######"], true);
    }

    /// The box on a goal bars the corridor to the other goal.
    #[test]
    fn frozen_boxes_bar_the_way() {
        let level = Level::parse("########\n#@$ * .#\n########").unwrap();
        let boxes = &level.start().boxes;
        let mut frozen = level.board().no_squares();
        frozen.insert(level.board().square_at(1, 4).unwrap());
        assert!(!GoalMatching::new(&level).is_deadlock(boxes));
        assert!(GoalMatching::around(&level, &frozen).is_deadlock(boxes));
    }

    /// What was kept from earlier calls must not change an answer.
    #[test]
    fn answers_do_not_depend_on_the_calls_before() {
        let level = Level::parse("########\n#.     #\n#  $$  #\n#   @  #\n# .    #\n########").unwrap();
        let mut kept = GoalMatching::new(&level);
        let squares: Vec<Square> = level.board().squares().collect();
        for &one in &squares {
            for &other in squares.iter().filter(|&&other| other > one) {
                let mut boxes = level.board().no_squares();
                boxes.insert(one);
                boxes.insert(other);
                assert_eq!(kept.is_deadlock(&boxes), GoalMatching::new(&level).is_deadlock(&boxes));
            }
        }
    }
}
