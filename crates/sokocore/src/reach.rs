//! Where the player can walk, and how far it is: scratch space for breadth-first floods.
//!
//! Invariant: a square is reached exactly if its stamp equals the current round. Starting a new round forgets
//! everything in constant time, so one `Reach` serves any number of floods without clearing.

use crate::{Board, Direction, Region, Square, SquareSet};

/// Scratch space for floods over one board, to be used again and again.
///
/// A flood is a breadth-first search, linear in the squares that it reaches; nothing is cleared before it.
///
/// [`Reach::flood`] returns a [`Region`], which borrows the scratch space, so its answers are those of this flood.
///
/// ```
/// use sokocore::{Level, Reach};
///
/// let level = Level::parse("#######\n#@$ . #\n# ### #\n#     #\n#######")?;
/// let (board, start) = (level.board(), level.start());
/// let mut reach = Reach::new(board);
/// let region = reach.flood(board, &start.boxes, start.player);
/// let behind = board.square_at(1, 3).expect("the square is floor");
/// assert_eq!(region.distance(behind), Some(10));
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
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
        Self { round: 1, stamps: vec![0; n], distances: vec![0; n], queue: Vec::with_capacity(n) }
    }

    /// Floods from `from` over squares without boxes, and returns the region.
    ///
    /// # Panics
    /// When `board` has more squares than the board that the scratch space was made for.
    pub fn flood<'a>(&'a mut self, board: &'a Board, boxes: &'a SquareSet, from: Square) -> Region<'a> {
        self.flood_until(board, boxes, from, |_| false);
        Region::of_flood(board, boxes, self)
    }

    /// Floods from `from` over squares without boxes, nearest squares first, and stops as soon as `done` holds
    /// for a square reached. Squares farther away than that one may be missing.
    ///
    /// # Panics
    /// As [`Reach::flood`].
    pub(crate) fn flood_until(
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

    /// Returns whether the last flood reached the square; false for a square of a larger board.
    pub(crate) fn contains(&self, sq: Square) -> bool {
        self.stamps.get(sq.idx()) == Some(&self.round)
    }

    /// Returns the number of steps to the square in the last flood, or `None` if it was not reached.
    pub(crate) fn distance(&self, sq: Square) -> Option<u32> {
        self.contains(sq).then(|| self.distances[sq.idx()])
    }

    /// Returns the squares of the last flood, nearest first.
    pub(crate) fn squares(&self) -> &[Square] {
        &self.queue
    }

    /// Returns the region's name: its least square. `None` before the first flood.
    pub(crate) fn zone(&self) -> Option<Square> {
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
        assert!(!board.squares().any(|sq| reach.contains(sq)));
        reach.flood(board, &level.start().boxes, level.start().player);
        let behind = board.square_at(1, 3).unwrap();
        assert_eq!(reach.distance(behind), Some(10));
        assert_eq!(reach.distance(board.square_at(1, 2).unwrap()), None);
        assert_eq!(reach.zone(), board.square_at(1, 1));
    }
}
