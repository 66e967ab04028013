//! The packing plan: the order in which squares are to be filled, read off a search by pulls.
//!
//! A box may stand on a square for a while only: then `until` is the step that moves it away.

use sokocore::FloorSquare;

use crate::board::bit_set::BitSet;

use crate::fess::macro_move::MacroMove;

/// Never moved again.
const FOREVER: usize = usize::MAX;

/// A square to be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PlanStep {
    square: FloorSquare,
    /// Where the box comes from, if that is known.
    origin: Option<FloorSquare>,
    /// The later step that moves this box away.
    until: usize,
}

/// The order in which squares are to be filled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PackingPlan {
    /// Boxes that should be in place before the plan begins.
    initial: Vec<PlanStep>,
    steps: Vec<PlanStep>,
}

impl PackingPlan {
    /// Reads a plan off the pulls from the solved position: whether each took the box off the board. `left` are the
    /// boxes on the board at the end.
    pub(crate) fn of(pulls: &[(MacroMove, bool)], left: impl Iterator<Item = FloorSquare>) -> Self {
        let mut steps: Vec<PlanStep> = Vec::new();
        for &(pull, sunk) in pulls.iter().rev() {
            let origin = (!sunk).then_some(pull.to);
            match steps.last_mut() {
                _ if pull.from == pull.to => {}
                Some(last) if origin == Some(last.square) => last.square = pull.from,
                _ => steps.push(PlanStep { square: pull.from, origin, until: FOREVER }),
            }
        }
        let taken = |from: usize, square: FloorSquare| {
            (from..steps.len()).find(|&at| steps[at].origin == Some(square)).unwrap_or(FOREVER)
        };
        let initial = left.map(|square| PlanStep { square, origin: None, until: taken(0, square) }).collect();
        let untils: Vec<usize> = (0..steps.len()).map(|at| taken(at + 1, steps[at].square)).collect();
        steps.iter_mut().zip(untils).for_each(|(step, until)| step.until = until);
        Self { initial, steps }
    }

    /// Returns the plan with only the squares that are filled for good, in their order.
    pub(crate) fn final_steps(self) -> Self {
        let stay = self.steps.into_iter().filter(|step| step.until == FOREVER);
        Self { initial: Vec::new(), steps: stay.map(|step| PlanStep { origin: None, ..step }).collect() }
    }

    /// Returns the number of steps.
    pub(crate) const fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns how many of the first steps the boxes have taken, or less if boxes are missing from the start.
    pub(crate) fn packed<const W: usize>(&self, boxes: &BitSet<W>) -> i32 {
        let stay = |step: &&PlanStep| step.until == FOREVER;
        let n_missing = self.initial.iter().filter(stay).filter(|step| !boxes.has(step.square)).count();
        let small = |n: usize| i32::try_from(n).expect("invariant: a plan is far shorter");
        if n_missing > 0 {
            return -small(n_missing);
        }
        let packed = self.prefix(boxes);
        let absent = self.initial.iter().filter(|step| step.until >= packed && !boxes.has(step.square)).count();
        small(packed) - small(absent)
    }

    fn prefix<const W: usize>(&self, boxes: &BitSet<W>) -> usize {
        let mut packed = self.steps.len();
        for (at, step) in self.steps.iter().enumerate().rev() {
            if !boxes.has(step.square) && step.until >= packed {
                packed = at;
            }
        }
        packed
    }

    /// Returns the square to be filled next.
    pub(crate) fn next<const W: usize>(&self, boxes: &BitSet<W>) -> Option<FloorSquare> {
        self.steps.get(self.prefix(boxes)).map(|step| step.square)
    }

    /// Returns the squares that are filled for good when so many steps are taken, and those that later steps fill.
    pub(crate) fn split<const W: usize>(&self, n_steps: usize) -> (BitSet<W>, Vec<FloorSquare>) {
        let mut parked = BitSet::default();
        let stay = |step: &&PlanStep| step.until == FOREVER;
        let (before, after) = self.steps.split_at(n_steps.min(self.steps.len()));
        self.initial.iter().chain(before).filter(stay).for_each(|step| parked.insert(step.square));
        (parked, after.iter().filter(stay).map(|step| step.square).collect())
    }

    /// Returns the squares that the plan uses.
    pub(crate) fn squares<const W: usize>(&self) -> BitSet<W> {
        let mut squares = BitSet::default();
        self.initial.iter().chain(&self.steps).for_each(|step| squares.insert(step.square));
        squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn macro_move(from: u16, to: u16) -> MacroMove {
        MacroMove { from: FloorSquare::new(from), to: FloorSquare::new(to), player: FloorSquare::new(0) }
    }

    fn boxes(squares: &[u16]) -> BitSet<2> {
        let mut boxes = BitSet::default();
        squares.iter().for_each(|&sq| boxes.insert(FloorSquare::new(sq)));
        boxes
    }

    #[test]
    fn a_parked_box_counts_as_packed_after_it_has_moved_on() {
        // Pulled: 1 to 5, 2 off the board, 5 off the board. So packed: 5, then 2, then 5 moves to 1.
        let plan = PackingPlan::of(
            &[(macro_move(1, 5), false), (macro_move(2, 9), true), (macro_move(5, 8), true)],
            std::iter::empty(),
        );
        assert_eq!(plan.len(), 3);
        assert_eq!(plan.packed(&boxes(&[9])), 0);
        assert_eq!(plan.packed(&boxes(&[5])), 1);
        assert_eq!(plan.packed(&boxes(&[5, 2])), 2);
        assert_eq!(plan.packed(&boxes(&[1, 2])), 3);
        assert_eq!(plan.next(&boxes(&[5])), Some(FloorSquare::new(2)));
    }

    #[test]
    fn a_missing_box_of_the_start_counts_before_the_plan() {
        let plan = PackingPlan::of(&[(macro_move(1, 5), true)], std::iter::once(FloorSquare::new(3)));
        assert_eq!(plan.packed(&boxes(&[1])), -1);
        assert_eq!(plan.packed(&boxes(&[1, 3])), 1);
    }
}
