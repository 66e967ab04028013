//! Which boxes can be taken away, and to which start squares.
//!
//! A box goes to a start square of its own that it can be pulled to while all others stand still, if the player can
//! come back. All of one step are judged on the same board; only the start squares count as used at once.

use sokosearch::Stop;

use super::{ReverseGame, manhattan, press_on};
use crate::Effort;

/// A box that can be taken away, and the start square it goes to.
pub(super) type Removal = (usize, usize);

impl ReverseGame<'_> {
    /// Finds the boxes that can be taken away, and those that could be but have hardly any room.
    pub(super) fn removals(&mut self, player: u16, effort: &mut Effort) -> Result<(Vec<Removal>, Vec<usize>), Stop> {
        let n_goals = self.yard.ground().goals().len();
        let is_start = |sq: u16| self.yard.ground().starts().contains(&sq);
        let all_home = self.on_board().all(is_start);
        let few = self.is_end_game();
        let (mut removals, mut small): (Vec<Removal>, Vec<usize>) = (Vec::new(), Vec::new());
        for piece in 0..self.boxes.len() {
            let parked = piece >= n_goals;
            if !self.boxes[piece].on_board || parked && removals.first().is_some_and(|&(first, _)| first < n_goals) {
                continue;
            }
            let is_home = all_home && is_start(self.boxes[piece].target.sq);
            if !is_home && !self.can_pull(piece) {
                continue;
            }
            press_on(effort, 50)?;
            let (start, room) = self.start_for(piece, player, few);
            let Some(start) = start else { continue };
            if parked || few || !self.rules.small_area || room * 4 >= self.yard.n_in_reach() {
                self.start_used[start] = true;
                removals.push((piece, start));
            } else {
                small.push(piece);
            }
        }
        self.mark_starts(&removals, false);
        Ok((removals, small))
    }

    /// Chooses a start square for a box, and says on how many squares the box can be.
    fn start_for(&mut self, piece: usize, player: u16, few: bool) -> (Option<usize>, usize) {
        let yard = self.yard;
        let ground = yard.ground();
        let from = self.boxes[piece].target.sq;
        let is_real = piece < ground.goals().len();
        let others: Vec<u16> = self.on_board().collect();
        let is_last = others.len() == 1;
        let mut fit = vec![false; ground.n_boxes()];
        let room = self.walk.pull(yard, &others, from, player, |sq, _, flood| {
            let Some(start) = ground.starts().iter().position(|&start| start == sq) else { return };
            let far = few || manhattan(yard, sq, from) >= 3 || is_real && sq == from;
            fit[start] |= far && (is_last || flood.reaches(player));
        });
        let open = |start: usize| fit[start] && !self.start_used[start];
        // The scarcest start squares are kept for later; the first of equals is taken.
        let best = (0..fit.len()).filter(|&start| open(start)).rev().max_by_key(|&start| self.scarcity(start));
        (best, room)
    }

    /// Returns the least number of open start squares of any box on a goal that could use this one.
    fn scarcity(&self, start: usize) -> usize {
        let users =
            self.sources.iter().zip(&self.boxes).filter(|(sources, piece)| {
                piece.on_board && sources.iter().any(|&source| usize::from(source) == start)
            });
        let open = |sources: &Vec<u16>| sources.iter().filter(|&&source| !self.start_used[usize::from(source)]).count();
        users.map(|(sources, _)| open(sources)).min().unwrap_or(usize::MAX)
    }
}
