//! What runs are at, as the pages get it.

use serde::Serialize;
use sokocore::Metrics;

use super::curve::CurvePoint;
use crate::api::metrics::MetricsJson;

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
    /// `loading`, `running`, `paused`, `stopping`, `ended` or `failed`.
    pub(super) phase: &'static str,
    /// How it has ended, in words.
    pub(super) ended: Option<String>,
    /// Why the library cannot be written; what was found is kept in memory meanwhile.
    pub(super) trouble: Option<String>,
    pub(super) objectives: Vec<String>,
    /// Without pauses, to a tenth.
    pub(super) seconds: f64,
    pub(super) limit_seconds: Option<f64>,
    pub(super) n_threads: usize,
    pub(super) memory_mib: u64,
    pub(super) n_levels: usize,
    pub(super) n_solved: usize,
    pub(super) n_newly_solved: usize,
    pub(super) n_proved: usize,
    pub(super) moves_gained: u64,
    pub(super) pushes_gained: u64,
    /// How often something became better.
    pub(super) n_gains: u64,
    pub(super) in_work: Vec<InWorkJson>,
    /// The last gains, newest first.
    pub(super) gains: Vec<GainLine>,
    pub(super) curve: Vec<CurvePoint>,
    /// The number of the best solution that is shown, which changes with it; 0 without one.
    pub(super) best_version: u64,
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

/// Something that became better.
#[derive(Clone, Debug, Serialize)]
pub(super) struct GainLine {
    /// Since the beginning of the run.
    pub(super) seconds: f64,
    pub(super) level: String,
    pub(super) id: String,
    pub(super) objective: String,
    pub(super) before: Option<MetricsJson>,
    pub(super) after: MetricsJson,
    /// The method or the strategy that found it.
    pub(super) by: String,
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

/// Rounds a time for people.
pub(super) fn tenths(seconds: f64) -> f64 {
    (seconds * 10.0).round() / 10.0
}

impl GainLine {
    /// Compares two solutions.
    pub(super) fn metrics(before: Option<Metrics>, after: Metrics) -> (Option<MetricsJson>, MetricsJson) {
        (before.map(MetricsJson::from), after.into())
    }
}
