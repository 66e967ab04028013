//! `cargo xtask bench resume`: whether two runs, the second of which continues from the checkpoint of the first, end like
//! one run of twice the length.
//!
//! ```text
//!   start ─▶ one run ────────────────────────────────────────▶ whole
//!   start ─▶ first run ─▶ half ─┬─ checkpoint, as bytes ─────▶ resumed
//!                               └─ without it ───────────────▶ anew
//! ```
//!
//! What the first run gains, all have in common. The share that is reported is of the gain of the whole run.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::ensure;
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use parking_lot::Mutex;
use sokocore::{Objective, Solution};
use sokomethods::{Checkpoint, Knobs, SharedSolutionSource, optimize_from};
use sokosearch::{Budget, Cancel, Context, MemoryAccount, Pool, run_jobs};
use sokosolver::{PortfolioSource, SolveKnobs};

use super::comparison::Comparison;
use super::level_set::{BenchLevel, bench_levels, sets_or_standard};
use super::parse_seconds;

/// Part of the memory that a source of solutions may take: one in so many.
const SOURCE_PART: u64 = 4;

/// Arguments of `cargo xtask bench resume`.
#[derive(Debug, Args)]
pub(super) struct ResumeArgs {
    /// Level file with a solution for each level; may be given several times [default: dev.sok of `SOKO_LEVELS` or of
    /// ../shared/levels].
    #[arg(long, value_name = "FILE")]
    set: Vec<PathBuf>,
    /// Seconds of each of the two runs, such as 30 or 0.5, with or without a final s.
    #[arg(long, default_value = "30", value_parser = parse_seconds)]
    time: Duration,
    /// Ticks of each of the two runs instead of seconds: repeatable on any machine.
    #[arg(long)]
    work: Option<u64>,
    /// What to improve; several objectives, joined by commas, one after the other.
    #[arg(long, value_delimiter = ',', default_value = "moves,pushes")]
    objective: Vec<Objective>,
    /// Only every K-th level, beginning with the first.
    #[arg(long, value_name = "K", default_value_t = 1)]
    every: usize,
    /// Let the solver find further starts.
    #[arg(long)]
    source: bool,
    /// Levels at a time.
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
    /// Memory for each level, in MiB.
    #[arg(long, default_value_t = 1024)]
    memory: u64,
    /// Write one line for each level and objective to this file as comma-separated values.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// What became of one level: the objective's first metric of each solution.
#[derive(Clone, Debug)]
struct ResumeRow {
    number: usize,
    title: String,
    start: u64,
    half: u64,
    resumed: u64,
    whole: u64,
    anew: u64,
    /// Tubes that the two runs with a checkpoint have searched, and those of the whole run.
    n_tubes: u64,
    n_tubes_of_whole: u64,
    /// Size of the checkpoint.
    n_bytes: usize,
}

/// The end of one run.
struct RunEnd {
    best: Solution,
    checkpoint: Vec<u8>,
    n_tubes: u64,
}

/// Runs the bench.
pub(super) fn run(args: &ResumeArgs) -> anyhow::Result<()> {
    let sets = sets_or_standard(&args.set)?;
    let mut csv = "number,level,objective,start,half,resumed,whole,anew,tubes,tubes_of_whole,bytes\n".to_owned();
    for &objective in &args.objective {
        let mut levels = Vec::new();
        for set in &sets {
            levels.extend(bench_levels(set, objective)?);
        }
        let levels: Vec<_> = levels.into_iter().step_by(args.every.max(1)).collect();
        ensure!(!levels.is_empty(), "no level with a valid solution");
        let rows = Mutex::new(Vec::new());
        run_jobs(args.threads.get(), &levels, |level| {
            let row = run_level(level, objective, args);
            let ResumeRow { title, start, half, resumed, whole, anew, .. } = &row;
            eprintln!("{title:<40} {start} -> {half} -> {resumed}; at once {whole}, anew {anew}");
            rows.lock().push(row);
        });
        let mut rows = rows.into_inner();
        rows.sort_by_key(|row| row.number);
        println!("{}", table(&rows));
        println!("{}", summary(&rows, objective));
        for row in &rows {
            write_csv(row, objective, &mut csv);
        }
        // What is done is kept if the rest is stopped.
        if let Some(path) = &args.csv {
            sokoio::write_file(path, csv.as_bytes())?;
        }
    }
    Ok(())
}

fn run_level(level: &BenchLevel, objective: Objective, args: &ResumeArgs) -> ResumeRow {
    let run = |start: &Solution, checkpoint: Option<&[u8]>, n_parts: u32| {
        run_once(level, start, checkpoint, n_parts, objective, args)
    };
    let first = run(&level.start, None, 1);
    let second = run(&first.best, Some(&first.checkpoint), 1);
    let whole = run(&level.start, None, 2);
    let anew = run(&first.best, None, 1);
    let of = |solution: &Solution| objective.order()[0].of(&solution.metrics());
    ResumeRow {
        number: level.number,
        title: level.title.clone(),
        start: of(&level.start),
        half: of(&first.best),
        resumed: of(&second.best),
        whole: of(&whole.best),
        anew: of(&anew.best),
        n_tubes: first.n_tubes + second.n_tubes,
        n_tubes_of_whole: whole.n_tubes,
        n_bytes: first.checkpoint.len(),
    }
}

/// Runs for so many parts of the time or work.
fn run_once(
    level: &BenchLevel,
    start: &Solution,
    checkpoint: Option<&[u8]>,
    n_parts: u32,
    objective: Objective,
    args: &ResumeArgs,
) -> RunEnd {
    let checkpoint = checkpoint.map(|bytes| Checkpoint::from_bytes(bytes).expect("invariant: it was just written"));
    let pool = Pool::new(&level.level, start, &[objective]);
    let time = if args.work.is_none() { Some(args.time * n_parts) } else { None };
    let memory = MemoryAccount::new(args.memory << 20);
    let budget = Budget::new(time, memory, Cancel::default());
    let budget = budget.with_work(args.work.map(|work| work * u64::from(n_parts)));
    let of_source = budget.clone().with_memory(budget.memory().part(budget.memory().limit() / SOURCE_PART));
    let source = || SharedSolutionSource::new(PortfolioSource::new(&level.level, &SolveKnobs::default(), &of_source));
    let knobs = Knobs::default().with_source(args.source.then(source));
    let mut cx = Context::new(&pool, objective, &budget, &());
    let (_, last) = optimize_from(&knobs, checkpoint.as_ref(), None, &mut cx);
    let checkpoint = last.map(|last| last.to_bytes()).unwrap_or_default();
    RunEnd { best: pool.best(objective), checkpoint, n_tubes: cx.tally().n_tubes }
}

fn table(rows: &[ResumeRow]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["level", "start", "half", "resumed", "whole", "anew", "KiB"]);
    for row in rows {
        let metrics = [row.start, row.half, row.resumed, row.whole, row.anew].map(|metric| metric.to_string());
        let size = format!("{:.1}", row.n_bytes as f64 / 1024.0);
        table.add_row([row.title.clone()].into_iter().chain(metrics).chain([size]));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn summary(rows: &[ResumeRow], objective: Objective) -> String {
    let sum = |of: fn(&ResumeRow) -> u64| rows.iter().map(of).sum::<u64>();
    let (start, whole) = (sum(|row| row.start), sum(|row| row.whole));
    let (half, resumed, anew) = (sum(|row| row.half), sum(|row| row.resumed), sum(|row| row.anew));
    let share = |end: u64| (share_of_gain(start, end, whole), share_of_gain(half, end, whole));
    let levels = Comparison::of(rows.iter().map(|row| (row.whole, row.resumed)));
    let mut sizes: Vec<usize> = rows.iter().map(|row| row.n_bytes).collect();
    sizes.sort_unstable();
    let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0);
    let mut text = format!("{} levels by {objective}, in sum {start} at the start\n", rows.len());
    let mut line = |what: &str, end: u64| {
        let (all, second) = share(end);
        let _ =
            writeln!(text, "{what:<28} {end:>9}  {all:>6.2} % of the gain, {second:>6.1} % of that of the second half");
    };
    line("one run of twice the length", whole);
    line("two runs with a checkpoint", resumed);
    line("two runs without", anew);
    line("the first of the two", half);
    let Comparison { n_better, n_worse, n_equal, .. } = levels;
    let _ = write!(
        text,
        "with a checkpoint {n_better} levels are better than at once, {n_worse} worse, {n_equal} equal; {} tubes searched, \
         {} at once; the median checkpoint has {median} bytes, the largest {}",
        sum(|row| row.n_tubes),
        sum(|row| row.n_tubes_of_whole),
        sizes.last().copied().unwrap_or(0),
    );
    text
}

/// Returns in percent what an end has gained of the gain of the whole run; 100 if there is none.
fn share_of_gain(start: u64, end: u64, whole: u64) -> f64 {
    let gain = |end: u64| start as f64 - end as f64;
    if start == whole { 100.0 } else { 100.0 * gain(end) / gain(whole) }
}

fn write_csv(row: &ResumeRow, objective: Objective, csv: &mut String) {
    let ResumeRow { number, start, half, resumed, whole, anew, n_tubes, n_tubes_of_whole, n_bytes, .. } = row;
    let title = row.title.replace(',', " ");
    let metrics = format!("{start},{half},{resumed},{whole},{anew}");
    let _ = writeln!(csv, "{number},{title},{objective},{metrics},{n_tubes},{n_tubes_of_whole},{n_bytes}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn shares_are_of_the_gain() {
        let share = |end| share_of_gain(100, end, 60);
        assert_eq!([share(60), share(80), share(100), share(40)].map(f64::round), [100.0, 50.0, 0.0, 150.0]);
        assert!((share_of_gain(7, 7, 7) - 100.0).abs() < 1e-9);
    }

    /// Counts of work do not depend on the build.
    #[test]
    fn two_runs_with_a_checkpoint_end_like_one() {
        let args = ResumeArgs {
            set: Vec::new(),
            time: Duration::MAX,
            work: Some(100_000),
            objective: vec![Objective::MOVES],
            every: 1,
            source: false,
            threads: NonZeroUsize::MIN,
            memory: 256,
            csv: None,
        };
        let set = workspace::root().join(super::super::signature::SIGNATURE_SET);
        let levels = bench_levels(&set, Objective::MOVES).unwrap();
        let rows: Vec<_> = levels.iter().map(|level| run_level(level, Objective::MOVES, &args)).collect();
        for row in &rows {
            assert!(row.resumed <= row.half && row.half <= row.start, "{row:?}");
            assert!(row.n_bytes > 0);
        }
        let sum = |of: fn(&ResumeRow) -> u64| rows.iter().map(of).sum::<u64>();
        let share = share_of_gain(sum(|row| row.start), sum(|row| row.resumed), sum(|row| row.whole));
        assert!(share > 98.0, "{share} % of the gain");
        assert!(summary(&rows, Objective::MOVES).contains("two runs with a checkpoint"));
    }
}
