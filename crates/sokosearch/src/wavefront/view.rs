//! What a sweep left behind, for those who read paths from it square by square.

use sokocore::Square;

use crate::ConfigId;
use crate::first_moves::FirstMoves;
use crate::ground::Ground;
use crate::reached::Reached;
use crate::steps_to_go::MovesToGo;

/// The moves to go of all states, by squares.
pub(super) struct View<'a, const K: usize, const W: usize> {
    pub(super) ground: &'a Ground,
    pub(super) reached: &'a Reached<K, W>,
    pub(super) first_moves: &'a FirstMoves,
}

impl<const K: usize, const W: usize> MovesToGo for View<'_, K, W> {
    fn may_have(&self, config: ConfigId, player: Square, moves: u32) -> bool {
        self.reached.may_have(config, self.ground.bit(player), moves)
    }

    fn may_have_after_push(&self, config: ConfigId, player: Square, moves: u32) -> bool {
        let bit = self.ground.bit(player);
        self.reached.may_have(config, bit, moves)
            && self.first_moves.allow((config, bit), moves, (self.ground, self.reached))
    }
}
