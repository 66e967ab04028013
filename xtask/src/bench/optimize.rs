//! `cargo xtask bench`: what the optimizer makes of a level set, single-threaded, level by level.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::ensure;
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use sokocore::{Level, Metrics, Objective, Solution};
use sokomethods::{Knobs, optimize};
use sokosearch::{Budget, Cancel, Context, End, MemoryAccount, Pool, StoreKind, Tally};

use super::csv_table::{CsvTable, cell};
use super::level_set::{BenchLevel, bench_levels};
use super::signature::SIGNATURE_SET;
use super::{parse_seconds, usage};
use crate::workspace;

/// Arguments of `cargo xtask bench`.
#[derive(Debug, Args)]
pub(super) struct OptimizeBenchArgs {
    /// Level file with a solution for each level.
    #[arg(long, value_name = "FILE")]
    pub(super) set: Option<PathBuf>,
    /// Seconds for each level, such as 10 or 0.5, with or without a final s.
    #[arg(long, default_value = "10", value_parser = parse_seconds)]
    pub(super) time: Duration,
    /// Ticks for each level instead of seconds: repeatable on any machine.
    #[arg(long)]
    pub(super) work: Option<u64>,
    /// What to improve.
    #[arg(long, default_value = "moves")]
    pub(super) objective: Objective,
    /// Memory for each level, in MiB.
    #[arg(long, default_value_t = 2048)]
    pub(super) memory: u64,
    /// Search with the compact tree instead of the hash store.
    #[arg(long)]
    pub(super) tree: bool,
    /// Write the rows to this file as comma-separated values.
    #[arg(long, value_name = "FILE")]
    pub(super) csv: Option<PathBuf>,
}

/// What became of one level.
pub(super) struct BenchRow {
    number: usize,
    title: String,
    start: Metrics,
    pub(super) end: Metrics,
    pub(super) tally: Tally,
    ticks: u64,
    /// Bytes in use at once, at most.
    peak: u64,
    seconds: f64,
    /// Seconds on all processors, where the system tells.
    cpu: Option<f64>,
    ended: End,
}

/// Runs the bench.
pub(super) fn run(args: &OptimizeBenchArgs) -> anyhow::Result<()> {
    let set = workspace::path_or(args.set.as_deref(), SIGNATURE_SET);
    let rows = run_set(&set, args)?;
    ensure!(!rows.is_empty(), "{}: no level with a valid solution", set.display());
    println!("{}", table(&rows));
    println!("{}", summary(&rows));
    println!("{}", medians(&rows, args.objective));
    csv(&rows, args.objective).save(args.csv.as_deref())
}

/// Optimizes each level of a set.
pub(super) fn run_set(set: &Path, args: &OptimizeBenchArgs) -> anyhow::Result<Vec<BenchRow>> {
    let mut rows = Vec::new();
    for BenchLevel { number, title, level, start } in bench_levels(set, args.objective)? {
        let row = run_level(&level, &start, args, (number, title));
        eprintln!("{:<40} {} -> {}  {:.2} s", row.title, row.start, row.end, row.seconds);
        rows.push(row);
    }
    Ok(rows)
}

fn run_level(level: &Level, start: &Solution, args: &OptimizeBenchArgs, (number, title): (usize, String)) -> BenchRow {
    let before = usage::own_cpu_seconds();
    let pool = Pool::new(level, start, &[args.objective]);
    let time = args.work.is_none().then_some(args.time);
    let memory = MemoryAccount::new(args.memory << 20);
    let budget = Budget::new(time, memory, Cancel::default()).with_work(args.work);
    let knobs = Knobs::default().with_store(if args.tree { StoreKind::Tree } else { StoreKind::Auto });
    let mut cx = Context::new(&pool, args.objective, &budget, &());
    let ended = optimize(&knobs, &mut cx).map_or_else(End::Stopped, |()| End::Exhausted);
    let seconds = budget.elapsed().as_secs_f64();
    let cpu = usage::own_cpu_seconds().zip(before).map(|(after, before)| after - before);
    let (start, end) = (start.metrics(), pool.best(args.objective).metrics());
    let (tally, ticks, peak) = (cx.tally(), cx.ticks(), budget.memory().peak());
    BenchRow { number, title, start, end, tally, ticks, peak, seconds, cpu, ended }
}

fn table(rows: &[BenchRow]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let heads = ["configs", "states", "states/s", "bytes/config", "peak MiB", "seconds", "processor s"];
    table.set_header(["level", "start", "end"].into_iter().chain(heads).chain(["ended"]));
    for row in rows {
        let Tally { n_configs, n_states, .. } = row.tally;
        table.add_row([
            row.title.clone(),
            row.start.to_string(),
            row.end.to_string(),
            n_configs.to_string(),
            n_states.to_string(),
            format!("{:.0}", n_states as f64 / row.seconds),
            format!("{:.1}", row.tally.bytes as f64 / n_configs.max(1) as f64),
            format!("{:.1}", row.peak as f64 / f64::from(1 << 20)),
            format!("{:.2}", row.seconds),
            row.cpu.map_or_else(String::new, |cpu| format!("{cpu:.2}")),
            row.ended.to_string(),
        ]);
    }
    for column in table.column_iter_mut().skip(3).take(7) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn summary(rows: &[BenchRow]) -> String {
    let sum = |of: fn(&BenchRow) -> u64| rows.iter().map(of).sum::<u64>();
    let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
    let (n_configs, n_states) = (sum(|row| row.tally.n_configs), sum(|row| row.tally.n_states));
    let n_exhausted = rows.iter().filter(|row| row.ended == End::Exhausted).count();
    format!(
        "{} levels, {n_exhausted} exhausted: {} -> {} moves, {} -> {} pushes, {n_configs} configs, {n_states} states, \
         {:.0} states/s, {:.1} bytes/config, {seconds:.1} s",
        rows.len(),
        sum(|row| row.start.moves),
        sum(|row| row.end.moves),
        sum(|row| row.start.pushes),
        sum(|row| row.end.pushes),
        n_states as f64 / seconds,
        sum(|row| row.tally.bytes) as f64 / n_configs.max(1) as f64,
    )
}

/// What half of the levels reach: sums are ruled by the few longest solutions.
fn medians(rows: &[BenchRow], objective: Objective) -> String {
    let of = |value: &dyn Fn(&BenchRow) -> f64| {
        let mut values: Vec<f64> = rows.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0)
    };
    let first = objective.order()[0];
    let left = |row: &BenchRow| first.of(&row.end) as f64 / first.of(&row.start).max(1) as f64 * 100.0;
    let speed = |row: &BenchRow| row.tally.n_states as f64 / row.cpu.unwrap_or(row.seconds).max(1e-6);
    let bytes = |row: &BenchRow| row.tally.bytes as f64 / row.tally.n_configs.max(1) as f64;
    let mib = |row: &BenchRow| row.peak as f64 / f64::from(1 << 20);
    format!(
        "medians: {:.1} % of the start, {:.0} states for a processor second, {:.1} bytes/config, {:.1} MiB at most, {:.2} s; \
         the most memory of all levels: {:.1} MiB",
        of(&left),
        of(&speed),
        of(&bytes),
        of(&mib),
        of(&|row| row.seconds),
        rows.iter().map(mib).fold(0.0, f64::max),
    )
}

fn csv(rows: &[BenchRow], objective: Objective) -> CsvTable {
    let mut csv = CsvTable::new(&[
        "number",
        "level",
        "objective",
        "start_moves",
        "start_pushes",
        "start_metrics",
        "end_moves",
        "end_pushes",
        "end_metrics",
        "tubes",
        "configs",
        "states",
        "bytes",
        "ticks",
        "peak_bytes",
        "seconds",
        "cpu_seconds",
        "ended",
    ]);
    for row in rows {
        let BenchRow { number, title, start, end, ticks, peak, seconds, .. } = row;
        let Tally { n_tubes, n_configs, n_states, bytes } = row.tally;
        csv.row(&[
            number,
            title,
            &objective,
            &start.moves,
            &start.pushes,
            start,
            &end.moves,
            &end.pushes,
            end,
            &n_tubes,
            &n_configs,
            &n_states,
            &bytes,
            ticks,
            peak,
            &format!("{seconds:.3}"),
            &cell(row.cpu, |cpu| format!("{cpu:.3}")),
            &row.ended,
        ]);
    }
    csv
}
