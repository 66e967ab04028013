//! A start, and a run that stagnates, are improved by pushes if they have pushes to spare.

use super::*;

/// A start with five pushes of boxes that need three is improved by pushes first, and every gain is offered to the run.
#[test]
fn spare_pushes_go_first() {
    let level = Level::parse(ROWS).unwrap();
    let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution(WASTEFUL), &[Objective::MOVES, Objective::PUSHES]);
    within(&pool, Objective::MOVES, None, &Knobs::default(), |arm_cx, cx| {
        let mut first = PushesFirst::within(arm_cx, cx).unwrap();
        assert_eq!(first.reserved_share(0), 1.0);
        assert_eq!(first.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Finished), "nothing is left to save after a slice");
        assert!(first.is_done() && cx.ticks() > 0);
        first.revive();
        assert!(first.is_done(), "what came first does not come again");
    });
    assert_eq!(pool.best(Objective::PUSHES).metrics().pushes, 3);
}

/// While one thread saved pushes, the others would improve the same start by moves.
#[test]
fn each_thread_has_a_lineage_by_pushes_up_to_four() {
    let level = Level::parse(ROWS).unwrap();
    let start = replay(&level, &WASTEFUL.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::MOVES, Objective::PUSHES]);
    let n_lineages = |n_threads, objective| {
        within(&pool, objective, None, &Knobs { n_threads, ..Knobs::default() }, |arm_cx, cx| {
            PushesFirst::for_threads(SparePushes::of(cx), arm_cx, cx).count()
        })
    };
    assert_eq!([0, 1, 2, 4, 16].map(|n_threads| n_lineages(n_threads, Objective::MOVES)), [1, 1, 2, 4, 4]);
    assert_eq!(n_lineages(2, Objective::PUSHES), 0);
}

#[test]
fn a_start_without_spare_pushes_is_left_alone() {
    let level = Level::parse(ROWS).unwrap();
    let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution(BEST), &[Objective::MOVES]);
    within(&pool, Objective::MOVES, None, &Knobs::default(), |arm_cx, cx| {
        let mut first = PushesFirst::within(arm_cx, cx).unwrap();
        assert_eq!(first.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Skipped));
        assert!(first.is_done() && cx.ticks() == 0);
    });
    let none = |objective, techniques| {
        within(&pool, objective, None, &Knobs { techniques, ..Knobs::default() }, |arm_cx, cx| {
            PushesFirst::within(arm_cx, cx).is_none()
        })
    };
    let all = TechniqueSet::default();
    assert!(none(Objective::PUSHES, all), "all of that run is by pushes");
    assert!(none(Objective::MOVES, all.without(Technique::PushesFirst)));
}

/// A lineage by pushes that a run stops is there at the end, and the next run continues it; it ends when the run has found
/// fewer pushes elsewhere.
#[test]
fn a_lineage_by_pushes_is_resumed_or_overtaken() {
    let level = Level::parse(ROWS).unwrap();
    let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution(WASTEFUL), &[Objective::MOVES, Objective::PUSHES]);
    let knobs = Knobs::default();
    let saved = within(&pool, Objective::MOVES, Some(10), &knobs, |arm_cx, cx| {
        let mut first = PushesFirst::within(arm_cx, cx).unwrap();
        assert_eq!(first.run_slice(arm_cx, cx), Err(Stop::Work));
        assert!(!first.is_done());
        first.save()
    });
    assert_eq!(pool.best(Objective::PUSHES).metrics().pushes, 5, "it was stopped before its first gain");
    let resumed = |pool: &Pool<'_>| {
        within(pool, Objective::MOVES, None, &knobs, |arm_cx, cx| {
            let mut second = PushesFirst::within(arm_cx, cx).unwrap();
            second.restore(&saved, arm_cx, cx);
            assert_eq!(second.save(), saved);
            let end = second.run_slice(arm_cx, cx);
            assert!(second.is_done());
            end
        })
    };
    assert_eq!(resumed(&pool), Ok(ArmSliceEnd::Finished));
    assert_eq!(pool.best(Objective::PUSHES).metrics().pushes, 3);
    let overtaken = Pool::new(&level, &solution(BEST), &[Objective::MOVES]);
    assert_eq!(resumed(&overtaken), Ok(ArmSliceEnd::Skipped));
}

/// The box in the door has to leave it and to return: five pushes are the fewest, where its distance says one.
const DOOR: &str = "###########\n#  #      #\n#@ *      #\n#  #    $.#\n#  #      #\n###########";
const THROUGH_THE_DOOR: &str = "rRRdrrrRullLL";
/// The left box is pushed too far and back: five pushes, where three are enough.
const PASSAGE: &str = "###########\n#         #\n#@$ .  $. #\n#         #\n###########";
const TOO_FAR_AND_BACK: &str = "RRRurrdLrR";
const NOT_TOO_FAR: &str = "RRurrrdR";
/// As few pushes, and steps that lead nowhere.
const TO_AND_FRO: &str = "RRlrlrurrrdR";

/// Runs slices until one ends otherwise than by its limit, and returns its end.
fn run_cycle(search: &mut Reformulation, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) -> ArmSliceEnd {
    loop {
        match search.run_slice(arm_cx, cx).unwrap() {
            ArmSliceEnd::CutShort => {}
            end => return end,
        }
    }
}

/// The first look at a run begins no cycle. The next one finds no gain since then: the best is improved by pushes, and the
/// walks of what comes out by moves.
#[test]
fn a_run_that_stagnates_with_spare_pushes_is_reformulated() {
    let level = Level::parse(PASSAGE).unwrap();
    let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution(TOO_FAR_AND_BACK), &[Objective::MOVES]);
    within(&pool, Objective::MOVES, None, &Knobs::default(), |arm_cx, cx| {
        let mut search = Reformulation::within(SparePushes::of(cx), arm_cx, cx).unwrap();
        assert_eq!(search.reserved_share(0), 0.0);
        assert_eq!(search.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Skipped), "nothing to compare the best with");
        assert_eq!(search.run_slice(arm_cx, cx), Ok(ArmSliceEnd::CutShort));
        assert!(search.reserved_share(0) > 0.0, "a cycle has begun");
        assert_eq!(run_cycle(&mut search, arm_cx, cx), ArmSliceEnd::Finished);
        assert_eq!((search.reserved_share(0), search.reserved_share(u64::MAX)), (0.0, 0.5));
        assert_eq!(search.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Skipped));
        assert!(search.is_done(), "no pushes are left to spare");
        search.revive();
        assert!(!search.is_done(), "another best may have some");
    });
    assert_eq!(pool.best(Objective::MOVES).metrics(), solution(NOT_TOO_FAR).metrics());
}

#[test]
fn a_cycle_that_finds_no_fewer_pushes_leaves_the_walks_alone() {
    let level = Level::parse(DOOR).unwrap();
    let start = replay(&level, &THROUGH_THE_DOOR.parse().unwrap()).unwrap();
    assert_eq!(start.metrics().pushes, 5);
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    within(&pool, Objective::MOVES, None, &Knobs::default(), |arm_cx, cx| {
        let mut search = Reformulation::within(SparePushes::of(cx), arm_cx, cx).unwrap();
        assert_eq!(search.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Skipped));
        assert_eq!(run_cycle(&mut search, arm_cx, cx), ArmSliceEnd::Finished);
        assert_eq!(search.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Skipped));
        assert!(search.is_done(), "its arms are retired, and longer rounds would find nothing, either");
    });
    assert_eq!(pool.best(Objective::MOVES).lurd(), start.lurd());
}

#[test]
fn reformulation_is_for_runs_that_do_not_count_pushes_first() {
    let level = Level::parse(PASSAGE).unwrap();
    let start = replay(&level, &TOO_FAR_AND_BACK.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::MOVES, Objective::PUSHES]);
    let is_there = |objective, techniques| {
        within(&pool, objective, None, &Knobs { techniques, ..Knobs::default() }, |arm_cx, cx| {
            Reformulation::within(SparePushes::of(cx), arm_cx, cx).is_some()
        })
    };
    let all = TechniqueSet::default();
    assert!(is_there(Objective::MOVES, all) && !is_there(Objective::PUSHES, all));
    assert!(!is_there(Objective::MOVES, all.without(Technique::Reformulation)));
}

/// A cycle begins from what a search by pushes has found, by the run's own objective alone. Then the arm waits for fewer pushes.
#[test]
fn the_best_by_pushes_of_another_search_is_where_a_cycle_begins() {
    let level = Level::parse(PASSAGE).unwrap();
    let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution(TOO_FAR_AND_BACK), &[Objective::MOVES, Objective::PUSHES]);
    assert_eq!(pool.offer(solution(TO_AND_FRO).lurd()).unwrap().0, [Objective::PUSHES]);
    pool.begin_search(Objective::PUSHES);
    within(&pool, Objective::MOVES, None, &Knobs::default(), |arm_cx, cx| {
        let mut search = Reformulation::within(SparePushes::of(cx), arm_cx, cx).unwrap();
        assert_eq!(search.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Skipped), "nothing to compare the best with");
        assert!(!search.is_waiting(0));
        assert_eq!(run_cycle(&mut search, arm_cx, cx), ArmSliceEnd::Finished);
        assert_eq!(cx.best().metrics(), solution(NOT_TOO_FAR).metrics());
        assert_eq!(search.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Skipped), "the other has no fewer pushes");
        assert!(search.is_waiting(0) && !search.is_waiting(u64::MAX) && !search.is_done());
        search.revive();
        assert!(!search.is_waiting(0), "another best may have more pushes");
    });
}

/// What a search by moves has found on the way is not what a search by pushes has made of it.
#[test]
fn the_fewest_pushes_without_a_search_by_pushes_are_no_start() {
    let level = Level::parse(PASSAGE).unwrap();
    let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution(TOO_FAR_AND_BACK), &[Objective::MOVES, Objective::PUSHES]);
    pool.offer(solution(TO_AND_FRO).lurd()).unwrap();
    within(&pool, Objective::MOVES, None, &Knobs::default(), |arm_cx, cx| {
        let search = Reformulation::within(SparePushes::of(cx), arm_cx, cx).unwrap();
        assert_eq!(search.other_start(&cx.best(), cx), None);
        pool.begin_search(Objective::PUSHES);
        assert_eq!(search.other_start(&cx.best(), cx), Some(solution(TO_AND_FRO)));
    });
}

#[test]
fn a_run_does_not_wait_for_fewer_pushes_of_another_search() {
    let level = Level::parse(DOOR).unwrap();
    let start = replay(&level, &THROUGH_THE_DOOR.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::MOVES, Objective::PUSHES]);
    pool.begin_search(Objective::PUSHES);
    let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
    let techniques = TechniqueSet::EMPTY.with(Technique::OneBox).with(Technique::Reformulation);
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    assert_eq!(crate::optimize(&Knobs { techniques, ..Knobs::default() }, &mut cx), Ok(()));
}

/// A cycle that a run stops is there at the end, and the next run continues it.
#[test]
fn a_cycle_of_reformulation_is_resumed() {
    let level = Level::parse(PASSAGE).unwrap();
    let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution(TOO_FAR_AND_BACK), &[Objective::MOVES]);
    let knobs = Knobs::default();
    let saved = within(&pool, Objective::MOVES, Some(20), &knobs, |arm_cx, cx| {
        let mut search = Reformulation::within(SparePushes::of(cx), arm_cx, cx).unwrap();
        assert_eq!(search.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Skipped));
        assert_eq!(search.run_slice(arm_cx, cx), Err(Stop::Work));
        search.save()
    });
    within(&pool, Objective::MOVES, None, &knobs, |arm_cx, cx| {
        let mut search = Reformulation::within(SparePushes::of(cx), arm_cx, cx).unwrap();
        search.restore(&saved, arm_cx, cx);
        assert_eq!(search.save(), saved);
        assert_eq!(run_cycle(&mut search, arm_cx, cx), ArmSliceEnd::Finished);
    });
    assert_eq!(pool.best(Objective::MOVES).metrics(), solution(NOT_TOO_FAR).metrics());
}
