//! The scheduler of the portfolio: the strategies of a run, the resources that each has used, and which runs next.
//!
//! ```text
//!   waiting ──slice──▶ running ──slice used up──▶ waiting        the least used for its weight runs next
//!      ▲                 │
//!      └── restart ── out of memory            an answer ends the run; a strategy that gave up has left
//! ```
//!
//! Which of the waiting strategies runs next is the rule of all tasks, see [`FairShareQueue`]. Lanes, weights by stage,
//! several workers of one strategy and memory are particular to the portfolio.
//!
//! A slice is a sixteenth of what the strategy has used before, and not too short ([`FairShare::slice_length`]).
//! Searches keep their trees between slices, so short slices cost only a cold cache, and no strategy waits long behind
//! another: with weights w1, w2, ... the first one to answer had its share of the work up to a sixteenth.
//!
//! Memory: each strategy charges a part of the run's account, its *quota*. The quotas add up to more than the account.
//! When the account is nearly full, the waiting strategy that holds most beyond its fair share is dropped and its
//! memory freed. A strategy that ran out of memory because others held too much is restarted; one that used up its
//! quota is out, until no other is left and it may use the whole account. A restart waits while running workers hold the
//! memory.
//!
//! Where time is shared out and a strategy's share is more than one thread, it gets another *worker* on the same
//! search, with the same account ([`Search::fork_worker`](crate::Search::fork_worker)).
//!
//! A run for the best solution has two *lanes*: provers, and *finders*, which search for a first solution to prune by.
//! After the head start of the provers the lanes get equal parts, each shared out by weight. With the first solution
//! the finders end ([`PortfolioScheduler::end_finders`]). So what is proved at once costs nothing more.
//!
//! **Invariant**: with one thread everything is counted in ticks, so the schedule is the same on every machine. With
//! more threads, which never repeat themselves, time is shared out, since ticks of different strategies take different
//! times.

mod memory;

use std::sync::Arc;
use std::time::Duration;

use sokosearch::{Budget, Cancel, End, Stop};

use crate::fair_share::{FairShareQueue, FairShareTask};
use crate::portfolio::deferred_drop::DeferredDrop;
use crate::portfolio::shares::{FairShare, Resource, SliceLength};
use crate::portfolio::strategy_spec::{Role, StrategySpec, Worker};
use crate::portfolio::strategy_state::{SliceUsage, StrategyState};
use crate::systematic::CostRule;
use crate::{Attempt, AttemptEnd};

/// How often a strategy is restarted because others had taken the memory.
const MAX_RESTARTS: u32 = 3;

/// Work and time of the provers before the finders get a slice; in a limited run, at most this part of it.
const HEAD_START: (u64, Duration) = (60_000, Duration::from_millis(60));
const HEAD_START_PART: u32 = 8;

/// The lanes.
const LANES: [Role; 2] = [Role::Prover, Role::Finder];

/// The strategies of a run and their states.
#[derive(Debug)]
pub(crate) struct PortfolioScheduler {
    resource: Resource,
    specs: Vec<Arc<StrategySpec>>,
    queue: FairShareQueue<StrategyState>,
    budget: Budget,
    done: Cancel,
    /// Raised for the finders when there is a solution.
    found: Cancel,
    ticks: u64,
    /// Ticks of the slices that are running.
    scheduled_ticks: u64,
    deferred_drop: DeferredDrop,
    /// The most threads that may run one strategy at a time.
    max_workers: usize,
}

/// A slice to be run.
#[derive(Debug)]
pub(crate) struct ScheduledSlice {
    pub(crate) number: usize,
    pub(crate) spec: Arc<StrategySpec>,
    pub(crate) length: SliceLength,
    pub(crate) worker: Box<Worker>,
}

/// The scheduler's answer to the request for a slice.
#[derive(Debug)]
pub(crate) enum NextSlice {
    Run(ScheduledSlice),
    /// All strategies are running.
    Wait,
    /// No strategy is left, or the work is used up.
    Over(End),
}

impl PortfolioScheduler {
    /// Makes the states of the strategies; `done` is raised when there is an answer.
    pub(crate) fn new(
        specs: Vec<StrategySpec>,
        resource: Resource,
        n_threads: usize,
        budget: &Budget,
        done: &Cancel,
    ) -> Self {
        let weights = |role| specs.iter().filter(move |one| one.role == role).map(|one| one.weights);
        let shares = LANES.map(|role| FairShare::new(resource, weights(role)));
        let state = |spec: &StrategySpec| {
            let limit = budget.memory().limit();
            let lane = specs.iter().filter(|one| one.role == spec.role);
            let weights = lane.map(|one| u64::from(one.weights.work)).sum::<u64>().max(1);
            let share = limit / weights * u64::from(spec.weights.work);
            let quota = if specs.len() == 1 { limit } else { limit.min((2 * share).max(limit / 4)) };
            StrategyState::new(shares[spec.role as usize], spec.weights, budget.memory().part(quota))
        };
        let queue = FairShareQueue::new(specs.iter().map(state));
        let specs = specs.into_iter().map(Arc::new).collect();
        let (budget, done) = (budget.clone(), done.clone());
        Self {
            resource,
            specs,
            queue,
            budget,
            done,
            found: Cancel::default(),
            ticks: 0,
            scheduled_ticks: 0,
            deferred_drop: DeferredDrop::default(),
            max_workers: if resource == Resource::Time { n_threads } else { 1 },
        }
    }

    /// Returns the ticks of all strategies together.
    pub(crate) const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Schedules the next slice, of at most so many ticks, to be given back with [`PortfolioScheduler::put_back`] or
    /// [`PortfolioScheduler::finish`].
    pub(crate) fn next(&mut self, most: u64) -> NextSlice {
        let left = self.budget.work().map_or(u64::MAX, |work| work.saturating_sub(self.ticks + self.scheduled_ticks));
        if left == 0 {
            let is_running = self.queue.is_any_running();
            return if is_running { NextSlice::Wait } else { NextSlice::Over(End::Stopped(Stop::Work)) };
        }
        self.make_room();
        let Some(number) = self.first_waiting() else {
            if self.queue.is_any_running() {
                return NextSlice::Wait;
            }
            return if self.revive_one() { self.next(most) } else { NextSlice::Over(self.end()) };
        };
        let done = self.stop_signal(self.specs[number].role).clone();
        let n_workers = self.n_workers(number);
        let state = self.queue.begin(number);
        let length = match state.shares.slice_length(state.usage_per_worker(n_workers)) {
            SliceLength::Ticks(ticks) => SliceLength::Ticks(ticks.min(left).min(most.max(1))),
            length @ SliceLength::Time(_) => length,
        };
        let begun = state.take(length.time());
        let begin = || Box::new(Worker::new(&self.budget, state.memory.clone(), done));
        let worker = begun.unwrap_or_else(begin);
        self.scheduled_ticks += length.ticks();
        NextSlice::Run(ScheduledSlice { number, spec: Arc::clone(&self.specs[number]), length, worker })
    }

    /// Returns the strategy that has used least for its weight, in the lane that runs next unless no strategy waits
    /// there. A running strategy is chosen for another worker only if its share is more than one thread, or if no other
    /// waits.
    fn first_waiting(&self) -> Option<usize> {
        let tasks = self.queue.tasks();
        let spare = || (0..tasks.len()).filter(|&number| tasks[number].has_spare());
        let first_in = |role: Role| {
            let due = spare().filter(|&number| self.is_due_more_than_a_thread(number));
            let candidates = self.queue.waiting().filter(|&number| !self.is_waiting_for_memory(number)).chain(due);
            self.queue.least_used(candidates.filter(|&number| self.specs[number].role == role))
        };
        let [provers, finders] = LANES;
        let [first, second] = if self.are_finders_next() { [finders, provers] } else { [provers, finders] };
        first_in(first).or_else(|| first_in(second)).or_else(|| self.queue.least_used(spare()))
    }

    /// Whether the finders have used less than the provers, which have had their head start.
    fn are_finders_next(&self) -> bool {
        let lane = |role: Role| {
            let states = self.specs.iter().zip(self.queue.tasks()).filter(move |(one, _)| one.role == role);
            states.map(|(_, state)| state.usage())
        };
        let (ticks, time) = HEAD_START;
        match self.resource {
            Resource::Work => {
                let [proof, find] = LANES.map(|role| lane(role).map(|usage| usage.ticks).sum::<u64>());
                let part = self.budget.work().map_or(ticks, |work| work / u64::from(HEAD_START_PART));
                proof >= ticks.min(part) && find < proof
            }
            Resource::Time => {
                let [proof, find] = LANES.map(|role| lane(role).map(|usage| usage.time).sum::<Duration>());
                let part = self.budget.time().map_or(time, |time| time / HEAD_START_PART);
                proof >= time.min(part) && find < proof
            }
        }
    }

    /// The signal that stops the searches of a lane.
    const fn stop_signal(&self, role: Role) -> &Cancel {
        match role {
            Role::Prover => &self.done,
            Role::Finder => &self.found,
        }
    }

    /// Returns the number of workers of a strategy that wait or run.
    fn n_workers(&self, number: usize) -> usize {
        self.queue[number].waiting.len() + self.queue.n_running(number)
    }

    /// The strategies that have not ended and are in the same lane as this one.
    fn active_beside(&self, number: usize) -> impl Iterator<Item = usize> {
        let role = self.specs[number].role;
        (0..self.specs.len()).filter(move |&at| self.is_active(at) && self.specs[at].role == role)
    }

    fn is_active(&self, number: usize) -> bool {
        !self.queue[number].is_over()
    }

    /// Returns the number of lanes with a strategy that has not ended.
    fn n_lanes(&self) -> usize {
        let has_any =
            |&&role: &&Role| (0..self.specs.len()).any(|at| self.is_active(at) && self.specs[at].role == role);
        LANES.iter().filter(has_any).count().max(1)
    }

    /// Whether its share of the time, among those that have not ended, is more than one thread.
    fn is_due_more_than_a_thread(&self, number: usize) -> bool {
        let stage = FairShare::stage(self.queue[number].elapsed);
        let weight = |at: usize| self.specs[at].weights.time[stage];
        let all = self.active_beside(number).map(weight).sum::<u32>() as usize;
        self.max_workers * weight(number) as usize > all * self.n_lanes()
    }

    /// Counts a slice that was run.
    fn count(&mut self, slice: &ScheduledSlice, ticks: u64, elapsed: Duration) {
        self.scheduled_ticks -= slice.length.ticks();
        self.ticks += ticks;
        let used = SliceUsage { ticks, elapsed, scheduled_time: slice.length.time() };
        self.queue.end(slice.number, used).observe(&slice.worker);
    }

    /// Takes back a strategy whose slice is used up, and forks a worker if it is due more than one thread.
    pub(crate) fn put_back(&mut self, slice: ScheduledSlice, ticks: u64, elapsed: Duration) {
        self.count(&slice, ticks, elapsed);
        let is_wanted = self.is_due_more_than_a_thread(slice.number);
        let n_workers = self.n_workers(slice.number);
        let state = &mut self.queue[slice.number];
        if state.end.is_some() {
            return;
        }
        if is_wanted && !state.has_enough_workers && state.spare.is_none() && n_workers + 1 < self.max_workers {
            let done = if slice.spec.role == Role::Prover { &self.done } else { &self.found };
            let worker = || slice.worker.fork_worker(&self.budget, state.memory.clone(), done.clone());
            state.spare = worker().map(Box::new);
        }
        state.waiting.push_back(slice.worker);
    }

    /// Ends the finders, once there is a solution, and frees the memory of those that wait.
    pub(crate) fn end_finders(&mut self) {
        if self.found.is_cancelled() {
            return;
        }
        self.found.cancel();
        for (_, state) in self.specs.iter().zip(self.queue.tasks_mut()).filter(|(spec, _)| spec.role == Role::Finder) {
            state.finish(if state.ticks == 0 { AttemptEnd::NotBegun } else { AttemptEnd::Overtaken });
        }
    }

    /// Stops the slices that are running.
    pub(crate) fn stop(&self) {
        self.done.cancel();
        self.found.cancel();
    }

    /// Records that a strategy has ended, and frees its memory. Returns how it ended; `None` if it is restarted, or if
    /// other workers still run it.
    pub(crate) fn finish(
        &mut self,
        slice: ScheduledSlice,
        end: AttemptEnd,
        ticks: u64,
        elapsed: Duration,
    ) -> Option<AttemptEnd> {
        self.count(&slice, ticks, elapsed);
        let n_workers = self.n_workers(slice.number);
        let state = &mut self.queue[slice.number];
        state.spare = None;
        state.has_enough_workers = n_workers > 0;
        if state.has_enough_workers {
            return None;
        }
        let used = slice.worker.meter.memory().used();
        drop(slice.worker);
        self.note_end(slice.number, end, used)
    }

    /// Records that a strategy has ended, and the run with it. Its memory is not freed yet.
    pub(crate) fn finish_run(&mut self, slice: ScheduledSlice, end: AttemptEnd, ticks: u64, elapsed: Duration) {
        self.count(&slice, ticks, elapsed);
        let state = &mut self.queue[slice.number];
        state.end = state.end.filter(|_| end == AttemptEnd::Overtaken).or(Some(end));
        self.deferred_drop.add(*slice.worker);
    }

    /// Ends a strategy that had so many bytes in use; returns how it ended, `None` if it is restarted.
    fn note_end(&mut self, number: usize, end: AttemptEnd, used: u64) -> Option<AttemptEnd> {
        let is_starved = self.specs.len() > 1 && used < self.fair_share(number);
        let state = &mut self.queue[number];
        let is_dropped = state.end.is_some();
        if end == AttemptEnd::Stopped(Stop::Memory) && is_starved && !is_dropped && state.n_restarts < MAX_RESTARTS {
            state.n_restarts += 1;
            self.drop_largest();
            return None;
        }
        state.finish(end);
        state.end
    }

    /// Why no strategy is left.
    fn end(&self) -> End {
        let is_out = |state: &StrategyState| state.end == Some(AttemptEnd::Stopped(Stop::Memory));
        if self.queue.tasks().iter().any(is_out) { End::Stopped(Stop::Memory) } else { End::Exhausted }
    }

    /// Ends the run; a strategy that has not ended by itself ends with `end`. With a rule of costs, the attempts have
    /// their proved lower bounds. Frees no memory.
    pub(crate) fn close(self, end: AttemptEnd, rule: Option<CostRule>) -> (Vec<Attempt>, DeferredDrop) {
        let mut deferred_drop = self.deferred_drop;
        let mut attempt = |(spec, state): (&Arc<StrategySpec>, StrategyState)| {
            let workers = state.waiting.into_iter().chain(state.spare);
            workers.for_each(|worker| deferred_drop.add(*worker));
            let own = if state.ticks == 0 { AttemptEnd::NotBegun } else { end };
            Attempt {
                strategy: spec.name.clone(),
                ticks: state.ticks,
                stats: state.stats,
                lower_bound: rule.map(|rule| rule.first_part(state.proved_cost)).filter(|&bound| bound > 0),
                elapsed: state.elapsed,
                set_up: state.set_up,
                parts: state.part_times.scaled_to(state.elapsed.saturating_sub(state.set_up)),
                peak_bytes: state.peak_bytes,
                end: state.end.unwrap_or(own),
            }
        };
        let attempts = self.specs.iter().zip(self.queue.into_tasks()).map(&mut attempt).collect();
        (attempts, deferred_drop)
    }
}
