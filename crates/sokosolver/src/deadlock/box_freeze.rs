//! Freeze deadlocks of one box: boxes that hold each other in place for ever.
//!
//! A box is frozen if it can move along neither axis: beside it is a wall or a frozen box, or both sides are dead.
//! While a box is tested it counts as a wall for its neighbors.
//!
//! Invariant: boxes found frozen by assuming that another one is are forgotten when that one is not.
//!
//! Not [`crate::deadlock::freeze`], which tests all boxes of a bit set whose width is known at compile time: here the
//! board is a [`BoardState`] of any width, one box is tested, and most boxes have nothing beside them.

use crate::board::board_state::BoardState;
use crate::board::level_tables::LevelTables;

/// Scratch space for the test.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoxFreeze {
    found: Vec<u16>,
}

impl BoxFreeze {
    /// Returns whether the box is frozen in a group of which some box is off goal.
    #[inline]
    pub(crate) fn is_dead(&mut self, tables: &LevelTables, state: &BoardState, sq: u16) -> bool {
        self.is_frozen(tables, state, sq) && self.found.iter().any(|&sq| !tables.is_goal(sq))
    }

    /// Returns whether the box on the square is frozen.
    #[inline]
    pub(crate) fn is_frozen(&mut self, tables: &LevelTables, state: &BoardState, sq: u16) -> bool {
        self.found.clear();
        self.test(tables, state, sq)
    }

    fn test(&mut self, tables: &LevelTables, state: &BoardState, sq: u16) -> bool {
        let before = self.found.len();
        self.found.push(sq);
        if self.is_blocked(tables, state, sq, 0) && self.is_blocked(tables, state, sq, 1) {
            return true;
        }
        self.found.truncate(before);
        false
    }

    fn is_blocked(&mut self, tables: &LevelTables, state: &BoardState, sq: u16, axis: usize) -> bool {
        let board = tables.board();
        let (a, b) = (board.step(sq, axis), board.step(sq, axis + 2));
        if a == board.wall() || b == board.wall() || !board.is_live(a) && !board.is_live(b) {
            return true;
        }
        [a, b]
            .into_iter()
            .any(|next| state.has_box(next) && (self.found.contains(&next) || self.test(tables, state, next)))
    }
}
