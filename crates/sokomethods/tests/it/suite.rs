//! One suite for every method in the list, and for the schedule. A new method is tested without further code.

use std::time::Duration;

use proptest::prelude::*;
use sokocore::{Level, Objective, PlantSpec, Solution, n_cases, planted, replay};
use sokoio::Collection;
use sokomethods::{Knobs, METHODS, optimize};
use sokosearch::{Budget, Cancel, Clock, Context, MemoryAccount, Pool, Stop, StoreKind};

use crate::OBJECTIVES;

/// The result of a run.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    best: Solution,
    ticks: u64,
    end: Result<(), Stop>,
}

fn run(
    level: &Level,
    start: &Solution,
    objective: &str,
    budget: &Budget,
    search: impl FnOnce(&mut Context<'_>) -> Result<(), Stop>,
) -> Outcome {
    let objective: Objective = objective.parse().unwrap();
    let pool = Pool::new(level, start, &[objective]);
    let mut cx = Context::new(&pool, objective, budget, &());
    let end = search(&mut cx);
    let best = pool.best(objective);
    let again = replay(level, best.lurd()).expect("the result of a method replays");
    assert_eq!(again.metrics(), best.metrics());
    assert!(objective.score(&best.metrics()) <= objective.score(&start.metrics()), "a method made it worse");
    Outcome { best, ticks: cx.ticks(), end }
}

fn budget(memory: u64, work: Option<u64>) -> Budget {
    Budget::new(None, MemoryAccount::new(memory), Cancel::default()).with_work(work)
}

/// The levels of a file in `testdata`, with their best solution by moves.
fn levels(file: &str) -> Vec<(Level, Solution)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/").to_owned() + file;
    let collection = Collection::read(path.as_ref()).unwrap();
    let first = |entry: &sokoio::LevelEntry| entry.solutions().find_map(|(_, solution)| solution.ok());
    let levels: Vec<_> = collection
        .levels()
        .iter()
        .map(|entry| (entry.level().unwrap().clone(), first(entry).expect("every level has a solution")))
        .collect();
    assert!(!levels.is_empty(), "{file} has levels");
    levels
}

#[test]
fn every_method_stops_when_told_and_repeats_itself() {
    for (level, start) in levels("bench.sok").iter().take(8) {
        for spec in METHODS {
            let method = (spec.build)(&Knobs::default());
            for work in [1, 7, 500, 20_000] {
                let once = || run(level, start, "moves", &budget(1 << 26, Some(work)), |cx| method.run(cx).map(|_| ()));
                let outcome = once();
                assert_eq!(outcome, once(), "{} is not repeatable", spec.name);
                assert!(outcome.ticks <= work, "{} ran beyond {work} ticks", spec.name);
            }
        }
    }
}

#[test]
fn every_method_survives_a_tiny_budget_and_a_cancelled_one() {
    for (level, start) in levels("bench.sok").iter().take(8) {
        for spec in METHODS {
            let method = (spec.build)(&Knobs::default());
            let tiny = run(level, start, "moves", &budget(64 << 10, None), |cx| method.run(cx).map(|_| ()));
            assert!(matches!(tiny.end, Ok(()) | Err(Stop::Memory)), "{}: {:?}", spec.name, tiny.end);
            let cancel = Cancel::default();
            cancel.cancel();
            let cancelled = Budget::new(None, MemoryAccount::new(1 << 26), cancel);
            let outcome = run(level, start, "moves", &cancelled, |cx| method.run(cx).map(|_| ()));
            assert_eq!(outcome.end, Err(Stop::Cancelled), "{}", spec.name);
        }
    }
}

/// With one thread and one seed a run is repeatable in every store. A tick does not stand for the same work in all
/// stores, so their results are not compared.
#[test]
fn the_schedule_repeats_itself_in_every_store() {
    for (level, start) in levels("bench.sok").iter().take(n_cases(6, 12)) {
        let with = |store| {
            let knobs = Knobs::default().with_store(store);
            run(level, start, "pushes", &budget(1 << 28, Some(300_000)), |cx| optimize(&knobs, cx))
        };
        for store in [StoreKind::Auto, StoreKind::Hash, StoreKind::Tree] {
            assert_eq!(with(store), with(store), "{store:?}");
        }
    }
}

/// With memory for a few hundred configurations only, the solution is searched in windows, and still gets shorter.
#[test]
fn slices_work_where_the_whole_does_not_fit() {
    let mut saved = 0;
    let levels = levels("bench.sok");
    for (level, start) in levels.iter().step_by(n_cases(2, 1)) {
        let outcome =
            run(level, start, "moves", &budget(160 << 10, Some(400_000)), |cx| optimize(&Knobs::default(), cx));
        saved += start.metrics().moves - outcome.best.metrics().moves;
    }
    assert!(saved > n_cases(2_000, 5_000) as u64, "only {saved} moves saved");
}

/// The sets of a run are charged as its searches are. With little or no memory a run ends by itself, is never worse,
/// stays within its memory, and releases all of it.
#[test]
fn runs_end_by_themselves_however_little_memory_they_have() {
    let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######").unwrap();
    let start = replay(&level, &"RurrDLulDrdL".parse().unwrap()).unwrap();
    for memory in [0, 2 << 10, 8 << 10, 18 << 10, 24 << 10] {
        for objective in ["moves", "boxlines/pushes"] {
            let budget = budget(memory, None);
            let outcome = run(&level, &start, objective, &budget, |cx| optimize(&Knobs::default(), cx));
            assert_eq!(outcome.end, Ok(()), "{objective} in {memory} bytes");
            assert!(budget.memory().peak() <= memory);
            assert_eq!(budget.memory().used(), 0, "{objective} in {memory} bytes");
        }
    }
}

/// Tests that keep to a time: `cargo xtask ci` runs them when nothing else runs.
mod timed {
    use super::*;

    /// Trap 22: limits of 10 ms to 300 ms are kept within 50 ms, in an unoptimized build as well. Other work
    /// on the machine may delay the end, so one kept limit of ten tries suffices.
    #[test]
    fn trap_22_time_limits_are_kept() {
        let (level, start) = levels("bench.sok").into_iter().max_by_key(|(level, _)| level.n_boxes()).unwrap();
        let knobs = Knobs::default().with_vicinity([999, 999, 999, 999]);
        for milliseconds in [10, 50, 300] {
            let limit = Duration::from_millis(milliseconds);
            let is_kept = |_| {
                let budget = Budget::new(Some(limit), MemoryAccount::new(1 << 30), Cancel::default());
                let clock = Clock::start();
                let outcome = run(&level, &start, "moves", &budget, |cx| optimize(&knobs, cx));
                outcome.end.is_ok() || clock.elapsed() < limit + Duration::from_millis(50)
            };
            assert!((0..10).any(is_kept), "{limit:?}");
        }
    }
}

/// Trap 19: among equal solutions the run ends by itself, since only strict gains count.
#[test]
fn trap_19_a_run_in_a_symmetric_room_ends() {
    let level = Level::parse("#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######").unwrap();
    let start = replay(&level, &"lUruLdrdrUluRdldlDrdLururDldR".parse().unwrap()).unwrap();
    let outcome = run(&level, &start, "moves", &budget(1 << 28, None), |cx| optimize(&Knobs::default(), cx));
    assert_eq!(outcome.end, Ok(()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Any objective, any memory, any moment of being stopped: valid, never worse, and no panic.
    #[test]
    fn a_run_never_ends_with_something_worse(
        (level, moves) in planted(PlantSpec { boxes: 1..=4, ..PlantSpec::default() }),
        memory in prop::sample::select(vec![0_u64, 1 << 12, 1 << 16, 1 << 20, 1 << 26]),
        work in 1..60_000_u64,
        vicinity in prop::collection::vec(1..30_usize, 0..=3),
        seed in any::<u64>(),
    ) {
        let start = replay(&level, &moves).unwrap();
        let knobs = Knobs::default().with_vicinity(vicinity).with_seed(seed);
        for objective in OBJECTIVES {
            run(&level, &start, objective, &budget(memory, Some(work)), |cx| optimize(&knobs, cx));
        }
    }
}
