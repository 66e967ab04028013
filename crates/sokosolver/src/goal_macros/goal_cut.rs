//! A path of some box straight to a goal, with all other boxes as walls: Florent Diedler's *goal cut*.
//!
//! Found by pulling an imaginary box from the goal, until it reaches a box that the player can push along the same
//! path. That box's own square counts as a wall until then, so that a few paths are overlooked.

use sokocore::FloorSquare;

use crate::board::bit_set::BitSet;
use crate::board::{Flood, FloorPush, SearchBoard};

/// Scratch space for the search of paths.
#[derive(Debug)]
pub(crate) struct GoalCut {
    flood: Flood,
    /// For each square and side, the last search that reached it.
    seen: Vec<u32>,
    round: u32,
    states: Vec<PullState>,
}

/// The imaginary box, and where the player stands after its pull.
#[derive(Clone, Copy, Debug)]
struct PullState {
    sq: FloorSquare,
    player: FloorSquare,
    /// The state before it, and the side of the pull.
    before: Option<(usize, usize)>,
}

impl GoalCut {
    /// The most states that are expanded.
    const MAX_STATES: usize = 256;

    /// Makes scratch space.
    pub(crate) fn new(board: &SearchBoard) -> Self {
        Self { flood: Flood::new(board), seen: vec![0; board.n_squares() * 4], round: 0, states: Vec::new() }
    }

    /// Searches for a path of one of the `movable` boxes to one of the `goals`; `reach` is the flood from the player.
    /// Also returns how many floods that took.
    pub(crate) fn find<const W: usize>(
        &mut self,
        board: &SearchBoard,
        boxes: &BitSet<W>,
        movable: &BitSet<W>,
        goals: &BitSet<W>,
        reach: &Flood,
    ) -> (Option<Vec<FloorPush>>, u64) {
        self.round += 1;
        self.states.clear();
        for sq in goals.iter() {
            for player in board.steps(sq).into_iter().filter(|&next| next != board.wall() && !boxes.has(next)) {
                self.states.push(PullState { sq, player, before: None });
            }
        }
        let mut at = 0;
        let mut n_floods = 0;
        while at < self.states.len().min(Self::MAX_STATES) {
            let PullState { sq, player, before } = self.states[at];
            if !self.is_seen(board, sq, player) {
                self.flood.place(boxes.iter().chain([sq]));
                self.flood.spread(board, player);
                n_floods += 1;
                for side in 0..4 {
                    if let Some(first) = self.pull(board, boxes, at, side, movable) {
                        let stand = board.step(first, side);
                        let can_follow =
                            before.is_none() || board.steps(first).iter().any(|&next| self.flood.reaches(next));
                        if reach.reaches(stand) && can_follow {
                            return (Some(self.pushes(first, side, at)), n_floods);
                        }
                    }
                }
            }
            at += 1;
        }
        (None, n_floods)
    }

    /// Whether the box was on this square before, with the player on the same side.
    fn is_seen(&self, board: &SearchBoard, sq: FloorSquare, player: FloorSquare) -> bool {
        (0..4).any(|side| board.step(sq, side) == player && self.seen[sq.idx() * 4 + side] == self.round)
    }

    /// Pulls the box to a side; returns the square there if a movable box stands on it.
    fn pull<const W: usize>(
        &mut self,
        board: &SearchBoard,
        boxes: &BitSet<W>,
        at: usize,
        side: usize,
        movable: &BitSet<W>,
    ) -> Option<FloorSquare> {
        let sq = self.states[at].sq;
        let stand = board.step(sq, side);
        if stand == board.wall() {
            return None;
        }
        if boxes.has(stand) {
            return movable.has(stand).then_some(stand);
        }
        if self.flood.reaches(stand) {
            self.seen[sq.idx() * 4 + side] = self.round;
            let player = board.step(stand, side);
            if board.is_live(stand) && self.flood.is_free(player) {
                self.states.push(PullState { sq: stand, player, before: Some((at, side)) });
            }
        }
        None
    }

    /// The pushes from the box's square through the states to the goal.
    fn pushes(&self, first: FloorSquare, side: usize, at: usize) -> Vec<FloorPush> {
        let mut pushes = vec![FloorPush { from: first, dir: side ^ 2 }];
        let mut state = self.states[at];
        while let Some((next, side)) = state.before {
            pushes.push(FloorPush { from: state.sq, dir: side ^ 2 });
            state = self.states[next];
        }
        pushes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::{Level, Position};

    fn check(rows: &[&str], expect: Option<usize>) {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let board = SearchBoard::new(&level).unwrap();
        let boxes: BitSet<2> = SearchBoard::set(board.starts());
        let goals: BitSet<2> = SearchBoard::set(board.goals());
        let mut reach = Flood::new(&board);
        reach.run(&board, &boxes, board.player());
        let (found, n_floods) = GoalCut::new(&board).find(&board, &boxes, &boxes, &goals, &reach);
        assert_eq!(found.as_ref().map(Vec::len), expect);
        assert!(n_floods > 0);
        let mut position: Position = level.start().clone();
        for push in found.into_iter().flatten() {
            assert!(position.push(level.board(), board.push(push)));
        }
        assert_eq!(position.boxes.iter().any(|sq| level.board().goals().contains(sq)), expect.is_some());
    }

    #[test]
    fn a_box_is_pushed_around_the_corner() {
        check(&["########", "#      #", "# $ @  #", "#      #", "#    . #", "########"], Some(5));
    }

    #[test]
    fn other_boxes_are_walls() {
        check(&["#########", "#..  $$@#", "#########"], None);
    }
}
