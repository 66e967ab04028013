//! The programs of `examples/`, run: what they print is what the files beside this one say.

use std::fmt::Debug;

use crate::{deadlocks, one_push_away, replay};

fn check<E: Debug>(run: fn(&mut Vec<u8>) -> Result<(), E>, expect: &str) {
    let mut out = Vec::new();
    run(&mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), expect);
}

#[test]
fn replay_prints_all_metrics() {
    check(replay::run, include_str!("examples/replay.txt"));
}

#[test]
fn one_push_away_draws_all_children() {
    check(one_push_away::run, include_str!("examples/one_push_away.txt"));
}

#[test]
fn deadlocks_names_the_lost_pushes() {
    check(deadlocks::run, include_str!("examples/deadlocks.txt"));
}
