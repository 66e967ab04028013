//! The threads of a run never search conflicting windows, and end together.

use std::sync::Arc;
use std::time::Duration;

use sokocore::{Level, replay};
use sokosearch::{Budget, LiveIndex, MemoryAccount, Pool};

use super::*;
use crate::schedule::arm::{ArmSliceEnd, SavedSearch, SlicedSearch};
use crate::schedule::bandit::run_best;
use crate::schedule::method_arm::MethodArm;
use crate::schedule::searched_windows::SearchedWindows;
use crate::schedule::window_locks::WindowLocks;
use crate::{Knobs, METHODS, Method, Piece, Technique, TechniqueSet};

const N_THREADS: usize = 3;
/// Pieces of four pushes that overlap by half.
const N_PIECES: usize = 10;

/// A method that gains nothing and records which of its pieces are running.
#[derive(Clone, Debug, Default)]
struct Recorded(Arc<(Mutex<Recording>, Condvar)>);

#[derive(Debug, Default)]
struct Recording {
    /// The pieces that are running.
    running: Vec<Piece>,
    most_running: usize,
    n_done: usize,
}

impl Method for Recorded {
    fn run(&self, _: &mut Context<'_>) -> Result<bool, Stop> {
        panic!("it has pieces")
    }

    fn pieces(&self, _: &mut Context<'_>) -> Result<Vec<Piece>, Stop> {
        Ok((0..N_PIECES).map(|n| Piece { pushes: 2 * n..2 * n + 4, kind: 0 }).collect())
    }

    /// The first piece does not end before another thread runs a piece, too.
    fn run_piece(&self, piece: &Piece, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let (recording, changed) = &*self.0;
        let mut recording = recording.lock();
        for other in &recording.running {
            assert!(
                piece.pushes.start >= other.pushes.end || other.pushes.start >= piece.pushes.end,
                "{piece:?} {other:?}"
            );
        }
        recording.running.push(piece.clone());
        recording.most_running = recording.most_running.max(recording.running.len());
        changed.notify_all();
        let patience = if recording.most_running < 2 { Duration::from_secs(20) } else { Duration::from_millis(2) };
        changed.wait_for(&mut recording, patience);
        recording.running.retain(|other| other != piece);
        recording.n_done += 1;
        cx.tick().map(|()| false)
    }
}

/// A box to be pushed along a corridor, and its only solution.
fn corridor() -> (Level, Solution) {
    let n_pushes = 2 * N_PIECES + 2;
    let rows = ["#".repeat(n_pushes + 4), format!("#@${}.#", " ".repeat(n_pushes - 1)), "#".repeat(n_pushes + 4)];
    let level = Level::parse(&rows.join("\n")).unwrap();
    let solution = replay(&level, &"R".repeat(n_pushes).parse().unwrap()).unwrap();
    (level, solution)
}

/// Runs several arms of one method; returns the recording.
fn run_alike(n_arms: usize) -> Recorded {
    let (level, start) = corridor();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let knobs = Knobs { n_threads: N_THREADS, ..Knobs::default() };
    let (live, searched, locks) = (LiveIndex::new(&level), SearchedWindows::default(), WindowLocks::default());
    let arm_cx = ArmContext { knobs: &knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 };
    let recorded = Recorded::default();
    let arm = || Arm::new(MethodArm::new(Technique::ALL[0], &METHODS[0], &knobs).with(Box::new(recorded.clone())), 0);
    let mut queue = ArmQueue::default();
    queue.fill((0..n_arms).map(|_| arm()).collect(), None, &start);
    assert_eq!(run_arms(&mut queue, None, arm_cx, &mut cx), Ok(()));
    recorded
}

/// Each arm has every piece to do, and the arms are equal: without locks three threads would begin with the same piece.
#[test]
fn no_two_threads_search_overlapping_windows() {
    let recorded = run_alike(N_THREADS);
    let recording = recorded.0.0.lock();
    assert_eq!(recording.n_done, N_THREADS * N_PIECES, "locked pieces are done later");
    assert!(recording.most_running >= 2, "there was other work");
}

#[test]
fn a_blocked_arm_waits_until_a_lock_is_released() {
    let (level, start) = corridor();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let knobs = Knobs::default();
    let (live, searched, locks) = (LiveIndex::new(&level), SearchedWindows::default(), WindowLocks::default());
    let arm_cx = ArmContext { knobs: &knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 };
    let new_arm = || Arm::new(MethodArm::new(Technique::Symmetry, &crate::methods::symmetry::SPEC, &knobs), 0);
    let (mut one, mut other) = (vec![new_arm()], new_arm());
    // The window that another thread would lock.
    let window = MethodArm::new(Technique::Symmetry, &crate::methods::symmetry::SPEC, &knobs).whole(&mut cx).unwrap();
    let lock = locks.try_lock(window).unwrap();
    assert_eq!(other.run_slice(arm_cx, &mut cx), Ok(ArmSliceEnd::Blocked));
    assert!(other.is_blocked(&locks) && !other.is_retired());
    assert_eq!(run_best(&mut one, arm_cx, &mut cx), Ok(true), "one try");
    assert_eq!(run_best(&mut one, arm_cx, &mut cx), Ok(false), "the arm is blocked");
    drop(lock);
    assert!(!other.is_blocked(&locks));
    assert_eq!(other.run_slice(arm_cx, &mut cx), Ok(ArmSliceEnd::Finished));
    assert!(other.is_retired());
}

/// The state of two arms that wait for each other.
#[derive(Debug, Default)]
struct MeetingState {
    /// Moves of the incumbents of the slow arm.
    seen: Vec<u64>,
    has_gained: bool,
}

type Meeting = Arc<(Mutex<MeetingState>, Condvar)>;

/// Ends its first slice without a gain, after the other one has gained.
#[derive(Clone, Debug)]
struct Slow(Meeting);

/// Gains while the slow one runs.
#[derive(Clone, Debug)]
struct Gainer(Meeting);

const LONG: Duration = Duration::from_secs(20);

impl Method for Slow {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.tick()?;
        let (state, changed) = &*self.0;
        let mut state = state.lock();
        state.seen.push(cx.incumbent().metrics().moves);
        changed.notify_all();
        if state.seen.len() == 1 {
            changed.wait_while_for(&mut state, |state| !state.has_gained, LONG);
            drop(state);
            // Meanwhile the other thread returns its arm.
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(false)
    }
}

impl Method for Gainer {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.tick()?;
        let (state, changed) = &*self.0;
        let mut state = state.lock();
        changed.wait_while_for(&mut state, |state| state.seen.is_empty(), LONG);
        let is_better = cx.found(&"RR".parse().unwrap());
        state.has_gained = true;
        changed.notify_all();
        Ok(is_better)
    }
}

#[test]
fn a_running_arm_is_revived_by_a_gain_of_another() {
    let level = Level::parse("######\n#@$ .#\n#    #\n######").unwrap();
    let start = replay(&level, &"duRR".parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let knobs = Knobs { n_threads: 2, ..Knobs::default() };
    let (live, searched, locks) = (LiveIndex::new(&level), SearchedWindows::default(), WindowLocks::default());
    let arm_cx = ArmContext { knobs: &knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 };
    let meeting = Meeting::default();
    let slow =
        Arm::new(MethodArm::new(Technique::ALL[0], &METHODS[0], &knobs).with(Box::new(Slow(meeting.clone()))), 0);
    let gains =
        Arm::new(MethodArm::new(Technique::ALL[1], &METHODS[1], &knobs).with(Box::new(Gainer(meeting.clone()))), 0);
    let mut queue = ArmQueue::default();
    queue.fill(vec![slow, gains], None, &start);
    assert_eq!(run_arms(&mut queue, None, arm_cx, &mut cx), Ok(()));
    assert_eq!(pool.best(Objective::MOVES).metrics().moves, 2);
    assert_eq!(meeting.0.lock().seen, [4, 2], "the slow arm searches from the better solution, too");
}

/// Ends its first slice without a gain, after someone outside has offered a better solution.
#[derive(Clone, Debug)]
struct Waits(Meeting);

impl Method for Waits {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.tick()?;
        let (state, changed) = &*self.0;
        let mut state = state.lock();
        state.seen.push(cx.incumbent().metrics().moves);
        changed.notify_all();
        changed.wait_while_for(&mut state, |state| !state.has_gained, LONG);
        Ok(false)
    }
}

/// Records the solutions that it is to keep.
#[derive(Clone, Debug, Default)]
struct Keeper(Arc<Mutex<Vec<u64>>>);

impl SlicedSearch for Keeper {
    fn name(&self) -> &'static str {
        "keeper"
    }

    fn techniques(&self) -> TechniqueSet {
        TechniqueSet::EMPTY
    }

    fn run_slice(&mut self, _: ArmContext<'_>, _: &mut Context<'_>) -> Result<ArmSliceEnd, Stop> {
        panic!("it is done from the beginning")
    }

    fn keep_former(&mut self, former: &Solution, _: &Context<'_>) {
        self.0.lock().push(former.metrics().moves);
    }

    fn is_done(&self) -> bool {
        true
    }

    fn revive(&mut self) {}

    fn save(&self) -> SavedSearch {
        panic!("there is no recorder")
    }

    fn restore(&mut self, _: &SavedSearch, _: ArmContext<'_>, _: &Context<'_>) {}
}

/// A better solution from outside revives the arms, and the former best is relinked and kept.
#[test]
fn a_solution_from_outside_is_taken_over() {
    let level = Level::parse("######\n#@$ .#\n#    #\n######").unwrap();
    let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    for n_threads in [1, 2] {
        let pool = Pool::new(&level, &solution("duduRR"), &[Objective::MOVES]);
        let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
        let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
        let knobs = Knobs { n_threads, ..Knobs::default() };
        let (live, searched, locks) = (LiveIndex::new(&level), SearchedWindows::default(), WindowLocks::default());
        let arm_cx = ArmContext { knobs: &knobs, live: &live, searched: &searched, locks: &locks, ticks_elsewhere: 0 };
        let (meeting, keeper) = (Meeting::default(), Keeper::default());
        let waits = MethodArm::new(Technique::ALL[0], &METHODS[0], &knobs).with(Box::new(Waits(meeting.clone())));
        let mut queue = ArmQueue::default();
        queue.fill(vec![Arm::new(waits, 0), Arm::new(keeper.clone(), 0)], None, &solution("duduRR"));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let (state, changed) = &*meeting;
                let mut state = state.lock();
                changed.wait_while_for(&mut state, |state| state.seen.is_empty(), LONG);
                assert_eq!(pool.offer(&"duRR".parse().unwrap()).map(|(improved, _)| improved.len()), Ok(1));
                state.has_gained = true;
                changed.notify_all();
            });
            assert_eq!(run_arms(&mut queue, None, arm_cx, &mut cx), Ok(()));
        });
        assert_eq!(meeting.0.lock().seen[0], 6);
        assert!(meeting.0.lock().seen.len() > 1, "the arm is revived");
        assert_eq!(*keeper.0.lock(), [6], "the former best is kept");
        assert_eq!(pool.best(Objective::MOVES).metrics().moves, 2, "relinked");
    }
}

/// What the run offers itself is no arrival.
#[test]
fn own_gains_are_no_arrivals() {
    let level = Level::parse("######\n#@$ .#\n#    #\n######").unwrap();
    let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution("duduRR"), &[Objective::MOVES, Objective::PUSHES]);
    let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
    let cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let own = OwnBest::new(&cx);
    assert_eq!(own.offer(solution("duRR").lurd(), &pool).map(|(improved, _)| improved.len()), Ok(2));
    assert_eq!(own.replaced(&cx), None);
    assert!(pool.offer(solution("RR").lurd()).is_ok());
    assert_eq!(own.replaced(&cx), Some(solution("duRR")));
    assert_eq!(own.replaced(&cx), None, "once");
    own.note(&solution("duduRR"));
    assert_eq!(own.replaced(&cx), None, "a worse one is not noted");
}

/// An arm that was taken is told of a former best solution when it returns, and once.
#[test]
fn a_taken_arm_is_told_of_a_former_best_once() {
    let level = Level::parse("######\n#@$ .#\n#    #\n######").unwrap();
    let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &solution("RR"), &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
    let cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let (keeper, mut queue) = (Keeper::default(), ArmQueue::default());
    queue.fill(vec![Arm::new(keeper.clone(), 0)], None, &solution("RR"));
    let taken = queue.arms[0].take().unwrap();
    queue.keep_former(&solution("duduRR"), &cx);
    queue.keep_former(&solution("duRR"), &cx);
    assert!(keeper.0.lock().is_empty());
    queue.put_back(0, taken, &cx);
    assert_eq!(*keeper.0.lock(), [4], "the last one");
    let taken = queue.arms[0].take().unwrap();
    queue.put_back(0, taken, &cx);
    assert_eq!(*keeper.0.lock(), [4]);
}
