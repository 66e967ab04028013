//! Workers: who is there, and what they do.

use serde::{Deserialize, Serialize};

/// What a worker says of itself, every few seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WorkerRecord {
    /// The computer.
    pub(crate) host: String,
    /// The version of its program.
    pub(crate) version: String,
    pub(crate) n_threads: u64,
    /// Bytes of its searches.
    pub(crate) memory: u64,
    /// Seconds since it began.
    pub(crate) seconds: u64,
    /// Slices that it has ended.
    pub(crate) n_slices: u64,
    /// Solutions that it has found.
    pub(crate) n_finds: u64,
    /// What its threads do.
    pub(crate) doing: Vec<DoingRecord>,
}

/// A slice that a worker is in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DoingRecord {
    /// The key of the item.
    pub(crate) item: String,
    /// What a person calls the level.
    pub(crate) name: String,
    /// Seconds that the slice may take.
    pub(crate) seconds: f64,
}
