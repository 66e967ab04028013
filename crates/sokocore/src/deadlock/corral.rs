//! Corral deadlocks: a closed area whose boxes alone, all others taken away, cannot be solved.
//!
//! A *corral* is a connected set of empty squares that the player cannot reach. The search plays with the boxes
//! that touch it, corners included, on a board without the other boxes. That is a relaxation: a solution of the
//! whole position, its pushes of absent boxes read as steps, solves the part. A box pushed off the corral and off
//! the squares where its boxes stood has escaped and is taken away too, which relaxes the position once more. So
//! when the search ends without bringing every box to a goal or out, the whole position is a deadlock.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use crate::{Board, Direction, FreezeCheck, Level, Position, Push, Reach, Square, SquareSet};

/// What a search found out about a corral.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Its boxes can all reach a goal or leave, as long as no other boxes interfere. Promises nothing more.
    Alive,
    /// The node budget ended first.
    Unknown,
    /// Proved: the position cannot be solved.
    Deadlock,
}

/// Scratch space for corral searches on one level.
#[derive(Clone, Debug)]
pub struct CorralCheck {
    board: Board,
    live: SquareSet,
    freeze: FreezeCheck,
    reach: Reach,
    max_nodes: u64,
}

/// A closed area and the boxes that touch it.
struct Corral {
    boxes: SquareSet,
    /// The area and the squares of its boxes.
    ground: SquareSet,
}

impl CorralCheck {
    /// Makes scratch space; one search expands at most `max_nodes` positions. A few hundred prove most of what
    /// can be proved cheaply.
    #[must_use]
    pub fn new(level: &Level, max_nodes: u64) -> Self {
        Self {
            board: level.board().clone(),
            live: level.live().clone(),
            freeze: FreezeCheck::new(level),
            reach: Reach::new(level.board()),
            max_nodes,
        }
    }

    /// Searches every corral of the position; a deadlock counts before an unknown, that before alive.
    pub fn verdict(&mut self, position: &Position) -> Verdict {
        self.worst(position, |_| true)
    }

    /// Searches the corrals that touch the box on `sq`, last pushed or placed: after a push only these are new.
    pub fn verdict_near(&mut self, position: &Position, sq: Square) -> Verdict {
        self.worst(position, |corral| corral.boxes.contains(sq))
    }

    fn worst(&mut self, position: &Position, matters: impl Fn(&Corral) -> bool) -> Verdict {
        let mut worst = Verdict::Alive;
        for corral in self.corrals(position).into_iter().filter(matters) {
            worst = worst.max(self.search(position.player, corral));
            if worst == Verdict::Deadlock {
                break;
            }
        }
        worst
    }

    fn corrals(&mut self, position: &Position) -> Vec<Corral> {
        self.reach.flood(&self.board, &position.boxes, position.player);
        let mut seen = position.boxes.clone();
        self.reach.squares().iter().for_each(|&sq| _ = seen.insert(sq));
        let mut corrals = Vec::new();
        for sq in self.board.squares() {
            if !seen.contains(sq) {
                self.reach.flood(&self.board, &position.boxes, sq);
                self.reach.squares().iter().for_each(|&sq| _ = seen.insert(sq));
                corrals.push(self.corral(&position.boxes));
            }
        }
        corrals
    }

    /// The corral of the area flooded last.
    fn corral(&self, all_boxes: &SquareSet) -> Corral {
        let mut boxes = self.board.no_squares();
        let mut ground = self.board.no_squares();
        for &inside in self.reach.squares() {
            ground.insert(inside);
            for dir in Direction::ALL {
                let Some(next) = self.board.step(inside, dir) else { continue };
                let corners = [dir.clockwise(), dir.clockwise().opposite()].map(|side| self.board.step(next, side));
                for touching in [Some(next), corners[0], corners[1]].into_iter().flatten() {
                    if all_boxes.contains(touching) {
                        boxes.insert(touching);
                        ground.insert(touching);
                    }
                }
            }
        }
        Corral { boxes, ground }
    }

    /// Expands positions, those with the fewest boxes left off goal first.
    fn search(&mut self, player: Square, corral: Corral) -> Verdict {
        let mut found = vec![Position { boxes: corral.boxes, player }];
        let mut open = BinaryHeap::from([(Reverse(self.n_off_goal(&found[0])), 0)]);
        let mut closed = BTreeSet::new();
        while let Some((Reverse(n_off_goal), at)) = open.pop() {
            if n_off_goal == 0 {
                return Verdict::Alive;
            }
            let position = found[at].clone();
            self.reach.flood(&self.board, &position.boxes, position.player);
            if !closed.insert((position.boxes.clone(), self.reach.zone())) {
                continue;
            }
            if closed.len() as u64 > self.max_nodes {
                return Verdict::Unknown;
            }
            let pushes: Vec<Push> = position.pushes(&self.board, &self.reach).collect();
            for push in pushes {
                if let Some(next) = self.after(&position, push, &corral.ground) {
                    open.push((Reverse(self.n_off_goal(&next)), found.len()));
                    found.push(next);
                }
            }
        }
        Verdict::Deadlock
    }

    /// The position after a push; `None` if it is plainly lost. A box that leaves the ground is taken away.
    fn after(&mut self, position: &Position, push: Push, ground: &SquareSet) -> Option<Position> {
        let to = push.to(&self.board).filter(|&to| self.live.contains(to))?;
        let mut next = position.clone();
        next.push(&self.board, push);
        if !ground.contains(to) {
            next.boxes.remove(to);
        } else if self.freeze.is_deadlock(&next.boxes, to) {
            return None;
        }
        Some(next)
    }

    fn n_off_goal(&self, position: &Position) -> usize {
        position.boxes.iter().filter(|&sq| !self.board.goals().contains(sq)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[&str], max_nodes: u64, expect: Verdict) {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let found = CorralCheck::new(&level, max_nodes).verdict(level.start());
        assert_eq!(found, expect, "{level:?}");
    }

    /// The only push closes the gap, and then no box can move. No box is frozen before it.
    #[test]
    fn a_gap_that_only_closes_is_proved_dead() {
        check(&["#########", "#..$ $ @#", "#########"], 100, Verdict::Deadlock);
        check(&["#########", "#.*$ $.@#", "#########"], 100, Verdict::Deadlock);
    }

    #[test]
    fn a_box_that_can_be_pushed_in_is_alive() {
        check(&["########", "#.  $@ #", "########"], 100, Verdict::Alive);
        check(&["########", "#   .@ #", "# $    #", "########"], 100, Verdict::Alive);
    }

    #[test]
    fn a_small_budget_proves_nothing() {
        check(&["#########", "#..$ $ @#", "#########"], 0, Verdict::Unknown);
    }

    /// Only corrals that touch the box asked for are searched.
    #[test]
    fn near_looks_at_one_corral() {
        let level = Level::parse("###########\n#.$ @ $ .#\n###########").unwrap();
        let mut check = CorralCheck::new(&level, 100);
        let left = level.board().square_at(1, 2).unwrap();
        assert_eq!(check.verdict_near(level.start(), left), Verdict::Alive);
    }
}
