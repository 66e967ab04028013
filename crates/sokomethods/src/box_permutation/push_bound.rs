//! How many pushes at least bring the free boxes of a window to where they must be at its end.
//!
//! Every box has a target of its own. The distance from a square to a target is that of a lone box among the walls and
//! the boxes that stay, the player being anywhere. Bounds are *consistent*: a push changes one by at most 1.

use sokocore::{Direction, Level};
use sokosearch::LiveIndex;

/// Targets are matched to boxes exactly up to this number; beyond it each box takes its nearest one.
const MAX_MATCHED: usize = 6;
/// No way.
const NEVER: u32 = u32::MAX / 64;

/// Lower bounds on the pushes to the end of a window.
#[derive(Debug)]
pub(super) struct PushBound {
    /// For each target (or once for all of them) the distance from every live square.
    distances: Vec<Vec<u32>>,
    is_matched: bool,
    /// For each set of targets, the pushes that bring the first boxes there.
    best: Vec<u32>,
}

impl PushBound {
    /// Measures the distances to the target bits among boxes that stay.
    pub(super) fn new(level: &Level, live: &LiveIndex, stays: &[u64], targets: &[usize]) -> Self {
        let is_matched = targets.len() <= MAX_MATCHED;
        let to = |targets: &[usize]| distances_to(level, live, stays, targets);
        let distances = if is_matched {
            targets.iter().map(|target| to(std::slice::from_ref(target))).collect()
        } else {
            vec![to(targets)]
        };
        let best = if is_matched { vec![NEVER; 1 << targets.len()] } else { Vec::new() };
        Self { distances, is_matched, best }
    }

    /// Returns the bound for boxes on these bits; `None` if some box can never get where it must.
    pub(super) fn of(&mut self, boxes: &[usize]) -> Option<u32> {
        let bound = if self.is_matched {
            self.matching(boxes)
        } else {
            boxes.iter().fold(0, |sum: u32, &bit| sum.saturating_add(self.distances[0][bit]))
        };
        (bound < NEVER).then_some(bound)
    }

    /// The cheapest way to give every box a target of its own, over all sets of targets.
    fn matching(&mut self, boxes: &[usize]) -> u32 {
        self.best.fill(NEVER);
        self.best[0] = 0;
        let mut cheapest = NEVER;
        for taken in 0..self.best.len() {
            let sum = self.best[taken];
            if sum >= NEVER {
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

/// Pulls a lone box from the targets.
fn distances_to(level: &Level, live: &LiveIndex, stays: &[u64], targets: &[usize]) -> Vec<u32> {
    let board = level.board();
    let mut distances = vec![NEVER; live.n_live()];
    targets.iter().for_each(|&target| distances[target] = 0);
    let mut queue = targets.to_vec();
    let mut head = 0;
    while let Some(&bit) = queue.get(head) {
        head += 1;
        for dir in Direction::ALL {
            let Some(from) = board.step(live.square(bit), dir) else { continue };
            let stand = board.step(from, dir).filter(|&stand| !live.has_box(stays, stand));
            let Some(before) = live.bit(from).filter(|_| stand.is_some() && !live.has_box(stays, from)) else {
                continue;
            };
            if distances[before] == NEVER {
                distances[before] = distances[bit] + 1;
                queue.push(before);
            }
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bound for boxes and targets on these columns of a room's middle row, one box that stays among them.
    fn check(boxes: &[usize], targets: &[usize], stays: usize, expect: Option<u32>) {
        let level = Level::parse("###########\n#         #\n#.$      .#\n#@$      .#\n###########").unwrap();
        let live = LiveIndex::new(&level);
        let bit = |column: usize| {
            let sq = level.board().square_at(2, column).expect("a floor square");
            live.bit(sq).expect("a live square")
        };
        let mut walls = vec![0; live.words()];
        walls[bit(stays) / 64] |= 1 << (bit(stays) % 64);
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
