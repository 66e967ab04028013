//! A set of configurations that a method chooses one by one, to be searched afterwards.
//!
//! Like a tube, the set leaves the engine its share of the memory and keeps dead configurations out; unlike a tube, it
//! accepts any configuration. Every attempt to add one is a tick.

use sokocore::Level;

use crate::deadlock::deadlock_check::DeadlockCheck;
use crate::store::bits::toggle;
use crate::{ConfigStore, Context, Engine, HashStore, Inserted, LiveIndex, Order, Rings, Stop};

/// A growing set of configurations of one level.
#[derive(Debug)]
pub struct ConfigSet<'a> {
    level: &'a Level,
    live: &'a LiveIndex,
    store: HashStore,
    dead: DeadlockCheck<'a>,
}

impl<'a> ConfigSet<'a> {
    /// Opens an empty set that grows into the engine's share of the free memory, counting what a search in the
    /// order of the context's objective needs for each configuration.
    ///
    /// # Errors
    /// Not even the first slots fit.
    pub fn new(live: &'a LiveIndex, engine: Engine, cx: &Context<'a>) -> Result<Self, Stop> {
        let level = cx.level();
        let account = cx.budget().memory();
        let order = Order::of(&cx.objective());
        let byte_limit = engine.byte_limit(order, account);
        let state_bytes = engine.bytes_per_config(order, level.board().n_squares());
        let store = HashStore::new(live.words(), account, byte_limit, state_bytes)?;
        Ok(Self { level, live, store, dead: DeadlockCheck::new(live, engine, cx) })
    }

    /// Adds a configuration without a deadlock check: for those of a solution.
    ///
    /// # Errors
    /// The run was stopped, or the set is full.
    pub fn add(&mut self, key: &[u64], cx: &mut Context<'_>) -> Result<Inserted, Stop> {
        self.dead.count(cx)?;
        self.store.insert(key, cx)
    }

    /// Adds a configuration unless it is dead, which is checked around the boxes on the `moved` bits. Returns whether it is
    /// in the set now.
    ///
    /// # Errors
    /// The run was stopped, or the set is full.
    pub fn add_unless_dead(&mut self, key: &[u64], moved: &[usize], cx: &mut Context<'_>) -> Result<bool, Stop> {
        self.dead.count(cx)?;
        if self.store.find(key).is_some() {
            return Ok(true);
        }
        if self.is_dead(key, moved) {
            return Ok(false);
        }
        self.store.insert(key, cx).map(|_: Inserted| true)
    }

    /// Adds the configurations that result from moving one box to one of its `limit` nearest squares.
    ///
    /// # Errors
    /// The run was stopped, or the set or the account is full.
    pub fn add_ring(
        &mut self,
        center: &[u64],
        rings: &mut Rings,
        limit: usize,
        cx: &mut Context<'_>,
    ) -> Result<(), Stop> {
        let mut key = center.to_vec();
        for origin in LiveIndex::bits_of(center) {
            toggle(&mut key, origin);
            let ring = rings.of(self.level.board(), self.live, origin)?;
            for target in ring.iter().skip(1).take(limit).map(|&bit| bit as usize) {
                if key[target / 64] >> (target % 64) & 1 == 0 {
                    toggle(&mut key, target);
                    self.add_unless_dead(&key, &[target], cx)?;
                    toggle(&mut key, target);
                }
            }
            toggle(&mut key, origin);
        }
        Ok(())
    }

    /// Returns whether a box on one of the `moved` bits can never move again, in a group with a box off goal, or is in a
    /// pair or triple of boxes known to be on no solution.
    pub fn is_dead(&mut self, key: &[u64], moved: &[usize]) -> bool {
        self.dead.is_dead(key, moved.iter().copied())
    }

    /// Returns the configurations added so far.
    #[must_use]
    pub const fn store(&self) -> &HashStore {
        &self.store
    }
}

#[cfg(test)]
mod tests {
    use sokocore::{Objective, replay};

    use super::*;
    use crate::{
        Boxes, Budget, Cancel, MemoryAccount, Neighborhood, Pool, RingOrder, Spine, StoreKind, Tube, TubeOptions,
    };

    /// The rings of a set are the one-box neighborhoods of a tube.
    #[test]
    fn rings_are_one_box_neighborhoods() {
        let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######").unwrap();
        let solution = replay(&level, &"drruurDullDrdL".parse().unwrap()).unwrap();
        let pool = Pool::new(&level, &solution, &[Objective::MOVES]);
        let account = MemoryAccount::new(1 << 20);
        let budget = Budget::new(None, account.clone(), Cancel::default());
        let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
        let live = LiveIndex::new(&level);
        let spine = Spine::new(&level, &live, &solution, &account).unwrap();
        let neighborhood = Neighborhood { limits: vec![3], ring: RingOrder::ALL[0], boxes: Boxes::All };
        let options = TubeOptions { engine: Engine::Reference, order: Order::MovesPushes, store: StoreKind::Hash };
        let tube = Tube::around(&live, &spine, 0..=spine.end(), &neighborhood, options, &mut cx).unwrap();
        let mut set = ConfigSet::new(&live, Engine::Reference, &cx).unwrap();
        let mut rings = Rings::new(&live, RingOrder::ALL[0], 3, &account);
        for state in spine.states() {
            set.add(&state.key, &mut cx).unwrap();
            set.add_ring(&state.key, &mut rings, 3, &mut cx).unwrap();
        }
        let keys = |store: &HashStore| {
            let mut keys: Vec<Vec<u64>> = store.ids().map(|id| store.key(id).to_vec()).collect();
            keys.sort();
            keys
        };
        assert!(keys(set.store()).len() > 5);
        assert_eq!(keys(set.store()), keys(&tube.store));
    }
}
