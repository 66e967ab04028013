//! Slices end alone, nest, and never outlive the run; gains end runs, and the focus on another solution.

use sokocore::{Solution, replay};

use super::*;
use crate::{Cancel, MemoryAccount};

fn puzzle() -> (Level, Solution) {
    let level = Level::parse("######\n#@$ .#\n######").unwrap();
    let solution = replay(&level, &"RR".parse().unwrap()).unwrap();
    (level, solution)
}

/// Ticks `n` times.
fn work(cx: &mut Context<'_>, n: u64) -> Result<&'static str, Stop> {
    (0..n).try_for_each(|_| cx.tick()).map(|()| "done")
}

fn check(limit: Option<u64>, run: impl FnOnce(&mut Context<'_>)) {
    let (level, solution) = puzzle();
    let pool = Pool::new(&level, &solution, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(0), Cancel::default()).with_work(limit);
    run(&mut Context::new(&pool, Objective::MOVES, &budget, &()));
}

#[test]
fn a_slice_ends_alone_and_the_run_goes_on() {
    check(None, |cx| {
        assert_eq!(cx.sliced(100, |cx| work(cx, 99)), Ok(Some("done")));
        assert_eq!(cx.sliced(1_000, |cx| work(cx, u64::MAX)), Ok(None));
        assert_eq!(cx.ticks(), 1_099);
        assert_eq!(cx.sliced(0, |cx| work(cx, 1)), Ok(None));
        assert_eq!(work(cx, 5_000), Ok("done"));
    });
}

#[test]
fn the_end_of_the_run_is_told_from_the_end_of_a_slice() {
    for limit in [1, 50, 700] {
        check(Some(limit), |cx| {
            assert_eq!(cx.sliced(limit, |cx| work(cx, u64::MAX)), Err(Stop::Work));
            assert_eq!(cx.ticks(), limit);
        });
    }
    check(None, |cx| {
        assert_eq!(cx.sliced(9, |_| Err::<(), _>(Stop::Memory)), Err(Stop::Memory));
    });
}

#[test]
fn slices_nest() {
    check(Some(2_000), |cx| {
        let outer = cx.sliced(1_500, |cx| {
            assert_eq!(cx.sliced(600, |cx| work(cx, u64::MAX)), Ok(None));
            assert_eq!(cx.sliced(600, |cx| work(cx, u64::MAX)), Ok(None));
            assert_eq!(cx.sliced(600, |cx| work(cx, u64::MAX)), Err(Stop::Work), "the outer slice ends first");
            cx.poll()
        });
        assert_eq!(outer, Ok(None));
        assert_eq!(cx.ticks(), 1_500);
        assert_eq!(work(cx, u64::MAX), Err(Stop::Work));
        assert_eq!(cx.ticks(), 2_000);
    });
}

#[test]
fn the_first_gain_ends_the_run_if_told() {
    let level = Level::parse("######\n#@$ .#\n#    #\n######").unwrap();
    let start = replay(&level, &"duRR".parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(0), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &()).ending_at_first();
    assert_eq!(work(&mut cx, 2_000), Ok("done"));
    assert!(cx.found(&"RR".parse().unwrap()));
    assert_eq!(cx.tick(), Err(Stop::FirstGain));
    assert!(cx.has_ended_at_first());
}

#[test]
fn a_part_has_its_share_and_counts_for_the_whole() {
    check(Some(2_000), |cx| {
        assert_eq!(work(cx, 1_000), Ok("done"));
        let pool = cx.pool();
        let mut part = cx.part(pool, &(), 0.5);
        assert_eq!(work(&mut part, u64::MAX), Err(Stop::Work));
        part.note_short_of_memory();
        cx.merge_part(&part);
        assert_eq!(cx.ticks(), 1_500);
        assert!(cx.is_short_of_memory());
        assert_eq!(cx.poll(), Ok(()));
        assert_eq!(work(cx, u64::MAX), Err(Stop::Work));
        assert_eq!(cx.ticks(), 2_000);
    });
}

/// A share of nothing of an hour is over at once, a whole one is not.
#[test]
fn a_part_has_its_share_of_the_time() {
    let level = Level::parse("#######\n#     #\n#.$@$.#\n#######").unwrap();
    let start = replay(&level, &"LrR".parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let hour = Some(Duration::from_secs(3_600));
    let budget = Budget::new(hour, MemoryAccount::new(0), Cancel::default());
    let cx = Context::new(&pool, Objective::MOVES, &budget, &());
    assert_eq!(cx.part(&pool, &(), 0.0).poll(), Err(Stop::Time));
    assert_eq!(cx.part(&pool, &(), 1.0).poll(), Ok(()));
}

#[test]
fn wanderings_keep_to_the_end_that_is_kept() {
    let level = Level::parse("#######\n#     #\n#.$@$.#\n#######").unwrap();
    let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    let [start, same_end, other_end] = ["LrR", "udLrR", "RlL"].map(solution);
    let pool = Pool::new(&level, &start, &[Objective::MOVES]).keeping_ends();
    let budget = Budget::new(None, MemoryAccount::new(0), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let pushes = |solution: &Solution| sokocore::pushes_of(&level, solution.lurd());
    cx.focus_on(&pushes(&other_end));
    assert_eq!(cx.incumbent(), start);
    cx.focus_on(&pushes(&same_end));
    assert_eq!(cx.incumbent(), start, "it is the same order of pushes");
    assert!(!cx.found(other_end.lurd()));
    assert_eq!(cx.incumbent(), start);
}

#[test]
fn heavy_work_counts_for_more() {
    check(Some(1_000), |cx| {
        assert_eq!((0..10).try_for_each(|_| cx.tick_by(99)), Ok(()));
        assert_eq!((0..10).try_for_each(|_| cx.tick_by(0)), Ok(()));
        assert_eq!(cx.ticks(), 990);
        assert_eq!((0..10).try_for_each(|_| cx.tick_by(99)), Err(Stop::Work));
        assert_eq!(cx.ticks(), 1_000);
    });
}
