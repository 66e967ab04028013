//! Arms of methods resume where they paused, remember pieces without a gain, and respect locks.

use std::sync::Arc;

use parking_lot::Mutex;
use sokocore::{Level, Objective, replay};
use sokosearch::{Budget, Cancel, MemoryAccount, Pool};

use super::*;
use crate::schedule::searched_windows::SearchedWindows;
use crate::schedule::window_locks::WindowLocks;

impl MethodArm {
    /// The same arm with another method.
    pub(crate) fn with(mut self, method: Box<dyn Method>) -> Self {
        self.method = method.into();
        self
    }

    /// The window that is locked while the method runs as a whole.
    pub(crate) fn whole(mut self, cx: &mut Context<'_>) -> Result<WindowSearch, Stop> {
        let spine = self.lay_out(cx)?;
        Ok(self.window(&spine, &Piece { pushes: 0..spine.end(), kind: 0 }, cx))
    }
}

/// Three pieces, the second of which takes more than a first slice; records the pieces done.
#[derive(Clone, Debug, Default)]
struct ThreePieces(Arc<Mutex<Vec<usize>>>);

impl Method for ThreePieces {
    fn run(&self, _: &mut Context<'_>) -> Result<bool, Stop> {
        panic!("it has pieces")
    }

    fn pieces(&self, _: &mut Context<'_>) -> Result<Vec<Piece>, Stop> {
        Ok((0..3).map(|kind| Piece { pushes: 0..1, kind }).collect())
    }

    fn run_piece(&self, piece: &Piece, cx: &mut Context<'_>) -> Result<bool, Stop> {
        self.0.lock().push(piece.kind);
        cx.tick_by(if piece.kind == 1 { 2 * FIRST_SLICE } else { 10 })?;
        Ok(false)
    }
}

impl ThreePieces {
    /// Returns the pieces done since the last time.
    fn done(&self) -> Vec<usize> {
        std::mem::take(&mut self.0.lock())
    }
}

/// Runs slices of an arm within so much memory.
fn check(memory: u64, run: impl FnOnce(&mut MethodArm, &ThreePieces, ArmContext<'_>, &mut Context<'_>)) {
    let level = Level::parse("######\n#@$ .#\n######").unwrap();
    let solution = replay(&level, &"RR".parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(memory), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let (knobs, live) = (Knobs::default(), LiveIndex::new(&level));
    let (searched, locks) = (SearchedWindows::default(), WindowLocks::default());
    let arm_cx = ArmContext { knobs: &knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 };
    let method = ThreePieces::default();
    let mut arm = MethodArm::new(Technique::ALL[0], &crate::METHODS[0], &knobs).with(Box::new(method.clone()));
    run(&mut arm, &method, arm_cx, &mut cx);
}

#[test]
fn an_arm_resumes_where_it_paused_and_repeats_nothing() {
    check(1 << 20, |arm, method, arm_cx, cx| {
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::CutShort));
        assert_eq!(method.done(), [0, 1]);
        assert!(!arm.is_done());
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Finished));
        assert_eq!(method.done(), [1, 2]);
        assert!(arm.is_done());
        arm.revive();
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Finished));
        assert!(method.done().is_empty(), "the pieces are the same");
        assert!(cx.budget().memory().used() > 0, "what is remembered is charged");
    });
}

/// With memory for a spine but not for fingerprints, every piece is repeated after a gain of another arm, and the arm
/// is done nevertheless.
#[test]
fn an_arm_without_memory_repeats_its_pieces_and_is_done() {
    check(8 << 10, |arm, method, arm_cx, cx| {
        for _ in 0..2 {
            while !arm.is_done() {
                arm.run_slice(arm_cx, cx).unwrap();
            }
            assert!(method.done().ends_with(&[1, 2]));
            arm.revive();
        }
        assert_eq!(cx.budget().memory().used(), 0);
    });
}

#[test]
fn locked_pieces_are_done_later() {
    check(1 << 20, |arm, method, arm_cx, cx| {
        arm.slice = 100 * FIRST_SLICE;
        let spine = arm.lay_out(cx).unwrap();
        let lock = arm_cx.locks.try_lock(arm.window(&spine, &arm.todo[0], cx)).unwrap();
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Blocked));
        assert_eq!(method.done(), [1, 2], "of another kind");
        assert!(!arm.is_done());
        drop(lock);
        assert_eq!(arm.run_slice(arm_cx, cx), Ok(ArmSliceEnd::Finished));
        assert_eq!((method.done(), arm.is_done()), (vec![0], true));
    });
}
