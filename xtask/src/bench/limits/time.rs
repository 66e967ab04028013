//! Whether searches end in time, from 10 ms up.
//!
//! *Late* is what a search itself says, by the clock on the wall, in excess of its limit: under load an upper bound.
//! *Processor late* is what the whole program used beyond the limit, and beyond what the same program uses to read the
//! level, begin, be stopped after one tick of work and write.

use comfy_table::{CellAlignment, Table, presets};
use sokocore::Objective;

use super::super::csv_table::CsvTable;
use super::levels::LevelFile;
use super::{Bench, Timed};

/// Most milliseconds that a search may be late.
const ALLOWED_MS: f64 = 50.0;

/// How late a search was, in milliseconds.
#[derive(Clone, Copy, Default)]
struct Lateness {
    by_wall: f64,
    by_processor: f64,
    /// Of the whole program, from its start to its end, by the clock on the wall.
    outside: f64,
    n_tries: usize,
}

/// Returns what was found wrong.
pub(super) fn check(bench: &Bench<'_>) -> anyhow::Result<Vec<String>> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header([
        "limit ms",
        "vicinity",
        "objective",
        "store",
        "searches",
        "late ms, median",
        "most",
        "processor late, most",
        "run again",
        "latest",
    ]);
    let mut csv = CsvTable::new(&[
        "number",
        "level",
        "limit_ms",
        "vicinity",
        "objective",
        "store",
        "late_ms",
        "processor_late_ms",
        "whole_late_ms",
        "tries",
    ]);
    let mut faults = Vec::new();
    for kind in bench.timed() {
        let mut all: Vec<(Lateness, &LevelFile)> = Vec::new();
        for level in &bench.levels {
            let late = least_late(bench, level, kind)?;
            let LevelFile { number, title, .. } = level;
            let limit = kind.limit_ms;
            let Lateness { by_wall, by_processor, outside, n_tries } = late;
            let [wall, processor, whole] = [by_wall, by_processor, outside].map(|ms| format!("{ms:.2}"));
            let (vicinity, objective, store) = (kind.vicinity("/"), kind.objective, kind.store());
            csv.row(&[number, title, &limit, &vicinity, &objective, &store, &wall, &processor, &whole, &n_tries]);
            if by_wall > ALLOWED_MS {
                faults.push(format!(
                    "level {number} {title}, {vicinity}, {objective}, {store}: {by_wall:.1} ms late at a limit of \
                     {limit} ms, in each of {n_tries} runs (processor {by_processor:.1} ms)"
                ));
            }
            all.push((late, level));
        }
        table.add_row(row(kind, &mut all));
    }
    table.column_iter_mut().skip(4).take(5).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    println!("{table}");
    csv.save(bench.csv("time.csv").as_deref())?;
    Ok(faults)
}

fn row(kind: Timed, all: &mut [(Lateness, &LevelFile)]) -> [String; 10] {
    all.sort_by(|one, other| one.0.by_wall.total_cmp(&other.0.by_wall));
    let median = all.get(all.len() / 2).map_or(0.0, |(late, _)| late.by_wall);
    let (most, latest) = all
        .last()
        .map_or((0.0, String::new()), |(late, level)| (late.by_wall, format!("{} {}", level.number, level.title)));
    let by_processor = all.iter().map(|(late, _)| late.by_processor).fold(f64::MIN, f64::max);
    let n_again = all.iter().filter(|(late, _)| late.n_tries > 1).count();
    let cells = [kind.limit_ms.to_string(), kind.vicinity("/"), kind.objective.to_string(), kind.store()];
    eprintln!("{}: {most:.1} ms late at most", cells.join(" "));
    let [limit, vicinity, objective, store] = cells;
    [
        limit,
        vicinity,
        objective,
        store,
        all.len().to_string(),
        format!("{median:.2}"),
        format!("{most:.2}"),
        format!("{by_processor:.2}"),
        n_again.to_string(),
        latest,
    ]
}

/// Processor milliseconds that the program uses besides searching; the least of two runs.
fn floor(bench: &Bench<'_>, level: &LevelFile, objective: Objective) -> anyhow::Result<f64> {
    let mut least = f64::MAX;
    for _ in 0..2 {
        let options = format!("--objective {objective} --threads 1 --memory 1GiB --work 1");
        least = least.min(bench.optimize(&level.path, &options)?.1.cpu_seconds * 1e3);
    }
    Ok(least)
}

/// Runs a search until it is in time, or often enough; returns the run that was least late.
fn least_late(bench: &Bench<'_>, level: &LevelFile, kind: Timed) -> anyhow::Result<Lateness> {
    let Timed { limit_ms: limit, objective, .. } = kind;
    let (vicinity, store) = (kind.vicinity(","), kind.store());
    let options = format!(
        "--objective {objective} --threads 1 --memory 1GiB --time {limit}ms --vicinity {vicinity} --store {store}"
    );
    let floor = floor(bench, level, objective)?;
    let mut best = Lateness { by_wall: f64::MAX, ..Lateness::default() };
    for n_tries in 1..=bench.args.tries.max(1) {
        let (line, usage) = bench.optimize(&level.path, &options)?;
        let limit = f64::from(limit);
        let late = Lateness {
            by_wall: line["seconds"].as_f64().unwrap_or(f64::MAX) * 1e3 - limit,
            by_processor: usage.cpu_seconds * 1e3 - floor - limit,
            outside: usage.seconds * 1e3 - limit,
            n_tries,
        };
        best = if late.by_wall < best.by_wall { late } else { Lateness { n_tries, ..best } };
        if best.by_wall <= ALLOWED_MS {
            break;
        }
    }
    Ok(best)
}
