//! A vector in chunks of one size, so that growth copies nothing and holds nothing twice.
//!
//! Invariant: all chunks but the last are full.

use std::ops::{Index, IndexMut};

/// A vector whose entries never move: chunks of `CHUNK` entries each, all but the last of them full.
///
/// It does not charge its memory: a search charges [`ChunkedVec::bytes_with`], or the bytes of a chunk whenever
/// [`ChunkedVec::is_full`], before it pushes.
///
/// # Example
/// ```
/// use sokosearch::ChunkedVec;
/// let mut list: ChunkedVec<u16, 4> = ChunkedVec::default();
/// (0..6).for_each(|n| list.push(10 * n));
/// list[4] += 2;
/// assert_eq!((list.len(), list[4], list.get(6)), (6, 42, None));
/// assert_eq!(list.bytes_with(2), list.bytes_with(0), "the second chunk has room for two more");
/// ```
#[derive(Debug)]
pub struct ChunkedVec<T, const CHUNK: usize = 256> {
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T, const CHUNK: usize> Default for ChunkedVec<T, CHUNK> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }
}

impl<T, const CHUNK: usize> ChunkedVec<T, CHUNK> {
    /// Returns the number of entries.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no entries.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns whether the next entry takes a new chunk.
    #[inline]
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.len.is_multiple_of(CHUNK)
    }

    /// Adds an entry at the end.
    #[inline]
    pub fn push(&mut self, entry: T) {
        if self.is_full() {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        if let Some(last) = self.chunks.last_mut() {
            last.push(entry);
            self.len += 1;
        }
    }

    /// Returns an entry; `None` from [`ChunkedVec::len`] on.
    #[inline]
    #[must_use]
    pub fn get(&self, at: usize) -> Option<&T> {
        self.chunks.get(at / CHUNK)?.get(at % CHUNK)
    }

    /// Returns an entry to change it; `None` from [`ChunkedVec::len`] on.
    #[inline]
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        self.chunks.get_mut(at / CHUNK)?.get_mut(at % CHUNK)
    }

    /// Returns the bytes in use once so many more entries are added.
    #[must_use]
    pub const fn bytes_with(&self, n_more: usize) -> usize {
        (self.len + n_more).div_ceil(CHUNK) * (CHUNK * size_of::<T>() + 2 * size_of::<Vec<T>>())
    }
}

/// Panics from [`ChunkedVec::len`] on.
impl<T, const CHUNK: usize> Index<u32> for ChunkedVec<T, CHUNK> {
    type Output = T;

    #[inline]
    fn index(&self, at: u32) -> &T {
        &self.chunks[at as usize / CHUNK][at as usize % CHUNK]
    }
}

impl<T, const CHUNK: usize> IndexMut<u32> for ChunkedVec<T, CHUNK> {
    #[inline]
    fn index_mut(&mut self, at: u32) -> &mut T {
        &mut self.chunks[at as usize / CHUNK][at as usize % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_across_chunks() {
        let mut list: ChunkedVec<u32> = ChunkedVec::default();
        assert!(list.is_empty() && list.is_full());
        assert_eq!((list.bytes_with(0), list.get(0)), (0, None));
        (0..1_000_u32).for_each(|n| list.push(3 * n));
        list[700] += 1;
        assert!((0..1_000).all(|n| list[n] == 3 * n + u32::from(n == 700)));
        assert_eq!((list.len(), list.get(999), list.get(1_000)), (1_000, Some(&2_997), None));
        assert!(list.bytes_with(0) >= 4_000 && list.bytes_with(24) == list.bytes_with(0));
        assert!(list.bytes_with(25) > list.bytes_with(0));
        (0..24).for_each(|n| list.push(n));
        assert!(list.is_full());
    }
}
