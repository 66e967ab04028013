//! The tube: the configurations that a search may visit, near a window of the spine.
//!
//! By definition a neighborhood with limits `k1 <= k2 <= ...` has all configurations that result from taking a spine
//! configuration and, for each limit in turn, leaving it or moving one box (any box, one just moved included) to one of
//! its `k` nearest free live squares. Left out are frozen configurations and, except for the reference engine, those with
//! a known dead pair or triple of boxes; spine configurations never are.
//!
//! # Contents, in reading order
//! * `spine`: the states of the solution to improve. `rings`: the nearest squares of a square.
//! * This file: [`Neighborhood`], and the [`Tube`] generated from it.
//! * `generator`, `movable`: displaces boxes of one spine state after another. `store_sizing`: how large a tube may grow.
//! * `near_spine`: the same tube, not generated but tested for membership.
//! * `config_set`: configurations that a method chooses itself. `whole_space`: all configurations of a small level.

pub(crate) mod config_set;
mod generator;
pub(crate) mod movable;
pub(crate) mod near_spine;
pub(crate) mod rings;
pub(crate) mod spine;
mod store_sizing;
pub(crate) mod whole_space;

use std::ops::RangeInclusive;

use hashbrown::HashSet;

use self::generator::Generator;
use self::movable::{Movable, shift_of_push};
use self::spine::SpineRange;
use self::store_sizing::StoreSizing;
use crate::deadlock::deadlock_check::DeadlockCheck;
use crate::{Context, Engine, HashStore, LiveIndex, Order, RingOrder, Spine, Stop, StoreKind, TreeStore};

/// The most bytes for each state in a set of references to keys: a reference and a byte, 16/7 times.
const CENTER_BYTES: usize = 40;

/// Which configurations around the spine belong to the tube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighborhood {
    /// For each box that may be displaced, how many of its nearest squares it may take; ascending.
    pub limits: Vec<usize>,
    /// The order in which the squares of a ring are visited.
    pub ring: RingOrder,
    /// Which boxes may be displaced.
    pub boxes: Boxes,
}

/// Which boxes of a configuration may be displaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Boxes {
    /// All.
    All,
    /// Those that the spine pushes somewhere in the window: if few of many boxes matter, the limits can be larger.
    Pushed,
    /// These, as live squares of the first state of the spine.
    Group(Vec<usize>),
}

/// How a tube will be searched, which decides how much memory it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TubeOptions {
    /// The engine.
    pub engine: Engine,
    /// What the engine minimizes.
    pub order: Order,
    /// The store in which the configurations are searched.
    pub store: StoreKind,
}

/// Configurations around the states `from..=to` of a spine.
#[derive(Debug)]
pub struct Tube {
    /// The configurations.
    pub store: HashStore,
    /// Number of the first spine state whose neighborhood is in the tube.
    pub from: usize,
    /// Number of the last spine state whose neighborhood is in the tube.
    pub to: usize,
    sizing: StoreSizing,
    /// Whether it ends before its last state, for lack of memory.
    is_cut_short: bool,
}

/// The configurations of a tube, as they are searched.
#[derive(Debug)]
pub enum TubeStore {
    /// As they were generated.
    Hash(HashStore),
    /// Packed.
    Tree(TreeStore),
}

impl Tube {
    /// Generates the neighborhoods of these states of the spine, given by their numbers, or until the engine's
    /// share of the free memory is used up, counting what a search with these options needs for each configuration.
    ///
    /// # Errors
    /// The run was stopped, or not even two neighborhoods fit ([`Stop::Memory`]).
    pub fn around(
        live: &LiveIndex,
        spine: &Spine,
        states: RangeInclusive<usize>,
        neighborhood: &Neighborhood,
        options: TubeOptions,
        cx: &mut Context<'_>,
    ) -> Result<Self, Stop> {
        let (from, last) = states.into_inner();
        let level = cx.level();
        let account = cx.budget().memory();
        let sizing = StoreSizing::new(live, options, cx);
        let store = sizing.open(live, account)?;
        let dead = DeadlockCheck::new(live, options.engine, cx);
        let mut generator = Generator::new(level, live, neighborhood, dead, store, account);
        let n_states = last + 1 - from;
        // Boxes of a group may come back to a configuration in each other's places.
        let is_group = matches!(neighborhood.boxes, Boxes::Group(_));
        let group_bytes = if is_group { 8 * live.words() } else { 0 };
        let _centers = account.charge((n_states * (CENTER_BYTES + group_bytes)) as u64)?;
        let mut centers: HashSet<(&[u64], Vec<u64>)> = HashSet::with_capacity(n_states);
        let mut to = from;
        let mut movable = Movable::new(level.board(), live, SpineRange { spine, from, to: last }, &neighborhood.boxes);
        let mut is_next = false;
        for (at, state) in spine.states().iter().enumerate().take(last + 1).skip(from) {
            let movable = movable.at(at);
            let group = if is_group { movable.to_vec() } else { Vec::new() };
            let is_new = centers.insert((&state.key, group));
            let last_push = (is_new && is_next).then(|| shift_of_push(level.board(), live, spine.pushes()[at - 1]));
            let done = if is_new { generator.add_around(&state.key, movable, last_push, cx) } else { Ok(()) };
            match done {
                Ok(()) => to = at,
                Err(Stop::Memory) if to > from => break,
                Err(stop) => return Err(stop),
            }
            is_next = is_new;
            cx.advanced((at - from) as f64 / (last - from).max(1) as f64);
        }
        Ok(Self { store: generator.into_store(), from, to, sizing, is_cut_short: to < last })
    }

    /// Returns the configurations in the store that will be searched: packed if the caller said so, or if the search would
    /// have too little memory otherwise.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn into_store(self, live: &LiveIndex, cx: &Context<'_>) -> Result<TubeStore, Stop> {
        if !self.sizing.is_packed(&self.store, self.is_cut_short) {
            return Ok(TubeStore::Hash(self.store));
        }
        match TreeStore::room_for(&self.store, live.n_live(), cx.budget().memory()) {
            Ok(room) => TreeStore::new(self.store, live.n_live(), room, cx).map(TubeStore::Tree),
            Err(_) => Ok(TubeStore::Hash(self.store)),
        }
    }
}

#[cfg(test)]
mod tests;
