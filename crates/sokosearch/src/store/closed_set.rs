//! The closed set: one bit for each state that a search could ever reach.
//!
//! All configurations that can occur are known before the search, so a state is a plain number,
//! `config * squares + player`, and the set is a bit vector. Searches whose cost depends on the last push keep
//! several *planes* of it.

use sokocore::Square;

use crate::{Charge, ConfigId, MemoryAccount, Stop};

/// A bit for each (configuration, plane, player square).
#[derive(Debug)]
pub struct ClosedSet {
    n_squares: usize,
    n_planes: usize,
    words: Vec<u64>,
    charge: Charge,
}

impl ClosedSet {
    /// Makes the empty set.
    ///
    /// # Errors
    /// The bits do not fit into the account.
    pub fn new(n_ids: usize, n_squares: usize, n_planes: usize, account: &MemoryAccount) -> Result<Self, Stop> {
        let n_words = Self::bytes_for(n_ids, n_squares, n_planes) / 8;
        let charge = account.charge(n_words * 8)?;
        let words = vec![0; usize::try_from(n_words).map_err(|_| Stop::Memory)?];
        Ok(Self { n_squares, n_planes, words, charge })
    }

    /// Returns the bytes that a set for `n_ids` configurations takes.
    #[must_use]
    pub fn bytes_for(n_ids: usize, n_squares: usize, n_planes: usize) -> u64 {
        (n_ids as u64).saturating_mul(n_squares as u64).saturating_mul(n_planes as u64).div_ceil(64).saturating_mul(8)
    }

    /// Adds a state; returns whether it is new.
    #[inline]
    pub fn insert(&mut self, config: ConfigId, plane: usize, player: Square) -> bool {
        let state = (config.idx() * self.n_planes + plane) * self.n_squares + player.idx();
        let (word, bit) = (&mut self.words[state / 64], 1 << (state % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Returns the bytes that the set takes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.charge.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Trap 18: state numbers beyond 32 bits do not wrap into each other.
    #[test]
    fn trap_18_states_are_told_apart_beyond_32_bits() {
        let account = MemoryAccount::new(1 << 40);
        let n_squares = 600;
        let mut closed = ClosedSet::new(8_000_000, n_squares, 1, &account).unwrap();
        let player = Square::new(5).unwrap();
        let wraps = u32::try_from((1_u64 << 32) / 600).unwrap();
        assert!(closed.insert(ConfigId(0), 0, player));
        for config in [wraps, wraps + 1, 7_999_999] {
            assert!(closed.insert(ConfigId(config), 0, player), "{config}");
            assert!(!closed.insert(ConfigId(config), 0, player));
        }
        assert_eq!(account.used(), 600_000_000);
    }
}
