//! Which boxes can be taken away, and to which start squares.
//!
//! A box goes to a start square of its own that it can be pulled to while all others stand still, if the player can
//! come back. All of one step are judged on the same board; only the start squares count as used at once.

use super::{Frame, Piece, ReverseGame, Stage, manhattan};
use crate::board::level_tables::LevelTables;

/// A box that can be taken away, and the start square it goes to.
pub(super) type Removal = (usize, usize);

/// How far the boxes of a position have been judged.
#[derive(Clone, Debug)]
pub(super) struct Judging {
    /// The box to be judged next.
    next: usize,
    /// All boxes on the board stand on start squares.
    all_home: bool,
    /// Few boxes are left: distances and room no longer matter.
    few: bool,
    removals: Vec<Removal>,
    /// Boxes that could be taken away but have hardly any room.
    small: Vec<usize>,
}

impl ReverseGame {
    /// Begins to judge a position; no box is looked at as long as some start square has not been seen.
    pub(super) fn judging(&self, yard: &LevelTables, seen: &[bool]) -> Judging {
        let may_remove = !self.rules.see_all || seen.iter().all(|&seen| seen);
        let n_goals = yard.ground().goals().len();
        Judging {
            next: if may_remove { 0 } else { self.boxes.len() },
            all_home: self.on_board().all(|sq| yard.is_start(sq)),
            few: self.on_board().count() <= (15 * n_goals + 50) / 100,
            removals: Vec::new(),
            small: Vec::new(),
        }
    }

    /// Judges the next box, or says what is done now that all are judged. Returns the ticks it took, too.
    pub(super) fn judge(&mut self, yard: &LevelTables, frame: &Frame, mut judging: Judging) -> (Stage, u64) {
        let n_goals = yard.ground().goals().len();
        let after_goals = judging.removals.first().is_some_and(|&(first, _)| first < n_goals);
        let can_go = |&piece: &usize| {
            let Piece { target, on_board } = self.boxes[piece];
            let is_home = judging.all_home && yard.is_start(target.sq);
            on_board && !(after_goals && piece >= n_goals) && (is_home || self.can_pull(yard, piece))
        };
        let Some(piece) = (judging.next..self.boxes.len()).find(can_go) else {
            return (self.judged(n_goals, judging), yard.flood_ticks());
        };
        judging.next = piece + 1;
        let parked = piece >= n_goals;
        let (start, room) = self.start_for(yard, piece, frame.player, judging.few);
        if let Some(start) = start {
            if parked || judging.few || !self.rules.small_area || room * 4 >= yard.n_in_reach() {
                self.start_used[start] = true;
                judging.removals.push((piece, start));
            } else {
                judging.small.push(piece);
            }
        }
        (Stage::Judging(judging), self.walk.ticks())
    }

    /// Parks if there is a box to be parked, or none to be taken away but parked ones.
    fn judged(&mut self, n_goals: usize, judging: Judging) -> Stage {
        let Judging { removals, small, .. } = judging;
        self.mark_starts(&removals, false);
        let goals_left = self.boxes[..n_goals].iter().any(|piece| piece.on_board);
        let only_parked = goals_left && removals.iter().all(|&(piece, _)| piece >= n_goals);
        let allowed = match (small.is_empty(), removals.is_empty() || only_parked) {
            (true, false) => return Stage::Removing(removals),
            (true, true) => (0..n_goals).filter(|&goal| self.boxes[goal].on_board).collect(),
            (false, _) => small,
        };
        self.weighing(allowed, removals)
    }

    /// Chooses a start square for a box, and says on how many squares the box can be.
    fn start_for(&mut self, yard: &LevelTables, piece: usize, player: u16, few: bool) -> (Option<usize>, usize) {
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

    /// Takes the boxes away at once; the player stays where he is.
    pub(super) fn take_away(&mut self, frame: &Frame, removals: &[Removal]) -> Frame {
        self.mark_starts(removals, true);
        for &(piece, _) in removals {
            (self.boxes[piece].on_board, self.boxes[piece].target.phase) = (false, frame.step);
        }
        self.remember();
        Frame::new(frame.player, frame.step + 1, frame.seen.clone())
    }

    /// Puts them back.
    pub(super) fn put_back(&mut self, removals: &[Removal]) {
        for &(piece, _) in removals {
            (self.boxes[piece].on_board, self.boxes[piece].target.phase) = (true, 0);
        }
        self.mark_starts(removals, false);
    }

    fn mark_starts(&mut self, removals: &[Removal], used: bool) {
        removals.iter().for_each(|&(_, start)| self.start_used[start] = used);
    }

    /// Remembers the goals taken away, if they are more than ever before.
    fn remember(&mut self) {
        let goals = &self.boxes[..self.sources.len()];
        let gone = goals.iter().filter(|piece| !piece.on_board).count();
        if gone > self.best.len() {
            let gone = (0u16..).zip(goals).filter(|(_, piece)| !piece.on_board);
            self.best = gone.map(|(goal, piece)| (goal, piece.target.phase)).collect();
        }
    }
}
