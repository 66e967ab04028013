//! Where the next window begins, when memory or a slice does not suffice for the whole solution: for every method that
//! works in windows with fixed ends.
//!
//! ```text
//!   boxes pushed    a   a   b   a   b   b   c   d   d   c ...
//!   in the middle     1   1   2   2   1   0   1   2   1       boxes pushed both before and after the place
//!                                         ^                   the seam: no box is in the middle of its way
//! ```
//!
//! Windows have fixed ends, so what a box does across the end of one has to be seen by the next. A gain mostly concerns
//! the way of some box. The next window begins where the fewest boxes are in the middle of theirs, as near to the
//! middle of the window as such a place is, so that windows overlap by a quarter to three quarters.

use std::ops::Range;

use hashbrown::HashMap;
use sokocore::{Board, Push, Square};

/// Returns after which of a solution's pushes the window after this one begins: later than this one does, and at its
/// end at the latest.
pub(crate) fn seam(board: &Board, pushes: &[Push], window: Range<usize>) -> usize {
    let from = window.start;
    let pushes = &pushes[window];
    let in_the_middle = in_the_middle(board, pushes);
    let half = pushes.len() / 2;
    let places = (pushes.len() / 4).max(1)..=(pushes.len() - pushes.len() / 4).max(1);
    let place = places.min_by_key(|&at| (in_the_middle.get(at).copied().unwrap_or(0), at.abs_diff(half)));
    from + place.unwrap_or(1)
}

/// Returns the windows of so many pushes that cover a solution, each from the seam of the one before it.
pub(crate) fn windows(board: &Board, pushes: &[Push], length: usize) -> impl Iterator<Item = Range<usize>> {
    let window = move |from: usize| from..pushes.len().min(from.saturating_add(length.max(1)));
    let next = move |last: &Range<usize>| (last.end < pushes.len()).then(|| window(seam(board, pushes, last.clone())));
    std::iter::successors((!pushes.is_empty()).then(|| window(0)), next)
}

/// Counts for each number of pushes done the boxes that are pushed both before and after.
fn in_the_middle(board: &Board, pushes: &[Push]) -> Vec<i32> {
    // For each box, by the square that it stands on, its first push.
    let mut begun: HashMap<Square, usize> = HashMap::new();
    let mut last = HashMap::new();
    for (at, push) in pushes.iter().enumerate() {
        let first = begun.remove(&push.from).unwrap_or(at);
        last.insert(first, at);
        begun.extend(push.to(board).map(|to| (to, first)));
    }
    let mut change = vec![0; pushes.len() + 1];
    for (first, last) in last {
        change[first + 1] += 1;
        change[last + 1] -= 1;
    }
    let mut sum = 0;
    change
        .iter()
        .map(|change| {
            sum += change;
            sum
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use sokocore::{Level, Lurd, pushes_of};

    use super::*;

    /// Three boxes, each above its goal.
    const ROWS: &str = "##########\n#@       #\n# $ $  $ #\n#        #\n#.  .   .#\n##########";

    fn pushes(moves: &str) -> (Level, Vec<Push>) {
        let level = Level::parse(ROWS).unwrap();
        let pushes = pushes_of(&level, &moves.parse::<Lurd>().unwrap());
        (level, pushes)
    }

    #[test]
    fn boxes_count_from_their_first_push_to_their_last() {
        let (level, pushes) = pushes("rDulddR");
        assert_eq!(pushes.len(), 2, "one box, pushed twice");
        assert_eq!(in_the_middle(level.board(), &pushes), [0, 1, 0]);
    }

    #[test]
    fn windows_meet_where_no_box_is_on_its_way() {
        let (level, pushes) = pushes("rDDuurrDDuurrrDD");
        let squares: Vec<_> = pushes.iter().map(|push| level.board().place(push.from)).collect();
        assert_eq!(squares, [(2, 2), (3, 2), (2, 4), (3, 4), (2, 7), (3, 7)]);
        assert_eq!(in_the_middle(level.board(), &pushes), [0, 1, 0, 1, 0, 1, 0]);
        let seam = |window| seam(level.board(), &pushes, window);
        assert_eq!(seam(0..6), 2, "three would be the half, but the second box is on its way");
        assert_eq!((seam(2..6), seam(1..5)), (4, 2), "where the window begins does not matter");
        assert_eq!((seam(0..1), seam(5..6)), (1, 6));
    }

    fn check(moves: &str, length: usize, expect: &[(usize, usize)]) {
        let (level, pushes) = pushes(moves);
        let windows = windows(level.board(), &pushes, length).map(|window| (window.start, window.end));
        assert_eq!(windows.collect::<Vec<_>>(), expect);
    }

    #[test]
    fn windows_cover_all_and_begin_at_seams() {
        let three_boxes = "rDDuurrDDuurrrDD";
        check(three_boxes, 4, &[(0, 4), (2, 6)]);
        check(three_boxes, 5, &[(0, 5), (2, 6)]);
        check(three_boxes, 3, &[(0, 3), (2, 5), (4, 6)]);
        check(three_boxes, 6, &[(0, 6)]);
        check(three_boxes, usize::MAX, &[(0, 6)]);
        check(three_boxes, 1, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]);
        check("", 4, &[]);
    }
}
