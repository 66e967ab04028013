//! The order for want of a better one: what the best game took away, then again and again whatever can be pulled.
//!
//! Boxes vanish as soon as the player can pull them at all; nothing is parked and no start square is asked for.

use sokosearch::Stop;

use super::ReverseGame;
use crate::WorkMeter;
use crate::board::level_tables::LevelTables;
use crate::packing::order::{Making, Order};

/// How far the boxes have been taken away.
#[derive(Debug)]
pub(super) struct Peeling {
    last: u16,
}

impl ReverseGame {
    /// Takes away the next boxes; returns the order when none is left. The game cannot be played on after that.
    ///
    /// # Errors
    /// The reason to stop; it goes on from there.
    pub(crate) fn fall_back(&mut self, yard: &LevelTables, effort: &mut WorkMeter) -> Result<Option<Order>, Stop> {
        let peeling = self.peeling.take().unwrap_or_else(|| self.set_up());
        if self.boxes.iter().all(|piece| !piece.on_board) {
            self.peeling = Some(peeling);
            return Ok(Some(self.order(yard, Making::Fallback)));
        }
        let last = peeling.last + 1;
        for goal in self.peel(yard) {
            (self.boxes[goal].on_board, self.boxes[goal].target.phase) = (false, last);
        }
        self.peeling = Some(Peeling { last });
        effort.ticks_of(yard.flood_ticks())?;
        Ok(None)
    }

    /// Sets the best game up.
    fn set_up(&mut self) -> Peeling {
        self.boxes.truncate(self.sources.len());
        for piece in &mut self.boxes {
            (piece.on_board, piece.target.phase) = (true, 0);
        }
        for &(goal, phase) in &self.best {
            let piece = &mut self.boxes[usize::from(goal)];
            (piece.on_board, piece.target.phase) = (false, phase);
        }
        Peeling { last: self.best.iter().map(|&(_, phase)| phase).max().unwrap_or(0) }
    }

    /// Returns the boxes that can be pulled from the first region from which any can; all, if there is none.
    fn peel(&mut self, yard: &LevelTables) -> Vec<usize> {
        let left: Vec<usize> = (0..self.boxes.len()).filter(|&goal| self.boxes[goal].on_board).collect();
        for player in self.find_regions(yard) {
            self.spread(yard, player);
            let peeled: Vec<usize> = left.iter().copied().filter(|&goal| self.can_pull(yard, goal)).collect();
            if !peeled.is_empty() {
                return peeled;
            }
        }
        left
    }
}
