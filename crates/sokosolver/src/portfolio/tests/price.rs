//! What a portfolio on two threads costs, beside the strategy that solves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, ThreadId};

use hashbrown::HashMap;
use parking_lot::Mutex;

use super::{budget, entrant, level, run, solution};
use crate::{Answer, Verdict};

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

/// On two threads the run must not take more than 2.2 times what the winner takes alone: two threads have done so many
/// steps together after half as many steps' time. Weights as on boards that are not large.
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
