//! The log of runs: one line for each, so that a bench that was stopped continues, and builds can be compared later.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use sokocore::Objective;

use crate::bench::optimize_run::{MeasuredRun, RunLimit};
use crate::bench::trajectory::Trajectory;

/// One run of one build on one level.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct RunRecord {
    pub(super) build: String,
    pub(super) id: String,
    pub(super) objective: String,
    pub(super) seed: u64,
    pub(super) threads: usize,
    /// `30 s` or `400000 ticks`.
    pub(super) limit: String,
    pub(super) proved: bool,
    pub(super) seconds: f64,
    pub(super) work: u64,
    trajectory: String,
}

/// What tells runs apart: build, level, objective, seed, threads, limit.
type RunKey = (String, String, String, u64, usize, String);

/// All runs on record.
#[derive(Debug)]
pub(super) struct RunLog {
    path: PathBuf,
    runs: BTreeMap<RunKey, RunRecord>,
}

impl RunRecord {
    /// Makes the record of a run that was not done yet.
    pub(super) fn new(build: &str, id: &str, objective: Objective, seed: u64, threads: usize, limit: RunLimit) -> Self {
        let limit = match limit {
            RunLimit::Time(time) => format!("{} s", time.as_secs_f64()),
            RunLimit::Work(work) => format!("{work} ticks"),
        };
        let (build, id, objective) = (build.to_owned(), id.to_owned(), objective.to_string());
        Self { build, id, objective, seed, threads, limit, ..Self::default() }
    }

    /// Adds the result.
    pub(super) fn with_result(self, run: &MeasuredRun) -> Self {
        let MeasuredRun { trajectory, is_proved, seconds, work, .. } = run;
        Self { proved: *is_proved, seconds: *seconds, work: *work, trajectory: trajectory.to_string(), ..self }
    }

    /// Returns the improvements of the run; none if the line is damaged.
    pub(super) fn trajectory(&self) -> anyhow::Result<Trajectory> {
        self.trajectory.parse()
    }

    fn key(&self) -> RunKey {
        let Self { build, id, objective, seed, threads, limit, .. } = self;
        (build.clone(), id.clone(), objective.clone(), *seed, *threads, limit.clone())
    }
}

impl RunLog {
    /// Reads the runs on record; a file that does not exist has none.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let mut runs = BTreeMap::new();
        if path.exists() {
            let mut reader = csv::Reader::from_path(path).with_context(|| format!("reading {}", path.display()))?;
            for (line, run) in (2..).zip(reader.deserialize()) {
                let run: RunRecord = run.with_context(|| format!("{}, line {line}", path.display()))?;
                run.trajectory().with_context(|| format!("{}, line {line}", path.display()))?;
                runs.insert(run.key(), run);
            }
        }
        Ok(Self { path: path.to_owned(), runs })
    }

    /// Returns whether such a run is on record.
    pub(super) fn has(&self, run: &RunRecord) -> bool {
        self.runs.contains_key(&run.key())
    }

    /// Returns the run on record with these settings.
    pub(super) fn find(&self, run: &RunRecord) -> Option<&RunRecord> {
        self.runs.get(&run.key())
    }

    /// Appends a run to the file.
    pub(super) fn add(&mut self, run: RunRecord) -> anyhow::Result<()> {
        let is_new = !self.path.exists();
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let file = OpenOptions::new().create(true).append(true).open(&self.path);
        let file = file.with_context(|| format!("opening {}", self.path.display()))?;
        let mut writer = csv::WriterBuilder::new().has_headers(is_new).from_writer(file);
        writer.serialize(&run)?;
        writer.flush()?;
        self.runs.insert(run.key(), run);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn runs_are_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/runs.csv");
        let key = |build: &str, seed| {
            RunRecord::new(build, "abc", Objective::MOVES, seed, 1, RunLimit::Time(Duration::from_secs(30)))
        };
        let run = MeasuredRun {
            trajectory: "0.000:9 1.500:7".parse().unwrap(),
            solutions: Vec::new(),
            is_proved: true,
            lower_bound: 3,
            seconds: 2.0,
            work: 5,
        };
        let mut log = RunLog::open(&path).unwrap();
        log.add(key("old", 0).with_result(&run)).unwrap();
        log.add(key("new", 0).with_result(&run)).unwrap();
        let log = RunLog::open(&path).unwrap();
        assert!(log.has(&key("old", 0)) && log.has(&key("new", 0)) && !log.has(&key("old", 1)));
        let found = log.find(&key("new", 0)).unwrap();
        assert_eq!((found.proved, found.seconds, found.work), (true, 2.0, 5));
        assert_eq!(found.trajectory().unwrap().last_cost(), Some(7));
        let other = RunRecord::new("old", "abc", Objective::MOVES, 0, 1, RunLimit::Work(30));
        assert!(!log.has(&other), "another limit");
    }
}
