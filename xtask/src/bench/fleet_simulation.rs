//! `cargo xtask bench fleet-simulation`: how many workers one server can serve, and what they gain.
//!
//! ```text
//!   workers ──requests──▶ one server, one request at a time ──▶ queues of slices, one for each class of rates
//!      ▲                                                              │
//!      └── slice of an item: its curve tells what it gains ◀──────────┘
//! ```
//!
//! The workers do what those of `sokofleet` do: they ask the classes for a slice from the first to the last, read what there
//! is of its item, search, write what came of it, and put the item's next slice into the class of its rate. Lengths of
//! slices and rates are those of [`sokonight::Item`], gains those of the curves that `cargo xtask bench night` records. A
//! set of any size is made of the recorded curves, again and again.
//!
//! * [`server`]: a queue of requests. [`fleet`]: workers, classes and items.

mod fleet;
mod server;

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use sokocore::Objective;

use super::csv_table::CsvTable;
use super::night::recorded_curves;
use fleet::{FleetEnd, FleetPlan, SimulatedItem};
use server::RequestTimes;

/// Arguments of `cargo xtask bench fleet-simulation`.
#[derive(Debug, Args)]
pub(super) struct FleetSimulationArgs {
    /// Folder of the curves that `cargo xtask bench night` has recorded.
    #[arg(long, value_name = "FOLDER")]
    curves: PathBuf,
    /// Level file of the curves; may be given several times [default: dev.sok of `SOKO_LEVELS` or of ../shared/levels].
    #[arg(long, value_name = "FILE")]
    set: Vec<PathBuf>,
    /// What is improved; several objectives, joined by commas.
    #[arg(long, value_delimiter = ',', default_value = "moves,pushes")]
    objective: Vec<Objective>,
    /// Numbers of workers of one thread each, joined by commas.
    #[arg(long, value_delimiter = ',', default_value = "1,10,100,200,500,1000,2000")]
    workers: Vec<usize>,
    /// Numbers of items, joined by commas: levels times objectives.
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000")]
    items: Vec<usize>,
    /// Seconds that are simulated.
    #[arg(long, default_value_t = 3_600.0)]
    time: f64,
    /// How many times as long the curves are: for levels that take as many times as long.
    #[arg(long, default_value_t = 1.0)]
    stretch: f64,
    /// Microseconds of the server for each request.
    #[arg(long, default_value_t = 20.0)]
    message: f64,
    /// Milliseconds that a request and its answer are on the way.
    #[arg(long, default_value_t = 0.3)]
    network: f64,
    /// Requests before a slice, once it was taken: its record, its solutions, its checkpoint.
    #[arg(long, default_value_t = 5)]
    reads: u32,
    /// Requests after a slice: what was found, its checkpoint, its record, its next slice, the acknowledgement.
    #[arg(long, default_value_t = 6)]
    writes: u32,
    /// Requests of each worker a second while it searches: signs of life, and looks at what others have found.
    #[arg(long, default_value_t = 0.6)]
    beats: f64,
    /// Write one line for each number of items and workers to this file as comma-separated values.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Runs the bench.
pub(super) fn run(args: &FleetSimulationArgs) -> anyhow::Result<()> {
    ensure!(
        args.time > 0.0 && args.stretch > 0.0 && args.message >= 0.0 && args.network >= 0.0 && args.beats >= 0.0,
        "--time and --stretch are more than 0, --message, --network and --beats not less"
    );
    ensure!(args.workers.iter().chain(&args.items).all(|&n| n > 0), "--workers and --items are more than 0");
    let (curves, bounds) = recorded_curves(&args.curves, &args.set, &args.objective)?;
    let recorded: Vec<_> =
        curves.iter().map(|curve| SimulatedItem::new(curve, bounds.of(curve), args.stretch)).collect();
    let mut rows = Vec::new();
    for &n_items in &args.items {
        let items: Vec<_> = recorded.iter().cycle().take(n_items).cloned().collect();
        for &n_workers in &args.workers {
            let plan = FleetPlan {
                n_workers,
                seconds: args.time,
                times: RequestTimes { server: args.message / 1e6, network: args.network / 1e3 },
                n_reads: args.reads,
                n_writes: args.writes,
                beats: args.beats,
            };
            let end = plan.run(items.clone());
            eprintln!("{n_items} items, {n_workers} workers: {:.1} slices a second", end.slices_a_second());
            rows.push((n_items, plan, end));
        }
    }
    println!("{}", report(&rows));
    csv(&rows).save(args.csv.as_deref())
}

fn report(rows: &[(usize, FleetPlan, FleetEnd)]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header([
        "items",
        "workers",
        "slices a second",
        "searching",
        "asking",
        "idle",
        "server busy",
        "busiest minute",
        "answer",
        "gain",
        "of all",
    ]);
    for (n_items, plan, end) in rows {
        let percent = |ratio: f64| format!("{:.1} %", 100.0 * ratio);
        table.add_row([
            n_items.to_string(),
            plan.n_workers.to_string(),
            format!("{:.1}", end.slices_a_second()),
            percent(end.searching),
            percent(end.asking),
            percent(end.idle),
            percent(end.server_load),
            percent(end.busiest_minute),
            format!("{:.2} ms", 1e3 * end.answer),
            format!("{:.0}", end.gain),
            percent(end.gain / end.possible.max(1.0)),
        ]);
    }
    table.column_iter_mut().for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    let mut text = String::new();
    let _ = writeln!(text, "{table}");
    text
}

fn csv(rows: &[(usize, FleetPlan, FleetEnd)]) -> CsvTable {
    let mut csv = CsvTable::new(&[
        "items",
        "workers",
        "seconds",
        "slices",
        "searching",
        "asking",
        "idle",
        "server_load",
        "busiest_minute",
        "answer_seconds",
        "gain",
        "possible",
    ]);
    for (n_items, plan, end) in rows {
        csv.row(&[
            n_items,
            &plan.n_workers,
            &plan.seconds,
            &end.n_slices,
            &format_args!("{:.4}", end.searching),
            &format_args!("{:.4}", end.asking),
            &format_args!("{:.4}", end.idle),
            &format_args!("{:.4}", end.server_load),
            &format_args!("{:.4}", end.busiest_minute),
            &format_args!("{:.6}", end.answer),
            &end.gain,
            &end.possible,
        ]);
    }
    csv
}
