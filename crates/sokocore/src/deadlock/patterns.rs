//! Patterns: one, two or three boxes that can never be brought home, whatever the other boxes do. Exact.
//!
//! ```text
//!   # # # # #      two boxes side by side at a wall:      # # # #      three boxes in a ring with a pillar:
//!   #   $ $ #      neither can be pushed off it           # $ $ #      the player gets behind none of them
//!   #   @   #                                             # $ # #
//! ```
//!
//! Forward, home are the goals and boxes are pushed; backward, home are the squares where boxes start and they are
//! pulled: what can never be pulled home is in no game from the start. Found by playing the other way, with these boxes
//! alone, from everything that is home. A state is the boxes' squares and one of their sides, where the player stands;
//! sides in one region are found together by a flood, so there is a bit for each side and no name for a region.
//!
//! Other boxes only take squares away from the player and from pushes, so a pattern that is dead by itself is dead among
//! them. Its region changes only when one of its own boxes moves, if walks through other boxes are allowed: to ask about
//! the box moved last, from where the player then stands, is enough.
//!
//! Squares are those of a [`FloorGraph`]: live squares come first.

use crate::{Direction, Flood, FloorGraph, FloorSquare, Level, SearchDirection};

/// Fills the places past the size of a pattern; it is above all squares.
const NO_SQUARE: FloorSquare = FloorSquare::new(u16::MAX);

/// The search for all patterns of a number of boxes that can be brought to goals. It can be paused.
///
/// It has no queue of states: a bit for each pattern says that the pattern was reached on sides from which it is not
/// expanded yet, and the search scans these bits until none is set. So it takes four bytes and a bit for each pattern.
///
/// # Example
/// Pairs of boxes that block each other, though each of them could be brought to a goal alone:
/// ```
/// use std::convert::Infallible;
///
/// use sokocore::{FloorGraph, Level, PatternSearch, SearchDirection};
///
/// let level = Level::parse("#######\n#  .  #\n#.$ $ #\n#  @  #\n#######")?;
/// let mut search = PatternSearch::new(&level, SearchDirection::Forward, 2);
/// let _: Result<(), Infallible> = search.resume(|| Ok(()));
///
/// let graph = FloorGraph::new(&level);
/// let mut pairs = Vec::new();
/// search.each_dead(|boxes, _, _| pairs.push(boxes.to_vec()));
/// pairs.dedup();
/// assert!(!pairs.is_empty() && pairs.iter().flatten().all(|&sq| graph.is_live(sq)));
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PatternSearch {
    direction: SearchDirection,
    size: usize,
    graph: FloorGraph,
    /// Live squares that are home, ascending.
    homes: Vec<FloorSquare>,
    /// Bit `4 * box + side` for each set of squares, by [`index`]: the player there, all can be brought home.
    alive: Vec<u16>,
    /// Those of them that are expanded.
    expanded: Vec<u16>,
    /// A bit for each set of squares: some are not.
    todo: Vec<u64>,
    n_todo: usize,
    /// The word of `todo` that is looked at.
    cursor: usize,
    flood: Flood,
    /// Places among `homes` of the next pattern that is home.
    next_home: [usize; Self::MAX_SIZE],
}

impl PatternSearch {
    /// Boxes in the largest pattern.
    pub const MAX_SIZE: usize = 3;

    /// Returns the number of ways to place `size` boxes, at most [`Self::MAX_SIZE`], on `n_live` squares. A search expands
    /// some states for each.
    #[must_use]
    pub const fn n_patterns(n_live: usize, size: usize) -> usize {
        let pairs = n_live * n_live.saturating_sub(1) / 2;
        match size {
            1 => n_live,
            2 => pairs,
            _ => pairs * n_live.saturating_sub(2) / 3,
        }
    }

    /// Returns the bytes that a search holds for `n_live` squares, but for some for each square of the board.
    #[must_use]
    pub const fn bytes(n_live: usize, size: usize) -> usize {
        let n_patterns = Self::n_patterns(n_live, size);
        4 * n_patterns + n_patterns / 8
    }

    /// Prepares a search for patterns of 1 to [`Self::MAX_SIZE`] boxes; other sizes are taken for the nearest of them.
    #[must_use]
    pub fn new(level: &Level, direction: SearchDirection, size: usize) -> Self {
        let homes = match direction {
            SearchDirection::Forward => level.board().goals(),
            SearchDirection::Backward => &level.start().boxes,
        };
        let graph = FloorGraph::new(level);
        let homes: Vec<FloorSquare> = homes.iter().map(|sq| graph.number(sq)).collect();
        Self::on_graph(&graph, &homes, direction, size)
    }

    /// As [`PatternSearch::new`], on squares that are numbered already. Those of `homes` that are not live do not count.
    #[must_use]
    pub fn on_graph(graph: &FloorGraph, homes: &[FloorSquare], direction: SearchDirection, size: usize) -> Self {
        let size = size.clamp(1, Self::MAX_SIZE);
        let mut homes: Vec<FloorSquare> = homes.iter().copied().filter(|&sq| graph.is_live(sq)).collect();
        homes.sort_unstable();
        let n_patterns = Self::n_patterns(graph.n_live(), size);
        Self {
            direction,
            size,
            graph: graph.clone(),
            homes,
            alive: vec![0; n_patterns],
            expanded: vec![0; n_patterns],
            todo: vec![0; n_patterns.div_ceil(64)],
            n_todo: 0,
            cursor: 0,
            flood: Flood::new(graph),
            next_home: [0, 1, 2],
        }
    }

    /// Returns the number of boxes in a pattern.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Continues the search to its end; `tick` is called before each expansion, which takes a microsecond or so.
    ///
    /// # Errors
    /// The error of `tick`; another call continues the search.
    pub fn resume<E>(&mut self, mut tick: impl FnMut() -> Result<(), E>) -> Result<(), E> {
        while self.next_home[self.size - 1] < self.homes.len() {
            tick()?;
            self.seed();
        }
        while self.n_todo > 0 {
            if self.todo[self.cursor] == 0 {
                self.cursor = (self.cursor + 1) % self.todo.len();
                continue;
            }
            tick()?;
            self.expand(self.cursor * 64 + self.todo[self.cursor].trailing_zeros() as usize);
        }
        Ok(())
    }

    /// Calls with every dead state: the squares of the boxes by their numbers in the graph, ascending, the index of the
    /// box moved last, and the side of it where the player stands. Before the end of the search, states that are not
    /// yet proved alive count as dead.
    pub fn each_dead(&self, mut call: impl FnMut(&[FloorSquare], usize, Direction)) {
        self.each_pattern(|squares, alive| {
            for (moved, &sq) in squares.iter().enumerate() {
                for side in Direction::ALL.into_iter().filter(|side| alive >> (4 * moved + side.idx()) & 1 == 0) {
                    let stand = self.graph.step(sq, side.idx());
                    if stand != self.graph.wall() && !squares.contains(&stand) {
                        call(squares, moved, side);
                    }
                }
            }
        });
    }

    /// Calls with the squares, ascending, of every pattern that is dead wherever the player stands. Before the end of the
    /// search, patterns that are not yet proved alive count as dead.
    pub fn each_hopeless(&self, mut call: impl FnMut(&[FloorSquare])) {
        self.each_pattern(|squares, alive| {
            // Home itself has a free side somewhere: the player stands on some other square of the same board.
            if alive == 0 {
                call(squares);
            }
        });
    }

    /// Calls with the squares of every pattern and the sides from which it is alive, in the order of [`index`].
    fn each_pattern(&self, mut call: impl FnMut(&[FloorSquare], u16)) {
        for (place, &alive) in self.alive.iter().enumerate() {
            call(&self.squares(place)[..self.size], alive);
        }
    }

    /// Returns the set of squares with this number, ascending; those past the size are no squares.
    fn squares(&self, mut index: usize) -> [FloorSquare; Self::MAX_SIZE] {
        let mut squares = [NO_SQUARE; Self::MAX_SIZE];
        for at in (0..self.size).rev() {
            // The largest square before which there are no more sets of so many than are left.
            let (mut sq, mut beyond) = (0, self.graph.n_live());
            while beyond - sq > 1 {
                let middle = sq.midpoint(beyond);
                let fits = Self::n_patterns(middle, at + 1) <= index;
                if fits { sq = middle } else { beyond = middle }
            }
            index -= Self::n_patterns(sq, at + 1);
            squares[at] = FloorSquare::from_idx(sq);
        }
        squares
    }

    /// Takes the next pattern that is home, with the player everywhere.
    fn seed(&mut self) {
        let mut squares = [NO_SQUARE; Self::MAX_SIZE];
        (0..self.size).for_each(|at| squares[at] = self.homes[self.next_home[at]]);
        for bit in 0..self.size * 4 {
            let stand = self.graph.step(squares[bit / 4], bit);
            if stand != self.graph.wall() && !squares.contains(&stand) {
                self.reach_on(index(squares, self.size), bit);
            }
        }
        let mut at = 0;
        while at + 1 < self.size && self.next_home[at] + 1 == self.next_home[at + 1] {
            at += 1;
        }
        self.next_home[at] += 1;
        (0..at).for_each(|low| self.next_home[low] = low);
    }

    /// Notes that a pattern is alive with the player on a side of a box.
    fn reach_on(&mut self, place: usize, bit: usize) {
        if self.alive[place] >> bit & 1 == 0 {
            self.alive[place] |= 1 << bit;
            self.n_todo += usize::from(self.todo[place / 64] >> (place % 64) & 1 == 0);
            self.todo[place / 64] |= 1 << (place % 64);
        }
    }

    /// Expands a side of a pattern: marks all sides that the player reaches from it, and generates the predecessors of
    /// these.
    fn expand(&mut self, place: usize) {
        let squares = self.squares(place);
        let boxes = &squares[..self.size];
        let first = (self.alive[place] & !self.expanded[place]).trailing_zeros() as usize;
        self.flood.run(&self.graph, boxes.iter().copied(), self.graph.step(boxes[first / 4], first));
        let stands_at = |bit: &usize| self.graph.step(boxes[bit / 4], *bit);
        let reached = (0..self.size * 4).filter(|bit| self.flood.reaches(stands_at(bit)));
        let reached = reached.fold(0, |all: u16, bit| all | 1 << bit);
        self.alive[place] |= reached;
        self.expanded[place] |= reached;
        if self.alive[place] == self.expanded[place] {
            self.todo[place / 64] ^= 1 << (place % 64);
            self.n_todo -= 1;
        }
        for bit in (0..self.size * 4).filter(|bit| reached >> bit & 1 != 0) {
            let (sq, stand) = (boxes[bit / 4], self.graph.step(boxes[bit / 4], bit));
            // Pulls undo the pushes of the forward game, pushes the pulls of the backward one.
            let (to, room) = match self.direction {
                SearchDirection::Forward => (stand, self.graph.step(stand, bit)),
                SearchDirection::Backward => (self.graph.step(sq, bit ^ 2), self.graph.step(sq, bit ^ 2)),
            };
            if !self.graph.is_live(to) || !self.flood.is_free(room) {
                continue;
            }
            let mut next = squares;
            next[bit / 4] = to;
            next[..self.size].sort_unstable();
            let moved = next.iter().position(|&other| other == to).expect("invariant: the box is one of the pattern");
            self.reach_on(index(next, self.size), 4 * moved + bit % 4);
        }
    }
}

/// Returns the number of an ascending set of squares; those past `size` do not count.
fn index(squares: [FloorSquare; PatternSearch::MAX_SIZE], size: usize) -> usize {
    let before = |at: usize| PatternSearch::n_patterns(squares[at].idx(), at + 1);
    (0..size).map(before).sum()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::Square;

    fn hopeless(level: &Level, direction: SearchDirection, size: usize) -> Vec<Vec<Square>> {
        let mut search = PatternSearch::new(level, direction, size);
        search.resume(|| Ok::<_, ()>(())).unwrap();
        let graph = FloorGraph::new(level);
        let mut found = Vec::new();
        search.each_hopeless(|pattern| found.push(pattern.iter().map(|&sq| graph.square(sq)).collect()));
        found
    }

    #[test]
    fn two_boxes_side_by_side_at_a_wall_are_hopeless() {
        let level = Level::parse("#########\n#.      #\n#  $ $ .#\n#   @   #\n# .   $ #\n#########").unwrap();
        let found = hopeless(&level, SearchDirection::Forward, 2);
        let sq = |row, column| level.board().square_at(row, column).unwrap();
        assert!(found.contains(&vec![sq(1, 4), sq(1, 5)]));
        assert!(!found.contains(&vec![sq(1, 4), sq(2, 5)]));
        assert!(hopeless(&level, SearchDirection::Forward, 1).is_empty(), "live squares take care of one box");
    }

    /// A pattern is hopeless if it is dead with the player on any of its sides.
    #[test]
    fn dead_states_are_those_of_sides_where_the_player_can_stand() {
        let level = Level::parse("#########\n#.   #  #\n#  $ $ .#\n#   @ # #\n# .   $ #\n#########").unwrap();
        let mut search = PatternSearch::new(&level, SearchDirection::Forward, 2);
        search.resume(|| Ok::<_, ()>(())).unwrap();
        assert_eq!(search.size(), 2);
        let graph = FloorGraph::new(&level);
        let is_free = |squares: &[FloorSquare], sq: FloorSquare, side: usize| {
            let stand = graph.step(sq, side);
            stand != graph.wall() && !squares.contains(&stand)
        };
        let n_free = |squares: &[FloorSquare]| {
            let sides = squares.iter().flat_map(|&sq| (0..4).map(move |side| (sq, side)));
            sides.filter(|&(sq, side)| is_free(squares, sq, side)).count()
        };
        let mut n_dead: BTreeMap<Vec<FloorSquare>, usize> = BTreeMap::new();
        search.each_dead(|squares, moved, side| {
            assert!(is_free(squares, squares[moved], side.idx()));
            *n_dead.entry(squares.to_vec()).or_default() += 1;
        });
        let is_whole = |(squares, n): &(&Vec<FloorSquare>, &usize)| **n == n_free(squares);
        let whole = n_dead.iter().filter(is_whole).map(|(squares, _)| squares.iter().map(|&sq| graph.square(sq)));
        let whole: BTreeSet<Vec<Square>> = whole.map(Iterator::collect).collect();
        assert!(whole.len() < n_dead.len(), "some are dead from one side only");
        assert_eq!(whole, hopeless(&level, SearchDirection::Forward, 2).into_iter().collect());
    }

    /// Four bytes for each pattern, and a bit.
    #[test]
    fn what_a_search_holds_grows_with_its_patterns() {
        for (size, n_patterns) in [(1, 10), (2, 45), (3, 120)] {
            assert_eq!(PatternSearch::n_patterns(10, size), n_patterns);
            let bytes = PatternSearch::bytes(10, size);
            assert!((4 * n_patterns..5 * n_patterns).contains(&bytes), "{bytes} for {n_patterns}");
        }
        assert_eq!((PatternSearch::bytes(0, 3), PatternSearch::bytes(10, 3)), (0, 495));
    }

    /// A pause may come anywhere.
    #[test]
    fn a_search_can_be_paused() {
        let level = Level::parse("#########\n#.      #\n#  $ $ .#\n#   @   #\n# .   $ #\n#########").unwrap();
        let mut paused = PatternSearch::new(&level, SearchDirection::Forward, 3);
        let mut n_pauses = 0;
        loop {
            let mut left = 10;
            let tick = || {
                left -= 1;
                if left > 0 { Ok(()) } else { Err(()) }
            };
            if paused.resume(tick).is_ok() {
                break;
            }
            n_pauses += 1;
        }
        let mut whole = PatternSearch::new(&level, SearchDirection::Forward, 3);
        whole.resume(|| Ok::<_, ()>(())).unwrap();
        assert!(n_pauses > 10);
        assert_eq!(whole.alive, paused.alive);
    }
}
