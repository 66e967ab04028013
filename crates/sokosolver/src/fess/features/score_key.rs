//! Features packed into one number: less is better, and the first feature counts most.
//!
//! ```text
//!   ScoreKey::new().then(a, 12).then(b, 6)...     │ a: 12 bits │ b: 6 bits │ ... │ least important │
//! ```
//!
//! A feature that exceeds its bits counts as the most that they hold. Invariant: the bits of a key are at most 64.

/// A list of features, the most important first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoreKey {
    key: u64,
    n_bits: u32,
}

impl ScoreKey {
    /// Begins with no feature.
    pub(crate) const fn new() -> Self {
        Self { key: 0, n_bits: 0 }
    }

    /// Adds a feature of 1 to 63 bits, better the smaller it is.
    #[inline]
    pub(crate) const fn then(self, value: u64, n_bits: u32) -> Self {
        let most = (1 << n_bits) - 1;
        let value = if value < most { value } else { most };
        let n_bits_after = self.n_bits + n_bits;
        debug_assert!(n_bits_after <= u64::BITS, "the features take more than 64 bits");
        Self { key: self.key << n_bits | value, n_bits: n_bits_after }
    }

    /// Adds a feature of 1 to 63 bits, better the larger it is.
    #[inline]
    pub(crate) const fn then_inverted(self, value: u64, n_bits: u32) -> Self {
        self.then(inverted(value, n_bits), n_bits)
    }

    /// Returns the number.
    #[inline]
    pub(crate) const fn get(self) -> u64 {
        self.key
    }
}

/// Returns so many bits for a number that is better the larger it is.
#[inline]
pub(crate) const fn inverted(much: u64, n_bits: u32) -> u64 {
    let most = (1 << n_bits) - 1;
    most - if much < most { much } else { most }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_feature_counts_most_and_none_overflows_into_another() {
        let key = |one, other, large| ScoreKey::new().then(one, 4).then(other, 10).then_inverted(large, 20).get();
        assert_eq!(key(3, 5, 0), 3 << 30 | 5 << 20 | 0xf_ffff);
        assert!(key(1, 0, 0) > key(0, 1023, 0) && key(0, 1, 9) > key(0, 0, 0));
        assert!(key(0, 0, 9) < key(0, 0, 8));
        assert_eq!(key(0, 5_000, 1 << 40), key(0, 1023, 0xf_ffff), "features are limited");
        assert_eq!(ScoreKey::new().then(1, 1).then(0, 63).get(), 1 << 63);
    }
}
