//! Where the time of a level has gone, in JSON.

use std::time::Duration;

use serde::Serialize;
use sokosolver::{Attempt, Outcome, PartTimes};

/// Where the time has gone. Times on several threads add up.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct TimesJson {
    /// Making tables, before a strategy could expand a position.
    set_up_seconds: f64,
    /// Searching, all strategies together.
    search_seconds: f64,
    /// Joining the pushes of what was found to moves, and replaying them.
    replay_seconds: f64,
    /// The quick methods that cut loops and detours.
    polish_seconds: f64,
}

/// How the search of a strategy divides its time, estimated from one expansion in 128.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PartsJson {
    /// Tests for deadlocks, and proofs of them.
    deadlock_test_seconds: f64,
    /// Lower bounds, features and scores.
    evaluation_seconds: f64,
    /// Floods, and the pushes or pulls that are possible.
    successor_seconds: f64,
    /// Tables of positions, trees and open lists.
    storage_seconds: f64,
}

impl From<&Outcome> for TimesJson {
    fn from(outcome: &Outcome) -> Self {
        let sum = |time: fn(&Attempt) -> Duration| outcome.tried.iter().map(time).sum::<Duration>().as_secs_f64();
        Self {
            set_up_seconds: sum(|attempt| attempt.set_up),
            search_seconds: sum(|attempt| attempt.elapsed.saturating_sub(attempt.set_up)),
            replay_seconds: outcome.find_times.replay.as_secs_f64(),
            polish_seconds: outcome.find_times.polish.as_secs_f64(),
        }
    }
}

impl From<PartTimes> for PartsJson {
    fn from(parts: PartTimes) -> Self {
        Self {
            deadlock_test_seconds: parts.deadlock_tests.as_secs_f64(),
            evaluation_seconds: parts.evaluation.as_secs_f64(),
            successor_seconds: parts.successors.as_secs_f64(),
            storage_seconds: parts.storage.as_secs_f64(),
        }
    }
}
