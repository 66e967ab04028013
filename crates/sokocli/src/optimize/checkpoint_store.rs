//! The checkpoints of one pass for the next, within a limit of memory.
//!
//! A checkpoint is some ten thousand bytes, and a run may have thirty thousand levels. What does not fit is left out,
//! those first that have the least work in a byte: they are the cheapest to make again.
//!
//! Invariant: the bytes that are held, with those of their keys, are at most the limit.

use std::collections::BTreeSet;

use hashbrown::HashMap;
use sokocore::Objective;
use sokomethods::Checkpoint;

/// A task, by its index, and what it was searched for.
type SearchKey = (usize, Objective);

/// Bytes of a checkpoint besides its own: those of the key, of the order and of the tables.
const OVERHEAD: u64 = 256;

/// Checkpoints as bytes.
#[derive(Debug)]
pub(super) struct CheckpointStore {
    held: HashMap<SearchKey, Held>,
    /// Work in a byte, and the number of the checkpoint: the first one is left out first.
    order: BTreeSet<(u64, u64)>,
    keys: HashMap<u64, SearchKey>,
    n_bytes: u64,
    limit: u64,
    n_put: u64,
}

#[derive(Debug)]
struct Held {
    bytes: Vec<u8>,
    place: (u64, u64),
}

impl Held {
    fn n_bytes(&self) -> u64 {
        self.bytes.len() as u64 + OVERHEAD
    }
}

impl CheckpointStore {
    /// Makes one of at most so many bytes.
    pub(super) fn new(limit: u64) -> Self {
        Self { held: HashMap::new(), order: BTreeSet::new(), keys: HashMap::new(), n_bytes: 0, limit, n_put: 0 }
    }

    /// Holds where a search has ended, in the place of where it ended before; `None` if it has no next one.
    pub(super) fn put(&mut self, key: SearchKey, checkpoint: Option<&Checkpoint>) {
        self.take_out(key);
        let Some(checkpoint) = checkpoint else { return };
        let bytes = checkpoint.to_bytes();
        self.n_put += 1;
        let work_per_byte = (checkpoint.ticks() << 10) / (bytes.len() as u64).max(1);
        let held = Held { bytes, place: (work_per_byte, self.n_put) };
        self.n_bytes += held.n_bytes();
        self.order.insert(held.place);
        self.keys.insert(held.place.1, key);
        self.held.insert(key, held);
        while self.n_bytes > self.limit
            && let Some(&(_, number)) = self.order.first()
        {
            self.take_out(self.keys[&number]);
        }
    }

    /// Returns where a search has ended, if that is held.
    pub(super) fn get(&self, key: SearchKey) -> Option<Checkpoint> {
        self.held.get(&key).and_then(|held| Checkpoint::from_bytes(&held.bytes).ok())
    }

    fn take_out(&mut self, key: SearchKey) {
        if let Some(held) = self.held.remove(&key) {
            self.n_bytes -= held.n_bytes();
            self.order.remove(&held.place);
            self.keys.remove(&held.place.1);
        }
    }
}

#[cfg(test)]
mod tests {
    use sokocore::{Level, replay};
    use sokomethods::Optimizer;

    use super::*;

    /// The checkpoint of so much work on a level.
    fn checkpoint(work: u64) -> Checkpoint {
        let level = Level::parse("#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######").unwrap();
        let start = replay(&level, &"lUruLdrdrUluRdldlDrdLururDldR".parse().unwrap()).unwrap();
        let outcome = Optimizer::new(&level).work(work).run(&start).unwrap();
        outcome.results[0].checkpoint.clone().unwrap()
    }

    #[test]
    fn what_does_not_fit_is_what_is_cheapest_to_make_again() {
        let (quick, long) = (checkpoint(5_000), checkpoint(50_000));
        let size = |checkpoint: &Checkpoint| checkpoint.to_bytes().len() as u64 + OVERHEAD;
        assert!(long.ticks() / size(&long) > quick.ticks() / size(&quick));
        let limit = 2 * size(&long) + size(&quick);
        let mut store = CheckpointStore::new(limit);
        for task in 0..1_000 {
            store.put((task, Objective::MOVES), Some(if task % 10 == 3 { &long } else { &quick }));
            assert!(store.n_bytes <= limit && store.held.len() == store.order.len());
        }
        let is_held = |store: &CheckpointStore, task| store.get((task, Objective::MOVES));
        let n_long = (0..1_000).filter_map(|task| is_held(&store, task)).filter(|held| *held == long).count();
        assert_eq!(n_long, 2);
        let last = (0..1_000).rev().find(|&task| is_held(&store, task).as_ref() == Some(&long)).unwrap();
        // A later one takes the place of the earlier one, and the end of a search takes it out.
        store.put((last, Objective::MOVES), Some(&quick));
        assert_ne!(is_held(&store, last), Some(long));
        for task in 0..1_000 {
            store.put((task, Objective::MOVES), None);
        }
        assert_eq!((store.n_bytes, store.keys.len(), store.get((last, Objective::PUSHES))), (0, 0, None));
    }
}
