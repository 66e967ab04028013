//! The memory of a run: which strategy is dropped when it is short, and which one gets it when no other is left.
//!
//! Invariant: a running worker is dropped only when it returns, and a strategy within its fair share is not dropped.

use sokosearch::Stop;

use super::PortfolioScheduler;
use crate::AttemptEnd;
use crate::portfolio::strategy_state::StrategyState;

/// When less than the account divided by this is free, a strategy is dropped.
const RESERVE: u64 = 32;

impl PortfolioScheduler {
    /// The bytes that a strategy may hold without being dropped.
    pub(super) fn fair_share(&self, number: usize) -> u64 {
        let weight = |at: usize| u64::from(self.specs[at].weights.work);
        let others = self.active_beside(number).filter(|&at| at != number).map(weight).sum::<u64>();
        let own = weight(number);
        self.budget.memory().limit() / self.n_lanes() as u64 / (own + others) * own
    }

    /// Frees memory while little is left.
    pub(super) fn make_room(&mut self) {
        while self.is_short_of_memory() && self.drop_largest() {}
    }

    fn is_short_of_memory(&self) -> bool {
        self.budget.memory().free() < self.budget.memory().limit() / RESERVE
    }

    /// Returns whether a strategy is to be restarted, and running workers of others hold the memory that it ran out of.
    pub(super) fn is_waiting_for_memory(&self, number: usize) -> bool {
        let state = &self.queue[number];
        let is_to_restart = state.n_restarts > 0 && state.waiting.is_empty() && state.spare.is_none();
        is_to_restart && self.is_short_of_memory() && self.queue.is_any_running()
    }

    /// Drops the waiting strategy that holds most beyond its fair share, if others are left to use the memory. Returns
    /// whether that has freed memory; if it is still running on other threads, the last of them will.
    pub(super) fn drop_largest(&mut self) -> bool {
        let tasks = self.queue.tasks();
        let n_active = tasks.iter().filter(|state| state.end.is_none()).count();
        let excess = |number: usize| {
            let used = tasks[number].memory.used();
            used.checked_sub(self.fair_share(number)).filter(|&excess| excess > 0)
        };
        let is_about_to = (0..tasks.len()).any(|at| tasks[at].end.is_some() && self.queue.n_running(at) > 0);
        let waiting = (0..tasks.len()).filter(|&at| tasks[at].can_be_dropped());
        let largest = waiting.filter_map(|at| Some((excess(at)?, at))).max();
        match largest {
            Some((_, number)) if n_active > 1 && !is_about_to => {
                self.queue[number].finish(AttemptEnd::Stopped(Stop::Memory));
                self.queue.n_running(number) == 0
            }
            _ => false,
        }
    }

    /// When no strategy is left, gives the whole account to the first of those that ran out of memory.
    pub(super) fn revive_one(&mut self) -> bool {
        let memory = self.budget.memory();
        let can_have_more = |state: &&mut StrategyState| {
            let is_out = state.end == Some(AttemptEnd::Stopped(Stop::Memory));
            is_out && state.memory.limit() < memory.limit()
        };
        let Some(state) = self.queue.tasks_mut().iter_mut().find(can_have_more) else { return false };
        state.memory = memory.part(memory.limit());
        state.end = None;
        true
    }
}
