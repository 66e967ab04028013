//! Proofs of deadlocks shared between the searches of a run: the workers of feature space search, or the strategies of
//! a portfolio with shared proofs.
//!
//! ```text
//!   packing ──┐   proofs: boxes, and the player's squares for which they are dead       ┌──▶ greedy forward
//!   greedy ───┴──▶ [ p0 p1 p2 p3 ... ]  each subscription reads from its own position ──┴──▶ packing
//!                 areas: an area claimed by one search is not examined by another
//! ```
//!
//! All searches number the squares of a level alike (see [`crate::board::search_board`]), and a proof depends on boxes
//! and player alone: so it holds for every search by pushes, whatever that search prunes. Searches by pulls only
//! generate positions that can be solved, and have no use for it.
//!
//! Invariant: proofs are only ever added, and all memory is charged to the account of the run before it is used. Each
//! subscription receives each proof of the others once. With one thread proofs are received at the same points of each
//! search in every run, so equal runs do equal work.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hashbrown::HashSet;
use parking_lot::Mutex;
use sokocore::FloorSquare;
use sokosearch::{Charge, MemoryAccount};

/// The common store of a run; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct SharedDeadlocks(Arc<SharedProofs>);

#[derive(Debug)]
struct SharedProofs {
    /// How many proofs there are, to be read without the lock.
    n_proofs: AtomicUsize,
    n_subscriptions: AtomicUsize,
    store: Mutex<ProofStore>,
}

#[derive(Debug)]
struct ProofStore {
    proofs: Vec<(usize, Deadlock)>,
    areas: HashSet<u64>,
    used: u64,
    charge: Charge,
}

/// A proved deadlock: boxes that can never be resolved while the player is on one of these squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Deadlock {
    pub(crate) boxes: Arc<[FloorSquare]>,
    pub(crate) player: Arc<[FloorSquare]>,
}

/// One reader and writer of the store.
#[derive(Debug)]
pub(crate) struct Subscription {
    deadlocks: SharedDeadlocks,
    number: usize,
    n_read: usize,
}

impl SharedDeadlocks {
    /// More proofs than this are not kept: each costs every search a little at every push.
    const MAX_PROOFS: usize = 1 << 15;
    /// More areas than this are not remembered.
    const MAX_AREAS: usize = 1 << 20;
    /// Bytes that are charged at once.
    const STEP: u64 = 1 << 16;
    /// Bytes of an area, with the empty places of the set.
    const AREA_BYTES: u64 = 20;

    /// Opens a store that charges this account.
    pub(crate) fn new(account: &MemoryAccount) -> Self {
        let store = ProofStore { proofs: Vec::new(), areas: HashSet::new(), used: 0, charge: account.nothing() };
        let (n_proofs, n_subscriptions) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self(Arc::new(SharedProofs { n_proofs, n_subscriptions, store: Mutex::new(store) }))
    }

    /// Returns a subscription that has received nothing yet.
    pub(crate) fn subscribe(&self) -> Subscription {
        let number = self.0.n_subscriptions.fetch_add(1, Ordering::Relaxed);
        Subscription { deadlocks: self.clone(), number, n_read: 0 }
    }
}

impl ProofStore {
    /// Charges so many bytes; false if the run has none left.
    fn take(&mut self, bytes: u64) -> bool {
        let is_full = self.used + bytes > self.charge.bytes();
        if is_full && self.charge.add(SharedDeadlocks::STEP.max(bytes)).is_err() {
            return false;
        }
        self.used += bytes;
        true
    }
}

impl Subscription {
    /// Returns whether others have published proofs since the last call of [`Subscription::receive`].
    #[inline]
    pub(crate) fn has_new(&self) -> bool {
        self.deadlocks.0.n_proofs.load(Ordering::Acquire) > self.n_read
    }

    /// Returns the proofs that others have published since the last call.
    pub(crate) fn receive(&mut self) -> Vec<Deadlock> {
        let store = self.deadlocks.0.store.lock();
        let new = &store.proofs[self.n_read..];
        self.n_read = store.proofs.len();
        new.iter().filter(|(by, _)| *by != self.number).map(|(_, proof)| proof.clone()).collect()
    }

    /// Adds a proof, if there is memory.
    pub(crate) fn publish(&self, deadlock: &Deadlock) {
        let Deadlock { boxes, player } = deadlock;
        let mut store = self.deadlocks.0.store.lock();
        let bytes = (2 * (boxes.len() + player.len()) + 4 * size_of::<(usize, Deadlock)>()) as u64;
        if store.proofs.len() < SharedDeadlocks::MAX_PROOFS && store.take(bytes) {
            store.proofs.push((self.number, deadlock.clone()));
            self.deadlocks.0.n_proofs.store(store.proofs.len(), Ordering::Release);
        }
    }

    /// Claims an area; false if it has been claimed before.
    pub(crate) fn claim(&self, area: u64) -> bool {
        let mut store = self.deadlocks.0.store.lock();
        if store.areas.contains(&area) {
            return false;
        }
        if store.areas.len() < SharedDeadlocks::MAX_AREAS && store.take(SharedDeadlocks::AREA_BYTES) {
            store.areas.insert(area);
        }
        true
    }
}

#[cfg(test)]
mod tests;
