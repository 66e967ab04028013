//! Whether the resident size stays within 5 % of what was allowed, on the levels with the largest tubes: the most
//! pairs of boxes along the solution.

use std::cmp::Reverse;

use comfy_table::{CellAlignment, Table, presets};

use super::super::csv_table::CsvTable;
use super::levels::LevelFile;
use super::selection::pairs;
use super::{Bench, By, mib};

/// How many levels.
const N_LEVELS: usize = 5;
/// What the resident size may be, in hundredths of what was allowed.
const ALLOWED: u64 = 105;

/// One run.
#[derive(Clone, Copy)]
struct Case<'a> {
    level: &'a LevelFile,
    by: By,
    objective: &'static str,
    threads: usize,
    /// MiB.
    size: u64,
}

impl Case<'_> {
    /// Long enough to fill so much, at 25 MiB a second; of processors for an engine alone, which ends when it is full.
    fn seconds(&self, bench: &Bench<'_>) -> f64 {
        (2.0 + self.size as f64 / 25.0) * bench.args.scale
    }
}

/// Returns what was found wrong.
pub(super) fn check(bench: &Bench<'_>) -> anyhow::Result<Vec<String>> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["level", "by", "objective", "threads", "allowed", "accounted", "resident", "%"]);
    let mut csv = CsvTable::new(&[
        "number",
        "level",
        "pushes",
        "by",
        "objective",
        "threads",
        "allowed_bytes",
        "accounted_bytes",
        "resident_bytes",
        "seconds",
        "cpu_seconds",
    ]);
    let mut faults = Vec::new();
    for case in cases(bench) {
        let Case { level, by, objective, threads, size } = case;
        let common = format!("--objective {objective} --threads {threads} --time {}s", case.seconds(bench));
        let (line, usage) = match by {
            By::Program => bench.optimize(&level.path, &format!("{common} --memory {size}MiB --vicinity 40,20"))?,
            _ => bench.fill(&level.path, by, &format!("{common} --memory {size}"))?,
        };
        let accounted = line["peak_bytes"].as_u64().unwrap_or(0);
        let percent = mib(usage.peak_bytes) / size as f64 * 100.0;
        let (title, by) = (format!("{} {}", level.number, level.title), format!("{by:?}").to_lowercase());
        let numbers = [mib(accounted), mib(usage.peak_bytes), percent].map(|number| format!("{number:.1}"));
        eprintln!("{title} {by} {objective}, {threads} threads, {size} MiB: {}", numbers.join(" "));
        let cells = [title.clone(), by.clone(), objective.to_owned(), threads.to_string(), size.to_string()];
        table.add_row(cells.into_iter().chain(numbers));
        csv.row(&[
            &level.number,
            &level.title,
            &level.n_pushes,
            &by,
            &objective,
            &threads,
            &(size << 20),
            &accounted,
            &usage.peak_bytes,
            &format!("{:.3}", usage.seconds),
            &format!("{:.3}", usage.cpu_seconds),
        ]);
        if usage.peak_bytes * 100 > (size << 20) * ALLOWED {
            let resident = mib(usage.peak_bytes);
            faults.push(format!("{title}, {by}, {objective}, {threads} threads: {resident:.1} MiB of {size} allowed"));
        }
    }
    table.column_iter_mut().skip(3).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    println!("{table}");
    csv.save(bench.csv("memory.csv").as_deref())?;
    Ok(faults)
}

/// The runs, the levels with the largest tubes first.
fn cases<'a>(bench: &'a Bench<'_>) -> Vec<Case<'a>> {
    let mut levels: Vec<_> = bench.levels.iter().collect();
    levels.sort_by_key(|level| Reverse(level.n_pairs()));
    levels.truncate(N_LEVELS);
    let mut cases = Vec::new();
    for &by in &bench.args.by {
        for &size in &bench.args.sizes {
            for &level in &levels {
                for (objective, threads) in [("moves", 1), ("moves", 2), ("pushes", 1), ("pushes", 2)] {
                    cases.push(Case { level, by, objective, threads, size });
                }
            }
        }
    }
    bench.chosen(cases, |case| {
        let Case { level, by, objective, threads, size } = case;
        let level = format!("level {}", level.number);
        let settings = [format!("{by:?}"), (*objective).to_owned(), threads.to_string(), size.to_string()];
        pairs(&settings).into_iter().chain([level]).collect()
    })
}
