//! What a run has come to: what pages show, and what the library keeps so that the run is found again.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use sokocore::Metrics;

use super::curve::Curve;
use crate::api::metrics::MetricsJson;

/// Gains that are shown.
const N_GAINS: usize = 12;

/// What a run has come to. The parts of a run that was continued count together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct RunAccount {
    pub(super) phase: RunPhase,
    /// How it has ended, in words.
    pub(super) ended: Option<String>,
    /// Whether nothing is left to try, so that there is nothing to continue.
    pub(super) is_done: bool,
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
    /// The last gains, newest first.
    pub(super) gains: VecDeque<GainLine>,
    pub(super) curve: Curve,
    /// The level whose best solution is shown.
    pub(super) shown: Option<ShownLevel>,
}

/// Where a run is on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RunPhase {
    #[default]
    Loading,
    Running,
    Paused,
    Stopping,
    Ended,
    Failed,
    /// The server ended before it.
    CutOff,
}

/// Something that became better.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

/// A level whose solution is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ShownLevel {
    pub(super) id: String,
    pub(super) name: String,
    /// What has found the solution.
    pub(super) by: String,
}

impl RunPhase {
    /// Whether a server works on the run.
    pub(super) const fn is_active(self) -> bool {
        matches!(self, Self::Loading | Self::Running | Self::Paused | Self::Stopping)
    }
}

impl GainLine {
    /// Compares two solutions.
    pub(super) fn metrics(before: Option<Metrics>, after: Metrics) -> (Option<MetricsJson>, MetricsJson) {
        (before.map(MetricsJson::from), after.into())
    }
}

impl RunAccount {
    /// Reads what a library has kept of a run. A run that was in progress then was cut off.
    pub(super) fn of_stored(text: &str) -> Result<Self, serde_json::Error> {
        let mut account: Self = serde_json::from_str(text)?;
        account.gains.truncate(N_GAINS);
        account.curve.shorten();
        if account.phase.is_active() {
            (account.phase, account.ended) = (RunPhase::CutOff, Some("cut off when the server ended".to_owned()));
        }
        Ok(account)
    }

    /// The same run, to be continued for a time.
    pub(super) fn continued(&self, seconds: Option<f64>, n_threads: usize, memory_mib: u64) -> Self {
        Self {
            phase: RunPhase::Loading,
            ended: None,
            limit_seconds: seconds.map(|seconds| self.seconds + seconds),
            n_threads,
            memory_mib,
            ..self.clone()
        }
    }

    /// Takes a gain in.
    pub(super) fn add_gain(&mut self, gain: GainLine) {
        self.n_gains += 1;
        self.gains.push_front(gain);
        self.gains.truncate(N_GAINS);
    }

    /// Returns whether it can be continued.
    pub(super) const fn can_continue(&self) -> bool {
        !self.phase.is_active() && !self.is_done
    }
}

/// Rounds a time for people.
pub(super) fn tenths(seconds: f64) -> f64 {
    (seconds * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, phase: RunPhase, can_continue: bool) {
        let account = RunAccount::of_stored(text).unwrap();
        assert_eq!((account.phase, account.can_continue()), (phase, can_continue), "{text}");
    }

    #[test]
    fn a_run_that_was_in_progress_was_cut_off() {
        check("{}", RunPhase::CutOff, true);
        check(r#"{"phase": "paused", "seconds": 3}"#, RunPhase::CutOff, true);
        check(r#"{"phase": "ended"}"#, RunPhase::Ended, true);
        check(r#"{"phase": "ended", "is_done": true, "of_a_later_version": 7}"#, RunPhase::Ended, false);
        check(r#"{"phase": "failed"}"#, RunPhase::Failed, true);
        assert!(RunAccount::of_stored("nothing").is_err());
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let after = Metrics { moves: 7, pushes: 3, ..Metrics::default() };
        let (before, after) = GainLine::metrics(None, after);
        let mut account = RunAccount { phase: RunPhase::Ended, limit_seconds: Some(10.0), ..RunAccount::default() };
        for at in 0..30 {
            let [level, id, objective, by] = ["a", "b", "moves", "c"].map(str::to_owned);
            account.add_gain(GainLine { seconds: f64::from(at), level, id, objective, before, after, by });
        }
        assert_eq!((account.n_gains, account.gains.len()), (30, N_GAINS));
        let text = serde_json::to_string(&account).unwrap();
        assert_eq!(RunAccount::of_stored(&text).unwrap(), account);
        let continued = account.continued(Some(5.0), 2, 64);
        assert_eq!((continued.phase, continued.limit_seconds, continued.n_gains), (RunPhase::Loading, Some(5.0), 30));
    }
}
