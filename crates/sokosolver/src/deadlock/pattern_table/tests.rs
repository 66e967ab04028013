//! The tables against common sense on small boards.

use hashbrown::HashSet;
use sokocore::{FloorSquare, Level};

use crate::board::tests::{TestBoard, meter_within};
use crate::deadlock::pattern_table::*;

fn meter() -> WorkMeter {
    meter_within(1 << 28)
}

/// Makes the tables of a board.
pub(crate) fn patterns(board: &SearchBoard, direction: SearchDirection) -> PatternTable {
    let mut meter = meter();
    let mut maker = PatternMaker::new(board, direction, &Settings::default());
    maker.resume(&mut meter).unwrap();
    maker.finish(board, &meter)
}

#[test]
fn two_boxes_side_by_side_at_a_wall_are_dead() {
    let level = Level::parse("#########\n#.      #\n#  $ $ .#\n#   @   #\n# .   $ #\n#########").unwrap();
    let board = SearchBoard::new(&level).unwrap();
    let table = patterns(&board, SearchDirection::Forward);
    let sq = |row, column| board.number(level.board().square_at(row, column).unwrap());
    let at_wall = SearchBoard::set::<2>(&[sq(1, 4), sq(1, 5)]);
    let apart = SearchBoard::set::<2>(&[sq(1, 4), sq(2, 5)]);
    assert!(table.is_dead(at_wall.view(), sq(1, 4), 2));
    assert!(!table.is_dead(apart.view(), sq(1, 4), 2));
}

/// Three boxes in a square block: the fourth corner is wall.
#[test]
fn three_boxes_around_a_pillar_are_dead() {
    let level =
        Level::parse("##########\n#.      .#\n#   $    #\n#  $ # $ #\n#  @     #\n#.       #\n##########").unwrap();
    let board = SearchBoard::new(&level).unwrap();
    let table = patterns(&board, SearchDirection::Forward);
    let sq = |row, column| board.number(level.board().square_at(row, column).unwrap());
    let boxes = SearchBoard::set::<2>(&[sq(2, 4), sq(2, 5), sq(3, 4)]);
    assert!(table.is_dead(boxes.view(), sq(2, 4), 0));
    assert!(!table.is_dead(SearchBoard::set::<2>(&[sq(2, 4), sq(2, 5)]).view(), sq(2, 4), 0));
}

/// Backward: the box that starts at the lower wall never left it, so only the other one can have been above.
#[test]
fn pulls_have_dead_patterns_of_their_own() {
    let level = Level::parse("########\n#      #\n#  $   #\n#      #\n# . .$@#\n########").unwrap();
    let board = SearchBoard::new(&level).unwrap();
    let (pulled, pushed) = (patterns(&board, SearchDirection::Backward), patterns(&board, SearchDirection::Forward));
    let sq = |row, column| board.number(level.board().square_at(row, column).unwrap());
    let above = SearchBoard::set::<2>(&[sq(2, 2), sq(2, 4)]);
    let beside = SearchBoard::set::<2>(&[sq(4, 3), sq(2, 4)]);
    for side in 0..4 {
        assert!(pulled.is_dead(above.view(), sq(2, 4), side), "{side}");
        assert!(!pulled.is_dead(beside.view(), sq(2, 4), side), "{side}");
        assert!(!pushed.is_dead(above.view(), sq(2, 4), side), "{side}");
    }
}

/// The same with two boxes that start above: three cannot be there, though any two of them can.
#[test]
fn pulls_have_dead_triples_without_dead_pairs() {
    let level = Level::parse("#########\n#       #\n# $ $   #\n#   @   #\n# ... $ #\n#########").unwrap();
    let board = SearchBoard::new(&level).unwrap();
    let (pulled, pushed) = (patterns(&board, SearchDirection::Backward), patterns(&board, SearchDirection::Forward));
    let sq = |row, column| board.number(level.board().square_at(row, column).unwrap());
    let (left, middle, right) = (sq(2, 2), sq(2, 4), sq(2, 6));
    for side in 0..4 {
        let is_dead = |table: &PatternTable, squares: &[FloorSquare]| {
            table.is_dead(SearchBoard::set::<2>(squares).view(), middle, side)
        };
        assert!(is_dead(&pulled, &[left, middle, right]), "{side}");
        assert!(!is_dead(&pulled, &[left, middle]) && !is_dead(&pulled, &[middle, right]), "{side}");
        assert!(!is_dead(&pushed, &[left, middle, right]), "{side}");
    }
}

/// A slice may end anywhere: the tables come out the same.
#[test]
fn the_making_can_be_paused() {
    let level = Level::parse("#########\n#.      #\n#  $ $ .#\n#   @   #\n# .   $ #\n#########").unwrap();
    let board = SearchBoard::new(&level).unwrap();
    let whole = patterns(&board, SearchDirection::Forward);
    let mut meter = meter();
    let mut maker = PatternMaker::new(&board, SearchDirection::Forward, &Settings::default());
    let mut n_slices = 0;
    meter.start_slice(100);
    while maker.resume(&mut meter).is_err() {
        meter.start_slice(100);
        n_slices += 1;
    }
    let paused: PatternTable = maker.finish(&board, &meter);
    assert!(n_slices > 10);
    assert_eq!((whole.pairs, whole.triples), (paused.pairs, paused.triples));
}

/// On a board whose sets take two words, the table has the pairs that the search found, for every side with the player.
#[test]
fn a_table_of_two_words_has_the_pairs_of_the_search() {
    let rows = [
        "############",
        "#.        .#",
        "#  #    #  #",
        "#          #",
        "#   $  $   #",
        "#@  $  $   #",
        "#          #",
        "#  #    #  #",
        "#.        .#",
        "############",
    ];
    let test = TestBoard::new(&rows);
    let (board, direction) = (&test.board, SearchDirection::Forward);
    assert_eq!((board.n_live(), board.n_words()), (76, 2));
    let mut meter = meter();
    let settings = Settings::default().without(Technique::Triples);
    let mut maker = PatternMaker::new(board, direction, &settings);
    maker.resume(&mut meter).unwrap();
    let table = maker.finish(board, &meter);
    assert_eq!(meter.memory().used(), 2 * 76 * 4 * 2 * 8, "singles and pairs");
    let mut dead: HashSet<(FloorSquare, usize, FloorSquare)> = HashSet::new();
    for size in [1, 2] {
        let mut search = board.pattern_search(direction, size);
        search.resume(|| Ok::<(), ()>(())).unwrap();
        search.each_dead(|squares, moved, side| {
            _ = dead.insert((squares[moved], side.idx(), squares[size - 1 - moved]));
        });
    }
    let is_pair = |is_high: bool| dead.iter().any(|(one, _, other)| one != other && (one.idx() >= 64) == is_high);
    assert!(is_pair(false) && is_pair(true), "both words have some");
    for (one, other) in board.live_squares().flat_map(|one| board.live_squares().map(move |other| (one, other))) {
        let boxes = SearchBoard::set::<2>(&[one, other]);
        for side in 0..4 {
            let expect = [other, one].iter().any(|&other| dead.contains(&(one, side, other)));
            assert_eq!(table.is_dead(boxes.view(), one, side), expect, "{one} {side} {other}");
        }
    }
}

/// Four sides of each square have a set of second squares, and as many sets of third squares as there are squares.
#[test]
fn tables_are_charged_by_their_sets() {
    let test = TestBoard::new(&["########", "#.    .#", "#  $$  #", "#  $@. #", "########"]);
    let n_live = test.board.n_live() as u64;
    let made = |settings: &Settings, bytes: u64| {
        let mut meter = meter_within(bytes);
        let mut maker = PatternMaker::new(&test.board, SearchDirection::Forward, settings);
        maker.resume(&mut meter).unwrap();
        let table = maker.finish(&test.board, &meter);
        (meter.memory().used(), [table.pairs.len() as u64, table.triples.len() as u64])
    };
    let (settings, sets) = (Settings::default(), n_live * 4);
    let all = 2 * sets * 8 + sets * n_live * 8;
    assert_eq!(made(&settings, 1 << 28), (all, [sets, sets * n_live]));
    assert_eq!(made(&settings, all), (all, [sets, sets * n_live]));
    assert_eq!(made(&settings, all - 1), (2 * sets * 8, [sets, 0]), "without triples, for lack of memory");
    assert_eq!(made(&settings, 2 * sets * 8 - 1), (sets * 8, [0, 0]));
    assert_eq!(made(&settings.clone().without(Technique::Triples), 1 << 28), (2 * sets * 8, [sets, 0]));
    assert_eq!(made(&settings.without(Technique::Pairs), 1 << 28), (sets * 8, [0, 0]));
}
