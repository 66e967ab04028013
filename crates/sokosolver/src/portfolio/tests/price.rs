//! What a portfolio on two threads costs, beside the strategy that solves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::Duration;

use hashbrown::HashMap;
use parking_lot::Mutex;
use sokosearch::Cancel;

use super::super::SolveKnobs;
use super::super::entrant::Entrant;
use super::super::lineup::entrants;
use super::super::roster::{Next, Roster, Share, Turn};
use super::{budget, entrant, level, run, solution};
use crate::{Answer, Optimal, Settings, Verdict};

/// Keeps two threads abreast, as two idle processors would, whatever else the machine has to do.
#[derive(Default)]
struct Abreast {
    steps: Mutex<HashMap<ThreadId, u64>>,
    is_over: AtomicBool,
}

impl Abreast {
    /// Counts a step of this thread, then waits for the other one if that is behind.
    fn step(&self) {
        let me = thread::current().id();
        *self.steps.lock().entry(me).or_default() += 1;
        while !self.is_over.load(Ordering::Relaxed) && !self.is_in_line(me) {
            thread::yield_now();
        }
    }

    fn is_in_line(&self, me: ThreadId) -> bool {
        let steps = self.steps.lock();
        steps.len() == 2 && steps.values().all(|&other| steps[&me] <= other + 1_000)
    }

    /// How many steps both threads have done; from now on they go as they like.
    fn end(&self) -> u64 {
        self.is_over.store(true, Ordering::Relaxed);
        self.steps.lock().values().sum()
    }
}

/// On two threads with a limit of work the run must not take more than 2.2 times what the winner takes alone: two threads have done so many
/// steps together after half as many steps' time.
#[test]
fn two_threads_are_not_much_slower_than_the_best_member() {
    const STEPS: u64 = 100_000;
    for others in [&[1, 1][..], &[4, 2, 2][..]] {
        let abreast = Arc::new(Abreast::default());
        let n_steps = Arc::new(AtomicU64::new(0));
        let mut entrants: Vec<_> = others
            .iter()
            .map(|&weight| {
                let abreast = Arc::clone(&abreast);
                entrant("idler", weight, move |_| {
                    abreast.step();
                    None
                })
            })
            .collect();
        let weight = if others.len() == 2 { 1 } else { 6 };
        let (pushes, counted) = (solution(&level()), Arc::clone(&n_steps));
        entrants.push(entrant("solver", weight, move |state| {
            abreast.step();
            (state.n_steps >= STEPS).then(|| {
                counted.store(abreast.end(), Ordering::Relaxed);
                Verdict::Solved(pushes.clone())
            })
        }));
        let (answer, tried, _) = run(&level(), entrants, 2, &budget(u64::MAX), &());
        assert!(matches!(answer, Answer::Solved { .. }));
        let n_steps = n_steps.load(Ordering::Relaxed);
        assert!((STEPS..STEPS * 2 * 22 / 10).contains(&n_steps), "{n_steps} {tried:?}");
    }
}

/// A strategy that takes so many nanoseconds for a tick, and a roster of them on two processors that are never idle:
/// returns when `winner` has had `needed`.
fn finish_on_two_processors(tick_nanos: [u64; 4], late_weights: [u32; 4], winner: usize, needed: Duration) -> Duration {
    let entrants = late_weights.map(|late_weight| Entrant { late_weight, ..entrant("idler", 1, |_| None) });
    let budget = budget(u64::MAX).with_work(None);
    let mut roster = Roster::new(entrants.into(), Share::Time, 2, &budget, &Cancel::default());
    let (mut now, mut had) = (Duration::ZERO, [Duration::ZERO; 4]);
    let mut playing: Vec<(Duration, Turn)> = Vec::new();
    loop {
        while playing.len() < 2 {
            let Next::Play(turn) = roster.next(u64::MAX) else { panic!("nobody has left") };
            let takes = Duration::from_nanos(turn.ticks * tick_nanos[turn.number]);
            if turn.number == winner && had[winner] + takes >= needed {
                return now + (needed - had[winner]);
            }
            playing.push((now + takes, turn));
        }
        let first = usize::from(playing[1].0 < playing[0].0);
        let (end, turn) = playing.swap_remove(first);
        let elapsed = Duration::from_nanos(turn.ticks * tick_nanos[turn.number]);
        had[turn.number] += elapsed;
        let ticks = turn.ticks;
        roster.put_back(turn, ticks, elapsed);
        now = end;
    }
}

/// Whoever of four is the best, whatever its ticks cost: with two threads the run takes little more than twice as long, up
/// to the end of the fair start; later the one that is favored takes little longer than alone, and the others at most 2.75
/// times as long.
#[test]
fn the_best_of_four_waits_for_nobody_twice() {
    let (ticks, late) = ([700, 300, 1_000, 4_000], [10, 4, 4, 4]);
    for winner in 0..4 {
        for millis in [200, 300, 500, 800, 1_100, 1_400, 2_400] {
            let needed = Duration::from_millis(millis);
            let price = finish_on_two_processors(ticks, late, winner, needed).as_secs_f64() / needed.as_secs_f64();
            assert!((1.0..2.15).contains(&price), "{winner} needs {millis} ms: {price}");
        }
    }
    let minute = Duration::from_secs(60);
    let price = |winner| finish_on_two_processors(ticks, late, winner, minute).as_secs_f64() / 60.0;
    let prices = [0, 1, 2, 3].map(price);
    assert!(prices[0] < 1.2 && prices[1..].iter().all(|&price| price < 2.8), "{prices:?}");
}

/// A proof on two threads takes at most 2.2 times as long as with the best of those who look for it.
#[test]
fn no_prover_waits_long_for_the_others() {
    for optimal in [Optimal::Pushes, Optimal::Moves] {
        let knobs = SolveKnobs { settings: Settings { optimal, ..Settings::default() }, ..SolveKnobs::default() };
        let entrants = entrants(&level(), &knobs, budget(0).memory());
        let all: u32 = entrants.iter().map(|entrant| entrant.late_weight).sum();
        assert!(entrants.len() > 1 && entrants.iter().all(|entrant| 10 * all <= 2 * 22 * entrant.late_weight));
    }
}
