//! Whether solutions of 5,000 pushes and more are worked on whole, in 1 GiB.
//!
//! Two questions, for each objective. Does one search in that memory contain every state of the spine: does a window
//! from the first state to the last come to its end, with everything cheaper searched? And does the program, in the
//! same memory measured from outside, gain?

use anyhow::Context as _;
use comfy_table::{CellAlignment, Table, presets};
use sokocore::{Level, Objective, Solution};
use sokoio::Collection;
use sokomethods::{Knobs, Vicinity};
use sokosearch::{Budget, Cancel, Context, LiveIndex, MemoryAccount, Pool, RingOrder, Spine, Stop};

use super::super::csv_table::CsvTable;
use super::levels::{self, OWN_PUSHES};
use super::{Bench, mib};

/// Memory for the search, and for the program.
const MEMORY_MIB: u64 = 1024;
/// Neighborhoods, the smallest first: the last that fits is reported.
const LIMITS: [&[usize]; 4] = [&[10], &[20], &[3, 6], &[10, 20]];
/// Ticks of work for one search: one that takes longer counts as too large.
const WORK: u64 = 400_000_000;
/// Seconds for the program.
const SECONDS: f64 = 40.0;

/// The columns of the rows.
const COLUMNS: [&str; 11] = [
    "level",
    "pushes",
    "objective",
    "limits",
    "is_whole",
    "configs",
    "peak_bytes",
    "moves",
    "pushes_after",
    "resident_bytes",
    "gained",
];

/// One search over a whole solution.
struct Pass {
    limits: &'static [usize],
    is_whole: bool,
    end: Result<(), Stop>,
    n_configs: u64,
    peak: u64,
    moves: u64,
    pushes: u64,
}

/// Returns what was found wrong.
pub(super) fn check(bench: &Bench<'_>) -> anyhow::Result<Vec<String>> {
    let (level, solution) = levels::long_level()?;
    let own = levels::write(bench.desk.path(), 0, "a level of our own", &level, &solution)?;
    let longest = bench.levels.iter().filter(|level| level.number > 0 && level.n_pushes >= OWN_PUSHES);
    let longest = longest.max_by_key(|level| level.n_pushes);
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let heads = ["level", "pushes", "objective", "whole with", "configs", "MiB", "after it", "program, MiB", "gained"];
    table.set_header(heads);
    let mut csv = CsvTable::new(&COLUMNS);
    let mut faults = Vec::new();
    let files = [Some(&own), longest].into_iter().flatten();
    let objectives = [("moves", Objective::MOVES), ("pushes", Objective::PUSHES)];
    let cases = files.flat_map(|file| objectives.map(|objective| (file, objective))).collect();
    for (file, (name, objective)) in
        bench.chosen(cases, |(file, (name, _))| vec![file.title.clone(), (*name).to_owned()])
    {
        let collection = Collection::read(&file.path)?;
        let entry = collection.levels().first().context("the file has a level")?;
        let level = entry.level().ok().context("the level was read before")?;
        let start = entry.solutions().find_map(|(_, solution)| solution.ok()).context("it has a solution")?;
        let pass = largest_whole(level, &start, objective)?;
        let seconds = SECONDS * bench.args.scale;
        let options = format!("--objective {name} --threads 1 --memory {MEMORY_MIB}MiB --time {seconds}");
        let (line, usage) = bench.optimize(&file.path, &options)?;
        let gained = line["before"][name].as_u64().unwrap_or(0) - line["after"][name].as_u64().unwrap_or(0);
        let limits: Vec<String> = pass.limits.iter().rev().map(ToString::to_string).collect();
        let limits = limits.join("/");
        let who = format!("{} ({} pushes), {name}", file.title, file.n_pushes);
        if !pass.is_whole {
            faults.push(format!("{who}: not even {limits} is searched whole in {MEMORY_MIB} MiB ({:?})", pass.end));
        }
        if usage.peak_bytes > MEMORY_MIB << 20 {
            faults.push(format!("{who}: {:.1} MiB where {MEMORY_MIB} were allowed", mib(usage.peak_bytes)));
        }
        if gained == 0 {
            faults.push(format!("{who}: nothing was gained in {seconds} s"));
        }
        csv.row(&[
            &file.title,
            &file.n_pushes,
            &name,
            &limits,
            &pass.is_whole,
            &pass.n_configs,
            &pass.peak,
            &pass.moves,
            &pass.pushes,
            &usage.peak_bytes,
            &gained,
        ]);
        table.add_row([
            file.title.clone(),
            file.n_pushes.to_string(),
            name.to_owned(),
            if pass.is_whole { limits } else { format!("not {limits}") },
            pass.n_configs.to_string(),
            format!("{:.1}", mib(pass.peak)),
            format!("{}/{}", pass.moves, pass.pushes),
            format!("{:.1}", mib(usage.peak_bytes)),
            gained.to_string(),
        ]);
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        if ![0, 2, 3].contains(&at) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    println!("{table}");
    csv.save(bench.csv("whole.csv").as_deref())?;
    Ok(faults)
}

/// Searches the whole solution with the largest neighborhood that fits; the smallest of them if none does.
fn largest_whole(level: &Level, start: &Solution, objective: Objective) -> anyhow::Result<Pass> {
    let mut largest = None;
    for limits in LIMITS {
        let pass = search_whole(level, start, objective, limits)?;
        eprintln!("{limits:?} {objective}: whole {} {:?} {:.1} MiB", pass.is_whole, pass.end, mib(pass.peak));
        if !pass.is_whole {
            return Ok(largest.unwrap_or(pass));
        }
        largest = Some(pass);
    }
    largest.context("there are neighborhoods to try")
}

fn search_whole(
    level: &Level,
    start: &Solution,
    objective: Objective,
    limits: &'static [usize],
) -> anyhow::Result<Pass> {
    let pool = Pool::new(level, start, &[objective]);
    let budget = Budget::new(None, MemoryAccount::new(MEMORY_MIB << 20), Cancel::default()).with_work(Some(WORK));
    let mut cx = Context::new(&pool, objective, &budget, &());
    let live = LiveIndex::new(level);
    let spine = Spine::new(level, &live, start, budget.memory())
        .map_err(|stop| anyhow::anyhow!("not even the spine fits: {stop:?}"))?;
    let vicinity = Vicinity::new(limits, RingOrder::ALL[0], &Knobs::default());
    let searched = vicinity.run_window(&live, &spine, 0..=spine.end(), &mut cx);
    let is_whole = searched.is_ok_and(|searched| {
        searched.to == spine.end() && searched.report.finished && searched.report.reached == spine.end()
    });
    let metrics = pool.best(objective).metrics();
    Ok(Pass {
        limits,
        is_whole,
        end: searched.map(|_| ()),
        n_configs: cx.tally().n_configs,
        peak: budget.memory().peak(),
        moves: metrics.moves,
        pushes: metrics.pushes,
    })
}
