//! A vector in chunks of one size, so that growth copies nothing and holds nothing twice.
//!
//! Invariant: all chunks but the last are full.

use std::ops::{Index, IndexMut};

/// A vector in chunks.
#[derive(Debug)]
pub(crate) struct ChunkedVec<T> {
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Default for ChunkedVec<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }
}

impl<T> ChunkedVec<T> {
    /// Entries of a chunk.
    const CHUNK: usize = 256;

    /// Returns the number of entries.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Adds an entry at the end.
    pub(crate) fn push(&mut self, entry: T) {
        if self.len.is_multiple_of(Self::CHUNK) {
            self.chunks.push(Vec::with_capacity(Self::CHUNK));
        }
        if let Some(last) = self.chunks.last_mut() {
            last.push(entry);
            self.len += 1;
        }
    }

    /// Returns an entry, if there is one at this index.
    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        self.chunks.get(at / Self::CHUNK)?.get(at % Self::CHUNK)
    }

    /// Returns an entry to change it.
    pub(crate) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        self.chunks.get_mut(at / Self::CHUNK)?.get_mut(at % Self::CHUNK)
    }

    /// Returns the bytes in use once so many more entries are added.
    pub(crate) const fn bytes_with(&self, n_more: usize) -> usize {
        (self.len + n_more).div_ceil(Self::CHUNK) * (Self::CHUNK * size_of::<T>() + 2 * size_of::<Vec<T>>())
    }
}

impl<T> Index<u32> for ChunkedVec<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: u32) -> &T {
        &self.chunks[at as usize / Self::CHUNK][at as usize % Self::CHUNK]
    }
}

impl<T> IndexMut<u32> for ChunkedVec<T> {
    #[inline]
    fn index_mut(&mut self, at: u32) -> &mut T {
        &mut self.chunks[at as usize / Self::CHUNK][at as usize % Self::CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_across_chunks() {
        let mut list = ChunkedVec::default();
        assert_eq!((list.bytes_with(0), list.get(0)), (0, None));
        (0..1_000_u32).for_each(|n| list.push(3 * n));
        list[700] += 1;
        assert!((0..1_000).all(|n| list[n] == 3 * n + u32::from(n == 700)));
        assert_eq!((list.len(), list.get(999), list.get(1_000)), (1_000, Some(&2_997), None));
        assert!(list.bytes_with(0) >= 4_000 && list.bytes_with(24) == list.bytes_with(0));
        assert!(list.bytes_with(25) > list.bytes_with(0));
    }
}
