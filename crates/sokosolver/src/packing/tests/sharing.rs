//! What one search has proved saves the others of its run the proof.

use super::*;
use crate::deadlock::shared::SharedDeadlocks;

#[test]
fn an_area_proved_by_one_is_known_to_all() {
    let level = Level::parse("###########\n#  . # .  #\n#   $ $ @ #\n#    #    #\n###########").unwrap();
    let mut meter = meter();
    meter.share_deadlocks(SharedDeadlocks::new(meter.memory()));
    let tables = Arc::new(LevelTables::within(&level, &mut meter).unwrap().unwrap());
    let [mut one, mut other] = [&tables, &tables].map(|tables| learner_within(tables, &meter));
    let sq = |row, column| at(&level, &tables, row, column);
    let corridor = [sq(2, 5), sq(2, 6)];
    let known_before = other.sets().len();
    assert!(one.examine_area(&corridor, &[], sq(2, 8)) && one.n_proof_nodes() > 0);
    let known = one.sets().len();
    assert!(known > known_before);
    assert!(other.examine_area(&corridor, &[], sq(2, 8)), "a deadlock proved by the other search");
    assert_eq!((other.n_proof_nodes(), other.sets().len()), (0, known));
    assert!(!one.examine_area(&corridor, &[], sq(2, 8)), "examined before");
    assert_eq!(one.sets().len(), known, "no search receives its own proofs");
}
