//! Pulls on their way from the shard that made them to the one that owns what they led to.
//!
//! ```text
//!             to 0      to 1      each shard collects letters of its own; when it has entered its layer, it puts
//!  from 0      ─     ▓▓▓▓▓▓▓▓▓    them into the box and takes the empty ones from the layer before, so a box is
//!  from 1   ▓▓▓▓▓▓      ─         locked twice for each layer
//! ```
//!
//! Invariant: all boxes are empty between two layers.

use parking_lot::{Mutex, MutexGuard};

use super::batch::Pulled;
use crate::{Charge, MemoryAccount, Stop};

/// Pulls for one shard.
#[derive(Debug)]
pub(super) struct Letters<const K: usize> {
    pulled: Vec<Pulled<K>>,
    charge: Charge,
    account: MemoryAccount,
}

/// A box for each two shards.
#[derive(Debug)]
pub(super) struct Mail<const K: usize> {
    n_shards: usize,
    boxes: Vec<Mutex<Letters<K>>>,
}

const FIRST_LETTERS: usize = 1 << 6;

impl<const K: usize> Letters<K> {
    pub(super) fn new(account: &MemoryAccount) -> Self {
        Self { pulled: Vec::new(), charge: account.nothing(), account: account.clone() }
    }

    pub(super) fn pulled(&self) -> &[Pulled<K>] {
        &self.pulled
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.charge.bytes()
    }

    #[inline]
    pub(super) fn push(&mut self, pulled: Pulled<K>) -> Result<(), Stop> {
        if self.pulled.len() == self.pulled.capacity() {
            self.grow()?;
        }
        self.pulled.push(pulled);
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        self.pulled.clear();
    }

    /// Makes room for half as many more. Old and new room are held at once, so both are charged.
    #[cold]
    fn grow(&mut self) -> Result<(), Stop> {
        let more = (self.pulled.len() / 2).max(FIRST_LETTERS);
        let charge = self.account.charge(((self.pulled.len() + more) * size_of::<Pulled<K>>()) as u64)?;
        self.pulled.reserve_exact(more);
        self.charge = charge;
        Ok(())
    }
}

impl<const K: usize> Mail<K> {
    pub(super) fn new(n_shards: usize, account: &MemoryAccount) -> Self {
        let n_boxes = if n_shards > 1 { n_shards * n_shards } else { 0 };
        let boxes = std::iter::repeat_with(|| Mutex::new(Letters::new(account))).take(n_boxes).collect();
        Self { n_shards, boxes }
    }

    /// Sends letters; what is left of them is empty.
    pub(super) fn send(&self, from: usize, to: usize, letters: &mut Letters<K>) {
        std::mem::swap(&mut *self.open(from, to), letters);
    }

    /// Opens the box for letters from one shard to another.
    pub(super) fn open(&self, from: usize, to: usize) -> MutexGuard<'_, Letters<K>> {
        self.boxes[from * self.n_shards + to].lock()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.boxes.iter().map(|letters| letters.lock().bytes()).sum()
    }
}
