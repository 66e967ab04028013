//! Items: what slices of a level and purpose have gained, and which message deals out the next one.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sokocore::Objective;
use sokonight::ItemHistory;

/// What stands about an item on the server.
///
/// Invariant: a message deals out a slice if, and only if, its number in the stream is the one that stands here. So a
/// slice that was dealt out twice by accident is not begun twice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ItemRecord {
    /// The number of the next slice, from 0.
    pub(crate) slice: u64,
    /// The number of the message that deals it out.
    pub(crate) message: u64,
    pub(crate) state: ItemStatus,
    /// Slices that it has had.
    pub(crate) n_slices: u64,
    pub(crate) gained: f64,
    pub(crate) exposure: f64,
    /// Seconds of threads.
    pub(crate) spent: f64,
    pub(crate) is_short_of_memory: bool,
    /// Seconds of the server's clock after which no slice begins; `None` without an end.
    pub(crate) until: Option<i64>,
    /// Seconds that were asked for: what makes [`ItemRecord::until`].
    pub(crate) wished: Option<u64>,
    /// Objectives that the level is to be improved by, once it is solved.
    pub(crate) objectives: Vec<String>,
    /// How the last slice ended.
    pub(crate) ended: String,
    /// The worker of the last slice.
    pub(crate) by: String,
}

/// Whether an item gets slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ItemStatus {
    /// It waits for its next slice, or is in one.
    Open,
    /// More time cannot help.
    Settled,
    /// The time that was asked for is over.
    TimeOver,
}

impl ItemRecord {
    /// Makes the record of an item that has had no slice.
    pub(crate) fn new(objectives: &[Objective]) -> Self {
        Self {
            slice: 0,
            message: 0,
            state: ItemStatus::Open,
            n_slices: 0,
            gained: 0.0,
            exposure: 0.0,
            spent: 0.0,
            is_short_of_memory: false,
            until: None,
            wished: None,
            objectives: objectives.iter().map(ToString::to_string).collect(),
            ended: String::new(),
            by: String::new(),
        }
    }

    /// Returns the record of another item of its level, with the same wishes.
    pub(crate) fn of_next_item(&self) -> Self {
        Self { until: self.until, wished: self.wished, objectives: self.objectives.clone(), ..Self::new(&[]) }
    }

    /// Returns the objectives that can be read.
    pub(crate) fn objectives(&self) -> Vec<Objective> {
        self.objectives.iter().filter_map(|objective| objective.parse().ok()).collect()
    }

    /// Returns it as one that gets no more slices.
    pub(crate) fn settled(self, ended: &str, by: &str) -> Self {
        Self { state: ItemStatus::Settled, ended: ended.to_owned(), by: by.to_owned(), ..self }
    }

    /// Returns what its slices have gained.
    pub(crate) const fn history(&self) -> ItemHistory {
        ItemHistory {
            gained: self.gained,
            exposure: self.exposure,
            spent: self.spent,
            is_short_of_memory: self.is_short_of_memory,
        }
    }

    /// Sets what its slices have gained.
    pub(crate) const fn with_history(mut self, history: &ItemHistory) -> Self {
        (self.gained, self.exposure, self.spent) = (history.gained, history.exposure, history.spent);
        self.is_short_of_memory = history.is_short_of_memory;
        self
    }

    /// Returns what is left of the time that was asked for, at a second of the server's clock.
    pub(crate) fn left(&self, now: i64) -> Duration {
        self.until
            .map_or(Duration::MAX, |until| Duration::from_secs(u64::try_from(until.saturating_sub(now)).unwrap_or(0)))
    }
}

/// A message that deals out a slice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DealRecord {
    /// The key of the item.
    pub(crate) item: String,
    /// The number of the slice.
    pub(crate) slice: u64,
}
