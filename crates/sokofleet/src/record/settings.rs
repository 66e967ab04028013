//! What all members of a fleet have to agree on.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The version of the rules by which members of a fleet work together. Raised when members of two versions could harm each
/// other.
pub(crate) const PROTOCOL: u64 = 1;

/// What all members of a fleet have to agree on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SettingsRecord {
    /// The version of the rules.
    pub(crate) protocol: u64,
    /// Milliseconds without a sign of life after which a slice is given to another worker.
    pub(crate) patience_ms: u64,
}

impl SettingsRecord {
    /// Returns the time without a sign of life after which a slice is given to another worker.
    pub(crate) const fn patience(&self) -> Duration {
        Duration::from_millis(self.patience_ms)
    }
}
