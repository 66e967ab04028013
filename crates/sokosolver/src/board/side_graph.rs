//! The floor of a level, and which sides of a lone box the player can walk between.

use sokocore::{Blocks, Direction, FloorGraph, FloorSquare, Level};

/// A floor graph with groups of sides: with a single box on a square, the player walks between sides of one group.
#[derive(Clone, Debug)]
pub(crate) struct SideGraph {
    floor: FloorGraph,
    groups: Vec<[u8; 4]>,
}

impl SideGraph {
    /// Compiles a level.
    pub(crate) fn new(level: &Level) -> Self {
        let floor = FloorGraph::new(level);
        let blocks = Blocks::of(level.board());
        let first_side = |sq, side: Direction| {
            let joined = Direction::ALL.into_iter().find(|&first| blocks.joins(sq, first, side));
            joined.unwrap_or(side) as u8
        };
        let groups_of = |sq: FloorSquare| Direction::ALL.map(|side| first_side(floor.square(sq), side));
        let groups = floor.squares().map(groups_of).collect();
        Self { floor, groups }
    }

    /// Returns the squares and their neighbors.
    #[inline]
    pub(crate) const fn floor(&self) -> &FloorGraph {
        &self.floor
    }

    /// Returns the group of a side, a number from 0 to 3.
    #[inline]
    pub(crate) fn group(&self, sq: FloorSquare, side: usize) -> u8 {
        self.groups[sq.idx()][side & 3]
    }
}
