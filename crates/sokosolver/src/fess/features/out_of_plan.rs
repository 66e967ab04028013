//! Squares where a box is out of plan: from there it can reach no square that is still to be filled once the next gate
//! is shut. The squares count from the step at which the set before them began to count, so boxes leave in time.

use sokocore::FloorSquare;

use crate::board::SearchBoard;
use crate::board::bit_set::BitSet;

use crate::fess::plan::PackingPlan;

/// The squares out of plan, by steps taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct OutOfPlan<const W: usize>(Vec<BitSet<W>>);

impl<const W: usize> OutOfPlan<W> {
    /// Computes the squares for each number of steps taken.
    pub(crate) fn new(board: &SearchBoard, plan: &PackingPlan) -> Self {
        let raw: Vec<BitSet<W>> = (0..plan.len()).map(|at| zone(board, plan, at + 1)).collect();
        let mut out_of_plan = vec![BitSet::default(); raw.len() + 1];
        let mut at = 0;
        while at < raw.len() {
            let next = (at..raw.len()).find(|&later| raw[later] != raw[at]).unwrap_or(raw.len());
            out_of_plan[at..next].fill(raw.get(next).copied().unwrap_or_default());
            at = next;
        }
        Self(out_of_plan)
    }

    /// Returns the squares that count when so many steps are taken.
    pub(crate) fn at(&self, packed: i32) -> BitSet<W> {
        usize::try_from(packed.max(0)).ok().and_then(|at| self.0.get(at)).copied().unwrap_or_default()
    }
}

fn zone<const W: usize>(board: &SearchBoard, plan: &PackingPlan, n_steps: usize) -> BitSet<W> {
    let (parked, later) = plan.split::<W>(n_steps);
    let mut zone = BitSet::default();
    if later.is_empty() {
        return zone;
    }
    let open = sources(board, &later, &parked);
    for sq in board.live_squares() {
        if !open.has(sq) && !parked.has(sq) {
            zone.insert(sq);
        }
    }
    zone
}

/// Returns the squares from which a lone box can be pushed to one of the targets, around walls.
pub(crate) fn sources<const W: usize>(board: &SearchBoard, targets: &[FloorSquare], walls: &BitSet<W>) -> BitSet<W> {
    let mut open = BitSet::default();
    let mut seen = vec![false; board.n_squares() * 4];
    let mut todo = Vec::new();
    let mut enter = |sq: FloorSquare, side: usize, todo: &mut Vec<(FloorSquare, u8)>| {
        let group = board.sides().group(sq, side);
        if !std::mem::replace(&mut seen[sq.idx() * 4 + usize::from(group)], true) {
            todo.push((sq, group));
        }
    };
    for &target in targets.iter().filter(|&&target| !walls.has(target)) {
        open.insert(target);
        (0..4).filter(|&side| board.step(target, side) != board.wall()).for_each(|side| enter(target, side, &mut todo));
    }
    while let Some((sq, group)) = todo.pop() {
        for side in (0..4).filter(|&side| board.sides().group(sq, side) == group) {
            let to = board.step(sq, side);
            if to == board.wall() || walls.has(to) {
                continue;
            }
            let player = board.step(to, side);
            if player == board.wall() || walls.has(player) || !board.is_live(to) {
                continue;
            }
            open.insert(to);
            enter(to, side, &mut todo);
        }
    }
    open
}
