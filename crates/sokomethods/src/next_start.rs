//! Overlapping windows over a solution, for methods that cannot search the whole solution at once.
//!
//! ```text
//!   boxes pushed    a   a   b   a   b   b   c   d   d   c ...
//!   open boxes        1   1   2   2   1   0   1   2   1       boxes pushed both before and after the place
//!                                         ^                   the next start: no box is open
//! ```
//!
//! Windows have fixed ends, so the next window has to contain the pushes around the end of this one. A gain mostly
//! concerns the path of one box. The next window starts where the fewest boxes are open, and of such places at the one
//! nearest to the middle of this window, so that windows overlap by a quarter to three quarters.

use std::ops::Range;

use hashbrown::HashMap;
use sokocore::{Board, Push, Square};

/// Returns the start of the window after this one: later than the start of this one, and at its end at the latest.
pub(crate) fn next_start(board: &Board, pushes: &[Push], window: Range<usize>) -> usize {
    let from = window.start;
    let pushes = &pushes[window];
    let open_boxes = open_boxes(board, pushes);
    let half = pushes.len() / 2;
    let places = (pushes.len() / 4).max(1)..=(pushes.len() - pushes.len() / 4).max(1);
    let place = places.min_by_key(|&at| (open_boxes.get(at).copied().unwrap_or(0), at.abs_diff(half)));
    from + place.unwrap_or(1)
}

/// Returns overlapping windows of `length` pushes that cover a solution.
pub(crate) fn windows(board: &Board, pushes: &[Push], length: usize) -> impl Iterator<Item = Range<usize>> {
    let window = move |from: usize| from..pushes.len().min(from.saturating_add(length.max(1)));
    let next =
        move |last: &Range<usize>| (last.end < pushes.len()).then(|| window(next_start(board, pushes, last.clone())));
    std::iter::successors((!pushes.is_empty()).then(|| window(0)), next)
}

/// Counts for each number of pushes the boxes that are pushed both before and after.
fn open_boxes(board: &Board, pushes: &[Push]) -> Vec<i32> {
    // The first push of each box, by the square that the box is on.
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
    fn boxes_are_open_from_their_first_push_to_their_last() {
        let (level, pushes) = pushes("rDulddR");
        assert_eq!(pushes.len(), 2, "one box, pushed twice");
        assert_eq!(open_boxes(level.board(), &pushes), [0, 1, 0]);
    }

    #[test]
    fn windows_start_where_no_box_is_open() {
        let (level, pushes) = pushes("rDDuurrDDuurrrDD");
        let squares: Vec<_> = pushes.iter().map(|push| level.board().place(push.from)).collect();
        assert_eq!(squares, [(2, 2), (3, 2), (2, 4), (3, 4), (2, 7), (3, 7)]);
        assert_eq!(open_boxes(level.board(), &pushes), [0, 1, 0, 1, 0, 1, 0]);
        let start = |window| next_start(level.board(), &pushes, window);
        assert_eq!(start(0..6), 2, "three would be the middle, but the second box is open");
        assert_eq!((start(2..6), start(1..5)), (4, 2), "the start of the window does not matter");
        assert_eq!((start(0..1), start(5..6)), (1, 6));
    }

    fn check(moves: &str, length: usize, expect: &[(usize, usize)]) {
        let (level, pushes) = pushes(moves);
        let windows = windows(level.board(), &pushes, length).map(|window| (window.start, window.end));
        assert_eq!(windows.collect::<Vec<_>>(), expect);
    }

    #[test]
    fn windows_cover_the_whole_solution() {
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
