//! The configurations that a search has reached, each with what is known of its states.
//!
//! ```text
//!  record   ┌──────────┬──────────────────┬──────────────────┐   stored one after another in chunks that never move;
//!           │ key      │ low plane        │ high plane       │   the number of a record is the configuration's
//!           └──────────┴──────────────────┴──────────────────┘
//!            ceil(L/64)  ceil(F/64) words    ceil(F/64) words    bit p of both planes: 0 the state with the player on
//!                                                                p is not reached, else moves to go modulo 3, plus 1
//!  slot     ┌─────────────┬──────────────┐
//!           │ tag         │ number + 1   │  32 bits; as many of them for the number as the slots need, the rest are
//!           └─────────────┴──────────────┘  bits of the hash, so that hardly ever a wrong record is looked at
//! ```
//!
//! Invariant: every record but none else is found by stepping from its home slot to the first empty one; at most
//! 13/16 of the slots are taken, 15/16 when memory is short. Growing enters all records into a new table, reading them
//! in order; the records themselves never move.

use crate::store::hash::{hash, home};
use crate::{Charge, ConfigId, ConfigStore, Context, MemoryAccount, Stop};

/// Reached configurations of boards with up to `64 * W` squares.
#[derive(Debug)]
pub(crate) struct Reached<const W: usize> {
    key_words: usize,
    /// Words in a record.
    stride: usize,
    /// A chunk holds 2^this records.
    chunk_bits: u32,
    chunks: Vec<Vec<u64>>,
    n_configs: usize,
    slots: Vec<u32>,
    /// Bits of a slot that number the record.
    id_bits: u32,
    slots_charge: Charge,
    charge: Charge,
    account: MemoryAccount,
}

/// Where a missing configuration belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vacancy {
    pub(crate) hash: u64,
    slot: usize,
}

const FIRST_SLOTS: usize = 1 << 10;
const CHUNK_BYTES: usize = 1 << 16;
/// Number of records entered anew between two looks at the budget.
const POLL_EVERY: usize = 1 << 14;

impl<const W: usize> Reached<W> {
    /// Makes an empty set of keys of `key_words` words.
    pub(crate) fn new(key_words: usize, account: &MemoryAccount) -> Result<Self, Stop> {
        let stride = key_words + 2 * W;
        let slots_charge = account.charge(4 * FIRST_SLOTS as u64)?;
        Ok(Self {
            key_words,
            stride,
            chunk_bits: (CHUNK_BYTES / 8 / stride).max(1).ilog2(),
            chunks: Vec::new(),
            n_configs: 0,
            slots: vec![0; FIRST_SLOTS],
            id_bits: id_bits(FIRST_SLOTS),
            slots_charge,
            charge: account.nothing(),
            account: account.clone(),
        })
    }

    /// Returns the number of a configuration, or where it belongs.
    #[inline]
    pub(crate) fn look_up(&self, key: &[u64]) -> Result<ConfigId, Vacancy> {
        let hash = hash(key);
        let tag = tag(hash, self.id_bits);
        let mut slot = home(hash, self.slots.len());
        loop {
            let there = self.slots[slot];
            if there == 0 {
                return Err(Vacancy { hash, slot });
            }
            if (there ^ tag) >> self.id_bits == 0 {
                let id = ConfigId((there & ((1 << self.id_bits) - 1)) - 1);
                if self.key(id).iter().zip(key).all(|(one, other)| one == other) {
                    return Ok(id);
                }
            }
            slot += 1;
            if slot == self.slots.len() {
                slot = 0;
            }
        }
    }

    /// Adds a configuration that is missing.
    ///
    /// # Errors
    /// There is no room for it, or the run was stopped; the set is unchanged then.
    pub(crate) fn insert(&mut self, key: &[u64], vacancy: Vacancy, cx: &Context<'_>) -> Result<ConfigId, Stop> {
        let Vacancy { hash, mut slot } = vacancy;
        if self.n_configs + 1 > self.slots.len() / 16 * 13 {
            match self.grow(cx) {
                Ok(()) => slot = self.look_up(key).map_or_else(|vacancy| vacancy.slot, |_| slot),
                Err(Stop::Memory) if self.n_configs < self.slots.len() / 16 * 15 => {}
                Err(stop) => return Err(stop),
            }
        }
        if self.n_configs == self.chunks.len() << self.chunk_bits {
            let n_words = self.stride << self.chunk_bits;
            self.charge.add(8 * n_words as u64)?;
            self.chunks.push(Vec::with_capacity(n_words));
        }
        let id = u32::try_from(self.n_configs).map_err(|_| Stop::Memory)?;
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.extend_from_slice(key);
            chunk.extend_from_slice(&[0; W]);
            chunk.extend_from_slice(&[0; W]);
        }
        self.n_configs += 1;
        self.slots[slot] = tag(hash, self.id_bits) | (id + 1);
        Ok(ConfigId(id))
    }

    /// Enters all records into a larger table. Stopped on the way, the old one stays.
    fn grow(&mut self, cx: &Context<'_>) -> Result<(), Stop> {
        let n_old = self.slots.len();
        let n_slots = if n_old < 1 << 16 { 2 * n_old } else { n_old / 2 * 3 };
        let id_bits = id_bits(n_slots);
        if id_bits > 31 {
            return Err(Stop::Memory);
        }
        let charge = self.account.charge(4 * n_slots as u64)?;
        let mut slots = vec![0; n_slots];
        for (number, key) in self.keys().enumerate() {
            if number % POLL_EVERY == 0 {
                cx.poll()?;
            }
            let hash = hash(key);
            let mut slot = home(hash, n_slots);
            while slots[slot] != 0 {
                slot = if slot + 1 == n_slots { 0 } else { slot + 1 };
            }
            slots[slot] = tag(hash, id_bits) | u32::try_from(number + 1).map_err(|_| Stop::Memory)?;
        }
        (self.slots, self.slots_charge, self.id_bits) = (slots, charge, id_bits);
        Ok(())
    }

    /// All keys in the order of their numbers.
    fn keys(&self) -> impl Iterator<Item = &[u64]> {
        self.chunks.iter().flat_map(|chunk| chunk.chunks_exact(self.stride)).map(|record| &record[..self.key_words])
    }

    #[inline]
    fn record(&self, id: ConfigId) -> &[u64] {
        let at = (id.idx() & ((1 << self.chunk_bits) - 1)) * self.stride;
        &self.chunks[id.idx() >> self.chunk_bits][at..at + self.stride]
    }

    #[inline]
    fn record_mut(&mut self, id: ConfigId) -> &mut [u64] {
        let at = (id.idx() & ((1 << self.chunk_bits) - 1)) * self.stride;
        &mut self.chunks[id.idx() >> self.chunk_bits][at..at + self.stride]
    }

    #[inline]
    pub(crate) fn key(&self, id: ConfigId) -> &[u64] {
        &self.record(id)[..self.key_words]
    }

    /// Returns the squares of the boxes.
    #[inline]
    pub(crate) fn boxes(&self, id: ConfigId) -> [u64; W] {
        let key = self.key(id);
        std::array::from_fn(|at| if at < self.key_words { key[at] } else { 0 })
    }

    /// Lets players walk to the free squares of `around`: notes the moves to go from those states that are new.
    /// Returns the boxes, and the players in the new states.
    #[inline]
    pub(crate) fn walk(&mut self, id: ConfigId, around: &[u64; W], moves: u32) -> ([u64; W], [u64; W]) {
        let key_words = self.key_words;
        let (key, planes) = self.record_mut(id).split_at_mut(key_words);
        let boxes: [u64; W] = std::array::from_fn(|at| key.get(at).copied().unwrap_or(0));
        let free = std::array::from_fn(|at| around[at] & !boxes[at]);
        (boxes, mark(planes, free, moves))
    }

    /// Notes the moves to go from the states with the player on one of `players` that are new; returns those.
    #[inline]
    pub(crate) fn visit(&mut self, id: ConfigId, players: [u64; W], moves: u32) -> [u64; W] {
        let key_words = self.key_words;
        mark(&mut self.record_mut(id)[key_words..], players, moves)
    }

    /// Whether the state with the player on this bit was reached.
    #[inline]
    pub(crate) fn is_visited(&self, id: ConfigId, player: usize) -> bool {
        let planes = &self.record(id)[self.key_words..];
        (planes[player / 64] | planes[W + player / 64]) >> (player % 64) & 1 != 0
    }

    /// Returns the moves to go, modulo 3 and plus 1, from the state with the player on this bit; 0 if not reached.
    pub(crate) fn code(&self, id: ConfigId, player: usize) -> u64 {
        let planes = &self.record(id)[self.key_words..];
        let bit = |word: u64| word >> (player % 64) & 1;
        bit(planes[player / 64]) | bit(planes[W + player / 64]) << 1
    }

    /// Whether the state with the player on this bit was reached and may have so many moves to go.
    pub(crate) fn may_have(&self, id: ConfigId, player: usize, moves: u32) -> bool {
        self.code(id, player) == u64::from(moves % 3 + 1)
    }
}

/// Marks those of `players` that are not marked yet; returns those.
#[inline]
fn mark<const W: usize>(planes: &mut [u64], players: [u64; W], moves: u32) -> [u64; W] {
    let (low, high) = planes.split_at_mut(W);
    let code = moves % 3 + 1;
    let (low_mask, high_mask) = (0_u64.wrapping_sub(u64::from(code & 1)), 0_u64.wrapping_sub(u64::from(code >> 1)));
    std::array::from_fn(|at| {
        let new = players[at] & !(low[at] | high[at]);
        low[at] |= new & low_mask;
        high[at] |= new & high_mask;
        new
    })
}

/// The bits of a hash that a slot keeps beside a number of `id_bits` bits.
#[expect(clippy::cast_possible_truncation, reason = "the low bits are what is asked for")]
#[inline]
const fn tag(hash: u64, id_bits: u32) -> u32 {
    (hash as u32) >> id_bits << id_bits
}

/// Bits for numbers from 1 to `n_slots`.
const fn id_bits(n_slots: usize) -> u32 {
    usize::BITS - n_slots.leading_zeros()
}

impl<const W: usize> ConfigStore for Reached<W> {
    fn find(&self, key: &[u64]) -> Option<ConfigId> {
        self.look_up(key).ok()
    }

    fn read(&self, id: ConfigId, key: &mut [u64]) {
        key.copy_from_slice(self.key(id));
    }

    fn n_configs(&self) -> usize {
        self.n_configs
    }

    fn n_ids(&self) -> usize {
        self.n_configs
    }

    fn bytes(&self) -> u64 {
        self.charge.bytes() + self.slots_charge.bytes()
    }
}
