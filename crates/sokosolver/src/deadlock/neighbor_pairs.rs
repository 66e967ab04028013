//! Pairs of neighboring boxes, each examined once.
//!
//! Most small deadlocks are of two boxes side by side, at a corner, or with one square between them. A table of all
//! pairs takes longer than most searches along an order; here a pair is examined when a push first brings it about.
//! This takes the place of the patterns that Brian Damgaard's YASS makes before it searches.
//!
//! Invariant: one bit for each square, side of the player and place of the neighbor.

use crate::board::board_state::BoardState;
use crate::board::level_tables::LevelTables;

/// The pairs examined so far.
#[derive(Debug)]
pub(crate) struct NeighborPairs {
    /// For each square and side, a bit for each place.
    met: Vec<u16>,
}

impl NeighborPairs {
    /// Makes an empty set.
    pub(crate) fn new(tables: &LevelTables) -> Self {
        Self { met: vec![0; tables.board().n_live() * 4] }
    }

    /// Returns the bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&*self.met) as u64
    }

    /// Returns a neighbor of the box just pushed from `player` to `sq` whose pair is not examined yet, and marks the
    /// pair.
    pub(crate) fn next_new(&mut self, tables: &LevelTables, state: &BoardState, player: u16, sq: u16) -> Option<u16> {
        let board = tables.board();
        let side = (0..4).find(|&side| board.step(sq, side) == player)?;
        let met = &mut self.met[usize::from(sq) * 4 + side];
        for dir in 0..4 {
            let next = board.step(sq, dir);
            if next == board.wall() {
                continue;
            }
            let places = [next, board.step(next, dir), board.step(next, dir + 1), board.step(next, dir + 3)];
            for (place, other) in places.into_iter().enumerate() {
                let bit = 1 << (dir * 4 + place);
                if *met & bit == 0 && state.has_box(other) {
                    *met |= bit;
                    return Some(other);
                }
            }
        }
        None
    }
}
