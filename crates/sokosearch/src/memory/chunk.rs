//! Chunks of bytes that are handed on from one search to the next.
//!
//! What a search gives back to the allocator is kept there for the thread that has taken it, so that two threads whose
//! searches grow in turn would hold nearly twice what the account says. Therefore chunks go to the account when they are
//! dropped, for whoever asks for as many bytes next. What waits there is not in use, and is given up as soon as it and
//! what is in use would pass the limit.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};

use hashbrown::HashMap;
use parking_lot::Mutex;

use super::{Charge, MemoryAccount};
use crate::Stop;

/// Bytes taken from an account.
#[derive(Debug)]
pub(crate) struct Chunk {
    bytes: Vec<u8>,
    /// `None` only while it is dropped.
    charge: Option<Charge>,
}

/// Chunks that nobody uses.
#[derive(Debug, Default)]
pub(super) struct Spare {
    n_bytes: AtomicU64,
    /// By how many bytes they have.
    chunks: Mutex<HashMap<usize, Vec<Vec<u8>>>>,
}

impl MemoryAccount {
    /// Takes a chunk of zeros.
    ///
    /// # Errors
    /// [`Stop::Memory`], taking nothing, if the limit would be passed.
    pub(crate) fn chunk(&self, n_bytes: usize) -> Result<Chunk, Stop> {
        // Taken before it is charged: to charge for it first might give up just the chunks that wait.
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
            account.give_up_spare();
        }
    }
}

impl Spare {
    /// Returns how many bytes wait.
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

    /// Gives up chunks until no more bytes wait than these.
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
    fn chunks_are_handed_on_empty_and_given_up_when_others_need_the_bytes() {
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
