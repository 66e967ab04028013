//! The means of feature space search, each on a level of our own: what it solves with them and not without.
//!
//! The levels were planted at random, then chosen. Limits are at least five times the ticks that it takes with them.

use super::*;

/// Two rooms and a passage with goals at its end.
const STORE: &[&str] = &[
    "########", "###  . #", "### $$ #", "###..  #", "# $ $* #", "#   .###", "#  #####", "#$ #####", "#+*#####",
    "########",
];

/// Boxes and goals side by side.
const CROWD: &[&str] = &["#######", "# .*###", "# $   #", "# . $.#", "# $.$ #", "#  $+##", "#######"];

/// Goals in a passage between two halls.
const PASSAGE: &[&str] = &[
    "#########",
    "###   ###",
    "### $ ###",
    "##      #",
    "##*.$ $+#",
    "#    ..##",
    "# $ #####",
    "# $.#####",
    "#  ######",
    "#########",
];

const ONE_PLAN: &[&Variant] = &[Variant::PLAN];
const PLANS: &[&Variant] = &[Variant::PLAN, Variant::PLAN_DICE, Variant::PLAN_SHORT, Variant::PLAN_LONG];

/// How many positions it takes to solve a level within so many ticks, if it is.
fn nodes(rows: &[&str], variants: &'static [&'static Variant], ticks: u64) -> Option<u64> {
    let level = Level::parse(&rows.join("\n")).unwrap();
    let mut effort = effort(64);
    effort.start_slice(ticks);
    let mut search = fess("fess", &level, &Settings::default(), variants, &mut effort).unwrap();
    let verdict = search.resume(&mut effort);
    let n_nodes = search.n_nodes();
    println!("{} strategies, {} ticks, {n_nodes} positions: {}", variants.len(), effort.ticks(), verdict.is_ok());
    match verdict {
        Ok(Verdict::Solved(pushes)) => {
            assert!(replay(&level, &moves_of(&level, &pushes).unwrap()).is_ok());
            Some(n_nodes)
        }
        other => {
            assert_eq!(other, Err(Stop::Work));
            None
        }
    }
}

/// The next cell in turn, not the best leap of all: 119 positions.
#[test]
fn cells_solve_what_one_queue_does_not() {
    assert!(nodes(STORE, ONE_PLAN, 10_000).is_some_and(|nodes| nodes < 300));
    HAS_CELLS.set(false);
    let one_queue = nodes(STORE, ONE_PLAN, 100_000);
    HAS_CELLS.set(true);
    assert_eq!(one_queue, None);
}

/// Trees of pushes and of pulls meet after 31 positions; each for itself has to go all the way.
#[test]
fn trees_that_meet_solve_what_they_do_not_alone() {
    assert!(nodes(CROWD, Variant::ALL, 5_000).is_some_and(|nodes| nodes < 100));
    HAS_PERIMETER.set(false);
    let apart = nodes(CROWD, Variant::ALL, 50_000);
    HAS_PERIMETER.set(true);
    assert_eq!(apart, None);
}

/// One strategy pushes from the start, the other pulls from the goals: the first tree of the one meets the first of the
/// other.
#[test]
fn trees_of_different_strategies_meet() {
    const TEAM: &[&Variant] = &[Variant::REVERSE, Variant::NEAR];
    let together = nodes(CROWD, TEAM, 20_000).unwrap();
    assert_eq!(MET.get(), Some([1, 2]));
    HAS_PERIMETER.set(false);
    let apart = nodes(CROWD, TEAM, 100_000);
    HAS_PERIMETER.set(true);
    assert!(apart.is_none_or(|apart| apart > 5 * together), "{together} {apart:?}");
}

/// Four plans in turns are done before the first of them would be by itself.
#[test]
fn several_plans_solve_what_one_does_not() {
    assert!(nodes(PASSAGE, PLANS, 40_000).is_some());
    assert_eq!(nodes(PASSAGE, ONE_PLAN, 200_000), None);
}

/// So are all strategies.
#[test]
fn several_strategies_solve_what_one_does_not() {
    assert!(nodes(PASSAGE, Variant::ALL, 40_000).is_some());
    assert_eq!(nodes(PASSAGE, ONE_PLAN, 200_000), None);
}
