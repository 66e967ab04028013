//! The features of a level by which the strategies and their weights are selected.

use sokocore::{Direction, Flood, FloorGraph, Level, Square, SquareSet};

/// The features of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Profile {
    pub(crate) n_boxes: usize,
    /// Floor squares.
    pub(crate) n_squares: usize,
    /// Squares where a box may stand.
    pub(crate) n_live: usize,
    /// Groups of goals that touch each other.
    pub(crate) n_goal_groups: usize,
    /// Areas that remain when the doorways, squares between two opposite walls, are closed.
    pub(crate) n_rooms: usize,
}

impl Profile {
    /// Computes the features of a level.
    pub(crate) fn of(level: &Level) -> Self {
        let board = level.board();
        let is_wall = |sq: Square, dir: Direction| board.step(sq, dir).is_none();
        let is_doorway = |sq: &Square| {
            let closed = Direction::ALL.map(|dir| is_wall(*sq, dir));
            (closed[0] && closed[2]) || (closed[1] && closed[3])
        };
        let mut open = board.no_squares();
        board.squares().filter(|sq| !is_doorway(sq)).for_each(|sq| _ = open.insert(sq));
        Self {
            n_boxes: level.n_boxes(),
            n_squares: board.n_squares(),
            n_live: level.live().len(),
            n_goal_groups: n_groups(level, board.goals()),
            n_rooms: n_groups(level, &open),
        }
    }

    /// Returns whether the board has so many live squares that systematic search rarely solves it.
    ///
    /// Six of the seven levels that greedy forward solves and packing does not have at most 40 live squares; of the
    /// converse ones, all but one have at least 60. In between, greedy search is the best on the three of SokHard with
    /// 49 to 52, feature space search on the two of XSokoban and Sasquatch I with 55.
    pub(crate) const fn is_large(&self) -> bool {
        self.n_live > 52
    }
}

/// Counts the groups of squares that touch each other.
fn n_groups(level: &Level, squares: &SquareSet) -> usize {
    let graph = FloorGraph::new(level);
    let mut flood = Flood::new(&graph);
    flood.place(graph.squares().filter(|&sq| !squares.contains(graph.square(sq))));
    let mut n_groups = 0;
    for sq in squares.iter().map(|sq| graph.number(sq)) {
        if !flood.reaches(sq) {
            flood.spread(&graph, sq);
            n_groups += 1;
        }
    }
    n_groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_and_goal_groups_are_counted() {
        let level = Level::parse("###########\n#.  #   . #\n#.$   $ $.#\n#@  #     #\n###########").unwrap();
        let profile = Profile::of(&level);
        assert_eq!((profile.n_boxes, profile.n_goal_groups, profile.n_rooms), (3, 3, 2));
        assert_eq!(profile.n_squares, 25);
        assert!(!profile.is_large() && profile.n_live < 25);
    }
}
