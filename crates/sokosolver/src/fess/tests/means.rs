//! The techniques of feature space search, each on a level of our own: what it solves with them and not without.
//!
//! The levels were planted at random, then chosen. Limits are at least five times the ticks that it takes with them.

use super::*;
use crate::fess::known_positions::KnownPositions;
use crate::fess::tree::cells::CellRule;

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

const ONE_PLAN: &[&FessVariant] = &[FessVariant::PLAN];
const PLANS: &[&FessVariant] =
    &[FessVariant::PLAN, FessVariant::PLAN_DICE, FessVariant::PLAN_SHORT, FessVariant::PLAN_LONG];

/// A technique that a search goes without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Without {
    Nothing,
    Cells,
    Meetings,
}

/// Returns how many positions it takes to solve a level within so many ticks, if it is solved, and which searches met.
fn run(
    rows: &[&str],
    variants: &'static [&'static FessVariant],
    without: Without,
    ticks: u64,
) -> Option<(u64, Option<[u16; 2]>)> {
    let level = Level::parse(&rows.join("\n")).unwrap();
    let mut search_meter = meter(64);
    search_meter.start_slice(ticks);
    let tables = Arc::new(LevelTables::within(&level, &mut search_meter).unwrap().unwrap());
    let mut search = Fess::<2>::new("fess", tables, &Settings::default(), variants, &mut search_meter).unwrap();
    search.prepare(&mut search_meter).unwrap();
    let FessState::Worker(worker) = &mut search.state else { panic!("the tables are made") };
    match without {
        Without::Nothing => {}
        Without::Cells => worker.shared.cell_rule = CellRule::OneCell,
        // Without memory no position is known.
        Without::Meetings => *worker.shared.known_positions.lock() = KnownPositions::new(&meter(0)),
    }
    let verdict = search.resume(&mut search_meter);
    let n_nodes = search.n_nodes();
    println!("{} variants, {} ticks, {n_nodes} positions: {}", variants.len(), search_meter.ticks(), verdict.is_ok());
    match verdict {
        Ok(Verdict::Solved(pushes)) => {
            assert!(replay(&level, &moves_of(&level, &pushes).unwrap()).is_ok());
            let FessState::Worker(worker) = &search.state else { panic!("the search has a worker") };
            Some((n_nodes, worker.met))
        }
        other => {
            assert_eq!(other, Err(Stop::Work));
            None
        }
    }
}

/// Returns how many positions it takes to solve a level within so many ticks, if it is solved.
fn nodes(rows: &[&str], variants: &'static [&'static FessVariant], ticks: u64) -> Option<u64> {
    run(rows, variants, Without::Nothing, ticks).map(|(n_nodes, _)| n_nodes)
}

/// Cells in turn, not the best macro move of all: 119 positions.
#[test]
fn cells_solve_what_one_queue_does_not() {
    assert!(nodes(STORE, ONE_PLAN, 10_000).is_some_and(|nodes| nodes < 300));
    assert_eq!(run(STORE, ONE_PLAN, Without::Cells, 100_000), None);
}

/// Searches by pushes and by pulls meet after 31 positions; each of them alone has to reach the other end.
#[test]
fn trees_that_meet_solve_what_they_do_not_alone() {
    assert!(nodes(CROWD, FessVariant::ALL, 5_000).is_some_and(|nodes| nodes < 100));
    assert_eq!(run(CROWD, FessVariant::ALL, Without::Meetings, 50_000), None);
}

/// One variant pushes from the start, the other pulls from the goals: the first searches of both meet.
#[test]
fn trees_of_different_strategies_meet() {
    const PAIR: &[&FessVariant] = &[FessVariant::REVERSE, FessVariant::NEAR];
    let (together, met) = run(CROWD, PAIR, Without::Nothing, 20_000).unwrap();
    assert_eq!(met, Some([1, 2]));
    let apart = run(CROWD, PAIR, Without::Meetings, 100_000);
    assert!(apart.is_none_or(|(apart, _)| apart > 5 * together), "{together} {apart:?}");
}

/// Four plans in turns solve it before the first of them would alone.
#[test]
fn several_plans_solve_what_one_does_not() {
    assert!(nodes(PASSAGE, PLANS, 40_000).is_some());
    assert_eq!(nodes(PASSAGE, ONE_PLAN, 200_000), None);
}

/// So do all variants.
#[test]
fn several_variants_solve_what_one_does_not() {
    assert!(nodes(PASSAGE, FessVariant::ALL, 40_000).is_some());
    assert_eq!(nodes(PASSAGE, ONE_PLAN, 200_000), None);
}
