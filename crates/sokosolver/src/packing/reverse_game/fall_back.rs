//! The order if no game succeeds: what the best game took away, then by turns every box that can be pulled.
//!
//! A box vanishes as soon as the player can pull it at all; no box is parked and no start square is needed.

use sokosearch::Stop;

use super::ReverseGame;
use crate::WorkMeter;
use crate::board::level_tables::LevelTables;
use crate::packing::order::{OrderOrigin, PackingOrder};

/// The phase of the boxes taken away last.
#[derive(Debug)]
pub(super) struct Fallback {
    last: u16,
}

impl ReverseGame {
    /// Takes away the next boxes; returns the order when none is left. The game cannot be resumed after that.
    ///
    /// # Errors
    /// The reason to stop; the step can be repeated.
    pub(crate) fn fall_back(
        &mut self,
        tables: &LevelTables,
        meter: &mut WorkMeter,
    ) -> Result<Option<PackingOrder>, Stop> {
        let fallback = self.fallback.take().unwrap_or_else(|| self.set_up());
        if self.boxes.iter().all(|game_box| !game_box.on_board) {
            self.fallback = Some(fallback);
            return Ok(Some(self.order(tables, OrderOrigin::Fallback)));
        }
        let last = fallback.last + 1;
        for game_box in self.peel(tables) {
            (self.boxes[game_box].on_board, self.boxes[game_box].target.phase) = (false, last);
        }
        self.fallback = Some(Fallback { last });
        meter.ticks_of(tables.flood_ticks())?;
        Ok(None)
    }

    /// Restores the best game.
    fn set_up(&mut self) -> Fallback {
        self.boxes.truncate(self.sources.len());
        for game_box in &mut self.boxes {
            (game_box.on_board, game_box.target.phase) = (true, 0);
        }
        for &(goal, phase) in &self.best {
            let game_box = &mut self.boxes[goal.idx()];
            (game_box.on_board, game_box.target.phase) = (false, phase);
        }
        Fallback { last: self.best.iter().map(|&(_, phase)| phase).max().unwrap_or(0) }
    }

    /// Returns the boxes that can be pulled from the first region from which any can; all, if there is none.
    fn peel(&mut self, tables: &LevelTables) -> Vec<usize> {
        let left: Vec<usize> = (0..self.boxes.len()).filter(|&game_box| self.boxes[game_box].on_board).collect();
        for player in self.find_regions(tables) {
            self.spread(tables, player);
            let peeled: Vec<usize> = left.iter().copied().filter(|&game_box| self.can_pull(tables, game_box)).collect();
            if !peeled.is_empty() {
                return peeled;
            }
        }
        left
    }
}
