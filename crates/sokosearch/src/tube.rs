//! The tube: all configurations that a vicinity search may visit, generated around a stretch of the spine.
//!
//! By definition a neighborhood with limits `k1 <= k2 <= ...` holds what comes of taking a spine configuration and,
//! for each limit in turn, leaving it or moving one box (any box, one just moved included) to one of its `k` nearest
//! free live squares. Left out are frozen configurations and, but for the reference engine, those with a pair or a triple
//! of boxes that is on no solution, as soon as these are known; spine configurations never are.

mod generator;
mod movable;
mod room;

use hashbrown::HashSet;

use self::generator::Generator;
pub(crate) use self::movable::Movable;
use self::movable::bits_of_push;
use self::room::Room;
use crate::dead_check::DeadCheck;
use crate::{Context, Engine, HashStore, LiveIndex, Order, RingOrder, Spine, Stop, StoreKind, TreeStore};

/// Bytes for each state in a set of references to keys, at most: a place and a byte, 16/7 times.
const CENTER_BYTES: usize = 40;

/// Which configurations around the spine belong to the tube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighborhood {
    /// For each box that may be displaced, how many of its nearest squares it may take; ascending.
    pub limits: Vec<usize>,
    /// In which order rings are entered.
    pub ring: RingOrder,
    /// Which boxes may be displaced.
    pub boxes: Boxes,
}

/// Which boxes of a configuration may be displaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boxes {
    /// All.
    All,
    /// Those that the spine pushes somewhere in the window: of many boxes few matter, and these go farther then.
    Pushed,
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
    room: Room,
    /// Whether memory ended it before its last state.
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
    /// Generates the neighborhoods of the spine from state `from` on, up to state `last` or until the engine's
    /// share of the free memory is taken, counting what it needs for each configuration in this order and store.
    ///
    /// # Errors
    /// The run was stopped, or not even two neighborhoods fit ([`Stop::Memory`]).
    pub fn around(
        live: &LiveIndex,
        spine: &Spine,
        stretch: (usize, usize),
        neighborhood: &Neighborhood,
        (engine, order, kind): (Engine, Order, StoreKind),
        cx: &mut Context<'_>,
    ) -> Result<Self, Stop> {
        let (from, last) = stretch;
        let level = cx.level();
        let account = cx.budget().memory();
        let room = Room::new(live, (engine, order, kind), cx);
        let store = room.open(live, account)?;
        let dead = DeadCheck::new(live, engine, cx);
        let mut generator = Generator::new((level, live, neighborhood), (dead, store), account);
        let n_states = last + 1 - from;
        let _centers = account.charge((n_states * CENTER_BYTES) as u64)?;
        let mut centers: HashSet<&[u64]> = HashSet::with_capacity(n_states);
        let mut to = from;
        let mut movable = Movable::new(level.board(), live, (spine, from, last), neighborhood.boxes);
        let mut is_next = false;
        for (at, state) in spine.states().iter().enumerate().take(last + 1).skip(from) {
            let movable = movable.at(at);
            let is_new = centers.insert(&state.key);
            let last_push = (is_new && is_next).then(|| bits_of_push(level.board(), live, spine.pushes()[at - 1]));
            let done = if is_new { generator.add_around((&state.key, movable), last_push, cx) } else { Ok(()) };
            match done {
                Ok(()) => to = at,
                Err(Stop::Memory) if to > from => break,
                Err(stop) => return Err(stop),
            }
            is_next = is_new;
            cx.advanced((at - from) as f64 / (last - from).max(1) as f64);
        }
        Ok(Self { store: generator.into_store(), from, to, room, is_cut_short: to < last })
    }

    /// Returns the configurations as they are to be searched: packed if the caller said so, or if the search would have
    /// too little memory otherwise.
    ///
    /// # Errors
    /// The run was stopped.
    pub fn into_store(self, live: &LiveIndex, cx: &Context<'_>) -> Result<TubeStore, Stop> {
        if !self.room.is_packed(&self.store, self.is_cut_short) {
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
