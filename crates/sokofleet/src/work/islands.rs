//! Islands: several items of one level and purpose, for workers that no other work is left for.
//!
//! An island has a seed and lineages of its own, and hears of what the others find. A thread for which there was no slice
//! for a while opens one on an item that another worker is in.

use std::time::Duration;

use sokonight::{LevelState, Purpose};

use super::worker::WorkerRun;
use crate::FleetError;
use crate::class::class_of;
use crate::keys::ItemKey;
use crate::packing::of_json;
use crate::record::{ItemStatus, WorkerRecord};
use crate::server::entry;

/// A thread that has waited for so long opens an island.
const IDLE_BEFORE: Duration = Duration::from_secs(2);
/// Workers that are asked what they do.
const MAX_ASKED: usize = 8;

impl WorkerRun<'_> {
    /// Opens an island on an item that is worked on, if this thread has waited long enough. Returns whether it did.
    pub(super) async fn open_island(&self, idle: Duration) -> Result<bool, FleetError> {
        if idle < IDLE_BEFORE || self.knobs.max_islands < 2 {
            return Ok(false);
        }
        let mut candidates = self.items_in_slices().await?;
        shuffle(&mut candidates);
        for key in candidates {
            if self.open_island_of(&key).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns items that improve a level and that workers are in, this one or others.
    async fn items_in_slices(&self) -> Result<Vec<ItemKey>, FleetError> {
        let mut workers = self.server.keys(&self.server.workers, ">").await?;
        shuffle(&mut workers);
        let mut items: Vec<ItemKey> = Vec::new();
        for worker in workers.into_iter().take(MAX_ASKED) {
            let record = entry(&self.server.workers, worker).await?;
            let record: Option<WorkerRecord> = record.and_then(|entry| of_json(&entry.value));
            let keys = record.iter().flat_map(|record| &record.doing).filter_map(|doing| ItemKey::parse(&doing.item));
            for key in keys.filter(|key| matches!(key.purpose, Purpose::Improve(_))) {
                if !items.iter().any(|other| other.level == key.level && other.purpose == key.purpose) {
                    items.push(key);
                }
            }
        }
        Ok(items)
    }

    async fn open_island_of(&self, of: &ItemKey) -> Result<bool, FleetError> {
        let islands = self.server.keys(&self.server.items, &of.all_islands()).await?;
        let last = islands.iter().filter_map(|key| Some(ItemKey::parse(key)?.island)).max().unwrap_or(0);
        let island = last + 1;
        let Some((record, _)) = self.server.item(of).await? else { return Ok(false) };
        let is_worth_it = record.state == ItemStatus::Open && record.spent >= self.knobs.island_after.as_secs_f64();
        if !is_worth_it || island >= self.knobs.max_islands {
            return Ok(false);
        }
        let objectives = record.objectives();
        let Some(known) = self.boards.known(self.server, of.level).await? else { return Ok(false) };
        let known = known.with_proofs_of(&objectives);
        let state = LevelState::new(&known.level, &objectives);
        if !state.open_purposes(&objectives).contains(&of.purpose) {
            return Ok(false);
        }
        let class = class_of(state.item(of.purpose).rate());
        self.server.open_item(&ItemKey { island, ..*of }, record.of_next_item(), class).await
    }
}

/// Mixes things, so that workers do not all take the same one.
fn shuffle<T>(things: &mut [T]) {
    let mut random = [0; 8];
    // Without random numbers the order stays, which is as good for one worker.
    getrandom::fill(&mut random).unwrap_or_default();
    let mut state = u64::from_le_bytes(random) | 1;
    for at in (1..things.len()).rev() {
        // Xorshift (Marsaglia, 2003).
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let other = usize::try_from(state % u64::try_from(at + 1).unwrap_or(1)).unwrap_or(0);
        things.swap(at, other);
    }
}
