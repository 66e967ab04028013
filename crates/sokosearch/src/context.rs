//! The one door through which a method reaches budget, pool and progress.

use sokocore::{Level, Lurd, Objective, Push, Solution, moves_of};

use crate::{Budget, Event, Pool, Progress, Stop};

/// How many ticks pass between two looks at the budget.
const POLL_EVERY: u64 = 512;

/// What the tube searches of a run did, for benches and reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tubes searched.
    pub n_tubes: u64,
    /// Configurations in them.
    pub n_configs: u64,
    /// States expanded.
    pub n_states: u64,
    /// Bytes of configurations, closed sets and queues.
    pub bytes: u64,
}

/// What a running method holds: whose solution it improves, by which objective, within which limits.
pub struct Context<'a> {
    pool: &'a Pool<'a>,
    objective: Objective,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    method: String,
    ticks: u64,
    next_poll: u64,
    tally: Tally,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("objective", &self.objective)
            .field("ticks", &self.ticks)
            .finish_non_exhaustive()
    }
}

impl<'a> Context<'a> {
    /// Opens the door for a run that improves the pool's solution for `objective`.
    #[must_use]
    pub fn new(pool: &'a Pool<'a>, objective: Objective, budget: &'a Budget, progress: &'a dyn Progress) -> Self {
        Self {
            pool,
            objective,
            budget,
            progress,
            method: String::new(),
            ticks: 0,
            next_poll: 1,
            tally: Tally::default(),
        }
    }

    /// Returns the level.
    #[must_use]
    pub const fn level(&self) -> &'a Level {
        self.pool.level()
    }

    /// Returns the objective.
    #[must_use]
    pub const fn objective(&self) -> Objective {
        self.objective
    }

    /// Returns the limits.
    #[must_use]
    pub const fn budget(&self) -> &'a Budget {
        self.budget
    }

    /// Returns the best solution so far for this objective.
    #[must_use]
    pub fn incumbent(&self) -> Solution {
        self.pool.best(self.objective)
    }

    /// Returns the units of work done: states expanded, configurations tried, trial pushes.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Returns what the tube searches so far did.
    #[must_use]
    pub const fn tally(&self) -> Tally {
        self.tally
    }

    /// Notes a tube search.
    pub const fn count_tube(&mut self, n_configs: u64, n_states: u64, bytes: u64) {
        self.tally.n_tubes += 1;
        self.tally.n_configs += n_configs;
        self.tally.n_states += n_states;
        self.tally.bytes += bytes;
    }

    /// Counts one unit of work and from time to time looks at the budget. Cheap enough for the innermost loops.
    ///
    /// # Errors
    /// The reason to stop.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.ticks += 1;
        if self.ticks < self.next_poll {
            return Ok(());
        }
        self.next_poll = (self.ticks + POLL_EVERY).min(self.budget.work().unwrap_or(u64::MAX).max(self.ticks));
        self.budget.poll(self.ticks)
    }

    /// Looks at the budget at once.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn poll(&self) -> Result<(), Stop> {
        self.budget.poll(self.ticks)
    }

    /// Says what is being done now; `method` is also the name that finds are credited to.
    pub fn working(&mut self, method: &str, phase: &str) {
        if self.method != method {
            method.clone_into(&mut self.method);
        }
        self.progress.on(Event::Working { method, phase });
    }

    /// Says how much of the current piece of work is done, from 0 to 1.
    pub fn advanced(&self, share: f64) {
        self.progress.on(Event::Advanced { share });
    }

    /// Offers moves to the pool: they are replayed and kept where they are better. Returns whether they improve
    /// this context's own objective.
    pub fn found(&mut self, moves: &Lurd) -> bool {
        match self.pool.offer(moves) {
            Ok((improved, solution)) => {
                for &objective in &improved {
                    let (metrics, elapsed) = (solution.metrics(), self.budget.elapsed());
                    self.progress.on(Event::Improved { objective, metrics, method: &self.method, elapsed });
                }
                improved.contains(&self.objective)
            }
            Err(error) => {
                self.progress.on(Event::Rejected { method: &self.method, reason: &error.to_string() });
                debug_assert!(false, "{} offered moves that do not replay: {error}", self.method);
                false
            }
        }
    }

    /// Offers a sequence of pushes, joined by the best walks. Returns whether it improves this context's objective.
    pub fn found_pushes(&mut self, pushes: &[Push]) -> bool {
        moves_of(self.level(), pushes).is_some_and(|moves| self.found(&moves))
    }
}
