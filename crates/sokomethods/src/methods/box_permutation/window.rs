//! Windows of a solution in which few different boxes are pushed.

use std::ops::Range;

use sokocore::Level;
use sokosearch::Spine;

use crate::boxes_pushed::boxes_pushed;

/// The longest run of pushes from the start of a box session that pushes few different boxes.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// The pushes, as numbers from zero.
    pub pushes: Range<usize>,
    /// Number of different boxes pushed.
    pub n_pushed: usize,
    /// Steps walked and box changes for each push: the most that can be saved here.
    pub potential: f64,
}

impl Window {
    /// Returns the fingerprint of the first state and the pushes, on which a search in the window depends. Windows with
    /// the same fingerprint are taken for the same.
    pub(super) fn fingerprint(&self, spine: &Spine) -> u64 {
        let start = &spine.states()[self.pushes.start];
        let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0xd134_2543_de82_ef95).rotate_left(29);
        let pushes = spine.pushes()[self.pushes.clone()].iter();
        let words = pushes.map(|push| (4 * push.from.idx() + push.dir.idx()) as u64);
        start.key.iter().copied().chain([start.player.idx() as u64]).chain(words).fold(0, mix)
    }
}

/// Lists the longest windows in which at most `n_most` boxes are pushed, best potential first. A window within
/// another one is left out.
pub(super) fn windows(level: &Level, spine: &Spine, n_most: usize) -> Vec<Window> {
    let boxes = boxes_pushed(level, spine);
    let mut windows: Vec<Window> = Vec::new();
    for start in (0..boxes.len()).filter(|&at| at == 0 || boxes[at] != boxes[at - 1]) {
        let mut pushed: Vec<usize> = Vec::new();
        let mut end = start;
        while let Some(n) = boxes.get(end) {
            if !pushed.contains(n) {
                if pushed.len() == n_most {
                    break;
                }
                pushed.push(*n);
            }
            end += 1;
        }
        if windows.last().is_none_or(|last| last.pushes.end < end) {
            let (first, last) = (&spine.states()[start].metrics, &spine.states()[end].metrics);
            let n_pushes = (end - start) as f64;
            let walks = (last.moves - first.moves) as f64 - n_pushes;
            let changes = (last.box_changes - first.box_changes) as f64;
            windows.push(Window {
                pushes: start..end,
                n_pushed: pushed.len(),
                potential: (walks + changes) / n_pushes,
            });
        }
    }
    windows.sort_by(|one, other| other.potential.total_cmp(&one.potential));
    windows
}

#[cfg(test)]
mod tests {
    use sokocore::replay;
    use sokosearch::{LiveIndex, MemoryAccount};

    use super::*;

    /// Three boxes a, b, c to push to the right, in this order: each push from its own row.
    fn check(moves: &str, n_boxes: usize, expect: &[(usize, usize, usize)]) {
        let level = Level::parse("#######\n#@$  .#\n# $  .#\n# $  .#\n#     #\n#######").unwrap();
        let live = LiveIndex::new(&level);
        let solution = replay(&level, &moves.parse().unwrap()).unwrap();
        let spine = Spine::new(&level, &live, &solution, &MemoryAccount::new(1 << 20)).unwrap();
        let mut windows = windows(&level, &spine, n_boxes);
        assert!(windows.is_sorted_by(|one, other| one.potential >= other.potential));
        windows.sort_by_key(|window| window.pushes.start);
        let found: Vec<_> =
            windows.iter().map(|window| (window.pushes.start, window.pushes.end, window.n_pushed)).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn windows_start_at_sessions_and_are_not_in_one_another() {
        // a a a b b b c c c
        let in_turn = "RRRllldRRRllldRRR";
        check(in_turn, 1, &[(0, 3, 1), (3, 6, 1), (6, 9, 1)]);
        check(in_turn, 2, &[(0, 6, 2), (3, 9, 2)]);
        check(in_turn, 3, &[(0, 9, 3)]);
        // a b a a b b c c c
        let mixed = "RldRuRRlldRRllldRRR";
        check(mixed, 1, &[(0, 1, 1), (1, 2, 1), (2, 4, 1), (4, 6, 1), (6, 9, 1)]);
        check(mixed, 2, &[(0, 6, 2), (4, 9, 2)]);
        check(mixed, 9, &[(0, 9, 3)]);
    }
}
