//! Which neighbors of a push are met, and which pairs are forbidden.

use crate::board::SearchDirection;
use crate::board::bit_set::BitSet;
use crate::board::tests::{TestBoard, searches};
use crate::deadlock::enclosed_areas::EnclosedAreas;
use crate::deadlock::neighbor_pairs::*;

const HALL: [&str; 6] = ["#########", "#.     .#", "#   #   #", "#@$$$$  #", "#.     .#", "#########"];

/// The steps by rows and columns, in the order of the directions.
const STEPS: [(isize, isize); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// Returns the pairs of a push that are new, as long as there are some.
fn all_new(pairs: &mut NeighborPairs, board: &SearchBoard, moved: MovedBox<'_>) -> Vec<FloorSquare> {
    std::iter::from_fn(|| pairs.next_new(board, moved)).take(20).collect()
}

/// The squares beside a place in all directions, each with those beyond it, to its right and to its left.
fn neighbors(test: &TestBoard, sq: FloorSquare) -> Vec<FloorSquare> {
    let level = test.level.board();
    let (row, column) = level.place(test.board.square(sq));
    let beside = |(row, column): (usize, usize), dir: usize| {
        let (rows, columns) = STEPS[dir % 4];
        let place = (row.checked_add_signed(rows)?, column.checked_add_signed(columns)?);
        level.square_at(place.0, place.1).map(|_| place)
    };
    let mut found = Vec::new();
    for dir in 0..4 {
        let Some(next) = beside((row, column), dir) else { continue };
        let places = [Some(next), beside(next, dir), beside(next, dir + 1), beside(next, dir + 3)];
        found.extend(places.into_iter().flatten().map(|(row, column)| test.sq(row, column)));
    }
    found
}

/// For every square and side of the player each neighbor is met once by each path to it, all squares being taken.
#[test]
fn each_neighbor_is_met_once_for_each_square_and_side() {
    let test = TestBoard::new(&HALL);
    let mut boxes = BitSet::<2>::default();
    test.board.live_squares().for_each(|sq| boxes.insert(sq));
    let mut pairs = NeighborPairs::new(&test.board);
    for (sq, side) in test.board.live_squares().flat_map(|sq| (0..4).map(move |side| (sq, side))) {
        let moved = MovedBox { boxes: boxes.view(), sq, side: Some(side) };
        assert_eq!(all_new(&mut pairs, &test.board, moved), neighbors(&test, sq), "{sq} {side}");
        assert_eq!(pairs.next_new(&test.board, moved), None);
    }
}

/// A box that comes later is new; without a side nothing is examined.
#[test]
fn only_boxes_are_met() {
    let test = TestBoard::new(&HALL);
    let mut pairs = NeighborPairs::new(&test.board);
    let mut new = |places: &[(usize, usize)], side: Option<usize>| {
        let boxes = test.set(places);
        all_new(&mut pairs, &test.board, MovedBox { boxes: boxes.view(), sq: test.sq(3, 4), side })
    };
    assert_eq!(new(&[(3, 4), (3, 6), (1, 4), (2, 2)], Some(2)), [test.sq(3, 6)]);
    assert!(new(&[(3, 4), (3, 6), (4, 3)], None).is_empty());
    assert_eq!(new(&[(3, 4), (3, 6), (4, 3)], Some(2)), [test.sq(4, 3); 2], "from below, and from the left");
    assert!(new(&[(3, 4), (3, 6), (4, 3)], Some(2)).is_empty());
    assert_eq!(new(&[(3, 4), (3, 6)], Some(1)), [test.sq(3, 6)]);
}

#[test]
fn it_is_made_for_searches_along_packing_orders() {
    let test = TestBoard::new(&HALL);
    let without = test.settings.clone().without(Technique::Pairs);
    let is_made = |settings| {
        searches()
            .map(|search| make(&LibraryParts { settings, ..test.parts(search, SearchDirection::Forward) }).is_some())
    };
    assert_eq!(is_made(&test.settings), [false, true, false]);
    assert_eq!(is_made(&without), [false; 3]);
}

/// Two boxes side by side at a wall hold each other; in the hall they can be parted.
#[test]
fn a_push_that_makes_a_dead_pair_is_forbidden() {
    let test = TestBoard::new(&HALL);
    let areas = EnclosedAreas::new(&test.board);
    let forbids = |places: &[(usize, usize)], (row, column), side, learns: bool| {
        let (boxes, mut learner) = (test.set(places), test.learner());
        let learner = learns.then_some(&mut learner);
        let mut cx = TestContext { board: &test.board, learner, areas: &areas };
        let moved = MovedBox { boxes: boxes.view(), sq: test.sq(row, column), side };
        NeighborPairs::new(&test.board).forbids(moved, &mut cx)
    };
    assert!(forbids(&[(1, 4), (1, 5)], (1, 5), Some(2), true));
    assert!(!forbids(&[(1, 4), (1, 5)], (1, 5), Some(2), false), "nothing is learned");
    assert!(!forbids(&[(1, 4), (1, 5)], (1, 5), None, true));
    assert!(!forbids(&[(1, 2), (1, 5)], (1, 5), Some(2), true));
    assert!(!forbids(&[(3, 3), (3, 4)], (3, 4), Some(2), true));
}
