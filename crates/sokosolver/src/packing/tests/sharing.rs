//! What one search has proved spares the others of its run the proof.

use super::*;
use crate::deadlock::shared::SharedDeadlocks;

#[test]
fn an_area_proved_by_one_is_known_to_all() {
    let level = Level::parse("###########\n#  . # .  #\n#   $ $ @ #\n#    #    #\n###########").unwrap();
    let mut effort = effort();
    effort.share_deadlocks(SharedDeadlocks::new(effort.memory()));
    let yards = [(); 2].map(|()| LevelTables::within(&level, &mut effort).unwrap().unwrap());
    let [mut one, mut other] = [&yards[0], &yards[1]].map(DeadlockLearner::new);
    let sq = |row, column| at(&level, &yards[0], row, column);
    let corridor = [sq(2, 5), sq(2, 6)];
    let known_before = other.sets().len();
    assert!(one.offer(&yards[0], &corridor, &[], sq(2, 8)) && one.n_proof_nodes() > 0);
    let known = one.sets().len();
    assert!(known > known_before);
    assert!(other.offer(&yards[1], &corridor, &[], sq(2, 8)), "it is a deadlock, whoever proved it");
    assert_eq!((other.n_proof_nodes(), other.sets().len()), (0, known));
    assert!(!one.offer(&yards[0], &corridor, &[], sq(2, 8)), "looked at before");
    assert_eq!(one.sets().len(), known, "nobody is told his own proofs");
}
