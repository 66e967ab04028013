//! The configurations that a search has reached, each with the distances of its states modulo 3.
//!
//! ```text
//!  record   ┌──────────┬──────────────────┬──────────────────┬───────┐   stored one after another in chunks that never
//!           │ key      │ low plane        │ high plane       │ first │   move; its number is the configuration's
//!           └──────────┴──────────────────┴──────────────────┴───────┘   (see `records`)
//!            ceil(L/8)   ceil(F/8) bytes    ceil(F/8) bytes    2         bit p of both planes: 0 the state with the
//!                                                                        player on p is not reached, else moves to go
//!                                                                        modulo 3, plus 1; first: moves to go of the
//!                                                                        first state that was reached, modulo 2^16
//!  slot     ┌─────────────┬──────────────┐
//!           │ tag         │ number + 1   │  32 bits; as many of them for the number as the slots need; the rest are
//!           └─────────────┴──────────────┘  bits of the hash, so that a wrong record is hardly ever read
//! ```
//!
//! Invariant: linear probing from a key's home slot to the first empty slot finds its record, if there is one; at most
//! 13/16 of the slots are occupied, 15/16 when memory is short. Growing inserts all records into a new table, in order;
//! the records themselves never move.

mod records;

use self::records::{CodePlanes, Records};
use crate::store::hash_store::{hash, home};
use crate::{Charge, ConfigId, ConfigStore, Context, MemoryAccount, Stop};

/// Configurations that were reached, with keys of up to `K` words, on boards of up to `64 * W` squares.
#[derive(Debug)]
pub(crate) struct ReachedTable<const K: usize, const W: usize> {
    records: Records<K, W>,
    slots: Vec<u32>,
    /// Bits of a slot that number the record.
    id_bits: u32,
    slots_charge: Charge,
    account: MemoryAccount,
}

/// The slot where a missing configuration belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vacancy {
    hash: u64,
    slot: usize,
    n_slots: usize,
}

const FIRST_SLOTS: usize = 1 << 10;
/// Slots up to which a table doubles; beyond, memory counts for more than the work of growing, and it grows by a quarter.
const MOST_DOUBLED_SLOTS: usize = 1 << 19;
/// Records reinserted between two polls of the budget.
const POLL_EVERY: usize = 1 << 14;

impl<const K: usize, const W: usize> ReachedTable<K, W> {
    /// Makes an empty table for a board with these numbers of live squares and squares.
    pub(crate) fn new(n_live: usize, n_squares: usize, account: &MemoryAccount) -> Result<Self, Stop> {
        Ok(Self {
            records: Records::new(n_live, n_squares, account),
            slots: vec![0; FIRST_SLOTS],
            id_bits: id_bits(FIRST_SLOTS),
            slots_charge: account.charge(4 * FIRST_SLOTS as u64)?,
            account: account.clone(),
        })
    }

    /// Returns the hash of a key, for [`ReachedTable::peek`] and [`ReachedTable::look_up`].
    #[inline]
    pub(crate) fn hash(key: &[u64; K]) -> u64 {
        hash(key)
    }

    /// Reads the first slot that a look-up will read: a prefetch. The latencies of a few in a row overlap.
    #[inline]
    pub(crate) fn peek(&self, hash: u64) -> u32 {
        self.slots[home(hash, self.slots.len())]
    }

    /// Reads the beginning of a record that will be read soon: a prefetch.
    #[inline]
    pub(crate) fn peek_record(&self, id: ConfigId) -> u64 {
        self.records.peek(id)
    }

    /// Returns the number of a configuration, or the slot where it belongs.
    #[inline]
    pub(crate) fn look_up(&self, key: &[u64; K], hash: u64) -> Result<ConfigId, Vacancy> {
        let tag = tag(hash, self.id_bits);
        let slots = self.slots.as_slice();
        let mut slot = home(hash, slots.len());
        // There is always an empty slot, so the loop ends.
        loop {
            let there = slots[slot];
            if there == 0 {
                return Err(Vacancy { hash, slot, n_slots: slots.len() });
            }
            if (there ^ tag) >> self.id_bits == 0 {
                let id = ConfigId((there & ((1 << self.id_bits) - 1)) - 1);
                if self.records.has_key(id, key) {
                    return Ok(id);
                }
            }
            slot += 1;
            if slot == slots.len() {
                slot = 0;
            }
        }
    }

    /// Looks up a missing configuration again, after others may have been inserted.
    #[inline]
    pub(crate) fn look_again(&self, key: &[u64; K], vacancy: Vacancy) -> Result<ConfigId, Vacancy> {
        // An insertion takes the first empty slot of its probe sequence: while this slot is empty, the key is missing.
        let is_vacant = vacancy.n_slots == self.slots.len() && self.slots[vacancy.slot] == 0;
        if is_vacant { Err(vacancy) } else { self.look_up(key, vacancy.hash) }
    }

    /// Inserts a configuration that is missing.
    ///
    /// # Errors
    /// There is no room for it, or the run was stopped; the set is unchanged then.
    pub(crate) fn insert(&mut self, key: &[u64; K], vacancy: Vacancy, cx: &Context<'_>) -> Result<ConfigId, Stop> {
        let Vacancy { hash, mut slot, .. } = vacancy;
        let n_configs = self.records.len();
        if n_configs + 1 > self.slots.len() / 16 * 13 {
            match self.grow(cx) {
                Ok(()) => slot = self.look_up(key, hash).map_or_else(|vacancy| vacancy.slot, |_| slot),
                Err(Stop::Memory) if n_configs < self.slots.len() / 16 * 15 => {}
                Err(stop) => return Err(stop),
            }
        }
        let id = self.records.push(key)?;
        self.slots[slot] = tag(hash, self.id_bits) | (id.0 + 1);
        Ok(id)
    }

    /// Inserts all records into a larger table. If stopped, the old one stays.
    fn grow(&mut self, cx: &Context<'_>) -> Result<(), Stop> {
        let n_old = self.slots.len();
        let n_slots = if n_old < MOST_DOUBLED_SLOTS { 2 * n_old } else { n_old / 4 * 5 };
        let id_bits = id_bits(n_slots);
        if id_bits > 31 {
            return Err(Stop::Memory);
        }
        let charge = self.account.charge(4 * n_slots as u64)?;
        let mut slots = vec![0; n_slots];
        for number in 0..u32::try_from(self.records.len()).map_err(|_| Stop::Memory)? {
            if (number as usize).is_multiple_of(POLL_EVERY) {
                cx.poll()?;
            }
            let hash = hash(&self.records.key(ConfigId(number)));
            let mut slot = home(hash, n_slots);
            while slots[slot] != 0 {
                slot = if slot + 1 == n_slots { 0 } else { slot + 1 };
            }
            slots[slot] = tag(hash, id_bits) | (number + 1);
        }
        (self.slots, self.slots_charge, self.id_bits) = (slots, charge, id_bits);
        Ok(())
    }

    /// Returns the key of a configuration.
    #[inline]
    pub(crate) fn key(&self, id: ConfigId) -> [u64; K] {
        self.records.key(id)
    }

    /// Returns the players of the states that were reached.
    #[inline]
    pub(crate) fn players(&self, id: ConfigId) -> [u64; W] {
        self.records.marked(id)
    }

    /// Records the moves to go from the states with the player on one of these bits, by their remainders modulo 3.
    #[inline]
    pub(crate) fn record(&mut self, id: ConfigId, players: &[[u64; W]; 3]) {
        self.records.mark(id, players);
    }

    /// Records the moves to go from the first state of a configuration that is reached.
    pub(crate) fn record_first(&mut self, id: ConfigId, moves: u32) {
        self.records.set_first(id, moves);
    }

    /// Returns the moves to go from the first state of a configuration that was reached, modulo 2^16.
    pub(crate) fn first_moves(&self, id: ConfigId) -> u16 {
        self.records.first(id)
    }

    /// Whether the state with the player on this bit was reached.
    #[inline]
    pub(crate) fn is_visited(&self, id: ConfigId, player: usize) -> bool {
        self.code(id, player) != 0
    }

    /// Returns the moves to go, modulo 3 and plus 1, from the state with the player on this bit; 0 if not reached.
    #[inline]
    pub(crate) fn code(&self, id: ConfigId, player: usize) -> u64 {
        self.records.code(id, player)
    }

    /// Returns the codes of all states of a configuration.
    pub(crate) fn codes(&self, id: ConfigId) -> CodePlanes<W> {
        self.records.codes(id)
    }

    /// Whether the state with the player on this bit was reached and may have these moves to go.
    pub(crate) fn may_have(&self, id: ConfigId, player: usize, moves: u32) -> bool {
        self.code(id, player) == u64::from(moves % 3 + 1)
    }
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

impl<const K: usize, const W: usize> ConfigStore for ReachedTable<K, W> {
    fn find(&self, key: &[u64]) -> Option<ConfigId> {
        let key = std::array::from_fn(|at| key.get(at).copied().unwrap_or(0));
        self.look_up(&key, hash(&key)).ok()
    }

    fn read(&self, id: ConfigId, key: &mut [u64]) {
        key.iter_mut().zip(self.key(id)).for_each(|(to, word)| *to = word);
    }

    fn n_configs(&self) -> usize {
        self.records.len()
    }

    fn n_ids(&self) -> usize {
        self.records.len()
    }

    fn bytes(&self) -> u64 {
        self.records.bytes() + self.slots_charge.bytes()
    }
}
