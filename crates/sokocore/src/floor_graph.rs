//! The floor of a level as a graph for searches: live squares first, one number for every wall.
//!
//! ```text
//!   board            numbers: live squares first      neighbors of 1
//!   #######
//!   #  $. #          #  3  0  1  2  4  #              up     10    the wall
//!   #@    #          #  5  6  7  8  9  #              right   2
//!   #######          wall = 10                        down    7
//!                                                     left    0
//! ```
//!
//! **Invariant**: squares below [`FloorGraph::n_live`] are exactly the [live](Level::live) squares, so a set of boxes
//! needs no more bits than that. Within the live squares and within the rest, numbers rise with those of
//! [`Square`], which is row by row. The number past the last square is the wall, so a table with one entry more than
//! there are squares needs no test for it. Directions are 0 to 3, as [`Direction::idx`] has them, and are taken
//! modulo 4: `dir ^ 2` is the opposite one, `dir + 1` and `dir + 3` are the sides.

use crate::{Direction, FloorSquare, Level, Square};

/// The squares of a level by their numbers for searches, and how they touch.
///
/// It numbers what every search of the workspace numbers: bits of box sets, rows of tables, squares of floods. A
/// number means something only together with the level that the graph was made of.
///
/// # Example
/// ```
/// use sokocore::{Direction, FloorGraph, FloorSquare, Level};
/// let level = Level::parse("######\n#@$ .#\n######")?;
/// let graph = FloorGraph::new(&level);
/// assert_eq!((graph.n_squares(), graph.n_live(), graph.wall()), (4, 3, FloorSquare::new(4)));
/// let box_sq = graph.number(level.board().square_at(1, 2).unwrap());
/// assert_eq!(box_sq.idx(), 0, "the player's square, to the left of the box, is dead");
/// assert_eq!(graph.step(box_sq, Direction::Left.idx()), graph.number(level.start().player));
/// assert_eq!(graph.step(box_sq, Direction::Up.idx()), graph.wall());
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FloorGraph {
    squares: Vec<Square>,
    /// The number of every square of the level.
    numbers: Vec<FloorSquare>,
    steps: Vec<[FloorSquare; 4]>,
    n_live: usize,
}

impl FloorGraph {
    /// Numbers the squares of a level.
    #[must_use]
    pub fn new(level: &Level) -> Self {
        let (board, live) = (level.board(), level.live());
        let dead = board.squares().filter(|&sq| !live.contains(sq));
        let squares: Vec<Square> = live.iter().chain(dead).collect();
        let wall = FloorSquare::from_idx(squares.len());
        let mut numbers = vec![wall; squares.len()];
        for (number, sq) in (0..wall.get()).map(FloorSquare::new).zip(&squares) {
            numbers[sq.idx()] = number;
        }
        let number = |sq: Option<Square>| sq.map_or(wall, |sq| numbers[sq.idx()]);
        let steps = squares.iter().map(|&sq| Direction::ALL.map(|dir| number(board.step(sq, dir)))).collect();
        Self { squares, numbers, steps, n_live: live.len() }
    }

    /// Returns the number of squares; it is also the number of the wall.
    #[inline]
    #[must_use]
    pub const fn n_squares(&self) -> usize {
        self.squares.len()
    }

    /// Returns the number that stands for every wall.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a board has at most 65,534 squares")]
    pub const fn wall(&self) -> FloorSquare {
        FloorSquare::new(self.squares.len() as u16)
    }

    /// Visits the squares in the order of their numbers, live ones first.
    #[inline]
    pub fn squares(&self) -> impl ExactSizeIterator<Item = FloorSquare> + Clone + use<> {
        (0..self.wall().get()).map(FloorSquare::new)
    }

    /// Visits the live squares in the order of their numbers.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a board has at most 65,534 squares")]
    pub fn live_squares(&self) -> impl ExactSizeIterator<Item = FloorSquare> + Clone + use<> {
        (0..self.n_live as u16).map(FloorSquare::new)
    }

    /// Returns the number of live squares, which come first.
    #[inline]
    #[must_use]
    pub const fn n_live(&self) -> usize {
        self.n_live
    }

    /// Returns the number of 64-bit words that a set of live squares takes.
    #[inline]
    #[must_use]
    pub const fn n_words(&self) -> usize {
        self.n_live.div_ceil(64)
    }

    /// Returns whether a box may stand on the square; false for the wall.
    #[inline]
    #[must_use]
    pub const fn is_live(&self, sq: FloorSquare) -> bool {
        sq.idx() < self.n_live
    }

    /// Returns the four neighbors of a square, by direction.
    ///
    /// # Panics
    /// If this is no square, which the wall is not either.
    #[inline]
    #[must_use]
    pub fn steps(&self, sq: FloorSquare) -> [FloorSquare; 4] {
        self.steps[sq.idx()]
    }

    /// Returns the neighbor in a direction.
    ///
    /// # Panics
    /// As for [`FloorGraph::steps`].
    #[inline]
    #[must_use]
    pub fn step(&self, sq: FloorSquare, dir: usize) -> FloorSquare {
        self.steps[sq.idx()][dir & 3]
    }

    /// Returns the level's square.
    ///
    /// # Panics
    /// As for [`FloorGraph::steps`].
    #[inline]
    #[must_use]
    pub fn square(&self, sq: FloorSquare) -> Square {
        self.squares[sq.idx()]
    }

    /// Returns the number of one of the level's squares in this graph.
    ///
    /// # Panics
    /// If the square is beyond the level's board.
    #[inline]
    #[must_use]
    pub fn number(&self, sq: Square) -> FloorSquare {
        self.numbers[sq.idx()]
    }
}

impl AsRef<Self> for FloorGraph {
    #[inline]
    fn as_ref(&self) -> &Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn live_squares_come_first_row_by_row_and_walls_are_one_number() {
        let level = Level::parse("#######\n#  $. #\n#@    #\n#######").unwrap();
        let graph = FloorGraph::new(&level);
        assert_eq!((graph.n_squares(), graph.n_words(), graph.wall().idx()), (10, 1, 10));
        assert!(!graph.is_live(graph.wall()));
        assert!(graph.live_squares().eq(graph.squares().filter(|&sq| graph.is_live(sq))));
        assert_eq!(
            (graph.n_live(), graph.steps(FloorSquare::new(1)).map(FloorSquare::idx)),
            (3, [10, 2, 7, 0]),
            "as in the picture"
        );
        for sq in graph.squares() {
            assert_eq!(graph.number(graph.square(sq)), sq);
            assert_eq!(graph.is_live(sq), level.live().contains(graph.square(sq)));
            let next = FloorSquare::from_idx(sq.idx() + 1);
            let same_part = graph.is_live(sq) == graph.is_live(next) && next < graph.wall();
            assert!(!same_part || graph.square(sq) < graph.square(next));
            for dir in Direction::ALL {
                let step = graph.step(sq, dir.idx());
                let expect = level.board().step(graph.square(sq), dir);
                assert_eq!((step != graph.wall()).then(|| graph.square(step)), expect);
                assert_eq!(step, graph.steps(sq)[dir.idx()]);
                assert!(step == graph.wall() || graph.step(step, dir.idx() ^ 2) == sq);
            }
        }
    }
}
