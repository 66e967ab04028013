//! `cargo xtask bench islands`: what several islands on one level bring at equal total work.
//!
//! ```text
//!   one run      ├──────────────────── work ────────────────────┤
//!   4 islands    ├─1─┤├─2─┤├─3─┤├─4─┤├─1─┤├─2─┤├─3─┤├─4─┤ ...      in turns, in one process
//!                    └────┴────┴─ the best solution, and windows, after each turn
//! ```
//!
//! Islands run in turns, so a run is the same on every machine and the number of cores does not matter. Each has a seed of
//! its own, and a part of the work of the one run. Beside them stand one run of all the work, and one of the part that each
//! island has: what the same time would bring without the other islands.
//!
//! * [`archipelago`]: islands on one level, and what they exchange. [`turns`]: one works at a time.

mod archipelago;
mod turns;

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use parking_lot::Mutex;
use sokocore::Objective;
use sokosearch::run_jobs;

use super::comparison::Comparison;
use super::csv_table::CsvTable;
use super::level_set::{BenchLevel, bench_levels, sets_or_standard};
use super::signed_rank::signed_rank_chance;
use archipelago::{Archipelago, Exchanged};

/// Arguments of `cargo xtask bench islands`.
#[derive(Debug, Args)]
pub(super) struct IslandsArgs {
    /// Level file with a solution for each level; may be given several times [default: dev.sok of `SOKO_LEVELS` or of
    /// ../shared/levels].
    #[arg(long, value_name = "FILE")]
    set: Vec<PathBuf>,
    /// Numbers of islands, joined by commas.
    #[arg(long, value_delimiter = ',', default_value = "2,4,8,16")]
    islands: Vec<NonZeroUsize>,
    /// Ticks on each level, of all islands together.
    #[arg(long, value_name = "TICKS", default_value_t = 100_000_000)]
    work: u64,
    /// Ticks of a turn, after which an island exchanges and another one works.
    #[arg(long, value_name = "TICKS", default_value_t = 2_000_000)]
    turn: u64,
    /// What to improve.
    #[arg(long, default_value = "moves")]
    objective: Objective,
    /// Numbers of islands, joined by commas, that also run without exchanging windows, or solutions, or either.
    #[arg(long, value_name = "ISLANDS", value_delimiter = ',')]
    ablation: Vec<NonZeroUsize>,
    /// Only the N levels with the most boxes.
    #[arg(long, value_name = "N")]
    largest: Option<usize>,
    /// Levels at a time.
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
    /// Memory for each island, in MiB.
    #[arg(long, default_value_t = 1024)]
    memory: u64,
    /// Write one line for each level and number of islands to this file as comma-separated values.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// What came of one plan on one level.
#[derive(Clone, Debug)]
struct PlanEnd {
    /// What the objective counts first, of the best solution.
    cost: u64,
    n_tubes: u64,
    n_skipped: u64,
    n_bests: usize,
}

/// What became of one level: an end for each plan.
#[derive(Clone, Debug)]
struct IslandsRow {
    number: usize,
    title: String,
    start: u64,
    ends: Vec<PlanEnd>,
}

/// Runs the bench.
pub(super) fn run(args: &IslandsArgs) -> anyhow::Result<()> {
    ensure!(args.turn > 0 && args.work > 0, "--turn and --work are more than 0");
    let mut levels = Vec::new();
    for set in sets_or_standard(&args.set)? {
        levels.extend(bench_levels(&set, args.objective)?);
    }
    ensure!(!levels.is_empty(), "no level with a valid solution");
    levels.sort_by_key(|level| std::cmp::Reverse(level.level.start().boxes.len()));
    levels.truncate(args.largest.unwrap_or(usize::MAX));
    let plans = plans(args);
    let rows = Mutex::new(Vec::new());
    let failure = Mutex::new(None);
    run_jobs(args.threads.get(), &levels, |level| {
        let row = run_level(level, &plans, args);
        let costs: Vec<_> = row.ends.iter().map(|end| end.cost.to_string()).collect();
        eprintln!("{:<40} {} -> {}", row.title, row.start, costs.join(" "));
        let mut rows = rows.lock();
        rows.push(row);
        // What is done is kept if the rest is stopped.
        let saved = csv(&rows, &plans).save(args.csv.as_deref());
        failure.lock().get_or_insert(saved);
    });
    failure.into_inner().unwrap_or(Ok(()))?;
    println!("{}", report(&rows.into_inner(), &plans, args));
    Ok(())
}

/// The one run of all the work first, which the others are compared with.
fn plans(args: &IslandsArgs) -> Vec<Archipelago> {
    let alone = |work: u64| Archipelago { n_islands: 1, turn: work, work, exchanged: Exchanged::NOTHING };
    let mut plans = vec![alone(args.work)];
    for &n in &args.islands {
        let n_islands = n.get();
        let together = |exchanged: Exchanged| Archipelago { n_islands, turn: args.turn, work: args.work, exchanged };
        plans.push(alone(args.work / n_islands as u64));
        plans.push(together(Exchanged::ALL));
        if args.ablation.contains(&n) {
            plans.extend(Exchanged::LESS.map(together));
        }
    }
    plans
}

fn run_level(level: &BenchLevel, plans: &[Archipelago], args: &IslandsArgs) -> IslandsRow {
    let cost = |solution: &sokocore::Solution| args.objective.score(&solution.metrics()).primary();
    let ends = plans.iter().map(|plan| {
        let end = plan.run(level, args.objective, args.memory << 20);
        PlanEnd { cost: cost(&end.best), n_tubes: end.n_tubes, n_skipped: end.n_skipped, n_bests: end.n_bests }
    });
    IslandsRow { number: level.number, title: level.title.clone(), start: cost(&level.start), ends: ends.collect() }
}

/// Returns the table of plans: each beside the first.
fn report(rows: &[IslandsRow], plans: &[Archipelago], args: &IslandsArgs) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header([
        "run",
        "ticks",
        "sum",
        "of the sum",
        "mean",
        "better",
        "worse",
        "equal",
        "by signs",
        "by ranks",
        "tubes",
        "skipped",
        "bests",
    ]);
    for (at, plan) in plans.iter().enumerate() {
        let costs = || rows.iter().map(|row| (row.ends[0].cost, row.ends[at].cost));
        let all = Comparison::of(costs());
        let differences: Vec<f64> =
            costs().map(|(one, other)| (other.max(1) as f64 / one.max(1) as f64).ln()).collect();
        let percent = |ratio: f64| format!("{:+.3} %", 100.0 * ratio);
        let sum = |of: fn(&PlanEnd) -> u64| rows.iter().map(|row| of(&row.ends[at])).sum::<u64>();
        table.add_row([
            plan.to_string(),
            plan.work.to_string(),
            all.sum.to_string(),
            percent(all.sum_change()),
            percent(all.mean_change),
            all.n_better.to_string(),
            all.n_worse.to_string(),
            all.n_equal.to_string(),
            format!("{:.3}", all.chance()),
            format!("{:.3}", signed_rank_chance(&differences)),
            sum(|end| end.n_tubes).to_string(),
            sum(|end| end.n_skipped).to_string(),
            format!("{:.1}", sum(|end| end.n_bests as u64) as f64 / rows.len().max(1) as f64),
        ]);
    }
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    let start: u64 = rows.iter().map(|row| row.start).sum();
    let mut text = format!("{} levels by {}, in sum {start} at the start\n", rows.len(), args.objective);
    let _ = writeln!(text, "{table}");
    text
}

fn csv(rows: &[IslandsRow], plans: &[Archipelago]) -> CsvTable {
    let mut csv = CsvTable::new(&["number", "level", "start", "run", "ticks", "cost", "tubes", "skipped", "bests"]);
    for row in rows {
        for (plan, end) in plans.iter().zip(&row.ends) {
            let PlanEnd { cost, n_tubes, n_skipped, n_bests } = end;
            csv.row(&[&row.number, &row.title, &row.start, plan, &plan.work, cost, n_tubes, n_skipped, n_bests]);
        }
    }
    csv
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    /// Counts of work do not depend on the build.
    #[test]
    fn islands_are_repeatable_and_skip_what_others_have_searched() {
        let args = IslandsArgs {
            set: Vec::new(),
            islands: vec![NonZeroUsize::MIN.saturating_add(2)],
            work: 600_000,
            turn: 50_000,
            objective: Objective::MOVES,
            ablation: vec![NonZeroUsize::MIN.saturating_add(2)],
            largest: Some(2),
            threads: NonZeroUsize::MIN,
            memory: 256,
            csv: None,
        };
        let set = workspace::root().join(super::super::signature::SIGNATURE_SET);
        let levels = bench_levels(&set, Objective::MOVES).unwrap();
        let plans = plans(&args);
        let names: Vec<_> = plans.iter().map(ToString::to_string).collect();
        let less = ["3 islands without windows", "3 islands without solutions", "3 islands, each alone"];
        assert_eq!(names[..3], ["one run", "one run", "3 islands"]);
        assert_eq!(names[3..], less);
        let run = || levels.iter().take(2).map(|level| run_level(level, &plans, &args)).collect::<Vec<_>>();
        let (rows, again) = (run(), run());
        assert_eq!(format!("{rows:?}"), format!("{again:?}"));
        assert!(rows.iter().any(|row| row.ends[2].n_skipped > 0), "{rows:?}");
        assert!(rows.iter().all(|row| row.ends[3].n_skipped == 0 && row.ends[2].cost <= row.start));
        assert!(report(&rows, &plans, &args).contains("3 islands"));
    }
}
