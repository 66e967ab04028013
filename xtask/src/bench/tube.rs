//! `cargo xtask bench tube`: one pass of vicinity search over the whole solution, with every engine in turn.
//!
//! All engines start from the same solution, with the same limits and the same ring order, so they search the same
//! tube. *Configurations* are those generated, by engines that generate, or those reached.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use sokocore::{Level, Metrics, Objective, Solution};
use sokoio::Collection;
use sokosearch::{
    Boxes, Budget, Cancel, Context, Engine, LiveIndex, MemoryAccount, Neighborhood, Order, Pool, RingOrder,
    SearchWindow, Spine, Stop, StoreKind, ThreadPermits, Tube, TubeOptions, search, search_near,
};

use super::csv_table::{CsvTable, cell};
use super::{parse_seconds, usage};

/// Arguments of `cargo xtask bench tube`.
#[derive(Debug, Args)]
pub(crate) struct TubeArgs {
    /// Level files with a solution for each level.
    #[arg(required = true, value_name = "FILE")]
    sets: Vec<PathBuf>,
    /// Only levels whose title contains this.
    #[arg(long, default_value = "")]
    title: String,
    /// Only this level of each file, from 1.
    #[arg(long)]
    number: Option<usize>,
    /// Limits of the neighborhoods, such as 20/10.
    #[arg(long, default_values = ["20/10"])]
    limits: Vec<String>,
    /// What to improve.
    #[arg(long, default_value = "moves")]
    objective: Objective,
    /// Engines to compare.
    #[arg(long, value_enum, default_values = ["reference", "backward", "wavefront"])]
    engines: Vec<TubeEngine>,
    /// Threads for a wavefront search.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Items of a layer from which on threads share it, instead of what the engine thinks right.
    #[arg(long)]
    share_from: Option<usize>,
    /// Runs of each; the one with the least processor time counts, with several threads the fastest.
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Memory, in MiB.
    #[arg(long, default_value_t = 4096)]
    memory: u64,
    /// Seconds after which a run is stopped, such as 60 or 0.5; what it did by then is shown.
    #[arg(long, value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Write the rows to this file as comma-separated values.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// How the tube is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TubeEngine {
    /// Forward through a generated tube.
    Reference,
    /// Backward, state by state, through a generated tube.
    Backward,
    /// Backward, all players of a configuration at once, asking for the tube on the way.
    Wavefront,
}

struct TubeRun {
    kind: TubeEngine,
    generating: f64,
    searching: f64,
    n_configs: u64,
    n_states: u64,
    bytes: u64,
    peak: u64,
    metrics: Metrics,
    n_threads: usize,
    /// Seconds on all processors.
    cpu: Option<f64>,
    /// How it ended, if not by having searched the whole tube.
    cut: Option<&'static str>,
}

/// Runs the bench.
pub(crate) fn run(args: &TubeArgs) -> anyhow::Result<()> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header([
        "level",
        "limits",
        "engine",
        "generating s",
        "searching s",
        "processor s",
        "configs",
        "states",
        "states/s",
        "bytes/config",
        "peak MiB",
        "result",
    ]);
    let mut csv = CsvTable::new(&[
        "level",
        "pushes",
        "boxes",
        "limits",
        "engine",
        "objective",
        "generating_s",
        "searching_s",
        "cpu_s",
        "configs",
        "states",
        "bytes",
        "peak_bytes",
        "moves_after",
        "pushes_after",
        "metrics",
        "end",
    ]);
    let mut n_rows = 0;
    for set in &args.sets {
        let collection = Collection::read(set)?;
        for (number, entry) in (1..).zip(collection.levels()) {
            let title = entry.title_or_number();
            if args.number.is_some_and(|only| only != number) || !title.contains(&args.title) {
                continue;
            }
            let Ok(level) = entry.level() else { continue };
            let solutions = entry.solutions().filter_map(|(_, solution)| solution.ok());
            let Some(start) = solutions.min_by_key(|solution| args.objective.score(&solution.metrics())) else {
                continue;
            };
            for limits in &args.limits {
                for &kind in &args.engines {
                    let run = best_run((level, &start), limits, kind, args)?;
                    add_row(&mut table, (&title, limits), &run);
                    add_csv_row(&mut csv, (&title, level.n_boxes(), &start), limits, &run, args.objective);
                    n_rows += 1;
                }
            }
        }
    }
    ensure!(n_rows > 0, "no level with a valid solution");
    for column in table.column_iter_mut().skip(3).take(8) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    csv.save(args.csv.as_deref())
}

fn best_run(
    (level, start): (&Level, &Solution),
    limits: &str,
    kind: TubeEngine,
    args: &TubeArgs,
) -> anyhow::Result<TubeRun> {
    let limits = limits.split('/').map(str::parse).collect::<Result<Vec<usize>, _>>();
    let mut limits = limits.context("limits are numbers, such as 20/10")?;
    limits.sort_unstable();
    let mut best: Option<TubeRun> = None;
    for _ in 0..args.repeat.max(1) {
        let run = pass((level, start), &limits, kind, args)
            .map_err(|stop| anyhow::anyhow!("the spine alone is too much: {stop:?}"))?;
        if best.as_ref().is_none_or(|best| run.price() < best.price()) {
            best = Some(run);
        }
    }
    best.context("no run")
}

fn pass(
    (level, start): (&Level, &Solution),
    limits: &[usize],
    kind: TubeEngine,
    args: &TubeArgs,
) -> Result<TubeRun, Stop> {
    let objective = args.objective;
    let order = Order::of(&objective);
    let pool = Pool::new(level, start, &[objective]);
    let before = usage::own_cpu_seconds();
    let budget = Budget::new(args.time, MemoryAccount::new(args.memory << 20), Cancel::default());
    let places = ThreadPermits::new(args.threads.saturating_sub(1));
    let places = match args.share_from {
        Some(n_items) => places.with_least_layer(n_items),
        None => places,
    };
    let mut cx = Context::new(&pool, objective, &budget, &()).with_thread_permits(&places);
    let live = LiveIndex::new(level);
    let spine = Spine::new(level, &live, start, budget.memory())?;
    let neighborhood = Neighborhood { limits: limits.to_vec(), ring: RingOrder::ALL[0], boxes: Boxes::All };
    let engine = if kind == TubeEngine::Reference { Engine::Reference } else { Engine::Fast };
    let directions = neighborhood.ring.directions();
    let stretch = SearchWindow { live: &live, spine: &spine, from: 0, to: spine.end(), order, directions, engine };
    let began = budget.elapsed();
    let mut generating = 0.0;
    let mut search_all = |cx: &mut Context<'_>| -> Result<_, Stop> {
        if kind == TubeEngine::Wavefront {
            return search_near(stretch, &neighborhood, cx);
        }
        let tube = Tube::around(
            &live,
            &spine,
            0..=spine.end(),
            &neighborhood,
            TubeOptions { engine, order, store: StoreKind::Hash },
            cx,
        )?;
        generating = (budget.elapsed() - began).as_secs_f64();
        search(SearchWindow { to: tube.to, ..stretch }, &tube.store, cx).map(Some)
    };
    let report = search_all(&mut cx);
    let searching = (budget.elapsed() - began).as_secs_f64() - generating;
    let tally = cx.tally();
    let cut = match report {
        Err(stop) => Some(stop.name()),
        Ok(None) => Some("not for this engine"),
        Ok(Some(report)) if report.finished && report.reached == spine.end() => None,
        Ok(Some(_)) => Some("memory"),
    };
    Ok(TubeRun {
        kind,
        generating,
        searching,
        n_configs: tally.n_configs,
        n_states: tally.n_states,
        bytes: tally.bytes,
        peak: budget.memory().peak(),
        metrics: pool.best(objective).metrics(),
        n_threads: if kind == TubeEngine::Wavefront { args.threads } else { 1 },
        cpu: usage::own_cpu_seconds().zip(before).map(|(after, before)| after - before),
        cut,
    })
}

impl TubeRun {
    /// Seconds that it cost: of processors where the system tells, as other work does not count then; with several
    /// threads, those that pass.
    fn price(&self) -> f64 {
        self.cpu.filter(|_| self.n_threads == 1).unwrap_or(self.generating + self.searching)
    }

    fn engine(&self) -> String {
        format!("{:?}", self.kind).to_lowercase()
    }
}

fn add_csv_row(
    csv: &mut CsvTable,
    (title, n_boxes, start): (&str, usize, &Solution),
    limits: &str,
    run: &TubeRun,
    objective: Objective,
) {
    let TubeRun { generating, searching, n_configs, n_states, bytes, peak, metrics, .. } = run;
    csv.row(&[
        &title,
        &start.metrics().pushes,
        &n_boxes,
        &limits,
        &run.engine(),
        &objective,
        &format!("{generating:.4}"),
        &format!("{searching:.4}"),
        &cell(run.cpu, |cpu| format!("{cpu:.4}")),
        n_configs,
        n_states,
        bytes,
        peak,
        &metrics.moves,
        &metrics.pushes,
        metrics,
        &run.cut.unwrap_or("exhausted"),
    ]);
}

fn add_row(table: &mut Table, (title, limits): (&str, &str), run: &TubeRun) {
    table.add_row([
        title.to_owned(),
        limits.to_owned(),
        run.engine(),
        format!("{:.3}", run.generating),
        format!("{:.3}", run.searching),
        run.cpu.map_or_else(String::new, |cpu| format!("{cpu:.3}")),
        run.n_configs.to_string(),
        run.n_states.to_string(),
        format!("{:.0}", run.n_states as f64 / run.price()),
        format!("{:.1}", run.bytes as f64 / run.n_configs.max(1) as f64),
        format!("{:.1}", run.peak as f64 / f64::from(1 << 20)),
        match run.cut {
            None => run.metrics.to_string(),
            Some(cut) => format!("{} (cut short: {cut})", run.metrics),
        },
    ]);
}
