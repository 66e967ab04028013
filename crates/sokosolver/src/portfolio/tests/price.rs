//! What a portfolio on two threads costs, beside the strategy that solves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::Duration;

use hashbrown::HashMap;
use parking_lot::Mutex;
use sokocore::Level;
use sokosearch::Cancel;

use super::super::SolveKnobs;
use super::super::entrant::Entrant;
use super::super::lineup::entrants;
use super::super::roster::{Next, Roster, Turn};
use super::super::shares::Share;
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

/// On two threads with a limit of work the run must not take more than 2.2 times what the winner takes alone: two threads
/// have done so many steps together after half as many steps' time.
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

/// The strategies of a portfolio on two processors that are never idle, each of which goes on beyond its slices by so many
/// percent: returns when `winner` has had `needed`, by that time.
fn price(entrants: &[Entrant], overrun: [u32; 4], winner: usize, needed: Duration) -> f64 {
    let idler = |other: &Entrant| Entrant { weights: other.weights, ..entrant("idler", 1, |_| None) };
    let budget = budget(u64::MAX).with_work(None);
    let idlers = entrants.iter().map(idler).collect();
    let mut roster = Roster::new(idlers, Share::Time, 2, &budget, &Cancel::default());
    let (mut now, mut had) = (Duration::ZERO, [Duration::ZERO; 4]);
    let mut playing: Vec<(Duration, Turn)> = Vec::new();
    let takes = |turn: &Turn| turn.slice.time() * (100 + overrun[turn.number]) / 100;
    loop {
        while playing.len() < 2 {
            let Next::Play(turn) = roster.next(u64::MAX) else { panic!("nobody has left") };
            if turn.number == winner && had[winner] + takes(&turn) >= needed {
                return (now + (needed - had[winner])).as_secs_f64() / needed.as_secs_f64();
            }
            playing.push((now + takes(&turn), turn));
        }
        let first = usize::from(playing[1].0 < playing[0].0);
        let (end, turn) = playing.swap_remove(first);
        let elapsed = takes(&turn);
        had[turn.number] += elapsed;
        roster.put_back(turn, 1, elapsed);
        now = end;
    }
}

/// Whoever of four is the best, whoever goes beyond its slices: with two threads the run takes hardly more than twice as long.
/// But for the one that is the best on few levels of the kind: packing on small boards has as much as others in the opening
/// only, and greedy backward on large ones once it shows promise, which nobody does here.
#[test]
fn the_best_of_four_waits_for_nobody_twice() {
    let side = "#".repeat(64);
    let long = format!("{side}\n#@{}$.#\n#{}#\n{side}", " ".repeat(59), " ".repeat(62));
    for (level, rare) in [(level(), "packing"), (Level::parse(&long).unwrap(), "greedy-backward")] {
        let entrants = entrants(&level, &SolveKnobs::default(), budget(0).memory(), None);
        assert_eq!(entrants.len(), 4);
        for overrun in [[0; 4], [50, 0, 0, 100], [0, 100, 50, 0]] {
            for (winner, entrant) in entrants.iter().enumerate() {
                for millis in [200, 300, 400, 800, 1_100, 1_400, 2_400, 10_000, 60_000] {
                    let most = match (entrant.name == rare, millis) {
                        (true, ..=400) if rare == "packing" => 2.1,
                        (true, ..=2_400) => 4.8,
                        (true, _) => 6.5,
                        (false, ..=2_400) => 2.1,
                        (false, _) => 2.35,
                    };
                    let price = price(&entrants, overrun, winner, Duration::from_millis(millis));
                    assert!((1.0..most).contains(&price), "{} needs {millis} ms: {price}", entrant.name);
                }
            }
        }
    }
}

/// A proof on two threads takes at most 2.2 times as long as with the best of those who look for it.
#[test]
fn no_prover_waits_long_for_the_others() {
    for optimal in [Optimal::Pushes, Optimal::Moves] {
        let knobs = SolveKnobs { settings: Settings { optimal, ..Settings::default() }, ..SolveKnobs::default() };
        let entrants = entrants(&level(), &knobs, budget(0).memory(), None);
        let all: u32 = entrants.iter().map(|entrant| entrant.weights.time[2]).sum();
        assert!(entrants.len() > 1 && entrants.iter().all(|entrant| 10 * all <= 2 * 22 * entrant.weights.time[2]));
    }
}
