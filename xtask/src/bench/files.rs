//! `cargo xtask bench files`: what it costs to read level files, to add solutions, and to write them.
//!
//! A few hundred small levels of our own, 10 × 10 with four boxes at most, are repeated with numbers above them. The
//! time for a level has to stay about the same while the file grows a hundredfold.

use std::fmt::Write as _;
use std::io;

use anyhow::{Context as _, ensure};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use sokocore::{Carving, Level, Lurd, Metrics, PlantSpec};
use sokoio::{Collection, SolutionKind, SolutionTitle};
use sokosearch::Clock;

use crate::dataset::{SplitMix64, generate};

/// Arguments of `cargo xtask bench files`.
#[derive(Debug, Args)]
pub(super) struct FilesArgs {
    /// Numbers of levels.
    #[arg(long, value_delimiter = ',', default_values = ["3000", "30000", "300000"])]
    levels: Vec<usize>,
    /// Levels that differ from each other.
    #[arg(long, default_value_t = 300)]
    distinct: usize,
}

/// Seconds of each step, and sizes.
struct FilesRow {
    n_levels: usize,
    n_bytes: usize,
    n_written: usize,
    seconds: [f64; 6],
}

/// Headers of the steps.
const STEPS: [&str; 6] = ["read s", "add in order s", "add at random s", "clone s", "write s", "read again s"];

/// Runs the bench.
pub(super) fn run(args: &FilesArgs) -> anyhow::Result<()> {
    let levels = generate(1, args.distinct, &spec());
    ensure!(!levels.is_empty(), "no level came out; raise --distinct");
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let headers = ["levels", "bytes", "bytes written"].into_iter().chain(STEPS).chain(["µs/level"]);
    table.set_header(headers);
    for &n_levels in &args.levels {
        let row = measure(&levels, n_levels)?;
        let total: f64 = row.seconds.iter().sum();
        let sizes = [row.n_levels, row.n_bytes, row.n_written].map(|number| number.to_string());
        let seconds = row.seconds.iter().map(|seconds| format!("{seconds:.3}"));
        let each = format!("{:.2}", total * 1e6 / n_levels.max(1) as f64);
        table.add_row(sizes.into_iter().chain(seconds).chain([each]));
    }
    table.column_iter_mut().for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    println!("{table}");
    Ok(())
}

fn spec() -> PlantSpec {
    PlantSpec {
        width: 10..=10,
        height: 10..=10,
        carving: Carving::Rooms(4..=8),
        boxes: 2..=4,
        spare_goals: 0..=0,
        pulls: 20..=40,
        detours: 35,
    }
}

fn measure(levels: &[(Level, Lurd)], n_levels: usize) -> anyhow::Result<FilesRow> {
    let mut text = String::new();
    for (number, (level, _)) in levels.iter().cycle().take(n_levels).enumerate() {
        write!(text, "; {number}\n{}\n\n", level.grid().to_string().trim_end())?;
    }
    let mut order: Vec<usize> = (0..n_levels).collect();
    let mut random = SplitMix64(1);
    for at in (1..n_levels).rev() {
        order.swap(at, random.below(at + 1));
    }
    let read = Clock::start();
    let collection = Collection::parse(text.as_bytes());
    let read = read.elapsed();
    ensure!(collection.levels().len() == n_levels, "{} of {n_levels} levels are read", collection.levels().len());
    let in_order = Clock::start();
    add_to_all(&mut collection.clone(), levels, 0..n_levels)?;
    let in_order = in_order.elapsed();
    let mut edited = collection;
    let at_random = Clock::start();
    add_to_all(&mut edited, levels, order)?;
    let at_random = at_random.elapsed();
    let cloned = Clock::start();
    drop(edited.clone());
    let cloned = cloned.elapsed();
    let written = Clock::start();
    edited.write_to(&mut io::sink())?;
    let bytes = edited.to_bytes();
    let written = written.elapsed();
    let again = Clock::start();
    let found = Collection::parse(&bytes);
    let again = again.elapsed();
    let n_games: usize = found.levels().iter().map(|level| level.games().len()).sum();
    ensure!(n_games == n_levels, "{n_games} solutions are read of {n_levels} that were added");
    let seconds = [read, in_order, at_random, cloned, written, again].map(|time| time.as_secs_f64());
    Ok(FilesRow { n_levels, n_bytes: text.len(), n_written: bytes.len(), seconds })
}

fn add_to_all(
    collection: &mut Collection,
    levels: &[(Level, Lurd)],
    order: impl IntoIterator<Item = usize>,
) -> anyhow::Result<()> {
    for at in order {
        let (_, moves) = &levels[at % levels.len()];
        let title = SolutionTitle::new(SolutionKind::Best, Metrics::count(moves.steps())).with_program("Soko");
        collection.add_solution(at, &title, moves, &[]).with_context(|| format!("level {} of the bench", at + 1))?;
    }
    Ok(())
}
