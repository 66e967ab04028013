//! All shards of a search as one store of configurations and distances, to read paths from.
//!
//! Configuration `n` of shard `s` has the number `n * n_shards + s` here.

use sokocore::{FloorSquare, Square};

use super::search_input::SearchInput;
use super::shard::Shard;
use crate::engine::path::moves_to_go::MovesToGo;
use crate::engine::path::moves_to_go::lowest_from;
use crate::store::reached_table::ReachedTable;
use crate::tube::near_spine::padded;
use crate::{ConfigId, ConfigStore};

/// The configurations of all shards, and the moves to go of their states.
pub(super) struct ShardsView<'v, 'a, const K: usize, const W: usize> {
    pub(super) input: &'v SearchInput<'a, K, W>,
    pub(super) shards: &'v [&'v Shard<K, W>],
}

impl<'v, const K: usize, const W: usize> ShardsView<'v, '_, K, W> {
    /// The shard of a configuration, and its number there.
    fn locate(&self, id: ConfigId) -> (&'v Shard<K, W>, ConfigId) {
        let n = self.shards.len();
        let number = ConfigId::new(id.idx() / n).expect("invariant: numbers in a shard are smaller");
        (self.shards[id.idx() % n], number)
    }
}

impl<const K: usize, const W: usize> ConfigStore for ShardsView<'_, '_, K, W> {
    fn find(&self, key: &[u64]) -> Option<ConfigId> {
        let key = padded(key);
        let hash = ReachedTable::<K, W>::hash(&key);
        let owner = self.input.owner(hash);
        let number = self.shards[owner].reached.look_up(&key, hash).ok()?;
        ConfigId::new(number.idx() * self.shards.len() + owner)
    }

    fn read(&self, id: ConfigId, key: &mut [u64]) {
        let (shard, number) = self.locate(id);
        shard.reached.read(number, key);
    }

    fn n_configs(&self) -> usize {
        self.shards.iter().map(|shard| shard.reached.n_configs()).sum()
    }

    fn n_ids(&self) -> usize {
        self.shards.iter().map(|shard| shard.reached.n_ids() * self.shards.len()).max().unwrap_or(0)
    }

    fn bytes(&self) -> u64 {
        self.shards.iter().map(|shard| shard.reached.bytes()).sum()
    }
}

impl<const K: usize, const W: usize> MovesToGo for ShardsView<'_, '_, K, W> {
    fn may_have(&self, config: ConfigId, player: Square, moves: u32) -> bool {
        let (shard, number) = self.locate(config);
        shard.reached.may_have(number, self.input.bit(player), moves)
    }

    fn may_have_after_push(&self, config: ConfigId, player: Square, moves: u32) -> bool {
        let (shard, number) = self.locate(config);
        let bit = self.input.bit(player);
        shard.reached.may_have(number, bit, moves) && self.fits_first(&shard.reached, number, bit, moves)
    }
}

impl<const K: usize, const W: usize> ShardsView<'_, '_, K, W> {
    /// Whether a state may have these moves to go, judging by all states of its configuration.
    fn fits_first(&self, reached: &ReachedTable<K, W>, config: ConfigId, bit: usize, moves: u32) -> bool {
        let graph = self.input.graph;
        let mut codes = reached.codes(config);
        let neighbors = |bit: usize| {
            graph
                .steps(FloorSquare::from_idx(bit))
                .into_iter()
                .filter(|&next| next != graph.wall())
                .map(FloorSquare::idx)
        };
        let first = i64::from(moves) + lowest_from(bit, |bit| codes.take(bit), neighbors);
        // If the player cannot walk to all reached states, the first one may be among the others.
        !codes.is_empty() || first.rem_euclid(1 << 16) == i64::from(reached.first_moves(config))
    }
}
