//! Where boxes are in the way of the plan: from there no square that is still to be filled can be reached once the
//! next gate is shut. A zone is in force from the step at which the one before it began, so boxes leave in time.

use crate::board::SearchBoard;
use crate::board::bit_set::BitSet;

use crate::fess::plan::Plan;

/// The zones of a plan, by steps taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Zones<const W: usize>(Vec<BitSet<W>>);

impl<const W: usize> Zones<W> {
    /// Computes the zone for each number of steps taken.
    pub(crate) fn new(ground: &SearchBoard, plan: &Plan) -> Self {
        let raw: Vec<BitSet<W>> = (0..plan.len()).map(|at| zone(ground, plan, at + 1)).collect();
        let mut zones = vec![BitSet::default(); raw.len() + 1];
        let mut at = 0;
        while at < raw.len() {
            let next = (at..raw.len()).find(|&later| raw[later] != raw[at]).unwrap_or(raw.len());
            zones[at..next].fill(raw.get(next).copied().unwrap_or_default());
            at = next;
        }
        Self(zones)
    }

    /// Returns the zone in force when so many steps are taken.
    pub(crate) fn at(&self, packed: i32) -> BitSet<W> {
        usize::try_from(packed.max(0)).ok().and_then(|at| self.0.get(at)).copied().unwrap_or_default()
    }
}

fn zone<const W: usize>(ground: &SearchBoard, plan: &Plan, n_steps: usize) -> BitSet<W> {
    let (parked, later) = plan.split::<W>(n_steps);
    let mut zone = BitSet::default();
    if later.is_empty() {
        return zone;
    }
    let open = sources(ground, &later, &parked);
    for sq in (0..ground.wall()).filter(|&sq| ground.is_live(sq)) {
        if !open.has(sq) && !parked.has(sq) {
            zone.insert(sq);
        }
    }
    zone
}

/// Returns the squares from which a lone box can be pushed to one of these, around walls.
pub(crate) fn sources<const W: usize>(ground: &SearchBoard, targets: &[u16], walls: &BitSet<W>) -> BitSet<W> {
    let mut open = BitSet::default();
    let mut seen = vec![false; ground.n_squares() * 4];
    let mut todo = Vec::new();
    let mut enter = |sq: u16, side: usize, todo: &mut Vec<(u16, u8)>| {
        let group = ground.side_group(sq, side);
        if !std::mem::replace(&mut seen[usize::from(sq) * 4 + usize::from(group)], true) {
            todo.push((sq, group));
        }
    };
    for &target in targets.iter().filter(|&&target| !walls.has(target)) {
        open.insert(target);
        (0..4)
            .filter(|&side| ground.step(target, side) != ground.wall())
            .for_each(|side| enter(target, side, &mut todo));
    }
    while let Some((sq, group)) = todo.pop() {
        for side in (0..4).filter(|&side| ground.side_group(sq, side) == group) {
            let to = ground.step(sq, side);
            if to == ground.wall() || walls.has(to) {
                continue;
            }
            let player = ground.step(to, side);
            if player == ground.wall() || walls.has(player) || !ground.is_live(to) {
                continue;
            }
            open.insert(to);
            enter(to, side, &mut todo);
        }
    }
    open
}
