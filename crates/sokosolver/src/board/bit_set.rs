//! Sets of squares in a fixed number of words, held inline: what positions are made of inside the solver.
//!
//! [`sokocore::SquareSet`] has any size and lives on the heap. A search copies millions of sets, so these are as wide
//! as its board needs and no wider. The squares are live ones of a [`SearchBoard`](crate::board::SearchBoard), which come
//! first in its numbers.

use sokocore::{FloorSquare, WEYL_STEP};

/// A set of squares whose numbers are below `64 * W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BitSet<const W: usize>(pub(crate) [u64; W]);

/// A borrowed set of any width: the boxes of a position, for code that is compiled once for all widths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitView<'a>(&'a [u64]);

impl<'a> BitView<'a> {
    /// Borrows the words of a set.
    pub(crate) const fn new(words: &'a [u64]) -> Self {
        Self(words)
    }

    /// Returns the words.
    pub(crate) const fn words(self) -> &'a [u64] {
        self.0
    }

    /// Returns whether the square is in the set; false beyond its width.
    #[inline]
    pub(crate) fn has(self, sq: FloorSquare) -> bool {
        self.0.get(sq.idx() / 64).is_some_and(|word| word >> (sq.idx() % 64) & 1 != 0)
    }

    /// Visits the squares in ascending order.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a word has 64 bits")]
    pub(crate) fn iter(self) -> impl Iterator<Item = FloorSquare> + use<'a> {
        let mut words = (0u16..).step_by(64).zip(self.0);
        let (mut first, mut rest) = (0, 0u64);
        std::iter::from_fn(move || {
            while rest == 0 {
                (first, rest) = words.next().map(|(first, &word)| (first, word))?;
            }
            let n = first + rest.trailing_zeros() as u16;
            rest &= rest - 1;
            Some(FloorSquare::new(n))
        })
    }
}

impl<const W: usize> Default for BitSet<W> {
    fn default() -> Self {
        Self([0; W])
    }
}

impl<const W: usize> BitSet<W> {
    /// Borrows the set.
    #[inline]
    pub(crate) const fn view(&self) -> BitView<'_> {
        BitView(&self.0)
    }

    /// Returns whether the square is in the set; false beyond its width.
    #[inline]
    pub(crate) fn has(&self, sq: FloorSquare) -> bool {
        self.0.get(sq.idx() / 64).is_some_and(|word| word >> (sq.idx() % 64) & 1 != 0)
    }

    /// Adds a square.
    #[inline]
    pub(crate) fn insert(&mut self, sq: FloorSquare) {
        self.0[sq.idx() / 64] |= 1 << (sq.idx() % 64);
    }

    /// Removes a square.
    #[inline]
    pub(crate) fn remove(&mut self, sq: FloorSquare) {
        self.0[sq.idx() / 64] &= !(1 << (sq.idx() % 64));
    }

    /// Returns this set with `from` replaced by `to`.
    #[inline]
    pub(crate) fn moved(mut self, from: FloorSquare, to: FloorSquare) -> Self {
        self.remove(from);
        self.insert(to);
        self
    }

    /// Returns whether some square is in both sets.
    #[inline]
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Returns whether every square of this set is in `other`.
    #[inline]
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// Returns how many squares are in both sets.
    #[inline]
    pub(crate) fn n_shared(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// Returns the squares that are in both sets.
    #[inline]
    pub(crate) fn shared(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
        self
    }

    /// Returns the squares of this set that are not in `other`.
    #[inline]
    pub(crate) fn without(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
        self
    }

    /// Returns how many squares of the set are less than `sq`.
    #[inline]
    pub(crate) fn n_below(&self, sq: FloorSquare) -> usize {
        let word = sq.idx() / 64;
        let whole: usize = self.0[..word].iter().map(|word| word.count_ones() as usize).sum();
        whole + (self.0[word] & ((1 << (sq.idx() % 64)) - 1)).count_ones() as usize
    }

    /// Returns how many squares are in the set.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Visits the squares in ascending order.
    #[inline]
    pub(crate) const fn iter(self) -> BitSetIter<W> {
        BitSetIter { at: 0, rest: self.0 }
    }

    /// Returns a hash of the set; any of its bits may be used.
    #[inline]
    pub(crate) fn hash(&self) -> u64 {
        hash_words(&self.0, 0)
    }

    /// Returns a hash of the set and one more square; any of its bits may be used.
    #[inline]
    pub(crate) fn hash_with(&self, sq: FloorSquare) -> u64 {
        hash_words(&self.0, u64::from(sq.get()))
    }
}

impl<const W: usize> IntoIterator for &BitSet<W> {
    type Item = FloorSquare;
    type IntoIter = BitSetIter<W>;

    #[inline]
    fn into_iter(self) -> BitSetIter<W> {
        self.iter()
    }
}

/// The squares of a set, in ascending order.
#[derive(Clone, Debug)]
pub(crate) struct BitSetIter<const W: usize> {
    at: usize,
    /// The squares not visited.
    rest: [u64; W],
}

impl<const W: usize> Iterator for BitSetIter<W> {
    type Item = FloorSquare;

    #[inline]
    fn next(&mut self) -> Option<FloorSquare> {
        while self.at < W {
            let word = self.rest[self.at];
            if word != 0 {
                self.rest[self.at] = word & (word - 1);
                return Some(FloorSquare::from_idx(self.at * 64 + word.trailing_zeros() as usize));
            }
            self.at += 1;
        }
        None
    }
}

/// Returns a hash of words and one more number; any of its bits may be used. It takes a multiplication for each word,
/// where [`sokocore::mix64`] would take two.
#[inline]
pub(crate) fn hash_words(words: &[u64], n: u64) -> u64 {
    let mut hash = (n + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    for word in words {
        hash = (hash ^ word).wrapping_mul(WEYL_STEP);
        hash ^= hash >> 29;
    }
    hash = hash.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash ^ (hash >> 32)
}
