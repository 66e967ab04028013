//! How large a tube may grow, so that a search through it still fits into memory.
//!
//! ```text
//!  hash set    ┌── slots ──┬── states ──────────┐      states for every slot, occupied or not
//!  tree        ┌── slots ──┬─ tree ─┐                  while it is packed
//!              ┌─ tree ─┬── states ───────┐            while it is searched
//! ```

use crate::{ConfigStore, Context, HashStore, LiveIndex, MemoryAccount, Stop, StoreKind, TubeOptions};

/// Bytes for a tube and a search through it.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoreSizing {
    kind: StoreKind,
    byte_limit: u64,
    /// Bytes that a search keeps for each configuration.
    state_bytes: u64,
    /// Bytes of a configuration in the tree.
    key_bytes: u64,
}

impl StoreSizing {
    pub(super) fn new(
        live: &LiveIndex,
        TubeOptions { engine, order, store: kind }: TubeOptions,
        cx: &Context<'_>,
    ) -> Self {
        Self {
            kind,
            byte_limit: engine.byte_limit(order, cx.budget().memory()),
            state_bytes: engine.bytes_per_config(order, cx.level().board().n_squares()),
            key_bytes: live.n_live().div_ceil(8) as u64,
        }
    }

    /// Makes a set that grows while a search through it would fit.
    pub(super) fn open(&self, live: &LiveIndex, account: &MemoryAccount) -> Result<HashStore, Stop> {
        let slot_bytes = 8 * live.words() as u64;
        // At most 15 of 16 slots are occupied.
        let packed = (self.key_bytes + self.state_bytes) / 16 * 15 + 15;
        let beside_slot = match self.kind {
            StoreKind::Hash => self.state_bytes,
            StoreKind::Auto | StoreKind::Tree => {
                packed.saturating_sub(slot_bytes).max(self.key_bytes).min(self.state_bytes)
            }
        };
        HashStore::new(live.words(), account, self.byte_limit, beside_slot)
    }

    /// Whether to pack the configurations before they are searched. Queues need memory too: a search that runs out of it
    /// finds less than one with slower look-ups.
    pub(super) fn is_packed(&self, store: &HashStore, is_cut_short: bool) -> bool {
        let searched = store.bytes().saturating_add(self.state_bytes.saturating_mul(store.n_ids() as u64));
        match self.kind {
            StoreKind::Auto => is_cut_short || searched > self.byte_limit / 4 * 3,
            StoreKind::Hash => false,
            StoreKind::Tree => true,
        }
    }
}
