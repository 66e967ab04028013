//! What a sweep goes through: fixed while it lasts, and read by all of its threads.

use sokocore::Square;

use crate::ground::Ground;
use crate::near_spine::{Candidates, NearSpine};
use crate::{Context, Cost, LiveIndex, Neighborhood, Order, Stop, Stretch};

/// The stretch, the board by bits, and the tube.
pub(super) struct Terrain<'a, const K: usize, const W: usize> {
    pub(super) stretch: Stretch<'a>,
    pub(super) ground: Ground,
    pub(super) neighbors: Vec<[u64; W]>,
    /// `None` where every configuration belongs.
    tube: Option<NearSpine<K>>,
    pub(super) kept_end: Option<Square>,
    /// Parts that the configurations are divided into.
    pub(super) n_shards: usize,
}

/// Bits of a hash that tell the owner of a configuration: those that slots never keep.
const OWNER_BITS: u32 = 10;

impl<'a, const K: usize, const W: usize> Terrain<'a, K, W> {
    pub(super) fn new(
        stretch: Stretch<'a>,
        neighborhood: Option<&Neighborhood>,
        n_shards: usize,
        cx: &Context<'a>,
    ) -> Result<Self, Stop> {
        let board = cx.level().board();
        let Stretch { spine, from, to, live, .. } = stretch;
        let near = |near| NearSpine::new(board, live, (spine, from, to), near, cx.budget().memory());
        let ground = Ground::new(board, live);
        Ok(Self {
            stretch,
            neighbors: ground.neighbors(),
            ground,
            tube: neighborhood.map(near).transpose()?,
            kept_end: cx.kept_end().filter(|_| to == spine.end()),
            n_shards,
        })
    }

    /// The number of the shard that a configuration with this hash belongs to.
    #[inline]
    pub(super) fn owner(&self, hash: u64) -> usize {
        #[expect(clippy::cast_possible_truncation, reason = "the low bits are what is asked for")]
        let low = hash as usize & ((1 << OWNER_BITS) - 1);
        (low * self.n_shards) >> OWNER_BITS
    }

    /// The moves in the cost of a layer.
    pub(super) fn moves_in(&self, cost: Cost) -> u32 {
        self.stretch.order.moves_in(cost).expect("this engine counts moves and pushes")
    }

    pub(super) fn counts_moves_first(&self) -> bool {
        self.stretch.order == Order::MovesPushes
    }

    /// Whether the game goes on in a configuration. A solved position that is not the wanted end ends it.
    #[inline]
    pub(super) fn passes(&self, key: &[u64; K]) -> bool {
        self.kept_end.is_none() || !self.stretch.live.is_solved(&key[..self.stretch.live.words()])
    }

    /// Bits of the players in the solved configuration from which the last push may be undone.
    pub(super) fn end_players(&self, key: &[u64; K]) -> Vec<usize> {
        let ends: Vec<usize> = match self.kept_end {
            Some(end) => vec![self.ground.bit(end)],
            None => (0..self.ground.n_bits()).collect(),
        };
        let is_box = |bit: usize| LiveIndex::bits_of(key).any(|at| at == bit);
        ends.into_iter().filter(|&bit| !is_box(bit)).collect()
    }

    /// Returns spine states that a configuration may be near, if there are any. `guess` is the number of one to begin
    /// with.
    #[inline]
    pub(super) fn candidates(
        &self,
        key: &[u64; K],
        guess: usize,
        cx: &mut Context<'_>,
    ) -> Result<Option<Candidates>, Stop> {
        let Some(tube) = &self.tube else { return Ok(Some(Candidates::default())) };
        if tube.ticks_to_scan() > 0 {
            cx.tick_by(tube.ticks_to_scan())?;
        }
        Ok(tube.candidates(key, guess))
    }

    /// Whether a configuration that is not known belongs to the tube.
    pub(super) fn belongs(&self, key: &[u64; K], candidates: Candidates, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let Some(tube) = &self.tube else { return cx.tick().map(|()| true) };
        let (belongs, ticks) = tube.contains(key, candidates);
        cx.tick_by(ticks + 1)?;
        Ok(belongs)
    }
}
