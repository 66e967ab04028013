//! Chunks of bytes that are recycled from one search to the next.
//!
//! An allocator keeps freed memory for the thread that had allocated it, so two threads whose searches grow in turn would
//! hold nearly twice what the account says. Therefore dropped chunks return to the account, for the next request of as
//! many bytes. Spare chunks are not in use, and are freed as soon as they and the bytes in use would exceed the limit.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};

use hashbrown::HashMap;
use parking_lot::Mutex;

use super::{Charge, MemoryAccount};
use crate::Stop;

/// Bytes charged to an account.
#[derive(Debug)]
pub(crate) struct Chunk {
    bytes: Vec<u8>,
    /// `None` only while it is dropped.
    charge: Option<Charge>,
}

/// Chunks that are not in use.
#[derive(Debug, Default)]
pub(super) struct SpareChunks {
    n_bytes: AtomicU64,
    /// By their number of bytes.
    chunks: Mutex<HashMap<usize, Vec<Vec<u8>>>>,
}

impl MemoryAccount {
    /// Charges for a chunk of zeros, and returns it.
    ///
    /// # Errors
    /// [`Stop::Memory`], taking nothing, if the limit would be passed.
    pub(crate) fn chunk(&self, n_bytes: usize) -> Result<Chunk, Stop> {
        // Taken before it is charged: charging first might free the very chunk that is wanted.
        let spare = self.spare().take(n_bytes);
        let charge = self.charge(n_bytes as u64)?;
        let bytes = spare.map_or_else(
            || vec![0; n_bytes],
            |mut bytes| {
                bytes.fill(0);
                bytes
            },
        );
        Ok(Chunk { bytes, charge: Some(charge) })
    }
}

impl Deref for Chunk {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl DerefMut for Chunk {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        if let Some(charge) = self.charge.take() {
            let account = charge.account.clone();
            drop(charge);
            account.spare().keep(std::mem::take(&mut self.bytes));
            account.free_spare();
        }
    }
}

impl SpareChunks {
    /// Returns the bytes of all spare chunks.
    #[inline]
    pub(super) fn n_bytes(&self) -> u64 {
        self.n_bytes.load(Ordering::Relaxed)
    }

    fn take(&self, n_bytes: usize) -> Option<Vec<u8>> {
        if self.n_bytes() == 0 {
            return None;
        }
        let chunk = self.chunks.lock().get_mut(&n_bytes)?.pop()?;
        self.n_bytes.fetch_sub(n_bytes as u64, Ordering::Relaxed);
        Some(chunk)
    }

    fn keep(&self, chunk: Vec<u8>) {
        self.n_bytes.fetch_add(chunk.len() as u64, Ordering::Relaxed);
        self.chunks.lock().entry(chunk.len()).or_default().push(chunk);
    }

    /// Frees chunks until no more bytes than these are left.
    #[cold]
    pub(super) fn shrink(&self, most: u64) {
        let mut chunks = self.chunks.lock();
        while self.n_bytes() > most {
            let Some(chunk) = chunks.values_mut().find_map(Vec::pop) else { return };
            self.n_bytes.fetch_sub(chunk.len() as u64, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_recycled_zeroed_and_freed_when_the_bytes_are_needed() {
        let whole = MemoryAccount::new(100);
        let part = whole.part(90);
        let mut chunk = part.chunk(40).unwrap();
        let first = chunk.as_ptr();
        chunk.fill(7);
        assert!(part.chunk(60).is_err());
        drop(chunk);
        assert_eq!((whole.used(), part.used(), whole.spare().n_bytes(), whole.free()), (0, 0, 40, 100));
        let again = whole.chunk(40).unwrap();
        assert_eq!((again.as_ptr(), again.iter().max()), (first, Some(&0)), "the same, with nothing left in it");
        assert_eq!((whole.used(), whole.spare().n_bytes()), (40, 0));
        drop(again);
        let charge = whole.charge(60).unwrap();
        assert_eq!(whole.spare().n_bytes(), 40, "there is room for both");
        let more = whole.charge(1).unwrap();
        assert_eq!((whole.spare().n_bytes(), whole.used()), (0, 61));
        drop((charge, more));
        assert_eq!(whole.used(), 0);
    }
}
