//! `cargo xtask bench solve`: what the solver makes of a level set, level by level.
//!
//! With `--work` the limit is a number of ticks; with one thread as well, two runs do the same on any machine, so
//! their node counts show what a change of the code did.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::ensure;
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use sokocore::Level;
use sokoio::Collection;
use sokosearch::{Budget, Cancel, End, MemoryAccount};
use sokosolver::{Answer, Optimal, Outcome, STRATEGIES, Settings, SolveKnobs, Strategy, solve};

use super::csv_table::{CsvTable, cell};
use super::{parse_seconds, usage};

/// Arguments of `cargo xtask bench solve`.
#[derive(Debug, Args)]
pub(super) struct SolveBenchArgs {
    /// Level file; solutions in it are not looked at. May be given several times.
    #[arg(long, value_name = "FILE", required = true)]
    set: Vec<PathBuf>,
    /// Seconds for each level, such as 10 or 0.5, with or without a final s.
    #[arg(long, default_value = "10", value_parser = parse_seconds)]
    time: Duration,
    /// Ticks for each level instead of seconds: repeatable on any machine with one thread.
    #[arg(long)]
    work: Option<u64>,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Memory for each level, in MiB.
    #[arg(long, default_value_t = 3072)]
    memory: u64,
    /// One strategy alone, by its name; the portfolio if not given.
    #[arg(long, value_parser = parse_strategy)]
    strategy: Option<&'static Strategy>,
    /// What a solution must be best in, proved.
    #[arg(long, value_parser = parse_optimal, default_value = "any")]
    optimal: Optimal,
    /// Techniques to switch off, joined by commas, or all of them; an unknown name lists them.
    #[arg(long, value_delimiter = ',')]
    without: Vec<String>,
    /// Techniques to switch on, joined by commas.
    #[arg(long, value_delimiter = ',')]
    with: Vec<String>,
    /// Only every K-th level, beginning with the first.
    #[arg(long, value_name = "K", default_value_t = 1)]
    every: usize,
    /// Only these levels, by their numbers in the file, joined by commas.
    #[arg(long, value_delimiter = ',')]
    levels: Vec<usize>,
    /// Write the rows to this file as comma-separated values.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// What became of one level.
struct SolveRow {
    set: String,
    number: usize,
    title: String,
    n_boxes: usize,
    outcome: Outcome,
    /// Seconds of all processors.
    user_seconds: Option<f64>,
}

/// Runs the bench.
pub(super) fn run(args: &SolveBenchArgs) -> anyhow::Result<()> {
    let knobs =
        SolveKnobs::default().with_strategy(args.strategy).with_settings(settings(args)?).with_threads(args.threads);
    let mut rows = Vec::new();
    for set in &args.set {
        let collection = Collection::read(set)?;
        let name = set.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (idx, entry) in collection.levels().iter().enumerate() {
            let number = idx + 1;
            let is_chosen = idx % args.every.max(1) == 0 && (args.levels.is_empty() || args.levels.contains(&number));
            let Some(level) = entry.level().ok().filter(|_| is_chosen) else { continue };
            let row = run_level(level, &knobs, args, (&name, number, entry.title_or_number()));
            eprintln!("{}", row.line());
            rows.push(row);
        }
    }
    ensure!(!rows.is_empty(), "no level was chosen");
    println!("{}", table(&rows));
    println!("{}", summary(&rows));
    csv(&rows).save(args.csv.as_deref())
}

fn run_level(
    level: &Level,
    knobs: &SolveKnobs,
    args: &SolveBenchArgs,
    (set, number, title): (&str, usize, String),
) -> SolveRow {
    let time = args.work.is_none().then_some(args.time);
    let memory = MemoryAccount::new(args.memory << 20);
    let before = usage::own_cpu_seconds();
    let budget = Budget::new(time, memory, Cancel::default()).with_work(args.work);
    let outcome = solve(level, knobs, &budget, &());
    let user_seconds = usage::own_cpu_seconds().zip(before).map(|(after, before)| after - before);
    SolveRow { set: set.to_owned(), number, title, n_boxes: level.n_boxes(), outcome, user_seconds }
}

fn settings(args: &SolveBenchArgs) -> anyhow::Result<Settings> {
    let mut settings = Settings { optimal: args.optimal, ..Settings::default() };
    if args.without.iter().any(|name| name == "all") {
        settings = settings.plain();
    }
    let without = args.without.iter().filter(|name| *name != "all").map(|name| (name, false));
    for (name, is_on) in without.chain(args.with.iter().map(|name| (name, true))) {
        settings.switch(name.parse()?, is_on);
    }
    Ok(settings)
}

fn parse_strategy(name: &str) -> Result<&'static Strategy, String> {
    let names = || STRATEGIES.iter().map(|strategy| strategy.name).collect::<Vec<_>>().join(", ");
    Strategy::named(name).ok_or_else(|| format!("no strategy '{name}'; there are {}", names()))
}

fn parse_optimal(name: &str) -> Result<Optimal, String> {
    Ok(match name {
        "any" => Optimal::Any,
        "pushes" => Optimal::Pushes,
        "moves" => Optimal::Moves,
        "pushes/moves" => Optimal::PushesMoves,
        "moves/pushes" => Optimal::MovesPushes,
        _ => return Err(format!("'{name}' is none of any, pushes, moves, pushes/moves, moves/pushes")),
    })
}

impl SolveRow {
    fn result(&self) -> &'static str {
        match self.outcome.answer {
            Answer::Solved { proved: true, .. } => "proved",
            Answer::Solved { .. } => "solved",
            Answer::Unsolvable { .. } => "unsolvable",
            Answer::Unsolved(End::Exhausted) => "gave up",
            Answer::Unsolved(End::Stopped(stop)) => stop.name(),
        }
    }

    fn by(&self) -> &str {
        self.outcome.by().unwrap_or_default()
    }

    fn metrics(&self) -> String {
        let metrics = self.outcome.solution().map(sokocore::Solution::metrics);
        metrics.map_or_else(String::new, |metrics| format!("{}/{}", metrics.moves, metrics.pushes))
    }

    fn seconds(&self) -> f64 {
        self.outcome.elapsed.as_secs_f64()
    }

    fn line(&self) -> String {
        let (result, by, seconds) = (self.result(), self.by(), self.seconds());
        format!("{} {:>3} {:<24} {result} {} {by} {seconds:.2} s", self.set, self.number, self.title, self.metrics())
    }
}

fn table(rows: &[SolveRow]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let heads = ["set", "level", "title", "boxes", "result", "solution", "by", "s", "user s", "ticks", "nodes", "MiB"];
    table.set_header(heads);
    for row in rows {
        table.add_row([
            row.set.clone(),
            row.number.to_string(),
            row.title.clone(),
            row.n_boxes.to_string(),
            row.result().to_owned(),
            row.metrics(),
            row.by().to_owned(),
            format!("{:.2}", row.seconds()),
            row.user_seconds.map_or_else(String::new, |seconds| format!("{seconds:.2}")),
            row.outcome.ticks.to_string(),
            row.outcome.n_nodes().to_string(),
            (row.outcome.peak_bytes >> 20).to_string(),
        ]);
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        if matches!(at, 1 | 3) || at > 6 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn summary(rows: &[SolveRow]) -> String {
    let n = |result: &str| rows.iter().filter(|row| row.result() == result).count();
    let n_solved = rows.iter().filter(|row| row.outcome.solution().is_some()).count();
    let seconds: f64 = rows.iter().map(SolveRow::seconds).sum();
    let user: f64 = rows.iter().filter_map(|row| row.user_seconds).sum();
    let n_nodes: u64 = rows.iter().map(|row| row.outcome.n_nodes()).sum();
    let ticks: u64 = rows.iter().map(|row| row.outcome.ticks).sum();
    let pushes: u64 = rows.iter().filter_map(|row| Some(row.outcome.solution()?.metrics().pushes)).sum();
    let mut winners: Vec<(usize, &str)> = Vec::new();
    for row in rows.iter().filter(|row| row.outcome.solution().is_some()) {
        match winners.iter_mut().find(|(_, name)| *name == row.by()) {
            Some((n, _)) => *n += 1,
            None => winners.push((1, row.by())),
        }
    }
    winners.sort_unstable_by(|one, other| other.cmp(one));
    let winners: Vec<_> = winners.iter().map(|(n, name)| format!("{name} {n}")).collect();
    format!(
        "{} levels: {n_solved} solved ({}), {} of them proved, {} unsolvable, {} gave up; {ticks} ticks, {n_nodes} nodes, \
         {pushes} pushes, {seconds:.1} s, {user:.1} user s",
        rows.len(),
        winners.join(", "),
        n("proved"),
        n("unsolvable"),
        n("gave up"),
    )
}

fn csv(rows: &[SolveRow]) -> CsvTable {
    let mut csv = CsvTable::new(&[
        "set",
        "level",
        "title",
        "boxes",
        "result",
        "moves",
        "pushes",
        "by",
        "seconds",
        "user_seconds",
        "ticks",
        "nodes",
        "peak_bytes",
        "tried",
    ]);
    for row in rows {
        let SolveRow { set, number, title, n_boxes, outcome, user_seconds } = row;
        let metrics = outcome.solution().map(sokocore::Solution::metrics);
        let tried = outcome.tried.iter().map(|attempt| {
            let (seconds, n_nodes) = (attempt.elapsed.as_secs_f64(), attempt.n_nodes());
            format!("{} {} {seconds:.3}s {n_nodes} nodes", attempt.strategy, attempt.end)
        });
        csv.row(&[
            set,
            number,
            title,
            n_boxes,
            &row.result(),
            &cell(metrics, |metrics| metrics.moves.to_string()),
            &cell(metrics, |metrics| metrics.pushes.to_string()),
            &row.by(),
            &format!("{:.3}", row.seconds()),
            &cell(*user_seconds, |seconds| format!("{seconds:.2}")),
            &outcome.ticks,
            &outcome.n_nodes(),
            &outcome.peak_bytes,
            &tried.collect::<Vec<_>>().join("; "),
        ]);
    }
    csv
}
