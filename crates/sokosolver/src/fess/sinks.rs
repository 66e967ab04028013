//! Sinks: start squares where a box is taken off the board in the search for a plan.
//!
//! A start square is a sink now if it belongs to the largest class of those that boxes can be pushed between, and the
//! player reaches all of these. A box sinks only if it has changed place and the others can still get home.

use crate::board::bit_set::BitSet;
use crate::board::{Distances, Flood};

use crate::bound::pairing::can_pair;
use crate::fess::features::rooms::Rooms;
use crate::fess::features::zones::sources;
use crate::fess::macro_move::MacroMove;
use crate::fess::tables::FessTables;
use crate::fess::tree::nodes::Node;

/// Returns the sinks of a position, flooded.
pub(crate) fn sinks<const W: usize>(terrain: &FessTables<W>, node: &Node<W>, flood: &Flood) -> BitSet<W> {
    let bases: Vec<u16> = node.bases.iter().collect();
    let into: Vec<BitSet<W>> = bases.iter().map(|&base| sources(terrain.ground(), &[base], &node.boxes)).collect();
    let mut done = vec![false; bases.len()];
    let mut classes: Vec<Vec<u16>> = Vec::new();
    for first in 0..bases.len() {
        if done[first] {
            continue;
        }
        let joins = |other: usize| into[first].has(bases[other]) && into[other].has(bases[first]);
        let class: Vec<usize> =
            (first..bases.len()).filter(|&other| other == first || (!done[other] && joins(other))).collect();
        class.iter().for_each(|&member| done[member] = true);
        classes.push(class.into_iter().map(|member| bases[member]).collect());
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

/// Whether a pull to a sink takes the box off the board: it changes place, and the others can still get home.
pub(crate) fn is_off<const W: usize>(terrain: &FessTables<W>, node: &Node<W>, leap: MacroMove, far: u16) -> bool {
    let (from, to) = (terrain.rooms.of(leap.from), terrain.rooms.of(leap.to));
    let ((row, column), (other_row, other_column)) = (terrain.yard.place(leap.from), terrain.yard.place(leap.to));
    let in_line = row == other_row || column == other_column;
    let (is_in, was_in) = (to != Rooms::CORRIDOR, from != Rooms::CORRIDOR);
    let is_moved = terrain.walk(leap.from, leap.to) >= far || (from != to && ((is_in && was_in) || !in_line));
    let (mut boxes, mut bases) = (node.boxes, node.bases);
    boxes.remove(leap.from);
    bases.remove(leap.to);
    is_moved && are_paired(terrain, &boxes, &bases)
}

/// Whether the boxes can be pulled to different start squares.
pub(crate) fn are_paired<const W: usize>(terrain: &FessTables<W>, boxes: &BitSet<W>, bases: &BitSet<W>) -> bool {
    let starts = terrain.ground().starts();
    let columns: Vec<usize> = (0..starts.len()).filter(|&at| bases.has(starts[at])).collect();
    let rows: Vec<&[u16]> = boxes.iter().map(|sq| terrain.ground().to_starts().row(sq)).collect();
    rows.len() == columns.len() && can_pair(rows.len(), |row, column| rows[row][columns[column]] != Distances::NONE)
}
