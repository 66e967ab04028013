//! How far the boxes are from the goals, each box by itself.

use sokocore::FloorSquare;

use crate::board::Distances;
use crate::board::bit_set::BitSet;
use crate::fess::tables::FessTables;

/// The most pushes of one box that the value of a position counts.
const MAX_COUNTED: u16 = 200;

/// Returns the pushes of all boxes to their nearest goals; boxes that reach none do not count.
pub(crate) fn to_nearest_goals<const W: usize>(tables: &FessTables<W>, boxes: &BitSet<W>) -> u64 {
    let near = |sq: FloorSquare| tables.level.nearest(sq);
    boxes.iter().map(near).filter(|&far| far != Distances::NONE).map(u64::from).sum()
}

/// Returns the pushes of all boxes to their nearest goals, 200 at most for each.
pub(crate) fn to_nearest_goals_limited<const W: usize>(tables: &FessTables<W>, boxes: &BitSet<W>) -> u64 {
    boxes.iter().map(|sq| u64::from(tables.level.nearest(sq).min(MAX_COUNTED))).sum()
}

/// Returns the pushes of all boxes to all goals.
pub(crate) fn to_all_goals<const W: usize>(tables: &FessTables<W>, boxes: &BitSet<W>) -> u64 {
    boxes.iter().map(|sq| u64::from(tables.sum_to_goals[sq.idx()])).sum()
}
