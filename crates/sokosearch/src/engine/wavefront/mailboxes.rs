//! Predecessors on their way from the shard that generated them to the shard that owns their configuration.
//!
//! ```text
//!             to 0      to 1      each shard fills outboxes of its own; at the end of its phase it swaps each of them
//!  from 0      ─     ▓▓▓▓▓▓▓▓▓    with the mailbox, which is empty since the layer before; so a mailbox is locked
//!  from 1   ▓▓▓▓▓▓      ─         twice for each layer
//! ```
//!
//! Invariant: all mailboxes are empty between two layers.

use parking_lot::{Mutex, MutexGuard};

use super::pull_batch::Predecessor;
use crate::{Charge, MemoryAccount, Stop};

/// Predecessors for one shard.
#[derive(Debug)]
pub(super) struct Outbox<const K: usize> {
    predecessors: Vec<Predecessor<K>>,
    charge: Charge,
    account: MemoryAccount,
}

/// A mailbox for each two shards.
#[derive(Debug)]
pub(super) struct Mailboxes<const K: usize> {
    n_shards: usize,
    boxes: Vec<Mutex<Outbox<K>>>,
}

/// Predecessors to make room for at first.
const FIRST_ROOM: usize = 1 << 6;

impl<const K: usize> Outbox<K> {
    pub(super) fn new(account: &MemoryAccount) -> Self {
        Self { predecessors: Vec::new(), charge: account.nothing(), account: account.clone() }
    }

    pub(super) fn predecessors(&self) -> &[Predecessor<K>] {
        &self.predecessors
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.charge.bytes()
    }

    #[inline]
    pub(super) fn push(&mut self, predecessor: Predecessor<K>) -> Result<(), Stop> {
        if self.predecessors.len() == self.predecessors.capacity() {
            self.grow()?;
        }
        self.predecessors.push(predecessor);
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        self.predecessors.clear();
    }

    /// Makes room for half as many more. The old and the new array are held at once, so both are charged.
    #[cold]
    fn grow(&mut self) -> Result<(), Stop> {
        let more = (self.predecessors.len() / 2).max(FIRST_ROOM);
        let charge = self.account.charge(((self.predecessors.len() + more) * size_of::<Predecessor<K>>()) as u64)?;
        self.predecessors.reserve_exact(more);
        self.charge = charge;
        Ok(())
    }
}

impl<const K: usize> Mailboxes<K> {
    pub(super) fn new(n_shards: usize, account: &MemoryAccount) -> Self {
        let n_boxes = if n_shards > 1 { n_shards * n_shards } else { 0 };
        let boxes = std::iter::repeat_with(|| Mutex::new(Outbox::new(account))).take(n_boxes).collect();
        Self { n_shards, boxes }
    }

    /// Sends what is in an outbox, and leaves it empty.
    pub(super) fn send(&self, from: usize, to: usize, outbox: &mut Outbox<K>) {
        std::mem::swap(&mut *self.open(from, to), outbox);
    }

    /// Opens the mailbox from one shard to another.
    pub(super) fn open(&self, from: usize, to: usize) -> MutexGuard<'_, Outbox<K>> {
        self.boxes[from * self.n_shards + to].lock()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.boxes.iter().map(|outbox| outbox.lock().bytes()).sum()
    }
}
