//! The memory account: every structure that grows with a search charges it before allocating.
//!
//! Invariant: the bytes in use are the sum of all live [`Charge`]s, and never exceed the limit. A charge releases its
//! bytes when it is dropped, so a structure that owns its charge cannot leak from the account. Bytes in use in a part of
//! an account are in use in the whole as well. Spare chunks (see `chunk`) and bytes in use together do not exceed the
//! limit of the whole, except for the moment that it takes to free the chunks.

mod chunk;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) use self::chunk::Chunk;
use self::chunk::SpareChunks;
use crate::Stop;

/// An account of bytes with a limit; clones share it.
///
/// ```
/// use sokosearch::{MemoryAccount, Stop};
///
/// let account = MemoryAccount::new(1_000);
/// let charge = account.charge(800).expect("it fits");
/// assert_eq!(account.charge(300).err(), Some(Stop::Memory));
/// drop(charge);
/// assert_eq!((account.used(), account.peak()), (0, 800));
/// ```
#[derive(Clone, Debug)]
pub struct MemoryAccount(Arc<AccountState>);

#[derive(Debug)]
struct AccountState {
    limit: u64,
    used: AtomicU64,
    peak: AtomicU64,
    /// The account that this one is a part of.
    whole: Option<MemoryAccount>,
    /// Chunks to be recycled; only the whole has any.
    spare: SpareChunks,
}

/// Bytes charged to an account, released on drop.
#[derive(Debug)]
pub struct Charge {
    account: MemoryAccount,
    bytes: u64,
}

impl MemoryAccount {
    /// Opens an account of `limit` bytes.
    #[must_use]
    pub fn new(limit: u64) -> Self {
        Self::open(limit, None)
    }

    /// Returns the bytes that the searches of `n_threads` threads may take of the bytes `allowed` to a process that takes
    /// `own` bytes without them. A reserve stays unused, since allocators do not always reuse freed pieces of another
    /// size, nor those of another thread: 8 MiB, at most an eighth of the rest, and half as much again for each thread
    /// beyond the first, at most a quarter in all. At most a quarter of `allowed` counts as `own`, so that something
    /// remains.
    #[must_use]
    pub fn left_for_searches(allowed: u64, own: u64, n_threads: usize) -> u64 {
        let rest = allowed - own.min(allowed / 4);
        let of_one = (rest / 8).min(8 << 20);
        let n_others = u64::try_from(n_threads.saturating_sub(1)).unwrap_or(u64::MAX);
        rest - of_one.saturating_add((of_one / 2).saturating_mul(n_others)).min(rest / 4)
    }

    /// Opens an account within this one: at most `limit` bytes, and never more than this one has left. The parts of
    /// an account may promise more than it holds.
    #[must_use]
    pub fn part(&self, limit: u64) -> Self {
        Self::open(limit.min(self.limit()), Some(self.clone()))
    }

    fn open(limit: u64, whole: Option<Self>) -> Self {
        let (used, peak, spare) = (AtomicU64::new(0), AtomicU64::new(0), SpareChunks::default());
        Self(Arc::new(AccountState { limit, used, peak, whole, spare }))
    }

    /// Returns the limit in bytes.
    #[must_use]
    pub fn limit(&self) -> u64 {
        self.0.limit
    }

    /// Returns the bytes in use.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.0.used.load(Ordering::Relaxed)
    }

    /// Returns the bytes that can still be charged.
    #[must_use]
    pub fn free(&self) -> u64 {
        let own = self.0.limit.saturating_sub(self.used());
        self.0.whole.as_ref().map_or(own, |whole| own.min(whole.free()))
    }

    /// Returns the largest number of bytes that were ever in use at once.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.0.peak.load(Ordering::Relaxed)
    }

    /// Charges bytes to the account.
    ///
    /// # Errors
    /// [`Stop::Memory`], taking nothing, if the limit would be passed.
    pub fn charge(&self, bytes: u64) -> Result<Charge, Stop> {
        let mut charge = self.nothing();
        charge.add(bytes)?;
        Ok(charge)
    }

    /// Returns a charge of no bytes, to be added to later.
    #[must_use]
    pub fn nothing(&self) -> Charge {
        Charge { account: self.clone(), bytes: 0 }
    }

    fn take(&self, bytes: u64) -> Result<(), Stop> {
        let account = &*self.0;
        let within = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= account.limit);
        let before =
            account.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, within).map_err(|_| Stop::Memory)?;
        if let Err(stop) = account.whole.as_ref().map_or(Ok(()), |whole| whole.take(bytes)) {
            account.used.fetch_sub(bytes, Ordering::Relaxed);
            return Err(stop);
        }
        account.peak.fetch_max(before + bytes, Ordering::Relaxed);
        if account.whole.is_none() {
            self.free_spare();
        }
        Ok(())
    }

    /// The chunks to be recycled.
    fn spare(&self) -> &SpareChunks {
        self.0.whole.as_ref().map_or(&self.0.spare, Self::spare)
    }

    /// Frees spare chunks that the limit has no room for.
    #[inline]
    fn free_spare(&self) {
        if let Some(whole) = &self.0.whole {
            return whole.free_spare();
        }
        let room = self.0.limit.saturating_sub(self.used());
        if self.0.spare.n_bytes() > room {
            self.0.spare.shrink(room);
        }
    }

    fn release(&self, bytes: u64) {
        self.0.used.fetch_sub(bytes, Ordering::Relaxed);
        if let Some(whole) = &self.0.whole {
            whole.release(bytes);
        }
    }
}

impl Charge {
    /// Takes more bytes for the same structure.
    ///
    /// # Errors
    /// [`Stop::Memory`], taking nothing, if the limit would be passed.
    pub fn add(&mut self, bytes: u64) -> Result<(), Stop> {
        self.account.take(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Returns the bytes held.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.account.release(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More threads leave more unused, but never more than a quarter of what the process itself leaves, which is three
    /// quarters at least.
    #[test]
    fn something_is_left_for_any_number_of_threads() {
        let left = |allowed: u64, own: u64, n_threads| {
            MemoryAccount::left_for_searches(allowed << 20, own << 20, n_threads) >> 20
        };
        assert_eq!([left(256, 16, 1), left(256, 16, 2), left(256, 16, 3)], [232, 228, 224]);
        assert_eq!([left(64, 8, 1), left(64, 8, 2)], [49, 45]);
        assert_eq!([left(64, 500, 1), left(64, 500, usize::MAX)], [42, 36]);
        assert_eq!(left(0, 500, 2), 0);
    }

    #[test]
    fn refuses_what_passes_the_limit_and_takes_back_what_is_dropped() {
        let account = MemoryAccount::new(100);
        let mut charge = account.charge(60).unwrap();
        assert_eq!(charge.add(41), Err(Stop::Memory));
        charge.add(40).unwrap();
        assert_eq!(account.free(), 0);
        drop(charge);
        assert_eq!((account.used(), account.peak()), (0, 100));
    }

    #[test]
    fn a_part_is_bound_by_its_own_limit_and_by_the_whole() {
        let whole = MemoryAccount::new(100);
        let (one, other) = (whole.part(70), whole.part(70));
        let first = one.charge(60).unwrap();
        assert!(one.charge(11).is_err() && other.charge(41).is_err());
        assert_eq!((one.free(), other.free(), whole.used()), (10, 40, 60));
        assert_eq!(other.used(), 0, "a refused charge leaves nothing behind");
        drop(first);
        assert!(other.charge(70).is_ok());
        assert_eq!((whole.used(), one.peak(), other.peak()), (0, 60, 70));
    }
}
