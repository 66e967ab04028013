//! Freeze deadlocks: boxes that hold each other in place for good, one of them off goal.
//!
//! A box can move along an axis if both its neighbors there are neither wall nor a box that stays, and at least
//! one of the two is live. The check assumes that every box of a cluster stays, takes away each box that has an
//! axis to move along, and repeats until nothing changes. What is left can never move: the first box of it to move
//! would have had such an axis.
//!
//! The classic formulation (boxes as temporary walls in a recursion over the axes) finds the same boxes. Taking boxes
//! away needs no recursion, so a chain of 65,534 boxes costs no call stack.

use crate::{Board, Direction, Level, Square, SquareSet};

/// Scratch space that answers whether boxes are frozen: they hold each other in place for good.
///
/// A group of frozen boxes is a deadlock if one of them is off goal. A call costs time linear in the boxes that are
/// connected with the box in question, and does not allocate.
///
/// ```
/// use sokocore::{FreezeCheck, Level};
///
/// let level = Level::parse("#######\n# $$  #\n#. . @#\n#######")?;
/// let boxes = &level.start().boxes;
/// let mut freeze = FreezeCheck::new(&level);
/// let left = level.board().square_at(1, 2).expect("the square is floor");
/// assert!(freeze.is_deadlock(boxes, left));
/// let group = freeze.deadlock_group(boxes, left).expect("the box is frozen off goal");
/// assert_eq!(level.board().set_of(group), *boxes);
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FreezeCheck {
    board: Board,
    live: SquareSet,
    round: u32,
    /// A box of the cluster that still stands has the current round here.
    stamps: Vec<u32>,
    cluster: Vec<Square>,
    todo: Vec<Square>,
}

impl FreezeCheck {
    /// Makes scratch space for this level.
    #[must_use]
    pub fn new(level: &Level) -> Self {
        let capacity = level.n_boxes();
        Self {
            board: level.board().clone(),
            live: level.live().clone(),
            round: 0,
            stamps: vec![0; level.board().n_squares()],
            cluster: Vec::with_capacity(capacity),
            todo: Vec::with_capacity(capacity),
        }
    }

    /// Returns whether the box on `sq`, last pushed or placed, is frozen in a group with a box off goal.
    ///
    /// False if there is no box on `sq`.
    pub fn is_deadlock(&mut self, boxes: &SquareSet, sq: Square) -> bool {
        self.deadlock_group(boxes, sq).is_some()
    }

    /// Returns the boxes frozen together with the one on `sq`, itself among them, if one of them is off goal. Wherever
    /// the other boxes are moved, these never move again.
    pub fn deadlock_group(&mut self, boxes: &SquareSet, sq: Square) -> Option<impl Iterator<Item = Square> + '_> {
        let is_frozen = self.settle_around(boxes, sq);
        let group = self.cluster.iter().copied().filter(|&other| self.stands(other));
        let is_dead = is_frozen && group.clone().any(|other| !self.board.goals().contains(other));
        is_dead.then_some(group)
    }

    /// Returns whether the box on `sq` can never move again, or only to where it could reach no goal.
    ///
    /// False if there is no box on `sq`.
    pub fn frozen(&mut self, boxes: &SquareSet, sq: Square) -> bool {
        self.settle_around(boxes, sq)
    }

    /// Fills `frozen` with all boxes that are frozen; returns whether one of them is off goal.
    pub fn all_frozen(&mut self, boxes: &SquareSet, frozen: &mut SquareSet) -> bool {
        self.start_round();
        for sq in boxes.iter() {
            self.join(sq);
        }
        self.settle();
        frozen.clear();
        frozen.extend(boxes.iter().filter(|&sq| self.stands(sq)));
        !frozen.is_subset(self.board.goals())
    }

    /// Settles the boxes connected with `sq`; returns whether that one stays. Boxes that touch no other box on a
    /// blocked axis, by far the most, are answered without looking at a cluster.
    fn settle_around(&mut self, boxes: &SquareSet, sq: Square) -> bool {
        if !boxes.contains(sq) || self.has_free_axis(sq, |next| boxes.contains(next)) {
            return false;
        }
        self.start_round();
        self.join(sq);
        let mut head = 0;
        while let Some(&member) = self.cluster.get(head) {
            head += 1;
            for dir in Direction::ALL {
                let next = self.board.step(member, dir);
                if let Some(next) = next.filter(|&next| boxes.contains(next) && !self.stands(next)) {
                    self.join(next);
                }
            }
        }
        self.settle();
        self.stands(sq)
    }

    /// Takes away boxes that can move until none can.
    fn settle(&mut self) {
        self.todo.clear();
        self.todo.extend_from_slice(&self.cluster);
        while let Some(sq) = self.todo.pop() {
            if !self.stands(sq) || !self.has_free_axis(sq, |next| self.stands(next)) {
                continue;
            }
            self.stamps[sq.idx()] = 0;
            for dir in Direction::ALL {
                if let Some(next) = self.board.step(sq, dir).filter(|&next| self.stands(next)) {
                    self.todo.push(next);
                }
            }
        }
    }

    fn has_free_axis(&self, sq: Square, stays: impl Fn(Square) -> bool) -> bool {
        [Direction::Up, Direction::Right].into_iter().any(|dir| {
            let (Some(one), Some(other)) = (self.board.step(sq, dir), self.board.step(sq, dir.opposite())) else {
                return false;
            };
            !stays(one) && !stays(other) && (self.live.contains(one) || self.live.contains(other))
        })
    }

    fn stands(&self, sq: Square) -> bool {
        self.stamps[sq.idx()] == self.round
    }

    fn join(&mut self, sq: Square) {
        self.stamps[sq.idx()] = self.round;
        self.cluster.push(sq);
    }

    fn start_round(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.stamps.fill(0);
            self.round = 1;
        }
        self.cluster.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the box at (row, column) of the start position.
    fn check(rows: &[&str], place: (usize, usize), frozen: bool, deadlock: bool) {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let mut freeze = FreezeCheck::new(&level);
        let sq = level.board().square_at(place.0, place.1).unwrap();
        let boxes = &level.start().boxes;
        assert_eq!((freeze.frozen(boxes, sq), freeze.is_deadlock(boxes, sq)), (frozen, deadlock), "{level:?}");
    }

    #[test]
    fn two_boxes_at_a_wall_hold_each_other() {
        check(&["#######", "# $$  #", "#. . @#", "#######"], (1, 2), true, true);
        check(&["#######", "# **  #", "#    @#", "#######"], (1, 2), true, false);
        check(&["#######", "# *$. #", "#    @#", "#######"], (1, 2), true, true);
        check(&["#######", "#. $. #", "#    @#", "#  $  #", "#######"], (1, 3), false, false);
    }

    #[test]
    fn four_boxes_in_a_square_hold_each_other() {
        let rows = ["########", "#      #", "#  $*  #", "#  **. #", "#      #", "#  @   #", "########"];
        check(&rows, (2, 4), true, true);
        let rows = ["########", "#      #", "#  **  #", "#  **  #", "#      #", "#  @   #", "########"];
        check(&rows, (2, 4), true, false);
    }

    /// The right box of the chain can move up and down; then nothing holds the others.
    #[test]
    fn a_chain_with_a_loose_end_is_not_frozen() {
        let rows =
            ["#########", "#   .   #", "#  .  . #", "# $$$   #", "#  $    #", "#   .   #", "#   @   #", "#########"];
        check(&rows, (3, 3), false, false);
    }

    #[test]
    fn a_square_without_box_is_not_frozen() {
        check(&["#######", "# $$  #", "#. . @#", "#######"], (1, 1), false, false);
    }

    /// Fewer boxes than goals: frozen boxes on goals are fine whatever goals stay empty.
    #[test]
    fn spare_goals_do_no_harm() {
        check(&["#######", "#.**..#", "#    @#", "#######"], (1, 2), true, false);
    }

    #[test]
    fn all_frozen_names_the_frozen_boxes_only() {
        let level = Level::parse("########\n#.**   #\n#  $ . #\n#    @ #\n########").unwrap();
        let mut frozen = level.board().no_squares();
        assert!(!FreezeCheck::new(&level).all_frozen(&level.start().boxes, &mut frozen));
        let places: Vec<_> = frozen.iter().map(|sq| level.board().place(sq)).collect();
        assert_eq!(places, [(1, 2), (1, 3)]);
    }

    /// A cluster far longer than any call stack would bear.
    #[test]
    fn long_chains_need_no_recursion() {
        let n = 16_000;
        let wall = "#".repeat(2 * n + 4);
        let rows = [
            wall.clone(),
            format!("#{}{}#", "$".repeat(n), " ".repeat(n + 2)),
            format!("#@{}{} #", "*".repeat(n - 1), ".".repeat(n + 1)),
            wall,
        ];
        let level = Level::parse(&rows.join("\n")).unwrap();
        let sq = level.board().square_at(1, 2).unwrap();
        assert!(FreezeCheck::new(&level).is_deadlock(&level.start().boxes, sq));
    }
}
