//! `cargo xtask bench limits`: whether the program keeps its limits, measured from outside.
//!
//! | check | asks | fails if |
//! |---|---|---|
//! | memory | the five levels with the largest tubes, three sizes, both objectives, one and two threads: the program, and each engine in tubes that do not fit | the resident size ever passes what was allowed by more than 5 % |
//! | time | every level, three limits, both objectives, two and three displaced boxes, asked about and generated | a search ends more than 50 ms late |
//! | stop | the same searches, alone, told to stop after so much processor time | one runs for more than 50 ms of processor time |
//! | whole | a level of our own with over 5,000 pushes on 30 x 24, and the longest of the set | it is not searched whole in 1 GiB, or nothing is gained |
//!
//! All combinations take over an hour. A selection of them is run unless `--all` is given: every level occurs, and each
//! two of the other values meet in a run, such as an engine and a size of memory.
//!
//! On a busy machine a program may wait long for a processor. So a run that ends late is repeated: what is late by
//! its own fault is late every time, and the least counts.

mod fill;
mod levels;
mod memory;
mod selection;
mod stop;
mod time;
mod whole;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::{Args, ValueEnum};
use serde_json::Value;
use sokocore::Objective;
use sokosearch::StoreKind;

pub(super) use self::fill::{FillArgs, run as fill};
use super::optimize_run::build_soko;
use super::usage::{self, ProcessUsage};
use levels::LevelFile;
use selection::{covering, pairs};

/// Arguments of `cargo xtask bench limits`.
#[derive(Debug, Args)]
pub(super) struct LimitsArgs {
    /// Level file with a solution for each level [default: dev.sok of `SOKO_LEVELS` or of ../shared/levels; levels of
    /// our own alone if there is none].
    #[arg(long, value_name = "FILE")]
    set: Option<PathBuf>,
    /// What to check.
    #[arg(long, value_enum, value_delimiter = ',', default_values = ["memory", "stop", "time", "whole"])]
    only: Vec<Check>,
    /// Run all combinations of levels and settings, instead of a selection in which each two settings meet.
    #[arg(long)]
    all: bool,
    /// The program to be measured [default: the release build, made now].
    #[arg(long, value_name = "PROGRAM")]
    soko: Option<PathBuf>,
    /// How much longer, or shorter, the runs are.
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
    /// What is to fill the memory.
    #[arg(long, value_enum, value_delimiter = ',', default_values = ["program", "wavefront", "tree", "reference"])]
    by: Vec<By>,
    /// Sizes of memory in MiB.
    #[arg(long, value_delimiter = ',', default_values = ["64", "256", "1024"])]
    sizes: Vec<u64>,
    /// How configurations are kept by searches that must end in time: `tree` generates and packs all tubes.
    #[arg(long, value_enum, value_delimiter = ',', default_values = ["auto", "tree"])]
    stores: Vec<Store>,
    /// Runs of a search that ends late before it is believed.
    #[arg(long, default_value_t = 4)]
    tries: usize,
    /// Only these levels, by their numbers in the file, joined by commas.
    #[arg(long, value_delimiter = ',')]
    levels: Vec<usize>,
    /// Write a file of comma-separated values for each check into this directory.
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
}

/// One of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Check {
    Memory,
    Stop,
    Time,
    Whole,
}

/// What works in a memory that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// `soko optimize`.
    Program,
    /// The engine that asks for its tube, alone.
    Wavefront,
    /// A generated tube in the compact store.
    Tree,
    /// The engine that everything is compared with.
    Reference,
}

/// How configurations are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Store {
    Auto,
    Hash,
    Tree,
}

/// A kind of searches that must end in time.
#[derive(Clone, Copy, Debug)]
struct Timed {
    /// When they end, or are told to.
    limit_ms: u32,
    vicinity: &'static [usize],
    objective: Objective,
    store: Store,
}

/// The program to be measured, and where to put what it needs.
struct Bench<'a> {
    args: &'a LimitsArgs,
    soko: PathBuf,
    desk: tempfile::TempDir,
    levels: Vec<LevelFile>,
}

impl Store {
    const fn kind(self) -> StoreKind {
        match self {
            Self::Auto => StoreKind::Auto,
            Self::Hash => StoreKind::Hash,
            Self::Tree => StoreKind::Tree,
        }
    }
}

impl Timed {
    /// All kinds, one after another.
    fn all(stores: &[Store]) -> impl Iterator<Item = Self> {
        stores.iter().flat_map(|&store| {
            [&[20, 10][..], &[20, 10, 5]].into_iter().flat_map(move |vicinity| {
                [Objective::MOVES, Objective::PUSHES].into_iter().flat_map(move |objective| {
                    [10, 50, 200].map(|limit_ms| Self { limit_ms, vicinity, objective, store })
                })
            })
        })
    }

    /// What two kinds may differ in.
    fn values(self) -> [String; 4] {
        [self.limit_ms.to_string(), self.vicinity("/"), self.objective.to_string(), self.store()]
    }

    /// The numbers of the vicinity.
    fn vicinity(&self, between: &str) -> String {
        self.vicinity.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
    }

    fn store(&self) -> String {
        format!("{:?}", self.store).to_lowercase()
    }
}

/// Runs the checks that were asked for; all of them, even if one fails.
pub(super) fn run(args: &LimitsArgs) -> anyhow::Result<()> {
    let soko = match &args.soko {
        Some(soko) => soko.clone(),
        None => build_soko()?,
    };
    let desk = tempfile::tempdir()?;
    let levels = levels::split(args.set.as_deref(), &args.levels, desk.path())?;
    let bench = Bench { args, soko, desk, levels };
    let mut faults = Vec::new();
    for check in &args.only {
        faults.extend(match check {
            Check::Memory => memory::check(&bench)?,
            Check::Stop => stop::check(&bench)?,
            Check::Time => time::check(&bench)?,
            Check::Whole => whole::check(&bench)?,
        });
    }
    ensure!(faults.is_empty(), "limits were not kept:\n  {}", faults.join("\n  "));
    println!("all limits were kept");
    Ok(())
}

impl Bench<'_> {
    /// Returns all cases if they were asked for, or else some with all aspects that there are.
    fn chosen<C>(&self, cases: Vec<C>, aspects: impl Fn(&C) -> Vec<String>) -> Vec<C> {
        if self.args.all { cases } else { covering(cases, aspects) }
    }

    /// The kinds of searches that must end in time.
    fn timed(&self) -> Vec<Timed> {
        self.chosen(Timed::all(&self.args.stores).collect(), |kind| pairs(&kind.values()))
    }

    /// Optimizes one file; returns the line of JSON about its only search, and what the program used.
    fn optimize(&self, level: &Path, options: &str) -> anyhow::Result<(Value, ProcessUsage)> {
        let output = self.desk.path().join("out.sok");
        let mut args: Vec<OsString> = vec!["optimize".into(), level.into(), "-o".into(), output.into()];
        args.extend("--force --json --quiet".split_whitespace().chain(options.split_whitespace()).map(OsString::from));
        let (lines, usage) = usage::measure(&self.soko, &args)?;
        Ok((result_of(lines)?, usage))
    }

    /// Fills the memory by one engine alone; returns the line of JSON about it, and what the process used.
    fn fill(&self, level: &Path, with: By, options: &str) -> anyhow::Result<(Value, ProcessUsage)> {
        let mut args: Vec<OsString> = vec!["bench".into(), "fill".into(), level.into(), "--with".into()];
        args.push(format!("{with:?}").to_lowercase().into());
        args.extend(options.split_whitespace().map(OsString::from));
        let (lines, usage) = usage::measure(&std::env::current_exe()?, &args)?;
        Ok((result_of(lines)?, usage))
    }

    /// Returns the file for the rows of a check, if one was asked for.
    fn csv(&self, name: &str) -> Option<PathBuf> {
        self.args.csv.as_ref().map(|dir| dir.join(name))
    }
}

fn result_of(lines: Vec<Value>) -> anyhow::Result<Value> {
    lines.into_iter().find(|line| line["type"] == "result").context("no search was reported")
}

/// A number of bytes in MiB.
fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
