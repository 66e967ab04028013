//! Where the player can walk, and how far it is.
//!
//! Invariant: a square is reached exactly if its stamp equals the current round. Starting a new round forgets
//! everything in constant time, so one `Reach` serves any number of floods without clearing.

use crate::{Board, Direction, Square, SquareSet};

/// Scratch space for floods over one board.
#[derive(Clone, Debug)]
pub struct Reach {
    round: u32,
    stamps: Vec<u32>,
    distances: Vec<u32>,
    queue: Vec<Square>,
}

impl Reach {
    /// Makes scratch space for this board.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let n = board.n_squares();
        Self { round: 0, stamps: vec![0; n], distances: vec![0; n], queue: Vec::with_capacity(n) }
    }

    /// Floods from `from` over squares without boxes.
    pub fn flood(&mut self, board: &Board, boxes: &SquareSet, from: Square) {
        self.flood_until(board, boxes, from, |_| false);
    }

    /// Floods from `from` over squares without boxes, nearest squares first, and stops as soon as `done` holds
    /// for a square reached. Squares farther away than that one may be missing.
    pub fn flood_until(
        &mut self,
        board: &Board,
        boxes: &SquareSet,
        from: Square,
        mut done: impl FnMut(Square) -> bool,
    ) {
        self.start_round();
        self.mark(from, 0);
        if done(from) {
            return;
        }
        let mut head = 0;
        while let Some(&sq) = self.queue.get(head) {
            head += 1;
            let distance = self.distances[sq.idx()] + 1;
            for dir in Direction::ALL {
                let Some(next) = board.step(sq, dir) else { continue };
                if self.contains(next) || boxes.contains(next) {
                    continue;
                }
                self.mark(next, distance);
                if done(next) {
                    return;
                }
            }
        }
    }

    /// Returns whether the last flood reached the square.
    #[must_use]
    pub fn contains(&self, sq: Square) -> bool {
        self.stamps[sq.idx()] == self.round
    }

    /// Returns the number of steps to the square in the last flood, or `None` if it was not reached.
    #[must_use]
    pub fn distance(&self, sq: Square) -> Option<u32> {
        self.contains(sq).then(|| self.distances[sq.idx()])
    }

    /// Returns the squares of the last flood, nearest first.
    #[must_use]
    pub fn squares(&self) -> &[Square] {
        &self.queue
    }

    /// Returns the region's name: its least square. `None` before the first flood.
    #[must_use]
    pub fn zone(&self) -> Option<Square> {
        self.queue.iter().min().copied()
    }

    fn start_round(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.stamps.fill(0);
            self.round = 1;
        }
        self.queue.clear();
    }

    fn mark(&mut self, sq: Square, distance: u32) {
        self.stamps[sq.idx()] = self.round;
        self.distances[sq.idx()] = distance;
        self.queue.push(sq);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Level, Reach};

    #[test]
    fn walks_around_boxes_and_counts_steps() {
        let level = Level::parse("#######\n#@$ . #\n# ### #\n#     #\n#######").unwrap();
        let board = level.board();
        let mut reach = Reach::new(board);
        assert_eq!(reach.zone(), None);
        reach.flood(board, &level.start().boxes, level.start().player);
        let behind = board.square_at(1, 3).unwrap();
        assert_eq!(reach.distance(behind), Some(10));
        assert_eq!(reach.distance(board.square_at(1, 2).unwrap()), None);
        assert_eq!(reach.zone(), board.square_at(1, 1));
    }
}
