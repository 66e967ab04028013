//! The goal order: goals that lie behind others are filled first.
//!
//! ```text
//!   ########        all goals are full: only the boxes on 3 can be pulled out to where boxes start; without them
//!   #123           those on 2; then those on 1. Filled in the opposite order: 1, 2, 3
//!   #123    $
//!   ########
//! ```
//!
//! The order is by layers. Within a layer each goal can be filled last, so there is no order. Goals that cannot be
//! emptied in this way belong to the first layer. There is no order if the full goals separate the start squares of the
//! boxes, since the player then has to cross them.
//!
//! **Invariant**: the order prunes nothing. It only changes priorities, and names the goals to try first.

use sokocore::FloorSquare;

use crate::board::bit_set::BitSet;
use crate::board::{Distances, Flood, SearchBoard, SearchDirection};

/// The goals of a level in layers, the first to be filled first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GoalOrder<const W: usize> {
    layers: Vec<BitSet<W>>,
    /// All goals of later layers.
    later: Vec<BitSet<W>>,
}

impl<const W: usize> GoalOrder<W> {
    /// Finds the order; `None` if there is none.
    pub(crate) fn new(board: &SearchBoard) -> Option<Self> {
        let mut full: BitSet<W> = SearchBoard::set(board.goals());
        if board.goals().len() != board.n_boxes() || separates_starts(board, &full) {
            return None;
        }
        let mut layers = Vec::new();
        while full != BitSet::default() {
            let mut layer = BitSet::default();
            full.iter().filter(|&sq| can_be_filled(board, &full, sq)).for_each(|sq| layer.insert(sq));
            if layer == BitSet::default() {
                layer = full;
            }
            layer.iter().for_each(|sq| full.remove(sq));
            layers.push(layer);
        }
        layers.reverse();
        let later = (1..=layers.len()).map(|from| union(&layers[from..])).collect();
        (layers.len() > 1).then_some(Self { layers, later })
    }

    /// Returns the goals to be filled next; `None` if all layers are full.
    pub(crate) fn next(&self, boxes: &BitSet<W>) -> Option<BitSet<W>> {
        let mut next = *self.layers.iter().find(|layer| !layer.is_within(boxes))?;
        boxes.iter().for_each(|sq| next.remove(sq));
        Some(next)
    }

    /// Returns the boxes on goals of the full layers and the current one.
    pub(crate) fn placed(&self, boxes: &BitSet<W>) -> BitSet<W> {
        let n_full = self.layers.iter().take_while(|layer| layer.is_within(boxes)).count();
        let mut placed = union(&self.layers[..(n_full + 1).min(self.layers.len())]);
        placed.iter().filter(|&sq| !boxes.has(sq)).for_each(|sq| placed.remove(sq));
        placed
    }

    /// Returns how many boxes are on goals of later layers.
    #[inline]
    pub(crate) fn n_early(&self, boxes: &BitSet<W>) -> usize {
        let Some(at) = self.layers.iter().position(|layer| !layer.is_within(boxes)) else { return 0 };
        self.later[at].iter().filter(|&sq| boxes.has(sq)).count()
    }
}

fn union<const W: usize>(sets: &[BitSet<W>]) -> BitSet<W> {
    let mut all = BitSet::default();
    sets.iter().flat_map(|set| set.iter()).for_each(|sq| all.insert(sq));
    all
}

/// Returns whether full goals separate the start squares of the boxes.
fn separates_starts<const W: usize>(board: &SearchBoard, goals: &BitSet<W>) -> bool {
    let mut starts = board.starts().iter().copied().filter(|&sq| !goals.has(sq));
    let Some(first) = starts.next() else { return true };
    let mut flood = Flood::new(board);
    flood.run(board, goals, first);
    starts.any(|sq| !flood.reaches(sq))
}

/// Returns whether a box can be pushed from its start to this goal with all others of `full` on theirs.
fn can_be_filled<const W: usize>(board: &SearchBoard, full: &BitSet<W>, goal: FloorSquare) -> bool {
    let distances = Distances::new(board.sides(), SearchDirection::Forward, &[goal], |sq| sq != goal && full.has(sq));
    let mut starts = board.starts().iter().filter(|&&sq| !full.has(sq) || sq == goal);
    starts.any(|&sq| distances.row(sq)[0] != Distances::NONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::Level;

    fn layers(rows: &[&str]) -> Option<Vec<Vec<(usize, usize)>>> {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let board = SearchBoard::new(&level).unwrap();
        let order = GoalOrder::<2>::new(&board)?;
        let places = |layer: &BitSet<2>| layer.iter().map(|sq| level.board().place(board.square(sq))).collect();
        Some(order.layers.iter().map(places).collect())
    }

    #[test]
    fn the_far_end_of_a_dead_end_is_filled_first() {
        let rows = ["##########", "####     #", "####  $  #", "#...  $ @#", "####  $  #", "####     #", "##########"];
        assert_eq!(layers(&rows), Some(vec![vec![(3, 1)], vec![(3, 2)], vec![(3, 3)]]));
    }

    #[test]
    fn scattered_goals_and_separating_ones_have_no_order() {
        assert_eq!(layers(&["#########", "#.  $  .#", "#   @$  #", "#.  $   #", "#########"]), None);
        let rows = ["###########", "#    .    #", "# $@ .  $ #", "#    .  $ #", "###########"];
        assert_eq!(layers(&rows), None);
    }
}
