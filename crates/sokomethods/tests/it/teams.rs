//! Several threads on one solution: never worse, and ended together.

use std::time::Duration;

use proptest::prelude::*;
use sokocore::{Level, Objective, PlantSpec, Solution, planted, replay};
use sokoio::Collection;
use sokomethods::{Knobs, optimize};
use sokosearch::{Budget, Cancel, Clock, Context, MemoryAccount, Pool, Stop};

/// Returns the best solution of a run with so many threads, whether it is proved, and the end of the run.
fn run(level: &Level, start: &Solution, n_threads: usize, time: Duration) -> (Solution, bool, Result<(), Stop>) {
    let pool = Pool::new(level, start, &[Objective::MOVES]);
    let budget = Budget::new(Some(time), MemoryAccount::new(256 << 20), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let end = optimize(&Knobs::default().with_threads(n_threads), &mut cx);
    assert!(cx.ticks() > 0, "the work of all threads is counted");
    let best = pool.best(Objective::MOVES);
    assert!(best.metrics().moves <= start.metrics().moves);
    assert_eq!(replay(level, best.lurd()).unwrap().metrics(), best.metrics());
    (best, pool.is_proved(Objective::MOVES), end)
}

/// The first level of a file in `testdata` that takes more than `n_pushes` pushes.
fn level(file: &str, n_pushes: u64) -> (Level, Solution) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/").to_owned() + file;
    let collection = Collection::read(path.as_ref()).unwrap();
    let mut entries = collection.levels().iter().filter_map(|entry| {
        let (_, solution) = entry.solutions().find(|(_, solution)| solution.is_ok())?;
        Some((entry.level().ok()?.clone(), solution.ok()?))
    });
    entries.find(|(_, solution)| solution.metrics().pushes > n_pushes).expect("there is such a level")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// On levels that are searched to the end, any number of threads proves the same optimum.
    #[test]
    fn any_number_of_threads_proves_the_same((level, moves) in planted(PlantSpec::default())) {
        let start = replay(&level, &moves).unwrap();
        let minute = Duration::from_secs(60);
        let alone = run(&level, &start, 1, minute);
        let together = run(&level, &start, 3, minute);
        prop_assert_eq!(alone.0.metrics(), together.0.metrics());
        prop_assert_eq!((alone.1, alone.2), (together.1, together.2));
    }
}

/// Tests that keep to a time: `cargo xtask ci` runs them when nothing else runs.
mod timed {
    use super::*;

    #[test]
    fn all_threads_stop_in_time() {
        let (level, start) = level("bench.sok", 60);
        let clock = Clock::start();
        let (_, is_proved, end) = run(&level, &start, 3, Duration::from_millis(300));
        assert!(is_proved || end == Err(Stop::Time) || end == Ok(()));
        // Far more than the 50 ms of the limit: other tests run beside this one.
        assert!(clock.elapsed() < Duration::from_secs(3), "took {:?}", clock.elapsed());
    }
}

#[test]
fn the_first_gain_of_any_thread_ends_the_run() {
    let (level, start) = level("bench.sok", 60);
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(Some(Duration::from_secs(60)), MemoryAccount::new(256 << 20), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &()).ending_at_first();
    let end = optimize(&Knobs::default().with_threads(2), &mut cx);
    assert_eq!(end, Err(Stop::FirstGain));
    assert!(cx.has_ended_at_first());
    assert!(pool.best(Objective::MOVES).metrics().moves < start.metrics().moves);
}

/// Blocked arms wait for locks to be released, not for ever. The settings make equal arms, and there is no memory for a
/// proof, which would end the run before that.
#[test]
fn a_run_without_a_proof_ends() {
    let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######").unwrap();
    let start = replay(&level, &"RurrDLulDrdL".parse().unwrap()).unwrap();
    let knobs = |n_threads| Knobs::default().with_threads(n_threads).with_vicinity([30, 30]);
    for memory in [8 << 10, 24 << 10] {
        let pool = Pool::new(&level, &start, &[Objective::MOVES]);
        let limit = Some(Duration::from_secs(60));
        let budget = Budget::new(limit, MemoryAccount::new(memory), Cancel::default());
        let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
        assert_eq!(optimize(&knobs(4), &mut cx), Ok(()));
        assert!(!pool.is_proved(Objective::MOVES));
        assert!(pool.best(Objective::MOVES).metrics().moves <= start.metrics().moves);
        assert!(budget.memory().peak() <= memory);
        drop(pool);
        assert_eq!(budget.memory().used(), 0, "all memory is released");
    }
}
