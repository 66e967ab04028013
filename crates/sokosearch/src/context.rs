//! The one door through which a method reaches budget, pool and progress.

use std::sync::Arc;
use std::time::Duration;

use sokocore::{Level, Lurd, Metrics, Objective, Push, Solution, Square, moves_of, replay};

use crate::lesson::Lesson;
use crate::{Budget, Cancel, Event, Places, Pool, Progress, Stop, Tally};

/// How many ticks pass between two looks at the budget.
const POLL_EVERY: u64 = 512;

/// What a running method holds: whose solution it improves, by which objective, within which limits.
pub struct Context<'a> {
    pool: &'a Pool<'a>,
    objective: Objective,
    /// The solution wandered to, if any.
    focus: Option<Solution>,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    method: String,
    ticks: u64,
    /// Ticks at which this part of a run began.
    began: u64,
    next_poll: u64,
    /// Number of ticks at which the innermost slice ends.
    slice_end: u64,
    /// Time on the budget's clock at which this part of a run ends.
    deadline: Option<Duration>,
    /// Ends this part of a run.
    cancel: Option<Cancel>,
    tally: Tally,
    first: First,
    is_short_of_memory: bool,
    places: Option<&'a Places>,
}

/// Whether the first gain ends the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    Passed,
    Awaited,
    Found,
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
            focus: None,
            budget,
            progress,
            method: String::new(),
            ticks: 0,
            began: 0,
            next_poll: 1,
            slice_end: u64::MAX,
            deadline: None,
            cancel: None,
            tally: Tally::default(),
            first: First::Passed,
            is_short_of_memory: false,
            places: None,
        }
    }

    /// The run is to end with the first gain by its objective.
    #[must_use]
    pub const fn ending_at_first(mut self) -> Self {
        self.first = First::Awaited;
        self
    }

    /// Returns whether the first gain has ended the run.
    #[must_use]
    pub fn has_ended_at_first(&self) -> bool {
        self.first == First::Found
    }

    /// Opens the door for a part of this run that works on another pool, with this share, from 0 to 1, of the time and
    /// the work that are left. Give it back with [`Context::take_back`].
    #[must_use]
    pub fn part<'b>(&self, pool: &'b Pool<'b>, progress: &'b dyn Progress, share: f64) -> Context<'b>
    where
        'a: 'b,
    {
        let elapsed = self.budget.elapsed();
        let end = self.deadline.into_iter().chain(self.budget.time()).min();
        let deadline = end.map(|end| elapsed + end.saturating_sub(elapsed).mul_f64(share.clamp(0.0, 1.0)));
        let limit = self.slice_end.min(self.budget.work().unwrap_or(u64::MAX));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a number of ticks")]
        let part = |left: u64| ((left as f64 * share.clamp(0.0, 1.0)) as u64).clamp(1, left.max(1));
        let slice_end = if limit == u64::MAX { limit } else { self.ticks + part(limit.saturating_sub(self.ticks)) };
        let inner = Context::new(pool, self.objective, self.budget, progress);
        let (ticks, cancel, first, places) = (self.ticks, self.cancel.clone(), self.first, self.places);
        Context { ticks, began: ticks, next_poll: ticks, slice_end, deadline, cancel, first, places, ..inner }
    }

    /// Improves by another objective from here on, one that the pool keeps; a gain by it does not end the run.
    #[must_use]
    pub const fn aiming_at(mut self, objective: Objective) -> Self {
        self.objective = objective;
        self.first = First::Passed;
        self
    }

    /// Ends this part, and the parts of it, when the flag is raised.
    #[must_use]
    pub fn ending_with(mut self, cancel: Cancel) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Lets large searches take threads from these places.
    #[must_use]
    pub const fn helped_from(mut self, places: &'a Places) -> Self {
        self.places = Some(places);
        self
    }

    pub(crate) const fn places(&self) -> Option<&'a Places> {
        self.places
    }

    /// Counts as its own the ticks of a part, and lets it go on from there: parts that take turns count as one.
    pub(crate) fn rejoin(&mut self, part: &mut Context<'_>) {
        self.take_back(part);
        [part.ticks, part.began, part.next_poll] = [self.ticks; 3];
    }

    /// Counts as its own what a part of this run did; parts may have run at the same time.
    pub fn take_back(&mut self, part: &Context<'_>) {
        self.ticks += part.ticks - part.began;
        self.next_poll = self.ticks;
        self.tally.add(part.tally);
        self.is_short_of_memory |= part.is_short_of_memory;
        if part.first == First::Found {
            self.note_gain();
        }
    }

    /// Notes that the incumbent got better, which may end the run. What goes through [`Context::found`] is noted there.
    pub const fn note_gain(&mut self) {
        if matches!(self.first, First::Awaited) {
            self.first = First::Found;
            self.next_poll = self.ticks;
        }
    }

    /// Notes that a method gave up for lack of memory.
    pub const fn note_short_of_memory(&mut self) {
        self.is_short_of_memory = true;
    }

    /// Returns whether a method gave up for lack of memory.
    #[must_use]
    pub const fn is_short_of_memory(&self) -> bool {
        self.is_short_of_memory
    }

    /// Returns the square on which the player has to end; `None` if any will do.
    #[must_use]
    pub fn kept_end(&self) -> Option<Square> {
        self.pool.kept_end(self.objective)
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

    /// Returns the pool.
    #[must_use]
    pub const fn pool(&self) -> &'a Pool<'a> {
        self.pool
    }

    /// Returns who listens.
    #[must_use]
    pub const fn progress(&self) -> &'a dyn Progress {
        self.progress
    }

    /// Returns the limits.
    #[must_use]
    pub const fn budget(&self) -> &'a Budget {
        self.budget
    }

    /// Returns the solution to improve: the best so far for this objective, or the one that the run wandered to.
    #[must_use]
    pub fn incumbent(&self) -> Solution {
        self.focus.clone().unwrap_or_else(|| self.pool.best(self.objective))
    }

    /// Returns the best solution so far for this objective.
    #[must_use]
    pub fn best(&self) -> Solution {
        self.pool.best(self.objective)
    }

    /// Turns to another solution: from now on it is the incumbent, until something better than the best is found or
    /// the run comes back. Pushes that do not solve the level, or end where the pool takes no solution, are ignored.
    pub fn wander_to(&mut self, pushes: &[Push]) {
        let moves = moves_of(self.level(), pushes);
        let solution = moves.and_then(|moves| replay(self.level(), &moves).ok());
        if let Some(solution) = solution.filter(|solution| self.pool.admits(self.objective, solution)) {
            self.focus = Some(solution);
        }
    }

    /// Turns back to the best solution.
    pub fn come_back(&mut self) {
        self.focus = None;
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

    /// Returns whether the best solution so far is better than one with these metrics.
    #[must_use]
    pub fn has_improved_on(&self, metrics: &Metrics) -> bool {
        self.objective.score(&self.incumbent().metrics()) < self.objective.score(metrics)
    }

    /// Returns what is known of configurations of the level that are on no solution.
    pub(crate) fn lesson(&self) -> Arc<Lesson> {
        self.pool.lesson()
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
        self.tally.add(Tally { n_tubes: 1, n_configs, n_states, bytes });
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

    /// Counts so many units of work at once: for steps that take as long as so many states of a tube search.
    ///
    /// # Errors
    /// The reason to stop.
    #[inline]
    pub fn tick_by(&mut self, n: u64) -> Result<(), Stop> {
        // A slice never counts more ticks than it has.
        let last = self.budget.work().unwrap_or(u64::MAX).min(self.slice_end).saturating_sub(1);
        self.ticks = self.ticks.max(last.min(self.ticks + n.saturating_sub(1)));
        self.tick()
    }

    /// Looks at the budget at once.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn poll(&self) -> Result<(), Stop> {
        self.budget.poll(self.ticks)?;
        if self.first == First::Found || self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            return Err(Stop::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| self.budget.elapsed() >= deadline) {
            return Err(Stop::Time);
        }
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

    /// Offers moves to the pool: they are replayed and kept where they are better. Returns whether they are better
    /// than the incumbent by this context's own objective.
    pub fn found(&mut self, moves: &Lurd) -> bool {
        match self.pool.offer(moves) {
            Ok((improved, solution)) => {
                for &objective in &improved {
                    let (metrics, elapsed) = (solution.metrics(), self.budget.elapsed());
                    self.progress.on(Event::Improved { objective, metrics, method: &self.method, elapsed });
                }
                let gains = improved.contains(&self.objective);
                if gains {
                    self.note_gain();
                    self.focus = None;
                    return true;
                }
                let score = |solution: &Solution| self.objective.score(&solution.metrics());
                let is_better = self.focus.as_ref().is_some_and(|focus| score(&solution) < score(focus));
                let gains = is_better && self.pool.admits(self.objective, &solution);
                if gains {
                    self.focus = Some(solution);
                }
                gains
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
mod tests;
