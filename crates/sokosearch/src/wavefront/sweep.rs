//! The search itself: layers of equal cost, from the end of the stretch to its start.
//!
//! Invariant: between two layers every state that is marked in `reached` waits in `next` or has been expanded.

use hashbrown::HashMap;
use sokocore::Square;

use super::batch::{Batch, Pulled};
use super::bits::{for_bits, has, only};
use super::view::View;
use crate::first_moves::FirstMoves;
use crate::ground::{Ground, Pull};
use crate::join::{Join, Joins};
use crate::layer::{Item, Layer};
use crate::near_spine::{Candidates, NearSpine, padded};
use crate::queue::RecyclingQueue;
use crate::reached::Reached;
use crate::span::Spans;
use crate::{ConfigId, ConfigStore, Context, Cost, LiveIndex, Neighborhood, Order, Stop, Stretch};

/// Items whose records are fetched together.
const AHEAD: usize = 16;

/// A pulled state that waits for its moves.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    config: ConfigId,
    player: u16,
}

pub(super) struct Sweep<'a, const K: usize, const W: usize> {
    stretch: Stretch<'a>,
    /// `None` where every configuration belongs.
    tube: Option<NearSpine<K>>,
    ground: Ground,
    neighbors: Vec<[u64; W]>,
    reached: Reached<K, W>,
    layer: Layer<W>,
    next: Layer<W>,
    /// Pulls of the layer whose configurations have not been looked up.
    batch: Batch<K>,
    /// Cost of the states in `next`.
    next_cost: Cost,
    /// Pulled states in pushes/moves order.
    pulls: RecyclingQueue<Waiting>,
    pull_spans: Spans,
    /// The first so many configurations are those of the spine.
    n_spine_configs: usize,
    spine_states: HashMap<(ConfigId, usize), usize>,
    first_moves: FirstMoves,
    /// Number of a spine state, counted from the start of the stretch, with about the current cost to go.
    guess: usize,
    /// Cost of the spine from the start of the stretch; layers above it are not expanded.
    limit: Cost,
    joins: Joins<'a>,
    kept_end: Option<Square>,
    n_states: u64,
}

impl<'a, const K: usize, const W: usize> Sweep<'a, K, W> {
    pub(super) fn new(
        stretch: Stretch<'a>,
        neighborhood: Option<&Neighborhood>,
        cx: &Context<'a>,
    ) -> Result<Self, Stop> {
        let account = cx.budget().memory();
        let board = cx.level().board();
        let Stretch { spine, from, to, order, live, .. } = stretch;
        let ground = Ground::new(board, live);
        let neighbors = ground.neighbors();
        let kept_end = cx.kept_end().filter(|_| to == spine.end());
        let total = order.cost(&spine.states()[to].metrics);
        let tube =
            neighborhood.map(|near| NearSpine::new(board, live, (spine, from, to), near, account)).transpose()?;
        let mut search = Self {
            stretch,
            tube,
            ground,
            neighbors,
            reached: Reached::new(live.n_live(), board.n_squares(), account)?,
            layer: Layer::new(account)?,
            next: Layer::new(account)?,
            batch: Batch::default(),
            next_cost: Cost::default(),
            pulls: RecyclingQueue::new(account),
            pull_spans: Spans::default(),
            n_spine_configs: 0,
            spine_states: HashMap::new(),
            first_moves: FirstMoves::new(0, order),
            guess: to - from,
            limit: total.minus(order.cost(&spine.states()[from].metrics)),
            joins: Joins::new(stretch, kept_end),
            kept_end,
            n_states: 0,
        };
        search.enter_spine(cx)?;
        Ok(search)
    }

    pub(super) const fn n_states(&self) -> u64 {
        self.n_states
    }

    pub(super) fn n_configs(&self) -> usize {
        self.reached.n_configs()
    }

    /// Returns the bytes of all that grows.
    pub(super) fn bytes(&self) -> u64 {
        self.reached.bytes() + self.layer.bytes() + self.next.bytes() + self.pulls.bytes()
    }

    pub(super) const fn joins(&self) -> &Joins<'a> {
        &self.joins
    }

    /// Makes the configurations of the spine the first ones.
    fn enter_spine(&mut self, cx: &Context<'_>) -> Result<(), Stop> {
        let Stretch { spine, from, to, .. } = self.stretch;
        for (at, state) in spine.states().iter().enumerate().take(to + 1).skip(from) {
            let key = padded(&state.key);
            let config = match self.reached.look_up(&key, Reached::<K, W>::hash(&key)) {
                Ok(config) => config,
                Err(vacancy) => self.reached.insert(&key, vacancy, cx)?,
            };
            // The solved end is known by its boxes, and a level that starts solved begins in the same state (trap 6).
            if at < spine.end() {
                self.spine_states.entry((config, self.ground.bit(state.player))).or_insert(at);
            }
        }
        self.n_spine_configs = self.reached.n_configs();
        self.first_moves = FirstMoves::new(self.n_spine_configs, self.stretch.order);
        Ok(())
    }

    pub(super) fn run(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        self.seed(cx)?;
        loop {
            let walks = (self.next.len() > 0).then_some(self.next_cost);
            let Some(cost) = walks.into_iter().chain(self.pull_spans.cost()).min() else { return Ok(()) };
            if cost > self.limit {
                return Ok(());
            }
            debug_assert!(walks.is_none_or(|walks| walks == cost), "walks of a layer come before other pulls");
            std::mem::swap(&mut self.layer, &mut self.next);
            self.take_pulls(cost)?;
            self.next.clear();
            self.next_cost = cost.plus(self.stretch.order.walk());
            self.guess_state(cost);
            self.first_moves.begin_layer(self.reached.n_configs(), self.moves_in(cost));
            for number in 0..self.layer.len() {
                if number.is_multiple_of(AHEAD) {
                    self.peek_records(number);
                }
                if self.expand(self.layer.item(number), cost, cx)? {
                    return Ok(());
                }
            }
            self.look_up_batch(cost, cx)?;
        }
    }

    /// Reads a little of the records of some items from this one on, so that they are near when they are needed: one
    /// after another they would be waited for one by one, and these loads wait together.
    #[inline]
    fn peek_records(&self, number: usize) {
        let configs = (number..number + AHEAD).map_while(|number| self.layer.config(number));
        std::hint::black_box(configs.fold(0, |all, config| all | self.reached.peek_record(config)));
    }

    /// Moves the guess to the first spine state with no more to go than this.
    fn guess_state(&mut self, cost: Cost) {
        let Stretch { spine, from, to, order, .. } = self.stretch;
        let total = order.cost(&spine.states()[to].metrics).primary;
        let to_go = |at: usize| total.saturating_sub(order.cost(&spine.states()[from + at].metrics).primary);
        while self.guess > 0 && to_go(self.guess) < cost.primary {
            self.guess -= 1;
        }
    }

    /// Puts the pulled states of this cost that are new into the layer.
    fn take_pulls(&mut self, cost: Cost) -> Result<(), Stop> {
        let moves = self.moves_in(cost);
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

    fn moves_in(&self, cost: Cost) -> u32 {
        self.stretch.order.moves_in(cost).expect("this engine counts moves and pushes")
    }

    /// Enters the end of the stretch: one state, or what a last push into the solved configuration comes from.
    fn seed(&mut self, cx: &mut Context<'_>) -> Result<(), Stop> {
        let Stretch { spine, to, order, .. } = self.stretch;
        let state = &spine.states()[to];
        let config = self.reached.find(&state.key).expect("invariant: spine configurations come first");
        if to < spine.end() {
            let players = self.reached.visit(config, only(self.ground.bit(state.player)), 0);
            self.first_moves.note(config, 0);
            return self.next.push(config, players);
        }
        if order == Order::MovesPushes {
            self.next_cost = order.walk();
        }
        let key = self.reached.key(config);
        self.first_moves.begin_layer(self.reached.n_configs(), 0);
        let ends = |player: &Square| self.kept_end.is_none_or(|end| end == *player);
        let players: Vec<usize> = cx.level().board().squares().filter(ends).map(|sq| self.ground.bit(sq)).collect();
        for player in players.into_iter().filter(|&player| !has(&key, player)) {
            self.pull(&key, player, Cost::default(), cx)?;
        }
        self.look_up_batch(Cost::default(), cx)
    }

    /// Makes the predecessors of an item. Returns whether the start of the stretch is one of its states.
    fn expand(&mut self, item: Item<W>, cost: Cost, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.tick()?;
        let Item { config, players } = item;
        if config.idx() < self.n_spine_configs && self.meet_spine(item, cost, cx) {
            return Ok(true);
        }
        let mut around = [0; W];
        for_bits(players, |player| {
            self.n_states += 1;
            for (all, set) in around.iter_mut().zip(&self.neighbors[player]) {
                *all |= set;
            }
            Ok(())
        })?;
        let (key, new) = self.reached.walk(config, around, self.moves_in(cost) + 1);
        if new != [0; W] {
            self.next.push(config, new)?;
        }
        let touches = around.iter().zip(&key).any(|(around, boxes)| around & boxes != 0);
        if touches && self.passes(&key) {
            for_bits(players, |player| {
                let touches = self.neighbors[player].iter().zip(&key).any(|(around, boxes)| around & boxes != 0);
                if touches { self.pull(&key, player, cost, cx) } else { Ok(()) }
            })?;
        }
        Ok(false)
    }

    /// Whether the game goes on in a configuration. A solved position that is not the wanted end ends it.
    fn passes(&self, key: &[u64; K]) -> bool {
        self.kept_end.is_none() || !self.stretch.live.is_solved(&key[..self.stretch.live.words()])
    }

    /// Undoes every push that may have left the player on this bit.
    #[inline]
    fn pull(&mut self, boxes: &[u64; K], player: usize, cost: Cost, cx: &mut Context<'_>) -> Result<(), Stop> {
        for &Pull { ahead, stand } in self.ground.pulls(player) {
            if has(boxes, ahead.into()) && !has(boxes, stand.into()) {
                let mut key = *boxes;
                key[usize::from(ahead) / 64] ^= 1 << (ahead % 64);
                key[player / 64] ^= 1 << (player % 64);
                let candidates = match &self.tube {
                    Some(tube) => {
                        if tube.ticks_to_scan() > 0 {
                            cx.tick_by(tube.ticks_to_scan())?;
                        }
                        tube.candidates(&key, self.guess)
                    }
                    None => Some(Candidates::default()),
                };
                if let Some(candidates) = candidates {
                    self.batch.push(Pulled { key, hash: Reached::<K, W>::hash(&key), stand, candidates });
                }
            }
        }
        if self.batch.is_full() { self.look_up_batch(cost, cx) } else { Ok(()) }
    }

    /// Looks up what the pulls of the batch, from states of this cost, led to.
    fn look_up_batch(&mut self, cost: Cost, cx: &mut Context<'_>) -> Result<(), Stop> {
        let mut batch = std::mem::take(&mut self.batch);
        batch.find(&self.reached);
        for (pulled, found) in batch.found() {
            let config = match found {
                Some(config) => config,
                None => match self.reached.look_up(&pulled.key, pulled.hash) {
                    Ok(config) => config,
                    Err(vacancy) => {
                        if !self.belongs(pulled, cx)? {
                            continue;
                        }
                        self.reached.insert(&pulled.key, vacancy, cx)?
                    }
                },
            };
            self.arrive(config, pulled.stand, cost)?;
        }
        batch.clear();
        self.batch = batch;
        Ok(())
    }

    /// Whether a configuration that is not known belongs to the tube.
    fn belongs(&mut self, pulled: &Pulled<K>, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let Some(tube) = &mut self.tube else { return cx.tick().map(|()| true) };
        let belongs = tube.contains(&pulled.key, pulled.candidates);
        cx.tick_by(tube.ticks_to_try() + 1)?;
        Ok(belongs)
    }

    /// Notes a state that a pull from a state of this cost led to.
    fn arrive(&mut self, config: ConfigId, player: u16, cost: Cost) -> Result<(), Stop> {
        let order = self.stretch.order;
        if order == Order::MovesPushes {
            let new = self.reached.visit(config, only(player.into()), cost.primary + 1);
            self.first_moves.note(config, cost.primary + 1);
            return if new == [0; W] { Ok(()) } else { self.next.push(config, new) };
        }
        if !self.reached.is_visited(config, player.into()) {
            self.pulls.push(Waiting { config, player })?;
            self.pull_spans.push(cost.plus(order.push()));
        }
        Ok(())
    }

    /// Compares states of a spine configuration with the spine. Returns whether one is the start of the stretch.
    fn meet_spine(&mut self, item: Item<W>, cost: Cost, cx: &mut Context<'_>) -> bool {
        let Stretch { spine, from, to, order, .. } = self.stretch;
        for player in LiveIndex::bits_of(&item.players) {
            let Some(&state) = self.spine_states.get(&(item.config, player)) else { continue };
            let mut to_go = cost;
            if order == Order::MovesPushes {
                // Pushes are not counted on the way: they count as the spine's own.
                let old = order.cost(&spine.states()[to].metrics).minus(order.cost(&spine.states()[state].metrics));
                to_go.secondary = old.secondary;
            }
            if let Some(join) = self.joins.note(state, to_go) {
                self.offer((join, false), cx);
            }
            if state == from {
                return true;
            }
        }
        false
    }

    pub(super) fn offer(&mut self, join: (Join, bool), cx: &mut Context<'_>) {
        let view = View { ground: &self.ground, reached: &self.reached, first_moves: &self.first_moves };
        self.joins.offer(join, &self.reached, &view, cx);
    }

    /// Turns to a random one of the best ways from a join on; returns whether one could be read.
    pub(super) fn wander(&self, join: Join, seed: u64, cx: &mut Context<'_>) -> bool {
        let view = View { ground: &self.ground, reached: &self.reached, first_moves: &self.first_moves };
        self.joins.wander((join, seed), &self.reached, &view, cx)
    }
}
