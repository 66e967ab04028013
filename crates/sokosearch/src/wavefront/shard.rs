//! A share of the configurations, with what is known of them and what waits to be entered.
//!
//! With one thread there is one shard. With several, each configuration belongs to the shard that its hash names. What is
//! to be entered with the cost that is next, and which states of that cost lie on the spine, is told in a moment, so one
//! thread asks all shards. Then a layer has two phases, each begun by all when all have ended the one before:
//!
//! ```text
//!  enter     a player enters a configuration, and all walks from there are made at once, ahead of the layers (see
//!            `enter`); pulls on the way lead to configurations of this shard, or are mailed to another
//!  receive   what was mailed is looked up, and put down where it is new
//! ```
//!
//! Invariant: between two layers the least cost is known of all states with no higher cost than the layer, and a cost
//! that can be reached of all that are marked in `reached`. From every marked state all pulls have been made, with that
//! cost. So when costs are equal it does not matter which states come first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::agenda::{Agenda, Chain, Entry};
use super::batch::Batch;
use super::entered::Entered;
use super::mail::{Letters, Mail};
use super::spine_players::SpinePlayers;
use super::terrain::Terrain;
use crate::near_spine::{Missing, padded};
use crate::reached::Reached;
use crate::{Charge, ConfigId, ConfigStore, Context, Cost, Stop, Stretch};

/// What all shards are to do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Phase {
    /// Enter the end of the stretch.
    Seed(Step),
    /// Enter the states of a layer.
    Enter(Step),
    /// Take in what others came upon.
    Receive,
}

/// A layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) cost: Cost,
    /// Number of a spine state, counted from the start of the stretch, with about that cost to go.
    pub(super) guess: usize,
}

/// Some of the configurations.
pub(super) struct Shard<const K: usize, const W: usize> {
    pub(super) number: usize,
    pub(super) reached: Reached<K, W>,
    /// What is to be entered.
    pub(super) agenda: Agenda,
    /// What of it is entered in this layer.
    due: Chain,
    /// Where what was entered may still be entered sooner.
    pub(super) entered: Entered,
    /// The push layer, where pushes come first.
    pub(super) layer: u32,
    /// The spine states near the configuration that is entered.
    pub(super) vicinity: Vec<Missing>,
    /// Pulls whose configurations have not been looked up.
    pub(super) batch: Batch<K>,
    /// Pulls to configurations of other shards.
    pub(super) letters: Vec<Letters<K>>,
    /// The first configurations are those of the spine.
    pub(super) spine: SpinePlayers,
    /// Spine states that were reached, by their cost.
    pub(super) spine_states: BinaryHeap<Reverse<(Cost, usize)>>,
    pub(super) n_states: u64,
    _charge: Charge,
}

impl<const K: usize, const W: usize> Shard<K, W> {
    /// Makes the shard of this number, with those configurations of the spine that belong to it.
    pub(super) fn new(number: usize, terrain: &Terrain<'_, K, W>, cx: &Context<'_>) -> Result<Self, Stop> {
        let account = cx.budget().memory();
        let Stretch { spine, from, to, live, .. } = terrain.stretch;
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
        // Most spine states are reached once, or sooner a second time.
        let charge = account.charge((2 * states.len() * size_of::<(Cost, usize)>()) as u64)?;
        let n_spine = reached.n_configs();
        let letters = if terrain.n_shards > 1 { terrain.n_shards } else { 0 };
        Ok(Self {
            number,
            reached,
            agenda: Agenda::new(account),
            due: Chain::EMPTY,
            entered: Entered::new(terrain.ground.n_bits(), account)?,
            layer: 0,
            vicinity: Vec::new(),
            batch: Batch::default(),
            letters: std::iter::repeat_with(|| Letters::new(account)).take(letters).collect(),
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
        let letters: u64 = self.letters.iter().map(Letters::bytes).sum();
        self.reached.bytes() + self.agenda.bytes() + self.entered.bytes() + letters
    }

    /// Returns the least cost of what is to come, and how many states are to be entered with it.
    pub(super) fn next_cost(&self, terrain: &Terrain<'_, K, W>) -> Option<(Cost, usize)> {
        let entries = |is_next| {
            let (moves, n) = self.agenda.first(is_next)?;
            Some((terrain.cost(self.layer + u32::from(is_next), moves), n))
        };
        let met = self.spine_states.peek().map(|&Reverse((cost, _))| (cost, 0));
        entries(false).or_else(|| entries(true)).into_iter().chain(met).min()
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
            Phase::Enter(step) => self.enter_all(step, terrain, cx)?,
            Phase::Receive => return self.receive((terrain, mail), cx),
        }
        for (to, letters) in self.letters.iter_mut().enumerate().filter(|&(to, _)| to != self.number) {
            mail.send(self.number, to, letters);
        }
        Ok(())
    }

    /// Puts down the end of the stretch: one state, or what a last push into the solved configuration comes from.
    fn seed(&mut self, step: Step, terrain: &Terrain<'_, K, W>, cx: &mut Context<'_>) -> Result<(), Stop> {
        let Stretch { spine, to, .. } = terrain.stretch;
        let state = &spine.states()[to];
        let Some(config) = self.reached.find(&state.key) else { return Ok(()) };
        if to < spine.end() {
            let player = terrain.ground.number(state.player);
            return self.agenda.push(false, 0, Entry { config, player });
        }
        let key = self.reached.key(config);
        self.look_around(&key, step, terrain);
        for player in terrain.end_players(&key) {
            self.pull((&key, player), (0, true), (terrain, cx))?;
        }
        self.look_up_batch(terrain, cx)
    }

    /// Takes what is to be entered with this cost, and returns the first spine state that has it.
    pub(super) fn begin(&mut self, cost: Cost, terrain: &Terrain<'_, K, W>) -> Option<usize> {
        if !terrain.counts_moves_first() {
            while self.layer < cost.primary {
                debug_assert_eq!(self.agenda.first(false), None, "a push layer ends before the next one begins");
                self.layer += 1;
                self.agenda.begin_layer();
                self.entered.clear();
            }
        }
        self.due = self.agenda.take(terrain.moves_in(cost));
        let mut first = None;
        while let Some(&Reverse((met, state))) = self.spine_states.peek().filter(|Reverse((met, _))| *met <= cost) {
            debug_assert_eq!(met, cost, "a layer begins before the next one");
            first = first.into_iter().chain([state]).min();
            self.spine_states.pop();
        }
        first
    }

    /// Enters all states of the layer, some at a time, whose records are fetched together: one after another they would
    /// be waited for one by one.
    fn enter_all(&mut self, step: Step, terrain: &Terrain<'_, K, W>, cx: &mut Context<'_>) -> Result<(), Stop> {
        let mut entries = Vec::new();
        while !self.due.is_empty() {
            self.due = self.agenda.read(self.due, &mut entries);
            let peeked = entries.iter().fold(0, |all, entry| all | self.reached.peek_record(entry.config));
            std::hint::black_box(peeked);
            for entry in entries.drain(..) {
                self.enter(entry, step, terrain, cx)?;
            }
        }
        self.look_up_batch(terrain, cx)
    }

    /// Takes in what others have mailed.
    fn receive(&mut self, (terrain, mail): (&Terrain<'_, K, W>, &Mail<K>), cx: &mut Context<'_>) -> Result<(), Stop> {
        let number = self.number;
        for from in (0..terrain.n_shards).filter(|&from| from != number) {
            let mut letters = mail.open(from, number);
            for &pulled in letters.pulled() {
                self.batch.push(pulled);
                if self.batch.is_full() {
                    self.look_up_batch(terrain, cx)?;
                }
            }
            letters.clear();
        }
        self.look_up_batch(terrain, cx)
    }

    /// Looks up what the pulls of the batch led to, and puts it down.
    pub(super) fn look_up_batch(&mut self, terrain: &Terrain<'_, K, W>, cx: &mut Context<'_>) -> Result<(), Stop> {
        let mut batch = std::mem::take(&mut self.batch);
        batch.find(&self.reached);
        for (pulled, found) in batch.found() {
            let config = match found.or_else(|vacancy| self.reached.look_again(&pulled.key, vacancy)) {
                Ok(config) => config,
                Err(vacancy) => {
                    // Pulled to before, when its state was new, it was asked about then.
                    if !pulled.is_new || !terrain.belongs(&pulled.key, pulled.candidates, cx)? {
                        continue;
                    }
                    self.reached.insert(&pulled.key, vacancy, cx)?
                }
            };
            self.put_down(config, pulled.stand, pulled.moves, terrain)?;
        }
        batch.clear();
        self.batch = batch;
        Ok(())
    }

    /// The most moves to go with which a state is put down that a pull leads to.
    #[inline]
    pub(super) fn most_moves_after_pull(&self, terrain: &Terrain<'_, K, W>) -> Option<u32> {
        terrain.most_moves(self.layer + u32::from(!terrain.counts_moves_first()))
    }

    /// Puts down a state that a pull led to, unless it is known to have no higher cost, or costs too much.
    #[inline]
    fn put_down(&mut self, config: ConfigId, player: u16, moves: u32, terrain: &Terrain<'_, K, W>) -> Result<(), Stop> {
        let bit = usize::from(player);
        let is_next_layer = !terrain.counts_moves_first();
        if self.most_moves_after_pull(terrain).is_none_or(|most| moves > most) {
            return Ok(());
        }
        let can_be_sooner =
            || !is_next_layer && self.entered.find(config).and_then(|slot| self.entered.moves(slot, bit)) > Some(moves);
        if !self.reached.is_visited(config, bit) || can_be_sooner() {
            self.agenda.push(is_next_layer, moves, Entry { config, player })?;
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
