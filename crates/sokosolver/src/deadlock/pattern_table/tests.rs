//! The tables against common sense on small boards.

use crate::deadlock::pattern_table::*;
use sokocore::{FloorSquare, Level};
use sokosearch::{Budget, Cancel, MemoryAccount};

fn meter() -> WorkMeter {
    WorkMeter::new(Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default()), Cancel::default())
}

fn patterns(board: &SearchBoard, direction: SearchDirection) -> PatternTable {
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
