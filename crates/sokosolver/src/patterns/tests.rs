//! The tables against common sense on small boards.

use super::*;
use sokocore::Level;
use sokosearch::{Budget, Cancel, MemoryAccount};

fn effort() -> Effort {
    Effort::new(Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default()), Cancel::default())
}

fn patterns(ground: &Ground, way: Way) -> Patterns<1> {
    let mut effort = effort();
    let mut maker = PatternMaker::new(ground, way, &Settings::default());
    maker.go_on(&mut effort).unwrap();
    maker.finish(ground, &effort)
}

#[test]
fn two_boxes_side_by_side_at_a_wall_are_dead() {
    let level = Level::parse("#########\n#.      #\n#  $ $ .#\n#   @   #\n# .   $ #\n#########").unwrap();
    let ground = Ground::new(&level).unwrap();
    let table = patterns(&ground, Way::Forward);
    let sq = |row, column| ground.number(level.board().square_at(row, column).unwrap());
    let at_wall = Ground::set(&[sq(1, 4), sq(1, 5)]);
    let apart = Ground::set(&[sq(1, 4), sq(2, 5)]);
    assert!(table.is_dead(&at_wall, sq(1, 4), 2));
    assert!(!table.is_dead(&apart, sq(1, 4), 2));
}

/// Three boxes in a square block: the fourth corner is wall.
#[test]
fn three_boxes_around_a_pillar_are_dead() {
    let level =
        Level::parse("##########\n#.      .#\n#   $    #\n#  $ # $ #\n#  @     #\n#.       #\n##########").unwrap();
    let ground = Ground::new(&level).unwrap();
    let table = patterns(&ground, Way::Forward);
    let sq = |row, column| ground.number(level.board().square_at(row, column).unwrap());
    let boxes = Ground::set(&[sq(2, 4), sq(2, 5), sq(3, 4)]);
    assert!(table.is_dead(&boxes, sq(2, 4), 0));
    assert!(!table.is_dead(&Ground::set(&[sq(2, 4), sq(2, 5)]), sq(2, 4), 0));
}

/// Backward: a box in the tunnel's end with the player outside cannot be pulled out of another's way.
#[test]
fn pulls_have_dead_patterns_of_their_own() {
    let level = Level::parse("#########\n#  $ $ .#\n#@ #### #\n#      .#\n#########").unwrap();
    let Some(ground) = Ground::new(&level) else { return };
    let table = patterns(&ground, Way::Backward);
    let starts = Ground::set::<1>(ground.starts());
    let alive =
        |sq: u16| (0..4).any(|side| ground.step(sq, side) != ground.wall() && !table.is_dead(&starts, sq, side));
    assert!(ground.starts().iter().any(|&sq| alive(sq)));
}

/// A slice may end anywhere: the tables come out the same.
#[test]
fn the_making_can_be_paused() {
    let level = Level::parse("#########\n#.      #\n#  $ $ .#\n#   @   #\n# .   $ #\n#########").unwrap();
    let ground = Ground::new(&level).unwrap();
    let whole = patterns(&ground, Way::Forward);
    let mut effort = effort();
    let mut maker = PatternMaker::new(&ground, Way::Forward, &Settings::default());
    let mut n_slices = 0;
    effort.start_slice(100);
    while maker.go_on(&mut effort).is_err() {
        effort.start_slice(100);
        n_slices += 1;
    }
    let paused: Patterns<1> = maker.finish(&ground, &effort);
    assert!(n_slices > 10);
    assert_eq!((whole.pairs, whole.triples), (paused.pairs, paused.triples));
}
