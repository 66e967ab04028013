//! The positions that a search has seen: packed nodes, and a transposition table over them.
//!
//! ```text
//!   slots  (hash: 32 bits | node number + 1: 32 bits), linear probing, at most 5/8 taken; 0 is empty
//!            │
//!            ▼
//!   chunks of nodes: box bits · parent · cost · player · push · bound · flags     (24 bytes up to 64 live squares)
//! ```
//!
//! **Invariant**: a node number stays the same for the life of its node, and the sum of all that is held never
//! passes what was charged. When the account refuses to grow, the table is *full*: it goes on answering, and takes
//! new nodes in place of those released.

use sokosearch::{Charge, MemoryAccount, Stop};

use crate::bits::Bits;
use crate::zeros::written_zeros;

/// Nodes in a chunk.
const CHUNK: usize = 1 << 13;
/// Bytes that queues may hold for each node.
const QUEUE_BYTES: usize = 8;

/// One position of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<const W: usize> {
    /// Where the boxes are.
    pub(crate) boxes: Bits<W>,
    /// The node before this one; [`Node::ROOT`] if none.
    pub(crate) parent: u32,
    /// What it took to get here.
    pub(crate) cost: u32,
    /// The player's square, or the name of the region.
    pub(crate) player: u16,
    /// The push between parent and node: square of the box before it times four, plus direction.
    pub(crate) came: u16,
    /// The least that it takes from here, as far as known.
    pub(crate) bound: u16,
    /// See the constants.
    pub(crate) flags: u16,
}

impl<const W: usize> Node<W> {
    /// Parent of the first node.
    pub(crate) const ROOT: u32 = u32::MAX;
    /// It was expanded.
    pub(crate) const CLOSED: u16 = 1;
    /// Its bound is that of the matching itself.
    pub(crate) const EXACT: u16 = 2;
    /// It is part of a way that goes on, so it must not be released.
    pub(crate) const KEPT: u16 = 4;
    /// It was expanded in part, and the rest has to be taken up again.
    pub(crate) const PUT_OFF: u16 = 8;
}

/// What became of a node that was handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// It got this number.
    New(u32),
    /// The same position has this number.
    Known(u32),
    /// There is no room.
    Full,
}

/// A set of nodes, keyed by boxes and player.
#[derive(Debug)]
pub(crate) struct Table<const W: usize> {
    chunks: Vec<Vec<Node<W>>>,
    slots: Vec<u64>,
    n_slotted: usize,
    unused: Vec<u32>,
    account: MemoryAccount,
    node_charge: Charge,
    slot_charge: Charge,
    limit: u64,
}

impl<const W: usize> Table<W> {
    /// Makes an empty table that asks `account` before it grows, and never beyond `limit` bytes.
    ///
    /// # Errors
    /// [`Stop::Memory`] if there is no room for the least table.
    pub(crate) fn new(account: &MemoryAccount, limit: Option<u64>) -> Result<Self, Stop> {
        let n_slots = 1 << 10;
        Ok(Self {
            chunks: Vec::new(),
            slots: vec![0; n_slots],
            n_slotted: 0,
            unused: Vec::new(),
            account: account.clone(),
            node_charge: account.nothing(),
            slot_charge: account.charge(bytes_of::<u64>(n_slots))?,
            limit: limit.unwrap_or(u64::MAX),
        })
    }

    /// Returns the number of nodes in the table.
    #[cfg(test)]
    pub(crate) const fn len(&self) -> usize {
        self.n_slotted
    }

    /// Returns a node.
    #[inline]
    pub(crate) fn node(&self, id: u32) -> &Node<W> {
        &self.chunks[id as usize / CHUNK][id as usize % CHUNK]
    }

    /// Returns how many numbers were given away, those of released nodes among them.
    pub(crate) fn n_ids(&self) -> u32 {
        let n = self.chunks.iter().map(Vec::len).sum::<usize>();
        u32::try_from(n).unwrap_or(u32::MAX)
    }

    /// Returns a node to change anything but its key.
    #[inline]
    pub(crate) fn node_mut(&mut self, id: u32) -> &mut Node<W> {
        &mut self.chunks[id as usize / CHUNK][id as usize % CHUNK]
    }

    /// Returns the number of the node with this position.
    #[inline]
    pub(crate) fn find(&self, boxes: &Bits<W>, player: u16) -> Option<u32> {
        self.probe(boxes, player, high_half(boxes.hash_with(player))).ok()
    }

    /// Adds a node unless its position is known.
    #[inline]
    pub(crate) fn insert(&mut self, node: Node<W>) -> Entry {
        let hash = high_half(node.boxes.hash_with(node.player));
        let slot = match self.probe(&node.boxes, node.player, hash) {
            Ok(id) => return Entry::Known(id),
            Err(slot) => slot,
        };
        if (self.n_slotted + 1) * 8 > self.slots.len() * 5 {
            if self.grow().is_err() {
                return Entry::Full;
            }
            return self.insert(node);
        }
        let Some(id) = self.keep(node) else { return Entry::Full };
        self.slots[slot] = u64::from(hash) << 32 | (u64::from(id) + 1);
        self.n_slotted += 1;
        Entry::New(id)
    }

    /// Adds a node that is never found; `None` if there is no room.
    pub(crate) fn keep(&mut self, node: Node<W>) -> Option<u32> {
        if let Some(id) = self.unused.pop() {
            *self.node_mut(id) = node;
            return Some(id);
        }
        if self.chunks.last().is_none_or(|chunk| chunk.len() == CHUNK) {
            let bytes = bytes_of::<Node<W>>(CHUNK) + bytes_of::<[u8; QUEUE_BYTES]>(CHUNK);
            if self.chunks.len() >= (u32::MAX as usize - 2) / CHUNK || self.held() + bytes > self.limit {
                return None;
            }
            self.node_charge.add(bytes).ok()?;
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        let n_full = self.chunks.len() - 1;
        let chunk = self.chunks.last_mut()?;
        let id = u32::try_from(n_full * CHUNK + chunk.len()).ok()?;
        chunk.push(node);
        Some(id)
    }

    /// Forgets a node that is nobody's parent and in no queue; its number will be given away again.
    pub(crate) fn release(&mut self, id: u32) {
        let node = *self.node(id);
        let mask = self.slots.len() - 1;
        let hash = high_half(node.boxes.hash_with(node.player));
        let mut hole = hash as usize & mask;
        while self.slots[hole] & 0xffff_ffff != u64::from(id) + 1 {
            if self.slots[hole] == 0 {
                return;
            }
            hole = (hole + 1) & mask;
        }
        // What follows without a gap moves up, unless it would come before its own place.
        let mut at = (hole + 1) & mask;
        while self.slots[at] != 0 {
            let home = high_half(self.slots[at]) as usize & mask;
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(hole) & mask) {
                self.slots[hole] = self.slots[at];
                hole = at;
            }
            at = (at + 1) & mask;
        }
        self.slots[hole] = 0;
        self.n_slotted -= 1;
        self.unused.push(id);
    }

    /// Returns the nodes from this one to its root.
    pub(crate) fn line(&self, id: u32) -> impl Iterator<Item = &Node<W>> {
        let mut at = id;
        std::iter::from_fn(move || {
            let node = (at != Node::<W>::ROOT).then(|| self.node(at))?;
            at = node.parent;
            Some(node)
        })
    }

    /// The node of this position, or the slot where it belongs.
    #[inline]
    fn probe(&self, boxes: &Bits<W>, player: u16, hash: u32) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(at);
            }
            if high_half(slot) == hash {
                let id = low_half(slot) - 1;
                let node = self.node(id);
                if node.boxes == *boxes && node.player == player {
                    return Ok(id);
                }
            }
            at = (at + 1) & mask;
        }
    }

    fn held(&self) -> u64 {
        self.node_charge.bytes() + self.slot_charge.bytes()
    }

    /// Doubles the slots; the old ones are given back only afterwards.
    fn grow(&mut self) -> Result<(), Stop> {
        let n_slots = self.slots.len() * 2;
        let bytes = bytes_of::<u64>(n_slots);
        if n_slots > 1 << 32 || self.held() + bytes > self.limit {
            return Err(Stop::Memory);
        }
        let charge = self.account.charge(bytes)?;
        let mut slots = written_zeros(n_slots);
        for &slot in self.slots.iter().filter(|&&slot| slot != 0) {
            let mut at = high_half(slot) as usize & (n_slots - 1);
            while slots[at] != 0 {
                at = (at + 1) & (n_slots - 1);
            }
            slots[at] = slot;
        }
        self.slots = slots;
        self.slot_charge = charge;
        Ok(())
    }
}

fn bytes_of<T>(n: usize) -> u64 {
    (size_of::<T>() * n) as u64
}

#[inline]
const fn high_half(word: u64) -> u32 {
    (word >> 32) as u32
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the lower half is what is wanted")]
const fn low_half(word: u64) -> u32 {
    word as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(n: u64, player: u16) -> Node<2> {
        Node { boxes: Bits([n, n / 7]), parent: Node::<2>::ROOT, cost: 0, player, came: 0, bound: 0, flags: 0 }
    }

    #[test]
    fn finds_what_was_put_in_and_nothing_else() {
        let account = MemoryAccount::new(1 << 26);
        let mut table = Table::new(&account, None).unwrap();
        for n in 0..50_000 {
            assert!(matches!(table.insert(node(n, 3)), Entry::New(_)));
        }
        for n in 0..50_000 {
            let Entry::Known(id) = table.insert(node(n, 3)) else { panic!("{n} was put in") };
            assert_eq!(table.node(id).boxes.0[0], n);
            assert_eq!(table.find(&node(n, 4).boxes, 4), None);
        }
        assert_eq!(table.len(), 50_000);
    }

    /// Full, it answers as before, and released nodes make room for as many others.
    #[test]
    fn a_full_table_stays_within_its_account_and_goes_on() {
        let account = MemoryAccount::new(2 << 20);
        let mut table = Table::new(&account, None).unwrap();
        let n_kept = (0..).take_while(|&n| table.insert(node(n, 0)) != Entry::Full).count() as u64;
        assert!(n_kept > 10_000 && account.used() <= account.limit());
        for n in (0..n_kept).step_by(3) {
            let id = table.find(&node(n, 0).boxes, 0).unwrap();
            table.release(id);
        }
        for n in 0..n_kept {
            assert_eq!(table.find(&node(n, 0).boxes, 0).is_some(), n % 3 != 0, "{n}");
        }
        for n in (0..n_kept).step_by(3) {
            assert!(matches!(table.insert(node(n + (1 << 40), 0)), Entry::New(_)));
        }
        assert_eq!(table.insert(node(1 << 50, 0)), Entry::Full);
        drop(table);
        assert_eq!(account.used(), 0);
    }
}
