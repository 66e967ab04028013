//! Expands layer after layer of equal cost, or push layer after push layer, from the end of the window to its start.
//!
//! ```text
//!  LayerDriver: next cost, joins, limit        the same for any number of shards and threads
//!     │ phase
//!     ▼
//!  PhaseRunner ── SingleThread: the shards one after another
//!              └─ ThreadTeam:   the shards on several threads at once
//! ```

use super::phase_runner::PhaseRunner;
use super::search_input::SearchInput;
use super::shard::{Layer, Phase, Shard};
use super::shards_view::ShardsView;
use crate::engine::path::joins::{Joins, Refinement};
use crate::{Context, Cost, Order, SearchWindow, Stop};

/// Decides, between two phases, what the shards do next.
pub(super) struct LayerDriver<'a> {
    window: SearchWindow<'a>,
    /// Number of a spine state, counted from the start of the window, with about the current cost to go.
    hint: usize,
    pub(super) joins: Joins<'a>,
}

/// Why a driver returned.
pub(super) enum DriveEnd {
    /// It reached the start of the window, or nothing cheaper is left.
    Finished,
    /// The next layer is so large that it should have more threads.
    WantsThreads,
}

impl<'a> LayerDriver<'a> {
    pub(super) const fn new(window: SearchWindow<'a>, joins: Joins<'a>) -> Self {
        Self { window, hint: window.to - window.from, joins }
    }

    /// Inserts the end of the window.
    pub(super) fn seed<const K: usize, const W: usize>(
        &self,
        runner: &mut impl PhaseRunner<K, W>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        let cost = Cost::default();
        runner.run_phase(Phase::Seed(Layer { cost, hint: self.hint }), cx)?;
        runner.run_phase(Phase::Receive, cx)
    }

    /// Expands layer after layer.
    pub(super) fn drive<const K: usize, const W: usize>(
        &mut self,
        runner: &mut impl PhaseRunner<K, W>,
        input: &SearchInput<'a, K, W>,
        cx: &mut Context<'_>,
    ) -> Result<DriveEnd, Stop> {
        loop {
            let (mut cost, mut n_items): (Option<Cost>, usize) = (None, 0);
            runner.for_each_shard(|shard| {
                let next = shard.next_cost(input);
                cost = cost.into_iter().chain(next.map(|(cost, _)| cost)).min();
                n_items += next.map_or(0, |(_, n_items)| n_items);
            });
            let Some(cost) = cost else { return Ok(DriveEnd::Finished) };
            if runner.can_add_threads(n_items) {
                return Ok(DriveEnd::WantsThreads);
            }
            self.move_hint(cost);
            if self.compare_layer(cost, runner, input, cx) {
                return Ok(DriveEnd::Finished);
            }
            let mut has_due = false;
            runner.for_each_shard(|shard| has_due |= shard.has_due());
            if !has_due {
                continue;
            }
            if let Err(stop) = runner.run_phase(Phase::Expand(Layer { cost, hint: self.hint }), cx) {
                self.compare_stopped_layer(runner, input, cx);
                return Err(stop);
            }
            if input.n_shards > 1 {
                runner.run_phase(Phase::Receive, cx)?;
            }
        }
    }

    /// Compares with the spine what a stopped push layer has reached: those costs are final. A layer of moves is compared before
    /// it is expanded, and what it reaches belongs to later layers.
    fn compare_stopped_layer<const K: usize, const W: usize>(
        &mut self,
        runner: &mut impl PhaseRunner<K, W>,
        input: &SearchInput<'a, K, W>,
        cx: &mut Context<'_>,
    ) {
        if input.counts_moves_first() {
            return;
        }
        loop {
            let Some(cost) = least_of_shards(runner, |shard| shard.met_cost()) else { return };
            if self.compare_layer(cost, runner, input, cx) {
                return;
            }
        }
    }

    /// Begins a layer in all shards and compares it with the spine. Returns whether it has the start of the window.
    fn compare_layer<const K: usize, const W: usize>(
        &mut self,
        cost: Cost,
        runner: &mut impl PhaseRunner<K, W>,
        input: &SearchInput<'a, K, W>,
        cx: &mut Context<'_>,
    ) -> bool {
        let met = least_of_shards(runner, |shard| shard.begin_layer(cost, input));
        met.is_some_and(|state| self.compare_with_spine(state, cost, runner, input, cx))
    }

    /// Moves the hint to the first spine state with no more to go than this.
    fn move_hint(&mut self, cost: Cost) {
        let SearchWindow { spine, from, to, order, .. } = self.window;
        let total = order.cost(&spine.states()[to].metrics).primary;
        let to_go = |at: usize| total.saturating_sub(order.cost(&spine.states()[from + at].metrics).primary);
        while self.hint > 0 && to_go(self.hint) < cost.primary {
            self.hint -= 1;
        }
    }

    /// Compares the layer with the spine: of the spine states in one layer the first gains most. Returns whether that
    /// is the start of the window.
    fn compare_with_spine<const K: usize, const W: usize>(
        &mut self,
        state: usize,
        cost: Cost,
        runner: &mut impl PhaseRunner<K, W>,
        input: &SearchInput<'a, K, W>,
        cx: &mut Context<'_>,
    ) -> bool {
        let SearchWindow { spine, from, to, order, .. } = self.window;
        let mut to_go = cost;
        if order == Order::MovesPushes {
            // This order searches by moves alone; for the comparison pushes count as the spine's own.
            let old = order.cost(&spine.states()[to].metrics).minus(order.cost(&spine.states()[state].metrics));
            to_go.secondary = old.secondary;
        }
        if let Some(join) = self.joins.record(state, to_go) {
            runner.with_shards(|shards| {
                let view = ShardsView { input, shards };
                self.joins.offer(join, Refinement::None, &view, &view, cx);
            });
        }
        state == from
    }
}

fn least_of_shards<T: Ord, const K: usize, const W: usize>(
    runner: &mut impl PhaseRunner<K, W>,
    mut of: impl FnMut(&mut Shard<K, W>) -> Option<T>,
) -> Option<T> {
    let mut least = None;
    runner.for_each_shard(|shard| least = least.take().into_iter().chain(of(shard)).min());
    least
}
