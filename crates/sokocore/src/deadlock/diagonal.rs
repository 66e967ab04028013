//! Closed diagonal deadlocks: a row of empty squares along a diagonal, fenced in so that every push into it jams.
//!
//! ```text
//!   ##          c0 and c1 are the cells: empty, no goals, the player not inside. Every neighbor of a cell is a
//!   #c$         wall or a box. An end is closed if the next square on the diagonal is a wall or a box, or if
//!   #$c#        both neighbors of the last cell on that side are walls.
//!     ##
//! ```
//!
//! Why it is a deadlock, by induction over the number of cells: each fence box has a cell on each axis, or at an
//! end a cell on one axis and the closing wall or box on the other. The player is in no cell, so the first push
//! of a fence box goes into a cell `c`. The cells before or behind `c` now form a shorter closed diagonal with
//! that box, off goal, as its end. With no cells left it is a block of four walls and boxes, or a box in a corner:
//! frozen, with a box off goal. So every push of a fence box is a deadlock, and one of these boxes is off goal.

use crate::{Board, Direction, Level, Square, SquareSet};

/// Answers whether a box belongs to a closed diagonal of one level: a diagonal row of empty squares that no box can be
/// pushed into without jamming. A call looks at a few diagonals and does not allocate.
///
/// ```
/// use sokocore::{DiagonalCheck, Level};
///
/// // The empty square in the upper left can be filled by no box without jamming.
/// let level = Level::parse("#######\n##$   #\n## $  #\n# $#  #\n#..  .#\n#   @ #\n#######")?;
/// let (start, check) = (level.start(), DiagonalCheck::new(&level));
/// assert!(start.boxes.iter().all(|sq| check.is_deadlock(&start.boxes, start.player, sq)));
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DiagonalCheck {
    board: Board,
    /// Neighbor of every square over the corner between `Direction::ALL[i]` and the direction clockwise from it.
    corners: Vec<[Option<Square>; 4]>,
}

impl DiagonalCheck {
    /// Prepares the diagonals of this level.
    #[must_use]
    pub fn new(level: &Level) -> Self {
        let board = level.board().clone();
        let corner = |sq: Square, dir: Direction| {
            let (row, column) = board.place(sq);
            let (one, other) = (dir.offset(), dir.clockwise().offset());
            let row = row.checked_add_signed(one.0 + other.0)?;
            board.square_at(row, column.checked_add_signed(one.1 + other.1)?)
        };
        let corners = board.squares().map(|sq| Direction::ALL.map(|dir| corner(sq, dir))).collect();
        Self { board, corners }
    }

    /// Returns whether the box on `sq`, last pushed or placed, belongs to a closed diagonal with a box off goal.
    ///
    /// `player` is the player's square after that push.
    #[must_use]
    pub fn is_deadlock(&self, boxes: &SquareSet, player: Square, sq: Square) -> bool {
        let view = DiagonalView { check: self, boxes, player };
        let beside = Direction::ALL.into_iter().filter_map(|dir| self.board.step(sq, dir));
        let mut over_corners = self.corners[sq.idx()].into_iter().flatten();
        beside.into_iter().any(|cell| view.is_dead_line(cell, 0) || view.is_dead_line(cell, 1))
            || over_corners.any(|cell| view.is_dead_line(cell, 0) || view.is_dead_line(cell, 1))
    }
}

struct DiagonalView<'a> {
    check: &'a DiagonalCheck,
    boxes: &'a SquareSet,
    player: Square,
}

impl DiagonalView<'_> {
    /// Returns whether the diagonal through `cell` is closed at both ends and holds a box off goal. Diagonal 0
    /// goes to the upper right, diagonal 1 to the lower right.
    fn is_dead_line(&self, cell: Square, diagonal: usize) -> bool {
        let Some(ahead_off_goal) = self.closed_end(cell, diagonal) else { return false };
        let Some(behind_off_goal) = self.closed_end(cell, diagonal + 2) else { return false };
        ahead_off_goal || behind_off_goal
    }

    /// Follows the cells from `cell` over one corner; `None` if the end is open, else whether a box off goal
    /// was among the fence.
    fn closed_end(&self, cell: Square, corner: usize) -> Option<bool> {
        let sides = [Direction::ALL[corner], Direction::ALL[corner].clockwise()];
        let mut off_goal = false;
        let mut cell = cell;
        loop {
            if self.boxes.contains(cell) || self.check.board.goals().contains(cell) || cell == self.player {
                return None;
            }
            let fence = sides.map(|side| self.check.board.step(cell, side));
            for sq in fence.into_iter().flatten() {
                if !self.boxes.contains(sq) {
                    return None;
                }
                off_goal |= self.is_off_goal(sq);
            }
            match self.check.corners[cell.idx()][corner] {
                None => return Some(off_goal),
                Some(next) if self.boxes.contains(next) => return Some(off_goal || self.is_off_goal(next)),
                Some(_) if fence == [None, None] => return Some(off_goal),
                Some(next) => cell = next,
            }
        }
    }

    fn is_off_goal(&self, sq: Square) -> bool {
        !self.check.board.goals().contains(sq)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every box must give the same answer as asked; they all belong to the fence.
    fn check(rows: &[&str], expect: bool) {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let diagonals = DiagonalCheck::new(&level);
        let start = level.start();
        for sq in start.boxes.iter() {
            assert_eq!(diagonals.is_deadlock(&start.boxes, start.player, sq), expect, "{sq:?} {level:?}");
        }
    }

    #[test]
    fn a_diagonal_between_walls() {
        check(&["########", "### $  #", "## $ . #", "##  #. #", "#####@ #", "########"], false);
        check(&["#######", "## $  #", "#$ $. #", "# $##.#", "##.   #", "##.@  #", "#######"], false);
        check(&["#######", "## $  #", "#$  $ #", "## $  #", "#  #. #", "#..@. #", "#######"], false);
    }

    #[test]
    fn a_cell_closed_by_boxes_and_corner_walls() {
        // The cell (2, 2): fence (1, 2), (2, 1) wall, (2, 3), (3, 2); ends (1, 1) and (3, 3).
        check(&["#######", "##$   #", "## $  #", "# $#  #", "#..  .#", "#   @ #", "#######"], true);
        // The same with a goal in the cell: one of the boxes may come to rest there.
        check(&["#######", "##$   #", "##.$  #", "# $#  #", "#..   #", "#   @ #", "#######"], false);
    }

    /// The end (3, 3) is a box: to push it, one of the fence has to go first.
    #[test]
    fn a_box_closes_an_end_like_a_wall() {
        check(&["#######", "##$   #", "## $  #", "# $$  #", "#.. ..#", "#   @ #", "#######"], true);
        check(&["#######", "##$   #", "## $  #", "# $   #", "#.. . #", "#   @ #", "#######"], false);
        // It may be the only box off goal.
        check(&["#######", "##*   #", "## *  #", "# *$  #", "#.    #", "#   @ #", "#######"], true);
        check(&["#######", "##*   #", "## *  #", "# **  #", "#     #", "#   @ #", "#######"], false);
    }

    /// The cell (2, 2) has walls above and to the right, though the floor over that corner is open.
    #[test]
    fn walls_on_both_sides_of_a_corner_close_an_end() {
        check(&["#########", "###   ###", "## #  ###", "##$   .@#", "##    ###", "#########"], true);
    }

    /// To the right of the cell (2, 2) is a box, and walls are everywhere else.
    #[test]
    fn a_box_on_one_side_is_enough() {
        check(&["#######", "####  #", "## $  #", "####  #", "#.   @#", "#######"], true);
    }

    #[test]
    fn a_row_of_two_cells() {
        let rows = ["########", "##$    #", "## $   #", "# $ $  #", "#  $#  #", "#..... #", "#    @ #", "########"];
        check(&rows, true);
    }

    #[test]
    fn an_open_end_is_no_deadlock() {
        let rows = ["########", "#  $   #", "## $   #", "# $    #", "#      #", "#... @ #", "#      #", "########"];
        check(&rows, false);
    }

    /// From inside the player can push outward.
    #[test]
    fn the_player_inside_is_no_deadlock() {
        check(&["#######", "##$   #", "##@$  #", "# $#  #", "#..  .#", "#     #", "#######"], false);
    }

    #[test]
    fn boxes_on_goals_alone_are_no_deadlock() {
        check(&["#######", "##*   #", "## *  #", "# *#  #", "#     #", "#   @ #", "#######"], false);
    }
}
