//! How orders are made, and the scores that follow from them.

use std::sync::Arc;

use sokocore::FloorSquare;

use super::*;
use crate::board::BoxShift;
use crate::deadlock::freeze::Freeze;
use crate::packing::order::{OrderOrigin, OrderTarget, PackingOrder};
use crate::packing::order_maker::OrderMaker;
use crate::packing::phase::after_leaving;
use crate::packing::score::{Inherited, Scorer};
use crate::packing::variant::OrderRules;

/// An order with the goals of the hall and two parkings: phases 5 and 4 are parkings, for phases 2 and 3.
fn made_order(level: &Level, tables: &LevelTables) -> PackingOrder {
    let target = |row, column, phase, parked_for| OrderTarget { sq: at(level, tables, row, column), phase, parked_for };
    let targets =
        vec![target(3, 4, 2, 0), target(3, 5, 3, 0), target(2, 2, 5, 2), target(2, 7, 4, 3), target(4, 4, 1, 0)];
    PackingOrder::new(tables, targets, OrderOrigin::ReverseGame)
}

#[test]
fn a_phase_falls_back_when_a_box_leaves_a_target_too_early() {
    let (level, tables) = tables(HALL);
    let order = made_order(&level, &tables);
    let sq = |row, column| at(&level, &tables, row, column);
    assert_eq!(after_leaving(&order, 4, sq(2, 2)), 5, "parked for phase 2");
    assert_eq!(after_leaving(&order, 3, sq(2, 2)), 5, "parked for phase 2");
    assert_eq!(after_leaving(&order, 2, sq(2, 2)), 2, "released");
    assert_eq!(after_leaving(&order, 3, sq(2, 7)), 3, "released");
    assert_eq!(after_leaving(&order, 2, sq(3, 5)), 3, "a goal never is");
    assert_eq!(after_leaving(&order, 1, sq(3, 5)), 3, "a goal never is");
    assert_eq!(after_leaving(&order, 3, sq(3, 4)), 3, "it was not its time yet");
    assert_eq!(after_leaving(&order, 3, sq(1, 1)), 3, "no target at all");
}

#[test]
fn boxes_are_parked_from_their_phase_until_that_of_their_release() {
    let (level, tables) = tables(HALL);
    let order = made_order(&level, &tables);
    let sq = |row, column| at(&level, &tables, row, column);
    let parkings = |phase| order.parkings(phase).collect::<Vec<FloorSquare>>();
    assert_eq!(parkings(5), [sq(2, 2)]);
    assert_eq!(parkings(4), [sq(2, 2), sq(2, 7)]);
    assert_eq!(parkings(3), [sq(2, 2)], "the other one was parked for this phase");
    assert_eq!(parkings(2), []);
    // A parked box adds no distance; beside the parking square it does.
    let score = |at| {
        let inherited = Inherited { phase: 4, depth: 1, n_useful: 0, is_premature: false };
        let boxes = state(&tables, &[at, sq(3, 5)]);
        Scorer::default().score(&tables, &order, &boxes, &mut Freeze::default(), inherited, None).value
    };
    assert!(tables.nearest(sq(2, 2)) > 0);
    assert_eq!(score(sq(2, 3)) - score(sq(2, 2)), i32::from(tables.nearest(sq(2, 3))));
}

#[test]
fn scores_reward_filled_targets_and_pushes_toward_them() {
    let (level, tables) = tables(HALL);
    let order = made_order(&level, &tables);
    let sq = |row, column| at(&level, &tables, row, column);
    let score = |boxes: &[FloorSquare], from, to| {
        let inherited = Inherited { phase: 5, depth: 1, n_useful: 0, is_premature: false };
        Scorer::default().score(
            &tables,
            &order,
            &state(&tables, boxes),
            &mut Freeze::default(),
            inherited,
            Some(BoxShift { from, to }),
        )
    };
    let nearer = score(&[sq(2, 3), sq(2, 5)], sq(2, 4), sq(2, 3));
    let farther = score(&[sq(2, 5), sq(2, 6)], sq(2, 5), sq(2, 6));
    assert!(nearer.value < farther.value && nearer.n_useful == 1 && farther.n_useful == 0);
    assert_eq!((nearer.phase, farther.phase), (5, 5));
    let filled = score(&[sq(2, 2), sq(2, 5)], sq(2, 3), sq(2, 2));
    assert!(filled.phase == 4 && filled.value < nearer.value - 20);
}

/// Makes an order in slices; returns how many it took, too.
fn made(tables: &LevelTables, rules: OrderRules, slice: u64) -> (Arc<PackingOrder>, usize) {
    let (mut maker, mut meter, mut n_slices) = (OrderMaker::new(tables, rules), meter(), 1);
    meter.start_slice(slice);
    loop {
        match maker.step(tables, &mut meter) {
            Ok(Some(order)) => return (order, n_slices),
            Ok(None) => {}
            Err(stop) => {
                assert_eq!(stop, Stop::Work);
                assert!(meter.ticks() < 1 << 30, "an order takes forever");
                meter.start_slice(slice);
                n_slices += 1;
            }
        }
    }
}

#[test]
fn an_order_is_the_same_made_at_once_or_in_slices() {
    let level = Level::parse(WAREHOUSE).unwrap();
    let tables = LevelTables::new(&level).unwrap();
    for rules in [OrderRules::All, OrderRules::NoSmallArea, OrderRules::NoSeeAll, OrderRules::NoParking] {
        let (at_once, in_slices) = (made(&tables, rules, u64::MAX), made(&tables, rules, 1));
        assert_eq!(at_once.0.targets(), in_slices.0.targets());
        assert!(at_once.1 == 1 && in_slices.1 > 1, "{rules:?} {}", in_slices.1);
    }
}

#[test]
fn the_order_of_a_level_with_fourteen_parkings_is_the_one_on_record() {
    use std::io::Write as _;
    let Some(levels) = xsokoban() else {
        let _ = writeln!(std::io::stderr(), "skipped: no XSokoban levels; set SOKO_LEVELS");
        return;
    };
    let tables = LevelTables::new(&levels[49]).unwrap();
    let order = made(&tables, OrderRules::All, u64::MAX).0;
    let phases: Vec<u16> = order.targets().iter().map(|target| target.phase).collect();
    assert_eq!(phases[..16], [6, 4, 3, 2, 1, 11, 8, 7, 5, 15, 13, 9, 12, 15, 14, 10]);
    assert_eq!(phases[16..], [18, 21, 20, 18, 19, 17, 19, 19, 18, 17, 17, 16, 16, 16]);
    let parked_for: Vec<u16> = order.targets()[16..].iter().map(|target| target.parked_for).collect();
    assert_eq!(parked_for, (1..=14).collect::<Vec<u16>>());
    assert_eq!((order.origin(), order.n_phases()), (OrderOrigin::ReverseGame, 21));
}
