//! Bipartite deadlocks: the boxes cannot all be sent to different goals.
//!
//! A box may be matched with a goal that it could be pushed to if it were alone on the board. The matching is
//! built by augmenting paths (Kuhn, 1955, breadth first, so without recursion) and kept between calls: after one
//! push only the box that moved has to look for a goal. The answer does not depend on what was kept.

use crate::{Level, PushDistances, Square, SquareSet};

/// A matching of boxes with goals that follows the boxes from call to call.
///
/// On boards where [`PushDistances`] would be too large it knows nothing and never reports a deadlock.
#[derive(Clone, Debug)]
pub struct GoalMatching {
    distances: Option<PushDistances>,
    /// Box matched with each goal.
    box_of: Vec<Option<Square>>,
    /// Goal matched with the box on each square.
    goal_of: Vec<Option<usize>>,
    /// Box from which the search came to each goal; `None` if it did not.
    came_from: Vec<Option<Square>>,
    queue: Vec<Square>,
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
        let n_goals = level.board().goals().len();
        Self {
            distances,
            box_of: vec![None; n_goals],
            goal_of: vec![None; level.board().n_squares()],
            came_from: vec![None; n_goals],
            queue: Vec::with_capacity(level.n_boxes()),
        }
    }

    /// Returns whether some box must go without a goal.
    pub fn is_deadlock(&mut self, boxes: &SquareSet) -> bool {
        let Some(distances) = self.distances.take() else { return false };
        self.forget_others(boxes);
        let fits = |sq: Square, goal: usize| distances.get(sq, goal).is_some();
        let stuck = boxes.iter().any(|sq| self.goal_of[sq.idx()].is_none() && !self.augment(sq, fits));
        self.distances = Some(distances);
        stuck
    }

    /// Keeps what is matched with these boxes.
    fn forget_others(&mut self, boxes: &SquareSet) {
        for owner in &mut self.box_of {
            if let Some(sq) = owner.filter(|&sq| !boxes.contains(sq)) {
                self.goal_of[sq.idx()] = None;
                *owner = None;
            }
        }
    }

    /// Finds a goal for one more box, moving others to different goals where that helps.
    fn augment(&mut self, sq: Square, fits: impl Fn(Square, usize) -> bool) -> bool {
        self.came_from.fill(None);
        self.queue.clear();
        self.queue.push(sq);
        let mut head = 0;
        while let Some(&from) = self.queue.get(head) {
            head += 1;
            for goal in 0..self.box_of.len() {
                if self.came_from[goal].is_some() || !fits(from, goal) {
                    continue;
                }
                self.came_from[goal] = Some(from);
                match self.box_of[goal] {
                    Some(owner) => self.queue.push(owner),
                    None => {
                        self.shift(goal);
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Walks back from a free goal and hands each box on the way the goal found from it.
    fn shift(&mut self, free: usize) {
        let mut goal = Some(free);
        while let Some(taken) = goal {
            let sq = self.came_from[taken].expect("invariant: the search came to this goal");
            goal = self.goal_of[sq.idx()].replace(taken);
            self.box_of[taken] = Some(sq);
        }
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
