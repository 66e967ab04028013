//! One run of `soko optimize` on one level, in a process of its own: what it told on its way, and what it left.
//!
//! The program is measured, not the library: a user's run solves, optimizes and stops as the program does.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use serde_json::Value;
use sokocore::{Level, Metrics, Objective, Solution};
use sokoio::{Collection, NewLevel, SolutionKind, SolutionTitle};

use super::trajectory::Trajectory;
use crate::workspace::{self, cargo};

/// How a run is limited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RunLimit {
    Time(Duration),
    /// Ticks of each search: the same on every machine with one thread.
    Work(u64),
}

/// The settings of a run.
#[derive(Clone, Debug)]
pub(super) struct OptimizeSpec {
    pub(super) soko: PathBuf,
    pub(super) objective: Objective,
    pub(super) limit: RunLimit,
    pub(super) seed: u64,
    pub(super) n_threads: usize,
    pub(super) memory_mib: u64,
}

/// The result of a run.
#[derive(Debug)]
pub(super) struct MeasuredRun {
    /// By the objective that was asked for. Empty if no solution was found.
    pub(super) trajectory: Trajectory,
    /// All solutions that the run was given or has found, replayed.
    pub(super) solutions: Vec<Solution>,
    /// Whether the best solution is proved optimal by the objective.
    pub(super) is_proved: bool,
    /// The proved lower bound of the metric that the objective counts first; 0 if there is none.
    pub(super) lower_bound: u64,
    /// Seconds of the whole process.
    pub(super) seconds: f64,
    pub(super) work: u64,
}

impl OptimizeSpec {
    /// Optimizes a level from these solutions; without one it is solved first.
    pub(super) fn run(&self, level: &Level, starts: &[Solution]) -> anyhow::Result<MeasuredRun> {
        let desk = tempfile::tempdir()?;
        let (input, output) = (desk.path().join("level.sok"), desk.path().join("out.sok"));
        sokoio::write_file(&input, &level_file(level, starts)?)?;
        let clock = sokosearch::Clock::start();
        let lines = self.lines(&input, &output)?;
        let seconds = clock.elapsed().as_secs_f64();
        let collection = Collection::read(&output).with_context(|| format!("reading {}", output.display()))?;
        let solutions = collection.levels().iter().flat_map(|entry| entry.solutions().filter_map(|(_, one)| one.ok()));
        let result = lines.iter().find(|line| line["type"] == "result");
        let start = starts.iter().map(Solution::metrics).min_by_key(|metrics| self.objective.score(metrics));
        Ok(MeasuredRun {
            trajectory: self.trajectory(start, &lines)?,
            solutions: solutions.collect(),
            is_proved: result.is_some_and(|result| result["proved"] == true),
            lower_bound: result.and_then(|result| result["lower_bound"].as_u64()).unwrap_or(0),
            seconds,
            work: result.and_then(|result| result["work"].as_u64()).unwrap_or(0),
        })
    }

    /// Runs the program; returns its lines of JSON.
    fn lines(&self, input: &Path, output: &Path) -> anyhow::Result<Vec<Value>> {
        let mut args: Vec<OsString> = vec!["optimize".into(), input.into(), "-o".into(), output.into()];
        let limit = match self.limit {
            RunLimit::Time(time) => format!("--time {}s", time.as_secs_f64()),
            RunLimit::Work(work) => format!("--work {work}"),
        };
        let Self { objective, seed, n_threads, memory_mib, .. } = self;
        let options = format!(
            "--json --quiet --objective {objective} --seed {seed} --threads {n_threads} --memory {memory_mib}MiB {limit}"
        );
        args.extend(options.split_whitespace().map(OsString::from));
        let mut command = Command::new(&self.soko);
        // Without the library of the person who measures.
        let done = command.args(&args).env("SOKO_LIBRARY", "").stdin(Stdio::null()).stderr(Stdio::inherit()).output();
        let done = done.with_context(|| format!("starting {}", self.soko.display()))?;
        ensure!(done.status.success(), "{} failed with {args:?}", self.soko.display());
        let text = String::from_utf8(done.stdout).context("reading what the program printed")?;
        text.lines().map(|line| serde_json::from_str(line).context("reading a line of JSON")).collect()
    }

    /// The improvements by the objective, from the start on.
    fn trajectory(&self, start: Option<Metrics>, lines: &[Value]) -> anyhow::Result<Trajectory> {
        let mut trajectory = Trajectory::default();
        if let Some(start) = start {
            trajectory.add(0.0, start, self.objective);
        }
        let name = self.objective.to_string();
        for line in lines {
            match line["type"].as_str() {
                Some("improved") if line["objective"] == *name => {
                    let seconds = line["seconds"].as_f64().context("an improvement without a time")?;
                    trajectory.add(seconds, metrics_of(&line["metrics"])?, self.objective);
                }
                Some("result") if !line["after"].is_null() => {
                    let seconds = line["seconds"].as_f64().context("a result without a time")?;
                    trajectory.add(seconds, metrics_of(&line["after"])?, self.objective);
                }
                _ => {}
            }
        }
        Ok(trajectory)
    }
}

/// The text of a file with this level and its solutions.
fn level_file(level: &Level, solutions: &[Solution]) -> anyhow::Result<Vec<u8>> {
    let mut collection = Collection::new();
    collection.append_level(&NewLevel::from(level))?;
    for solution in solutions {
        let title = SolutionTitle::new(SolutionKind::Plain, solution.metrics());
        collection.add_solution(0, &title, solution.lurd(), &[])?;
    }
    Ok(collection.to_bytes().into_owned())
}

fn metrics_of(value: &Value) -> anyhow::Result<Metrics> {
    let of = |name: &str| value[name].as_u64().with_context(|| format!("metrics without {name}"));
    Ok(Metrics {
        moves: of("moves")?,
        pushes: of("pushes")?,
        box_lines: of("box_lines")?,
        box_changes: of("box_changes")?,
        pushing_sessions: of("pushing_sessions")?,
        player_lines: of("player_lines")?,
    })
}

/// Builds the program; returns where it is.
pub(crate) fn build_soko() -> anyhow::Result<PathBuf> {
    workspace::run(cargo(&["build", "--quiet", "--release", "--package", "sokocli"]))?;
    let xtask = std::env::current_exe()?;
    Ok(xtask.with_file_name(format!("soko{}", std::env::consts::EXE_SUFFIX)))
}
