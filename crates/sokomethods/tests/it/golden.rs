//! The golden levels: from their recorded inputs the schedule reaches the recorded optima in all six metrics, and
//! proves them.

use proptest::prelude::*;
use sokocore::{Level, Objective, PlantSpec, n_cases, optimum, planted, replay};
use sokomethods::{Knobs, optimize};
use sokosearch::{Budget, Cancel, Context, MemoryAccount, Pool};

use crate::OBJECTIVES;
use crate::levels::{T1, T2, T3, T4, T5, T6, T7, T8};

const MODES: [&str; 4] = ["moves", "pushes", "boxlines/moves", "boxlines/pushes"];

/// Runs all four modes, or those with an answer, and compares all six metrics.
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
        assert_eq!(found.metrics(), best, "{mode}: {}", found.lurd());
        assert!(pool.is_proved(objective), "{mode}");
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(n_cases(40, 900)).unwrap_or(900)))]

    /// On generated levels of two and three boxes every tuple equals brute force.
    #[test]
    fn small_levels_come_out_as_brute_force_says(
        (level, moves) in planted(PlantSpec::default()),
        objective in prop::sample::select(&OBJECTIVES[..]),
    ) {
        let objective: Objective = objective.parse().unwrap();
        let start = replay(&level, &moves).unwrap();
        let pool = Pool::new(&level, &start, &[objective]);
        let budget = Budget::new(None, MemoryAccount::new(1 << 30), Cancel::default());
        let mut cx = Context::new(&pool, objective, &budget, &());
        prop_assert_eq!(optimize(&Knobs::default(), &mut cx), Ok(()));
        let exact = optimum(&level, objective).unwrap().metrics();
        prop_assert_eq!(pool.best(objective).metrics(), exact, "{} {:?}", objective, level);
        prop_assert!(pool.is_proved(objective));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Moves, then as many pushes as possible: brute force agrees in all six metrics, and it is proved.
    #[test]
    fn most_pushes_agree_with_brute_force((level, moves) in planted(PlantSpec::default())) {
        let objective: Objective = "moves/most-pushes".parse().unwrap();
        let Ok(start) = replay(&level, &moves) else { return Ok(()) };
        let Some(best) = optimum(&level, objective) else { return Ok(()) };
        let best = best.metrics();
        for engine in [sokosearch::Engine::Fast, sokosearch::Engine::Reference] {
            let pool = Pool::new(&level, &start, &[objective]);
            let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default()).with_work(Some(40_000_000));
            let mut cx = Context::new(&pool, objective, &budget, &());
            let _ = optimize(&Knobs::default().with_engine(engine), &mut cx);
            prop_assert!(pool.is_proved(objective));
            prop_assert_eq!(objective.score(&pool.best(objective).metrics()), objective.score(&best));
        }
    }

    /// Kept ends: both engines prove the same best, in all six metrics.
    #[test]
    fn engines_agree_on_kept_ends((level, moves) in planted(PlantSpec::default()), mode in 0_usize..4) {
        let objective: Objective = MODES[mode].parse().unwrap();
        let Ok(start) = replay(&level, &moves) else { return Ok(()) };
        let bests = [sokosearch::Engine::Fast, sokosearch::Engine::Reference].map(|engine| {
            let pool = Pool::new(&level, &start, &[objective]).keeping_ends();
            let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default()).with_work(Some(40_000_000));
            let mut cx = Context::new(&pool, objective, &budget, &());
            let _ = optimize(&Knobs::default().with_engine(engine), &mut cx);
            assert!(pool.is_proved(objective));
            objective.score(&pool.best(objective).metrics())
        });
        prop_assert_eq!(bests[0], bests[1]);
    }
}
