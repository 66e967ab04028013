//! The one interface of a method to budget, pool and progress.

use std::time::Duration;

use sokocore::{Level, Lurd, Metrics, Objective, Push, Solution, Square, moves_of, replay};

use crate::{Budget, Cancel, Event, Pool, Progress, Stop, Tally, ThreadPermits};

/// Ticks between two polls of the budget.
const POLL_EVERY: u64 = 512;

/// What a method runs with: the pool whose solution it improves, the objective, the limits.
pub struct Context<'a> {
    pool: &'a Pool<'a>,
    objective: Objective,
    /// The incumbent, where it is not the best solution: another of equal worth that a plateau walk has found.
    focus: Option<Solution>,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    method: String,
    ticks: u64,
    /// Ticks at which this part of a run started.
    ticks_at_start: u64,
    next_poll: u64,
    /// Ticks at which the innermost slice ends.
    slice_end: u64,
    /// Time on the budget's clock at which this part of a run ends.
    deadline: Option<Duration>,
    /// Ends this part of a run.
    cancel: Option<Cancel>,
    tally: Tally,
    first_gain: FirstGain,
    is_short_of_memory: bool,
    permits: Option<&'a ThreadPermits>,
}

/// Whether the first gain ends the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstGain {
    Ignored,
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
    /// Makes the context of a run that improves the pool's solution for `objective`.
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
            ticks_at_start: 0,
            next_poll: 1,
            slice_end: u64::MAX,
            deadline: None,
            cancel: None,
            tally: Tally::default(),
            first_gain: FirstGain::Ignored,
            is_short_of_memory: false,
            permits: None,
        }
    }

    /// Ends the run with the first gain by its objective.
    #[must_use]
    pub const fn ending_at_first(mut self) -> Self {
        self.first_gain = FirstGain::Awaited;
        self
    }

    /// Returns whether the first gain has ended the run.
    #[must_use]
    pub fn has_ended_at_first(&self) -> bool {
        self.first_gain == FirstGain::Found
    }

    /// Makes the context of a part of this run that works on another pool, with this share, from 0 to 1, of the time and
    /// the work that are left. [`Context::merge_part`] adds it up afterwards.
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
        let (ticks, cancel, permits, first_gain) = (self.ticks, self.cancel.clone(), self.permits, self.first_gain);
        Context {
            ticks,
            ticks_at_start: ticks,
            next_poll: ticks,
            slice_end,
            deadline,
            cancel,
            first_gain,
            permits,
            ..inner
        }
    }

    /// Switches to another objective that the pool keeps; a gain by it does not end the run.
    #[must_use]
    pub const fn aiming_at(mut self, objective: Objective) -> Self {
        self.objective = objective;
        self.first_gain = FirstGain::Ignored;
        self
    }

    /// Ends this part, and the parts of it, when the flag is raised.
    #[must_use]
    pub fn ending_with(mut self, cancel: Cancel) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Lets large searches take threads by these permits.
    #[must_use]
    pub const fn with_thread_permits(mut self, permits: &'a ThreadPermits) -> Self {
        self.permits = Some(permits);
        self
    }

    pub(crate) const fn permits(&self) -> Option<&'a ThreadPermits> {
        self.permits
    }

    /// Adds the ticks of a part to this context, and lets the part continue from the sum: all parts count as one run.
    pub(crate) fn sync_part(&mut self, part: &mut Context<'_>) {
        self.merge_part(part);
        [part.ticks, part.ticks_at_start, part.next_poll] = [self.ticks; 3];
    }

    /// Adds what a part of this run did to this context; parts may have run at the same time.
    pub fn merge_part(&mut self, part: &Context<'_>) {
        self.ticks += part.ticks - part.ticks_at_start;
        self.next_poll = self.ticks;
        self.tally.add(part.tally);
        self.is_short_of_memory |= part.is_short_of_memory;
        if part.first_gain == FirstGain::Found {
            self.note_gain();
        }
    }

    /// Records a gain, which may end the run. [`Context::found`] does so for what is offered there.
    pub const fn note_gain(&mut self) {
        if matches!(self.first_gain, FirstGain::Awaited) {
            self.first_gain = FirstGain::Found;
            self.next_poll = self.ticks;
        }
    }

    /// Records that a method gave up for lack of memory.
    pub const fn note_short_of_memory(&mut self) {
        self.is_short_of_memory = true;
    }

    /// Returns whether a method gave up for lack of memory.
    #[must_use]
    pub const fn is_short_of_memory(&self) -> bool {
        self.is_short_of_memory
    }

    /// Returns the square on which the player must end; `None` if any square will do.
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

    /// Returns the listener.
    #[must_use]
    pub const fn progress(&self) -> &'a dyn Progress {
        self.progress
    }

    /// Returns the limits.
    #[must_use]
    pub const fn budget(&self) -> &'a Budget {
        self.budget
    }

    /// Returns the solution to improve: the best so far for this objective, or the one that the run focuses on.
    #[must_use]
    pub fn incumbent(&self) -> Solution {
        self.focus.clone().unwrap_or_else(|| self.pool.best(self.objective))
    }

    /// Returns the best solution so far for this objective.
    #[must_use]
    pub fn best(&self) -> Solution {
        self.pool.best(self.objective)
    }

    /// Makes another solution the incumbent, until a better one than the best is found or
    /// [`Context::focus_on_best`] is called. Pushes that do not solve the level, or end where the pool accepts no
    /// solution, are ignored.
    pub fn focus_on(&mut self, pushes: &[Push]) {
        let moves = moves_of(self.level(), pushes);
        let solution = moves.and_then(|moves| replay(self.level(), &moves).ok());
        if let Some(solution) = solution.filter(|solution| self.pool.admits(self.objective, solution)) {
            self.focus = Some(solution);
        }
    }

    /// Makes the best solution the incumbent again.
    pub fn focus_on_best(&mut self) {
        self.focus = None;
    }

    /// Records that the incumbent is optimal: an exhaustive search has ended.
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

    /// Adds a tube search to the totals.
    pub const fn count_tube(&mut self, n_configs: u64, n_states: u64, bytes: u64) {
        self.tally.add(Tally { n_tubes: 1, n_configs, n_states, bytes });
    }

    /// Counts one unit of work and from time to time polls the budget. Cheap enough for the innermost loops.
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

    /// Counts several units of work at once, or none: for steps that take as long as so many states of a tube search.
    ///
    /// # Errors
    /// The reason to stop.
    #[inline]
    pub fn tick_by(&mut self, n: u64) -> Result<(), Stop> {
        if n == 0 {
            return Ok(());
        }
        // A slice never counts more ticks than it has.
        let last = self.budget.work().unwrap_or(u64::MAX).min(self.slice_end).saturating_sub(1);
        self.ticks = self.ticks.max(last.min(self.ticks.saturating_add(n - 1)));
        self.tick()
    }

    /// Polls the budget at once.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn poll(&self) -> Result<(), Stop> {
        self.budget.poll(self.ticks)?;
        if self.has_ended_at_first() {
            return Err(Stop::FirstGain);
        }
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            return Err(Stop::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| self.budget.elapsed() >= deadline) {
            return Err(Stop::Time);
        }
        if self.ticks < self.slice_end { Ok(()) } else { Err(Stop::Work) }
    }

    /// Runs a piece of work for at most `ticks` ticks. Returns `None` if only this slice is used up, not the run's budget
    /// nor an outer slice; what the work has offered to the pool stays there.
    ///
    /// # Errors
    /// The run, or an outer slice, must stop; or the work was short of memory.
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

    /// Announces what is being done; finds are credited to `method`.
    pub fn working(&mut self, method: &str, phase: &str) {
        if self.method != method {
            method.clone_into(&mut self.method);
        }
        self.progress.on(Event::Working { method, phase });
    }

    /// Announces how much of the current piece of work is done, from 0 to 1.
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
