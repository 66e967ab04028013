//! The transposition table: packed nodes, and an open-addressing hash table over them.
//!
//! ```text
//!   slots  (hash: 32 bits | node number + 1: 32 bits), linear probing, at most 5/8 taken; 0 is empty
//!            │
//!            ▼
//!   chunks of nodes: box bits · parent · cost · player · push · bound · flags     (24 bytes up to 64 live squares)
//! ```
//!
//! **Invariant**: a node keeps its number until it is released, and the bytes in use never exceed what was charged.
//! When the account refuses to grow, the table is *full*: lookups still work, and new nodes take the place of released
//! ones.

use sokocore::FloorSquare;
use sokosearch::{Charge, ChunkedVec, MemoryAccount, Stop};

use crate::board::bit_set::BitSet;
use crate::store::packed_push::PackedPush;
use crate::store::zeros::written_zeros;

/// Nodes in a chunk.
const CHUNK: usize = 1 << 13;
/// Bytes for each node in the open list.
const QUEUE_BYTES: usize = 8;

/// One position of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchNode<const W: usize> {
    /// Where the boxes are.
    pub(crate) boxes: BitSet<W>,
    /// The parent node; [`SearchNode::ROOT`] if none.
    pub(crate) parent: u32,
    /// The cost from the root.
    pub(crate) cost: u32,
    /// The player's square, or the least square of the region.
    pub(crate) player: FloorSquare,
    /// The push between parent and node.
    pub(crate) packed_push: PackedPush,
    /// The best lower bound known of the pushes that are left.
    pub(crate) bound: u16,
    /// See the constants.
    pub(crate) flags: u16,
}

impl<const W: usize> SearchNode<W> {
    /// The parent of a root.
    pub(crate) const ROOT: u32 = u32::MAX;
    /// It was expanded.
    pub(crate) const CLOSED: u16 = 1;
    /// Its bound is exact: that of the matching itself.
    pub(crate) const EXACT: u16 = 2;
    /// It is an inner node of a macro, so it must not be released.
    pub(crate) const KEPT: u16 = 4;
    /// It was expanded in part; the rest of its pushes is postponed.
    pub(crate) const POSTPONED: u16 = 8;
}

/// The result of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Insertion {
    /// The node is new and has this number.
    New(u32),
    /// The position is known, by this number.
    Known(u32),
    /// There is no room.
    Full,
}

/// A table of nodes, keyed by boxes and player.
#[derive(Debug)]
pub(crate) struct TranspositionTable<const W: usize> {
    nodes: ChunkedVec<SearchNode<W>, CHUNK>,
    slots: Vec<u64>,
    n_slotted: usize,
    unused: Vec<u32>,
    account: MemoryAccount,
    node_charge: Charge,
    slot_charge: Charge,
    limit: u64,
}

impl<const W: usize> TranspositionTable<W> {
    /// Makes an empty table that charges `account` before it grows, and never grows beyond `limit` bytes.
    ///
    /// # Errors
    /// [`Stop::Memory`] if there is no room for the smallest table.
    pub(crate) fn new(account: &MemoryAccount, limit: Option<u64>) -> Result<Self, Stop> {
        let n_slots = 1 << 10;
        Ok(Self {
            nodes: ChunkedVec::default(),
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
    pub(crate) fn node(&self, id: u32) -> &SearchNode<W> {
        &self.nodes[id]
    }

    /// Returns the number of nodes ever made, released ones included: an upper bound of all node numbers.
    pub(crate) fn n_ids(&self) -> u32 {
        u32::try_from(self.nodes.len()).expect("invariant: nodes are numbered by 32 bits")
    }

    /// Returns a node to change anything but its key.
    #[inline]
    pub(crate) fn node_mut(&mut self, id: u32) -> &mut SearchNode<W> {
        &mut self.nodes[id]
    }

    /// Returns the number of the node with this position.
    #[inline]
    pub(crate) fn find(&self, boxes: &BitSet<W>, player: FloorSquare) -> Option<u32> {
        self.probe(boxes, player, high_half(boxes.hash_with(player))).ok()
    }

    /// Adds a node unless its position is known.
    #[inline]
    pub(crate) fn insert(&mut self, node: SearchNode<W>) -> Insertion {
        let hash = high_half(node.boxes.hash_with(node.player));
        let slot = match self.probe(&node.boxes, node.player, hash) {
            Ok(id) => return Insertion::Known(id),
            Err(slot) => slot,
        };
        if (self.n_slotted + 1) * 8 > self.slots.len() * 5 {
            if self.grow().is_err() {
                return Insertion::Full;
            }
            return self.insert(node);
        }
        let Some(id) = self.keep(node) else { return Insertion::Full };
        self.slots[slot] = u64::from(hash) << 32 | (u64::from(id) + 1);
        self.n_slotted += 1;
        Insertion::New(id)
    }

    /// Adds a node that lookups never find; `None` if there is no room.
    pub(crate) fn keep(&mut self, node: SearchNode<W>) -> Option<u32> {
        if let Some(id) = self.unused.pop() {
            *self.node_mut(id) = node;
            return Some(id);
        }
        if self.nodes.is_full() {
            let bytes = bytes_of::<SearchNode<W>>(CHUNK) + bytes_of::<[u8; QUEUE_BYTES]>(CHUNK);
            if self.nodes.len() / CHUNK >= (u32::MAX as usize - 2) / CHUNK || self.bytes() + bytes > self.limit {
                return None;
            }
            self.node_charge.add(bytes).ok()?;
        }
        let id = self.n_ids();
        self.nodes.push(node);
        Some(id)
    }

    /// Releases a node that has no children and is not open; its number will be used again.
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
        // Backward shift: what follows without a gap moves up, unless that is before its own home slot.
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
    pub(crate) fn path(&self, id: u32) -> impl Iterator<Item = &SearchNode<W>> {
        let mut at = id;
        std::iter::from_fn(move || {
            let node = (at != SearchNode::<W>::ROOT).then(|| self.node(at))?;
            at = node.parent;
            Some(node)
        })
    }

    /// The node of this position, or the slot for it.
    #[inline]
    fn probe(&self, boxes: &BitSet<W>, player: FloorSquare, hash: u32) -> Result<u32, usize> {
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

    fn bytes(&self) -> u64 {
        self.node_charge.bytes() + self.slot_charge.bytes()
    }

    /// Doubles the slots; both tables are held while they are copied.
    fn grow(&mut self) -> Result<(), Stop> {
        let n_slots = self.slots.len() * 2;
        let bytes = bytes_of::<u64>(n_slots);
        if n_slots as u64 > 1 << 32 || self.bytes() + bytes > self.limit {
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

    fn node(n: u64, player: u16) -> SearchNode<2> {
        SearchNode {
            boxes: BitSet([n, n / 7]),
            parent: SearchNode::<2>::ROOT,
            cost: 0,
            player: FloorSquare::new(player),
            packed_push: PackedPush::default(),
            bound: 0,
            flags: 0,
        }
    }

    #[test]
    fn finds_what_was_inserted_and_nothing_else() {
        let account = MemoryAccount::new(1 << 26);
        let mut table = TranspositionTable::new(&account, None).unwrap();
        for n in 0..50_000 {
            assert!(matches!(table.insert(node(n, 3)), Insertion::New(_)));
        }
        for n in 0..50_000 {
            let Insertion::Known(id) = table.insert(node(n, 3)) else { panic!("{n} was inserted") };
            assert_eq!(table.node(id).boxes.0[0], n);
            assert_eq!(table.find(&node(n, 4).boxes, FloorSquare::new(4)), None);
        }
        assert_eq!(table.len(), 50_000);
    }

    /// A full table still finds its nodes, and released nodes make room for as many others.
    #[test]
    fn a_full_table_stays_within_its_account_and_can_be_used() {
        let account = MemoryAccount::new(2 << 20);
        let mut table = TranspositionTable::new(&account, None).unwrap();
        let n_kept = (0..).take_while(|&n| table.insert(node(n, 0)) != Insertion::Full).count() as u64;
        assert!(n_kept > 10_000 && account.used() <= account.limit());
        for n in (0..n_kept).step_by(3) {
            let id = table.find(&node(n, 0).boxes, FloorSquare::new(0)).unwrap();
            table.release(id);
        }
        for n in 0..n_kept {
            assert_eq!(table.find(&node(n, 0).boxes, FloorSquare::new(0)).is_some(), n % 3 != 0, "{n}");
        }
        for n in (0..n_kept).step_by(3) {
            assert!(matches!(table.insert(node(n + (1 << 40), 0)), Insertion::New(_)));
        }
        assert_eq!(table.insert(node(1 << 50, 0)), Insertion::Full);
        drop(table);
        assert_eq!(account.used(), 0);
    }
}
