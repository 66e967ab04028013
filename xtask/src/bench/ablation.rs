//! `cargo xtask bench ablation`: what each technique of the optimizer's schedule brings.
//!
//! Every level is optimized with all techniques, and then again without each of them, with the same work, one thread, and
//! the solver, as `soko optimize` does it; several levels run at a time. A run that begins differently ends differently,
//! mostly by chance: one run with another seed shows how much, and the sign test over levels says what is more than that
//! (see `comparison`).
//!
//! ```text
//!   AblationRun: all · another seed · without NAME · ...
//!     │                                              ┌▶ Comparison with the first run, level by level
//!     └─ on each level and seed: Ledger ─▶ RunResult ──┴▶ Account: ticks and gains of the technique
//! ```

mod clock;
mod ledger;
mod report;

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use parking_lot::Mutex;
use sokocore::{Metrics, Objective};
use sokomethods::{
    Knobs, SharedOptimalSearcher, SharedSolutionSource, Technique, TechniqueKind, TechniqueSet, optimize,
};
use sokonight::PolishedSource;
use sokosearch::{Budget, Cancel, Context, MemoryAccount, Pool, Stop, run_jobs};
use sokosolver::AStarSearcher;

use super::csv_table::CsvTable;
use super::level_set::{BenchLevel, bench_levels, sets_or_standard};
use super::usage::thread_cpu_seconds;
use clock::JobClock;
use ledger::{Accounts, Ledger};
use report::AblationReport;

/// Arguments of `cargo xtask bench ablation`.
#[derive(Debug, Args)]
pub(super) struct AblationArgs {
    /// Level file with a solution for each level; may be given several times [default: dev.sok of `SOKO_LEVELS` or of
    /// ../shared/levels].
    #[arg(long, value_name = "FILE")]
    set: Vec<PathBuf>,
    /// Ticks for each level; several amounts, joined by commas, one after the other.
    #[arg(long, value_delimiter = ',', default_value = "400000,4000000")]
    work: Vec<u64>,
    /// What to improve; several objectives, joined by commas, one after the other.
    #[arg(long, value_delimiter = ',', default_value = "moves,pushes")]
    objective: Vec<Objective>,
    /// Only every K-th level, beginning with the first.
    #[arg(long, value_name = "K", default_value_t = 1)]
    every: usize,
    /// Only these techniques, joined by commas; an unknown name lists all.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<Technique>,
    /// Also run each method alone after the lead-in.
    #[arg(long)]
    alone: bool,
    /// Runs on each level with different seeds, counted as so many levels.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seeds: u64,
    /// Levels at a time [default: one for each processor].
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// Memory for each level, in MiB.
    #[arg(long, default_value_t = 2048)]
    memory: u64,
    /// Write one line for each run to this file as comma-separated values.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the metric of each level in all runs to this file as comma-separated values.
    #[arg(long, value_name = "FILE")]
    levels_csv: Option<PathBuf>,
}

/// The first seed of the run that shows what chance does. Seeds are the same modulo 8 where ring orders are.
const OTHER_SEED: u64 = 1_001;

/// One way of running the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AblationRun {
    /// With the techniques that are on by default.
    Default,
    /// The same with another seed.
    OtherSeed,
    /// Without a technique that is on by default.
    Without(Technique),
    /// With a technique that is off by default.
    With(Technique),
    /// With nothing but this technique after the lead-in.
    Alone(Technique),
}

impl AblationRun {
    /// The runs that were asked for; the first is the one that all others are compared with.
    fn all(args: &AblationArgs, objective: Objective) -> Vec<Self> {
        let chosen = |technique: &Technique| {
            technique.affects(objective) && (args.only.is_empty() || args.only.contains(technique))
        };
        let chosen: Vec<_> = Technique::ALL.into_iter().filter(chosen).collect();
        let switched = chosen.iter().map(|&technique| match technique.is_on_by_default() {
            true => Self::Without(technique),
            false => Self::With(technique),
        });
        let alone = chosen.iter().copied().filter(|&technique| args.alone && runs_alone(technique)).map(Self::Alone);
        [Self::Default, Self::OtherSeed].into_iter().chain(switched).chain(alone).collect()
    }

    const fn technique(self) -> Option<Technique> {
        match self {
            Self::Default | Self::OtherSeed => None,
            Self::Without(technique) | Self::With(technique) | Self::Alone(technique) => Some(technique),
        }
    }

    /// Returns whether it can come out otherwise than the first run did on a level. What never ran is not missed: a run
    /// without it is the same, tick by tick. Ring orders also decide where a neighborhood starts.
    fn differs_from(self, first: &RunResult) -> bool {
        match self {
            Self::Without(Technique::RingOrders) => true,
            Self::Without(technique) => first.accounts[technique as usize].n_runs > 0,
            _ => true,
        }
    }

    fn knobs(self, seed: u64) -> Knobs {
        let seed = if self == Self::OtherSeed { OTHER_SEED + seed } else { seed };
        let default = TechniqueSet::default();
        let techniques = match self {
            Self::Default | Self::OtherSeed => default,
            Self::Without(technique) => default.without(technique),
            Self::With(technique) => default.with(technique),
            Self::Alone(technique) => lead_in().with(technique),
        };
        let mut knobs = Knobs::default().with_seed(seed);
        knobs.techniques = techniques;
        knobs
    }
}

impl fmt::Display for AblationRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("all"),
            Self::OtherSeed => f.write_str("another seed"),
            Self::Without(technique) => write!(f, "without {technique}"),
            Self::With(technique) => write!(f, "with {technique}"),
            Self::Alone(technique) => write!(f, "{technique} alone"),
        }
    }
}

/// What runs before the arms, and the quick rearrangement after each gain.
fn lead_in() -> TechniqueSet {
    let is_lead_in = |technique: &Technique| technique.kind() == TechniqueKind::LeadIn;
    TechniqueSet::default().iter().filter(is_lead_in).chain([Technique::Rearrange]).collect()
}

/// The plateau and the lineages run the other arms, so they are nothing by themselves.
fn runs_alone(technique: Technique) -> bool {
    technique.kind() == TechniqueKind::Arm && !matches!(technique, Technique::Plateau | Technique::Lineages)
}

/// What came of one run on one level with one seed.
#[derive(Clone, Copy, Debug)]
struct RunResult {
    end: Metrics,
    ticks: u64,
    /// Processor seconds; 0 where the system does not tell.
    seconds: f64,
    accounts: Accounts,
}

/// The outcomes of one run, level by level, and for each level seed by seed.
type RunResults = Vec<RunResult>;

/// Runs the bench.
pub(super) fn run(args: &AblationArgs) -> anyhow::Result<()> {
    let sets = sets_or_standard(&args.set)?;
    ensure!(args.seeds > 0 && !args.work.contains(&0), "--seeds and --work are at least 1");
    let width = terminal_size::terminal_size().map_or(usize::from(u16::MAX), |(width, _)| usize::from(width.0));
    let (mut csv, mut levels_csv) = (CsvTable::default(), CsvTable::default());
    for &objective in &args.objective {
        let mut levels = Vec::new();
        for set in &sets {
            levels.extend(bench_levels(set, objective)?);
        }
        levels = levels.into_iter().step_by(args.every.max(1)).collect();
        ensure!(!levels.is_empty(), "no level with a valid solution");
        for &work in &args.work {
            let runs = AblationRun::all(args, objective);
            let outcomes = run_all(&runs, &levels, (objective, work), args, width);
            let report = AblationReport::of(&runs, &levels, &outcomes, (objective, work, args.seeds));
            println!("{}", report.text(width));
            report.add_rows(&mut csv);
            report.add_level_rows(&mut levels_csv);
            // What is done is kept if the rest is stopped.
            csv.save(args.csv.as_deref())?;
            levels_csv.save(args.levels_csv.as_deref())?;
        }
    }
    Ok(())
}

/// Runs everything on several threads, beginning with the first run, which tells how long each level takes and which
/// techniques run there at all.
fn run_all(
    runs: &[AblationRun],
    levels: &[BenchLevel],
    (objective, work): (Objective, u64),
    args: &AblationArgs,
    width: usize,
) -> Vec<RunResults> {
    let n_seeds = usize::try_from(args.seeds).expect("invariant: so many runs would never end");
    let n_each = levels.len() * n_seeds;
    let n_threads = args.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let level_of = |job: usize| job % n_each / n_seeds;
    let all = 0..runs.len() * n_each;
    let clock = JobClock::start(all.clone().map(level_of), levels.len(), n_threads, width);
    let outcomes = Mutex::new(vec![None; all.end]);
    let run_one = |job: usize| {
        let BenchLevel { level, start, .. } = &levels[level_of(job)];
        let memory = MemoryAccount::new(args.memory << 20);
        let budget = Budget::new(None, memory, Cancel::default()).with_work(Some(work));
        let ledger = Ledger::new(objective, &start.metrics());
        let pool = Pool::new(level, start, &[objective]);
        let mut cx = Context::new(&pool, objective, &budget, &ledger);
        let before = thread_cpu_seconds();
        let source = SharedSolutionSource::new(PolishedSource::new(level, &budget, &Cancel::default()));
        let knobs = runs[job / n_each].knobs((job % n_seeds) as u64).with_source(source);
        let knobs = knobs.with_searcher(SharedOptimalSearcher::new(AStarSearcher));
        // However it ends, what was found counts.
        let _: Result<(), Stop> = optimize(&knobs, &mut cx);
        let seconds = thread_cpu_seconds().zip(before).map_or(0.0, |(after, before)| after - before);
        let (end, ticks) = (pool.best(objective).metrics(), cx.ticks());
        outcomes.lock()[job] = Some(RunResult { end, ticks, seconds, accounts: ledger.into_accounts() });
        clock.done(level_of(job), budget.elapsed());
    };
    run_jobs(n_threads, 0..n_each, run_one);
    for job in n_each..all.end {
        let first = outcomes.lock()[job % n_each];
        if first.is_some_and(|first: RunResult| !runs[job / n_each].differs_from(&first)) {
            outcomes.lock()[job] = first;
            clock.skip(level_of(job));
        }
    }
    let is_left = |job: &usize| outcomes.lock()[*job].is_none();
    let left: Vec<usize> = all.filter(is_left).collect();
    run_jobs(n_threads, left, run_one);
    let outcomes: RunResults = outcomes.into_inner().into_iter().flatten().collect();
    outcomes.chunks(n_each).map(<[RunResult]>::to_vec).collect()
}

#[cfg(test)]
mod tests;
