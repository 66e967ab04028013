//! A lower bound on the pushes that take the free boxes of a window to their squares at its end.
//!
//! Boxes are matched to targets. The distance from a square to a target is that of a lone box among the walls and the
//! fixed boxes, with the player anywhere. The bound is *consistent*: a push changes it by at most 1.

use sokocore::{Level, Square};
use sokosearch::LiveIndex;

use crate::pull_distances::PullDistances;

/// Most targets of an exact matching. With more, each box takes its nearest target.
const MAX_MATCHED: usize = 6;
/// The distance of unreachable squares.
const UNREACHABLE: u32 = u32::MAX / 64;

/// Lower bounds on the pushes to the end of a window.
#[derive(Debug)]
pub(super) struct PushBound {
    /// For each target (or once for all of them) the distance from every live square.
    distances: Vec<Vec<u32>>,
    is_matched: bool,
    /// For each set of targets, the least pushes of the first boxes to it.
    best: Vec<u32>,
}

impl PushBound {
    /// Computes the distances to the target bits among fixed boxes.
    pub(super) fn new(level: &Level, live: &LiveIndex, fixed: &[u64], targets: &[usize]) -> Self {
        let is_matched = targets.len() <= MAX_MATCHED;
        let to = |targets: &[usize]| distances_to(level, live, fixed, targets);
        let distances = if is_matched {
            targets.iter().map(|target| to(std::slice::from_ref(target))).collect()
        } else {
            vec![to(targets)]
        };
        let best = if is_matched { vec![UNREACHABLE; 1 << targets.len()] } else { Vec::new() };
        Self { distances, is_matched, best }
    }

    /// Returns the bound for boxes on these bits; `None` if they cannot reach their targets.
    pub(super) fn of(&mut self, boxes: &[usize]) -> Option<u32> {
        let bound = if self.is_matched {
            self.matching(boxes)
        } else {
            boxes.iter().fold(0, |sum: u32, &bit| sum.saturating_add(self.distances[0][bit]))
        };
        (bound < UNREACHABLE).then_some(bound)
    }

    /// The cost of a minimum matching, by dynamic programming over the sets of targets.
    fn matching(&mut self, boxes: &[usize]) -> u32 {
        self.best.fill(UNREACHABLE);
        self.best[0] = 0;
        let mut cheapest = UNREACHABLE;
        for taken in 0..self.best.len() {
            let sum = self.best[taken];
            if sum >= UNREACHABLE {
                continue;
            }
            let Some(&bit) = boxes.get(taken.count_ones() as usize) else {
                cheapest = cheapest.min(sum);
                continue;
            };
            for (target, distances) in self.distances.iter().enumerate() {
                let more = taken | 1 << target;
                if more != taken {
                    self.best[more] = self.best[more].min(sum + distances[bit]);
                }
            }
        }
        cheapest
    }
}

/// Returns the pushes from each live square to the nearest target.
fn distances_to(level: &Level, live: &LiveIndex, fixed: &[u64], targets: &[usize]) -> Vec<u32> {
    let targets: Vec<Square> = targets.iter().map(|&target| live.square(target)).collect();
    let mut distances = PullDistances::new(level.board());
    let may_stand = |sq| !live.has_box(fixed, sq);
    distances.compute(level.board(), &targets, |sq| live.bit(sq).is_some() && may_stand(sq), may_stand);
    (0..live.n_live()).map(|bit| distances.get(live.square(bit)).unwrap_or(UNREACHABLE)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the bound for boxes and targets on these columns of a room's middle row, with one fixed box.
    fn check(boxes: &[usize], targets: &[usize], fixed: usize, expect: Option<u32>) {
        let level = Level::parse("###########\n#         #\n#.$      .#\n#@$      .#\n###########").unwrap();
        let live = LiveIndex::new(&level);
        let bit = |column: usize| {
            let sq = level.board().square_at(2, column).expect("a floor square");
            live.bit(sq).expect("a live square")
        };
        let mut walls = vec![0; live.words()];
        walls[bit(fixed) / 64] |= 1 << (bit(fixed) % 64);
        let bits = |columns: &[usize]| columns.iter().map(|&column| bit(column)).collect::<Vec<_>>();
        let mut bound = PushBound::new(&level, &live, &walls, &bits(targets));
        assert_eq!(bound.of(&bits(boxes)), expect, "{boxes:?} to {targets:?}");
    }

    #[test]
    fn every_box_has_a_target_of_its_own() {
        check(&[3], &[6], 9, Some(3));
        check(&[3, 4], &[6, 7], 9, Some(6));
        check(&[3, 4], &[3, 7], 9, Some(3));
        check(&[3, 4], &[4, 3], 9, Some(0));
    }

    /// Beyond the number that is matched each box takes its nearest target.
    #[test]
    fn many_targets_are_shared() {
        check(&[3, 5], &[2, 3, 4, 5, 6, 7, 8], 9, Some(0));
        check(&[2, 2], &[1, 3, 4, 5, 6, 7, 8], 9, Some(2));
    }
}
