//! Push distances of a lone box to each target, from each square and with the player on each of its sides.
//!
//! [`Distances`](crate::board::Distances) keep the least over the sides, which may fall by more than one in one step.
//! These never do: a step is on a shortest path if and only if it lowers them by one.

use sokocore::FloorSquare;

use crate::board::{Distances, SearchBoard, SearchDirection};

/// Pushes by square, side and target.
#[derive(Debug)]
pub(crate) struct SideDistances {
    n_targets: usize,
    rows: Vec<u16>,
}

impl SideDistances {
    /// Measures to the targets of this direction.
    pub(crate) fn new(board: &SearchBoard, direction: SearchDirection) -> Self {
        let targets = board.targets(direction);
        let mut all =
            Self { n_targets: targets.len(), rows: vec![Distances::NONE; board.n_live() * 4 * targets.len()] };
        for (number, &target) in targets.iter().enumerate() {
            all.measure(board, direction, number, target);
        }
        all
    }

    /// Returns the pushes to every target.
    pub(crate) fn row(&self, sq: FloorSquare, side: usize) -> &[u16] {
        let start = (sq.idx() * 4 + (side & 3)) * self.n_targets;
        &self.rows[start..start + self.n_targets]
    }

    fn measure(&mut self, board: &SearchBoard, direction: SearchDirection, number: usize, target: FloorSquare) {
        let mut todo = std::collections::VecDeque::new();
        for side in 0..4 {
            self.arrive(board, number, (target, side), 0, &mut todo);
        }
        while let Some((sq, side)) = todo.pop_front() {
            let stand = board.step(sq, side);
            let distance = self.row(sq, side)[number] + 1;
            let (to, player) = match direction {
                SearchDirection::Forward => (stand, board.step(stand, side)),
                SearchDirection::Backward => (board.step(sq, side ^ 2), sq),
            };
            if board.is_live(to) && player != board.wall() {
                self.arrive(board, number, (to, side), distance, &mut todo);
            }
        }
    }

    /// Records a distance for all sides that the player can walk between.
    fn arrive(
        &mut self,
        board: &SearchBoard,
        number: usize,
        (sq, side): (FloorSquare, usize),
        distance: u16,
        todo: &mut std::collections::VecDeque<(FloorSquare, usize)>,
    ) {
        let group = board.sides().group(sq, side);
        for other in (0..4).filter(|&other| board.sides().group(sq, other) == group) {
            let at = (sq.idx() * 4 + other) * self.n_targets + number;
            if self.rows[at] == Distances::NONE && board.step(sq, other) != board.wall() {
                self.rows[at] = distance;
                todo.push_back((sq, other));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::Level;

    /// The least over the sides is the plain distance, in both directions.
    #[test]
    fn the_least_side_is_the_distance() {
        let level = Level::parse("##########\n#.  #  # #\n# $  $   #\n#  # @ # #\n####   . #\n##########").unwrap();
        let board = SearchBoard::new(&level).unwrap();
        for (direction, plain) in
            [(SearchDirection::Forward, board.to_goals()), (SearchDirection::Backward, board.to_starts())]
        {
            let sides = SideDistances::new(&board, direction);
            for sq in board.live_squares() {
                for (target, &expect) in plain.row(sq).iter().enumerate() {
                    let least = (0..4).map(|side| sides.row(sq, side)[target]).min().unwrap();
                    assert_eq!(least, expect, "{direction:?} {sq} {target}");
                }
            }
        }
    }
}
