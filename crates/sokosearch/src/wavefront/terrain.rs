//! What a sweep goes through: fixed while it lasts, and read by all of its threads.

use sokocore::Square;

use crate::ground::Ground;
use crate::near_spine::{Candidates, Missing, NearSpine};
use crate::wavefront::Around;
use crate::{Context, Cost, LiveIndex, Order, Stop, Stretch};

/// The stretch, the board by bits, and the tube.
pub(super) struct Terrain<'a, const K: usize, const W: usize> {
    pub(super) stretch: Stretch<'a>,
    pub(super) ground: Ground,
    pub(super) neighbors: Vec<[u64; W]>,
    /// `None` where every configuration belongs.
    tube: Option<NearSpine<K>>,
    pub(super) kept_end: Option<Square>,
    /// Cost of the spine from the start of the stretch; states above it are not entered.
    pub(super) limit: Cost,
    /// Parts that the configurations are divided into.
    pub(super) n_shards: usize,
}

/// Bits of a hash that tell the owner of a configuration: those that slots never keep.
const OWNER_BITS: u32 = 10;

impl<'a, const K: usize, const W: usize> Terrain<'a, K, W> {
    pub(super) fn new(
        stretch: Stretch<'a>,
        around: Option<Around<'_>>,
        n_shards: usize,
        cx: &Context<'a>,
    ) -> Result<Self, Stop> {
        let board = cx.level().board();
        let Stretch { spine, from, to, live, order, .. } = stretch;
        let near = |around| NearSpine::new(board, live, (spine, from, to), around, cx.budget().memory());
        let ground = Ground::new(board, live);
        let cost = |at: usize| order.cost(&spine.states()[at].metrics);
        Ok(Self {
            stretch,
            neighbors: ground.neighbors(),
            ground,
            tube: around.map(near).transpose()?,
            kept_end: cx.kept_end().filter(|_| to == spine.end()),
            limit: cost(to).minus(cost(from)),
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

    /// The cost of a state with so many moves to go, in this push layer where pushes come first.
    pub(super) const fn cost(&self, layer: u32, moves: u32) -> Cost {
        match self.stretch.order {
            Order::MovesPushes => Cost { primary: moves, secondary: 0 },
            _ => Cost { primary: layer, secondary: moves },
        }
    }

    /// The most moves to go that a state may have in this push layer.
    pub(super) const fn most_moves(&self, layer: u32) -> Option<u32> {
        let Cost { primary, secondary } = self.limit;
        match self.stretch.order {
            Order::MovesPushes => Some(primary),
            _ if layer < primary => Some(u32::MAX),
            _ if layer == primary => Some(secondary),
            _ => None,
        }
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

    /// Counts the work of looking for spine states that a configuration may be near.
    #[inline]
    pub(super) fn count_scan(&self, cx: &mut Context<'_>) -> Result<(), Stop> {
        match self.tube.as_ref().map_or(0, NearSpine::ticks_to_scan) {
            0 => Ok(()),
            ticks => cx.tick_by(ticks),
        }
    }

    /// Looks for spine states that configurations with one other box than this one may be near. `guess` is the number of
    /// one to begin with.
    #[inline]
    pub(super) fn look_around(&self, key: &[u64; K], guess: usize, vicinity: &mut Vec<Missing>) {
        if let Some(tube) = &self.tube {
            tube.look_around(key, guess, vicinity);
        }
    }

    /// Returns spine states that such a configuration may be near, if there are any.
    #[inline]
    pub(super) fn candidates(&self, vicinity: &[Missing], shift: (usize, usize)) -> Option<Candidates> {
        self.tube.as_ref().map_or_else(|| Some(Candidates::default()), |tube| tube.candidates(vicinity, shift))
    }

    /// Whether a configuration that is not known belongs to the tube.
    pub(super) fn belongs(&self, key: &[u64; K], candidates: Candidates, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let (belongs, ticks) = self.tube.as_ref().map_or((true, 0), |tube| tube.contains(key, candidates));
        cx.tick_by(ticks + 1)?;
        Ok(belongs)
    }
}
