//! What a sweep left behind in all its shards, for those who read paths from it square by square.
//!
//! Configuration `n` of shard `s` has the number `n * n_shards + s` here.

use sokocore::Square;

use super::shard::Shard;
use super::terrain::Terrain;
use crate::near_spine::padded;
use crate::reached::Reached;
use crate::steps_to_go::MovesToGo;
use crate::walk_moves::lowest_from;
use crate::{ConfigId, ConfigStore};

/// The configurations of all shards, and the moves to go of all states.
pub(super) struct View<'v, 'a, const K: usize, const W: usize> {
    pub(super) terrain: &'v Terrain<'a, K, W>,
    pub(super) shards: &'v [&'v Shard<K, W>],
}

impl<'v, const K: usize, const W: usize> View<'v, '_, K, W> {
    /// The shard of a configuration, and its number there.
    fn place(&self, id: ConfigId) -> (&'v Shard<K, W>, ConfigId) {
        let n = self.shards.len();
        let number = ConfigId::new(id.idx() / n).expect("invariant: numbers in a shard are smaller");
        (self.shards[id.idx() % n], number)
    }
}

impl<const K: usize, const W: usize> ConfigStore for View<'_, '_, K, W> {
    fn find(&self, key: &[u64]) -> Option<ConfigId> {
        let key = padded(key);
        let hash = Reached::<K, W>::hash(&key);
        let owner = self.terrain.owner(hash);
        let number = self.shards[owner].reached.look_up(&key, hash).ok()?;
        ConfigId::new(number.idx() * self.shards.len() + owner)
    }

    fn read(&self, id: ConfigId, key: &mut [u64]) {
        let (shard, number) = self.place(id);
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

impl<const K: usize, const W: usize> MovesToGo for View<'_, '_, K, W> {
    fn may_have(&self, config: ConfigId, player: Square, moves: u32) -> bool {
        let (shard, number) = self.place(config);
        shard.reached.may_have(number, self.terrain.ground.bit(player), moves)
    }

    fn may_have_after_push(&self, config: ConfigId, player: Square, moves: u32) -> bool {
        let (shard, number) = self.place(config);
        let bit = self.terrain.ground.bit(player);
        shard.reached.may_have(number, bit, moves) && self.fits_first(&shard.reached, (number, bit), moves)
    }
}

impl<const K: usize, const W: usize> View<'_, '_, K, W> {
    /// Whether a state may have so many moves to go, as far as can be told from its whole configuration.
    fn fits_first(&self, reached: &Reached<K, W>, (config, bit): (ConfigId, usize), moves: u32) -> bool {
        let ground = &self.terrain.ground;
        let mut codes = reached.codes(config, ground.n_bits());
        let first = i64::from(moves) + lowest_from(bit, &mut codes, |bit| ground.steps(bit));
        // With states that the player cannot walk to, the first one may be among those.
        codes.iter().any(|&code| code != 0) || first.rem_euclid(1 << 16) == i64::from(reached.first_moves(config))
    }
}
