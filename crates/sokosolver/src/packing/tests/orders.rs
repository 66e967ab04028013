//! How orders are made, and what they make of a position.

use std::sync::Arc;

use super::*;
use crate::deadlock::box_freeze::Freeze;
use crate::packing::order::{Making, Order, Target};
use crate::packing::order_maker::OrderMaker;
use crate::packing::phase::after_leaving;
use crate::packing::score::{Judge, Lineage};
use crate::packing::variant::Plan;

/// An order with the goals of the hall and two parkings: phases 5 and 4 are parkings, for phases 2 and 3.
fn made_order(level: &Level, yard: &LevelTables) -> Order {
    let target = |row, column, phase, parked_for| Target { sq: at(level, yard, row, column), phase, parked_for };
    let targets =
        vec![target(3, 4, 2, 0), target(3, 5, 3, 0), target(2, 2, 5, 2), target(2, 7, 4, 3), target(4, 4, 1, 0)];
    Order::new(yard, targets, Making::Played)
}

#[test]
fn a_phase_falls_back_when_a_target_is_left_without_license() {
    let (level, yard) = yard(HALL);
    let order = made_order(&level, &yard);
    let sq = |row, column| at(&level, &yard, row, column);
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
    let (level, yard) = yard(HALL);
    let order = made_order(&level, &yard);
    let sq = |row, column| at(&level, &yard, row, column);
    let parkings = |phase| order.parkings(phase).collect::<Vec<u16>>();
    assert_eq!(parkings(5), [sq(2, 2)]);
    assert_eq!(parkings(4), [sq(2, 2), sq(2, 7)]);
    assert_eq!(parkings(3), [sq(2, 2)], "the other one was parked for this phase");
    assert_eq!(parkings(2), []);
    // One that waits has no way to go; beside the parking it has.
    let judge = |at| {
        let lineage = Lineage { phase: 4, depth: 1, n_free: 0, is_premature: false };
        let boxes = field(&yard, &[at, sq(3, 5)]);
        Judge::default().judge(&yard, &order, &boxes, &mut Freeze::default(), lineage, None).score
    };
    assert!(yard.nearest(sq(2, 2)) > 0);
    assert_eq!(judge(sq(2, 3)) - judge(sq(2, 2)), i32::from(yard.nearest(sq(2, 3))));
}

#[test]
fn scores_reward_filled_targets_and_the_way_to_them() {
    let (level, yard) = yard(HALL);
    let order = made_order(&level, &yard);
    let sq = |row, column| at(&level, &yard, row, column);
    let judge = |boxes: &[u16], from, to| {
        let lineage = Lineage { phase: 5, depth: 1, n_free: 0, is_premature: false };
        Judge::default().judge(&yard, &order, &field(&yard, boxes), &mut Freeze::default(), lineage, Some((from, to)))
    };
    let nearer = judge(&[sq(2, 3), sq(2, 5)], sq(2, 4), sq(2, 3));
    let farther = judge(&[sq(2, 5), sq(2, 6)], sq(2, 5), sq(2, 6));
    assert!(nearer.score < farther.score && nearer.n_free == 1 && farther.n_free == 0);
    assert_eq!((nearer.phase, farther.phase), (5, 5));
    let filled = judge(&[sq(2, 2), sq(2, 5)], sq(2, 3), sq(2, 2));
    assert!(filled.phase == 4 && filled.score < nearer.score - 20);
}

/// Makes the order of a plan in slices; returns how many it took, too.
fn made(yard: &LevelTables, plan: Plan, slice: u64) -> (Arc<Order>, usize) {
    let (mut maker, mut effort, mut n_slices) = (OrderMaker::new(yard, plan), effort(), 1);
    effort.start_slice(slice);
    loop {
        match maker.step(yard, &mut effort) {
            Ok(Some(order)) => return (order, n_slices),
            Ok(None) => {}
            Err(stop) => {
                assert_eq!(stop, Stop::Work);
                assert!(effort.ticks() < 1 << 30, "an order takes forever");
                effort.start_slice(slice);
                n_slices += 1;
            }
        }
    }
}

#[test]
fn an_order_is_the_same_made_at_once_or_in_slices() {
    let level = Level::parse(WAREHOUSE).unwrap();
    let yard = LevelTables::new(&level).unwrap();
    for plan in [Plan::Full, Plan::Roomy, Plan::Early, Plan::Peeling] {
        let (at_once, in_slices) = (made(&yard, plan, u64::MAX), made(&yard, plan, 1));
        assert_eq!(at_once.0.targets(), in_slices.0.targets());
        assert!(at_once.1 == 1 && in_slices.1 > 1, "{plan:?} {}", in_slices.1);
    }
}

#[test]
fn the_order_of_a_level_with_fourteen_parkings_is_the_one_on_record() {
    use std::io::Write as _;
    let Some(levels) = xsokoban() else {
        let _ = writeln!(std::io::stderr(), "skipped: no XSokoban levels; set SOKO_LEVELS");
        return;
    };
    let yard = LevelTables::new(&levels[49]).unwrap();
    let order = made(&yard, Plan::Full, u64::MAX).0;
    let phases: Vec<u16> = order.targets().iter().map(|target| target.phase).collect();
    assert_eq!(phases[..16], [6, 4, 3, 2, 1, 11, 8, 7, 5, 15, 13, 9, 12, 15, 14, 10]);
    assert_eq!(phases[16..], [18, 21, 20, 18, 19, 17, 19, 19, 18, 17, 17, 16, 16, 16]);
    let parked_for: Vec<u16> = order.targets()[16..].iter().map(|target| target.parked_for).collect();
    assert_eq!(parked_for, (1..=14).collect::<Vec<u16>>());
    assert_eq!((order.making(), order.n_phases()), (Making::Played, 21));
}
