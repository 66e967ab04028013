//! The way of some box straight to a goal, with all other boxes as walls: Florent Diedler's *goal cut*.
//!
//! Found by pulling a box that is not there from the goal, until it comes to where a box stands that the player
//! can push off on the same way. That box's own square counts as wall until then, which overlooks a few ways.

use crate::bits::Bits;
use crate::ground::{Flood, Ground};

/// Scratch space for finding ways.
#[derive(Debug)]
pub(crate) struct GoalCut {
    flood: Flood,
    /// For each square and side the last search that came there.
    met: Vec<u32>,
    round: u32,
    states: Vec<State>,
}

/// The box that is not there, and where the player stands after its pull.
#[derive(Clone, Copy, Debug)]
struct State {
    sq: u16,
    player: u16,
    /// The state that it came from, by a pull to this side.
    before: Option<(usize, usize)>,
}

impl GoalCut {
    /// More states than this are not looked at.
    const MAX_STATES: usize = 256;

    /// Makes scratch space.
    pub(crate) fn new(ground: &Ground) -> Self {
        Self { flood: Flood::new(ground), met: vec![0; ground.n_squares() * 4], round: 0, states: Vec::new() }
    }

    /// Looks for a way of one of the `movable` boxes to one of the `goals`; `reach` is the flood from the player. The
    /// pushes are named by square and direction. Also returns how many floods that took.
    pub(crate) fn find<const W: usize>(
        &mut self,
        ground: &Ground,
        boxes: &Bits<W>,
        movable: &Bits<W>,
        goals: &Bits<W>,
        reach: &Flood,
    ) -> (Option<Vec<(u16, usize)>>, u64) {
        self.round += 1;
        self.states.clear();
        for sq in goals.iter() {
            for player in ground.steps(sq).into_iter().filter(|&next| next != ground.wall() && !boxes.has(next)) {
                self.states.push(State { sq, player, before: None });
            }
        }
        let mut at = 0;
        let mut n_floods = 0;
        while at < self.states.len().min(Self::MAX_STATES) {
            let State { sq, player, before } = self.states[at];
            if !self.is_met(ground, sq, player) {
                self.flood.place(boxes.iter().chain([sq]));
                self.flood.spread(ground, player);
                n_floods += 1;
                for side in 0..4 {
                    if let Some(first) = self.pull(ground, boxes, at, side, movable) {
                        let stand = ground.step(first, side);
                        let goes_on =
                            before.is_none() || ground.steps(first).iter().any(|&next| self.flood.reaches(next));
                        if reach.reaches(stand) && goes_on {
                            return (Some(self.pushes(first, side, at)), n_floods);
                        }
                    }
                }
            }
            at += 1;
        }
        (None, n_floods)
    }

    /// Whether the box was there with the player on the same side.
    fn is_met(&self, ground: &Ground, sq: u16, player: u16) -> bool {
        (0..4).any(|side| ground.step(sq, side) == player && self.met[usize::from(sq) * 4 + side] == self.round)
    }

    /// Pulls the box to a side; returns the square there if a movable box stands on it.
    fn pull<const W: usize>(
        &mut self,
        ground: &Ground,
        boxes: &Bits<W>,
        at: usize,
        side: usize,
        movable: &Bits<W>,
    ) -> Option<u16> {
        let sq = self.states[at].sq;
        let stand = ground.step(sq, side);
        if stand == ground.wall() {
            return None;
        }
        if boxes.has(stand) {
            return movable.has(stand).then_some(stand);
        }
        if self.flood.reaches(stand) {
            self.met[usize::from(sq) * 4 + side] = self.round;
            let player = ground.step(stand, side);
            if ground.is_live(stand) && self.flood.is_free(player) {
                self.states.push(State { sq: stand, player, before: Some((at, side)) });
            }
        }
        None
    }

    /// The pushes from the box's square to the state's, and on to the goal.
    fn pushes(&self, first: u16, side: usize, at: usize) -> Vec<(u16, usize)> {
        let mut pushes = vec![(first, side ^ 2)];
        let mut state = self.states[at];
        while let Some((next, side)) = state.before {
            pushes.push((state.sq, side ^ 2));
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
        let ground = Ground::new(&level).unwrap();
        let boxes: Bits<1> = Ground::set(ground.starts());
        let goals: Bits<1> = Ground::set(ground.goals());
        let mut reach = Flood::new(&ground);
        reach.run(&ground, &boxes, ground.player());
        let (found, n_floods) = GoalCut::new(&ground).find(&ground, &boxes, &boxes, &goals, &reach);
        assert_eq!(found.as_ref().map(Vec::len), expect);
        assert!(n_floods > 0);
        let mut position: Position = level.start().clone();
        for (sq, dir) in found.into_iter().flatten() {
            assert!(position.push(level.board(), ground.push(sq, dir)));
        }
        assert_eq!(position.boxes.iter().any(|sq| level.board().goals().contains(sq)), expect.is_some());
    }

    #[test]
    fn a_box_goes_around_the_corner() {
        check(&["########", "#      #", "# $ @  #", "#      #", "#    . #", "########"], Some(5));
    }

    #[test]
    fn other_boxes_are_walls() {
        check(&["#########", "#..  $$@#", "#########"], None);
    }
}
