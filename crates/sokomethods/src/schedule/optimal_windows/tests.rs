//! The sweep of optimal windows: gains, lengths, ends, and its place in a checkpoint.

use std::sync::Arc;

use parking_lot::Mutex;
use sokocore::{Direction, Level, Metric, Objective, Push, Square};
use sokosearch::{
    Budget, Cancel, LiveIndex, MemoryAccount, OptimalSearch, OptimalSearcher, Pool, SubproblemSearch, SubproblemSlice,
};

use super::*;
use crate::Knobs;
use crate::checkpoint::field::{Field, FieldReader};
use crate::schedule::searched_windows::SearchedWindows;
use crate::schedule::subproblem::tests::detour;
use crate::schedule::window_locks::WindowLocks;

/// Answers each window as it was told, and notes the windows: their pushes, and what they may use.
#[derive(Clone, Debug, Default)]
struct WindowScript {
    /// What a search of a window does, in turn; when they are used up, it finds nothing at once.
    answers: Arc<Mutex<Vec<Answer>>>,
    /// The pushes of each window searched, and the column in which it begins.
    windows: Arc<Mutex<Vec<(u64, usize)>>>,
}

#[derive(Clone, Debug)]
enum Answer {
    /// The slice does not suffice.
    Pending,
    /// A box is pushed straight this far to the right.
    Straight(usize),
    Fails(Stop),
}

#[derive(Debug)]
struct ScriptedWindow {
    answer: Option<Answer>,
    level: Level,
    ticks: u64,
}

impl OptimalSearcher for WindowScript {
    fn begin(&self, _: &Level, _: Metric, _: &Budget) -> Option<Box<dyn OptimalSearch>> {
        None
    }

    fn begin_subproblem(
        &self,
        window: &Level,
        end: Square,
        n_pushes: u64,
        _: &Budget,
    ) -> Option<Box<dyn SubproblemSearch>> {
        assert!(!window.start().boxes.contains(end) && !window.board().goals().contains(end));
        let column = window.board().place(window.start().player).1;
        self.windows.lock().push((n_pushes, column));
        let mut answers = self.answers.lock();
        let answer = if answers.is_empty() { None } else { Some(answers.remove(0)) };
        Some(Box::new(ScriptedWindow { answer, level: window.clone(), ticks: 0 }))
    }
}

impl SubproblemSearch for ScriptedWindow {
    fn run_slice(&mut self, ticks: u64) -> Result<SubproblemSlice, Stop> {
        self.ticks += 1;
        Ok(match self.answer.take() {
            Some(Answer::Pending) => {
                self.ticks += ticks;
                SubproblemSlice::Pending
            }
            Some(Answer::Fails(stop)) => return Err(stop),
            Some(Answer::Straight(n)) => {
                let (level, mut from) = (&self.level, self.level.start().boxes.iter().next().unwrap());
                let mut push = || {
                    let push = Push { from, dir: Direction::Right };
                    from = push.to(level.board()).unwrap();
                    push
                };
                SubproblemSlice::Better((0..n).map(|_| push()).collect())
            }
            None => SubproblemSlice::Exhausted,
        })
    }

    fn ticks(&self) -> u64 {
        self.ticks
    }
}

/// Runs slices of an arm that answers as the script says.
fn check(
    answers: impl IntoIterator<Item = Answer>,
    run: impl FnOnce(&mut OptimalWindows, ArmContext<'_>, &mut Context<'_>),
) -> Vec<(u64, usize)> {
    let (level, solution) = detour();
    let pool = Pool::new(&level, &solution, &[Objective::PUSHES]);
    let budget = Budget::new(None, MemoryAccount::new(1 << 20), Cancel::default());
    let mut cx = Context::new(&pool, Objective::PUSHES, &budget, &());
    let (knobs, live) = (Knobs::default(), LiveIndex::new(&level));
    let (searched, locks) = (SearchedWindows::default(), WindowLocks::default());
    let arm_cx = ArmContext { knobs: &knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 };
    let script =
        WindowScript { answers: Arc::new(Mutex::new(answers.into_iter().collect())), ..WindowScript::default() };
    let mut arm = OptimalWindows::new(SharedOptimalSearcher::new(script.clone()));
    run(&mut arm, arm_cx, &mut cx);
    let windows = script.windows.lock();
    windows.clone()
}

#[test]
fn a_shorter_window_replaces_its_part_of_the_solution() {
    let windows = check([Answer::Straight(14)], |arm, arm_cx, cx| {
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Finished));
        assert_eq!(cx.best().metrics().pushes, 39);
        assert!(cx.ticks() >= TICKS_OF_SEARCH, "the work counts");
        arm.run_slice(arm_cx, cx).unwrap();
    });
    assert_eq!(windows, [(16, 1), (16, 1)], "the window with a gain is searched again, with what follows it");
}

#[test]
fn pushes_that_do_not_lead_to_the_end_are_refused() {
    check([Answer::Straight(3)], |arm, arm_cx, cx| {
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Finished));
        assert_eq!(cx.best().metrics().pushes, 41);
    });
}

/// Windows get longer from sweep to sweep, up to the whole solution, whether they are searched to their ends or not. Then
/// they are short again and searched for longer.
#[test]
fn windows_that_do_not_fit_get_longer_and_then_more_ticks() {
    let windows = check(vec![Answer::Pending; 100], |arm, arm_cx, cx| {
        let mut n_slices = 0;
        while arm.sweep.slice == FIRST_SLICE {
            assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::CutShort));
            n_slices += 1;
        }
        assert_eq!(cx.ticks(), n_slices * TICKS_OF_SEARCH * (FIRST_SLICE + 1));
        assert_eq!((arm.sweep.slice, arm.sweep.length), (FIRST_SLICE * GROWTH, FIRST_LENGTH));
    });
    let starts: Vec<_> = windows.iter().filter(|window| window.1 == 1).map(|window| window.0).collect();
    assert_eq!(starts, [16, 24, 36, 41], "the first window of each sweep");
    assert!(windows.len() > 7, "the sweeps of shorter windows have several");
}

/// Runs slices until the arm is done.
fn run_to_the_end(arm: &mut OptimalWindows, arm_cx: ArmContext<'_>, cx: &mut Context<'_>) {
    let mut n_slices = 0;
    while !arm.is_done() {
        arm.run_slice(arm_cx, cx).unwrap();
        n_slices += 1;
        assert!(n_slices < 200, "it does not end");
    }
}

/// Windows that are searched to their ends get longer, too; the arm ends once the solution is one searched window.
#[test]
fn searched_windows_grow_to_the_whole_solution() {
    let windows = check([], |arm, arm_cx, cx| {
        run_to_the_end(arm, arm_cx, cx);
        assert!(!cx.is_proved(), "a window proves nothing of the six metrics");
        arm.revive();
        assert!(!arm.is_done(), "the solution may have changed");
        assert_eq!(arm.sweep, Sweep::FIRST);
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Skipped));
        assert!(arm.is_done(), "it has not");
    });
    assert_eq!(windows.last(), Some(&(41, 1)));
}

/// The last sweep has the longest slices; when the solution changes, the first comes again.
#[test]
fn an_arm_whose_windows_never_fit_is_done_at_last() {
    check(vec![Answer::Pending; 500], |arm, arm_cx, cx| {
        run_to_the_end(arm, arm_cx, cx);
        assert_eq!((arm.sweep.slice, arm.sweep.is_exhausted), (LAST_SLICE, true));
        let SavedSearch::Windows(mut saved) = arm.save() else { panic!("it is a sweep of windows") };
        let restored = |saved| {
            let mut other = OptimalWindows::new(SharedOptimalSearcher::new(WindowScript::default()));
            other.restore(&SavedSearch::Windows(saved), arm_cx, cx);
            other.is_done()
        };
        assert!(restored(saved.clone()));
        saved.forget_lack_of_memory();
        assert!(!restored(saved), "there is more memory");
        arm.revive();
        assert!(!arm.is_done());
        assert_eq!(arm.sweep, Sweep::FIRST);
    });
}

#[test]
fn a_window_without_memory_is_cut_short() {
    check([Answer::Fails(Stop::Memory), Answer::Fails(Stop::Time)], |arm, arm_cx, cx| {
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::CutShort));
        assert_eq!(arm.run_slice(arm_cx, cx), Err(Stop::Time));
    });
}

#[test]
fn the_sweep_continues_from_a_checkpoint() {
    check(vec![Answer::Pending; 2], |arm, arm_cx, cx| {
        for _ in 0..3 {
            arm.run_slice(arm_cx, cx).unwrap();
        }
        let saved = arm.save();
        let mut bytes = Vec::new();
        saved.write(&mut bytes);
        assert_eq!(SavedSearch::read(&mut FieldReader::new(&bytes)).as_ref(), Some(&saved));
        let mut other = OptimalWindows::new(SharedOptimalSearcher::new(WindowScript::default()));
        other.restore(&saved, arm_cx, cx);
        assert_eq!(other.save(), saved, "with the searched windows");
        assert!(other.sweep.cursor > 0);
    });
}

/// Another thread has the first window: the sweep continues after it, and counts as open.
#[test]
fn a_locked_window_is_left_out() {
    check([], |arm, arm_cx, cx| {
        let mut other = OptimalWindows::new(SharedOptimalSearcher::new(WindowScript::default()));
        let spine = Spine::new(cx.level(), arm_cx.live, &cx.incumbent(), cx.budget().memory()).unwrap();
        other.searched.adapt_to(&spine);
        let lock = other.lock(&(0..FIRST_LENGTH), &spine, arm_cx, cx).unwrap();
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Blocked));
        assert!(arm.sweep.cursor > 0 && arm.sweep.is_open);
        drop(lock);
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Finished));
    });
}
