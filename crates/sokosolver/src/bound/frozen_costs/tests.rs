//! Costs around frozen boxes, and the cache of their tables.

use crate::board::DistanceRow;
use crate::board::tests::{TestBoard, meter_within};
use crate::bound::frozen_costs::*;
use crate::bound::matching::Matching;
use crate::deadlock::freeze;

/// Two goals below a hall.
const HALL: [&str; 7] = ["########", "#      #", "#   $  #", "#   #$ #", "#     @#", "#..#####", "########"];

fn frozen_costs(test: &TestBoard, meter: &WorkMeter) -> FrozenCosts<2> {
    FrozenCosts::new(Arc::new(CostTable::new(&test.board, test.board.to_goals())), None, meter)
}

/// The frozen box blocks the corridor to the last goal: no matching, though the plain distances have one.
#[test]
fn a_frozen_box_makes_a_goal_unreachable() {
    let test = TestBoard::new(&["#########", "#.*  @  #", "####  $ #", "####    #", "#########"]);
    let mut costs = frozen_costs(&test, &test.meter);
    let boxes = test.set(&[(1, 2), (1, 4)]);
    assert_eq!(freeze::frozen(&test.board, &boxes), BitSet::default(), "it can still be pushed on");
    let mut least = |boxes: &[(usize, usize)], frozen: &[(usize, usize)]| {
        let costs = costs.around(&test.board, &test.set(frozen));
        Matching::new(2).solve(&costs, test.set(boxes).iter().map(DistanceRow::from))
    };
    assert_eq!(least(&[(1, 2), (1, 4)], &[]), Some(3));
    assert_eq!(least(&[(1, 2), (1, 4)], &[(1, 2)]), None);
    assert_eq!(least(&[(1, 1), (1, 4)], &[(1, 1)]), Some(2));
}

/// Without frozen boxes, or without memory, the distances are those of the empty board, and nothing is counted.
#[test]
fn nothing_frozen_takes_the_plain_distances() {
    let test = TestBoard::new(&HALL);
    let frozen = test.set(&[(5, 1)]);
    let mut costs = frozen_costs(&test, &test.meter);
    let base = costs.base.clone();
    assert!(Arc::ptr_eq(&costs.around(&test.board, &BitSet::default()), &base));
    assert_eq!((costs.tables.len(), costs.bytes, costs.last.is_none()), (0, 0, true));
    assert!(!Arc::ptr_eq(&costs.around(&test.board, &frozen), &base));
    let poor = meter_within((8 << 20) - 1);
    let mut costs = frozen_costs(&test, &poor);
    let base = costs.base.clone();
    assert!(Arc::ptr_eq(&costs.around(&test.board, &frozen), &base));
    let enough = meter_within(8 << 20);
    let _costs = frozen_costs(&test, &enough);
    assert_eq!(enough.memory().used(), 8 << 20);
}

/// The same frozen boxes get the same table, in any order, until the cache has more bytes than it may.
#[test]
fn tables_are_cached_until_they_take_too_much() {
    let test = TestBoard::new(&HALL);
    let mut costs = frozen_costs(&test, &test.meter);
    let sets = [&[(5, 1)][..], &[(5, 2)], &[(5, 1), (5, 2)]].map(|places| test.set(places));
    let size = costs.base.bytes();
    let first = costs.around(&test.board, &sets[0]);
    let second = costs.around(&test.board, &sets[1]);
    assert!(Arc::ptr_eq(&first, &costs.around(&test.board, &sets[0])));
    assert!(Arc::ptr_eq(&first, &costs.around(&test.board, &sets[0])), "the last one");
    assert!(Arc::ptr_eq(&second, &costs.around(&test.board, &sets[1])));
    assert_eq!((costs.tables.len(), costs.bytes), (2, 2 * size));
    costs.bytes = MAX_BYTES - size;
    costs.around(&test.board, &sets[2]);
    assert_eq!((costs.tables.len(), costs.bytes), (3, MAX_BYTES), "just full");
    costs.around(&test.board, &test.set(&[(2, 4)]));
    assert_eq!((costs.tables.len(), costs.bytes), (1, size), "cleared");
    assert_eq!(costs.take_work(), 0, "so small a table costs no tick");
}

/// 32 by 32 squares with four goals take 20,480 bytes each time: a tick for the first 16,384.
#[test]
fn large_tables_take_ticks() {
    let test = TestBoard::large_hall();
    let mut costs =
        FrozenCosts::<16>::new(Arc::new(CostTable::new(&test.board, test.board.to_goals())), None, &test.meter);
    assert_eq!(costs.base.bytes(), 20_480);
    for corner in [test.sq(1, 1), test.sq(1, 32)] {
        costs.around(&test.board, &SearchBoard::set(&[corner]));
    }
    assert_eq!([costs.take_work(), costs.take_work()], [2, 0]);
    costs.around(&test.board, &SearchBoard::set(&[test.sq(1, 1)]));
    assert_eq!(costs.take_work(), 0, "it is in the cache");
}
