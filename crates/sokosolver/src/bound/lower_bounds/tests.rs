//! All bounds together, on boards where each is known.

use crate::board::tests::TestBoard;
use crate::bound::lower_bounds::*;

/// A hall with two goals in the upper corners.
const HALL: [&str; 5] = ["########", "#.    .#", "#  $$  #", "#   @  #", "########"];

/// A bound that always says the same.
#[derive(Debug)]
struct Fixed {
    reads_frozen: bool,
    answer: Option<u16>,
    work: u64,
}

impl<const W: usize> AddedBound<W> for Fixed {
    fn reads_frozen(&self) -> bool {
        self.reads_frozen
    }

    fn of(&mut self, _: &BoundedPosition<'_, W>) -> Option<u16> {
        self.answer
    }

    fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }
}

/// Bounds by pushes with only these techniques, and with fixed ones beside them.
fn made<const W: usize>(test: &TestBoard, techniques: &[Technique], fixed: &[(bool, Option<u16>)]) -> Bounds<W> {
    let settings = techniques.iter().fold(Settings::default().plain(), |settings, &technique| settings.with(technique));
    let mut bounds = Bounds::new(&test.board, SearchDirection::Forward, &settings, None, None, &test.meter);
    assert!(bounds.added.is_empty(), "none is on");
    for &(reads_frozen, answer) in fixed {
        bounds.added.push(Box::new(Fixed { reads_frozen, answer, work: 3 }));
    }
    bounds
}

fn exact(bounds: &mut Bounds<2>, test: &TestBoard, places: &[(usize, usize)]) -> Option<u16> {
    bounds.exact(&test.board, &test.set(places), &test.squares(places), test.board.player())
}

/// Both boxes are near the goal on the left: a matching sends one of them to the other goal.
#[test]
fn the_bound_of_a_child_is_that_of_its_parent_with_one_row_changed() {
    let test = TestBoard::new(&HALL);
    for (techniques, whole, after) in [(&[Technique::Matching][..], 6, [5, 5, 5, 3]), (&[], 3, [4, 4, 2, 3])] {
        let mut bounds = made(&test, techniques, &[]);
        assert_eq!(exact(&mut bounds, &test, &[(1, 2), (2, 2)]), Some(whole), "{techniques:?}");
        let children = [(0, (1, 3)), (1, (2, 3)), (0, (1, 1)), (0, (1, 5))];
        let of_child = |(place, (row, column))| bounds.after(MatrixRow::new(place), test.sq(row, column), 0);
        assert_eq!(children.map(of_child), after.map(Some), "{techniques:?}");
    }
}

#[test]
fn the_largest_bound_counts_and_one_that_says_lost_decides() {
    let test = TestBoard::new(&HALL);
    let check = |fixed: &[Option<u16>]| {
        let fixed: Vec<_> = fixed.iter().map(|&answer| (false, answer)).collect();
        exact(&mut made(&test, &[Technique::Matching], &fixed), &test, &[(1, 2), (2, 2)])
    };
    assert_eq!([check(&[]), check(&[Some(2)]), check(&[Some(0), Some(5)])], [Some(6); 3]);
    assert_eq!([check(&[Some(9)]), check(&[Some(9), Some(8)]), check(&[Some(7), Some(9)])], [Some(9); 3]);
    assert_eq!([check(&[None]), check(&[Some(9), None]), check(&[None, Some(1)])], [None; 3]);
}

/// The box on (1, 2) bars the way to the last goal as soon as it is known to be frozen. Only bounds that read frozen
/// boxes are asked again.
#[test]
fn more_frozen_boxes_show_a_position_to_be_lost() {
    let test = TestBoard::new(&["#########", "#.*  @  #", "####  $ #", "####    #", "#########"]);
    let walls = [Technique::Matching, Technique::FrozenWalls];
    let places = [(1, 2), (1, 4)];
    let frozen_after = |techniques: &[Technique], fixed: &[(bool, Option<u16>)], more: &[(usize, usize)]| {
        let mut bounds = made(&test, techniques, &[]);
        assert_eq!(exact(&mut bounds, &test, &places), Some(3));
        for &(reads_frozen, answer) in fixed {
            bounds.added.push(Box::new(Fixed { reads_frozen, answer, work: 0 }));
        }
        let is_open = bounds.freeze(&test.board, &test.set(&places), &test.set(more));
        (is_open, bounds.frozen)
    };
    assert_eq!(frozen_after(&walls, &[], &[(1, 2)]), (false, test.set(&[(1, 2)])));
    assert_eq!(frozen_after(&walls, &[(true, Some(0))], &[(1, 2)]), (false, test.set(&[(1, 2)])));
    assert!(!frozen_after(&walls, &[], &[(1, 4)]).0, "it can no longer reach a goal");
    assert_eq!(frozen_after(&walls, &[(true, None)], &[]), (true, test.set(&[])), "no box is new");
    assert_eq!(frozen_after(&[Technique::Matching], &[(true, None)], &[(1, 2)]), (true, test.set(&[])), "no walls");
    // The boxes on both goals are solved, frozen or not.
    let goals = [(1, 1), (1, 2)];
    for (fixed, expect) in [((true, None), false), ((false, None), true), ((true, Some(4)), true)] {
        let mut bounds = made(&test, &walls, &[]);
        assert_eq!(exact(&mut bounds, &test, &goals), Some(0));
        assert_eq!(bounds.frozen, test.set(&goals));
        bounds.added.push(Box::new(Fixed { reads_frozen: fixed.0, answer: fixed.1, work: 0 }));
        assert!(bounds.freeze(&test.board, &test.set(&goals), &test.set(&goals)), "no box is new");
        assert_eq!(bounds.freeze(&test.board, &test.set(&goals), &test.set(&[(1, 6)])), expect, "{fixed:?}");
        assert_eq!(bounds.frozen, test.set(&[(1, 1), (1, 2), (1, 6)]));
    }
}

/// The table around a frozen box of a large board takes a tick, on top of what other bounds took.
#[test]
fn the_work_of_all_bounds_is_added() {
    let test = TestBoard::large_hall();
    let mut bounds: Bounds<16> = made(&test, &[Technique::Matching, Technique::FrozenWalls], &[(false, Some(0))]);
    let squares = test.squares(&[(1, 1), (5, 5)]);
    let boxes = SearchBoard::set(&squares);
    assert_eq!(bounds.exact(&test.board, &boxes, &squares, test.board.player()), Some(31));
    assert_eq!([bounds.take_work(), bounds.take_work()], [4, 0]);
    let mut plain: Bounds<16> = made(&test, &[Technique::Matching], &[(false, Some(0)), (true, None)]);
    assert_eq!([plain.take_work(), plain.take_work()], [6, 0]);
}
