//! Goals that lie behind others are to be filled first.
//!
//! ```text
//!   ########        all goals are full: only the boxes on 3 can be pulled out to where boxes start; without them
//!   #123           those on 2; then those on 1. Filled the other way round: 1, 2, 3
//!   #123    $
//!   ########
//! ```
//!
//! The order is one of layers; within a layer each goal can be filled last, so it has none. What cannot be reached
//! in this way at all belongs to the first layer. There is no order where full goals part the squares where boxes
//! start, since there the player has to cross them.
//!
//! **Invariant**: the order never forbids anything. It only says which positions look better, and what to try first.

use crate::bits::Bits;
use crate::ground::{Distances, Flood, Ground, Way};

/// The goals of a level in layers, the first to be filled first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GoalOrder<const W: usize> {
    layers: Vec<Bits<W>>,
    /// All goals of later layers.
    later: Vec<Bits<W>>,
}

impl<const W: usize> GoalOrder<W> {
    /// Finds the order; `None` if there is none.
    pub(crate) fn new(ground: &Ground) -> Option<Self> {
        let mut full: Bits<W> = Ground::set(ground.goals());
        if ground.goals().len() != ground.n_boxes() || is_crossed(ground, &full) {
            return None;
        }
        let mut layers = Vec::new();
        while full != Bits::default() {
            let mut layer = Bits::default();
            full.iter().filter(|&sq| can_be_filled(ground, &full, sq)).for_each(|sq| layer.insert(sq));
            if layer == Bits::default() {
                layer = full;
            }
            layer.iter().for_each(|sq| full.remove(sq));
            layers.push(layer);
        }
        layers.reverse();
        let later = (1..=layers.len()).map(|from| union(&layers[from..])).collect();
        (layers.len() > 1).then_some(Self { layers, later })
    }

    /// Returns the goals to be filled next; `None` if the order has nothing to say any more.
    pub(crate) fn next(&self, boxes: &Bits<W>) -> Option<Bits<W>> {
        let mut next = *self.layers.iter().find(|layer| !layer.is_within(boxes))?;
        boxes.iter().for_each(|sq| next.remove(sq));
        Some(next)
    }

    /// Returns the boxes that the order has in their places.
    pub(crate) fn placed(&self, boxes: &Bits<W>) -> Bits<W> {
        let n_full = self.layers.iter().take_while(|layer| layer.is_within(boxes)).count();
        let mut placed = union(&self.layers[..(n_full + 1).min(self.layers.len())]);
        placed.iter().filter(|&sq| !boxes.has(sq)).for_each(|sq| placed.remove(sq));
        placed
    }

    /// Returns how many boxes are on goals whose turn has not come.
    #[inline]
    pub(crate) fn n_early(&self, boxes: &Bits<W>) -> usize {
        let Some(at) = self.layers.iter().position(|layer| !layer.is_within(boxes)) else { return 0 };
        self.later[at].iter().filter(|&sq| boxes.has(sq)).count()
    }
}

fn union<const W: usize>(sets: &[Bits<W>]) -> Bits<W> {
    let mut all = Bits::default();
    sets.iter().flat_map(|set| set.iter()).for_each(|sq| all.insert(sq));
    all
}

/// Returns whether full goals part the squares where boxes start.
fn is_crossed<const W: usize>(ground: &Ground, goals: &Bits<W>) -> bool {
    let mut starts = ground.starts().iter().copied().filter(|&sq| !goals.has(sq));
    let Some(first) = starts.next() else { return true };
    let mut flood = Flood::new(ground);
    flood.run(ground, goals, first);
    starts.any(|sq| !flood.reaches(sq))
}

/// Returns whether some box gets from its start to this goal with all others of `full` on theirs.
fn can_be_filled<const W: usize>(ground: &Ground, full: &Bits<W>, goal: u16) -> bool {
    let distances = Distances::new(ground, Way::Forward, &[goal], |sq| sq != goal && full.has(sq));
    let mut starts = ground.starts().iter().filter(|&&sq| !full.has(sq) || sq == goal);
    starts.any(|&sq| distances.row(sq)[0] != Distances::NONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::Level;

    fn layers(rows: &[&str]) -> Option<Vec<Vec<(usize, usize)>>> {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let ground = Ground::new(&level).unwrap();
        let order = GoalOrder::<1>::new(&ground)?;
        let places = |layer: &Bits<1>| layer.iter().map(|sq| level.board().place(ground.square(sq))).collect();
        Some(order.layers.iter().map(places).collect())
    }

    #[test]
    fn the_far_end_of_a_dead_end_is_filled_first() {
        let rows = ["##########", "####     #", "####  $  #", "#...  $ @#", "####  $  #", "####     #", "##########"];
        assert_eq!(layers(&rows), Some(vec![vec![(3, 1)], vec![(3, 2)], vec![(3, 3)]]));
    }

    #[test]
    fn scattered_goals_and_crossed_ones_have_no_order() {
        assert_eq!(layers(&["#########", "#.  $  .#", "#   @$  #", "#.  $   #", "#########"]), None);
        let rows = ["###########", "#    .    #", "# $@ .  $ #", "#    .  $ #", "###########"];
        assert_eq!(layers(&rows), None);
    }
}
