//! Open addressing with the key bits inline: the number of a configuration is its slot.
//!
//! Invariant: a slot is empty exactly if its words are all zero, and every key is found by stepping from its home
//! slot to the first empty one. Numbers stay valid until the next insertion. At most 13/16 of the slots are occupied,
//! or 15/16 when memory is short.

use super::{ConfigId, ConfigStore};
use crate::{Charge, Context, MemoryAccount, Stop};

/// A growing hash set of configurations.
#[derive(Debug)]
pub struct HashStore {
    words: usize,
    n_slots: usize,
    n_configs: usize,
    slots: Vec<u64>,
    charge: Charge,
    account: MemoryAccount,
    /// Bytes to leave free for each slot when growing: for what is allocated after the store.
    reserve_per_slot: u64,
    byte_limit: u64,
}

/// The outcome of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// The configuration is new.
    New,
    /// It was in the set before.
    Known,
}

const FIRST_SLOTS: usize = 1 << 10;
/// Slots moved between two polls of the budget.
const POLL_EVERY: usize = 1 << 14;

impl HashStore {
    /// Makes an empty set of keys of `words` words. It grows up to `byte_limit` bytes of its account, counting
    /// `reserve_per_slot` bytes a slot for what the caller will allocate beside it.
    ///
    /// # Errors
    /// Not even the first slots fit.
    pub fn new(words: usize, account: &MemoryAccount, byte_limit: u64, reserve_per_slot: u64) -> Result<Self, Stop> {
        let n_slots = FIRST_SLOTS;
        let charge = account.charge(bytes_of(words, n_slots))?;
        let slots = vec![0; words * n_slots];
        let account = account.clone();
        Ok(Self { words, n_slots, n_configs: 0, slots, charge, account, reserve_per_slot, byte_limit })
    }

    /// Makes an empty set that holds `n_configs` configurations without growing.
    ///
    /// # Errors
    /// They do not fit.
    pub fn with_room(
        words: usize,
        n_configs: u64,
        account: &MemoryAccount,
        byte_limit: u64,
        reserve_per_slot: u64,
    ) -> Result<Self, Stop> {
        let n_slots = u32::try_from(n_configs / 13 * 16 + 32).map_err(|_| Stop::Memory)?;
        let n_slots = usize::try_from(n_slots).map_err(|_| Stop::Memory)?;
        let bytes = bytes_of(words, n_slots);
        if bytes.saturating_add(reserve_per_slot.saturating_mul(n_slots as u64)) > byte_limit {
            return Err(Stop::Memory);
        }
        let charge = account.charge(bytes)?;
        let (slots, account) = (vec![0; words * n_slots], account.clone());
        Ok(Self { words, n_slots, n_configs: 0, slots, charge, account, reserve_per_slot, byte_limit })
    }

    /// Adds a configuration.
    ///
    /// # Errors
    /// The set is full and cannot grow, or the run was stopped while it grew; it is unchanged then.
    pub fn insert(&mut self, key: &[u64], cx: &Context<'_>) -> Result<Inserted, Stop> {
        let slot = match self.probe(key) {
            Ok(_) => return Ok(Inserted::Known),
            Err(slot) => slot,
        };
        let slot = if self.n_configs + 1 > self.n_slots / 16 * 13 {
            match self.grow(cx) {
                Ok(()) => self.probe(key).unwrap_or_else(|slot| slot),
                Err(Stop::Memory) if self.n_configs < self.n_slots / 16 * 15 => slot,
                Err(stop) => return Err(stop),
            }
        } else {
            slot
        };
        self.slots[slot * self.words..][..self.words].copy_from_slice(key);
        self.n_configs += 1;
        Ok(Inserted::New)
    }

    /// Returns the keys without empty slots between them, how many words each has, and what they are charged with.
    pub(super) fn into_keys(mut self, cx: &Context<'_>) -> Result<(Vec<u64>, usize, Charge), Stop> {
        let mut n_keys = 0;
        for slot in 0..self.n_slots {
            if slot % POLL_EVERY == 0 {
                cx.poll()?;
            }
            let from = slot * self.words..(slot + 1) * self.words;
            if self.slots[from.clone()].iter().any(|&word| word != 0) {
                self.slots.copy_within(from, n_keys * self.words);
                n_keys += 1;
            }
        }
        self.slots.truncate(n_keys * self.words);
        Ok((self.slots, self.words, self.charge))
    }

    /// Visits all configurations in slot order.
    pub fn ids(&self) -> impl Iterator<Item = ConfigId> {
        let taken = |id: &ConfigId| self.key(*id).iter().any(|&word| word != 0);
        (0..u32::try_from(self.n_slots).expect("invariant: slots have 32-bit numbers")).map(ConfigId).filter(taken)
    }

    /// Returns the key of a configuration.
    #[inline]
    #[must_use]
    pub fn key(&self, id: ConfigId) -> &[u64] {
        &self.slots[id.idx() * self.words..][..self.words]
    }

    /// Returns the slot of a key, or the empty slot where it belongs.
    #[inline]
    fn probe(&self, key: &[u64]) -> Result<usize, usize> {
        let mut slot = home(hash(key), self.n_slots);
        loop {
            let there = &self.slots[slot * self.words..][..self.words];
            if there == key {
                return Ok(slot);
            }
            if there.iter().all(|&word| word == 0) {
                return Err(slot);
            }
            slot += 1;
            if slot == self.n_slots {
                slot = 0;
            }
        }
    }

    /// Moves all keys to a table twice as large, or larger by a quarter where memory is short.
    fn grow(&mut self, cx: &Context<'_>) -> Result<(), Stop> {
        match self.grow_to(self.n_slots * 2, cx) {
            Err(Stop::Memory) => self.grow_to(self.n_slots / 4 * 5, cx),
            done => done,
        }
    }

    fn grow_to(&mut self, n_slots: usize, cx: &Context<'_>) -> Result<(), Stop> {
        let bytes = bytes_of(self.words, n_slots);
        let whole = bytes.saturating_add(self.reserve_per_slot.saturating_mul(n_slots as u64));
        if whole > self.byte_limit || u32::try_from(n_slots).is_err() {
            return Err(Stop::Memory);
        }
        let charge = self.account.charge(bytes)?;
        let mut larger = Self {
            words: self.words,
            n_slots,
            n_configs: self.n_configs,
            slots: vec![0; self.words * n_slots],
            charge,
            account: self.account.clone(),
            reserve_per_slot: self.reserve_per_slot,
            byte_limit: self.byte_limit,
        };
        for (at, id) in self.ids().enumerate() {
            if at % POLL_EVERY == 0 {
                cx.poll()?;
            }
            let key = self.key(id);
            let slot = larger.probe(key).unwrap_or_else(|slot| slot);
            larger.slots[slot * self.words..][..self.words].copy_from_slice(key);
        }
        *self = larger;
        Ok(())
    }
}

impl ConfigStore for HashStore {
    #[inline]
    fn find(&self, key: &[u64]) -> Option<ConfigId> {
        self.probe(key).ok().and_then(|slot| u32::try_from(slot).ok()).map(ConfigId)
    }

    #[inline]
    fn read(&self, id: ConfigId, key: &mut [u64]) {
        key.copy_from_slice(self.key(id));
    }

    fn n_configs(&self) -> usize {
        self.n_configs
    }

    fn n_ids(&self) -> usize {
        self.n_slots
    }

    fn bytes(&self) -> u64 {
        self.charge.bytes()
    }
}

fn bytes_of(words: usize, n_slots: usize) -> u64 {
    (words as u64).saturating_mul(8).saturating_mul(n_slots as u64)
}

/// Returns a hash of a key, by one wide multiplication for each word, of which both halves count; the multiplier is that
/// of Steele and Vigna's generators. It is no [`sokocore::mix64`]: the order of the slots, and so of all searches through a
/// store, depends on it.
#[inline]
pub(crate) fn hash(key: &[u64]) -> u64 {
    let mix = |state: u64, word: &u64| {
        let product = u128::from(state ^ word) * u128::from(0xd134_2543_de82_ef95_u64);
        halves(product).0 ^ halves(product).1
    };
    key.iter().fold(0x9e37_79b9_7f4a_7c15, mix).wrapping_mul(0xd134_2543_de82_ef95)
}

/// Maps a hash to a slot by its high bits (Lemire, 2019: no division).
#[inline]
pub(crate) fn home(hash: u64, n_slots: usize) -> usize {
    usize::try_from(halves(u128::from(hash) * n_slots as u128).1).unwrap_or(0)
}

#[expect(clippy::cast_possible_truncation, reason = "splitting a number into its halves is the point")]
#[inline]
const fn halves(number: u128) -> (u64, u64) {
    (number as u64, (number >> 64) as u64)
}
