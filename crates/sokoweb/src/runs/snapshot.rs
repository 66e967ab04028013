//! What runs are at, as the pages get it.

use serde::Serialize;
use sokocore::Objective;
use sokodraw::FloorPlan;
use sokolibrary::Library;

use super::account::{RunAccount, ShownLevel};
use crate::api::metrics::MetricsJson;
use crate::problem::{Problem, with_causes};

/// All runs, the newest first.
#[derive(Debug, Serialize)]
pub(super) struct RunsJson {
    pub(super) runs: Vec<RunJson>,
    /// Threads of the server.
    pub(super) n_threads: usize,
    /// Memory of the server's searches.
    pub(super) memory_mib: u64,
    /// Memory that the program occupies; null where that is not known.
    pub(super) resident_mib: Option<u64>,
}

/// A run.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RunJson {
    pub(super) id: u64,
    pub(super) kind: &'static str,
    pub(super) title: String,
    pub(super) objectives: Vec<String>,
    /// UTC.
    pub(super) begun_at: String,
    pub(super) can_continue: bool,
    /// Why the library cannot be written; what was found is kept in memory meanwhile.
    pub(super) trouble: Option<String>,
    pub(super) in_work: Vec<InWorkJson>,
    /// The number of the best solution that is shown, which changes with it; 0 without one.
    pub(super) best_version: u64,
    #[serde(flatten)]
    pub(super) account: RunAccount,
}

/// A slice in work.
#[derive(Clone, Debug, Serialize)]
pub(super) struct InWorkJson {
    pub(super) level: String,
    pub(super) id: String,
    /// `solve`, or an objective.
    pub(super) purpose: String,
    pub(super) best: Option<MetricsJson>,
    pub(super) n_threads: usize,
    /// Since when, and how long at most.
    pub(super) seconds: f64,
    pub(super) limit_seconds: f64,
}

/// The best solution that a run has found last, with all that is needed to replay it.
#[derive(Debug, Serialize)]
pub(crate) struct BestJson {
    pub(super) version: u64,
    pub(super) level: String,
    pub(super) id: String,
    pub(super) by: String,
    pub(super) metrics: MetricsJson,
    pub(super) moves: String,
    /// The rows that replays draw.
    pub(super) rows: Vec<String>,
}

impl BestJson {
    /// Reads the best solution of a level that a run has shown before the server was started anew.
    pub(super) fn of_library(library: &Library, shown: &ShownLevel, objective: Objective) -> Result<Self, Problem> {
        let missing = || Problem::missing("the level has been forgotten");
        let id = shown.id.parse().map_err(|_| missing())?;
        let stored = library.level(id)?.ok_or_else(missing)?;
        let level = stored.level().map_err(|error| Problem::fault(with_causes(&error)))?;
        let best = library.best(id, objective)?.ok_or_else(missing)?;
        Ok(Self {
            version: 1,
            level: shown.name.clone(),
            id: shown.id.clone(),
            by: shown.by.clone(),
            metrics: best.metrics.into(),
            moves: best.moves.to_string(),
            rows: FloorPlan::of(level.grid()).rows(),
        })
    }
}
