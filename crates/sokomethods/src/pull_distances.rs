//! Pushes of a lone box from each square to the nearest of some targets: a breadth-first search by pulls.
//!
//! The player may be anywhere, so they are lower bounds for any position. They are consistent: a push changes them by at most 1.

use sokocore::{Board, Direction, Square};

/// The pushes left from each square, and scratch space for the next search.
#[derive(Clone, Debug)]
pub(crate) struct PullDistances {
    pushes: Vec<Option<u32>>,
    /// The squares that were reached, nearest first.
    reached: Vec<Square>,
}

impl PullDistances {
    /// Makes scratch space for a board, without targets.
    pub(crate) fn new(board: &Board) -> Self {
        Self { pushes: vec![None; board.n_squares()], reached: Vec::new() }
    }

    /// Computes the pushes to the targets over squares that may hold the box, where the player may stand behind it.
    pub(crate) fn compute(
        &mut self,
        board: &Board,
        targets: &[Square],
        may_hold: impl Fn(Square) -> bool,
        may_stand: impl Fn(Square) -> bool,
    ) {
        self.pushes.fill(None);
        self.reached.clear();
        targets.iter().for_each(|&target| self.reach(target, 0));
        let mut head = 0;
        while let Some(&sq) = self.reached.get(head) {
            head += 1;
            let pushes = self.pushes[sq.idx()].map_or(0, |pushes| pushes + 1);
            for dir in Direction::ALL {
                let Some(pulled) = board.step(sq, dir).filter(|&pulled| may_hold(pulled)) else { continue };
                if board.step(pulled, dir).is_some_and(&may_stand) {
                    self.reach(pulled, pushes);
                }
            }
        }
    }

    fn reach(&mut self, sq: Square, pushes: u32) {
        if self.pushes[sq.idx()].is_none() {
            self.pushes[sq.idx()] = Some(pushes);
            self.reached.push(sq);
        }
    }

    /// Returns the pushes from a square to the nearest target; `None` if no pushes lead there.
    pub(crate) fn get(&self, sq: Square) -> Option<u32> {
        self.pushes[sq.idx()]
    }

    /// Returns how many squares were reached.
    pub(crate) const fn n_reached(&self) -> usize {
        self.reached.len()
    }
}

#[cfg(test)]
mod tests {
    use sokocore::Level;

    use super::*;

    #[test]
    fn a_push_needs_room_for_the_box_and_for_the_player() {
        let level = Level::parse("##########\n#@ $   . #\n##########").unwrap();
        let board = level.board();
        let square = |column: usize| board.square_at(1, column).unwrap();
        let mut distances = PullDistances::new(board);
        let mut from = |column: usize, barred: usize, is_wall: bool| {
            let barred = square(barred);
            let may_hold = |sq| sq != barred;
            distances.compute(board, &[square(7)], may_hold, |sq| !is_wall || may_hold(sq));
            distances.get(square(column))
        };
        assert_eq!([2, 7, 8].map(|column| from(column, 1, false)), [Some(5), Some(0), None]);
        assert_eq!([4, 3, 2].map(|column| from(column, 2, false)), [Some(3), Some(4), None]);
        assert_eq!([4, 3, 2].map(|column| from(column, 2, true)), [Some(3), None, None]);
    }
}
