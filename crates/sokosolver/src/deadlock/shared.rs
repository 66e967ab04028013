//! What the members of a run have proved about deadlocks, for all of them: the hands of feature space search, or the
//! strategies of a portfolio that was told to share.
//!
//! ```text
//!   packing ──┐   proofs: boxes, and the player's squares for which they are hopeless     ┌──▶ greedy forward
//!   greedy ───┴──▶ [ p0 p1 p2 p3 ... ]  each member reads on from where it was ───────────┴──▶ packing
//!                 areas: looked at by somebody, so nobody else need
//! ```
//!
//! All strategies number the squares of a level alike (see [`crate::board::search_board`]), and a proof is about boxes and player
//! alone: so it holds for every search by pushes, whatever that search leaves out. Searches by pulls come only to
//! positions that can be solved, and have no use for it.
//!
//! Invariant: proofs are only ever added, and everything is charged to the account of the run before it is kept. A
//! member is told each proof of others once. With one thread members read at the same points of their search in every
//! run, so equal runs do equal work.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hashbrown::HashSet;
use parking_lot::Mutex;
use sokosearch::{Charge, MemoryAccount};

/// The common store of a run; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct SharedDeadlocks(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// How many proofs there are: to be asked without the lock.
    n_proofs: AtomicUsize,
    n_members: AtomicUsize,
    store: Mutex<Store>,
}

#[derive(Debug)]
struct Store {
    proofs: Vec<(usize, Proof)>,
    areas: HashSet<u64>,
    used: u64,
    charge: Charge,
}

/// Boxes that can never be resolved while the player is on one of these squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proof {
    pub(crate) boxes: Arc<[u16]>,
    pub(crate) player: Arc<[u16]>,
}

/// One reader and writer of the store.
#[derive(Debug)]
pub(crate) struct Subscription {
    exchange: SharedDeadlocks,
    number: usize,
    n_read: usize,
}

impl SharedDeadlocks {
    /// More proofs than this are not kept: each costs every member a little at every push.
    const MAX_PROOFS: usize = 1 << 15;
    /// More areas than this are not remembered.
    const MAX_AREAS: usize = 1 << 20;
    /// Bytes that are charged at once.
    const STEP: u64 = 1 << 16;
    /// Bytes of an area, with the empty places of the set.
    const AREA_BYTES: u64 = 20;

    /// Opens a store that charges this account.
    pub(crate) fn new(account: &MemoryAccount) -> Self {
        let store = Store { proofs: Vec::new(), areas: HashSet::new(), used: 0, charge: account.nothing() };
        let (n_proofs, n_members) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self(Arc::new(Shared { n_proofs, n_members, store: Mutex::new(store) }))
    }

    /// Lets somebody take part, who knows nothing yet.
    pub(crate) fn join(&self) -> Subscription {
        let number = self.0.n_members.fetch_add(1, Ordering::Relaxed);
        Subscription { exchange: self.clone(), number, n_read: 0 }
    }
}

impl Store {
    /// Makes room for so many bytes; false if the run has none left.
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
    /// Returns whether others have added something since it read last.
    #[inline]
    pub(crate) fn has_news(&self) -> bool {
        self.exchange.0.n_proofs.load(Ordering::Acquire) > self.n_read
    }

    /// Returns what others have proved since it read last.
    pub(crate) fn news(&mut self) -> Vec<Proof> {
        let store = self.exchange.0.store.lock();
        let new = &store.proofs[self.n_read..];
        self.n_read = store.proofs.len();
        new.iter().filter(|(by, _)| *by != self.number).map(|(_, proof)| proof.clone()).collect()
    }

    /// Adds a proof, if there is room.
    pub(crate) fn tell(&self, boxes: &[u16], player: &[u16]) {
        let mut store = self.exchange.0.store.lock();
        let bytes = (2 * (boxes.len() + player.len()) + 4 * size_of::<(usize, Proof)>()) as u64;
        if store.proofs.len() < SharedDeadlocks::MAX_PROOFS && store.take(bytes) {
            store.proofs.push((self.number, Proof { boxes: boxes.into(), player: player.into() }));
            self.exchange.0.n_proofs.store(store.proofs.len(), Ordering::Release);
        }
    }

    /// Takes over the look at an area; false if somebody has looked at it.
    pub(crate) fn claim(&self, area: u64) -> bool {
        let mut store = self.exchange.0.store.lock();
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
mod tests {
    use super::*;

    #[test]
    fn each_member_is_told_the_proofs_of_the_others_once() {
        let exchange = SharedDeadlocks::new(&MemoryAccount::new(1 << 20));
        let (mut one, mut other) = (exchange.join(), exchange.join());
        one.tell(&[1, 2], &[3]);
        assert!(other.has_news() && one.news().is_empty());
        let proofs = [Proof { boxes: [1, 2].into(), player: [3].into() }];
        assert_eq!(other.news(), proofs);
        assert!(!other.has_news() && other.news().is_empty());
        assert_eq!(exchange.join().news(), proofs);
    }

    #[test]
    fn an_area_is_looked_at_by_one() {
        let exchange = SharedDeadlocks::new(&MemoryAccount::new(1 << 20));
        let (one, other) = (exchange.join(), exchange.join());
        assert!(one.claim(7) && !other.claim(7) && !one.claim(7) && other.claim(8));
    }

    /// What does not fit is not kept, and nothing is charged beyond the account.
    #[test]
    fn the_store_keeps_within_the_account() {
        let account = MemoryAccount::new(3 * SharedDeadlocks::STEP);
        let exchange = SharedDeadlocks::new(&account);
        let mut member = exchange.join();
        let squares: Vec<u16> = (0..500).collect();
        (0..1_000).for_each(|_| exchange.join().tell(&squares, &squares));
        let n_kept = member.news().len();
        assert!((50..200).contains(&n_kept), "{n_kept}");
        assert_eq!(account.used(), 3 * SharedDeadlocks::STEP);
        assert!(member.claim(1), "who cannot note it down looks at it all the same");
        drop((member, exchange));
        assert_eq!(account.used(), 0);
    }
}
