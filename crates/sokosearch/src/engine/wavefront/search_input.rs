//! What a search is given: fixed while it lasts, and read by all of its threads.

use sokocore::{FloorGraph, Square};

use super::bucket_queue::PushLayer;
use super::pull_table::{PullTable, neighbor_sets};
use crate::store::bits::{BoxShift, union_with};
use crate::tube::near_spine::{ChunkVicinity, NearSpine, NearStates, ShiftsWithin, SpineNeighborhood, padded};
use crate::tube::spine::SpineRange;
use crate::{Context, Cost, LiveIndex, Order, SearchWindow, Stop};

/// The window, the floor graph with its tables, and the tube.
pub(super) struct SearchInput<'a, const K: usize, const W: usize> {
    pub(super) window: SearchWindow<'a>,
    pub(super) graph: &'a FloorGraph,
    pub(super) pulls: PullTable,
    /// The set of neighbors of every square.
    pub(super) neighbors: Vec<[u64; W]>,
    /// `None` where the tube has every configuration.
    tube: Option<NearSpine<K>>,
    pub(super) kept_end: Option<Square>,
    /// Cost of the spine from the start of the window; states above it are not expanded.
    pub(super) limit: Cost,
    /// Shards that the configurations are divided into.
    pub(super) n_shards: usize,
}

/// Bits of a hash that name the shard of a configuration. Tags of slots never contain them.
const OWNER_BITS: u32 = 10;

impl<'a, const K: usize, const W: usize> SearchInput<'a, K, W> {
    pub(super) fn new(
        window: SearchWindow<'a>,
        tube: Option<SpineNeighborhood<'_>>,
        n_shards: usize,
        cx: &Context<'a>,
    ) -> Result<Self, Stop> {
        let board = cx.level().board();
        let SearchWindow { spine, from, to, live, order, .. } = window;
        let near = |tube| NearSpine::new(board, live, SpineRange { spine, from, to }, tube, cx.budget().memory());
        let cost = |at: usize| order.cost(&spine.states()[at].metrics);
        Ok(Self {
            window,
            graph: live.graph(),
            pulls: PullTable::new(live.graph()),
            neighbors: neighbor_sets(live.graph()),
            tube: tube.map(near).transpose()?,
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
        self.window.order.moves_in(cost).expect("this engine counts moves and pushes")
    }

    /// The cost of a state with these moves to go, in this push layer where pushes come first.
    pub(super) const fn cost(&self, push_layer: u32, moves: u32) -> Cost {
        match self.window.order {
            Order::MovesPushes => Cost { primary: moves, secondary: 0 },
            _ => Cost { primary: push_layer, secondary: moves },
        }
    }

    /// The most moves to go that a state may have in this push layer.
    pub(super) const fn max_moves(&self, push_layer: u32) -> Option<u32> {
        let Cost { primary, secondary } = self.limit;
        match self.window.order {
            Order::MovesPushes => Some(primary),
            _ if push_layer < primary => Some(u32::MAX),
            _ if push_layer == primary => Some(secondary),
            _ => None,
        }
    }

    pub(super) fn counts_moves_first(&self) -> bool {
        self.window.order == Order::MovesPushes
    }

    /// The push layer of what a pull leads to.
    #[inline]
    pub(super) fn layer_after_pull(&self) -> PushLayer {
        if self.counts_moves_first() { PushLayer::Current } else { PushLayer::Next }
    }

    /// Whether a path may pass a configuration. A solved position that is not the wanted end ends the game.
    #[inline]
    pub(super) fn passes(&self, key: &[u64; K]) -> bool {
        self.kept_end.is_none() || !self.window.live.is_solved(&key[..self.window.live.words()])
    }

    /// The number of a square, which is its bit in sets of squares.
    #[inline]
    pub(super) fn bit(&self, sq: Square) -> usize {
        self.graph.number(sq).idx()
    }

    /// Bits of the players in the solved configuration from which the last push may be undone.
    pub(super) fn end_players(&self, key: &[u64; K]) -> Vec<usize> {
        let ends: Vec<usize> = match self.kept_end {
            Some(end) => vec![self.bit(end)],
            None => (0..self.graph.n_squares()).collect(),
        };
        let is_box = |bit: usize| LiveIndex::bits_of(key).any(|at| at == bit);
        ends.into_iter().filter(|&bit| !is_box(bit)).collect()
    }

    /// Counts the work of finding the spine states near one configuration.
    #[inline]
    pub(super) fn count_scan(&self, cx: &mut Context<'_>) -> Result<(), Stop> {
        cx.tick_by(self.tube.as_ref().map_or(0, NearSpine::ticks_to_scan))
    }

    /// Finds the spine states that configurations with one box elsewhere than in this one may be near. `hint` is the
    /// number of the state to begin with.
    #[inline]
    pub(super) fn find_vicinity(&self, key: &[u64; K], hint: usize, vicinity: &mut Vec<ChunkVicinity>) {
        if let Some(tube) = &self.tube {
            tube.find_vicinity(key, hint, vicinity);
        }
    }

    /// Returns the squares of the players whose pulls may lead to a configuration of the tube: no other pull does. The
    /// target of a pull's box is the player's square.
    #[inline]
    pub(super) fn pull_squares(&self, key: &[u64; K], vicinity: &[ChunkVicinity]) -> [u64; W] {
        let shifts = self.tube.as_ref().and_then(|tube| tube.shifts_within(key, vicinity));
        let Some(ShiftsWithin { either_end, both_ends }) = shifts else { return self.beside(key) };
        let beside = [either_end, both_ends].map(|ends| self.beside(&ends.from));
        let to = [either_end, both_ends].map(|ends| padded::<W>(&ends.to));
        std::array::from_fn(|at| beside[0][at] | to[0][at] | beside[1][at] & to[1][at])
    }

    /// Returns the neighbors of these squares.
    #[inline]
    fn beside(&self, squares: &[u64; K]) -> [u64; W] {
        let mut beside = [0; W];
        LiveIndex::bits_of(squares).for_each(|bit| union_with(&mut beside, &self.neighbors[bit]));
        beside
    }

    /// Returns the first spine states that may be near the configuration after this shift of a box, if there are any.
    #[inline]
    pub(super) fn near_states(&self, vicinity: &[ChunkVicinity], shift: BoxShift) -> Option<NearStates> {
        self.tube.as_ref().map_or_else(|| Some(NearStates::default()), |tube| tube.near_states(vicinity, shift))
    }

    /// Whether a configuration that is not in the table belongs to the tube.
    pub(super) fn is_in_tube(
        &self,
        key: &[u64; K],
        near_states: NearStates,
        cx: &mut Context<'_>,
    ) -> Result<bool, Stop> {
        let (is_in_tube, ticks) = self.tube.as_ref().map_or((true, 0), |tube| tube.contains(key, near_states));
        cx.tick_by(ticks + 1)?;
        Ok(is_in_tube)
    }
}
