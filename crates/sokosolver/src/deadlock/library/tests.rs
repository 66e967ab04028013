//! What a library answers by its tests and by what it has learned.

use crate::board::bit_set::BitSet;
use crate::board::tests::{TestBoard, searches};
use crate::board::{Flood, SearchDirection};
use crate::deadlock::library::*;
use crate::search_kind::SearchKind;

/// A hall with a goal in each corner: two boxes side by side at a wall hold each other.
const HALL: [&str; 6] = ["#########", "#.     .#", "#       #", "#@$$$$  #", "#.     .#", "#########"];

/// Two rooms with a door.
const ROOMS: [&str; 5] = ["#########", "#   #   #", "# $ @$ .#", "#   #  .#", "#########"];

/// A test that always answers the same.
#[derive(Debug)]
struct Scripted {
    forbids: bool,
    is_dead: bool,
    prune: Prune,
    immovable: Vec<FloorSquare>,
}

impl Scripted {
    fn silent() -> Self {
        Self { forbids: false, is_dead: false, prune: Prune::All, immovable: Vec::new() }
    }
}

impl DeadlockTest for Scripted {
    fn forbids(&mut self, _: MovedBox<'_>, _: &mut TestContext<'_>) -> bool {
        self.forbids
    }

    fn proves_dead(&mut self, _: &FloodedPosition<'_>, _: &mut TestContext<'_>) -> bool {
        self.is_dead
    }

    fn restrict(&mut self, _: &FloodedPosition<'_>, _: &mut TestContext<'_>) -> Prune {
        self.prune.clone()
    }

    fn immovable(&self) -> &[FloorSquare] {
        &self.immovable
    }
}

/// A test that restricts the pushes to the squares of the first enclosed area.
#[derive(Debug)]
struct FirstArea;

impl DeadlockTest for FirstArea {
    fn restrict(&mut self, _: &FloodedPosition<'_>, cx: &mut TestContext<'_>) -> Prune {
        cx.areas.indices().next().map_or(Prune::All, |area| Prune::Only(cx.areas.squares(area).to_vec()))
    }
}

/// A library with these tests alone, which learns nothing.
fn with_tests(test: &TestBoard, tests: Vec<Box<dyn DeadlockTest>>) -> DeadlockLibrary {
    let areas = EnclosedAreas::new(&test.board);
    DeadlockLibrary { tests, learner: None, areas, reads_areas: false, immovable: Vec::new() }
}

/// A library of a search by pushes that has no tests and has learned two pairs at the upper wall, one after the other.
fn with_two_pairs(test: &TestBoard) -> DeadlockLibrary {
    let mut library = DeadlockLibrary::new(&test.parts(SearchKind::Fess, SearchDirection::Forward));
    library.tests.clear();
    let player = test.board.player();
    let learner = library.learner_mut();
    assert!(learner.proves_pair([test.sq(1, 3), test.sq(1, 4)], player));
    assert!(learner.proves_pair([test.sq(1, 4), test.sq(1, 5)], player));
    library
}

fn position<'a>(
    test: &TestBoard,
    boxes: &'a BitSet<2>,
    squares: &'a [FloorSquare],
    flood: &'a Flood,
) -> FloodedPosition<'a> {
    FloodedPosition::new(boxes.view(), squares, test.board.player(), flood)
}

#[test]
fn a_push_is_forbidden_if_any_test_forbids_it() {
    let test = TestBoard::new(&HALL);
    let boxes = test.set(&[(2, 2)]);
    let moved = MovedBox { boxes: boxes.view(), sq: test.sq(2, 2), side: Some(0) };
    for answers in [&[][..], &[false], &[false, false], &[true], &[false, true], &[true, false]] {
        let made = |&forbids: &bool| Box::new(Scripted { forbids, ..Scripted::silent() }) as Box<dyn DeadlockTest>;
        let mut library = with_tests(&test, answers.iter().map(made).collect());
        let expect = answers.contains(&true);
        assert_eq!(library.tests_forbid(&test.board, moved), expect, "{answers:?}");
        assert_eq!(library.forbids(&test.board, moved), expect, "{answers:?}");
        assert_eq!(library.forbids_by_first(0, &test.board, moved), expect, "{answers:?}");
    }
}

/// A known deadlock forbids a push for a player on one of its squares; only the first sets may be asked for.
#[test]
fn a_push_is_forbidden_by_what_was_learned() {
    let test = TestBoard::new(&HALL);
    let mut library = with_two_pairs(&test);
    let first = library.n_sets() - 1;
    let mut check = |places: &[(usize, usize)], sq: (usize, usize), side: Option<usize>, expect: [bool; 3]| {
        let boxes = test.set(places);
        let moved = MovedBox { boxes: boxes.view(), sq: test.sq(sq.0, sq.1), side };
        let by_first = library.forbids_by_first(first, &test.board, moved);
        let by_none = library.forbids_by_first(first - 1, &test.board, moved);
        assert_eq!([by_none, by_first, library.forbids(&test.board, moved)], expect, "{places:?} {sq:?} {side:?}");
        assert!(!library.tests_forbid(&test.board, moved), "there is no test");
    };
    check(&[(1, 3), (1, 4)], (1, 4), Some(2), [false, true, true]);
    check(&[(1, 3), (1, 4)], (1, 3), Some(2), [false, true, true]);
    check(&[(1, 4), (1, 5)], (1, 5), Some(2), [false, false, true]);
    check(&[(1, 3), (1, 4)], (1, 4), None, [false; 3]);
    check(&[(1, 3), (1, 5)], (1, 5), Some(2), [false; 3]);
    check(&[(1, 3), (1, 4), (2, 2)], (2, 2), Some(2), [false; 3]);
}

/// The boxes of a position fill a deadlock that was learned after the pushes to it were checked.
#[test]
fn a_position_is_dead_if_its_boxes_fill_what_was_learned() {
    let test = TestBoard::new(&HALL);
    let library = with_two_pairs(&test);
    for (places, expect) in
        [(&[(1, 3), (1, 4), (2, 6)][..], true), (&[(2, 2), (1, 4), (1, 5)], true), (&[(1, 3), (1, 5), (2, 4)], false)]
    {
        let (boxes, squares) = (test.set(places), test.squares(places));
        let flood = test.flood(&boxes, test.board.player());
        assert_eq!(library.is_known_dead(&position(&test, &boxes, &squares, &flood)), expect, "{places:?}");
        let knows_nothing = with_tests(&test, Vec::new());
        assert!(!knows_nothing.is_known_dead(&position(&test, &boxes, &squares, &flood)));
    }
}

#[test]
fn what_was_learned_is_counted() {
    let test = TestBoard::new(&HALL);
    let mut library = with_two_pairs(&test);
    assert_eq!((library.n_sets(), library.n_proof_nodes()), (u16::try_from(library.sets().len()).unwrap(), 2));
    assert!(library.n_sets() >= 2);
    let before = library.n_lookups();
    library.learner_mut().count_lookups_at(test.sq(1, 4));
    library.learner_mut().count_lookups_at(test.sq(1, 4));
    assert_eq!(library.n_lookups() - before, 2 * library.sets().n_at(test.sq(1, 4)) as u64);
    assert!(library.sets().n_at(test.sq(1, 4)) >= 2);
    let nothing = with_tests(&test, Vec::new());
    assert_eq!((nothing.n_lookups(), nothing.n_sets(), nothing.n_proof_nodes()), (0, 0, 0));
}

/// Tests are asked in their order up to the first that restricts; a proof comes before any restriction. What was
/// immovable is collected from the tests that were asked, and forgotten with the next position.
#[test]
fn a_position_is_restricted_by_the_first_test_that_does() {
    let test = TestBoard::new(&HALL);
    let (one, other) = (test.sq(2, 2), test.sq(2, 4));
    let boxes = test.set(&[(2, 2), (2, 4)]);
    let (squares, flood) = (test.squares(&[(2, 2), (2, 4)]), test.flood(&boxes, test.board.player()));
    let position = position(&test, &boxes, &squares, &flood);
    let only = |sq| Scripted { prune: Prune::Only(vec![sq]), immovable: vec![sq], ..Scripted::silent() };
    let all = |sq| Scripted { immovable: vec![sq], ..Scripted::silent() };
    let dead = |is_dead| Scripted { is_dead, prune: Prune::Dead, ..Scripted::silent() };
    let made = |tests: Vec<Scripted>| {
        with_tests(&test, tests.into_iter().map(|test| Box::new(test) as Box<dyn DeadlockTest>).collect())
    };
    let mut library = made(vec![all(one), only(other), only(one)]);
    for _ in 0..2 {
        assert_eq!(library.prune(&test.board, &position), Prune::Only(vec![other]));
        assert_eq!(library.immovable(), [one, other]);
        assert_eq!(library.restrict(&test.board, &position), Prune::Only(vec![other]));
        assert_eq!(library.immovable(), [one, other]);
    }
    let mut library = made(vec![only(one), dead(true)]);
    assert_eq!(library.prune(&test.board, &position), Prune::Dead);
    assert!(library.immovable().is_empty());
    assert_eq!(library.restrict(&test.board, &position), Prune::Only(vec![one]), "without proofs");
    let mut library = made(vec![Scripted::silent(), dead(false), only(one)]);
    assert_eq!(library.prune(&test.board, &position), Prune::Dead, "a restriction may say so as well");
    let mut library = made(vec![all(one), Scripted::silent()]);
    assert_eq!(
        [library.prune(&test.board, &position), library.restrict(&test.board, &position)],
        [Prune::All, Prune::All]
    );
    assert_eq!(library.immovable(), [one]);
}

/// Areas are found for closed positions if a test reads them, and are none for the next position that is open.
#[test]
fn enclosed_areas_are_found_for_tests_that_read_them() {
    let test = TestBoard::new(&ROOMS);
    let (in_door, aside) = ([(2, 4)], [(2, 2)]);
    let right: Vec<FloorSquare> =
        test.squares(&[(1, 5), (1, 6), (1, 7), (2, 5), (2, 6), (2, 7), (3, 5), (3, 6), (3, 7)]);
    for reads_areas in [true, false] {
        let mut library = DeadlockLibrary { reads_areas, ..with_tests(&test, vec![Box::new(FirstArea)]) };
        for (places, is_closed) in [(&in_door[..], true), (&aside[..], false), (&in_door[..], true)] {
            let (boxes, squares) = (test.set(places), test.squares(places));
            let flood = test.flood(&boxes, test.sq(1, 1));
            let position = FloodedPosition::new(boxes.view(), &squares, test.sq(1, 1), &flood);
            for prune in [library.prune(&test.board, &position), library.restrict(&test.board, &position)] {
                let prune = match prune {
                    Prune::Only(mut squares) => {
                        squares.sort_unstable();
                        Prune::Only(squares)
                    }
                    other => other,
                };
                let expect = if is_closed && reads_areas { Prune::Only(right.clone()) } else { Prune::All };
                assert_eq!(prune, expect, "{reads_areas} {places:?}");
            }
            assert_eq!(library.areas.len(), usize::from(is_closed && reads_areas));
        }
        // Nothing is beyond reach: areas are not looked for.
        let boxes = test.set(&[]);
        let flood = test.flood(&boxes, test.sq(1, 1));
        library.label(&test.board, &FloodedPosition::new(boxes.view(), &[], test.sq(1, 1), &flood));
        assert_eq!(library.areas.len(), 0);
    }
}

/// The tests of each kind of search by pushes, and whether it learns; by pulls nothing is learned.
#[test]
fn each_search_has_tests_of_its_own() {
    let test = TestBoard::new(&HALL);
    let made = |direction| {
        searches().map(|search| {
            let library = DeadlockLibrary::new(&test.parts(search, direction));
            (library.tests.len(), library.reads_areas, library.learner.is_some())
        })
    };
    let forward = made(SearchDirection::Forward);
    assert_eq!(forward, [(4, true, true), (3, false, true), (4, true, true)]);
    assert!(made(SearchDirection::Backward).iter().all(|&(_, _, learns)| !learns));
}
