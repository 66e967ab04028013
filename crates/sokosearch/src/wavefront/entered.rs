//! The exact moves to go of configurations that a search has entered not long ago.
//!
//! When a player enters a configuration, the walks from there are made at once, ahead of the layers. Until the layers
//! have come that far, another player may enter the same configuration and be sooner at some of its squares; only then
//! remainders modulo 3 are not enough.
//!
//! ```text
//!  places    ┌──┬──┬──┬──┬──┬──┬──┬──┐    a configuration and the number of its slot, plus 1, found from the low bits of
//!            └──┴──┴──┴──┴──┴──┴──┴──┘    the configuration's number on
//!  slot      base │ horizon               the least and the most moves that its offsets stand for
//!  offsets   ░░ 03 02 ░░ 01 05 04 ..      a byte for each square: moves to go less the base; 255 for what is not
//!                                         reached, or was with no more moves than the layers have by now
//! ```
//!
//! A slot is free again when the layers have come to its horizon. Whether any are is looked at when there is no other.

use crate::memory::Chunk;
use crate::{Charge, ConfigId, MemoryAccount, Stop};

/// Exact moves to go.
#[derive(Debug)]
pub(super) struct Entered {
    /// Bytes of a slot.
    stride: usize,
    places: Vec<Place>,
    /// The configuration of each slot.
    configs: Vec<ConfigId>,
    /// Slots, in chunks that never move: base and offsets lie together.
    slots: Vec<Chunk>,
    free: Vec<u32>,
    /// Of all but the slots.
    charge: Charge,
    account: MemoryAccount,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    config: ConfigId,
    slot: u32,
}

/// The slot of a configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotId(u32);

/// A slot that is written.
pub(super) struct Open<'a> {
    base: u32,
    head: &'a mut [u8; HEAD],
    offsets: &'a mut [u8],
}

/// Bytes of base and horizon.
const HEAD: usize = 8;
/// Stands for squares with nothing to come.
const PAST: u8 = u8::MAX;
/// The most moves above the base that an offset stands for.
const FARTHEST: u32 = PAST as u32 - 1;
/// Slots in a chunk, and to begin with.
const CHUNK: usize = 1 << 6;
const EMPTY: Place = Place { config: ConfigId(u32::MAX), slot: 0 };

impl Entered {
    pub(super) fn new(n_squares: usize, account: &MemoryAccount) -> Result<Self, Stop> {
        let mut entered = Self {
            stride: HEAD + n_squares,
            places: Vec::new(),
            configs: Vec::new(),
            slots: Vec::new(),
            free: Vec::new(),
            charge: account.nothing(),
            account: account.clone(),
        };
        entered.grow(CHUNK, 0)?;
        Ok(entered)
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.configs.len() * self.stride) as u64 + self.charge.bytes()
    }

    /// Returns the slot of a configuration.
    #[inline]
    pub(super) fn find(&self, config: ConfigId) -> Option<SlotId> {
        let mut at = config.idx() & (self.places.len() - 1);
        loop {
            let place = self.places[at];
            let slot = place.slot.checked_sub(1)?;
            if place.config == config {
                return Some(SlotId(slot));
            }
            at = (at + 1) & (self.places.len() - 1);
        }
    }

    /// Returns a slot for a configuration that has none. The layers have come to `now`.
    pub(super) fn insert(&mut self, config: ConfigId, now: u32) -> Result<SlotId, Stop> {
        if self.free.is_empty() {
            self.forget(now);
            let n_slots = self.configs.len();
            if self.free.len() < n_slots / 8 {
                // Without room for more, few will do.
                match self.grow((n_slots + n_slots / 4).next_multiple_of(CHUNK), now) {
                    Err(Stop::Memory) if !self.free.is_empty() => {}
                    grown => grown?,
                }
            }
        }
        let Some(slot) = self.free.pop() else { return Err(Stop::Memory) };
        self.configs[slot as usize] = config;
        self.place(slot);
        let bytes = self.bytes_mut(slot);
        bytes.fill(PAST);
        bytes[..4].copy_from_slice(&now.to_le_bytes());
        bytes[4..HEAD].copy_from_slice(&now.to_le_bytes());
        Ok(SlotId(slot))
    }

    /// Makes room in a slot for moves beyond those that it stands for now, which is `now` and more.
    pub(super) fn rebase(&mut self, slot: SlotId, now: u32) {
        let Open { base, head, offsets } = self.open(slot);
        head[..4].copy_from_slice(&now.to_le_bytes());
        for offset in offsets.iter_mut().filter(|offset| **offset != PAST) {
            let left = u32::from(*offset).checked_sub(now - base).filter(|&left| left > 0);
            *offset = left.and_then(|left| u8::try_from(left).ok()).unwrap_or(PAST);
        }
    }

    /// Notes that a square is reached with no more moves than the layers have come to.
    #[inline]
    pub(super) fn pass(&mut self, SlotId(slot): SlotId, bit: usize) {
        self.bytes_mut(slot)[HEAD + bit] = PAST;
    }

    /// Returns the moves of a square, if they were still to come when they were noted.
    #[inline]
    pub(super) fn moves(&self, SlotId(slot): SlotId, bit: usize) -> Option<u32> {
        let bytes = self.bytes_of(slot);
        let offset = bytes[HEAD + bit];
        (offset != PAST).then(|| word(bytes, 0) + u32::from(offset))
    }

    /// Opens a slot to note a walk in it.
    #[inline]
    pub(super) fn open(&mut self, SlotId(slot): SlotId) -> Open<'_> {
        let bytes = self.bytes_mut(slot);
        let base = word(bytes, 0);
        let (head, offsets) = bytes.split_first_chunk_mut().expect("invariant: every slot has a head");
        Open { base, head, offsets }
    }

    /// Frees all slots.
    pub(super) fn clear(&mut self) {
        self.places.fill(EMPTY);
        self.free.clear();
        self.free.extend(0..u32::try_from(self.configs.len()).unwrap_or(u32::MAX));
    }

    /// Frees the slots whose horizon the layers have come to.
    fn forget(&mut self, now: u32) {
        // Every slot is taken.
        self.places.fill(EMPTY);
        for slot in 0..u32::try_from(self.configs.len()).unwrap_or(u32::MAX) {
            if self.horizon(slot) <= now { self.free.push(slot) } else { self.place(slot) }
        }
    }

    /// Makes room for so many slots, whole chunks of them, when those that can be free are. Of the tables to find them,
    /// old and new ones are held at once, so both are charged.
    fn grow(&mut self, n_slots: usize, now: u32) -> Result<(), Stop> {
        let n_old = self.configs.len();
        let n_places = (n_slots + n_slots / 2).next_power_of_two();
        let of_slot = size_of::<ConfigId>() + size_of::<u32>();
        let charge = self.account.charge((n_slots * of_slot + n_places * size_of::<Place>()) as u64)?;
        let chunks = (n_old / CHUNK..n_slots / CHUNK).map(|_| self.account.chunk(CHUNK * self.stride));
        let chunks: Vec<Chunk> = chunks.collect::<Result<_, Stop>>()?;
        let narrow = |at: usize| u32::try_from(at).map_err(|_| Stop::Memory);
        let (old, new) = (0..narrow(n_old)?, narrow(n_old)?..narrow(n_slots)?);
        self.slots.extend(chunks);
        self.configs.reserve_exact(n_slots - n_old);
        self.configs.resize(n_slots, EMPTY.config);
        self.free.reserve_exact(n_slots - self.free.len());
        self.free.extend(new);
        self.places = vec![EMPTY; n_places];
        for slot in old {
            if self.horizon(slot) > now {
                self.place(slot);
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

    fn horizon(&self, slot: u32) -> u32 {
        word(self.bytes_of(slot), 4)
    }

    fn place(&mut self, slot: u32) {
        let config = self.configs[slot as usize];
        let mut at = config.idx() & (self.places.len() - 1);
        while self.places[at].slot != 0 {
            at = (at + 1) & (self.places.len() - 1);
        }
        self.places[at] = Place { config, slot: slot + 1 };
    }
}

impl Open<'_> {
    /// Returns the most moves that there is room for.
    #[inline]
    pub(super) const fn farthest(&self) -> u32 {
        self.base.saturating_add(FARTHEST)
    }

    /// Whether a square that was reached was so with more moves than this, all of them still to come.
    #[inline]
    pub(super) fn is_later(&self, bit: usize, moves: u32) -> bool {
        let offset = self.offsets[bit];
        offset != PAST && self.base + u32::from(offset) > moves
    }

    /// Notes with how many moves squares are reached, no more than there is room for, and visits them.
    #[inline]
    pub(super) fn note<const W: usize>(&mut self, squares: &[u64; W], moves: u32, mut visit: impl FnMut(usize)) {
        let offset = u8::try_from(moves - self.base).unwrap_or(PAST);
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

    /// Keeps the slot until the layers have come to so many moves: those of all squares that were noted.
    #[inline]
    pub(super) fn reach(&mut self, moves: u32) {
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
    fn only_what_is_still_to_come_can_be_later() {
        let mut entered = Entered::new(100, &MemoryAccount::new(1 << 20)).unwrap();
        let (config, other) = (ConfigId(5), ConfigId(5 + 128));
        let slot = entered.insert(config, 1_000).unwrap();
        let note = |entered: &mut Entered, slot, squares, moves| {
            let mut open = entered.open(slot);
            open.note(&[0, squares], moves, |_| ());
            open.reach(moves);
        };
        note(&mut entered, slot, 1 << 6, 1_003);
        note(&mut entered, slot, 1 << 35, 1_254);
        let its = entered.insert(other, 1_001).unwrap();
        note(&mut entered, its, 1 << 6, 1_009);
        assert_eq!(entered.open(slot).farthest(), 1_254);
        let later = |entered: &mut Entered, bit, moves| {
            let slot = entered.find(config).unwrap();
            entered.open(slot).is_later(bit, moves) && entered.moves(slot, bit) > Some(moves)
        };
        assert!(later(&mut entered, 70, 1_002) && !later(&mut entered, 70, 1_003) && !later(&mut entered, 0, 0));
        entered.rebase(slot, 1_003);
        assert!(!later(&mut entered, 70, 0), "that is past");
        assert!(later(&mut entered, 99, 1_253) && !later(&mut entered, 99, 1_254));
        assert_eq!(entered.find(other).and_then(|its| entered.moves(its, 70)), Some(1_009));
        entered.clear();
        assert!(entered.find(config).is_none() && entered.find(other).is_none());
    }

    #[test]
    fn slots_are_used_again_when_their_time_is_over_and_asked_for_otherwise() {
        let account = MemoryAccount::new(100_000);
        let mut entered = Entered::new(10, &account).unwrap();
        let held = entered.bytes();
        for number in 0..1_000 {
            let slot = entered.insert(ConfigId(number), number).unwrap();
            entered.open(slot).reach(number + 20);
            let is_kept = |past: u32| number < past || entered.find(ConfigId(number - past)).is_some();
            assert!((0..20).all(is_kept), "{number}");
        }
        assert_eq!((entered.bytes(), account.used()), (held, held));
        let stopped = (1_000..).find(|&number| {
            let slot = entered.insert(ConfigId(number), 1_000);
            slot.map(|slot| entered.open(slot).reach(1_200)).is_err()
        });
        assert!(stopped.is_some_and(|number| number > 2_000), "{stopped:?}");
        assert!(account.peak() <= 100_000 && account.used() == entered.bytes());
    }
}
