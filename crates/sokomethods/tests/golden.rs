//! The golden levels: from their recorded inputs the schedule reaches the recorded optima.

#[path = "../../sokocore/tests/golden/levels.rs"]
mod levels;

use levels::{T1, T2, T3, T4, T5, T6, T7, T8};
use sokocore::{Level, Objective, replay};
use sokomethods::{Knobs, optimize};
use sokosearch::{Budget, Cancel, Context, MemoryAccount, Order, Pool};

const MODES: [&str; 4] = ["moves", "pushes", "boxlines/moves", "boxlines/pushes"];

/// Runs all four modes, or those with an answer, and compares the two metrics that decide.
fn check(rows: &[&str], start: &str, expect: [Option<&str>; 4]) {
    let level = Level::parse(&rows.join("\n")).unwrap();
    let start = replay(&level, &start.parse().unwrap()).unwrap();
    for (mode, best) in MODES.into_iter().zip(expect) {
        let Some(best) = best.map(|moves| replay(&level, &moves.parse().unwrap()).unwrap().metrics()) else { continue };
        let objective: Objective = mode.parse().unwrap();
        let pool = Pool::new(&level, &start, &[objective]);
        let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default());
        let mut cx = Context::new(&pool, objective, &budget, &());
        assert_eq!(optimize(&Knobs::default(), &mut cx), Ok(()));
        let found = pool.best(objective);
        let order = Order::of(&objective);
        assert_eq!(order.cost(&found.metrics()), order.cost(&best), "{mode}: {} {}", found.lurd(), found.metrics());
    }
}

#[test]
fn t1_the_visited_trap() {
    let best = [Some("dRdrUluR"), Some("dRdrUluR"), Some("rrddlUluRR"), Some("rrddlUluRR")];
    check(T1, "rrddlUluRR", best);
    check(T1, "dRdrUluR", best);
}

#[test]
fn t2_moves_against_pushes() {
    let few_pushes = Some("drruurDullDrdL");
    check(T2, "RurrDLulDrdL", [Some("RurrDLulDrdL"), few_pushes, few_pushes, few_pushes]);
    check(T2, "drruurDullDrdL", [Some("RurrDLulDrdL"), few_pushes, few_pushes, few_pushes]);
}

#[test]
fn t3_pushes_break_ties() {
    check(T3, "RdrrULLdlU", [Some("drrrUlLdlU"); 4]);
}

#[test]
fn t4_player_lines() {
    check(T4, "ldlU", [Some("dllU"); 4]);
}

#[test]
fn t5_box_lines() {
    let few_lines = Some("UUddlluRR");
    check(T5, "UUddlluRR", [Some("UdlluRRU"), Some("UdlluRRU"), few_lines, few_lines]);
    check(T5, "UdlluRRU", [Some("UdlluRRU"), Some("UdlluRRU"), few_lines, few_lines]);
}

#[test]
fn t6_box_lines_and_pushes() {
    let best = Some("luuuurrrdLLrDDuuulllllddRdrruUruLLdDrdLdrrR");
    check(T6, "lllluuRdrruulDururrrdLLulDDDLdRRRuUUruLLLL", [None, None, None, best]);
}

#[test]
fn t7_and_t8_pushes() {
    check(T7, "dlluRRdrUUlULuRdRRdrU", [None, Some("uULuRddddlluRRRRdrUUU"), None, None]);
    check(T8, "rUUdlUURRluulDLrDDrdL", [None, Some("rUUdllluurrRRllDrdLuuuL"), None, None]);
}
