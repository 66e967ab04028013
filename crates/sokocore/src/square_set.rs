//! Sets of squares as bits, for boards of any size.
//!
//! Invariant: a set knows how many squares its board has, and no bit at or above that number is set. Two sets of the
//! same board have the same number of words, so equality, order and hash are those of the bits. Search engines that
//! know their board's width pack the same bits into fixed arrays of their own.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

use crate::Square;

/// A set of floor squares of one board.
///
/// A board makes it ([`Board::no_squares`](crate::Board::no_squares), [`Board::set_of`](crate::Board::set_of)), since
/// a square means nothing without its board. The operators `|`, `&`, `-`, `^` and `!` are those of sets; iteration is
/// in the order of the squares' numbers.
///
/// ```
/// use sokocore::Level;
///
/// let level = Level::parse("######\n#@$ .#\n######")?;
/// let (boxes, goals) = (&level.start().boxes, level.board().goals());
/// assert_eq!(format!("{:?}", boxes | goals), "{1, 3}");
/// assert_eq!((!goals).len(), 3);
///
/// let mut empty = &!boxes - goals;
/// assert!(empty.remove(level.start().player));
/// assert_eq!(empty, level.board().set_of(level.board().square_at(1, 3)));
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SquareSet {
    words: Box<[u64]>,
    n_squares: usize,
}

impl SquareSet {
    /// Returns the empty set for a board with `n_squares` floor squares.
    #[must_use]
    pub fn empty(n_squares: usize) -> Self {
        Self { words: vec![0; n_squares.div_ceil(64)].into(), n_squares }
    }

    /// Adds a square; returns whether it was absent.
    ///
    /// # Panics
    /// When the square's number is beyond the board of the set: the square is of another board.
    #[inline]
    pub fn insert(&mut self, sq: Square) -> bool {
        if sq.idx() >= self.n_squares {
            refuse(sq, self.n_squares);
        }
        let (word, bit) = Self::place(sq);
        let absent = self.words[word] & bit == 0;
        self.words[word] |= bit;
        absent
    }

    /// Removes a square; returns whether it was present.
    #[inline]
    pub fn remove(&mut self, sq: Square) -> bool {
        let (word, bit) = Self::place(sq);
        let Some(word) = self.words.get_mut(word) else { return false };
        let present = *word & bit != 0;
        *word &= !bit;
        present
    }

    /// Returns whether the square is in the set; false for a square beyond the board of the set.
    #[inline]
    #[must_use]
    pub fn contains(&self, sq: Square) -> bool {
        let (word, bit) = Self::place(sq);
        self.words.get(word).is_some_and(|word| word & bit != 0)
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
    ///
    /// # Panics
    /// When the boards of the two sets differ in size.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.check_board(other);
        self.words.iter().zip(&other.words).all(|(a, b)| a & !b == 0)
    }

    /// Returns whether no square is in both sets.
    ///
    /// # Panics
    /// When the boards of the two sets differ in size.
    #[must_use]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.check_board(other);
        self.words.iter().zip(&other.words).all(|(a, b)| a & b == 0)
    }

    /// Empties the set.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Visits the squares in ascending order of their numbers.
    #[must_use]
    pub fn iter(&self) -> Squares<'_> {
        Squares { words: &self.words, at: 0, rest: self.words.first().copied().unwrap_or(0) }
    }

    /// Returns the bits, for searches that pack sets themselves: square number `n` is bit `n % 64` of word `n / 64`.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    fn place(sq: Square) -> (usize, u64) {
        (sq.idx() / 64, 1 << (sq.idx() % 64))
    }

    #[track_caller]
    fn check_board(&self, other: &Self) {
        let (one, two) = (self.n_squares, other.n_squares);
        assert!(one == two, "the sets are of two boards: one has {one} squares, the other {two}");
    }
}

#[cold]
fn refuse(sq: Square, n_squares: usize) -> ! {
    panic!("square {sq} is of another board: this one has {n_squares} squares");
}

/// The squares of a [`SquareSet`], in ascending order of their numbers.
#[derive(Clone, Debug)]
pub struct Squares<'a> {
    words: &'a [u64],
    at: usize,
    /// Bits of the word `at` that are still to come.
    rest: u64,
}

impl Iterator for Squares<'_> {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        while self.rest == 0 {
            self.rest = *self.words.get(self.at + 1)?;
            self.at += 1;
        }
        let bit = self.rest.trailing_zeros() as usize;
        self.rest &= self.rest - 1;
        Square::new(self.at * 64 + bit)
    }
}

impl FusedIterator for Squares<'_> {}

impl<'a> IntoIterator for &'a SquareSet {
    type Item = Square;
    type IntoIter = Squares<'a>;

    fn into_iter(self) -> Squares<'a> {
        self.iter()
    }
}

impl Extend<Square> for SquareSet {
    /// Adds the squares.
    ///
    /// # Panics
    /// As [`SquareSet::insert`].
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        squares.into_iter().for_each(|sq| _ = self.insert(sq));
    }
}

/// Implements one operator and its assigning form word by word.
macro_rules! set_operator {
    ($name:ident, $method:ident, $assigning:ident, $assign_method:ident, $combine:expr, $what:literal) => {
        impl $assigning<&SquareSet> for SquareSet {
            #[doc = concat!("Keeps the squares that are ", $what, ".")]
            ///
            /// # Panics
            /// When the boards of the two sets differ in size.
            fn $assign_method(&mut self, other: &SquareSet) {
                self.check_board(other);
                let combine: fn(u64, u64) -> u64 = $combine;
                self.words.iter_mut().zip(&other.words).for_each(|(one, two)| *one = combine(*one, *two));
            }
        }

        impl $name<&SquareSet> for &SquareSet {
            type Output = SquareSet;

            #[doc = concat!("Returns the squares that are ", $what, ".")]
            ///
            /// # Panics
            /// When the boards of the two sets differ in size.
            fn $method(self, other: &SquareSet) -> SquareSet {
                let mut result = self.clone();
                $assigning::$assign_method(&mut result, other);
                result
            }
        }
    };
}

set_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |one, two| one | two, "in one of the sets or in both");
set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, |one, two| one & two, "in both sets");
set_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, |one, two| one ^ two, "in exactly one of the sets");
set_operator!(Sub, sub, SubAssign, sub_assign, |one, two| one & !two, "in the first set and not in the second");

impl Not for &SquareSet {
    type Output = SquareSet;

    /// Returns the squares of the board that are not in the set.
    fn not(self) -> SquareSet {
        let mut result = self.clone();
        result.words.iter_mut().for_each(|word| *word = !*word);
        if let Some(last) = result.words.last_mut() {
            *last &= u64::MAX >> (64 * self.words.len() - self.n_squares);
        }
        result
    }
}

impl fmt::Debug for SquareSet {
    /// Writes the numbers of the squares, as in `{1, 3}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Square::idx)).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::{Strategy, prop_assert_eq, proptest};

    fn square(number: usize) -> Square {
        Square::new(number).unwrap()
    }

    #[test]
    fn keeps_squares_in_order_across_words() {
        let mut set = SquareSet::empty(200);
        for number in [150, 3, 64, 63] {
            assert!(set.insert(square(number)));
        }
        assert!(!set.insert(square(64)));
        assert_eq!(set.iter().map(Square::idx).collect::<Vec<_>>(), [3, 63, 64, 150]);
        assert!(set.remove(square(63)));
        assert_eq!(set.len(), 3);
        assert!(!set.contains(square(63)));
        assert_eq!(format!("{set:?}"), "{3, 64, 150}");
    }

    #[test]
    fn squares_of_a_larger_board_are_not_in_the_set() {
        let mut set = SquareSet::empty(64);
        assert!(!set.contains(square(64)));
        assert!(!set.remove(square(1_000)));
        assert_eq!(SquareSet::empty(0).iter().next(), None);
    }

    #[test]
    #[should_panic(expected = "square 20 is of another board: this one has 20 squares")]
    fn squares_of_a_larger_board_are_not_inserted() {
        SquareSet::empty(20).insert(square(20));
    }

    #[test]
    #[should_panic(expected = "the sets are of two boards: one has 20 squares, the other 21")]
    fn sets_of_two_boards_are_not_combined() {
        let _ = &SquareSet::empty(20) | &SquareSet::empty(21);
    }

    fn sets(n_squares: usize) -> impl Strategy<Value = BTreeSet<usize>> {
        proptest::collection::btree_set(0..n_squares, 0..20)
    }

    fn packed(n_squares: usize, numbers: &BTreeSet<usize>) -> SquareSet {
        let mut set = SquareSet::empty(n_squares);
        set.extend(numbers.iter().map(|&number| square(number)));
        set
    }

    proptest! {
        #[test]
        fn operators_are_those_of_sets(
            (n, one, two) in (1_usize..200).prop_flat_map(|n| (n..=n, sets(n), sets(n)))
        ) {
            let (a, b) = (packed(n, &one), packed(n, &two));
            prop_assert_eq!(&a | &b, packed(n, &(&one | &two)));
            prop_assert_eq!(&a & &b, packed(n, &(&one & &two)));
            prop_assert_eq!(&a ^ &b, packed(n, &(&one ^ &two)));
            prop_assert_eq!(&a - &b, packed(n, &(&one - &two)));
            prop_assert_eq!(!&a, packed(n, &(&(0..n).collect() - &one)));
            prop_assert_eq!(a.is_subset(&b), one.is_subset(&two));
            prop_assert_eq!(a.is_disjoint(&b), one.is_disjoint(&two));
            prop_assert_eq!(a.len(), one.len());
        }
    }
}
