//! Sinks: start squares where a box is taken off the board in the search for a plan.
//!
//! A start square is a sink now if it belongs to the largest class of start squares that boxes can be pushed between,
//! and the player reaches all squares of the class. A box sinks only if it has changed place and the others can still
//! reach start squares.

use sokocore::{BipartiteMatching, FloorSquare};

use crate::board::bit_set::BitSet;
use crate::board::{Distances, Flood};

use crate::fess::features::out_of_plan::sources;
use crate::fess::macro_move::MacroMove;
use crate::fess::tables::FessTables;
use crate::fess::tree::nodes::FessNode;

/// Returns the sinks of a position that is flooded.
pub(crate) fn sinks<const W: usize>(tables: &FessTables<W>, node: &FessNode<W>, flood: &Flood) -> BitSet<W> {
    let open_starts: Vec<FloorSquare> = node.open_starts.iter().collect();
    let into: Vec<BitSet<W>> =
        open_starts.iter().map(|&start| sources(tables.board(), &[start], &node.boxes)).collect();
    let mut done = vec![false; open_starts.len()];
    let mut classes: Vec<Vec<FloorSquare>> = Vec::new();
    for first in 0..open_starts.len() {
        if done[first] {
            continue;
        }
        let joins = |other: usize| into[first].has(open_starts[other]) && into[other].has(open_starts[first]);
        let class: Vec<usize> =
            (first..open_starts.len()).filter(|&other| other == first || (!done[other] && joins(other))).collect();
        class.iter().for_each(|&variant| done[variant] = true);
        classes.push(class.into_iter().map(|variant| open_starts[variant]).collect());
    }
    let most = classes.iter().map(Vec::len).max().unwrap_or(0);
    let mut sinks = BitSet::default();
    for sq in classes.into_iter().filter(|class| class.len() == most).flatten() {
        if !flood.reaches(sq) {
            return BitSet::default();
        }
        sinks.insert(sq);
    }
    sinks
}

/// Returns whether a pull to a sink takes the box off the board: it changes place, and the others can still reach start
/// squares.
pub(crate) fn is_off<const W: usize>(
    tables: &FessTables<W>,
    node: &FessNode<W>,
    macro_move: MacroMove,
    far: u16,
) -> bool {
    let (from, to) = (tables.rooms.of(macro_move.from), tables.rooms.of(macro_move.to));
    let ((row, column), (other_row, other_column)) =
        (tables.level.place(macro_move.from), tables.level.place(macro_move.to));
    let in_line = row == other_row || column == other_column;
    let (is_in, was_in) = (to.is_some(), from.is_some());
    let is_moved =
        tables.walk(macro_move.from, macro_move.to) >= far || (from != to && ((is_in && was_in) || !in_line));
    let (mut boxes, mut open_starts) = (node.boxes, node.open_starts);
    boxes.remove(macro_move.from);
    open_starts.remove(macro_move.to);
    is_moved && are_paired(tables, &boxes, &open_starts)
}

/// Returns whether the boxes can be pulled to different start squares.
pub(crate) fn are_paired<const W: usize>(tables: &FessTables<W>, boxes: &BitSet<W>, open_starts: &BitSet<W>) -> bool {
    let starts = tables.board().starts();
    let columns: Vec<usize> = (0..starts.len()).filter(|&at| open_starts.has(starts[at])).collect();
    let rows: Vec<&[u16]> = boxes.iter().map(|sq| tables.board().to_starts().row(sq)).collect();
    rows.len() == columns.len()
        && BipartiteMatching::is_perfect(rows.len(), |row, column| rows[row][columns[column]] != Distances::NONE)
}
