//! Threads of a team keep out of each other's windows, and come to an end together.

use std::sync::Arc;
use std::time::Duration;

use sokocore::{Level, replay};
use sokosearch::{Budget, LiveIndex, MemoryAccount, Pool};

use super::*;
use crate::schedule::arm::Slice;
use crate::schedule::method_arm::MethodArm;
use crate::schedule::searched_windows::SearchedWindows;
use crate::{Knobs, METHODS, Method, Piece};

const N_THREADS: usize = 3;
/// Pieces of four pushes that overlap by half.
const N_PIECES: usize = 10;

/// A method that gains nothing and watches who is at which of its pieces.
#[derive(Clone, Debug, Default)]
struct Watched(Arc<(Mutex<Watch>, Condvar)>);

#[derive(Debug, Default)]
struct Watch {
    /// The pieces that somebody is at.
    busy: Vec<Piece>,
    most_busy: usize,
    n_done: usize,
}

impl Method for Watched {
    fn run(&self, _: &mut Context<'_>) -> Result<bool, Stop> {
        panic!("it has pieces")
    }

    fn pieces(&self, _: &mut Context<'_>) -> Result<Vec<Piece>, Stop> {
        Ok((0..N_PIECES).map(|n| Piece { pushes: 2 * n..2 * n + 4, kind: 0 }).collect())
    }

    /// The first one does not end before another thread is at a piece, too.
    fn run_piece(&self, piece: &Piece, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let (watch, changed) = &*self.0;
        let mut watch = watch.lock();
        for other in &watch.busy {
            assert!(
                piece.pushes.start >= other.pushes.end || other.pushes.start >= piece.pushes.end,
                "{piece:?} {other:?}"
            );
        }
        watch.busy.push(piece.clone());
        watch.most_busy = watch.most_busy.max(watch.busy.len());
        changed.notify_all();
        let patience = if watch.most_busy < 2 { Duration::from_secs(20) } else { Duration::from_millis(2) };
        changed.wait_for(&mut watch, patience);
        watch.busy.retain(|other| other != piece);
        watch.n_done += 1;
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

/// Lets arms of one method play against each other; returns what was watched.
fn play_alike(n_arms: usize) -> Watched {
    let (level, start) = corridor();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let knobs = Knobs { n_threads: N_THREADS, ..Knobs::default() };
    let (live, searched, in_hand) = (LiveIndex::new(&level), SearchedWindows::default(), WindowsInHand::default());
    let field = Field { knobs: &knobs, live: &live, searched: &searched, in_hand: &in_hand };
    let watched = Watched::default();
    let arm = || Arm::method(MethodArm::new(&METHODS[0], &knobs).with(Box::new(watched.clone())), 0);
    assert_eq!(play_in_team((0..n_arms).map(|_| arm()).collect(), None, field, &mut cx), Ok(()));
    watched
}

/// Each arm has every piece to do, and they are told apart by nothing: so three threads begin with the same one, were
/// it not in other hands.
#[test]
fn no_two_threads_are_at_overlapping_windows() {
    let watched = play_alike(N_THREADS);
    let watch = watched.0.0.lock();
    assert_eq!(watch.n_done, N_THREADS * N_PIECES, "what was in other hands is done later");
    assert!(watch.most_busy >= 2, "there was other work");
}

#[test]
fn an_arm_waits_until_a_window_is_put_back() {
    let (level, start) = corridor();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let knobs = Knobs::default();
    let (live, searched, in_hand) = (LiveIndex::new(&level), SearchedWindows::default(), WindowsInHand::default());
    let field = Field { knobs: &knobs, live: &live, searched: &searched, in_hand: &in_hand };
    let new_arm = || Arm::method(MethodArm::new(&crate::symmetry::SPEC, &knobs), 0);
    let (mut one, mut other) = (vec![new_arm()], new_arm());
    // The way and the solution as another thread would have them.
    let window = MethodArm::new(&crate::symmetry::SPEC, &knobs).whole(&mut cx).unwrap();
    let hand = in_hand.take(window).unwrap();
    assert_eq!(other.run_slice(field, &mut cx), Ok(Slice::Taken));
    assert!(other.waits(&in_hand) && !other.is_retired());
    assert_eq!(super::super::play_best(&mut one, field, &mut cx), Ok(true), "one try");
    assert_eq!(
        super::super::play_best(&mut one, field, &mut cx),
        Ok(false),
        "it waits, and the caller is not kept busy"
    );
    drop(hand);
    assert!(!other.waits(&in_hand));
    assert_eq!(other.run_slice(field, &mut cx), Ok(Slice::Finished));
    assert!(other.is_retired());
}

/// What two arms tell each other.
#[derive(Debug, Default)]
struct Told {
    /// Moves of the solutions that the slow one has looked at.
    seen: Vec<u64>,
    has_gained: bool,
}

type Meeting = Arc<(Mutex<Told>, Condvar)>;

/// Ends its first slice in vain, after the other one has gained.
#[derive(Clone, Debug)]
struct Slow(Meeting);

/// Gains while the slow one is at play.
#[derive(Clone, Debug)]
struct Gains(Meeting);

const LONG: Duration = Duration::from_secs(20);

impl Method for Slow {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.tick()?;
        let (told, changed) = &*self.0;
        let mut told = told.lock();
        told.seen.push(cx.incumbent().metrics().moves);
        changed.notify_all();
        if told.seen.len() == 1 {
            changed.wait_while_for(&mut told, |told| !told.has_gained, LONG);
            drop(told);
            // The other thread puts its arm back meanwhile.
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(false)
    }
}

impl Method for Gains {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.tick()?;
        let (told, changed) = &*self.0;
        let mut told = told.lock();
        changed.wait_while_for(&mut told, |told| told.seen.is_empty(), LONG);
        let is_better = cx.found(&"RR".parse().unwrap());
        told.has_gained = true;
        changed.notify_all();
        Ok(is_better)
    }
}

#[test]
fn an_arm_at_play_is_brought_back_by_a_gain_of_another() {
    let level = Level::parse("######\n#@$ .#\n#    #\n######").unwrap();
    let start = replay(&level, &"duRR".parse().unwrap()).unwrap();
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
    let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let knobs = Knobs { n_threads: 2, ..Knobs::default() };
    let (live, searched, in_hand) = (LiveIndex::new(&level), SearchedWindows::default(), WindowsInHand::default());
    let field = Field { knobs: &knobs, live: &live, searched: &searched, in_hand: &in_hand };
    let meeting = Meeting::default();
    let slow = Arm::method(MethodArm::new(&METHODS[0], &knobs).with(Box::new(Slow(meeting.clone()))), 0);
    let gains = Arm::method(MethodArm::new(&METHODS[1], &knobs).with(Box::new(Gains(meeting.clone()))), 0);
    assert_eq!(play_in_team(vec![slow, gains], None, field, &mut cx), Ok(()));
    assert_eq!(pool.best(Objective::MOVES).metrics().moves, 2);
    assert_eq!(meeting.0.lock().seen, [4, 2], "the slow arm has to look at the better solution, too");
}
