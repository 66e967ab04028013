//! Sweeps pass over locked windows, and return to them.

use sokocore::{Level, Objective, replay};
use sokosearch::{Budget, Cancel, LiveIndex, MemoryAccount, Pool};

use super::*;
use crate::Knobs;
use crate::schedule::searched_windows::SearchedWindows;
use crate::schedule::window_locks::WindowLocks;

/// Pushes of a window. The next one starts in its middle, since one box is open throughout.
const LENGTH: usize = 10;

/// Runs slices of an arm on a box that is pushed 30 times along a corridor.
fn check(memory: u64, run: impl FnOnce(&mut TubeArm, &Spine, ArmContext<'_>, &mut Context<'_>)) {
    let wall = "#".repeat(34);
    let level = Level::parse(&format!("{wall}\n#@${}.#\n{wall}", " ".repeat(29))).unwrap();
    let solution = replay(&level, &"R".repeat(30).parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(memory), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let (knobs, live) = (Knobs::default(), LiveIndex::new(&level));
    let (searched, locks) = (SearchedWindows::default(), WindowLocks::default());
    let arm_cx = ArmContext { knobs: &knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 };
    let mut arm = TubeArm { length: LENGTH, longest: LENGTH, ..TubeArm::new(vec![2], Boxes::All, 0, live.n_live()) };
    let spine = Spine::new(&level, &live, &solution, &MemoryAccount::new(1 << 20)).unwrap();
    run(&mut arm, &spine, arm_cx, &mut cx);
    assert_eq!(pool.best(Objective::MOVES), solution);
}

/// The window that the arm would search next.
fn next(arm: &TubeArm, spine: &Spine, arm_cx: ArmContext<'_>, cx: &Context<'_>) -> Option<Range<usize>> {
    match arm.next_window(spine, arm_cx, cx) {
        NextWindow::Locked(lock) => Some(lock.pushes().clone()),
        NextWindow::AlreadySearched | NextWindow::Blocked => None,
    }
}

/// Another thread has locked the first window: the sweep continues at its end, and returns to it.
#[test]
fn locked_windows_are_searched_later() {
    check(1 << 20, |arm, spine, arm_cx, cx| {
        let NextWindow::Locked(lock) = arm.next_window(spine, arm_cx, cx) else { panic!("no lock is held") };
        assert_eq!(*lock.pushes(), 0..LENGTH);
        assert_eq!(next(arm, spine, arm_cx, cx), Some(LENGTH..2 * LENGTH), "not 5..15, which overlaps");
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Finished));
        assert_eq!(next(arm, spine, arm_cx, cx), Some(15..25), "10..20 was searched");
        while arm.run_slice(arm_cx, cx) != Ok(ArmSliceEnd::Blocked) {}
        assert_eq!((arm.cursor, arm.sweeps_without_gain), (0, 0), "the sweep is not over");
        drop(lock);
        let mut searched = Vec::new();
        while arm.sweeps_without_gain == 0 {
            searched.extend(next(arm, spine, arm_cx, cx));
            arm.run_slice(arm_cx, cx).unwrap();
        }
        assert_eq!(searched.iter().map(|window| window.start).collect::<Vec<_>>(), [0, 5]);
    });
}

#[test]
fn locks_of_another_neighborhood_do_not_block() {
    check(1 << 20, |arm, spine, arm_cx, cx| {
        let others = TubeArm { length: 30, longest: 30, ..TubeArm::new(vec![2], Boxes::Pushed, 0, 31) };
        let NextWindow::Locked(_lock) = others.next_window(spine, arm_cx, cx) else { panic!("no lock is held") };
        assert_eq!(next(arm, spine, arm_cx, cx), Some(0..LENGTH));
    });
}

/// The longer an arm has searched, the longer a slice of it may be, and so a window.
#[test]
fn slices_grow_with_the_work_of_the_arm() {
    let mut arm = TubeArm::new(vec![10], Boxes::All, 0, 31);
    let mut slice_after = |all_ticks| {
        arm.note_slice(0.0, all_ticks);
        arm.slice
    };
    assert_eq!(slice_after(FIRST_SLICE / MULTIPLE_OF_PAST), FIRST_SLICE);
    assert_eq!(slice_after(2 * FIRST_SLICE), 2 * MULTIPLE_OF_PAST * FIRST_SLICE);
    assert_eq!(slice_after(FIRST_SLICE), 2 * MULTIPLE_OF_PAST * FIRST_SLICE, "slices do not shrink");
    assert_eq!(slice_after(u64::MAX), LONGEST_OF_PAST);
}

/// Without memory for fingerprints, sweeps end nevertheless.
#[test]
fn an_arm_without_memory_is_done_nevertheless() {
    let slices = |memory| {
        let mut slices = Vec::new();
        check(memory, |arm, _, arm_cx, cx| {
            while !arm.is_done() {
                slices.push(arm.run_slice(arm_cx, cx).unwrap());
                assert!(slices.len() < 1_000, "it never ends");
            }
            arm.revive();
            (0..5).for_each(|_| slices.push(arm.run_slice(arm_cx, cx).unwrap()));
        });
        slices
    };
    assert!(slices(1 << 20).ends_with(&[ArmSliceEnd::Skipped; 5]));
    assert!(!slices(18 << 10).contains(&ArmSliceEnd::Skipped));
}

/// A sweep that begins elsewhere searches the same windows: those before its first one after those at the end.
#[test]
fn a_sweep_that_begins_elsewhere_is_as_complete() {
    for place in 0..9 {
        check(1 << 20, |arm, spine, arm_cx, cx| {
            arm.begin_at(place);
            let mut starts = Vec::new();
            while arm.sweeps_without_gain == 0 {
                if arm.run_slice(arm_cx, cx) == Ok(ArmSliceEnd::Finished) {
                    starts.push(arm.cursor);
                }
            }
            assert_eq!(starts.len(), 5, "0..10, 5..15, 10..20, 15..25, 20..30");
            let first = usize::try_from(place % 5).unwrap() * 5;
            assert_eq!(starts[0], if first == 20 { 0 } else { first + 5 });
            assert_eq!(next(arm, spine, arm_cx, cx).map(|window| window.start), Some(0), "in the next ring order");
        });
    }
}
