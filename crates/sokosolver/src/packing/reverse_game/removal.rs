//! Which boxes can be taken away, and to which start squares.
//!
//! A box needs a start square of its own that it can be pulled to while all others stand still, if the player can
//! return. All boxes of one step are checked on the same board; only the start squares count as used at once.

use sokocore::FloorSquare;

use super::{FrameStage, GameBox, GameFrame, ReverseGame, StartIndex, manhattan};
use crate::board::GoalIndex;
use crate::board::level_tables::LevelTables;

/// A box that can be taken away, and the start square it goes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Removal {
    /// The place of the box in the game's list.
    game_box: usize,
    start: StartIndex,
}

/// The boxes of a position that are checked so far.
#[derive(Clone, Debug)]
pub(super) struct RemovalCheck {
    /// The box to be checked next.
    next: usize,
    /// All boxes on the board stand on start squares.
    all_on_starts: bool,
    /// Few boxes are left: the rules of distance and of small areas are off.
    few: bool,
    removals: Vec<Removal>,
    /// The goals of boxes that could be taken away but can reach few squares.
    small: Vec<GoalIndex>,
}

impl ReverseGame {
    /// Begins to check a position; no box is checked before every start square has been seen.
    pub(super) fn begin_removal_check(&self, tables: &LevelTables, seen: &[bool]) -> RemovalCheck {
        let may_remove = !self.rules.see_all || seen.iter().all(|&seen| seen);
        let n_goals = tables.board().goals().len();
        RemovalCheck {
            next: if may_remove { 0 } else { self.boxes.len() },
            all_on_starts: self.on_board().all(|sq| tables.is_start(sq)),
            few: self.on_board().count() <= (15 * n_goals + 50) / 100,
            removals: Vec::new(),
            small: Vec::new(),
        }
    }

    /// Checks the next box, or returns the next stage after the last one; returns the ticks it took, too.
    pub(super) fn check_next_box(
        &mut self,
        tables: &LevelTables,
        frame: &GameFrame,
        mut check: RemovalCheck,
    ) -> (FrameStage, u64) {
        let n_goals = tables.board().goals().len();
        let after_goals = check.removals.first().is_some_and(|first| first.game_box < n_goals);
        let can_go = |&game_box: &usize| {
            let GameBox { target, on_board } = self.boxes[game_box];
            let is_on_start = check.all_on_starts && tables.is_start(target.sq);
            on_board && !(after_goals && game_box >= n_goals) && (is_on_start || self.can_pull(tables, game_box))
        };
        let Some(game_box) = (check.next..self.boxes.len()).find(can_go) else {
            return (self.end_removal_check(n_goals, check), tables.flood_ticks());
        };
        check.next = game_box + 1;
        let parked = game_box >= n_goals;
        let (start, n_squares) = self.start_for(tables, game_box, frame.player, check.few);
        if let Some(start) = start {
            if parked || check.few || !self.rules.small_area || n_squares * 4 >= tables.n_in_reach() {
                self.start_used[start.idx()] = true;
                check.removals.push(Removal { game_box, start });
            } else {
                check.small.push(GoalIndex::new(game_box));
            }
        }
        (FrameStage::RemovalCheck(check), self.walk.ticks())
    }

    /// Returns the next stage: parking if there is a box to be parked, or none to be taken away but parked ones.
    fn end_removal_check(&mut self, n_goals: usize, check: RemovalCheck) -> FrameStage {
        let RemovalCheck { removals, small, .. } = check;
        self.mark_starts(&removals, false);
        let goals_left = self.boxes[..n_goals].iter().any(|game_box| game_box.on_board);
        let only_parked = goals_left && removals.iter().all(|removal| removal.game_box >= n_goals);
        let allowed = match (small.is_empty(), removals.is_empty() || only_parked) {
            (true, false) => return FrameStage::Removing(removals),
            (true, true) => (0..n_goals).filter(|&goal| self.boxes[goal].on_board).map(GoalIndex::new).collect(),
            (false, _) => small,
        };
        self.begin_parking_search(allowed, removals)
    }

    /// Chooses a start square for a box, and returns how many squares the box can reach.
    fn start_for(
        &mut self,
        tables: &LevelTables,
        game_box: usize,
        player: FloorSquare,
        few: bool,
    ) -> (Option<StartIndex>, usize) {
        let board = tables.board();
        let from = self.boxes[game_box].target.sq;
        let is_real = game_box < board.goals().len();
        let others: Vec<FloorSquare> = self.on_board().collect();
        let is_last = others.len() == 1;
        let mut fit = vec![false; board.n_boxes()];
        let n_squares = self.walk.pull(tables, &others, from, player, |sq, _, flood| {
            let Some(start) = board.starts().iter().position(|&start| start == sq) else { return };
            let far = few || manhattan(tables, sq, from) >= 3 || is_real && sq == from;
            fit[start] |= far && (is_last || flood.reaches(player));
        });
        let open = |&start: &StartIndex| fit[start.idx()] && !self.start_used[start.idx()];
        // The scarcest start squares are kept for later; the first of equals is taken.
        let best = (0..fit.len()).map(StartIndex).filter(open).rev().max_by_key(|&start| self.scarcity(start));
        (best, n_squares)
    }

    /// Returns the least number of open start squares of any box on a goal that could use this one.
    fn scarcity(&self, start: StartIndex) -> usize {
        let users = self
            .sources
            .iter()
            .zip(&self.boxes)
            .filter(|(sources, game_box)| game_box.on_board && sources.contains(&start));
        let open = |sources: &[StartIndex]| sources.iter().filter(|source| !self.start_used[source.idx()]).count();
        users.map(|(sources, _)| open(sources)).min().unwrap_or(usize::MAX)
    }

    /// Takes the boxes away at once; the player stays where he is.
    pub(super) fn take_away(&mut self, frame: &GameFrame, removals: &[Removal]) -> GameFrame {
        self.mark_starts(removals, true);
        for &Removal { game_box, .. } in removals {
            (self.boxes[game_box].on_board, self.boxes[game_box].target.phase) = (false, frame.step);
        }
        self.remember();
        GameFrame::new(frame.player, frame.step + 1, frame.seen.clone())
    }

    /// Puts the boxes back.
    pub(super) fn put_back(&mut self, removals: &[Removal]) {
        for &Removal { game_box, .. } in removals {
            (self.boxes[game_box].on_board, self.boxes[game_box].target.phase) = (true, 0);
        }
        self.mark_starts(removals, false);
    }

    fn mark_starts(&mut self, removals: &[Removal], used: bool) {
        removals.iter().for_each(|removal| self.start_used[removal.start.idx()] = used);
    }

    /// Stores the goals taken away, if they are more than in any game before.
    fn remember(&mut self) {
        let goals = &self.boxes[..self.sources.len()];
        let gone = goals.iter().filter(|game_box| !game_box.on_board).count();
        if gone > self.best.len() {
            let gone = (0..).map(GoalIndex::new).zip(goals).filter(|(_, game_box)| !game_box.on_board);
            self.best = gone.map(|(goal, game_box)| (goal, game_box.target.phase)).collect();
        }
    }
}
