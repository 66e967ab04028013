//! The left-filled balanced binary tree of the YASO description: no pointers, `ceil(L / 8)` bytes a configuration.
//!
//! Node `n` has its children at `2n + 1` and `2n + 2`; every level but the last is full, and the last is filled
//! from the left. That shape is unique for a number of nodes, so an in-order traversal that assigns the sorted keys one
//! after another places each of them.
//!
//! ```text
//!            3                 sorted  0 1 2 3 4 5
//!        1       5      ──▶    vector  3 1 5 0 2 4
//!      0   2   4                node   0 1 2 3 4 5
//! ```

use super::{ConfigId, ConfigStore, radix_sort};
use crate::{Charge, Context, HashStore, MemoryAccount, Stop};

/// Configurations placed between two polls of the budget.
const POLL_EVERY: usize = 1 << 15;

/// A finished set of configurations in the least memory.
#[derive(Debug)]
pub struct TreeStore {
    key_bytes: usize,
    n_configs: usize,
    nodes: Vec<u8>,
    charge: Charge,
}

impl TreeStore {
    /// Charges for the memory that the configurations of a hash set will need, whose keys have `n_bits` bits.
    ///
    /// # Errors
    /// They do not fit beside the set.
    pub fn room_for(source: &HashStore, n_bits: usize, account: &MemoryAccount) -> Result<Charge, Stop> {
        account.charge((n_bits.div_ceil(8) as u64).saturating_mul(source.n_configs() as u64))
    }

    /// Packs the configurations of a hash set into the memory charged for them, sorting them in place.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn new(source: HashStore, n_bits: usize, room: Charge, cx: &Context<'_>) -> Result<Self, Stop> {
        let (key_bytes, n_configs) = (n_bits.div_ceil(8), source.n_configs());
        let (mut keys, words, _held) = source.into_keys(cx)?;
        radix_sort::sort(&mut keys, words, n_bits, cx)?;
        let mut nodes = vec![0; key_bytes * n_configs];
        let mut node = leftmost(0, n_configs);
        for (number, key) in keys.chunks_exact(words).enumerate() {
            if number % POLL_EVERY == 0 {
                cx.poll()?;
            }
            pack(key, &mut nodes[node * key_bytes..][..key_bytes]);
            node = successor(node, n_configs);
        }
        Ok(Self { key_bytes, n_configs, nodes, charge: room })
    }

    fn node(&self, node: usize) -> &[u8] {
        &self.nodes[node * self.key_bytes..][..self.key_bytes]
    }
}

impl ConfigStore for TreeStore {
    fn find(&self, key: &[u64]) -> Option<ConfigId> {
        let byte = |at: usize| key[at / 8].to_le_bytes()[at % 8];
        let mut node = 0;
        while node < self.n_configs {
            let there = self.node(node);
            let differs = (0..self.key_bytes).find(|&at| there[at] != byte(at));
            let Some(at) = differs else { return u32::try_from(node).ok().map(ConfigId) };
            node = 2 * node + if byte(at) < there[at] { 1 } else { 2 };
        }
        None
    }

    fn read(&self, id: ConfigId, key: &mut [u64]) {
        key.fill(0);
        for (at, &byte) in self.node(id.idx()).iter().enumerate() {
            key[at / 8] |= u64::from(byte) << (at % 8 * 8);
        }
    }

    fn n_configs(&self) -> usize {
        self.n_configs
    }

    fn n_ids(&self) -> usize {
        self.n_configs
    }

    fn bytes(&self) -> u64 {
        self.charge.bytes()
    }
}

/// Writes the low bytes of a key, least significant byte first.
fn pack(key: &[u64], packed: &mut [u8]) {
    for (at, byte) in packed.iter_mut().enumerate() {
        *byte = key[at / 8].to_le_bytes()[at % 8];
    }
}

/// The first node in order below and including `node`.
fn leftmost(mut node: usize, n_nodes: usize) -> usize {
    while 2 * node + 1 < n_nodes {
        node = 2 * node + 1;
    }
    node
}

/// The next node in order; any number at or above `n_nodes` after the last.
fn successor(mut node: usize, n_nodes: usize) -> usize {
    if 2 * node + 2 < n_nodes {
        return leftmost(2 * node + 2, n_nodes);
    }
    while node > 0 && node.is_multiple_of(2) {
        node = (node - 1) / 2;
    }
    if node == 0 { n_nodes } else { (node - 1) / 2 }
}
