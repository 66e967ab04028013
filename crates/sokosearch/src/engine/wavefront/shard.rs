//! A share of the configurations, with what is known of their states and the queue of states to expand.
//!
//! With one thread there is one shard. With several, each configuration belongs to the shard that its hash names.
//! Between two layers one thread asks all shards for the next cost, and which states of that cost lie on the spine.
//! Then a layer has two phases; each begins on all threads after the one before has ended on all:
//!
//! ```text
//!  expand    takes the states of the layer from the queue, those of a push layer all at once where pushes come first;
//!            floods the player's region from each of them (see `expand` and `expand_push_layer`), and generates pulls:
//!            into configurations of this shard, or into an outbox
//!  receive   looks up what other shards have sent, and puts new states on the queue
//! ```
//!
//! Invariant: between two layers the least cost is known of every state with no higher cost than the layer; the costs in
//! `reached` are those of real paths, though not always of cheapest ones. From every state in `reached` all pulls
//! that can stay in the tube have been generated with that cost. So the order of states of equal cost does not matter.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sokocore::FloorSquare;

use super::bucket_queue::{Bucket, BucketQueue, PushLayer, StateEntry};
use super::expand_push_layer::EnteredState;
use super::mailboxes::{Mailboxes, Outbox};
use super::pull_batch::{PullBatch, PullSource};
use super::recent_distances::RecentDistances;
use super::search_input::SearchInput;
use super::spine_players::{SpineEntry, SpinePlayers};
use crate::store::reached_table::ReachedTable;
use crate::tube::near_spine::{ChunkVicinity, padded};
use crate::{Charge, ConfigId, ConfigStore, Context, Cost, SearchWindow, Stop};

/// What all shards do next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Phase {
    /// Insert the end of the window.
    Seed(Layer),
    /// Expand the states of a layer.
    Expand(Layer),
    /// Take in what other shards have sent.
    Receive,
}

/// States of equal cost; where pushes come first, of one push layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    pub(super) cost: Cost,
    /// Number of a spine state, counted from the start of the window, with about that cost to go.
    pub(super) hint: usize,
}

/// Some of the configurations.
pub(super) struct Shard<const K: usize, const W: usize> {
    pub(super) number: usize,
    pub(super) reached: ReachedTable<K, W>,
    /// Where moves come first: states to expand.
    pub(super) queue: BucketQueue<StateEntry>,
    /// Those of the current layer.
    due: Bucket,
    /// Exact distances of configurations whose states may still be reached with fewer moves.
    pub(super) recent: RecentDistances,
    /// Where pushes come first: states to expand, in this push layer and in the next one.
    pub(super) entered: BucketQueue<EnteredState>,
    pub(super) push_layer: u32,
    /// For each square, its moves to go in the last flood of a push layer.
    pub(super) flood_moves: Vec<u32>,
    /// The spine states near the configuration that is expanded.
    pub(super) vicinity: Vec<ChunkVicinity>,
    /// Predecessors that have not been looked up.
    pub(super) batch: PullBatch<K>,
    /// Predecessors that belong to other shards.
    pub(super) outboxes: Vec<Outbox<K>>,
    /// The players of the spine. Its configurations are the first of the shard.
    pub(super) spine: SpinePlayers,
    /// Spine states that were reached, by their cost.
    pub(super) spine_states: BinaryHeap<Reverse<(Cost, usize)>>,
    pub(super) n_states: u64,
    _charge: Charge,
}

impl<const K: usize, const W: usize> Shard<K, W> {
    /// Makes the shard of this number, with those configurations of the spine that belong to it.
    pub(super) fn new(number: usize, input: &SearchInput<'_, K, W>, cx: &Context<'_>) -> Result<Self, Stop> {
        let account = cx.budget().memory();
        let SearchWindow { spine, from, to, live, .. } = input.window;
        let mut reached = ReachedTable::new(live.n_live(), input.graph.n_squares(), account)?;
        let n_states = to + 1 - from;
        let _collecting: Charge = account.charge((n_states * size_of::<SpineEntry>()) as u64)?;
        let mut states = Vec::with_capacity(n_states);
        for (at, state) in spine.states().iter().enumerate().take(to + 1).skip(from) {
            let key = padded(&state.key);
            let hash = ReachedTable::<K, W>::hash(&key);
            if input.owner(hash) != number {
                continue;
            }
            let config = match reached.look_up(&key, hash) {
                Ok(config) => config,
                Err(vacancy) => reached.insert(&key, vacancy, cx)?,
            };
            // The solved end is known by its boxes, and a level that starts solved begins in the same state (trap 6).
            if at < spine.end() {
                states.push(SpineEntry { config, player: input.graph.number(state.player), state: at });
            }
        }
        // Most spine states are reached once, or a second time with fewer moves.
        let spine_bytes = 2 * states.len() * size_of::<(Cost, usize)>();
        let charge = account.charge((spine_bytes + input.graph.n_squares() * size_of::<u32>()) as u64)?;
        let n_spine = reached.n_configs();
        let n_outboxes = if input.n_shards > 1 { input.n_shards } else { 0 };
        Ok(Self {
            number,
            reached,
            queue: BucketQueue::new(account),
            due: Bucket::EMPTY,
            recent: RecentDistances::new(input.graph.n_squares(), account)?,
            entered: BucketQueue::new(account),
            push_layer: 0,
            flood_moves: vec![0; input.graph.n_squares()],
            vicinity: Vec::new(),
            batch: PullBatch::default(),
            outboxes: std::iter::repeat_with(|| Outbox::new(account)).take(n_outboxes).collect(),
            spine: SpinePlayers::new(&states, n_spine, account)?,
            spine_states: BinaryHeap::new(),
            n_states: 0,
            _charge: charge,
        })
    }

    pub(super) const fn n_states(&self) -> u64 {
        self.n_states
    }

    /// Returns the bytes of all that grows.
    pub(super) fn bytes(&self) -> u64 {
        let outboxes: u64 = self.outboxes.iter().map(Outbox::bytes).sum();
        self.reached.bytes() + self.queue.bytes() + self.entered.bytes() + self.recent.bytes() + outboxes
    }

    /// Returns the least cost on the queue, and how many states to expand have it: all those of a push layer, where pushes
    /// come first.
    pub(super) fn next_cost(&self, input: &SearchInput<'_, K, W>) -> Option<(Cost, usize)> {
        let met = self.met_cost().map(|cost| (cost, 0));
        let next = if input.counts_moves_first() {
            self.queue.first(PushLayer::Current).map(|(moves, n)| (input.cost(0, moves), n))
        } else {
            let layers = [(PushLayer::Current, self.push_layer), (PushLayer::Next, self.push_layer + 1)];
            let states = layers.map(|(layer, pushes)| (input.cost(pushes, 0), self.entered.len(layer)));
            states.into_iter().find(|&(_, n)| n > 0)
        };
        next.into_iter().chain(met).min()
    }

    /// Returns the least cost of a spine state that was reached, of those that were not compared.
    pub(super) fn met_cost(&self) -> Option<Cost> {
        self.spine_states.peek().map(|&Reverse((cost, _))| cost)
    }

    /// Whether the layer that began has states to expand.
    pub(super) fn has_due(&self) -> bool {
        !self.due.is_empty() || self.entered.len(PushLayer::Current) > 0
    }

    /// Runs a phase.
    pub(super) fn run(
        &mut self,
        phase: Phase,
        input: &SearchInput<'_, K, W>,
        mailboxes: &Mailboxes<K>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        match phase {
            Phase::Seed(layer) => self.seed(layer, input, cx)?,
            Phase::Expand(layer) => {
                self.expand_due(layer, input, cx)?;
                self.expand_push_layer(layer, input, cx)?;
                self.look_up_batch(input, cx)?;
            }
            Phase::Receive => return self.receive(input, mailboxes, cx),
        }
        for (to, outbox) in self.outboxes.iter_mut().enumerate().filter(|&(to, _)| to != self.number) {
            mailboxes.send(self.number, to, outbox);
        }
        Ok(())
    }

    /// Inserts the end of the window: one state, or the predecessors of the solved configuration by a last push.
    fn seed(&mut self, layer: Layer, input: &SearchInput<'_, K, W>, cx: &mut Context<'_>) -> Result<(), Stop> {
        let SearchWindow { spine, to, .. } = input.window;
        let state = &spine.states()[to];
        let Some(config) = self.reached.find(&state.key) else { return Ok(()) };
        if to < spine.end() {
            let player = input.graph.number(state.player);
            return self.push_state(PushLayer::Current, EnteredState { config, moves: 0, player }, input);
        }
        let key = self.reached.key(config);
        self.find_vicinity(&key, layer, input);
        for player in input.end_players(&key) {
            self.pull(PullSource { key: &key, player, moves: 0, is_new: true }, input, cx)?;
        }
        self.look_up_batch(input, cx)
    }

    /// Takes the states of this cost from the queue, or begins its push layer. Returns the first spine state that has it.
    pub(super) fn begin_layer(&mut self, cost: Cost, input: &SearchInput<'_, K, W>) -> Option<usize> {
        while !input.counts_moves_first() && self.push_layer < cost.primary {
            debug_assert_eq!(self.entered.len(PushLayer::Current), 0, "a push layer ends before the next one begins");
            self.push_layer += 1;
            self.entered.begin_push_layer();
        }
        self.due = self.queue.take(input.moves_in(cost));
        let mut first = None;
        while let Some(&Reverse((met, state))) = self.spine_states.peek().filter(|Reverse((met, _))| *met <= cost) {
            debug_assert_eq!(met, cost, "a layer begins before the next one");
            first = first.into_iter().chain([state]).min();
            self.spine_states.pop();
        }
        first
    }

    /// Expands all states that were taken from the queue, block by block. The records of a block are fetched together, so
    /// that their memory latencies overlap.
    fn expand_due(&mut self, layer: Layer, input: &SearchInput<'_, K, W>, cx: &mut Context<'_>) -> Result<(), Stop> {
        let mut entries = Vec::new();
        while !self.due.is_empty() {
            self.due = self.queue.read(self.due, &mut entries);
            let peeked = entries.iter().fold(0, |all, entry| all | self.reached.peek_record(entry.config));
            std::hint::black_box(peeked);
            for entry in entries.drain(..) {
                self.expand(entry, layer, input, cx)?;
            }
        }
        Ok(())
    }

    /// Takes in what other shards have sent.
    fn receive(
        &mut self,
        input: &SearchInput<'_, K, W>,
        mailboxes: &Mailboxes<K>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        let number = self.number;
        for from in (0..input.n_shards).filter(|&from| from != number) {
            let mut inbox = mailboxes.open(from, number);
            for &predecessor in inbox.predecessors() {
                self.batch.push(predecessor);
                if self.batch.is_full() {
                    self.look_up_batch(input, cx)?;
                }
            }
            inbox.clear();
        }
        self.look_up_batch(input, cx)
    }

    /// Looks up the configurations of the batch, inserts those that are new and in the tube, and enqueues the states.
    pub(super) fn look_up_batch(&mut self, input: &SearchInput<'_, K, W>, cx: &mut Context<'_>) -> Result<(), Stop> {
        let mut batch = std::mem::take(&mut self.batch);
        batch.look_up(&self.reached);
        for (predecessor, found) in batch.found() {
            let config = match found.or_else(|vacancy| self.reached.look_again(&predecessor.key, vacancy)) {
                Ok(config) => config,
                Err(vacancy) => {
                    // From a source that is not new the same pull was made before; it was outside the tube then.
                    if !predecessor.is_new || !input.is_in_tube(&predecessor.key, predecessor.near_states, cx)? {
                        continue;
                    }
                    self.reached.insert(&predecessor.key, vacancy, cx)?
                }
            };
            self.enqueue(config, predecessor.stand, predecessor.moves, input)?;
        }
        batch.clear();
        self.batch = batch;
        Ok(())
    }

    /// The most moves to go with which the result of a pull is enqueued.
    #[inline]
    pub(super) fn max_moves_after_pull(&self, input: &SearchInput<'_, K, W>) -> Option<u32> {
        input.max_moves(self.push_layer + u32::from(!input.counts_moves_first()))
    }

    /// Enqueues the result of a pull, unless it was reached with no higher cost, or costs too much.
    #[inline]
    fn enqueue(
        &mut self,
        config: ConfigId,
        player: FloorSquare,
        moves: u32,
        input: &SearchInput<'_, K, W>,
    ) -> Result<(), Stop> {
        let bit = player.idx();
        let layer = input.layer_after_pull();
        if self.max_moves_after_pull(input).is_none_or(|most| moves > most) {
            return Ok(());
        }
        let is_cheaper = || {
            layer == PushLayer::Current
                && self.recent.find(config).and_then(|slot| self.recent.moves(slot, bit)) > Some(moves)
        };
        if !self.reached.is_visited(config, bit) || is_cheaper() {
            self.push_state(layer, EnteredState { config, moves, player }, input)?;
        }
        Ok(())
    }

    /// Puts a state on the queue.
    #[inline]
    fn push_state(&mut self, layer: PushLayer, state: EnteredState, input: &SearchInput<'_, K, W>) -> Result<(), Stop> {
        let EnteredState { config, moves, player } = state;
        if input.counts_moves_first() {
            self.queue.push(layer, moves, StateEntry { config, player })
        } else {
            self.entered.push(layer, state.bucket(), state)
        }
    }
}

/// Makes all shards of a search.
pub(super) fn shards<const K: usize, const W: usize>(
    input: &SearchInput<'_, K, W>,
    cx: &Context<'_>,
) -> Result<Vec<Shard<K, W>>, Stop> {
    (0..input.n_shards).map(|number| Shard::new(number, input, cx)).collect()
}
