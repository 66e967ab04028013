//! The row of a box in a table of distances: that of its square, or one for its square and the player's side of it.
//!
//! ```text
//!   #   ####   #     From the left room the player reaches only the left side of a box on x, whatever other boxes do,
//!   #     x    #     until that box is moved: other boxes only remove paths. So of its two distances, with the player on
//!   #   ####   #     the left and on the right, the one on the left counts, and not the least of both.
//! ```
//!
//! A box on an articulation square splits the floor, and each part then has a row of its own. [`Lifted`] numbers the
//! floor in depth-first order: each part that does not hold the square's parent is one subtree, whose squares are a range
//! of that order; the part of the parent is what lies in no such range.

use std::ops::Range;

use sokocore::FloorSquare;

use crate::board::SideGraph;
use crate::board::bit_set::BitSet;
use crate::board::lifted::Lifted;

/// A row of a table of distances or costs: that of a live square, which has the square's number, or one beyond them, for
/// a square and a side of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct DistanceRow(u16);

impl DistanceRow {
    /// Returns the row as an index of tables that have the rows of live squares and those beyond.
    #[inline]
    pub(crate) const fn idx(self) -> usize {
        self.0 as usize
    }
}

impl From<FloorSquare> for DistanceRow {
    /// Returns the row of a live square, wherever the player is.
    #[inline]
    fn from(sq: FloorSquare) -> Self {
        Self(sq.get())
    }
}

/// The rows of live squares, by the player's square or side. Rows below [`sokocore::FloorGraph::n_live`] are those of
/// squares alone.
#[derive(Clone, Debug)]
pub(crate) struct SideRows {
    n_live: usize,
    n_rows: usize,
    /// For each live square and side, the row with the player there.
    at_side: Vec<[DistanceRow; 4]>,
    /// For each live square, the row with the player in none of its `parts`.
    elsewhere: Vec<DistanceRow>,
    /// For each live square, where its parts begin; one more for the end.
    first_part: Vec<u16>,
    parts: Vec<CutOffPart>,
    /// The place of each square in depth-first order.
    order: Vec<u16>,
}

/// A part that a box on a square cuts off, and the row with the player in it.
#[derive(Clone, Debug)]
struct CutOffPart {
    order: Range<u16>,
    row: DistanceRow,
}

impl SideRows {
    /// Numbers the rows; `None` if no box splits the floor, or there are too many rows.
    pub(crate) fn new(graph: &SideGraph) -> Option<Self> {
        let floor = graph.floor();
        let live_rows = || floor.live_squares().map(DistanceRow::from);
        // Every square can be walked to from any other one when no box is on the floor.
        let mut tree = Lifted::new(floor);
        tree.lift(floor, &BitSet::<2>::default(), FloorSquare::new(0));
        let mut rows = Self {
            n_live: floor.n_live(),
            n_rows: floor.n_live(),
            at_side: live_rows().map(|row| [row; 4]).collect(),
            elsewhere: live_rows().collect(),
            first_part: vec![0],
            parts: Vec::new(),
            order: Vec::new(),
        };
        for sq in floor.live_squares() {
            rows.add_parts(graph, &tree, sq)?;
            rows.first_part.push(u16::try_from(rows.parts.len()).ok()?);
        }
        rows.order = floor.squares().map(|sq| tree.subtree(sq).start).collect();
        (rows.n_rows > rows.n_live).then_some(rows)
    }

    /// Gives a square that splits the floor a row for each part.
    fn add_parts(&mut self, graph: &SideGraph, tree: &Lifted, sq: FloorSquare) -> Option<()> {
        let floor = graph.floor();
        let is_open = |side: usize| floor.step(sq, side) != floor.wall();
        let group = |side: usize| graph.group(sq, side);
        let is_first = |side: usize| is_open(side) && (0..side).all(|other| group(other) != group(side));
        if (0..4).filter(|&side| is_first(side)).count() < 2 {
            return Some(());
        }
        for first in (0..4).filter(|&side| is_first(side)) {
            let row = DistanceRow(u16::try_from(self.n_rows).ok()?);
            self.n_rows += 1;
            for side in (first..4).filter(|&side| group(side) == group(first)) {
                self.at_side[sq.idx()][side] = row;
                let next = floor.step(sq, side);
                if Some(next) == tree.parent(floor, sq) {
                    self.elsewhere[sq.idx()] = row;
                } else if tree.parent(floor, next) == Some(sq) {
                    self.parts.push(CutOffPart { order: tree.subtree(next), row });
                }
            }
        }
        Some(())
    }

    /// Returns the number of rows.
    pub(crate) const fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Returns the row of a box, with the player on any square.
    #[inline]
    pub(crate) fn of(&self, sq: FloorSquare, player: FloorSquare) -> DistanceRow {
        let sq = sq.idx();
        let parts = usize::from(self.first_part[sq])..usize::from(self.first_part[sq + 1]);
        if parts.is_empty() {
            return self.elsewhere[sq];
        }
        let place = self.order[player.idx()];
        self.parts[parts].iter().find(|part| part.order.contains(&place)).map_or(self.elsewhere[sq], |part| part.row)
    }

    /// Returns the row of a box with the player on this side of it.
    #[inline]
    pub(crate) fn at(&self, sq: FloorSquare, side: usize) -> DistanceRow {
        self.at_side[sq.idx()][side & 3]
    }

    /// Returns the row of a box with the player on this side of it, as a number among the rows beyond those of squares;
    /// `None` if it is the row of the square.
    #[inline]
    pub(crate) fn beyond(&self, sq: FloorSquare, side: usize) -> Option<usize> {
        let row = self.at_side.get(sq.idx())?[side & 3];
        row.idx().checked_sub(self.n_live)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Flood, SearchBoard};
    use sokocore::Level;

    /// For every square of a box and every square of the player, the row is that of the sides that the player reaches.
    fn check(rows: &[&str], parts: bool) {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let board = SearchBoard::new(&level).unwrap();
        let rows = SideRows::new(board.sides());
        assert_eq!(rows.is_some(), parts, "{level:?}");
        let Some(rows) = rows else { return };
        let mut flood = Flood::new(&board);
        for sq in board.live_squares() {
            for player in board.squares().filter(|&player| player != sq) {
                flood.run(&board, &SearchBoard::set::<2>(&[sq]), player);
                for side in (0..4).filter(|&side| board.step(sq, side) != board.wall()) {
                    let is_same = rows.at(sq, side) == rows.of(sq, player);
                    assert_eq!(is_same, flood.reaches(board.step(sq, side)), "{sq} {side} {player}");
                }
            }
        }
    }

    #[test]
    fn the_row_is_that_of_the_part_with_the_player() {
        check(&["#######", "#@ $ .#", "#     #", "#######"], false);
        check(&["#########", "#   #   #", "# $  @. #", "#   #   #", "#########"], true);
        check(
            &["##### #####", "#   ###   #", "# .     $ #", "#   # #   #", "### # # ###", "  #@  $.#", "  #######"],
            false,
        );
        check(&["  ###  ", "  # #  ", "### ###", "#  *  #", "### ###", "  #@#  ", "  ###  "], true);
        check(&["   ###   ", "   # #   ", "#### ####", "#@ $ . ##", "#### ####", "   # #   ", "   ###   "], true);
    }
}
