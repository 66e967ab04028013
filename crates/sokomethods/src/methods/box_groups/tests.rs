//! Which boxes meet, and how groups are named.

use sokocore::Level;

use super::meetings::MOST_BOXES;
use super::*;

#[test]
fn kinds_are_groups() {
    for group in [vec![0, 1], vec![3, 0], vec![1022, 0, 1022]] {
        let mut found = group_of(kind_of(&group));
        found.reverse();
        assert_eq!(found, group);
    }
    assert!(kind_of(&[1022, 1022, 1022]) < 1 << 30);
}

/// The squares of a row.
fn meetings(pushes: &[(usize, usize)]) -> Meetings {
    let level = Level::parse("############\n#@$  .     #\n############").unwrap();
    let squares: Vec<_> = level.board().squares().collect();
    Meetings::of(pushes.iter().map(|&(at, n)| (squares[at], n)))
}

#[test]
fn boxes_meet_in_turn_and_on_squares() {
    // 7 and 9 in turn, 2 on the square of 9.
    let found = meetings(&[(0, 7), (1, 9), (2, 7), (3, 7), (1, 2)]);
    assert_eq!(found.groups(2), [(1, vec![2, 7]), (1, vec![2, 9]), (2, vec![7, 9])]);
    assert_eq!(found.groups(3), [(4, vec![2, 7, 9])]);
    // 4 is pushed neither beside 9 nor on its squares.
    let found = meetings(&[(0, 9), (1, 7), (2, 4)]);
    assert_eq!(found.groups(2), [(1, vec![4, 7]), (1, vec![7, 9])]);
    assert_eq!(found.groups(3), []);
    assert_eq!(meetings(&[]).groups(2), []);
}

#[test]
fn of_many_boxes_those_pushed_most_are_looked_at() {
    let pushes: Vec<_> = (0..200).map(|at| (0, at)).chain((150..160).map(|n| (1, n))).collect();
    let found = meetings(&pushes);
    let alone = found.groups(1);
    assert_eq!(alone.len(), MOST_BOXES);
    assert!((150..160).all(|n| alone.contains(&(0, vec![n]))));
    assert_eq!(found.groups(2).len(), MOST_BOXES * (MOST_BOXES - 1) / 2);
}
