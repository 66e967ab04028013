//! `cargo xtask bench night`: which share of the time of equal slices a night needs.
//!
//! ```text
//!   --record   level, objective ─▶ segments of doubling work, each from the last checkpoint ─▶ curve, in a folder
//!   curves ─▶ simulation of the night's own schedule, of equal slices, of what knows all curves ─▶ sums over time
//! ```
//!
//! A recording takes hours, and can be interrupted and continued; a simulation takes a fraction of a second. Work is
//! counted in ticks, of which a second has some [`TICKS_A_SECOND`].
//!
//! * [`recording`]: curves are made. [`curve`]: the best solution of a level over work. [`bounds`]: what it cannot be below.
//! * [`simulation`]: nights on curves. [`report`]: what they say.

mod bounds;
mod curve;
mod recording;
mod report;
mod simulation;

use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;
use sokocore::Objective;
use sokonight::Schedule;

use super::level_set::{BenchLevel, bench_levels, sets_or_standard};
pub(super) use bounds::BoundTable;
#[cfg(test)]
pub(super) use curve::CurvePoint;
pub(super) use curve::ItemCurve;
use report::NightReport;
use simulation::{NightItem, oracle, simulate};

/// Ticks that a thread does in a second, for what the schedule counts in seconds.
pub(super) const TICKS_A_SECOND: f64 = 8e6;

/// Arguments of `cargo xtask bench night`.
#[derive(Debug, Args)]
pub(super) struct NightBenchArgs {
    /// Folder of the curves.
    #[arg(long, value_name = "FOLDER")]
    curves: PathBuf,
    /// Record curves up to so many ticks; those that are there are continued.
    #[arg(long, value_name = "TICKS")]
    record: Option<u64>,
    /// Level file with a solution for each level; may be given several times [default: dev.sok of `SOKO_LEVELS` or of
    /// ../shared/levels].
    #[arg(long, value_name = "FILE")]
    set: Vec<PathBuf>,
    /// What is improved; several objectives, joined by commas.
    #[arg(long, value_delimiter = ',', default_value = "moves,pushes")]
    objective: Vec<Objective>,
    /// Record only every K-th level, beginning with the first.
    #[arg(long, value_name = "K", default_value_t = 1)]
    every: usize,
    /// Memory for each search of a recording, in MiB.
    #[arg(long, default_value_t = 1024)]
    memory: u64,
    /// Ticks that each level has had before the simulated night; several numbers, joined by commas.
    #[arg(long, value_delimiter = ',', value_name = "TICKS", default_value = "0,20000000")]
    before: Vec<u64>,
    /// Use only so many ticks of each curve [default: what all of them have].
    #[arg(long, value_name = "TICKS")]
    until: Option<u64>,
}

/// Runs the bench.
pub(super) fn run(args: &NightBenchArgs) -> anyhow::Result<()> {
    let mut items = bench_items(&args.set, &args.objective)?;
    items.retain(|(level, _)| (level.number - 1).is_multiple_of(args.every.max(1)));
    ensure!(!items.is_empty(), "no level with a valid solution");
    if let Some(ticks) = args.record {
        recording::record(args, &items, ticks)?;
    }
    let (mut curves, bounds) = read_curves(&args.curves, &items)?;
    let common = curves.iter().filter(|curve| curve.settled_at().is_none()).map(ItemCurve::n_ticks).min();
    let until = args.until.or(common).unwrap_or(u64::MAX);
    let n_curves = curves.len();
    curves.retain(|curve| curve.settled_at().is_some() || curve.n_ticks() >= until);
    if curves.len() < n_curves {
        println!("{} curves are shorter than {until} ticks, and are left out\n", n_curves - curves.len());
    }
    let curves: Vec<_> = curves.into_iter().map(|curve| curve.until(until)).collect();
    for &before in &args.before {
        let item = |curve| NightItem { curve, bound: bounds.of(curve), before };
        let items: Vec<_> = curves.iter().map(item).collect();
        let limit = until.min(curves.iter().map(ItemCurve::n_ticks).max().unwrap_or(0)).saturating_sub(before) as f64;
        let limit = limit * items.len() as f64;
        let (equal, ours) = (Schedule::equal(), Schedule::default());
        let [equal, ours] = [equal, ours].map(|schedule| simulate(schedule, &items, limit));
        let report = NightReport { n_items: items.len(), before, limit, equal, ours, oracle: oracle(&items) };
        println!("{report}");
    }
    Ok(())
}

/// Reads the curves of the levels of some sets, with their lower bounds.
pub(super) fn recorded_curves(
    folder: &Path,
    sets: &[PathBuf],
    objectives: &[Objective],
) -> anyhow::Result<(Vec<ItemCurve>, BoundTable)> {
    read_curves(folder, &bench_items(sets, objectives)?)
}

fn read_curves(folder: &Path, items: &[(BenchLevel, Objective)]) -> anyhow::Result<(Vec<ItemCurve>, BoundTable)> {
    let bounds = BoundTable::read_or_make(folder, items)?;
    let mut curves = Vec::new();
    for (level, objective) in items {
        curves.extend(ItemCurve::read(folder, level.number, *objective)?);
    }
    ensure!(
        !curves.is_empty(),
        "there are no curves in {}; record some with `cargo xtask bench night --record`",
        folder.display()
    );
    Ok((curves, bounds))
}

/// The levels of the sets, each with each objective, numbered over all sets.
fn bench_items(sets: &[PathBuf], objectives: &[Objective]) -> anyhow::Result<Vec<(BenchLevel, Objective)>> {
    let mut items = Vec::new();
    for &objective in objectives {
        let mut n_before = 0;
        for set in sets_or_standard(sets)? {
            let levels = bench_levels(&set, objective)?;
            let n_levels = levels.iter().map(|level| level.number).max().unwrap_or(0);
            items.extend(
                levels.into_iter().map(|level| (BenchLevel { number: n_before + level.number, ..level }, objective)),
            );
            n_before += n_levels;
        }
    }
    items.sort_by_key(|(level, _)| level.number);
    Ok(items)
}
