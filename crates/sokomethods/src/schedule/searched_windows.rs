//! The windows that were searched without a gain, by [fingerprint](crate::fingerprints::fingerprint).

use parking_lot::Mutex;
use sokosearch::MemoryAccount;

use crate::checkpoint::field::Bits;
use crate::fingerprints::WindowSet;

/// Fingerprints of windows that were searched to the end without a gain, shared by the threads.
#[derive(Debug, Default)]
pub(crate) struct SearchedWindows(Mutex<WindowSet>);

impl SearchedWindows {
    pub(crate) fn contains(&self, window: u64) -> bool {
        self.0.lock().contains(window)
    }

    /// Adds a window, if memory allows. A window that is missing is searched again.
    pub(crate) fn insert(&self, window: u64, account: &MemoryAccount) {
        self.0.lock().insert(window, account);
    }

    /// Returns at most so many windows.
    pub(crate) fn save(&self, most: usize) -> Vec<Bits> {
        self.0.lock().save(most)
    }

    /// Adds windows that were saved.
    pub(crate) fn restore(&self, saved: &[Bits], account: &MemoryAccount) {
        self.0.lock().restore(saved, account);
    }
}
