//! A list that grows by pieces of one size, so that nothing is copied or held twice while it grows.
//!
//! Invariant: all pieces but the last are full.

use std::ops::{Index, IndexMut};

/// The list.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    pieces: Vec<Vec<T>>,
    len: usize,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { pieces: Vec::new(), len: 0 }
    }
}

impl<T> Slab<T> {
    /// Entries of a piece.
    const PIECE: usize = 256;

    /// Returns how many there are.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Adds one at the end.
    pub(crate) fn push(&mut self, entry: T) {
        if self.len.is_multiple_of(Self::PIECE) {
            self.pieces.push(Vec::with_capacity(Self::PIECE));
        }
        if let Some(last) = self.pieces.last_mut() {
            last.push(entry);
            self.len += 1;
        }
    }

    /// Returns an entry, if there is one of this number.
    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        self.pieces.get(at / Self::PIECE)?.get(at % Self::PIECE)
    }

    /// The same, to be changed.
    pub(crate) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        self.pieces.get_mut(at / Self::PIECE)?.get_mut(at % Self::PIECE)
    }

    /// Returns the bytes in use once so many more are added.
    pub(crate) const fn bytes_with(&self, n_more: usize) -> usize {
        (self.len + n_more).div_ceil(Self::PIECE) * (Self::PIECE * size_of::<T>() + 2 * size_of::<Vec<T>>())
    }
}

impl<T> Index<u32> for Slab<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: u32) -> &T {
        &self.pieces[at as usize / Self::PIECE][at as usize % Self::PIECE]
    }
}

impl<T> IndexMut<u32> for Slab<T> {
    #[inline]
    fn index_mut(&mut self, at: u32) -> &mut T {
        &mut self.pieces[at as usize / Self::PIECE][at as usize % Self::PIECE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_across_pieces() {
        let mut slab = Slab::default();
        assert_eq!((slab.bytes_with(0), slab.get(0)), (0, None));
        (0..1_000_u32).for_each(|n| slab.push(3 * n));
        slab[700] += 1;
        assert!((0..1_000).all(|n| slab[n] == 3 * n + u32::from(n == 700)));
        assert_eq!((slab.len(), slab.get(999), slab.get(1_000)), (1_000, Some(&2_997), None));
        assert!(slab.bytes_with(0) >= 4_000 && slab.bytes_with(24) == slab.bytes_with(0));
        assert!(slab.bytes_with(25) > slab.bytes_with(0));
    }
}
