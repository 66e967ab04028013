//! A\* for the walks of the player, with the distances among walls alone as heuristic.
//!
//! On a grid each step raises the estimate of a path by two or not at all, so the open list is stacks: squares with the current
//! estimate, and with two more. A square that is generated with the current estimate is reached by a shortest walk and marked at
//! once. One with two more may still be generated with the current estimate, so it is marked when its turn comes.

use sokocore::{Board, Direction, Square};

/// The mark of a square with a box on it, and of walls. Other squares have the number of the last search that has marked them.
const BLOCKED: u32 = u32::MAX;
/// Squares that walks expand in the time of a tick.
pub(crate) const EXPANDED_PER_TICK: u64 = 8;

/// Where boxes are, and the scratch space of a search for a walk.
#[derive(Debug)]
pub(super) struct WalkSearch {
    /// The neighbors of each square; all walls are one square, after the last.
    neighbors: Vec<[u16; Direction::ALL.len()]>,
    marks: Vec<u32>,
    /// The number of the search.
    round: u32,
    /// Marked squares with the current estimate.
    open: Vec<u16>,
    /// Squares with the current estimate that may be marked or not.
    unchecked: Vec<u16>,
    /// Squares with two more than the current estimate.
    later: Vec<u16>,
    /// Squares expanded since [`WalkSearch::take_expanded`].
    n_expanded: u64,
}

impl WalkSearch {
    /// Begins without boxes.
    pub(super) fn new(board: &Board) -> Self {
        let neighbors = board.squares().map(|sq| Direction::ALL.map(|dir| neighbor(board, sq, dir))).collect();
        let mut search = Self {
            neighbors,
            marks: vec![0; board.n_squares() + 1],
            round: 0,
            open: Vec::new(),
            unchecked: Vec::new(),
            later: Vec::new(),
            n_expanded: 0,
        };
        search.clear();
        search
    }

    /// Takes all boxes away.
    pub(super) fn clear(&mut self) {
        self.marks.fill(0);
        if let Some(wall) = self.marks.last_mut() {
            *wall = BLOCKED;
        }
    }

    pub(super) fn has_box(&self, sq: Square) -> bool {
        self.marks[sq.idx()] == BLOCKED
    }

    /// Puts a box on a square, or takes it away.
    pub(super) fn set_box(&mut self, sq: Square, is_there: bool) {
        self.marks[sq.idx()] = if is_there { BLOCKED } else { 0 };
    }

    /// Returns how many squares were expanded since the last call.
    pub(super) const fn take_expanded(&mut self) -> u64 {
        std::mem::replace(&mut self.n_expanded, 0)
    }

    /// Returns the steps from one square to another one, which has no box; `None` if they are more than `limit`, or if boxes are
    /// in the way. `left` is a lower bound on the steps from the square of this number to the other one, which differs by one
    /// between neighbors.
    #[inline]
    pub(super) fn steps(&mut self, from: Square, limit: u32, left: impl Fn(usize) -> u32) -> Option<u32> {
        let mut estimate = left(from.idx());
        if estimate > limit {
            return None;
        }
        self.start_round(from);
        loop {
            while let Some(sq) = self.unchecked.pop() {
                let mark = &mut self.marks[usize::from(sq)];
                if *mark == self.round {
                    continue;
                }
                *mark = self.round.max(*mark);
                self.open.push(sq);
                if let Some(rest) = self.expand_open(&left) {
                    return Some(estimate - rest + 1);
                }
            }
            estimate += 2;
            if self.later.is_empty() || estimate > limit {
                return None;
            }
            std::mem::swap(&mut self.unchecked, &mut self.later);
        }
    }

    fn start_round(&mut self, from: Square) {
        self.round += 1;
        if self.round == BLOCKED {
            self.marks.iter_mut().filter(|mark| **mark != BLOCKED).for_each(|mark| *mark = 0);
            self.round = 1;
        }
        self.open.clear();
        self.later.clear();
        self.unchecked.clear();
        self.unchecked.push(number(from.idx()));
    }

    /// Expands all squares with the current estimate, depth first. Returns the distance of the one that the goal is next to.
    #[inline]
    fn expand_open(&mut self, left: &impl Fn(usize) -> u32) -> Option<u32> {
        while let Some(sq) = self.open.pop() {
            self.n_expanded += 1;
            let rest = left(usize::from(sq));
            for next in self.neighbors[usize::from(sq)] {
                let mark = &mut self.marks[usize::from(next)];
                if *mark >= self.round {
                    continue;
                }
                match left(usize::from(next)) {
                    0 => return Some(rest),
                    nearer if nearer < rest => {
                        *mark = self.round;
                        self.open.push(next);
                    }
                    _ => self.later.push(next),
                }
            }
        }
        None
    }
}

/// Returns the number of a neighbor; that of all walls is the number of squares.
fn neighbor(board: &Board, sq: Square, dir: Direction) -> u16 {
    number(board.step(sq, dir).map_or(board.n_squares(), Square::idx))
}

fn number(idx: usize) -> u16 {
    u16::try_from(idx).expect("invariant: squares have numbers below 65,534")
}
