//! Pairs of boxes beside each other, each looked at once.
//!
//! Most small deadlocks are of two boxes side by side, at a corner, or with one square between them. A table of all pairs
//! takes longer than most searches along an order; here a pair is looked at when a push brings it about for the first
//! time. In the stead of the patterns that Brian Damgaard's YASS makes before it searches.
//!
//! Invariant: one bit for each square, side of the player and place of the neighbor.

use crate::board::board_state::BoardState;
use crate::board::level_tables::LevelTables;

/// The pairs met so far.
#[derive(Debug)]
pub(crate) struct Pairs {
    /// For each square and side, a bit for each place.
    met: Vec<u16>,
}

impl Pairs {
    /// Has met none yet.
    pub(crate) fn new(yard: &LevelTables) -> Self {
        Self { met: vec![0; yard.ground().n_live() * 4] }
    }

    /// Returns the bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&*self.met) as u64
    }

    /// Returns a neighbor of the box just pushed from `player` to `sq` with which it was not met yet; now it was.
    pub(crate) fn next_new(&mut self, yard: &LevelTables, field: &BoardState, player: u16, sq: u16) -> Option<u16> {
        let ground = yard.ground();
        let side = (0..4).find(|&side| ground.step(sq, side) == player)?;
        let met = &mut self.met[usize::from(sq) * 4 + side];
        for dir in 0..4 {
            let next = ground.step(sq, dir);
            if next == ground.wall() {
                continue;
            }
            let places = [next, ground.step(next, dir), ground.step(next, dir + 1), ground.step(next, dir + 3)];
            for (place, other) in places.into_iter().enumerate() {
                let bit = 1 << (dir * 4 + place);
                if *met & bit == 0 && field.has_box(other) {
                    *met |= bit;
                    return Some(other);
                }
            }
        }
        None
    }
}
