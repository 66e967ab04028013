//! A level compiled for search: its floor graph, and flat tables by the numbers of that.
//!
//! ```text
//!   board            numbers of the FloorGraph        a position
//!   #######
//!   #  $. #          #  3  0  1  2  4  #              boxes  {1}    bits of live squares only
//!   #@    #          #  5  6  7  8  9  #              player 0      least square of the region
//!   #######          wall = 10
//! ```
//!
//! Squares, rows and directions are those of [`FloorGraph`]. A level with a box on a dead square is not compiled: it has
//! no solution.

use sokocore::{Direction, FloorGraph, FloorSquare, Level, PatternSearch, Push, SearchDirection, Square};
use sokosearch::Stop;

use super::{Distances, FloorPush, SideGraph};
use crate::WorkMeter;
use crate::board::bit_set::BitSet;

/// The static part of a level, for inner loops.
#[derive(Clone, Debug)]
pub(crate) struct SearchBoard {
    places: Places,
    is_goal: Vec<bool>,
    to_goals: Distances,
    to_starts: Distances,
}

/// The floor, and what stands on it.
#[derive(Clone, Debug)]
struct Places {
    sides: SideGraph,
    goals: Vec<FloorSquare>,
    starts: Vec<FloorSquare>,
    player: FloorSquare,
    /// A square that the player can walk to at the end; `None` if any end will do.
    end: Option<FloorSquare>,
}

impl Places {
    /// Compiles a level; `None` if a box stands on a dead square, there are too few goals, or the board is beyond the
    /// tables.
    fn of(level: &Level) -> Option<Self> {
        let (board, live) = (level.board(), level.live());
        if !level.start().boxes.is_subset(live) || live.len().checked_mul(board.goals().len())? > 1 << 24 {
            return None;
        }
        let sides = SideGraph::new(level);
        let number = |sq| sides.floor().number(sq);
        // A goal that no box can be pushed to does not count. With too few goals the level has no solution.
        let goals: Vec<_> = board.goals().iter().filter(|&sq| live.contains(sq)).map(number).collect();
        let starts: Vec<_> = level.start().boxes.iter().map(number).collect();
        let player = number(level.start().player);
        (goals.len() >= starts.len()).then_some(Self { sides, goals, starts, player, end: None })
    }
}

impl SearchBoard {
    /// Compiles a level; `None` if a box stands on a dead square or the board is beyond the tables.
    pub(crate) fn new(level: &Level) -> Option<Self> {
        let places = Places::of(level)?;
        let to_goals = Distances::new(&places.sides, SearchDirection::Forward, &places.goals, |_| false);
        let to_starts = Distances::new(&places.sides, SearchDirection::Backward, &places.starts, |_| false);
        Some(Self::with_distances(places, to_goals, to_starts))
    }

    /// Compiles a level within the budget.
    ///
    /// # Errors
    /// The reason to stop; the end of a slice is none.
    pub(crate) fn within(level: &Level, meter: &mut WorkMeter) -> Result<Option<Self>, Stop> {
        meter.tick_unpausable(1)?;
        let Some(places) = Places::of(level) else { return Ok(None) };
        let sides = &places.sides;
        meter.tick_unpausable((sides.floor().n_squares() / 4) as u64)?;
        let to_goals = Distances::within(sides, SearchDirection::Forward, &places.goals, None, meter)?;
        let to_starts = Distances::within(sides, SearchDirection::Backward, &places.starts, None, meter)?;
        Ok(Some(Self::with_distances(places, to_goals, to_starts)))
    }

    fn with_distances(places: Places, to_goals: Distances, to_starts: Distances) -> Self {
        let mut is_goal = vec![false; places.sides.floor().n_squares()];
        places.goals.iter().for_each(|&sq| is_goal[sq.idx()] = true);
        Self { places, is_goal, to_goals, to_starts }
    }

    /// Asks of the solved position that the player can walk to this square of the level.
    pub(crate) fn ending_at(mut self, end: Square) -> Self {
        self.places.end = Some(self.number(end));
        self
    }

    /// Returns the squares and their neighbors.
    #[inline]
    pub(crate) const fn floor(&self) -> &FloorGraph {
        self.places.sides.floor()
    }

    /// Returns the floor with the groups of sides of a lone box.
    #[inline]
    pub(crate) const fn sides(&self) -> &SideGraph {
        &self.places.sides
    }

    /// Returns the number of squares; it is also the number of the wall.
    #[inline]
    pub(crate) const fn n_squares(&self) -> usize {
        self.floor().n_squares()
    }

    /// Returns the number that stands for every wall.
    #[inline]
    pub(crate) const fn wall(&self) -> FloorSquare {
        self.floor().wall()
    }

    /// Returns the number of live squares, which come first.
    #[inline]
    pub(crate) const fn n_live(&self) -> usize {
        self.floor().n_live()
    }

    /// Returns how many words a set of live squares takes.
    pub(crate) const fn n_words(&self) -> usize {
        self.floor().n_words()
    }

    /// Visits the squares in the order of their numbers, live ones first.
    #[inline]
    pub(crate) fn squares(&self) -> impl ExactSizeIterator<Item = FloorSquare> + Clone + use<> {
        self.floor().squares()
    }

    /// Visits the live squares in the order of their numbers.
    #[inline]
    pub(crate) fn live_squares(&self) -> impl ExactSizeIterator<Item = FloorSquare> + Clone + use<> {
        self.floor().live_squares()
    }

    /// Returns whether a box may stand on the square; false for the wall.
    #[inline]
    pub(crate) const fn is_live(&self, sq: FloorSquare) -> bool {
        self.floor().is_live(sq)
    }

    /// Returns the four neighbors of a square.
    #[inline]
    pub(crate) fn steps(&self, sq: FloorSquare) -> [FloorSquare; 4] {
        self.floor().steps(sq)
    }

    /// Returns the neighbor in a direction.
    #[inline]
    pub(crate) fn step(&self, sq: FloorSquare, dir: usize) -> FloorSquare {
        self.floor().step(sq, dir)
    }

    /// Returns the goals that boxes can be pushed to.
    pub(crate) fn goals(&self) -> &[FloorSquare] {
        &self.places.goals
    }

    /// Returns whether the square, which is not the wall, is one of these goals.
    #[inline]
    pub(crate) fn is_goal(&self, sq: FloorSquare) -> bool {
        self.is_goal[sq.idx()]
    }

    /// Returns the targets of the boxes in this direction: goals or start squares.
    pub(crate) fn targets(&self, direction: SearchDirection) -> &[FloorSquare] {
        match direction {
            SearchDirection::Forward => &self.places.goals,
            SearchDirection::Backward => &self.places.starts,
        }
    }

    /// Returns the squares where the boxes start.
    pub(crate) fn starts(&self) -> &[FloorSquare] {
        &self.places.starts
    }

    /// Prepares the search for patterns of so many boxes that are dead in this direction.
    pub(crate) fn pattern_search(&self, direction: SearchDirection, size: usize) -> PatternSearch {
        PatternSearch::on_graph(self.floor(), self.targets(direction), direction, size)
    }

    /// Returns the number of boxes.
    pub(crate) const fn n_boxes(&self) -> usize {
        self.places.starts.len()
    }

    /// Returns the square where the player starts.
    pub(crate) const fn player(&self) -> FloorSquare {
        self.places.player
    }

    /// Returns a square that the player can walk to in the solved position, if the player's end counts.
    pub(crate) const fn end(&self) -> Option<FloorSquare> {
        self.places.end
    }

    /// Returns the pushes of a lone box to each goal.
    pub(crate) const fn to_goals(&self) -> &Distances {
        &self.to_goals
    }

    /// Returns the pulls of a lone box to each start square.
    pub(crate) const fn to_starts(&self) -> &Distances {
        &self.to_starts
    }

    /// Returns the level's square.
    pub(crate) fn square(&self, sq: FloorSquare) -> Square {
        self.floor().square(sq)
    }

    /// Returns one of the level's squares as the searches number it.
    pub(crate) fn number(&self, sq: Square) -> FloorSquare {
        self.floor().number(sq)
    }

    /// Returns a push on the level's squares.
    pub(crate) fn push(&self, push: FloorPush) -> Push {
        Push { from: self.square(push.from), dir: Direction::ALL[push.dir & 3] }
    }

    /// Collects live squares into a set.
    pub(crate) fn set<const W: usize>(squares: &[FloorSquare]) -> BitSet<W> {
        let mut set = BitSet::default();
        squares.iter().for_each(|&sq| set.insert(sq));
        set
    }
}

impl AsRef<FloorGraph> for SearchBoard {
    #[inline]
    fn as_ref(&self) -> &FloorGraph {
        self.floor()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_agree_with_those_of_the_core_in_both_directions() {
        let level = Level::parse("########\n#.  #  #\n# $  $ #\n#  # @ #\n#    . #\n########").unwrap();
        let board = SearchBoard::new(&level).unwrap();
        let core = sokocore::PushDistances::new(&level).unwrap();
        for sq in board.squares() {
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
}
