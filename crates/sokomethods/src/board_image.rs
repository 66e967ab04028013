//! The rotations and reflections that map a board onto itself.
//!
//! ```text
//!  #####        a left-right reflection maps walls to walls and goals to goals,
//!  #. .#        so a box set that is its own image has the same future on both sides
//!  # $ #
//!  ## ##
//! ```
//!
//! Only squares that the player can reach count, within their own bounding box. Squares outside of it, or sealed off,
//! do not break a symmetry.

use sokocore::{Board, Push, Square, SquareSet, Symmetry};

/// A symmetry of a board, other than the identity.
#[derive(Clone, Debug)]
pub(crate) struct BoardImage {
    symmetry: Symmetry,
    /// The image of every square.
    squares: Vec<Square>,
}

impl BoardImage {
    /// Returns all symmetries of a board: none, one, three or seven.
    pub(crate) fn all(board: &Board) -> Vec<Self> {
        Symmetry::ALL[1..].iter().filter_map(|&symmetry| Self::of(board, symmetry)).collect()
    }

    fn of(board: &Board, symmetry: Symmetry) -> Option<Self> {
        let places: Vec<(usize, usize)> = board.squares().map(|sq| board.place(sq)).collect();
        let top = places.iter().map(|place| place.0).min()?;
        let left = places.iter().map(|place| place.1).min()?;
        let height = places.iter().map(|place| place.0).max()? - top + 1;
        let width = places.iter().map(|place| place.1).max()? - left + 1;
        if symmetry.swaps_sides() && width != height {
            return None;
        }
        let image = |&(row, column): &(usize, usize)| {
            let (row, column) = symmetry.place((row - top, column - left), width, height);
            board.square_at(row + top, column + left)
        };
        let squares: Vec<Square> = places.iter().map(image).collect::<Option<_>>()?;
        let image = Self { symmetry, squares };
        board.goals().iter().all(|sq| board.goals().contains(image.square(sq))).then_some(image)
    }

    /// Returns the image of a square.
    pub(crate) fn square(&self, sq: Square) -> Square {
        self.squares[sq.idx()]
    }

    /// Returns the image of a push.
    pub(crate) fn push(&self, push: Push) -> Push {
        Push { from: self.square(push.from), dir: self.symmetry.dir(push.dir) }
    }

    /// Returns whether a set of squares is its own image.
    pub(crate) fn keeps(&self, squares: &SquareSet) -> bool {
        squares.iter().all(|sq| squares.contains(self.square(sq)))
    }
}

#[cfg(test)]
mod tests {
    use sokocore::Level;

    use super::*;

    fn check(rows: &[&str], n_images: usize) {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let images = BoardImage::all(level.board());
        assert_eq!(images.len(), n_images, "{level:?}");
        for image in images {
            let mut squares: Vec<Square> = level.board().squares().map(|sq| image.square(sq)).collect();
            squares.sort();
            squares.dedup();
            assert_eq!(squares.len(), level.board().n_squares(), "a symmetry is a permutation");
        }
    }

    #[test]
    fn walls_and_goals_decide() {
        check(&["#####", "#.$.#", "# @ #", "#. .#", "#####"], 7);
        check(&["######", "#.$@.#", "#    #", "#.  .#", "######"], 3);
        check(&["######", "#.$@.#", "#    #", "######"], 1);
        check(&["######", "#.$@ #", "#    #", "######"], 0);
    }

    /// A sealed room and an empty column beside the board do not count.
    #[test]
    fn only_the_play_board_counts() {
        check(&["  #####  ", "  #.$.#  ", "  # @ ###", "  #. .# #", "  #######"], 7);
    }
}
