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
    /// Number of ticks at which the innermost slice ends.
    slice_end: u64,
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
            slice_end: u64::MAX,
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

    /// Notes that the incumbent is optimal: an exhaustive search has ended.
    pub fn prove(&self) {
        self.pool.set_proved(self.objective);
    }

    /// Returns whether the incumbent is known to be optimal.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        self.pool.is_proved(self.objective)
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
        let limit = self.budget.work().unwrap_or(u64::MAX).min(self.slice_end);
        self.next_poll = (self.ticks + POLL_EVERY).min(limit.max(self.ticks));
        self.poll()
    }

    /// Looks at the budget at once.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn poll(&self) -> Result<(), Stop> {
        self.budget.poll(self.ticks)?;
        if self.ticks < self.slice_end { Ok(()) } else { Err(Stop::Work) }
    }

    /// Runs a piece of work that may take at most `ticks` ticks. Returns `None` if only this slice is used up, not
    /// the run's budget nor a slice around it; what the work offered to the pool by then stays there.
    ///
    /// # Errors
    /// The run, or a slice around this one, is to stop; or the work was short of memory.
    pub fn sliced<T>(&mut self, ticks: u64, run: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<Option<T>, Stop> {
        let outer = self.slice_end;
        self.slice_end = outer.min(self.ticks.saturating_add(ticks));
        self.next_poll = self.ticks;
        let result = run(self);
        let is_used_up = self.ticks >= self.slice_end;
        self.slice_end = outer;
        self.next_poll = self.ticks;
        match result {
            Err(Stop::Work) if is_used_up => self.poll().map(|()| None),
            result => result.map(Some),
        }
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

#[cfg(test)]
mod tests {
    use sokocore::{Solution, replay};

    use super::*;
    use crate::{Cancel, MemoryAccount};

    fn puzzle() -> (Level, Solution) {
        let level = Level::parse("######\n#@$ .#\n######").unwrap();
        let solution = replay(&level, &"RR".parse().unwrap()).unwrap();
        (level, solution)
    }

    /// Ticks `n` times.
    fn work(cx: &mut Context<'_>, n: u64) -> Result<&'static str, Stop> {
        (0..n).try_for_each(|_| cx.tick()).map(|()| "done")
    }

    fn check(limit: Option<u64>, run: impl FnOnce(&mut Context<'_>)) {
        let (level, solution) = puzzle();
        let pool = Pool::new(&level, &solution, &[Objective::MOVES]);
        let budget = Budget::new(None, MemoryAccount::new(0), Cancel::default()).with_work(limit);
        run(&mut Context::new(&pool, Objective::MOVES, &budget, &()));
    }

    #[test]
    fn a_slice_ends_alone_and_the_run_goes_on() {
        check(None, |cx| {
            assert_eq!(cx.sliced(100, |cx| work(cx, 99)), Ok(Some("done")));
            assert_eq!(cx.sliced(1_000, |cx| work(cx, u64::MAX)), Ok(None));
            assert_eq!(cx.ticks(), 1_099);
            assert_eq!(cx.sliced(0, |cx| work(cx, 1)), Ok(None));
            assert_eq!(work(cx, 5_000), Ok("done"));
        });
    }

    #[test]
    fn the_end_of_the_run_is_told_from_the_end_of_a_slice() {
        for limit in [1, 50, 700] {
            check(Some(limit), |cx| {
                assert_eq!(cx.sliced(limit, |cx| work(cx, u64::MAX)), Err(Stop::Work));
                assert_eq!(cx.ticks(), limit);
            });
        }
        check(None, |cx| {
            assert_eq!(cx.sliced(9, |_| Err::<(), _>(Stop::Memory)), Err(Stop::Memory));
        });
    }

    #[test]
    fn slices_nest() {
        check(Some(2_000), |cx| {
            let outer = cx.sliced(1_500, |cx| {
                assert_eq!(cx.sliced(600, |cx| work(cx, u64::MAX)), Ok(None));
                assert_eq!(cx.sliced(600, |cx| work(cx, u64::MAX)), Ok(None));
                assert_eq!(cx.sliced(600, |cx| work(cx, u64::MAX)), Err(Stop::Work), "the outer slice ends first");
                cx.poll()
            });
            assert_eq!(outer, Ok(None));
            assert_eq!(cx.ticks(), 1_500);
            assert_eq!(work(cx, u64::MAX), Err(Stop::Work));
            assert_eq!(cx.ticks(), 2_000);
        });
    }
}
