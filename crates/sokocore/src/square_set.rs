//! Sets of squares as bits, for boards of any size.
//!
//! Invariant: two sets of the same board have the same number of words, so equality, order and hash are those of
//! the bits. Search engines that know their board's width pack the same bits into fixed arrays of their own.

use std::fmt;

use crate::Square;

/// A set of floor squares of one board.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SquareSet {
    words: Box<[u64]>,
}

impl SquareSet {
    /// Returns the empty set for a board with `n_squares` floor squares.
    #[must_use]
    pub fn empty(n_squares: usize) -> Self {
        Self { words: vec![0; n_squares.div_ceil(64)].into() }
    }

    /// Adds a square; returns whether it was absent.
    pub fn insert(&mut self, sq: Square) -> bool {
        let (word, bit) = Self::place(sq);
        let absent = self.words[word] & bit == 0;
        self.words[word] |= bit;
        absent
    }

    /// Takes a square out; returns whether it was present.
    pub fn remove(&mut self, sq: Square) -> bool {
        let (word, bit) = Self::place(sq);
        let present = self.words[word] & bit != 0;
        self.words[word] &= !bit;
        present
    }

    /// Returns whether the square is in the set.
    #[must_use]
    pub fn contains(&self, sq: Square) -> bool {
        let (word, bit) = Self::place(sq);
        self.words[word] & bit != 0
    }

    /// Returns the number of squares in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns whether the set has no squares.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Returns whether every square of this set is in `other`.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & !b == 0)
    }

    /// Empties the set.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Visits the squares in ascending order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Square> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Square::new(at * 64 + bit)
            })
        })
    }

    /// Returns the bits: square number `n` is bit `n % 64` of word `n / 64`.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    fn place(sq: Square) -> (usize, u64) {
        (sq.idx() / 64, 1 << (sq.idx() % 64))
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_squares_in_order_across_words() {
        let mut set = SquareSet::empty(200);
        for number in [150, 3, 64, 63] {
            assert!(set.insert(Square::new(number).unwrap()));
        }
        assert!(!set.insert(Square::new(64).unwrap()));
        assert_eq!(set.iter().map(Square::idx).collect::<Vec<_>>(), [3, 63, 64, 150]);
        assert!(set.remove(Square::new(63).unwrap()));
        assert_eq!(set.len(), 3);
        assert!(!set.contains(Square::new(63).unwrap()));
    }
}
