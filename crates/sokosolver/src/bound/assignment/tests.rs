//! Costs against all assignments, and how positions differ from the base.

use crate::board::tests::TestBoard;
use crate::bound::assignment::*;

/// A hall with two goals in the upper corners; boxes at the lower wall would be dead.
const HALL: [&str; 5] = ["########", "#.    .#", "#  $$  #", "#   @  #", "########"];

/// The least pushes by all ways to give each box a goal of its own.
fn by_trying(board: &SearchBoard, boxes: &[FloorSquare], taken: u32) -> Option<u64> {
    let Some((&first, rest)) = boxes.split_first() else { return Some(0) };
    let row = board.to_goals().row(first);
    let goals = (0..row.len()).filter(|&goal| taken >> goal & 1 == 0 && row[goal] < Distances::NONE);
    goals.filter_map(|goal| Some(u64::from(row[goal]) + by_trying(board, rest, taken | 1 << goal)?)).min()
}

/// Whatever was solved whole before, the cost is that of the best assignment.
#[test]
fn the_cost_is_the_same_by_one_row_and_whole() {
    let test = TestBoard::new(&HALL);
    let mut assignment = Assignment::<2>::new(&test.board, &test.set(&[(1, 1), (1, 6)]), SearchDirection::Forward);
    let live: Vec<FloorSquare> = test.board.live_squares().collect();
    let pairs = || live.iter().flat_map(|&one| live.iter().map(move |&other| [one, other]));
    for base in pairs().filter(|[one, other]| one < other) {
        for begins in [true, false] {
            assignment.base_cost = None;
            if begins {
                assignment.begin(&SearchBoard::set(&base));
            }
            for boxes in pairs().filter(|boxes| boxes[0] == base[0] && boxes[1] != boxes[0]) {
                let cost = assignment.cost(&SearchBoard::set(&boxes));
                assert_eq!(cost, by_trying(&test.board, &boxes, 0).unwrap_or(Assignment::<2>::NEVER), "{boxes:?}");
            }
        }
    }
}

/// The base is kept with its cost, if it has one, and a position is compared with it box by box.
#[test]
fn a_position_differs_from_the_base_by_nothing_one_box_or_more() {
    let test = TestBoard::new(&HALL);
    let mut assignment = Assignment::<2>::new(&test.board, &test.set(&[(1, 1), (1, 6)]), SearchDirection::Forward);
    let base = test.set(&[(2, 2), (2, 5)]);
    assert!(assignment.difference(&base).is_none());
    assignment.begin(&base);
    assert_eq!((assignment.base, assignment.base_cost), (base, Some(4)));
    assert!(matches!(assignment.difference(&base), Some(Difference::Same(4))));
    let moved = |difference| match difference {
        Some(Difference::One(row, to)) => Some((row, to)),
        _ => None,
    };
    let differs = |places: &[(usize, usize)]| moved(assignment.difference(&test.set(places)));
    assert_eq!(differs(&[(2, 2), (1, 5)]), Some((MatrixRow::new(1), test.sq(1, 5))));
    assert_eq!(differs(&[(2, 3), (2, 5)]), Some((MatrixRow::new(0), test.sq(2, 3))));
    assert!(differs(&[(2, 3), (1, 5)]).is_none());
    for places in [&[(2, 2)][..], &[(2, 2), (2, 4), (2, 5)]] {
        assert!(assignment.difference(&test.set(places)).is_none(), "{places:?}");
    }
    assert_eq!(assignment.cost(&test.set(&[(2, 3), (1, 5)])), 4);
    assert!(assignment.difference(&base).is_none(), "the matching is no longer that of the base");
}

#[test]
fn more_boxes_than_targets_are_never_assigned() {
    let test = TestBoard::new(&HALL);
    let mut assignment = Assignment::<2>::new(&test.board, &test.set(&[(1, 1), (1, 6)]), SearchDirection::Forward);
    let three = test.set(&[(2, 2), (2, 4), (2, 5)]);
    assert_eq!([assignment.cost(&three), assignment.cost(&test.set(&[(2, 2)]))], [Assignment::<2>::NEVER, 2]);
    assignment.begin(&three);
    assert_eq!((assignment.base_cost, assignment.cost(&three)), (None, Assignment::<2>::NEVER));
    assert_eq!(assignment.cost(&test.set(&[(1, 2), (1, 4)])), 3);
    let start = test.set(&[(2, 2)]);
    let mut one = Assignment::<2>::new(&test.board, &start, SearchDirection::Backward);
    assert_eq!([one.cost(&test.set(&[(1, 1)])), one.cost(&test.set(&[(1, 6)]))], [2, 5]);
}

/// A cost and no assignment are told apart in fifteen bits.
#[test]
fn a_cost_is_less_than_never() {
    let TestBoard { board, .. } = TestBoard::new(&["######", "#@$ .#", "######"]);
    assert_eq!(Assignment::<2>::NEVER, 32_767);
    for (distance, cost) in [(32_765, 32_765), (32_766, 32_766), (32_767, 32_766), (40_000, 32_766)] {
        let distances = Distances::of_rows(1, vec![distance; board.n_squares()]);
        let (costs, matching) = (Box::new(CostTable::new(&board, &distances)), Box::new(Matching::new(1)));
        let mut assignment =
            Assignment::<2> { costs, matching, n_targets: 1, base: BitSet::default(), base_cost: None };
        assert_eq!(assignment.cost(&SearchBoard::set(board.starts())), cost);
    }
}
