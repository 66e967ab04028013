//! Arrivals: better solutions that come into the pool of a run from outside, from another island or from a search for another
//! objective.
//!
//! ```text
//!   pool      ───own───────────▶ arrival ──┬─ relinked and crossed ─▶ best of both
//!   own best  ───own──▶ former ────────────┘
//!                          └─▶ lineages: crossed with all others, and the start of one
//! ```
//!
//! The arms search from the best solution, so an arrival ends the search from the run's own. What was special in that is
//! kept: it is relinked and crossed with the arrival (see `relinking`), and the lineages continue from it.
//!
//! Invariant: what the run itself has offered is no arrival. Offers of its slices are noted under the lock; what two
//! threads find at the same time may count as an arrival, which costs a relinking.

use parking_lot::Mutex;
use sokocore::{Lurd, Objective, ReplayError, Solution};
use sokosearch::{Context, Pool};

/// The best solution that a run knows of.
#[derive(Debug)]
pub(crate) struct OwnBest {
    objective: Objective,
    best: Mutex<Solution>,
}

impl OwnBest {
    /// Begins with the best of the pool.
    pub(super) fn new(cx: &Context<'_>) -> Self {
        Self { objective: cx.objective(), best: Mutex::new(cx.best()) }
    }

    fn is_better(&self, one: &Solution, other: &Solution) -> bool {
        self.objective.score(&one.metrics()) < self.objective.score(&other.metrics())
    }

    /// Notes a solution that the run has found.
    pub(super) fn note(&self, solution: &Solution) {
        let mut best = self.best.lock();
        if self.is_better(solution, &best) {
            *best = solution.clone();
        }
    }

    /// Offers moves that the run has found to its pool, and notes them.
    pub(super) fn offer(&self, moves: &Lurd, pool: &Pool<'_>) -> Result<(Vec<Objective>, Solution), ReplayError> {
        let mut best = self.best.lock();
        let offered = pool.offer(moves)?;
        if offered.0.contains(&self.objective) {
            *best = offered.1.clone();
        }
        Ok(offered)
    }

    /// Returns the run's former best if the pool has a better solution from outside, which is the run's own from now on.
    pub(super) fn replaced(&self, cx: &Context<'_>) -> Option<Solution> {
        let mut best = self.best.lock();
        let arrival = cx.best();
        self.is_better(&arrival, &best).then(|| std::mem::replace(&mut *best, arrival))
    }
}
