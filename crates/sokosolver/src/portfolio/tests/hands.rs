//! Strategies that several threads play at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sokosearch::Cancel;

use super::super::entrant::Entrant;
use super::super::roster::{Next, Roster, Turn};
use super::super::shares::{Share, Slice, Weights};
use super::{budget, entrant, entrant_with, level, run, solution};
use crate::{Answer, AttemptEnd, Verdict};

/// How long each of three strategies is played within so long on two processors.
fn had_on_two_processors(has_hands: bool, late_weight: u32, time: Duration) -> [Duration; 3] {
    let weights = Weights { work: 1, time: [1, 1, late_weight] };
    let favorite = Entrant { weights, ..entrant_with("favorite", 1, has_hands, |_| None) };
    let entrants = vec![favorite, entrant("other", 1, |_| None), entrant("third", 1, |_| None)];
    let budget = budget(u64::MAX).with_work(None);
    let mut roster = Roster::new(entrants, Share::Time, 2, &budget, &Cancel::default());
    let (mut now, mut had) = (Duration::ZERO, [Duration::ZERO; 3]);
    let mut playing: Vec<(Duration, Turn)> = Vec::new();
    while now < time {
        while playing.len() < 2 {
            let Next::Play(turn) = roster.next(u64::MAX) else { panic!("nobody has left") };
            playing.push((now + turn.slice.time(), turn));
        }
        let first = usize::from(playing[1].0 < playing[0].0);
        let (end, mut turn) = playing.swap_remove(first);
        let ticks = turn.runner.play(&Arc::clone(&turn.entrant), Slice::Ticks(10)).ticks;
        let elapsed = turn.slice.time();
        had[turn.number] += elapsed;
        roster.put_back(turn, ticks, elapsed);
        now = end;
    }
    had
}

/// A share of eight tenths of two threads is more than one thread; early on all have the same even so.
#[test]
fn a_share_above_one_thread_gets_another_hand() {
    let seconds = |has_hands, weight, time| {
        had_on_two_processors(has_hands, weight, Duration::from_secs(time)).map(|had| had.as_secs_f64())
    };
    let [one, ..] = seconds(false, 8, 12);
    let [two, other, third] = seconds(true, 8, 12);
    assert!(one < 12.5 && two > 15.0, "{one} {two}");
    assert!(other.min(third) > 3.0, "{other} {third}");
    let [less, ..] = seconds(true, 1, 12);
    assert!((7.0..9.0).contains(&less), "{less}");
    let [early, ..] = seconds(true, 8, 2);
    assert!(early < 1.7, "{early}");
}

/// Nobody else is there, so each thread takes a hand; whoever finds the solution ends the run.
#[test]
fn one_strategy_alone_is_played_by_all_threads() {
    let (pushes, n_steps) = (solution(&level()), Arc::new(AtomicU64::new(0)));
    let act = move |_: &mut super::ActorState<'_>| {
        let n_steps = n_steps.fetch_add(1, Ordering::Relaxed);
        (n_steps >= 200_000).then(|| Verdict::Solved(pushes.clone()))
    };
    let budget = budget(u64::MAX).with_work(None);
    let (answer, tried, _) = run(&level(), vec![entrant_with("many", 1, true, act)], 2, &budget, &());
    assert!(matches!(answer, Answer::Solved { .. }));
    assert_eq!(tried[0].end, AttemptEnd::Solved);
}

/// One hand has nothing left to do, the other one solves.
#[test]
fn who_gives_up_leaves_the_others_to_it() {
    let (pushes, n_hands) = (solution(&level()), Arc::new(AtomicU64::new(0)));
    let mut own = None;
    let act = move |state: &mut super::ActorState<'_>| {
        let own = *own.get_or_insert_with(|| n_hands.fetch_add(1, Ordering::Relaxed));
        let solves = || Verdict::Solved(pushes.clone());
        if own == 0 { (state.n_steps >= 50_000).then(solves) } else { (state.n_steps >= 10).then_some(Verdict::GaveUp) }
    };
    let budget = budget(u64::MAX).with_work(None);
    let (answer, ..) = run(&level(), vec![entrant_with("many", 1, true, act)], 3, &budget, &());
    assert!(matches!(answer, Answer::Solved { .. }), "{answer:?}");
}

/// A strategy with several hands is dropped like any other, once the last of them is back.
#[test]
fn hands_that_eat_all_memory_are_dropped_together() {
    let hog = entrant_with("hog", 1, true, |state| {
        state.grow(1 << 16);
        None
    });
    let pushes = solution(&level());
    let modest = entrant("modest", 1, move |state| {
        state.grow(100);
        (state.n_steps >= 200_000).then(|| Verdict::Solved(pushes.clone()))
    });
    let budget = budget(u64::MAX).with_work(None);
    let (answer, tried, _) = run(&level(), vec![hog, modest], 3, &budget, &());
    assert!(matches!(answer, Answer::Solved { ref by, .. } if by == "modest"), "{answer:?}");
    assert_eq!(tried[0].end, AttemptEnd::Stopped(sokosearch::Stop::Memory));
    assert_eq!(budget.memory().used(), 0);
}
