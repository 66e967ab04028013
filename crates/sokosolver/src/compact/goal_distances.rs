//! A lower bound of the pushes that are left: the cheapest way to give each box a goal of its own.
//!
//! The distance of a square to a goal is the number of pushes of a box alone on the board, whose player may stand
//! anywhere. The assignment is computed over all subsets of the goals, box by box (Held and Karp, 1962): with four goals
//! that are 32 additions.
//!
//! Invariant: the bound falls by at most one with each push, so a best-first search closes each position once.

use sokocore::Direction;

use super::bit_board::{BitBoard, Bits, each};

/// Most goals of a compact board.
pub(super) const MAX_GOALS: usize = 8;

/// The distance to a goal that cannot be reached. Sums of eight of them fit in 16 bits.
const FAR: u16 = 1 << 12;

/// The distances of all squares to all goals.
#[derive(Clone, Debug)]
pub(super) struct GoalDistances {
    n_goals: usize,
    /// By cell and goal.
    rows: [[u16; MAX_GOALS]; Bits::BITS as usize],
}

impl GoalDistances {
    /// Computes them, by pulls from each goal.
    pub(super) fn new(board: &BitBoard) -> Self {
        let mut distances =
            Self { n_goals: board.goals().count_ones() as usize, rows: [[FAR; MAX_GOALS]; Bits::BITS as usize] };
        // Where a box can be pushed from, by direction: the player has room behind it.
        let has_stand = Direction::ALL.map(|dir| board.live() & board.step(board.floor(), dir));
        for (goal, first) in each(board.goals()).enumerate() {
            let (mut layer, mut seen, mut distance) = (first & board.live(), first, 0);
            while layer != 0 {
                for bit in each(layer) {
                    distances.rows[bit.trailing_zeros() as usize][goal] = distance;
                }
                let before = |dir: Direction| board.step(layer, dir.opposite()) & has_stand[dir.idx()];
                let next = Direction::ALL.into_iter().fold(0, |set, dir| set | before(dir)) & !seen;
                (layer, seen, distance) = (next, seen | next, distance + 1);
            }
        }
        distances
    }

    /// The least pushes that boxes on these squares need; `None` if they cannot all reach goals of their own.
    #[inline]
    pub(super) fn bound(&self, boxes: Bits) -> Option<u16> {
        let mut rows = [&self.rows[0]; MAX_GOALS];
        let mut n_boxes = 0;
        for bit in each(boxes) {
            rows[n_boxes] = &self.rows[bit.trailing_zeros() as usize];
            n_boxes += 1;
        }
        let mut least = [FAR; 1 << MAX_GOALS];
        least[0] = 0;
        let mut best = FAR;
        for taken in 1_usize..1 << self.n_goals {
            let at = taken.count_ones() as usize;
            if at > n_boxes {
                continue;
            }
            let row = rows[at - 1];
            let mut sum = FAR;
            let mut left = taken;
            while left != 0 {
                let goal = left.trailing_zeros() as usize;
                left &= left - 1;
                sum = sum.min(least[taken & !(1 << goal)] + row[goal]);
            }
            least[taken] = sum;
            if at == n_boxes {
                best = best.min(sum);
            }
        }
        (best < FAR).then_some(best)
    }
}
