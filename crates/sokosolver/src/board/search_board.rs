//! A level compiled for search: squares as small numbers, flat tables, and one sentinel for every wall.
//!
//! ```text
//!   board            numbers: live squares first      a position
//!   #######
//!   #  $. #          #  4  0  1  2  5  #              boxes  {1}    bits of live squares only
//!   #@    #          #  6  7  8  9 10  #              player 4      least square of the region
//!   #######          wall = 11
//! ```
//!
//! **Invariant**: squares below [`SearchBoard::n_live`] are exactly those where a box may stand, so box sets need no
//! more bits than that. Within the live squares and within the rest numbers rise row by row. Directions are 0 to 3,
//! clockwise from up, as [`sokocore::Direction::idx`] has them; `dir ^ 2` is the opposite one.
//! A level with a box on a dead square is not compiled: it has no solution.

use sokocore::{Blocks, Direction, Level, PatternGame, PatternSearch, Push, Square};
use sokosearch::Stop;

use super::Distances;
use crate::WorkMeter;
use crate::board::bit_set::BitSet;

/// The direction of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchDirection {
    /// From the start, by pushes, to the goals.
    Forward,
    /// From the goals, by pulls, to the start.
    Backward,
}

/// The static part of a level, for inner loops.
#[derive(Clone, Debug)]
pub(crate) struct SearchBoard {
    squares: Vec<Square>,
    #[cfg_attr(not(test), allow(dead_code, reason = "for tests, and for searches that take squares of the level"))]
    numbers: Vec<u16>,
    steps: Vec<[u16; 4]>,
    side_groups: Vec<[u8; 4]>,
    n_live: usize,
    goals: Vec<u16>,
    starts: Vec<u16>,
    player: u16,
    to_goals: Distances,
    to_starts: Distances,
}

impl SearchBoard {
    /// Compiles a level; `None` if a box stands on a dead square or the board is beyond the tables.
    pub(crate) fn new(level: &Level) -> Option<Self> {
        let mut board = Self::bare(level)?;
        board.to_goals = Distances::new(&board, SearchDirection::Forward, &board.goals, |_| false);
        board.to_starts = Distances::new(&board, SearchDirection::Backward, &board.starts, |_| false);
        Some(board)
    }

    /// Compiles a level within the budget.
    ///
    /// # Errors
    /// The reason to stop; the end of a slice is none.
    pub(crate) fn within(level: &Level, meter: &mut WorkMeter) -> Result<Option<Self>, Stop> {
        meter.tick_unpausable(1)?;
        let Some(mut board) = Self::bare(level) else { return Ok(None) };
        meter.tick_unpausable((board.n_squares() / 4) as u64)?;
        board.to_goals = Distances::within(&board, SearchDirection::Forward, &board.goals, None, meter)?;
        board.to_starts = Distances::within(&board, SearchDirection::Backward, &board.starts, None, meter)?;
        Ok(Some(board))
    }

    /// Compiles a level without its distances.
    fn bare(level: &Level) -> Option<Self> {
        let board = level.board();
        let n = u16::try_from(board.n_squares()).ok()?;
        let live = level.live();
        if !level.start().boxes.is_subset(live) || live.len().checked_mul(board.goals().len())? > 1 << 24 {
            return None;
        }
        let squares: Vec<Square> = live.iter().chain(board.squares().filter(|&sq| !live.contains(sq))).collect();
        let mut numbers = vec![n; squares.len()];
        for (number, sq) in (0..n).zip(&squares) {
            numbers[sq.idx()] = number;
        }
        let blocks = Blocks::of(board);
        let number = |sq: Option<Square>| sq.map_or(n, |sq| numbers[sq.idx()]);
        let steps = squares.iter().map(|&sq| Direction::ALL.map(|dir| number(board.step(sq, dir)))).collect();
        let first_side = |sq, side: Direction| {
            let joined = Direction::ALL.into_iter().find(|&first| blocks.joins(sq, first, side));
            joined.unwrap_or(side) as u8
        };
        let side_groups = squares.iter().map(|&sq| Direction::ALL.map(|side| first_side(sq, side))).collect();
        // A goal that no box can be pushed to does not count. With too few goals the level has no solution.
        let goals: Vec<u16> = board.goals().iter().filter(|&sq| live.contains(sq)).map(|sq| number(Some(sq))).collect();
        let starts: Vec<u16> = level.start().boxes.iter().map(|sq| number(Some(sq))).collect();
        if goals.len() < starts.len() {
            return None;
        }
        let player = number(Some(level.start().player));
        let nothing = Distances::default();
        let (to_goals, to_starts) = (nothing.clone(), nothing);
        let n_live = live.len();
        Some(Self { squares, numbers, steps, side_groups, n_live, goals, starts, player, to_goals, to_starts })
    }

    /// Returns the number of squares; it is also the number of the wall.
    pub(crate) const fn n_squares(&self) -> usize {
        self.squares.len()
    }

    /// Returns the number that stands for every wall.
    #[inline]
    pub(crate) fn wall(&self) -> u16 {
        // Compiled only if it fits.
        u16::try_from(self.squares.len()).unwrap_or(u16::MAX)
    }

    /// Returns the number of live squares, which come first.
    pub(crate) const fn n_live(&self) -> usize {
        self.n_live
    }

    /// Returns how many words a set of live squares takes.
    pub(crate) const fn n_words(&self) -> usize {
        self.n_live.div_ceil(64)
    }

    /// Returns whether a box may stand on the square; false for the wall.
    #[inline]
    pub(crate) fn is_live(&self, sq: u16) -> bool {
        usize::from(sq) < self.n_live
    }

    /// Returns the four neighbors of a square.
    #[inline]
    pub(crate) fn steps(&self, sq: u16) -> [u16; 4] {
        self.steps[usize::from(sq)]
    }

    /// Returns the neighbor in a direction.
    #[inline]
    pub(crate) fn step(&self, sq: u16, dir: usize) -> u16 {
        self.steps[usize::from(sq)][dir & 3]
    }

    /// Returns the group of a side: sides of a lone box that the player can walk between have the same one.
    #[inline]
    pub(crate) fn side_group(&self, sq: u16, side: usize) -> u8 {
        self.side_groups[usize::from(sq)][side & 3]
    }

    /// Returns the goals that boxes can be pushed to.
    pub(crate) fn goals(&self) -> &[u16] {
        &self.goals
    }

    /// Returns the targets of the boxes in this direction: goals or start squares.
    pub(crate) fn targets(&self, direction: SearchDirection) -> &[u16] {
        match direction {
            SearchDirection::Forward => &self.goals,
            SearchDirection::Backward => &self.starts,
        }
    }

    /// Returns the squares where the boxes start.
    pub(crate) fn starts(&self) -> &[u16] {
        &self.starts
    }

    /// Prepares the search for patterns of so many boxes that are dead in this direction.
    pub(crate) fn pattern_search(&self, direction: SearchDirection, size: usize) -> PatternSearch {
        let (game, targets) = match direction {
            SearchDirection::Forward => (PatternGame::Forward, &self.goals),
            SearchDirection::Backward => (PatternGame::Backward, &self.starts),
        };
        PatternSearch::on_graph(self.steps.clone(), self.n_live, targets.clone(), game, size)
    }

    /// Returns the number of boxes.
    pub(crate) const fn n_boxes(&self) -> usize {
        self.starts.len()
    }

    /// Returns the square where the player starts.
    pub(crate) const fn player(&self) -> u16 {
        self.player
    }

    /// Returns the pushes of a lone box to each goal.
    pub(crate) const fn to_goals(&self) -> &Distances {
        &self.to_goals
    }

    /// Returns the pulls of a lone box to each start square.
    pub(crate) const fn to_starts(&self) -> &Distances {
        &self.to_starts
    }

    /// Returns the level's square of a number.
    pub(crate) fn square(&self, sq: u16) -> Square {
        self.squares[usize::from(sq)]
    }

    /// Returns the number of one of the level's squares.
    #[cfg_attr(not(test), allow(dead_code, reason = "for tests, and for searches that take squares of the level"))]
    pub(crate) fn number(&self, sq: Square) -> u16 {
        self.numbers[sq.idx()]
    }

    /// Returns a push on the level's squares.
    pub(crate) fn push(&self, from: u16, dir: usize) -> Push {
        Push { from: self.square(from), dir: Direction::ALL[dir & 3] }
    }

    /// Collects live squares into a set.
    pub(crate) fn set<const W: usize>(squares: &[u16]) -> BitSet<W> {
        let mut set = BitSet::default();
        squares.iter().for_each(|&sq| set.insert(sq));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Flood;

    #[test]
    fn live_squares_come_first_and_walls_are_one_number() {
        let level = Level::parse("#######\n#  $. #\n#@    #\n#######").unwrap();
        let board = SearchBoard::new(&level).unwrap();
        assert_eq!((board.n_squares(), board.wall()), (10, 10));
        assert!(board.goals().iter().chain(board.starts()).all(|&sq| board.is_live(sq)));
        for sq in 0..board.wall() {
            assert_eq!(board.number(board.square(sq)), sq);
            for dir in 0..4 {
                let next = board.step(sq, dir);
                assert!(next == board.wall() || board.step(next, dir ^ 2) == sq);
            }
        }
    }

    #[test]
    fn distances_agree_with_those_of_the_core_in_both_directions() {
        let level = Level::parse("########\n#.  #  #\n# $  $ #\n#  # @ #\n#    . #\n########").unwrap();
        let board = SearchBoard::new(&level).unwrap();
        let core = sokocore::PushDistances::new(&level).unwrap();
        for sq in 0..board.wall() {
            for (goal, &distance) in board.to_goals().row(sq).iter().enumerate() {
                let expect = core.get(board.square(sq), goal).unwrap_or(Distances::NONE);
                assert_eq!(distance, expect);
            }
        }
        for (start, &sq) in board.starts().iter().enumerate() {
            for (goal, &to) in board.goals().iter().enumerate() {
                assert_eq!(board.to_starts().row(to)[start], board.to_goals().row(sq)[goal]);
            }
        }
    }

    #[test]
    fn floods_name_regions_by_their_least_square() {
        let level = Level::parse("########\n#.@$   #\n#  #   #\n########").unwrap();
        let board = SearchBoard::new(&level).unwrap();
        let mut flood = Flood::new(&board);
        let boxes = SearchBoard::set::<1>(board.starts());
        let left = flood.run(&board, &boxes, board.player());
        let right = board.step(board.starts()[0], 1);
        assert!(!flood.reaches(right) && flood.is_free(right) && !flood.is_free(board.wall()));
        assert_eq!(flood.run(&board, &boxes, board.step(board.player(), 2)), left);
        assert_ne!(flood.run(&board, &boxes, right), left);
    }
}
