//! Potentials of the player: a height for each square, such that neighbors differ by at most one.
//!
//! A walk of one step raises the player by at most one, so walks are at least as long as the height that the pushes have
//! lost and the end does not. Any potential gives a bound; a good one falls along most pushes. The distance from the
//! goals does where boxes are pushed toward them from all sides.

use sokocore::{FloorSquare, Level};

use super::displacement::{DIAGONALS, place_along};
use crate::board::{Flood, SearchBoard};

/// Squares far from each other whose distances are candidates.
const N_POLES: usize = 12;

/// A height for each floor square.
#[derive(Clone, Debug)]
pub(super) struct PlayerPotential(Vec<i32>);

impl PlayerPotential {
    /// Makes potentials that are worth a try, the most promising first.
    pub(super) fn candidates(level: &Level, board: &SearchBoard) -> Vec<Self> {
        let mut flood = Flood::new(board);
        let mut potentials = vec![Self::nearest(board, board.goals(), &mut flood)];
        for signs in DIAGONALS {
            potentials.push(Self(board.squares().map(|sq| place_along(level, board.square(sq), signs)).collect()));
        }
        potentials.push(Self::nearest(board, board.starts(), &mut flood).reversed());
        // Each pole is the square farthest from those before it.
        let mut poles = Self::nearest(board, &[board.player()], &mut flood);
        for _ in 0..N_POLES {
            let Some(pole) = board.squares().max_by_key(|&sq| poles.height(sq)).filter(|&sq| poles.height(sq) > 0)
            else {
                break;
            };
            let from_pole = Self::nearest(board, &[pole], &mut flood);
            poles.0.iter_mut().zip(&from_pole.0).for_each(|(least, &height)| *least = (*least).min(height));
            potentials.extend([from_pole.reversed(), from_pole]);
        }
        potentials
    }

    /// The steps to the nearest of some squares on the empty floor.
    fn nearest(board: &SearchBoard, squares: &[FloorSquare], flood: &mut Flood) -> Self {
        let mut heights = vec![i32::MAX; board.n_squares()];
        for &from in squares {
            flood.place([]);
            flood.measure(board, from);
            for sq in board.squares() {
                heights[sq.idx()] = heights[sq.idx()].min(i32::from(flood.distance(sq)));
            }
        }
        Self(heights)
    }

    fn reversed(&self) -> Self {
        Self(self.0.iter().map(|&height| -height).collect())
    }

    /// Returns the height of a square.
    pub(super) fn height(&self, sq: FloorSquare) -> i32 {
        self.0[sq.idx()]
    }

    /// Returns a push's part of the moves, if it takes the player from one square to the next: itself, and the walk that
    /// makes up for the height that it loses, less that for the height that it gains. From 0 to 2.
    pub(super) fn moves_of_push(&self, from: FloorSquare, to: FloorSquare) -> u16 {
        u16::try_from(1 - (self.height(to) - self.height(from))).unwrap_or(0)
    }

    /// Returns whether neighbors differ by at most one, as in every potential.
    #[cfg(test)]
    pub(super) fn is_valid(&self, board: &SearchBoard) -> bool {
        let steps = |sq| board.steps(sq).into_iter().filter(|&next| next != board.wall());
        board.squares().all(|sq| steps(sq).all(|next| self.height(sq).abs_diff(self.height(next)) <= 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::Reach;

    /// The steps between any two squares on the empty floor, by the flood of the level's board.
    fn all_walks(level: &Level, board: &SearchBoard) -> Vec<Vec<i32>> {
        let (floor, mut reach) = (level.board(), Reach::new(level.board()));
        let nothing = floor.no_squares();
        let from = |sq| {
            let region = reach.flood(floor, &nothing, board.square(sq));
            let steps = |to| i32::try_from(region.distance(board.square(to)).unwrap()).unwrap();
            board.squares().map(steps).collect()
        };
        board.squares().map(from).collect()
    }

    /// Compares all potentials of a level with their descriptions.
    fn check(level: &Level, n_poles: usize) {
        let board = SearchBoard::new(level).unwrap();
        let walks = all_walks(level, &board);
        let nearest = |squares: &[FloorSquare], sq: FloorSquare| {
            squares.iter().map(|from| walks[from.idx()][sq.idx()]).min().unwrap()
        };
        let potentials = PlayerPotential::candidates(level, &board);
        assert_eq!(potentials.len(), 6 + 2 * n_poles, "{level:?}");
        for sq in board.squares() {
            let (row, column) = level.board().place(board.square(sq));
            let [row, column] = [row, column].map(|place| i32::try_from(place).unwrap());
            let heights: Vec<i32> = potentials[..6].iter().map(|potential| potential.height(sq)).collect();
            let ends = [nearest(board.goals(), sq), -nearest(board.starts(), sq)];
            assert_eq!(heights, [ends[0], row + column, row - column, column - row, -row - column, ends[1]], "{sq:?}");
        }
        let mut poles = vec![board.player()];
        for pair in potentials[6..].chunks_exact(2) {
            let pole = board.squares().find(|&sq| pair[1].height(sq) == 0).unwrap();
            assert_eq!(Some(nearest(&poles, pole)), board.squares().map(|sq| nearest(&poles, sq)).max());
            for sq in board.squares() {
                let steps = walks[pole.idx()][sq.idx()];
                assert_eq!(pair.iter().map(|potential| potential.height(sq)).collect::<Vec<_>>(), [-steps, steps]);
            }
            poles.push(pole);
        }
    }

    /// On a small floor every square but the player's becomes a pole, on a larger one twelve do.
    #[test]
    fn candidates_are_distances_diagonals_and_poles_far_from_each_other() {
        check(&Level::parse("#####\n#@$.#\n#####").unwrap(), 2);
        check(&Level::parse("#######\n#@  $.#\n# #####\n#######").unwrap(), 5);
        check(&Level::parse("########\n#@     #\n# $$ # #\n#   .. #\n########").unwrap(), 12);
    }

    #[test]
    fn a_push_costs_one_move_and_the_height_that_it_loses() {
        let potential = PlayerPotential(vec![5, 6, 5, 9]);
        let moves = |from, to| potential.moves_of_push(FloorSquare::new(from), FloorSquare::new(to));
        assert_eq!([moves(0, 1), moves(0, 2), moves(1, 0), moves(0, 3)], [0, 1, 2, 0]);
    }
}
