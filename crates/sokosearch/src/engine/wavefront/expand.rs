//! Expands a state where moves come first: floods the player's region from there, and generates the pulls on the way.
//!
//! ```text
//!  moves to go   m    m+1   m+2   ...           the players of each step are the neighbors of those of the step before,
//!              ┌───┐ ┌───┐ ┌───┐                less boxes, less what was reached with no more moves
//!              │ . │ │...│ │. .│
//!              └───┘ └─┬─┘ └─┬─┘
//!                      ▼     ▼  pull            into states that are expanded in later layers
//! ```
//!
//! Nearly every configuration is flooded once or twice, and its record is read and written as often; flooding it layer
//! by layer would take a dozen accesses. The price: a later flood of the same configuration may reach some squares with
//! fewer moves. These are flooded anew. The pulls from there were generated with too high a cost, and are corrected in
//! time: the states that they lead to are reached with fewer moves before their layer.

use std::cmp::Reverse;

use sokocore::FloorSquare;

use super::bucket_queue::{PushLayer, StateEntry};
use super::pull_batch::{Predecessor, PullSource};
use super::pull_table::Pull;
use super::recent_distances::SlotId;
use super::search_input::SearchInput;
use super::shard::{Layer, Shard};
use super::spine_players::PlayerOnSpine;
use crate::store::bits::{BoxShift, contains, for_bits, is_empty, retain_wanted, singleton, toggle_both, union_with};
use crate::store::reached_table::ReachedTable;
use crate::{ConfigId, Context, Stop};

/// Moves that a slot should have room for when its configuration is flooded again.
const ROOM: u32 = 100;
/// Which of the states are counted as work: one of six.
const COUNTED: u64 = 0x1041_0410_4104_1041;

/// A configuration that is expanded.
#[derive(Clone, Copy)]
pub(super) struct ExpandedConfig<const K: usize, const W: usize> {
    pub(super) config: ConfigId,
    key: [u64; K],
    /// Squares without boxes.
    pub(super) free: [u64; W],
    /// Players of the states that were reached before.
    pub(super) known: [u64; W],
}

/// The players of one bit-parallel flood: each step takes the neighbors of all players of the step before at once. The
/// flood of [`sokocore::Flood`] takes square by square, and cannot tell which squares were reached with fewer moves.
pub(super) struct BitFlood<const W: usize> {
    pub(super) players: [u64; W],
    /// By their moves to go modulo 3.
    pub(super) by_remainder: [[u64; W]; 3],
    /// Their least moves to go.
    pub(super) least_moves: u32,
    pub(super) moves: FloodMoves,
}

/// Where the moves to go of a flood are recorded.
#[derive(Clone, Copy)]
pub(super) enum FloodMoves {
    /// In a slot of the recent distances, but for the first player's.
    Recent(Option<SlotId>),
    /// In [`Shard::flood_moves`], until the next flood.
    Scratch,
}

impl<const K: usize, const W: usize> Shard<K, W> {
    /// Expands a state, unless it was reached with no more moves since it was enqueued.
    #[inline]
    pub(super) fn expand(
        &mut self,
        StateEntry { config, player }: StateEntry,
        layer: Layer,
        input: &SearchInput<'_, K, W>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        let (moves, player) = (input.moves_in(layer.cost), player.idx());
        let known = self.reached.players(config);
        // Most configurations are expanded for the first time, and have no slot.
        let slot = if is_empty(&known) { None } else { self.recent.find(config) };
        if contains(&known, player) && slot.and_then(|slot| self.recent.moves(slot, player)) <= Some(moves) {
            return Ok(());
        }
        let expansion = self.read_config(config, known);
        let flood = self.flood_from(expansion, slot, player, moves, input)?;
        self.finish_expansion(expansion, &flood, layer, input, cx)
    }

    /// Reads the record of a configuration to expand.
    #[inline]
    pub(super) fn read_config(&self, config: ConfigId, known: [u64; W]) -> ExpandedConfig<K, W> {
        let key = self.reached.key(config);
        let free = std::array::from_fn(|at| !key.get(at).copied().unwrap_or(0));
        ExpandedConfig { config, key, free, known }
    }

    /// Records a flood, counts its states, and generates the pulls from them.
    #[inline]
    pub(super) fn finish_expansion(
        &mut self,
        expansion: ExpandedConfig<K, W>,
        flood: &BitFlood<W>,
        layer: Layer,
        input: &SearchInput<'_, K, W>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        self.record_flood(expansion, flood, input);
        let ExpandedConfig { key, known, .. } = expansion;
        self.count_states(std::array::from_fn(|at| flood.players[at] & !known[at]), cx)?;
        if !input.passes(&key) || self.max_moves_after_pull(input).is_none() {
            return Ok(());
        }
        self.find_vicinity(&key, layer, input);
        let squares = input.pull_squares(&key, &self.vicinity);
        let players: [u64; W] = std::array::from_fn(|at| flood.players[at] & squares[at]);
        for_bits(players, |player| {
            let moves = self.moves_in_flood(flood, player);
            self.pull(PullSource { key: &key, player, moves, is_new: !contains(&known, player) }, input, cx)
        })
    }

    /// Floods from the player over all squares that were not reached with as few moves.
    #[inline]
    fn flood_from(
        &mut self,
        ExpandedConfig { config, free, known, .. }: ExpandedConfig<K, W>,
        before: Option<SlotId>,
        player: usize,
        now: u32,
        input: &SearchInput<'_, K, W>,
    ) -> Result<BitFlood<W>, Stop> {
        let mut flood = BitFlood {
            players: singleton(player),
            by_remainder: [[0; W]; 3],
            least_moves: now,
            moves: FloodMoves::Recent(before),
        };
        let mut remainder = now as usize % 3;
        flood.by_remainder[remainder] = flood.players;
        if let Some(slot) = before {
            if self.recent.open(slot).farthest() < now + ROOM {
                self.recent.rebase(slot, now);
            }
            self.recent.settle(slot, player);
        }
        // With a slot, the exact moves in it tell which known squares can be reached with fewer.
        let closed = if before.is_some() { [0; W] } else { known };
        let mut open: [u64; W] = std::array::from_fn(|at| free[at] & !closed[at] & !flood.players[at]);
        let mut around = input.neighbors[player];
        let most = input.max_moves(self.push_layer).unwrap_or(0);
        if now >= most || is_empty::<W>(&std::array::from_fn(|at| around[at] & open[at])) {
            return Ok(flood);
        }
        let slot = before.map_or_else(|| self.recent.insert(config, now), Ok)?;
        flood.moves = FloodMoves::Recent(Some(slot));
        let mut writer = self.recent.open(slot);
        let last = most.min(writer.farthest());
        let mut moves = now;
        let mut next: [u64; W];
        loop {
            next = std::array::from_fn(|at| around[at] & open[at]);
            if before.is_some() {
                retain_wanted(&mut next, &known, |bit| writer.is_later(bit, moves + 1));
            }
            if is_empty(&next) || moves == last {
                break;
            }
            moves += 1;
            remainder = if remainder == 2 { 0 } else { remainder + 1 };
            union_with(&mut flood.by_remainder[remainder], &next);
            // No later step of the flood reaches these squares with fewer moves.
            (0..W).for_each(|at| open[at] &= !around[at]);
            around = [0; W];
            writer.record(&next, moves, |bit| union_with(&mut around, &input.neighbors[bit]));
        }
        writer.extend_horizon(moves);
        let [zero, one, two] = &flood.by_remainder;
        flood.players = std::array::from_fn(|at| zero[at] | one[at] | two[at]);
        if moves < most && !is_empty(&next) {
            self.enqueue_rest(config, next, moves + 1)?;
        }
        Ok(flood)
    }

    /// Enqueues the players at which a flood had to end because its slot has no room for more moves.
    #[cold]
    fn enqueue_rest(&mut self, config: ConfigId, players: [u64; W], moves: u32) -> Result<(), Stop> {
        for_bits(players, |bit| {
            let player = FloorSquare::from_idx(bit);
            self.queue.push(PushLayer::Current, moves, StateEntry { config, player })
        })
    }

    /// Records the moves to go of a flood, and the spine states in it.
    #[inline]
    fn record_flood(
        &mut self,
        ExpandedConfig { config, known, .. }: ExpandedConfig<K, W>,
        flood: &BitFlood<W>,
        input: &SearchInput<'_, K, W>,
    ) {
        if is_empty(&known) {
            self.reached.record_first(config, flood.least_moves);
        }
        self.reached.record(config, &flood.by_remainder);
        if config.idx() < self.spine.n_configs() {
            for &PlayerOnSpine { player, state } in self.spine.states_of(config) {
                let player = player.idx();
                if contains(&flood.players, player) {
                    let moves = self.moves_in_flood(flood, player);
                    self.spine_states.push(Reverse((input.cost(self.push_layer, moves), state as usize)));
                }
            }
        }
    }

    /// Returns the moves to go of a player of a flood.
    #[inline]
    fn moves_in_flood(&self, flood: &BitFlood<W>, player: usize) -> u32 {
        match flood.moves {
            FloodMoves::Recent(slot) => {
                slot.and_then(|slot| self.recent.moves(slot, player)).unwrap_or(flood.least_moves)
            }
            FloodMoves::Scratch => self.flood_moves[player],
        }
    }

    /// Counts states that are new.
    #[inline]
    fn count_states(&mut self, new: [u64; W], cx: &mut Context<'_>) -> Result<(), Stop> {
        let mut n_counted = 0;
        for word in new {
            self.n_states += u64::from(word.count_ones());
            n_counted += u64::from((word & COUNTED).count_ones());
        }
        cx.tick_by(n_counted)
    }

    /// Finds the spine states near a configuration before pulls are generated from it.
    #[inline]
    pub(super) fn find_vicinity(&mut self, key: &[u64; K], layer: Layer, input: &SearchInput<'_, K, W>) {
        input.find_vicinity(key, layer.hint, &mut self.vicinity);
    }

    /// Generates all pulls from a state.
    #[inline]
    pub(super) fn pull(
        &mut self,
        PullSource { key: boxes, player, moves, is_new }: PullSource<'_, K>,
        input: &SearchInput<'_, K, W>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        for &Pull { ahead, stand } in input.pulls.from(player) {
            if contains(boxes, ahead.idx()) && !contains(boxes, stand.idx()) {
                let mut key = *boxes;
                toggle_both(&mut key, ahead.idx(), player);
                if is_new {
                    input.count_scan(cx)?;
                }
                if let Some(near_states) = input.near_states(&self.vicinity, BoxShift { from: ahead.idx(), to: player })
                {
                    let hash = ReachedTable::<K, W>::hash(&key);
                    let predecessor = Predecessor { key, hash, stand, moves: moves + 1, is_new, near_states };
                    let owner = input.owner(hash);
                    if owner == self.number {
                        self.batch.push(predecessor);
                    } else {
                        self.outboxes[owner].push(predecessor)?;
                    }
                }
            }
        }
        if self.batch.is_full() { self.look_up_batch(input, cx) } else { Ok(()) }
    }
}
