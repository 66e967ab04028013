//! `cargo xtask bench gap`: how far the optimizer is from the best known solutions, as a function of time.
//!
//! ```text
//!   level × seed × build ─▶ soko optimize ─▶ RunRecord, appended to a file ─┐
//!                                                                           ├─▶ GapReport ─▶ tables, CSV, SVG
//!   BestKnownTable ◀── solutions better than the best known ────────────────┘
//! ```
//!
//! Each level is run once with the longest time; its trajectory tells what shorter runs would have had. Runs that are on
//! record are not repeated, so the command can be stopped and continues where it was. With two builds their runs
//! alternate level by level, and are compared by paired tests over levels.

mod chart;
mod report;
mod run_record;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use clap::Args;
use parking_lot::Mutex;
use sokocore::Objective;
use sokosearch::run_jobs;

use super::best_known::{BestKnownTable, RatedLevel, TABLE, rated_levels, record};
use super::optimize_run::{OptimizeSpec, RunLimit, build_soko};
use crate::workspace;
use report::GapReport;
use run_record::{RunLog, RunRecord};

/// Where runs are kept.
const RUNS: &str = "target/gap-runs.csv";

/// Arguments of `cargo xtask bench gap`.
#[derive(Debug, Args)]
pub(super) struct GapArgs {
    /// Level file, with or without solutions; may be given several times [default: dev.sok of `SOKO_LEVELS` or of
    /// ../shared/levels].
    #[arg(long, value_name = "FILE")]
    set: Vec<PathBuf>,
    /// A build and its name; the first is what others are compared with [default: the release build, made now].
    #[arg(long = "build", value_name = "NAME=PROGRAM", value_parser = parse_build)]
    builds: Vec<(String, PathBuf)>,
    /// Seconds at which the gap is told, joined by commas; each run takes the longest.
    #[arg(long, value_delimiter = ',', default_value = "1,3,10,30,100", conflicts_with = "work")]
    times: Vec<f64>,
    /// Ticks of each search instead of seconds: a quick answer that is the same on every machine.
    #[arg(long, value_name = "TICKS")]
    work: Option<u64>,
    /// Runs on each level, with seeds from 0 on.
    #[arg(long, value_name = "N", default_value_t = 5)]
    seeds: u64,
    /// What to improve; several objectives, joined by commas.
    #[arg(long, value_delimiter = ',', default_value = "moves,pushes")]
    objective: Vec<Objective>,
    /// Only every K-th level, beginning with the first.
    #[arg(long, value_name = "K", default_value_t = 1)]
    every: usize,
    /// Threads of each run.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Runs at a time [default: as many as the processors carry].
    #[arg(long)]
    jobs: Option<NonZeroUsize>,
    /// Memory of each run, in MiB.
    #[arg(long, default_value_t = 2_048)]
    memory: u64,
    /// File to which runs are appended, and which tells those that are done [default: target/gap-runs.csv of the checkout].
    #[arg(long, value_name = "FILE")]
    runs: Option<PathBuf>,
    /// The table of best known solutions; what is found better is added [default: docs/records/best-known.csv of the
    /// checkout].
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Run nothing: report what is on record.
    #[arg(long)]
    report: bool,
    /// Write one line for each build, objective and time to this file as comma-separated values.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write one line for each level, build and objective to this file as comma-separated values.
    #[arg(long, value_name = "FILE")]
    levels_csv: Option<PathBuf>,
    /// Draw the mean gap over time to this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// A run to be done.
#[derive(Clone, Copy, Debug)]
struct GapJob<'a> {
    build: &'a (String, PathBuf),
    level: &'a RatedLevel,
    objective: Objective,
    seed: u64,
}

/// What the threads share while runs are done.
struct GapState<'a> {
    table: &'a mut BestKnownTable,
    log: &'a mut RunLog,
    n_done: usize,
    /// The first error; no run begins after it.
    failure: Option<anyhow::Error>,
}

/// Runs the bench.
pub(super) fn run(args: &GapArgs) -> anyhow::Result<()> {
    ensure!(args.seeds > 0 && args.times.iter().all(|&time| time > 0.0), "--seeds and --times are more than 0");
    let levels: Vec<RatedLevel> = rated_levels(&args.set)?.into_iter().step_by(args.every.max(1)).collect();
    let builds = match args.builds.as_slice() {
        [] if args.report => vec![("soko".to_owned(), PathBuf::new())],
        [] => vec![("soko".to_owned(), build_soko()?)],
        builds => builds.to_vec(),
    };
    let mut table = BestKnownTable::read(&args.table_path())?;
    let mut log = RunLog::open(&workspace::path_or(args.runs.as_deref(), RUNS))?;
    if !args.report {
        run_all(args, &levels, &builds, &mut table, &mut log)?;
    }
    let names: Vec<&str> = builds.iter().map(|(name, _)| name.as_str()).collect();
    let report = GapReport::of(args, &names, &levels, &table, &log);
    println!("{}", report.text());
    report.csv().save(args.csv.as_deref())?;
    report.levels_csv().save(args.levels_csv.as_deref())?;
    if let Some(path) = &args.svg {
        let svg = chart::svg(&report.curves()).context("drawing the curves")?;
        sokoio::write_file(path, svg.as_bytes())?;
    }
    Ok(())
}

impl GapArgs {
    fn table_path(&self) -> PathBuf {
        workspace::path_or(self.table.as_deref(), TABLE)
    }

    fn limit(&self) -> RunLimit {
        let longest = self.times.iter().copied().fold(0.0, f64::max);
        self.work.map_or(RunLimit::Time(std::time::Duration::from_secs_f64(longest)), RunLimit::Work)
    }
}

/// Does the runs that are not on record, several at a time.
fn run_all(
    args: &GapArgs,
    levels: &[RatedLevel],
    builds: &[(String, PathBuf)],
    table: &mut BestKnownTable,
    log: &mut RunLog,
) -> anyhow::Result<()> {
    let mut jobs = Vec::new();
    for seed in 0..args.seeds {
        for level in levels {
            for &objective in &args.objective {
                jobs.extend(builds.iter().map(|build| GapJob { build, level, objective, seed }));
            }
        }
    }
    jobs.retain(|job| !log.has(&job.key(args)));
    let n_processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let n_at_a_time = args.jobs.map_or((n_processors / args.threads.max(1)).max(1), NonZeroUsize::get);
    let n_jobs = jobs.len();
    let state = Mutex::new(GapState { table, log, n_done: 0, failure: None });
    let table_path = args.table_path();
    run_jobs(n_at_a_time, jobs, |job| {
        if state.lock().failure.is_some() {
            return;
        }
        let result = job.run(args);
        let mut state = state.lock();
        let done = result.and_then(|(run_record, run)| {
            state.log.add(run_record)?;
            let source = format!("soko, gap bench of {}, seed {}", job.build.0, job.seed);
            if record(state.table, job.level, job.objective, &run, &source) {
                state.table.write(&table_path)?;
            }
            Ok(run)
        });
        state.n_done += 1;
        match done {
            Ok(run) => eprintln!(
                "[{}/{n_jobs}] {} {} seed {} {}: {}, {:.1} s",
                state.n_done,
                job.level.place.title,
                job.objective,
                job.seed,
                job.build.0,
                run.trajectory.last_cost().map_or_else(|| "no solution".to_owned(), |cost| cost.to_string()),
                run.seconds,
            ),
            Err(error) => state.failure = Some(error.context(job.level.place.title.clone())),
        }
    });
    state.into_inner().failure.map_or(Ok(()), Err)
}

impl GapJob<'_> {
    /// The record of this run without its result.
    fn key(&self, args: &GapArgs) -> RunRecord {
        RunRecord::new(&self.build.0, &self.level.place.id, self.objective, self.seed, args.threads, args.limit())
    }

    fn run(&self, args: &GapArgs) -> anyhow::Result<(RunRecord, super::optimize_run::MeasuredRun)> {
        let spec = OptimizeSpec {
            soko: self.build.1.clone(),
            objective: self.objective,
            limit: args.limit(),
            seed: self.seed,
            n_threads: args.threads,
            memory_mib: args.memory,
        };
        let run = spec.run(&self.level.level, &self.level.starts)?;
        Ok((self.key(args).with_result(&run), run))
    }
}

fn parse_build(text: &str) -> Result<(String, PathBuf), String> {
    let (name, path) = text.split_once('=').ok_or("a name, =, and the path of a program")?;
    Ok((name.to_owned(), PathBuf::from(path)))
}
