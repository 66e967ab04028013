//! Who runs the phases of a layer: one thread for all shards, or a team of threads.

use super::mailboxes::Mailboxes;
use super::search_input::SearchInput;
use super::shard::{Phase, Shard};
use crate::{Context, Stop, ThreadPermits};

/// Runs phases on all shards.
pub(super) trait PhaseRunner<const K: usize, const W: usize> {
    /// Runs a phase on every shard.
    fn run_phase(&mut self, phase: Phase, cx: &mut Context<'_>) -> Result<(), Stop>;

    /// Visits every shard.
    fn for_each_shard(&mut self, visit: impl FnMut(&mut Shard<K, W>));

    /// Shows all shards at once.
    fn with_shards(&mut self, look: impl FnOnce(&[&Shard<K, W>]));

    /// Whether a layer of `n_items` states should have more threads, and some are free.
    fn can_add_threads(&self, n_items: usize) -> bool;
}

/// Runs the shards one after another on the calling thread.
pub(super) struct SingleThread<'s, 'a, const K: usize, const W: usize> {
    pub(super) shards: &'s mut [Shard<K, W>],
    pub(super) input: &'s SearchInput<'a, K, W>,
    pub(super) mailboxes: &'s Mailboxes<K>,
    /// For threads that large layers may take; `None` if the search stays on one thread.
    pub(super) permits: Option<&'s ThreadPermits>,
}

impl<const K: usize, const W: usize> PhaseRunner<K, W> for SingleThread<'_, '_, K, W> {
    fn run_phase(&mut self, phase: Phase, cx: &mut Context<'_>) -> Result<(), Stop> {
        self.shards.iter_mut().try_for_each(|shard| shard.run(phase, self.input, self.mailboxes, cx))
    }

    fn for_each_shard(&mut self, visit: impl FnMut(&mut Shard<K, W>)) {
        self.shards.iter_mut().for_each(visit);
    }

    fn with_shards(&mut self, look: impl FnOnce(&[&Shard<K, W>])) {
        look(&self.shards.iter().collect::<Vec<_>>());
    }

    fn can_add_threads(&self, n_items: usize) -> bool {
        self.permits.is_some_and(|permits| n_items >= permits.least_items() && permits.n_free() > 0)
    }
}
