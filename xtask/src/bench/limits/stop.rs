//! How long a search runs after it was cancelled, in processor time, so that other work on the machine does not
//! count: searches look for the end of their time where they look for a stop by the user.
//!
//! Each search runs until it has had so many milliseconds of a processor; then the flag is raised, and what the
//! process uses from there until the search is over counts as late.

use std::time::Duration;

use anyhow::Context as _;
use comfy_table::{CellAlignment, Table, presets};
use sokocore::{Level, Solution};
use sokoio::Collection;
use sokomethods::{Knobs, optimize};
use sokosearch::{Budget, Cancel, Context, MemoryAccount, Pool};

use super::super::csv_table::CsvTable;
use super::super::usage;
use super::{Bench, Timed};

/// Most milliseconds for which a search may run after that.
const ALLOWED_MS: f64 = 50.0;

/// Returns what was found wrong.
pub(super) fn check(bench: &Bench<'_>) -> anyhow::Result<Vec<String>> {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["told after ms", "vicinity", "objective", "store", "searches", "median ms", "most ms", "latest"]);
    let mut csv = CsvTable::new(&["number", "level", "told_after_ms", "vicinity", "objective", "store", "late_cpu_ms"]);
    let mut faults = Vec::new();
    for kind in bench.timed() {
        let (limit, settings, objective, store) =
            (kind.limit_ms, kind.vicinity("/"), kind.objective.to_string(), kind.store());
        let mut all = Vec::new();
        for file in &bench.levels {
            let collection = Collection::read(&file.path)?;
            let entry = collection.levels().first().context("the file has a level")?;
            let level = entry.level().ok().context("the level was read before")?;
            let start = entry.solutions().find_map(|(_, solution)| solution.ok()).context("no solution")?;
            let Some(late) = late(level, &start, kind)? else { continue };
            let who = format!("{} {}", file.number, file.title);
            csv.row(&[&file.number, &file.title, &limit, &settings, &objective, &store, &format!("{late:.2}")]);
            if late > ALLOWED_MS {
                faults.push(format!(
                    "level {who}, {settings}, {objective}, {store}: {late:.1} ms after a stop at {limit} ms"
                ));
            }
            all.push((late, who));
        }
        all.sort_by(|one, other| one.0.total_cmp(&other.0));
        let median = all.get(all.len() / 2).map_or(0.0, |(late, _)| *late);
        let (most, latest) = all.last().cloned().unwrap_or_default();
        eprintln!("stop {settings} {objective} {store} {limit} ms: {most:.1} ms late at most, {latest}");
        let numbers = [format!("{median:.2}"), format!("{most:.2}")];
        let cells = [limit.to_string(), settings, objective, store, all.len().to_string()];
        table.add_row(cells.into_iter().chain(numbers).chain([latest]));
    }
    table.column_iter_mut().skip(4).take(3).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    println!("{table}");
    csv.save(bench.csv("stop.csv").as_deref())?;
    Ok(faults)
}

/// Processor milliseconds that a search uses after the flag was raised; `None` if it was over before that.
fn late(level: &Level, start: &Solution, kind: Timed) -> anyhow::Result<Option<f64>> {
    let objective = kind.objective;
    let pool = Pool::new(level, start, &[objective]);
    let cancel = Cancel::default();
    let budget = Budget::new(None, MemoryAccount::new(1 << 30), cancel.clone());
    let mut cx = Context::new(&pool, objective, &budget, &());
    let knobs = Knobs::default().with_vicinity(kind.vicinity).with_store(kind.store.kind());
    let over = Cancel::default();
    let cpu = || usage::own_cpu_seconds().context("processor time is not known here");
    let end = cpu()? + f64::from(kind.limit_ms) / 1e3;
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while !over.is_cancelled() {
                let now = usage::own_cpu_seconds()?;
                if now >= end {
                    cancel.cancel();
                    return Some(now);
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            None
        });
        let stopped = optimize(&knobs, &mut cx);
        let after = cpu();
        over.cancel();
        let told = watch.join().ok().flatten();
        Ok(told.filter(|_| stopped.is_err()).zip(after.ok()).map(|(told, after)| (after - told) * 1e3))
    })
}
