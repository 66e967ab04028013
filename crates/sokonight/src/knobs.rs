//! What is to be done in a night.

use std::time::{Duration, SystemTime};

use sokocore::Objective;

/// What is to be done in a night.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NightKnobs {
    /// What is improved. Default moves and pushes.
    pub objectives: Vec<Objective>,
    /// How long it lasts, without its pauses. Default until nothing is left to do.
    pub time: Option<Duration>,
    /// When it ends by the clock on the wall, which runs on while the computer sleeps. Default never.
    pub until: Option<SystemTime>,
    /// Threads. 1 and up, default 1.
    pub n_threads: usize,
    /// Bytes of all searches together. Default 1 GiB.
    pub memory: u64,
    /// Seed of random choices. Default 0.
    pub seed: u64,
    /// Whether every level gets the same time, to compare with. Default no.
    pub has_equal_slices: bool,
}

impl Default for NightKnobs {
    fn default() -> Self {
        Self {
            objectives: vec![Objective::MOVES, Objective::PUSHES],
            time: None,
            until: None,
            n_threads: 1,
            memory: 1 << 30,
            seed: 0,
            has_equal_slices: false,
        }
    }
}

impl NightKnobs {
    /// Sets [`NightKnobs::objectives`].
    #[must_use]
    pub fn with_objectives(self, objectives: impl Into<Vec<Objective>>) -> Self {
        Self { objectives: objectives.into(), ..self }
    }

    /// Sets [`NightKnobs::time`].
    #[must_use]
    pub fn with_time(self, time: impl Into<Option<Duration>>) -> Self {
        Self { time: time.into(), ..self }
    }

    /// Sets [`NightKnobs::until`].
    #[must_use]
    pub fn with_until(self, until: impl Into<Option<SystemTime>>) -> Self {
        Self { until: until.into(), ..self }
    }

    /// Sets [`NightKnobs::n_threads`].
    #[must_use]
    pub fn with_threads(self, n_threads: usize) -> Self {
        Self { n_threads: n_threads.max(1), ..self }
    }

    /// Sets [`NightKnobs::memory`].
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Self {
        Self { memory, ..self }
    }

    /// Sets [`NightKnobs::seed`].
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets [`NightKnobs::has_equal_slices`].
    #[must_use]
    pub fn with_equal_slices(self, has_equal_slices: bool) -> Self {
        Self { has_equal_slices, ..self }
    }
}
