//! The exact moves to go of configurations that were expanded not long ago, where moves come first.
//!
//! A flood from one player runs ahead of the layers. Until the layers have caught up, another player may enter the same
//! configuration and reach some of its squares with fewer moves; only then remainders modulo 3 are not enough.
//!
//! ```text
//!  index     ┌──┬──┬──┬──┬──┬──┬──┬──┐    a configuration and the number of its slot, plus 1, found by linear probing
//!            └──┴──┴──┴──┴──┴──┴──┴──┘    from the low bits of the configuration's number
//!  slot      base │ horizon               the least and the most moves that its offsets stand for
//!  offsets   ░░ 03 02 ░░ 01 05 04 ..      a byte for each square: moves to go less the base; 255 for squares not
//!                                         reached, or settled: reached with no more moves than the current layer
//! ```
//!
//! A slot may be evicted when the layers have passed its horizon. The slots are scanned for that when none is free.

use crate::run::memory::Chunk;
use crate::{Charge, ConfigId, MemoryAccount, Stop};

/// Exact moves to go.
#[derive(Debug)]
pub(super) struct RecentDistances {
    /// Bytes of a slot.
    stride: usize,
    index: Vec<IndexSlot>,
    /// The configuration of each slot.
    configs: Vec<ConfigId>,
    /// Slots, in chunks that never move: base and offsets lie together.
    slots: Vec<Chunk>,
    free: Vec<u32>,
    /// For all but the slots.
    charge: Charge,
    account: MemoryAccount,
}

#[derive(Clone, Copy, Debug)]
struct IndexSlot {
    config: ConfigId,
    slot: u32,
}

/// The slot of a configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotId(u32);

/// A slot, opened for writing.
pub(super) struct SlotWriter<'a> {
    base: u32,
    head: &'a mut [u8; HEAD],
    offsets: &'a mut [u8],
}

/// Bytes of base and horizon.
const HEAD: usize = 8;
/// The offset of squares not reached, or settled.
const SETTLED: u8 = u8::MAX;
/// The most moves above the base that an offset stands for.
const FARTHEST: u32 = SETTLED as u32 - 1;
/// Slots in a chunk, and at first.
const CHUNK: usize = 1 << 6;
const EMPTY: IndexSlot = IndexSlot { config: ConfigId(u32::MAX), slot: 0 };

impl RecentDistances {
    pub(super) fn new(n_squares: usize, account: &MemoryAccount) -> Result<Self, Stop> {
        let mut recent = Self {
            stride: HEAD + n_squares,
            index: Vec::new(),
            configs: Vec::new(),
            slots: Vec::new(),
            free: Vec::new(),
            charge: account.nothing(),
            account: account.clone(),
        };
        recent.grow(CHUNK, 0)?;
        Ok(recent)
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.configs.len() * self.stride) as u64 + self.charge.bytes()
    }

    /// Returns the slot of a configuration.
    #[inline]
    pub(super) fn find(&self, config: ConfigId) -> Option<SlotId> {
        let mut at = config.idx() & (self.index.len() - 1);
        loop {
            let place = self.index[at];
            let slot = place.slot.checked_sub(1)?;
            if place.config == config {
                return Some(SlotId(slot));
            }
            at = (at + 1) & (self.index.len() - 1);
        }
    }

    /// Returns a slot for a configuration that has none. `now` is the current layer.
    pub(super) fn insert(&mut self, config: ConfigId, now: u32) -> Result<SlotId, Stop> {
        if self.free.is_empty() {
            self.evict_settled(now);
            let n_slots = self.configs.len();
            if self.free.len() < n_slots / 8 {
                // Without room for more, the few free ones will do.
                match self.grow((n_slots + n_slots / 4).next_multiple_of(CHUNK), now) {
                    Err(Stop::Memory) if !self.free.is_empty() => {}
                    grown => grown?,
                }
            }
        }
        let Some(slot) = self.free.pop() else { return Err(Stop::Memory) };
        self.configs[slot as usize] = config;
        self.insert_into_index(slot);
        let bytes = self.bytes_mut(slot);
        bytes.fill(SETTLED);
        bytes[..4].copy_from_slice(&now.to_le_bytes());
        bytes[4..HEAD].copy_from_slice(&now.to_le_bytes());
        Ok(SlotId(slot))
    }

    /// Moves the base of a slot to `now`, which makes room for more moves.
    pub(super) fn rebase(&mut self, slot: SlotId, now: u32) {
        let SlotWriter { base, head, offsets } = self.open(slot);
        head[..4].copy_from_slice(&now.to_le_bytes());
        for offset in offsets.iter_mut().filter(|offset| **offset != SETTLED) {
            let left = u32::from(*offset).checked_sub(now - base).filter(|&left| left > 0);
            *offset = left.and_then(|left| u8::try_from(left).ok()).unwrap_or(SETTLED);
        }
    }

    /// Marks a square as settled: reached with no more moves than the current layer.
    #[inline]
    pub(super) fn settle(&mut self, SlotId(slot): SlotId, bit: usize) {
        self.bytes_mut(slot)[HEAD + bit] = SETTLED;
    }

    /// Returns the moves to go of a square, unless it was settled when they were recorded.
    #[inline]
    pub(super) fn moves(&self, SlotId(slot): SlotId, bit: usize) -> Option<u32> {
        let bytes = self.bytes_of(slot);
        let offset = bytes[HEAD + bit];
        (offset != SETTLED).then(|| word(bytes, 0) + u32::from(offset))
    }

    /// Opens a slot to record a flood in it.
    #[inline]
    pub(super) fn open(&mut self, SlotId(slot): SlotId) -> SlotWriter<'_> {
        let bytes = self.bytes_mut(slot);
        let base = word(bytes, 0);
        let (head, offsets) = bytes.split_first_chunk_mut().expect("invariant: every slot has a head");
        SlotWriter { base, head, offsets }
    }

    /// Frees the slots whose horizon the layers have passed.
    fn evict_settled(&mut self, now: u32) {
        // No slot is free.
        self.index.fill(EMPTY);
        for slot in 0..self.n_slots() {
            if self.horizon(slot) <= now { self.free.push(slot) } else { self.insert_into_index(slot) }
        }
    }

    /// Makes room for `n_slots` slots, in whole chunks, after an eviction. The old index and the new one are held at once,
    /// so both are charged.
    fn grow(&mut self, n_slots: usize, now: u32) -> Result<(), Stop> {
        let n_old = self.configs.len();
        let n_index = (n_slots + n_slots / 2).next_power_of_two();
        let of_slot = size_of::<ConfigId>() + size_of::<u32>();
        let charge = self.account.charge((n_slots * of_slot + n_index * size_of::<IndexSlot>()) as u64)?;
        let chunks = (n_old / CHUNK..n_slots / CHUNK).map(|_| self.account.chunk(CHUNK * self.stride));
        let chunks: Vec<Chunk> = chunks.collect::<Result<_, Stop>>()?;
        let narrow = |at: usize| u32::try_from(at).map_err(|_| Stop::Memory);
        let (old, new) = (0..narrow(n_old)?, narrow(n_old)?..narrow(n_slots)?);
        self.slots.extend(chunks);
        self.configs.reserve_exact(n_slots - n_old);
        self.configs.resize(n_slots, EMPTY.config);
        self.free.reserve_exact(n_slots - self.free.len());
        self.free.extend(new);
        self.index = vec![EMPTY; n_index];
        for slot in old {
            if self.horizon(slot) > now {
                self.insert_into_index(slot);
            }
        }
        self.charge = charge;
        Ok(())
    }

    #[inline]
    fn bytes_of(&self, slot: u32) -> &[u8] {
        &self.slots[slot as usize / CHUNK][slot as usize % CHUNK * self.stride..][..self.stride]
    }

    #[inline]
    fn bytes_mut(&mut self, slot: u32) -> &mut [u8] {
        &mut self.slots[slot as usize / CHUNK][slot as usize % CHUNK * self.stride..][..self.stride]
    }

    fn n_slots(&self) -> u32 {
        u32::try_from(self.configs.len()).expect("invariant: slots have 32-bit numbers")
    }

    fn horizon(&self, slot: u32) -> u32 {
        word(self.bytes_of(slot), 4)
    }

    fn insert_into_index(&mut self, slot: u32) {
        let config = self.configs[slot as usize];
        let mut at = config.idx() & (self.index.len() - 1);
        while self.index[at].slot != 0 {
            at = (at + 1) & (self.index.len() - 1);
        }
        self.index[at] = IndexSlot { config, slot: slot + 1 };
    }
}

impl SlotWriter<'_> {
    /// Returns the most moves that there is room for.
    #[inline]
    pub(super) const fn farthest(&self) -> u32 {
        self.base.saturating_add(FARTHEST)
    }

    /// Whether a square was reached, but with more moves than this, and is not settled.
    #[inline]
    pub(super) fn is_later(&self, bit: usize, moves: u32) -> bool {
        let offset = self.offsets[bit];
        offset != SETTLED && self.base + u32::from(offset) > moves
    }

    /// Records the moves with which squares are reached, for which there must be room, and visits the squares.
    #[inline]
    pub(super) fn record<const W: usize>(&mut self, squares: &[u64; W], moves: u32, mut visit: impl FnMut(usize)) {
        let offset = u8::try_from(moves - self.base).unwrap_or(SETTLED);
        for (at, &word) in squares.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let bit = at * 64 + rest.trailing_zeros() as usize;
                self.offsets[bit] = offset;
                visit(bit);
                rest &= rest - 1;
            }
        }
    }

    /// Keeps the slot until the layers have passed this number of moves, the largest that was recorded.
    #[inline]
    pub(super) fn extend_horizon(&mut self, moves: u32) {
        let horizon = moves.max(word(self.head, 4));
        self.head[4..].copy_from_slice(&horizon.to_le_bytes());
    }
}

/// Reads four bytes.
#[inline]
fn word(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_squares_that_are_not_settled_can_be_later() {
        let mut recent = RecentDistances::new(100, &MemoryAccount::new(1 << 20)).unwrap();
        let (config, other) = (ConfigId(5), ConfigId(5 + 128));
        let slot = recent.insert(config, 1_000).unwrap();
        let record = |recent: &mut RecentDistances, slot, squares, moves| {
            let mut open = recent.open(slot);
            open.record(&[0, squares], moves, |_| ());
            open.extend_horizon(moves);
        };
        record(&mut recent, slot, 1 << 6, 1_003);
        record(&mut recent, slot, 1 << 35, 1_254);
        let its = recent.insert(other, 1_001).unwrap();
        record(&mut recent, its, 1 << 6, 1_009);
        assert_eq!(recent.open(slot).farthest(), 1_254);
        let later = |recent: &mut RecentDistances, bit, moves| {
            let slot = recent.find(config).unwrap();
            recent.open(slot).is_later(bit, moves) && recent.moves(slot, bit) > Some(moves)
        };
        assert!(later(&mut recent, 70, 1_002) && !later(&mut recent, 70, 1_003) && !later(&mut recent, 0, 0));
        recent.rebase(slot, 1_003);
        assert!(!later(&mut recent, 70, 0), "it is settled");
        assert!(later(&mut recent, 99, 1_253) && !later(&mut recent, 99, 1_254));
        assert_eq!(recent.find(other).and_then(|its| recent.moves(its, 70)), Some(1_009));
    }

    #[test]
    fn slots_are_evicted_behind_the_layers_and_charged_otherwise() {
        let account = MemoryAccount::new(100_000);
        let mut recent = RecentDistances::new(10, &account).unwrap();
        let held = recent.bytes();
        for number in 0..1_000 {
            let slot = recent.insert(ConfigId(number), number).unwrap();
            recent.open(slot).extend_horizon(number + 20);
            let is_kept = |past: u32| number < past || recent.find(ConfigId(number - past)).is_some();
            assert!((0..20).all(is_kept), "{number}");
        }
        assert_eq!((recent.bytes(), account.used()), (held, held));
        let stopped = (1_000..).find(|&number| {
            let slot = recent.insert(ConfigId(number), 1_000);
            slot.map(|slot| recent.open(slot).extend_horizon(1_200)).is_err()
        });
        assert!(stopped.is_some_and(|number| number > 2_000), "{stopped:?}");
        assert!(account.peak() <= 100_000 && account.used() == recent.bytes());
    }
}
