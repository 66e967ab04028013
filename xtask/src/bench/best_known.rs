//! `cargo xtask bench best-known`: long runs that feed the table of best known solutions.
//!
//! ```text
//!   level and objective not closed, least time so far ─▶ soko optimize ─▶ table, written after every run ─┐
//!        ▲                                                                                                │
//!        └────────────────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! Every run has a seed of its own. Runs begin from the set's solutions, from the best by the other objective alone, and from
//! the best known ones, in turn: the first kind finds other shapes, the second leads out of local optima by the own objective,
//! and the third makes the best shape better. What a run by one objective finds counts for the other as well. Solutions of other
//! runs and programs are imported from level files. The command can be stopped at any time and continues where it was.

mod table;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::ensure;
use clap::Args;
use hashbrown::HashMap;
use sokocore::{Level, Objective, Solution};
use sokoio::{Collection, LevelId};
use sokosearch::Clock;

use super::level_set::sets_or_standard;
use super::optimize_run::{MeasuredRun, OptimizeSpec, RunLimit, build_soko};
use super::parse_seconds;
use crate::workspace;
pub(super) use table::{BestKnownRow, BestKnownTable, FoundBy, LevelKey};

/// Arguments of `cargo xtask bench best-known`.
#[derive(Debug, Args)]
pub(super) struct BestKnownArgs {
    /// Level file, with or without solutions; may be given several times [default: dev.sok of `SOKO_LEVELS` or of
    /// ../shared/levels].
    #[arg(long, value_name = "FILE")]
    set: Vec<PathBuf>,
    /// The table [default: docs/records/best-known.csv of the checkout].
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// The program [default: the release build, made now].
    #[arg(long, value_name = "PROGRAM")]
    soko: Option<PathBuf>,
    /// What to improve; several objectives, joined by commas.
    #[arg(long, value_delimiter = ',', default_value = "moves,pushes")]
    objective: Vec<Objective>,
    /// Seconds of each run.
    #[arg(long, default_value = "300", value_parser = parse_seconds)]
    time: Duration,
    /// Seconds after which no further run begins; without it the command runs until it is stopped.
    #[arg(long = "for", value_name = "SECONDS", value_parser = parse_seconds)]
    total: Option<Duration>,
    /// Threads of each run.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Memory of each run, in MiB.
    #[arg(long, default_value_t = 8_192)]
    memory: u64,
    /// Only this many runs of each level and objective, with those of earlier calls.
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// Level file whose solutions are entered first, where they are better; may be given several times. With `--for 0` nothing
    /// else is done.
    #[arg(long, value_name = "FILE", requires = "source")]
    import: Vec<PathBuf>,
    /// The program and the run that found them, or the people.
    #[arg(long, value_name = "TEXT", requires = "import")]
    source: Option<String>,
}

/// Where the table is kept.
pub(super) const TABLE: &str = "docs/records/best-known.csv";

/// The objectives that the table has.
const OBJECTIVES: [Objective; 2] = [Objective::MOVES, Objective::PUSHES];

/// A level with the solutions of its set.
#[derive(Debug)]
pub(super) struct RatedLevel {
    pub(super) place: LevelKey,
    pub(super) level: Level,
    pub(super) starts: Vec<Solution>,
}

/// Enters what is known, and runs until the time is over or nothing is left to improve.
pub(super) fn run(args: &BestKnownArgs) -> anyhow::Result<()> {
    let path = workspace::path_or(args.table.as_deref(), TABLE);
    let mut table = BestKnownTable::read(&path)?;
    let levels = rated_levels(&args.set)?;
    for one in &levels {
        offer_all(&mut table, one, &one.starts, "the set");
    }
    let n_unread = import_all(&mut table, &levels, &args.import, args.source.as_deref().unwrap_or_default());
    table.write(&path)?;
    if args.total != Some(Duration::ZERO) {
        run_all(&mut table, &levels, args, &path)?;
    }
    println!("{}", summary(&table, &levels));
    ensure!(n_unread == 0, "{n_unread} of {} files to import could not be read; see above", args.import.len());
    Ok(())
}

/// Makes one run after the other, and writes the table after each.
fn run_all(table: &mut BestKnownTable, levels: &[RatedLevel], args: &BestKnownArgs, path: &Path) -> anyhow::Result<()> {
    let soko = args.soko.clone().map_or_else(build_soko, Ok)?;
    let clock = Clock::start();
    while args.total.is_none_or(|total| clock.elapsed() < total)
        && let Some((one, objective)) = next(table, levels, args)
    {
        run_once(table, one, objective, args, &soko)?;
        table.write(path)?;
    }
    Ok(())
}

/// Reads the levels of the sets; those of the development set if none is named.
pub(super) fn rated_levels(sets: &[PathBuf]) -> anyhow::Result<Vec<RatedLevel>> {
    let mut levels = Vec::new();
    for set in sets_or_standard(sets)? {
        let collection = Collection::read(&set)?;
        let name = set.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (number, entry) in (1..).zip(collection.levels()) {
            let Ok(level) = entry.level() else { continue };
            let (title, id) = (entry.title_or_number(), LevelId::of(level).to_string());
            levels.push(RatedLevel {
                place: LevelKey { set: name.clone(), number, title, id },
                level: level.clone(),
                starts: entry.solutions().filter_map(|(_, solution)| solution.ok()).collect(),
            });
        }
    }
    ensure!(!levels.is_empty(), "no level in these files");
    Ok(levels)
}

/// Records the solutions of all files. Says what is wrong with a file that cannot be read, and returns how many there are.
fn import_all(table: &mut BestKnownTable, levels: &[RatedLevel], files: &[PathBuf], source: &str) -> usize {
    let by_id: HashMap<&str, &RatedLevel> = levels.iter().map(|one| (one.place.id.as_str(), one)).collect();
    let mut n_unread = 0;
    for file in files {
        if let Err(error) = import(table, &by_id, file, source) {
            eprintln!("{error:#}");
            n_unread += 1;
        }
    }
    n_unread
}

/// Records the solutions of a file. Says for which levels they are better than what the table had, and what is wrong with the
/// others.
fn import(
    table: &mut BestKnownTable,
    by_id: &HashMap<&str, &RatedLevel>,
    file: &Path,
    source: &str,
) -> anyhow::Result<()> {
    let collection = Collection::read(file)?;
    for (number, entry) in (1..).zip(collection.levels()) {
        let at = format!("{}, level {number} ({})", file.display(), entry.title_or_number());
        let level = match entry.level() {
            Ok(level) => level,
            Err(error) => {
                eprintln!("{at}: {error}");
                continue;
            }
        };
        let id = LevelId::of(level).to_string();
        let Some(&one) = by_id.get(id.as_str()) else {
            eprintln!("{at}: in none of the sets; name its set with --set");
            continue;
        };
        let solution = |(_, solution): (_, Result<_, _>)| solution.inspect_err(|error| eprintln!("{at}: {error}")).ok();
        let solutions: Vec<_> = entry.solutions().filter_map(solution).collect();
        if offer_all(table, one, &solutions, source) {
            println!("{at}: better");
        }
    }
    Ok(())
}

/// Returns the level and objective that has had the least time of those that may have a better value of what counts first.
fn next<'l>(
    table: &BestKnownTable,
    levels: &'l [RatedLevel],
    args: &BestKnownArgs,
) -> Option<(&'l RatedLevel, Objective)> {
    let all = levels.iter().flat_map(|one| args.objective.iter().map(move |&objective| (one, objective)));
    let spent = |one: &RatedLevel, objective| {
        table.row(&one.place.id, objective).map_or((0.0, 0, false), |row| (row.seconds, row.runs, row.is_closed()))
    };
    let open = all.filter(|&(one, objective)| {
        let (_, n_runs, is_closed) = spent(one, objective);
        !is_closed && args.runs.is_none_or(|runs| n_runs < runs)
    });
    open.min_by(|&(one, by), &(other, other_by)| spent(one, by).0.total_cmp(&spent(other, other_by).0))
}

/// Runs the program on a level and records what it found.
fn run_once(
    table: &mut BestKnownTable,
    one: &RatedLevel,
    objective: Objective,
    args: &BestKnownArgs,
    soko: &Path,
) -> anyhow::Result<()> {
    let row = table.row_mut(&one.place, objective);
    let (seed, before) = (row.runs, shown(row));
    let (starts, from) = starts(table, one, objective, seed);
    let spec = OptimizeSpec {
        soko: soko.to_owned(),
        objective,
        limit: RunLimit::Time(args.time),
        seed,
        n_threads: args.threads,
        memory_mib: args.memory,
    };
    let run = spec.run(&one.level, &starts)?;
    let source = format!("soko, {} s, {} threads, seed {seed}{from}", args.time.as_secs_f64(), args.threads);
    record(table, one, objective, &run, &source);
    let row = table.row_mut(&one.place, objective);
    row.runs += 1;
    row.seconds += run.seconds;
    let closed = match (row.proved, row.is_closed()) {
        (true, _) => ", proved".to_owned(),
        (false, true) => format!(", proved by {}", objective.order()[0].name()),
        (false, false) => format!(", at least {}", row.lower_bound),
    };
    let LevelKey { title, .. } = &one.place;
    println!("{title}, {objective}: {before} -> {}{closed} ({:.0} s, run {})", shown(row), run.seconds, row.runs);
    Ok(())
}

/// Returns the solutions that a run begins from, and what `source` says of them where they are not the set's.
fn starts(table: &BestKnownTable, one: &RatedLevel, objective: Objective, seed: u64) -> (Vec<Solution>, &'static str) {
    let best = |by| table.row(&one.place.id, by)?.replayed(&one.level);
    let others: Vec<_> = OBJECTIVES.into_iter().filter(|&by| by != objective).filter_map(best).collect();
    let set = one.starts.iter().cloned();
    match seed % 3 {
        1 if !others.is_empty() => (others, ", from the best by the other objective"),
        2 => (set.chain(OBJECTIVES.into_iter().filter_map(best)).collect(), ", from the best known"),
        _ => (set.collect(), ""),
    }
}

/// Records what a run found and proved. Returns whether a level's best has changed.
pub(super) fn record(
    table: &mut BestKnownTable,
    one: &RatedLevel,
    objective: Objective,
    run: &MeasuredRun,
    source: &str,
) -> bool {
    let is_better = offer_all(table, one, &run.solutions, source);
    let row = table.row_mut(&one.place, objective);
    let best = run.solutions.iter().map(|solution| objective.score(&solution.metrics())).min();
    let is_best = best.is_some() && best == row.metrics().map(|metrics| objective.score(&metrics));
    let is_news = (run.is_proved && is_best && !row.proved) || run.lower_bound > row.lower_bound;
    row.proved |= run.is_proved && is_best;
    row.lower_bound = row.lower_bound.max(run.lower_bound);
    is_better || is_news
}

fn offer_all(table: &mut BestKnownTable, one: &RatedLevel, solutions: &[Solution], source: &str) -> bool {
    let date = jiff::Zoned::now().date().to_string();
    let origin = FoundBy { source, date: &date };
    let mut is_better = false;
    for objective in OBJECTIVES {
        for solution in solutions {
            is_better |= table.offer(&one.place, objective, solution, origin);
        }
    }
    is_better
}

/// The metrics of a line, as far as they are known.
fn shown(row: &BestKnownRow) -> String {
    match (row.metrics(), row.cost()) {
        (Some(metrics), _) => metrics.to_string(),
        (None, Some(cost)) => format!("{cost} ({})", row.source),
        (None, None) => "no solution".to_owned(),
    }
}

/// What the table has for these levels.
fn summary(table: &BestKnownTable, levels: &[RatedLevel]) -> String {
    let of = |objective| {
        let rows: Vec<_> = levels.iter().filter_map(|one| table.row(&one.place.id, objective)).collect();
        let sum: u64 = rows.iter().filter_map(|row| row.cost()).sum();
        let n_closed = rows.iter().filter(|row| row.is_closed()).count();
        let hours = rows.iter().map(|row| row.seconds).sum::<f64>() / 3600.0;
        format!("{objective}: {} levels, {n_closed} closed, sum {sum}, {hours:.2} hours", rows.len())
    };
    OBJECTIVES.map(of).join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Solutions are taken by the level, whatever its number and title are in the file; one that does not solve it is left out.
    #[test]
    fn files_of_solutions_are_imported() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let (board, other) = ("#######\n#@$  .#\n#     #\n#######\n", "#####\n#@$.#\n#####\n");
        let set = write("set.sok", &format!("{board}Title: In the set\n\nSolution\nduRRR\n"));
        let levels = rated_levels(&[set]).unwrap();
        let mut table = BestKnownTable::default();
        offer_all(&mut table, &levels[0], &levels[0].starts, "the set");
        let found = write(
            "found.sok",
            &format!("{other}Title: Other\n\nSolution\nR\n\n{board}Title: Elsewhere\n\nSolution\nL\n\nSolution\nRRR\n"),
        );
        let missing = dir.path().join("missing.sok");
        assert_eq!(import_all(&mut table, &levels, &[missing, found], "a long run"), 1, "the others are read");
        for objective in OBJECTIVES {
            let row = table.row(&levels[0].place.id, objective).unwrap();
            assert_eq!((row.moves, row.title.as_str(), row.source.as_str()), (Some(3), "In the set", "a long run"));
        }
        assert_eq!(import_all(&mut table, &levels, &[dir.path().join("set.sok")], "a worse one"), 0);
        assert_eq!(table.row(&levels[0].place.id, Objective::MOVES).unwrap().source, "a long run");
    }
}
