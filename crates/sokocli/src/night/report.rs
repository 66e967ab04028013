//! What a night says: lines for programs, a log, and a table at the end.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use jiff::Timestamp;
use parking_lot::Mutex;
use serde::Serialize;
use sokocore::{Metrics, Objective};
use sokolibrary::{CollectionSums, Library};
use sokonight::{Gain, LevelOutcome, NightLevel, NightOutcome, Purpose, SliceEnding, SliceReport};

use crate::args::NightArgs;
use crate::complaint::Complaints;
use crate::console::Console;
use crate::exit::Exit;
use crate::json::{JsonLines, MetricsJson, SCHEMA_VERSION, seconds};
use crate::known_solutions::moves_and_pushes;
use crate::output;
use crate::table::{Column, Table, TableCell};
use crate::wording::{count, duration, thousands};

const COLUMNS: [Column; 10] = [
    Column::title("collection", "collection"),
    Column::number("levels", "levels"),
    Column::number("solved", "solved"),
    Column::number("new_solved", "new").if_any(),
    Column::number("moves", "moves"),
    Column::number("moves_gained", "gained"),
    Column::number("pushes", "pushes"),
    Column::number("pushes_gained", "gained"),
    Column::number("proved_moves", "moves proved").rank(1),
    Column::number("proved_pushes", "pushes proved").rank(2),
];

/// The lines of `night --json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum NightLine {
    /// The first line.
    Run(NightRun),
    /// A slice that has ended.
    Slice(Box<SliceLine>),
    /// A better solution, or a first one; it is in the library.
    Gain(Box<GainLine>),
    /// A lower bound that was raised; it is in the library.
    Bound(Box<BoundLine>),
    /// A best solution that is proved to be the best.
    Proved(Box<ProvedLine>),
    /// The library cannot be written; what was found is kept, and writing is tried again.
    Trouble(TroubleLine),
    /// The last line.
    Summary(NightSummary),
}

/// The first line.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NightRun {
    /// Version of the schema of these lines.
    schema: u32,
    /// `soko`.
    program: &'static str,
    /// Version of the program.
    version: &'static str,
    /// `night`.
    command: &'static str,
    /// The file of the library.
    library: String,
    /// The collections that are worked on.
    collections: Vec<String>,
    /// Different levels in them.
    levels: usize,
    /// Seed of random choices.
    seed: u64,
    /// How long the night lasts; null without a limit.
    limit_seconds: Option<f64>,
}

/// The level of a line.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NightLevelJson {
    /// The collection.
    collection: String,
    /// Number of the level in it, from 1.
    number: u64,
    /// Its title; null without.
    title: Option<String>,
    /// Identity, 32 hexadecimal digits.
    id: String,
}

/// A slice that has ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SliceLine {
    #[serde(flatten)]
    level: NightLevelJson,
    /// An objective, `solve`, `bound moves` or `bound pushes`.
    purpose: String,
    /// Its threads.
    threads: usize,
    /// Time of the slice.
    seconds: f64,
    /// How it ended.
    ended: &'static str,
}

/// A better solution, or a first one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GainLine {
    #[serde(flatten)]
    level: NightLevelJson,
    /// What it is better in.
    objective: String,
    /// What the best measured before; null for a first solution.
    before: Option<MetricsJson>,
    /// What it measures now.
    after: MetricsJson,
    /// The time, in UTC.
    at: String,
}

/// A lower bound that was raised.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BoundLine {
    #[serde(flatten)]
    level: NightLevelJson,
    /// `moves` or `pushes`.
    metric: &'static str,
    /// What was proved before.
    before: u64,
    /// What every solution has at least.
    bound: u64,
}

/// A best solution that is proved to be the best.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ProvedLine {
    #[serde(flatten)]
    level: NightLevelJson,
    /// By what it is the best.
    objective: String,
    /// What it measures.
    metrics: MetricsJson,
}

/// The library cannot be written.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct TroubleLine {
    /// Why.
    error: String,
}

/// The last line.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NightSummary {
    /// Whether Ctrl-C ended the night.
    interrupted: bool,
    /// Time of the night.
    seconds: f64,
    /// Levels with a first solution.
    solved: u64,
    /// Moves that were gained, over all collections that were worked on.
    moves_gained: u64,
    /// Pushes that were gained.
    pushes_gained: u64,
    /// What the program returns to the system.
    exit_code: u8,
}

/// The way to standard output and to the log.
#[derive(Debug)]
pub(super) struct NightReporter {
    lines: JsonLines,
    is_quiet: bool,
    run: NightRun,
    log: Mutex<NightLog>,
    console: Console,
}

#[derive(Debug)]
struct NightLog {
    path: PathBuf,
    file: File,
    /// Whether it could not be written, which is said once.
    has_failed: bool,
}

impl From<&NightLevel> for NightLevelJson {
    fn from(level: &NightLevel) -> Self {
        Self {
            collection: level.collection.clone(),
            number: level.number,
            title: (!level.title.is_empty()).then(|| level.title.clone()),
            id: level.id.to_string(),
        }
    }
}

impl NightReporter {
    /// Opens the log.
    pub(super) fn new(
        args: &NightArgs,
        console: &Console,
        library: &Library,
        limit: Option<Duration>,
    ) -> anyhow::Result<Self> {
        let path = args.log.clone().unwrap_or_else(|| library.path().with_file_name("night.log"));
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file =
            file.with_context(|| format!("cannot write the log {}; name another one by --log", path.display()))?;
        let run = NightRun {
            schema: SCHEMA_VERSION,
            program: "soko",
            version: env!("CARGO_PKG_VERSION"),
            command: "night",
            library: library.path().display().to_string(),
            collections: Vec::new(),
            levels: 0,
            seed: args.seed,
            limit_seconds: seconds(limit),
        };
        Ok(Self {
            lines: JsonLines::new(args.json),
            is_quiet: args.quiet,
            run,
            log: Mutex::new(NightLog { path, file, has_failed: false }),
            console: console.clone(),
        })
    }

    /// Says what the night is about.
    pub(super) fn begin(&self, collections: &[String], n_levels: usize) {
        let run = NightRun { collections: collections.to_vec(), levels: n_levels, ..self.run.clone() };
        self.lines.print(&NightLine::Run(run));
        let of = count(collections.len(), "collection");
        self.log(&format!("a night begins: {} of {of}, {}", count(n_levels, "level"), self.run.library));
    }

    /// Tells a slice and what it has gained, which is in the library.
    pub(super) fn slice(&self, level: &NightLevel, purpose: Purpose, report: &SliceReport) {
        let name = level.name();
        if report.has_failed {
            self.console.complaints.fault_of_search(&name);
        }
        let (elapsed, ended) = (report.result.elapsed, report.ended);
        let line = SliceLine {
            level: level.into(),
            purpose: purpose.to_string(),
            threads: report.result.n_threads,
            seconds: elapsed.as_secs_f64(),
            ended,
        };
        self.lines.print(&NightLine::Slice(Box::new(line)));
        for gain in &report.gains {
            let Gain { objective, before, after, .. } = *gain;
            let line = GainLine {
                level: level.into(),
                objective: objective.to_string(),
                before: before.map(Into::into),
                after: after.into(),
                at: Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string(),
            };
            self.lines.print(&NightLine::Gain(Box::new(line)));
            self.log(&gain_text(&name, gain));
        }
        if let Some((metric, before, bound)) = report.bound {
            self.log(&format!("{name}, at least {bound} {metric}"));
            let line = BoundLine { level: level.into(), metric: metric.name(), before, bound };
            self.lines.print(&NightLine::Bound(Box::new(line)));
        }
        if report.result.ending == SliceEnding::Settled && report.gains.is_empty() {
            self.log(&format!("{name}, {purpose}: {ended}"));
        }
    }

    /// Tells that the best solution by an objective is proved.
    pub(super) fn proved(&self, level: &NightLevel, objective: Objective, metrics: &Metrics) {
        let line = ProvedLine { level: level.into(), objective: objective.to_string(), metrics: (*metrics).into() };
        self.lines.print(&NightLine::Proved(Box::new(line)));
    }

    /// Says that the library could not be written; what was found is kept in memory and tried again.
    pub(super) fn trouble(&self, text: &str) {
        self.lines.print(&NightLine::Trouble(TroubleLine { error: text.to_owned() }));
        self.log(text);
    }

    /// Says what the night has brought.
    pub(super) fn end(
        &self,
        library: &Library,
        levels: &[NightLevel],
        outcome: &NightOutcome,
        is_interrupted: bool,
    ) -> anyhow::Result<()> {
        let elapsed = outcome.elapsed;
        let mut table = Table::new(&COLUMNS);
        let mut summary = NightSummary {
            interrupted: is_interrupted,
            seconds: elapsed.as_secs_f64(),
            solved: 0,
            moves_gained: 0,
            pushes_gained: 0,
            exit_code: if is_interrupted { Exit::Interrupted } else { Exit::of_faults(outcome.n_failed) }.code(),
        };
        for sums in library.collection_sums()? {
            // A level that stands in several collections is of the first.
            let all = || levels.iter().zip(&outcome.levels);
            let own = || all().filter(|(level, _)| level.collection == sums.name).map(|(_, outcome)| outcome);
            let Some(_) = own().next() else { continue };
            let n_solved = own().filter(|outcome: &&LevelOutcome| outcome.is_newly_solved()).count() as u64;
            let gained = |objective| own().map(|outcome| outcome.gained(objective)).sum::<u64>();
            let (moves, pushes) = (gained(Objective::MOVES), gained(Objective::PUSHES));
            summary.solved += n_solved;
            summary.moves_gained += moves;
            summary.pushes_gained += pushes;
            table.row(row(&sums, n_solved, moves, pushes));
        }
        let gained = format!(
            "{} and {} gained, {} solved",
            count(summary.moves_gained, "move"),
            count(summary.pushes_gained, "push"),
            count(summary.solved, "level")
        );
        self.log(&format!("the night ends after {}: {gained}", duration(elapsed)));
        self.lines.print(&NightLine::Summary(summary));
        if !self.lines.is_on() && !self.is_quiet {
            let kept = library.path().display();
            let log = self.log.lock().path.display().to_string();
            let text = format!(
                "{}\n{gained} in {}\nKept in {kept}; log in {log}\n",
                table.draw(&self.console.stdout),
                duration(elapsed)
            );
            output::forgive_broken_pipe(output::print(&text))?;
        }
        Ok(self.lines.end()?)
    }

    fn complaints(&self) -> &Complaints {
        &self.console.complaints
    }

    /// Appends a line to the log. A log that cannot be written does not end the night.
    fn log(&self, text: &str) {
        let at = Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ");
        let mut log = self.log.lock();
        if let Err(error) = writeln!(log.file, "{at} {text}")
            && !log.has_failed
        {
            log.has_failed = true;
            self.complaints().warning(&format!("cannot write the log {}: {error}", log.path.display()));
        }
    }
}

/// `Microban:12 "Title", moves: 230/97 for 232/97`.
pub(super) fn gain_text(name: &str, gain: &Gain) -> String {
    let Gain { objective, before, after, .. } = gain;
    let after = moves_and_pushes(after);
    match before {
        Some(before) => format!("{name}, {objective}: {after} for {}", moves_and_pushes(before)),
        None => format!("{name}, {objective}: {after}, the first solution"),
    }
}

fn row(sums: &CollectionSums, n_solved: u64, moves: u64, pushes: u64) -> Vec<TableCell> {
    let sum = |sum: u64| TableCell::number(thousands(sum)).with_raw(sum);
    let gained = |gained: u64| if gained == 0 { TableCell::number(0).dim() } else { sum(gained).good() };
    vec![
        TableCell::text(&sums.name),
        TableCell::number(sums.n_levels),
        TableCell::number(sums.n_solved),
        if n_solved == 0 { TableCell::empty() } else { TableCell::number(n_solved).good() },
        sum(sums.moves),
        gained(moves),
        sum(sums.pushes),
        gained(pushes),
        TableCell::number(sums.n_proved_moves),
        TableCell::number(sums.n_proved_pushes),
    ]
}
