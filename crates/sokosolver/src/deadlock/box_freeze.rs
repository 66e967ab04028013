//! Boxes that hold each other in place for ever.
//!
//! A box is frozen if it can move along neither axis: beside it is a wall or a frozen box, or both sides are dead.
//! While a box is looked at it counts as a wall for those it asks. Invariant: what is found frozen on the word of a
//! box that turns out not to be is forgotten again.
//!
//! Not [`crate::deadlock::freeze`], which asks the same on sets of bits: that one is given a set whose width is known when the
//! program is built and looks at all boxes; here the board is a [`BoardState`] of any width, the answer is wanted for one
//! box, and most boxes have nothing beside them.

use crate::board::board_state::BoardState;
use crate::board::level_tables::LevelTables;

/// Scratch space for the test.
#[derive(Clone, Debug, Default)]
pub(crate) struct Freeze {
    found: Vec<u16>,
}

impl Freeze {
    /// Returns whether the box is frozen in a group of which some box is off goal.
    #[inline]
    pub(crate) fn is_dead(&mut self, yard: &LevelTables, field: &BoardState, sq: u16) -> bool {
        self.is_frozen(yard, field, sq) && self.found.iter().any(|&sq| !yard.is_goal(sq))
    }

    /// Returns whether the box on the square is frozen.
    #[inline]
    pub(crate) fn is_frozen(&mut self, yard: &LevelTables, field: &BoardState, sq: u16) -> bool {
        self.found.clear();
        self.look(yard, field, sq)
    }

    fn look(&mut self, yard: &LevelTables, field: &BoardState, sq: u16) -> bool {
        let before = self.found.len();
        self.found.push(sq);
        if self.is_blocked(yard, field, sq, 0) && self.is_blocked(yard, field, sq, 1) {
            return true;
        }
        self.found.truncate(before);
        false
    }

    fn is_blocked(&mut self, yard: &LevelTables, field: &BoardState, sq: u16, axis: usize) -> bool {
        let ground = yard.ground();
        let (a, b) = (ground.step(sq, axis), ground.step(sq, axis + 2));
        if a == ground.wall() || b == ground.wall() || !ground.is_live(a) && !ground.is_live(b) {
            return true;
        }
        [a, b]
            .into_iter()
            .any(|next| field.has_box(next) && (self.found.contains(&next) || self.look(yard, field, next)))
    }
}
