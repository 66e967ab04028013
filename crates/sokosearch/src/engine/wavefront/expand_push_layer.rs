//! Expands a push layer where pushes come first: configuration after configuration, each in one flood from all players that
//! enter it.
//!
//! ```text
//!  entered with   m           m+2               a pull leads from one push layer to the next, so when a push layer begins,
//!              ┌───┐ ┌───┐ ┌───┐                all players that enter a configuration in it are known: one flood from all
//!              │ . │ │...│ │..A│                of them gives the least moves to go of every state
//!              └───┘ └───┘ └───┘
//! ```
//!
//! So nothing is flooded again, and the moves to go of a flood are needed only until its pulls are generated. Squares that
//! were reached in an earlier push layer are closed. Configurations are expanded in the order of their numbers, which is
//! that of their records in memory.

use sokocore::FloorSquare;

use super::bucket_queue::PushLayer;
use super::expand::{BitFlood, ExpandedConfig, FloodMoves};
use super::search_input::SearchInput;
use super::shard::{Layer, Shard};
use crate::store::bits::{contains, is_empty, singleton, union_with};
use crate::{ConfigId, Context, Stop};

/// A state that a pull leads to, in a bucket of the next push layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct EnteredState {
    pub(super) config: ConfigId,
    pub(super) moves: u32,
    pub(super) player: FloorSquare,
}

/// A bucket has the states of 2^this consecutive configurations.
const BUCKET_BITS: u32 = 10;

impl EnteredState {
    /// The number of its bucket.
    #[inline]
    pub(super) const fn bucket(self) -> u32 {
        self.config.0 >> BUCKET_BITS
    }
}

impl<const K: usize, const W: usize> Shard<K, W> {
    /// Expands all states of the push layer.
    pub(super) fn expand_push_layer(
        &mut self,
        layer: Layer,
        input: &SearchInput<'_, K, W>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        while let Some((number, n_states)) = self.entered.first(PushLayer::Current) {
            let _charge = cx.budget().memory().charge((n_states * size_of::<EnteredState>()) as u64)?;
            let mut states: Vec<EnteredState> = Vec::with_capacity(n_states);
            let mut bucket = self.entered.take(number);
            while !bucket.is_empty() {
                bucket = self.entered.read(bucket, &mut states);
            }
            states.sort_unstable_by_key(|state| (state.config, state.moves, state.player));
            for entered in states.chunk_by(|one, other| one.config == other.config) {
                self.expand_config(entered, layer, input, cx)?;
            }
        }
        Ok(())
    }

    /// Expands a configuration that is entered in these states, in ascending order of their moves to go, unless all of them
    /// were reached in an earlier push layer.
    fn expand_config(
        &mut self,
        entered: &[EnteredState],
        layer: Layer,
        input: &SearchInput<'_, K, W>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        let config = entered[0].config;
        let known = self.reached.players(config);
        if entered.iter().all(|state| contains(&known, state.player.idx())) {
            return Ok(());
        }
        let expansion = self.read_config(config, known);
        let flood = self.flood_from_all(expansion, entered, input);
        self.finish_expansion(expansion, &flood, layer, input, cx)
    }

    /// Floods from all these players at once over the squares that were not reached in an earlier push layer.
    #[inline]
    fn flood_from_all(
        &mut self,
        ExpandedConfig { free, known, .. }: ExpandedConfig<K, W>,
        entered: &[EnteredState],
        input: &SearchInput<'_, K, W>,
    ) -> BitFlood<W> {
        let mut open: [u64; W] = std::array::from_fn(|at| free[at] & !known[at]);
        let most = input.max_moves(self.push_layer).unwrap_or(0);
        let mut by_remainder = [[0; W]; 3];
        let mut entered = entered.iter().peekable();
        let mut around = [0; W];
        let (mut moves, mut least_moves) = (0, u32::MAX);
        loop {
            let mut next = std::array::from_fn(|at| around[at] & open[at]);
            while let Some(state) = entered.next_if(|state| state.moves <= moves) {
                if contains(&open, state.player.idx()) {
                    union_with(&mut next, &singleton(state.player.idx()));
                }
            }
            if is_empty(&next) {
                let Some(state) = entered.peek() else { break };
                (around, moves) = ([0; W], state.moves);
                continue;
            }
            least_moves = least_moves.min(moves);
            union_with(&mut by_remainder[moves as usize % 3], &next);
            (0..W).for_each(|at| open[at] &= !next[at]);
            around = self.record_moves(&next, moves, input);
            if moves == most {
                break;
            }
            moves += 1;
        }
        let [zero, one, two] = &by_remainder;
        let players = std::array::from_fn(|at| zero[at] | one[at] | two[at]);
        BitFlood { players, by_remainder, least_moves, moves: FloodMoves::Scratch }
    }

    /// Records the moves to go of a step of the flood, and returns the neighbors of its squares.
    #[inline]
    fn record_moves(&mut self, squares: &[u64; W], moves: u32, input: &SearchInput<'_, K, W>) -> [u64; W] {
        let mut around = [0; W];
        for (at, &word) in squares.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let bit = at * 64 + rest.trailing_zeros() as usize;
                self.flood_moves[bit] = moves;
                union_with(&mut around, &input.neighbors[bit]);
                rest &= rest - 1;
            }
        }
        around
    }
}
