//! Where the next window begins, when memory or a slice does not suffice for the whole solution.
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

use hashbrown::HashMap;
use sokocore::{Board, Push, Square};

/// Returns after how many pushes of a window the next one begins: at least one, at most all.
pub(crate) fn seam(board: &Board, pushes: &[Push]) -> usize {
    let in_the_middle = in_the_middle(board, pushes);
    let half = pushes.len() / 2;
    let places = (pushes.len() / 4).max(1)..=(pushes.len() - pushes.len() / 4).max(1);
    places.min_by_key(|&at| (in_the_middle.get(at).copied().unwrap_or(0), at.abs_diff(half))).unwrap_or(1)
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
        assert_eq!(seam(level.board(), &pushes), 2, "three would be the half, but the second box is on its way");
        assert_eq!(seam(level.board(), &pushes[..1]), 1);
    }
}
