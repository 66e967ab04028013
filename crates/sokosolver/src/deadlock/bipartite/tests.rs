//! Which boxes can all have goals of their own, and which tables are kept.

use crate::board::Flood;
use crate::board::tests::{TestBoard, costs_to_go, meter_within};
use crate::deadlock::bipartite::*;
use crate::deadlock::enclosed_areas::EnclosedAreas;

/// 15 squares and two goals: a table of distances takes 60 bytes.
const HALL: [&str; 5] = ["#######", "#.   .#", "# $ $ #", "#@    #", "#######"];

#[test]
fn it_is_made_for_feature_space_search_by_pushes() {
    let test = TestBoard::new(&HALL);
    let is_made = |direction| test.made_for(make, &test.settings, direction);
    assert_eq!(is_made(SearchDirection::Forward), [false, false, true]);
    assert_eq!(is_made(SearchDirection::Backward), [false; 3]);
}

#[test]
fn boxes_are_matched_around_those_that_are_frozen() {
    let test = TestBoard::new(&HALL);
    let mut bipartite = Bipartite::new(test.meter.memory().nothing());
    let mut is_matched = |places: &[(usize, usize)]| bipartite.is_matched(&test.board, test.set(places).view());
    assert!(is_matched(&[(1, 2), (2, 2)]) && is_matched(&[(1, 3)]) && is_matched(&[(1, 1), (1, 5)]));
    assert!(is_matched(&[(1, 1), (1, 3)]) && is_matched(&[(1, 5), (2, 2)]));
    assert!(!is_matched(&[(1, 1), (1, 2)]), "the second box is frozen off goal");
    assert!(!is_matched(&[(1, 2), (1, 3)]), "both are");
    assert!(!is_matched(&[(1, 2), (1, 4), (2, 3)]), "there are two goals");
    let apart = TestBoard::new(&["#########", "#.      #", "# $ $   #", "#@      #", "#      .#", "#########"]);
    let mut bipartite = Bipartite::new(apart.meter.memory().nothing());
    let mut is_matched = |places: &[(usize, usize)]| bipartite.is_matched(&apart.board, apart.set(places).view());
    assert!(is_matched(&[(1, 2), (4, 4)]));
    assert!(!is_matched(&[(1, 2), (1, 4)]), "one goal for both at the upper wall");
    assert!(bipartite.distances_around.is_empty(), "no box was frozen");
}

/// Tables are charged one by one. When there is no memory for another one they are dropped, and it is kept alone.
#[test]
fn tables_around_frozen_boxes_are_kept_within_memory() {
    let test = TestBoard::new(&HALL);
    let sets = [&[(1, 1), (2, 4)][..], &[(1, 5), (2, 2)], &[(1, 1), (2, 3)]].map(|places| test.set(places));
    let corners = [test.squares(&[(1, 1)]), test.squares(&[(1, 5)])];
    let check = |bytes: u64, kept: [&[usize]; 3]| {
        let meter = meter_within(bytes);
        let mut bipartite = Bipartite::new(meter.memory().nothing());
        for (boxes, kept) in sets.iter().zip(kept) {
            assert!(bipartite.is_matched(&test.board, boxes.view()), "with or without memory");
            let has = |corner: &Vec<FloorSquare>| bipartite.distances_around.contains_key(corner.as_slice());
            let found: Vec<usize> = (0..2).filter(|&corner| has(&corners[corner])).collect();
            assert_eq!((&found[..], bipartite.distances_around.len()), (kept, kept.len()), "{bytes}");
            assert_eq!(bipartite.charge.bytes(), meter.memory().used());
        }
        meter.memory().used()
    };
    assert_eq!(check(1 << 20, [&[0], &[0, 1], &[0, 1]]), 120);
    assert_eq!(check(120, [&[0], &[0, 1], &[0, 1]]), 120);
    assert_eq!(check(119, [&[0], &[1], &[0]]), 60);
    assert_eq!(check(60, [&[0], &[1], &[0]]), 60);
    assert_eq!(check(59, [&[], &[], &[]]), 0);
}

/// What is called dead has no solution, for any player.
#[test]
fn no_position_that_can_be_solved_is_dead() {
    let test = TestBoard::new(&["########", "#.   # #", "# $    #", "# # $. #", "#   @  #", "########"]);
    let (board, solved) = (&test.board, costs_to_go(&test.board, SearchDirection::Backward));
    let areas = EnclosedAreas::new(board);
    let (mut bipartite, mut flood) = (Bipartite::new(test.meter.memory().nothing()), Flood::new(board));
    let mut n_dead = 0;
    for squares in board.live_squares().flat_map(|other| board.live_squares().map(move |one| [one, other])) {
        if squares[0] >= squares[1] {
            continue;
        }
        let boxes = SearchBoard::set::<2>(&squares);
        for player in board.squares().filter(|player| !squares.contains(player)) {
            let zone = flood.run(board, squares, player);
            let position = FloodedPosition::new(boxes.view(), &squares, player, &flood);
            let mut cx = TestContext { board, learner: None, areas: &areas };
            let is_dead = bipartite.proves_dead(&position, &mut cx);
            assert!(!is_dead || !solved.contains_key(&(boxes, zone)), "{squares:?} {player}");
            n_dead += usize::from(is_dead);
        }
    }
    assert!(n_dead > 0);
}
