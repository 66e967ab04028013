//! What `info` says.

use crate::cmd::{Desk, T2};

#[test]
fn the_facts_of_a_level() {
    let desk = Desk::with(format!("{T2}\nSolution 2\nRurrDLulDrdL\n"));
    let lines = desk.soko("info levels.sok --json").expect(0).json();
    let [line] = &lines[..] else { panic!("one line in {lines:?}") };
    for (key, number) in [("width", 6), ("height", 5), ("boxes", 2), ("goals", 2), ("floor_squares", 11)] {
        assert_eq!(line[key].as_u64(), Some(number), "{key}");
    }
    assert_eq!(line["push_parity"], "odd");
    assert_eq!(line["push_lower_bound"].as_u64(), Some(3));
    assert_eq!(line["solutions"].as_u64(), Some(2));
    assert_eq!((line["best_moves"]["moves"].as_u64(), line["best_pushes"]["pushes"].as_u64()), (Some(12), Some(3)));
    let table = desk.soko("info levels.sok").expect(0).stdout;
    assert!(table.contains("12/5") && table.contains("16/3"), "{table}");
}
