//! Many levels in one call: one level for each thread at a time.

use sokocore::Level;
use sokosearch::{Limits, run_jobs};

use crate::{Outcome, SolveKnobs, solve};

/// Solves levels side by side, one on each thread, and hands on what came of each as it comes.
///
/// Each level has the whole of `limits` for itself but for the memory, which the threads share in equal parts. `done` is
/// called with the place of the level in the list, from the threads of the call. Small levels, such as those of Boxoban,
/// take some tens of microseconds each: see `docs/research.md`.
///
/// With limited work instead of limited time, the outcomes are the same with any number of threads.
///
/// ```
/// use std::time::Duration;
///
/// use parking_lot::Mutex;
/// use sokocore::Level;
/// use sokosearch::Limits;
/// use sokosolver::{Optimal, Settings, SolveKnobs, solve_batch};
///
/// let levels = ["######\n#@$ .#\n######", "#####\n#.$@#\n#####"].map(|text| Level::parse(text).expect("a level"));
/// let knobs = SolveKnobs::default().with_settings(Settings { optimal: Optimal::Pushes, ..Settings::default() });
/// let pushes = Mutex::new(vec![None; levels.len()]);
/// solve_batch(&levels, &knobs, &Limits::new(Duration::from_secs(1)), 2, &|at, outcome| {
///     pushes.lock()[at] = outcome.metrics().map(|metrics| metrics.pushes);
/// });
/// assert_eq!(pushes.into_inner(), [Some(2), Some(1)]);
/// ```
///
/// # Panics
/// If `done` panics.
pub fn solve_batch(
    levels: &[Level],
    knobs: &SolveKnobs,
    limits: &Limits,
    n_threads: usize,
    done: &(dyn Fn(usize, Outcome) + Sync),
) {
    let n_threads = n_threads.clamp(1, levels.len().max(1));
    let knobs = knobs.clone().with_threads(1);
    run_jobs(n_threads, 0..levels.len(), |at| {
        let budget = limits.budget();
        let part = budget.memory().part(budget.memory().limit() / n_threads as u64);
        done(at, solve(&levels[at], &knobs, &budget.with_memory(part), &()));
    });
}
