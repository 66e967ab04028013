//! Which windows have been searched in vain: by their content, see [`fingerprint`](crate::fingerprints::fingerprint).

use parking_lot::Mutex;
use sokosearch::MemoryAccount;

use crate::fingerprints::Fingerprints;

/// Fingerprints of windows searched to the end without a gain; threads share it.
#[derive(Debug, Default)]
pub(crate) struct SearchedWindows(Mutex<Fingerprints>);

impl SearchedWindows {
    pub(crate) fn contains(&self, window: u64) -> bool {
        self.0.lock().contains(window)
    }

    /// Remembers a window, as far as memory allows: a forgotten one is searched again.
    pub(crate) fn insert(&self, window: u64, account: &MemoryAccount) {
        self.0.lock().insert(window, account);
    }
}
