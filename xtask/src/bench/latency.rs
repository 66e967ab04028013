//! `cargo xtask bench latency`: how many lookups a second the memory of this machine allows.
//!
//! A search is a stream of reads at random places. *Dependent*: each read tells where the next one is, so one waits
//! for the other and this is the latency. *Independent*: the places are known beforehand, so the processor keeps
//! several under way, and this is what prefetching could reach at best. Between the two lies an engine that looks up
//! one configuration after the other; `HashStore` here is filled to 13/16 with keys of 64 bits, and half of the
//! lookups find nothing.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use sokocore::{Level, Objective, replay};
use sokosearch::{Budget, Cancel, ConfigStore, Context, HashStore, MemoryAccount, Pool};

use super::csv_table::CsvTable;
use super::usage;
use crate::dataset::SplitMix64;

/// Arguments of `cargo xtask bench latency`.
#[derive(Debug, Args)]
pub(super) struct LatencyArgs {
    /// Sizes in MiB.
    #[arg(long, value_delimiter = ',', default_values = ["1", "16", "64", "256", "1024"])]
    sizes: Vec<usize>,
    /// Millions of reads for each figure.
    #[arg(long, default_value_t = 4)]
    millions: u32,
    /// Repetitions; the fastest counts.
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Write the rows to this file as comma-separated values.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Nanoseconds of processor time for one read.
struct LatencyRow {
    size: usize,
    dependent: f64,
    independent: f64,
    store: f64,
}

/// Runs the bench.
pub(super) fn run(args: &LatencyArgs) -> anyhow::Result<()> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["MiB", "dependent ns", "million/s", "independent ns", "million/s", "HashStore ns", "million/s"]);
    let mut csv = CsvTable::new(&["mib", "dependent_ns", "independent_ns", "store_ns"]);
    for &size in &args.sizes {
        let row = measure(size, args)?;
        let numbers = [row.dependent, row.independent, row.store];
        eprintln!("{} MiB: {numbers:.1?} ns", row.size);
        let cells = numbers.iter().flat_map(|&ns| [format!("{ns:.1}"), format!("{:.1}", 1e3 / ns)]);
        table.add_row(std::iter::once(row.size.to_string()).chain(cells));
        let [dependent, independent, store] = numbers.map(|ns| format!("{ns:.2}"));
        csv.row(&[&row.size, &dependent, &independent, &store]);
    }
    table.column_iter_mut().for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    println!("{table}");
    csv.save(args.csv.as_deref())
}

fn measure(size: usize, args: &LatencyArgs) -> anyhow::Result<LatencyRow> {
    let n_reads = u64::from(args.millions.max(1)) * 1_000_000;
    let ring = one_ring(size);
    let fastest = |run: &mut dyn FnMut() -> u64| -> anyhow::Result<f64> {
        let mut least = f64::MAX;
        for _ in 0..args.repeat.max(1) {
            let before = usage::own_cpu_seconds().context("processor time is not known here")?;
            std::hint::black_box(run());
            let after = usage::own_cpu_seconds().context("processor time is not known here")?;
            least = least.min((after - before) * 1e9 / n_reads as f64);
        }
        Ok(least)
    };
    let mut at = 0;
    let dependent = fastest(&mut || {
        (0..n_reads).for_each(|_| at = ring[at as usize * LINE]);
        u64::from(at)
    })?;
    let n_lines = ring.len() / LINE;
    let mut random = SplitMix64(2);
    let independent =
        fastest(&mut || (0..n_reads).map(|_| u64::from(ring[random.below(n_lines) * LINE])).sum::<u64>())?;
    drop(ring);
    let store = in_store(size, |store, n_configs| {
        let mut random = SplitMix64(3);
        let mut look_up = || store.find(&[key(random.below(2 * n_configs))]).is_some();
        fastest(&mut || (0..n_reads).filter(|_| look_up()).count() as u64)
    })??;
    Ok(LatencyRow { size, dependent, independent, store })
}

/// Numbers in a line of the cache.
const LINE: usize = 16;

/// A single ring through all lines of so many MiB in random order (Sattolo, 1986), one number in each.
fn one_ring(mib: usize) -> Vec<u32> {
    let n_lines = (mib << 20) / (4 * LINE);
    let mut ring = vec![0_u32; n_lines * LINE];
    (0..).zip(ring.iter_mut().step_by(LINE)).for_each(|(number, line)| *line = number);
    let mut random = SplitMix64(1);
    for at in (1..n_lines).rev() {
        ring.swap(at * LINE, random.below(at) * LINE);
    }
    ring
}

/// The key with this number; never zero.
fn key(number: usize) -> u64 {
    SplitMix64(number as u64).next() | 1 << 63
}

/// Fills a store of so many MiB.
fn in_store<T>(mib: usize, run: impl FnOnce(&HashStore, usize) -> T) -> anyhow::Result<T> {
    let n_configs = (mib << 20) / 8 / 16 * 13 - 32;
    let level = Level::parse("#####\n#@$.#\n#####")?;
    let start = replay(&level, &"R".parse()?)?;
    let pool = Pool::new(&level, &start, &[Objective::MOVES]);
    let budget = Budget::new(None, MemoryAccount::new(u64::MAX), Cancel::default());
    let cx = Context::new(&pool, Objective::MOVES, &budget, &());
    let full = |stop| anyhow::anyhow!("the store did not take so much: {stop:?}");
    let mut store = HashStore::with_room(1, n_configs as u64, budget.memory(), u64::MAX, 0).map_err(full)?;
    for number in 0..n_configs {
        store.insert(&[key(number)], &cx).map_err(full)?;
    }
    Ok(run(&store, n_configs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_goes_through_every_line() {
        let ring = one_ring(1);
        let n_lines = ring.len() / LINE;
        let (mut at, mut n_steps) = (0, 0);
        loop {
            at = ring[at as usize * LINE];
            n_steps += 1;
            if at == 0 {
                break;
            }
        }
        assert_eq!(n_steps, n_lines);
    }
}
