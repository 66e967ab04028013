//! Windows are solved anew, and what follows from them is improved or dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sokocore::{Metric, Objective};
use sokosearch::{Budget, OptimalSearch, OptimalSearcher, Pool, SolutionSource};

use super::*;
use crate::checkpoint::field::{Field, FieldReader};
use crate::schedule::lineages::tests::{BEST, ROWS, WASTEFUL, within, within_run};
use crate::schedule::subproblem::tests::detour;

/// Solves a window by moves to the right, if these solve it, and counts the windows.
#[derive(Clone, Debug, Default)]
struct Rightwards {
    n_windows: Arc<AtomicU64>,
    /// Whether each plan begins with a detour.
    is_wasteful: bool,
    /// The stop of each search, or none.
    stop: Option<Stop>,
}

#[derive(Debug)]
struct RightwardsPlan {
    plan: Option<Solution>,
    stop: Option<Stop>,
}

impl OptimalSearcher for Rightwards {
    fn begin(&self, _: &Level, _: Metric, _: &Budget) -> Option<Box<dyn OptimalSearch>> {
        None
    }

    fn begin_replanning(&self, window: &Level, _: u64, _: &Budget) -> Option<Box<dyn SolutionSource>> {
        self.n_windows.fetch_add(1, Ordering::Relaxed);
        let detour = if self.is_wasteful { "drUluurDld" } else { "" };
        let plan = (1..40).find_map(|n| replay(window, &format!("{detour}{}", "R".repeat(n)).parse().unwrap()).ok());
        Some(Box::new(RightwardsPlan { plan, stop: self.stop }))
    }
}

impl SolutionSource for RightwardsPlan {
    fn run_slice(&mut self, _: u64) -> Result<SourceSlice, Stop> {
        if let Some(stop) = self.stop {
            return Err(stop);
        }
        let slice = |solution| SourceSlice::Solution { solution, by: "rightwards".to_owned() };
        Ok(self.plan.take().map_or(SourceSlice::Exhausted, slice))
    }
}

/// Runs something by an objective on the level with the detour, with this searcher.
fn with_searcher<T>(
    searcher: impl OptimalSearcher + 'static,
    objective: Objective,
    run: impl FnOnce(Option<Replanning>, ArmContext<'_>, &mut Context<'_>) -> T,
) -> T {
    let (level, solution) = detour();
    let pool = Pool::new(&level, &solution, &[objective]);
    let knobs = Knobs { searcher: Some(SharedOptimalSearcher::new(searcher)), ..Knobs::default() };
    within(&pool, objective, None, &knobs, |arm_cx, cx| {
        run(Replanning::within(SparePushes::of(cx), arm_cx, cx), arm_cx, cx)
    })
}

#[test]
fn a_window_with_the_detour_is_solved_without_it() {
    with_searcher(Rightwards::default(), Objective::PUSHES, |arm, arm_cx, cx| {
        let mut arm = arm.unwrap();
        assert_eq!((arm.reserved_share(19_999_999), arm.reserved_share(20_000_000)), (0.0, 0.5));
        for _ in 0..100 {
            if cx.best().metrics().pushes < 41 {
                break;
            }
            arm.run_slice(arm_cx, cx).unwrap();
        }
        assert_eq!(cx.best().metrics().pushes, 39);
        assert!(arm.lineage.is_none(), "the other arms improve what is the best");
    });
}

/// A search that fails for lack of memory is one that finds nothing; any other stop ends the run.
#[test]
fn after_many_windows_without_a_gain_nothing_is_left() {
    let searcher = Rightwards { stop: Some(Stop::Memory), ..Rightwards::default() };
    let n_windows = Arc::clone(&searcher.n_windows);
    with_searcher(searcher, Objective::PUSHES, |arm, arm_cx, cx| {
        let mut arm = arm.unwrap();
        while !arm.is_done() {
            assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::CutShort));
        }
        assert_eq!(n_windows.load(Ordering::Relaxed), 256);
        arm.revive();
        assert!(!arm.is_done(), "another best has other windows");
    });
    let cancelled = Rightwards { stop: Some(Stop::Cancelled), ..Rightwards::default() };
    let end = with_searcher(cancelled, Objective::PUSHES, |arm, arm_cx, cx| arm.unwrap().run_slice(arm_cx, cx));
    assert_eq!(end, Err(Stop::Cancelled));
}

#[test]
fn a_run_by_moves_and_one_without_a_solver_do_not_replan() {
    assert!(with_searcher(Rightwards::default(), Objective::MOVES, |arm, _, _| arm.is_none()));
    let (level, solution) = detour();
    let pool = Pool::new(&level, &solution, &[Objective::PUSHES]);
    assert!(within_run(&pool, None, |arm_cx, cx| Replanning::within(SparePushes::of(cx), arm_cx, cx).is_none()));
}

/// The share follows the best of the run.
#[test]
fn with_pushes_to_spare_the_share_is_small() {
    let level = Level::parse(ROWS).unwrap();
    let start = replay(&level, &WASTEFUL.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::PUSHES]);
    let searcher = Some(SharedOptimalSearcher::new(Rightwards::default()));
    within(&pool, Objective::PUSHES, None, &Knobs { searcher, ..Knobs::default() }, |arm_cx, cx| {
        let mut arm = Replanning::within(SparePushes::of(cx), arm_cx, cx).unwrap();
        assert_eq!(arm.reserved_share(20_000_000), 0.01);
        assert!(cx.found(&BEST.parse().unwrap()));
        arm.run_slice(arm_cx, cx).unwrap();
        assert_eq!(arm.reserved_share(20_000_000), 0.5);
    });
}

/// A run that has gained since the last look has its work for the other arms, and one that has not for this.
#[test]
fn work_is_reserved_while_the_run_stagnates() {
    with_searcher(Rightwards::default(), Objective::PUSHES, |arm, arm_cx, cx| {
        let mut arm = arm.unwrap();
        let mut share_after_look = |ticks, cx: &mut Context<'_>| {
            arm.look(ArmContext { ticks_elsewhere: ticks, ..arm_cx }, cx);
            arm.reserved_share(ticks)
        };
        assert_eq!(share_after_look(20_000_000, cx), 0.0, "nothing was seen before");
        assert_eq!([39_999_999, 40_000_000, 41_000_000].map(|ticks| share_after_look(ticks, cx)), [0.0, 0.5, 0.5]);
        assert!(cx.found(&"R".repeat(39).parse().unwrap()));
        assert_eq!([160_000_000, 199_999_999, 200_000_000].map(|ticks| share_after_look(ticks, cx)), [0.0, 0.0, 0.5]);
    });
}

/// A run that was stopped continues with the lineage and with the next window.
#[test]
fn a_lineage_is_resumed() {
    let searcher = Rightwards { is_wasteful: true, ..Rightwards::default() };
    with_searcher(searcher, Objective::PUSHES, |arm, arm_cx, cx| {
        let mut arm = arm.unwrap();
        while arm.lineage.is_none() {
            arm.run_slice(arm_cx, cx).unwrap();
        }
        assert_eq!(arm.lineage.as_ref().map(|lineage| lineage.current().metrics().pushes), Some(43));
        let mut bytes = Vec::new();
        arm.save().write(&mut bytes);
        let saved = SavedSearch::read(&mut FieldReader::new(&bytes)).unwrap();
        assert_eq!(saved, arm.save());
        let mut other = Replanning::within(SparePushes::of(cx), arm_cx, cx).unwrap();
        other.restore(&saved, arm_cx, cx);
        let current = |arm: &Replanning| arm.lineage.as_ref().map(|lineage| lineage.current().clone());
        assert_eq!((current(&other), other.n_windows), (current(&arm), arm.n_windows));
        while arm.lineage.is_some() {
            arm.run_slice(arm_cx, cx).unwrap();
        }
        assert_eq!(cx.best().metrics().pushes, 39, "the lineage is improved, and its gains are those of the run");
        let SavedSearch::Replanning(mut unsolved) = saved else { panic!("another search") };
        unsolved.lineage.as_mut().unwrap().current = "R".parse().unwrap();
        other.restore(&SavedSearch::Replanning(unsolved.clone()), arm_cx, cx);
        assert_eq!(other.save(), SavedSearch::Replanning(SavedReplanning { lineage: None, ..unsolved }));
    });
}

#[test]
fn windows_lie_at_both_ends_and_between() {
    assert!((0..8).all(|n_pushes| draw_window(n_pushes, Draws::new(0)).is_none()));
    for n_pushes in [8, 9, 100, 20_000] {
        let windows: Vec<_> = (0..1000).map(|seed| draw_window(n_pushes, Draws::new(seed)).unwrap()).collect();
        let shortest = 8.max(n_pushes / 5);
        assert!(windows.iter().all(|window| window.end <= n_pushes && window.len() >= shortest));
        assert!(windows.contains(&(0..n_pushes)) || n_pushes > 100);
        let n = |is: fn(&Range<usize>, usize) -> bool| windows.iter().filter(|w| is(w, n_pushes)).count();
        assert!(n(|window, _| window.start == 0) >= 300 && n(|window, n_pushes| window.end == n_pushes) >= 300);
        assert!(n_pushes < 100 || n(|window, n_pushes| window.start > 0 && window.end < n_pushes) >= 200);
    }
}
