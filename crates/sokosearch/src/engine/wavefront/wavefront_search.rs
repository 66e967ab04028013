//! One search, with all that it owns: input, shards, mailboxes and the driver of its layers.

use super::layer_driver::{DriveEnd, LayerDriver};
use super::mailboxes::Mailboxes;
use super::phase_runner::SingleThread;
use super::search_input::SearchInput;
use super::shard::{Shard, shards};
use super::shards_view::ShardsView;
use super::thread_team::with_team;
use crate::engine::path::joins::{Join, Joins, Refinement};
use crate::tube::near_spine::SpineNeighborhood;
use crate::{ConfigStore, Context, SearchWindow, Stop, ThreadPermits};

/// A search and all that it owns.
pub(super) struct WavefrontSearch<'a, const K: usize, const W: usize> {
    input: SearchInput<'a, K, W>,
    mailboxes: Mailboxes<K>,
    shards: Vec<Shard<K, W>>,
    driver: LayerDriver<'a>,
}

impl<'a, const K: usize, const W: usize> WavefrontSearch<'a, K, W> {
    pub(super) fn new(
        window: SearchWindow<'a>,
        tube: Option<SpineNeighborhood<'_>>,
        cx: &Context<'a>,
    ) -> Result<Self, Stop> {
        let n_shards = 1 + cx.permits().map_or(0, ThreadPermits::n_expected);
        let input = SearchInput::new(window, tube, n_shards, cx)?;
        let shards = shards(&input, cx)?;
        let mailboxes = Mailboxes::new(n_shards, cx.budget().memory());
        let driver = LayerDriver::new(window, Joins::new(window, input.kept_end, cx.budget().memory())?);
        Ok(Self { input, mailboxes, shards, driver })
    }

    pub(super) fn n_states(&self) -> u64 {
        self.shards.iter().map(Shard::n_states).sum()
    }

    pub(super) fn n_configs(&self) -> usize {
        self.shards.iter().map(|shard| shard.reached.n_configs()).sum()
    }

    /// Returns the bytes of all that grows.
    pub(super) fn bytes(&self) -> u64 {
        self.shards.iter().map(Shard::bytes).sum::<u64>() + self.mailboxes.bytes()
    }

    pub(super) const fn joins(&self) -> &Joins<'a> {
        &self.driver.joins
    }

    /// Searches: on one thread until a layer is large, then on as many as there are shards and free permits.
    pub(super) fn run(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        let Self { input, mailboxes, shards, driver } = self;
        let permits = cx.permits().filter(|_| shards.len() > 1);
        let mut single = SingleThread { shards, input, mailboxes, permits };
        driver.seed(&mut single, cx)?;
        if let DriveEnd::Finished = driver.drive(&mut single, input, cx)? {
            return Ok(());
        }
        let acquired = permits.map(|permits| permits.acquire(input.n_shards - 1));
        let n_helpers = acquired.as_ref().map_or(0, |acquired| acquired.n());
        with_team(shards, input, mailboxes, n_helpers, cx, |team, cx| driver.drive(team, input, cx))
            .map(|_: DriveEnd| ())
    }

    /// Offers a join; if asked, the best of all optimal paths from there.
    pub(super) fn offer(&mut self, join: Join, refinement: Refinement, cx: &mut Context<'_>) {
        let shards: Vec<_> = self.shards.iter().collect();
        let view = ShardsView { input: &self.input, shards: &shards };
        self.driver.joins.offer(join, refinement, &view, &view, cx);
    }

    /// Moves the run to a random optimal path from a join on; returns whether one could be read.
    pub(super) fn plateau_walk(&mut self, join: Join, seed: u64, cx: &mut Context<'_>) -> bool {
        let shards: Vec<_> = self.shards.iter().collect();
        let view = ShardsView { input: &self.input, shards: &shards };
        self.driver.joins.plateau_walk(join, seed, &view, &view, cx)
    }
}
