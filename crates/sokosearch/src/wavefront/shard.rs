//! A share of the configurations, with what is known of them and what waits to be expanded.
//!
//! With one thread there is one shard. With several, each configuration belongs to the shard that its hash names, and
//! a layer has three phases, each begun by all when all have ended the one before:
//!
//! ```text
//!  begin     the states of the cost that is next become the layer; do any lie on the spine?
//!  expand    walks stay in the shard; pulls lead to configurations of this one, or are mailed to another
//!  receive   what was mailed is looked up, and entered where it is new
//! ```
//!
//! Invariant: between two layers every state that is marked in `reached` waits in `next` or has been expanded. All marks
//! that a layer makes in a shard are of one cost, so it does not matter which of them come first.

use super::batch::{Batch, Pulled};
use super::bits::{for_bits, has, only};
use super::mail::{Letters, Mail};
use super::spine_players::SpinePlayers;
use super::terrain::Terrain;
use crate::first_moves::FirstMoves;
use crate::ground::Pull;
use crate::layer::{Item, Layer};
use crate::near_spine::padded;
use crate::queue::RecyclingQueue;
use crate::reached::Reached;
use crate::span::Spans;
use crate::{Charge, ConfigId, ConfigStore, Context, Cost, Stop, Stretch};

/// Items whose records are fetched together.
const AHEAD: usize = 16;

/// What all shards are to do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Phase {
    /// Enter the end of the stretch.
    Seed(Step),
    /// Begin the layer of this cost.
    Begin(Cost),
    /// Expand it.
    Expand(Step),
    /// Take in what others came upon from states of this cost.
    Receive(Cost),
}

/// A layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) cost: Cost,
    /// Number of a spine state, counted from the start of the stretch, with about that cost to go.
    pub(super) guess: usize,
}

/// A pulled state that waits for its moves.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    config: ConfigId,
    player: u16,
}

/// Some of the configurations.
pub(super) struct Shard<const K: usize, const W: usize> {
    number: usize,
    pub(super) reached: Reached<K, W>,
    layer: Layer<W>,
    next: Layer<W>,
    /// Pulls of the layer whose configurations have not been looked up.
    batch: Batch<K>,
    /// Pulls to configurations of other shards.
    letters: Vec<Letters<K>>,
    /// Cost of the states in `next`.
    next_cost: Cost,
    /// Pulled states in pushes/moves order.
    pulls: RecyclingQueue<Waiting>,
    pull_spans: Spans,
    /// The first configurations are those of the spine.
    spine: SpinePlayers,
    pub(super) first_moves: FirstMoves,
    /// The first spine state in the layer.
    met: Option<usize>,
    n_states: u64,
}

impl<const K: usize, const W: usize> Shard<K, W> {
    /// Makes the shard of this number, with those configurations of the spine that belong to it.
    pub(super) fn new(number: usize, terrain: &Terrain<'_, K, W>, cx: &Context<'_>) -> Result<Self, Stop> {
        let account = cx.budget().memory();
        let Stretch { spine, from, to, live, order, .. } = terrain.stretch;
        let mut reached = Reached::new(live.n_live(), terrain.ground.n_bits(), account)?;
        let n_states = to + 1 - from;
        let _collecting: Charge = account.charge((n_states * size_of::<(ConfigId, usize, usize)>()) as u64)?;
        let mut states = Vec::with_capacity(n_states);
        for (at, state) in spine.states().iter().enumerate().take(to + 1).skip(from) {
            let key = padded(&state.key);
            let hash = Reached::<K, W>::hash(&key);
            if terrain.owner(hash) != number {
                continue;
            }
            let config = match reached.look_up(&key, hash) {
                Ok(config) => config,
                Err(vacancy) => reached.insert(&key, vacancy, cx)?,
            };
            // The solved end is known by its boxes, and a level that starts solved begins in the same state (trap 6).
            if at < spine.end() {
                states.push((config, terrain.ground.bit(state.player), at));
            }
        }
        let n_spine = reached.n_configs();
        let letters = if terrain.n_shards > 1 { terrain.n_shards } else { 0 };
        Ok(Self {
            number,
            reached,
            layer: Layer::new(account)?,
            next: Layer::new(account)?,
            batch: Batch::default(),
            letters: std::iter::repeat_with(|| Letters::new(account)).take(letters).collect(),
            next_cost: Cost::default(),
            pulls: RecyclingQueue::new(account),
            pull_spans: Spans::default(),
            spine: SpinePlayers::new(&states, n_spine, account)?,
            first_moves: FirstMoves::new(n_spine, order, account)?,
            met: None,
            n_states: 0,
        })
    }

    pub(super) const fn n_states(&self) -> u64 {
        self.n_states
    }

    /// Returns the bytes of all that grows.
    pub(super) fn bytes(&self) -> u64 {
        let letters: u64 = self.letters.iter().map(Letters::bytes).sum();
        self.reached.bytes() + self.layer.bytes() + self.next.bytes() + self.pulls.bytes() + letters
    }

    /// Returns the least cost of the states that wait.
    pub(super) fn next_cost(&self) -> Option<Cost> {
        let walks = (self.next.len() > 0).then_some(self.next_cost);
        walks.into_iter().chain(self.pull_spans.cost()).min()
    }

    /// Returns the number of items in the layer.
    pub(super) const fn n_items(&self) -> usize {
        self.layer.len()
    }

    /// Returns the first spine state in the layer.
    pub(super) const fn met(&self) -> Option<usize> {
        self.met
    }

    /// Does its part of a phase.
    pub(super) fn run(
        &mut self,
        phase: Phase,
        (terrain, mail): (&Terrain<'_, K, W>, &Mail<K>),
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        match phase {
            Phase::Seed(step) => self.seed(step, terrain, cx)?,
            Phase::Begin(cost) => return self.begin(cost, terrain),
            Phase::Expand(step) => self.expand_layer(step, terrain, cx)?,
            Phase::Receive(cost) => return self.receive(cost, (terrain, mail), cx),
        }
        for (to, letters) in self.letters.iter_mut().enumerate().filter(|&(to, _)| to != self.number) {
            mail.send(self.number, to, letters);
        }
        Ok(())
    }

    /// Enters the end of the stretch: one state, or what a last push into the solved configuration comes from.
    fn seed(&mut self, step: Step, terrain: &Terrain<'_, K, W>, cx: &mut Context<'_>) -> Result<(), Stop> {
        let Stretch { spine, to, order, .. } = terrain.stretch;
        let state = &spine.states()[to];
        if to == spine.end() && terrain.counts_moves_first() {
            self.next_cost = order.walk();
        }
        // Of what others pull too.
        self.first_moves.begin_layer(self.reached.n_configs(), 0)?;
        let Some(config) = self.reached.find(&state.key) else { return Ok(()) };
        if to < spine.end() {
            let players = self.reached.visit(config, only(terrain.ground.bit(state.player)), 0);
            self.first_moves.note(config, 0);
            return self.next.push(config, players);
        }
        let key = self.reached.key(config);
        for player in terrain.end_players(&key) {
            self.pull(&key, player, step, terrain, cx)?;
        }
        self.look_up_batch(step.cost, terrain, cx)
    }

    /// Makes the states of this cost the layer.
    fn begin(&mut self, cost: Cost, terrain: &Terrain<'_, K, W>) -> Result<(), Stop> {
        debug_assert!(self.next.len() == 0 || self.next_cost == cost, "walks of a layer come before other pulls");
        let moves = terrain.moves_in(cost);
        std::mem::swap(&mut self.layer, &mut self.next);
        self.take_pulls(cost, moves)?;
        self.next.clear();
        self.next_cost = cost.plus(terrain.stretch.order.walk());
        self.first_moves.begin_layer(self.reached.n_configs(), moves)?;
        let n_spine = self.spine.n_configs();
        let spine = &self.spine;
        let on_spine = self.layer.items().filter(|item| item.config.idx() < n_spine);
        self.met = on_spine.filter_map(|item| spine.first_of(item.config, &item.players)).min();
        Ok(())
    }

    /// Puts the pulled states of this cost that are new into the layer.
    fn take_pulls(&mut self, cost: Cost, moves: u32) -> Result<(), Stop> {
        while self.pull_spans.cost() == Some(cost) {
            self.pull_spans.pop();
            let Some(Waiting { config, player }) = self.pulls.pop() else { return Ok(()) };
            let new = self.reached.visit(config, only(usize::from(player)), moves);
            if new != [0; W] {
                self.first_moves.note(config, moves);
                self.layer.push(config, new)?;
            }
        }
        Ok(())
    }

    fn expand_layer(&mut self, step: Step, terrain: &Terrain<'_, K, W>, cx: &mut Context<'_>) -> Result<(), Stop> {
        let moves = terrain.moves_in(step.cost);
        for number in 0..self.layer.len() {
            if number.is_multiple_of(AHEAD) {
                self.peek_records(number);
            }
            self.expand(self.layer.item(number), (step, moves), terrain, cx)?;
        }
        self.look_up_batch(step.cost, terrain, cx)
    }

    /// Reads a little of the records of some items from this one on, so that they are near when they are needed: one
    /// after another they would be waited for one by one, and these loads wait together.
    #[inline]
    fn peek_records(&self, number: usize) {
        let configs = (number..number + AHEAD).map_while(|number| self.layer.config(number));
        std::hint::black_box(configs.fold(0, |all, config| all | self.reached.peek_record(config)));
    }

    /// Makes the predecessors of an item.
    #[inline]
    fn expand(
        &mut self,
        item: Item<W>,
        (step, moves): (Step, u32),
        terrain: &Terrain<'_, K, W>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        cx.tick()?;
        let Item { config, players } = item;
        let mut around = [0; W];
        for_bits(players, |player| {
            self.n_states += 1;
            for (all, set) in around.iter_mut().zip(&terrain.neighbors[player]) {
                *all |= set;
            }
            Ok(())
        })?;
        let (key, new) = self.reached.walk(config, around, moves + 1);
        if new != [0; W] {
            self.next.push(config, new)?;
        }
        let touches = around.iter().zip(&key).any(|(around, boxes)| around & boxes != 0);
        if touches && terrain.passes(&key) {
            for_bits(players, |player| {
                let touches = terrain.neighbors[player].iter().zip(&key).any(|(around, boxes)| around & boxes != 0);
                if touches { self.pull(&key, player, step, terrain, cx) } else { Ok(()) }
            })?;
        }
        Ok(())
    }

    /// Undoes every push that may have left the player on this bit.
    #[inline]
    fn pull(
        &mut self,
        boxes: &[u64; K],
        player: usize,
        step: Step,
        terrain: &Terrain<'_, K, W>,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        for &Pull { ahead, stand } in terrain.ground.pulls(player) {
            if has(boxes, ahead.into()) && !has(boxes, stand.into()) {
                let mut key = *boxes;
                key[usize::from(ahead) / 64] ^= 1 << (ahead % 64);
                key[player / 64] ^= 1 << (player % 64);
                if let Some(candidates) = terrain.candidates(&key, step.guess, cx)? {
                    let hash = Reached::<K, W>::hash(&key);
                    let pulled = Pulled { key, hash, stand, candidates };
                    let owner = terrain.owner(hash);
                    if owner == self.number {
                        self.batch.push(pulled);
                    } else {
                        self.letters[owner].push(pulled)?;
                    }
                }
            }
        }
        if self.batch.is_full() { self.look_up_batch(step.cost, terrain, cx) } else { Ok(()) }
    }

    /// Takes in what others have mailed.
    fn receive(
        &mut self,
        cost: Cost,
        (terrain, mail): (&Terrain<'_, K, W>, &Mail<K>),
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        let number = self.number;
        for from in (0..terrain.n_shards).filter(|&from| from != number) {
            let mut letters = mail.open(from, number);
            for &pulled in letters.pulled() {
                self.batch.push(pulled);
                if self.batch.is_full() {
                    self.look_up_batch(cost, terrain, cx)?;
                }
            }
            letters.clear();
        }
        self.look_up_batch(cost, terrain, cx)
    }

    /// Looks up what the pulls of the batch, from states of this cost, led to.
    fn look_up_batch(&mut self, cost: Cost, terrain: &Terrain<'_, K, W>, cx: &mut Context<'_>) -> Result<(), Stop> {
        let mut batch = std::mem::take(&mut self.batch);
        batch.find(&self.reached);
        for (pulled, found) in batch.found() {
            let config = match found {
                Some(config) => config,
                None => match self.reached.look_up(&pulled.key, pulled.hash) {
                    Ok(config) => config,
                    Err(vacancy) => {
                        if !terrain.belongs(&pulled.key, pulled.candidates, cx)? {
                            continue;
                        }
                        self.reached.insert(&pulled.key, vacancy, cx)?
                    }
                },
            };
            self.arrive(config, pulled.stand, cost, terrain)?;
        }
        batch.clear();
        self.batch = batch;
        Ok(())
    }

    /// Notes a state that a pull from a state of this cost led to.
    #[inline]
    fn arrive(&mut self, config: ConfigId, player: u16, cost: Cost, terrain: &Terrain<'_, K, W>) -> Result<(), Stop> {
        if terrain.counts_moves_first() {
            let new = self.reached.visit(config, only(player.into()), cost.primary + 1);
            self.first_moves.note(config, cost.primary + 1);
            return if new == [0; W] { Ok(()) } else { self.next.push(config, new) };
        }
        if !self.reached.is_visited(config, player.into()) {
            self.pulls.push(Waiting { config, player })?;
            self.pull_spans.push(cost.plus(terrain.stretch.order.push()));
        }
        Ok(())
    }
}

/// Makes all shards of a terrain.
pub(super) fn shards<const K: usize, const W: usize>(
    terrain: &Terrain<'_, K, W>,
    cx: &Context<'_>,
) -> Result<Vec<Shard<K, W>>, Stop> {
    (0..terrain.n_shards).map(|number| Shard::new(number, terrain, cx)).collect()
}
