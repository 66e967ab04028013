//! The arm of an optimal search: its share, its gains, its end, and its place in a checkpoint.

use std::sync::Arc;

use parking_lot::Mutex;
use sokocore::{Level, Objective, Solution, replay};
use sokosearch::{Budget, Cancel, Charge, LiveIndex, MemoryAccount, OptimalSearcher, Pool, Progress};

use super::*;
use crate::Knobs;
use crate::checkpoint::field::{Field, FieldReader};
use crate::schedule::searched_windows::SearchedWindows;
use crate::schedule::window_locks::WindowLocks;

/// Answers slice after slice as it was told, with these lower bounds.
#[derive(Clone, Debug, Default)]
struct Script(Arc<Mutex<Vec<(SliceResult, u64)>>>);

type SliceResult = Result<OptimalSlice, Stop>;

#[derive(Debug)]
struct ScriptedSearch {
    script: Script,
    bound: u64,
    /// Charged while the search lives.
    _memory: Charge,
}

impl OptimalSearcher for Script {
    fn begin(&self, _: &Level, metric: Metric, budget: &Budget) -> Option<Box<dyn OptimalSearch>> {
        let memory = budget.memory().charge(100).ok()?;
        let search = ScriptedSearch { script: self.clone(), bound: 0, _memory: memory };
        (metric == Metric::Pushes).then(|| Box::new(search) as _)
    }
}

impl OptimalSearch for ScriptedSearch {
    fn run_slice(&mut self, _: &Solution, _: u64) -> SliceResult {
        let (result, bound) = self.script.0.lock().remove(0);
        self.bound = bound;
        result
    }

    fn lower_bound(&self) -> u64 {
        self.bound
    }
}

/// The bounds that were reported.
#[derive(Debug, Default)]
struct Bounds(Mutex<Vec<u64>>);

impl Progress for Bounds {
    fn on(&self, event: Event<'_>) {
        if let Event::Bound { metric: Metric::Pushes, at_least } = event {
            self.0.lock().push(at_least);
        }
    }
}

const LEVEL: &str = "#######\n#@$  .#\n#     #\n#######";

fn solution(moves: &str) -> Solution {
    replay(&LEVEL.parse().unwrap(), &moves.parse().unwrap()).unwrap()
}

/// Runs slices of an arm that answers as the script says, for a solution of five pushes; returns the bounds reported.
fn check(
    objective: Objective,
    script: impl IntoIterator<Item = (SliceResult, u64)>,
    run: impl FnOnce(&mut OptimalArm, ArmContext<'_>, &mut Context<'_>),
) -> Vec<u64> {
    let level: Level = LEVEL.parse().unwrap();
    let pool = Pool::new(&level, &solution("RdrruLdlluRRR"), &[objective]);
    let (budget, bounds) = (Budget::new(None, MemoryAccount::new(1 << 20), Cancel::default()), Bounds::default());
    let mut cx = Context::new(&pool, objective, &budget, &bounds);
    let (knobs, live) = (Knobs::default(), LiveIndex::new(&level));
    let (searched, locks) = (SearchedWindows::default(), WindowLocks::default());
    let arm_cx = ArmContext { knobs: &knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 };
    let script = Script(Arc::new(Mutex::new(script.into_iter().collect())));
    let mut arm = OptimalArm::new(SharedOptimalSearcher::new(script), objective.order()[0]);
    run(&mut arm, arm_cx, &mut cx);
    assert!(!arm.is_done() || budget.memory().used() == 0, "the memory of a search that is over is free");
    bounds.0.into_inner()
}

#[test]
fn a_better_solution_goes_to_the_pool_and_the_arm_ends_with_the_proof() {
    let script = [
        (Ok(OptimalSlice::Pending), 1),
        (Ok(OptimalSlice::Better(solution("RRR"))), 1),
        (Ok(OptimalSlice::Optimal), 3),
    ];
    let bounds = check(Objective::PUSHES, script, |arm, arm_cx, cx| {
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::CutShort));
        assert_eq!((cx.best().metrics().pushes, cx.ticks()), (5, SLICE * TICKS_OF_SEARCH));
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::CutShort));
        assert_eq!((cx.best().metrics().pushes, arm.is_done()), (3, false));
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Finished));
        arm.revive();
        assert!(arm.is_done(), "no solution has fewer pushes, whatever else it has");
        assert!(!cx.is_proved(), "fewest pushes are not all six metrics");
    });
    assert_eq!(bounds, [1, 3], "each when it rises");
}

#[test]
fn a_search_without_memory_retires_its_arm_until_there_is_more() {
    let script = [(Ok(OptimalSlice::Pending), 2), (Err(Stop::Memory), 2)];
    check(Objective::PUSHES, script, |arm, arm_cx, cx| {
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::CutShort));
        assert_eq!(arm.run_slice(arm_cx, cx), Err(Stop::Memory));
        assert!(arm.is_done());
        let SavedSearch::Optimal(mut saved) = arm.save() else { panic!("it is an optimal search") };
        saved.forget_lack_of_memory();
        arm.restore(&SavedSearch::Optimal(saved), arm_cx, cx);
        assert!(!arm.is_done(), "the next run may use more");
    });
}

/// The next run has the search again.
#[test]
fn the_end_of_the_run_does_not_retire_the_arm() {
    check(Objective::PUSHES, [(Err(Stop::Time), 2)], |arm, arm_cx, cx| {
        assert_eq!(arm.run_slice(arm_cx, cx), Err(Stop::Time));
        assert!(!arm.is_done());
    });
}

/// What is proved stays proved, whatever the memory.
#[test]
fn a_proof_outlives_its_run() {
    let script = [(Ok(OptimalSlice::Pending), 2), (Ok(OptimalSlice::Optimal), 5)];
    check(Objective::PUSHES, script, |arm, arm_cx, cx| {
        while !arm.is_done() {
            arm.run_slice(arm_cx, cx).unwrap();
        }
        let SavedSearch::Optimal(mut saved) = arm.save() else { panic!("it is an optimal search") };
        saved.forget_lack_of_memory();
        let mut bytes = Vec::new();
        saved.write(&mut bytes);
        let read = SavedOptimal::read(&mut FieldReader::new(&bytes));
        assert_eq!(read.as_ref(), Some(&saved));
        let mut next = OptimalArm::new(arm.searcher.clone(), arm.metric);
        next.restore(&SavedSearch::Optimal(saved), arm_cx, cx);
        assert!(next.is_done());
    });
}

#[test]
fn an_objective_that_the_searcher_does_not_count_has_no_search() {
    check(Objective::MOVES, [], |arm, arm_cx, cx| {
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Hopeless));
        assert!(arm.is_done());
    });
}

/// Five layers, each with twice the work of the one before: the share rises as the run grows, up to the most.
#[test]
fn the_share_follows_from_the_work_left() {
    let layer = |bound: u64| (0..1 << bound).map(move |_| (Ok(OptimalSlice::Pending), bound));
    check(Objective::PUSHES, (0..=4).flat_map(layer), |arm, arm_cx, cx| {
        assert!((arm.reserved_share(0) - TRIAL_SHARE).abs() < 1e-9);
        for _ in 0..31 {
            arm.run_slice(arm_cx, cx).unwrap();
        }
        // The bound is 4 since the 16th slice, so it is 5 about after the 32nd.
        let left = arm.estimate.until(5);
        assert!((0.0..4.0 * SLICE as f64).contains(&left), "{left}");
        let shares = [10, 1_000_000, 1_000_000_000].map(|all_ticks| arm.reserved_share(all_ticks));
        assert!((shares[0] - MIN_SHARE).abs() < 1e-9 && (shares[2] - MAX_SHARE).abs() < 1e-9, "{shares:?}");
        arm.upper_bound = 10;
        assert!(arm.estimate.until(10) > 16.0 * SLICE as f64 * 31.0, "five layers more");
        assert!(arm.reserved_share(10_000_000) < 0.2 * MAX_SHARE);
    });
}
