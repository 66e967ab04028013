//! The lines of `library ... --json`.

use serde::Serialize;
use sokocore::Metrics;
use sokolibrary::{CollectionSums, Library, LibraryError, Origin, RatedEntry, StoredSolution, SumAt, WorkDone};

use crate::json::{MetricsJson, SCHEMA_VERSION};
use crate::proofs::gap_percent;

/// The lines of `library ... --json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum LibraryLine {
    /// The first line.
    Run(LibraryRun),
    /// A collection, of `list`.
    Collection(CollectionLine),
    /// A level of a collection, of `list NAME` and `export`.
    Level(Box<EntryLine>),
    /// A level with all that is known of it, of `show`.
    Known(Box<KnownLine>),
    /// A sum of a collection at some time, of `stats`.
    Sum(SumLine),
    /// The last line.
    Summary(LibrarySummary),
}

/// The first line.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LibraryRun {
    /// Version of the schema of these lines.
    schema: u32,
    /// `soko`.
    program: &'static str,
    /// Version of the program.
    version: &'static str,
    /// `library`.
    command: &'static str,
    /// `list`, `show`, `export` or `stats`.
    what: &'static str,
    /// The file of the library.
    library: String,
}

/// A collection with its sums.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CollectionLine {
    /// Its name in the library.
    collection: String,
    /// Boards that are levels.
    levels: u64,
    /// Levels with a solution.
    solved: u64,
    /// Levels whose fewest moves are proved.
    proved_moves: u64,
    /// Levels whose fewest pushes are proved.
    proved_pushes: u64,
    /// Fewest moves of the solved levels, added up.
    moves: u64,
    /// Lower bounds of their moves, added up.
    least_moves: u64,
    /// How far the moves may be from the fewest, in percent of the bound; null without a bound.
    moves_gap_percent: Option<f64>,
    /// Fewest pushes of the solved levels, added up.
    pushes: u64,
    /// Lower bounds of their pushes, added up.
    least_pushes: u64,
    /// How far the pushes may be from the fewest, in percent of the bound; null without a bound.
    pushes_gap_percent: Option<f64>,
}

/// A level of a collection.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EntryLine {
    /// The collection.
    collection: String,
    /// Number of the level in it, from 1.
    number: u64,
    /// Its title; null without.
    title: Option<String>,
    /// Its author; null if not known.
    author: Option<String>,
    /// Identity, 32 hexadecimal digits; null for a bad board.
    id: Option<String>,
    /// The best solution by moves; null without.
    best_moves: Option<MetricsJson>,
    /// When it was found, in UTC; null without.
    best_moves_found_at: Option<String>,
    /// No solution has fewer moves.
    least_moves: u64,
    /// The best solution by pushes; null without.
    best_pushes: Option<MetricsJson>,
    /// When it was found, in UTC; null without.
    best_pushes_found_at: Option<String>,
    /// No solution has fewer pushes.
    least_pushes: u64,
    /// Solutions that are kept.
    solutions: u64,
}

/// A level with all that is known of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct KnownLine {
    /// Identity, 32 hexadecimal digits.
    pub(super) id: String,
    /// The board, rows joined by line breaks.
    pub(super) board: String,
    /// Where it stands, as `NAME:NUMBER`.
    pub(super) places: Vec<String>,
    /// Identities of rotated and mirrored images of it.
    pub(super) relatives: Vec<String>,
    /// No solution has fewer moves.
    pub(super) least_moves: u64,
    /// No solution has fewer pushes.
    pub(super) least_pushes: u64,
    /// Its solutions, those with the fewest moves first.
    pub(super) solutions: Vec<KnownSolutionJson>,
    /// What is proved, in the words of a note of a solution file.
    pub(super) proofs: Vec<String>,
    /// What was tried.
    pub(super) work: Vec<WorkJson>,
}

/// A solution of a level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct KnownSolutionJson {
    /// What it measures.
    metrics: MetricsJson,
    /// The moves.
    moves: String,
    /// What it was searched for; null if not known.
    objective: Option<String>,
    /// The program that found it; null if not known.
    program: Option<String>,
    /// The file it was read from; null if it was found.
    file: Option<String>,
    /// The method or strategy that found it; null if not known.
    method: Option<String>,
    /// When it entered the library, in UTC.
    found_at: String,
}

/// What was tried on a level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct WorkJson {
    /// An objective, or `solve`.
    purpose: String,
    /// Runs.
    runs: u64,
    /// Their time.
    seconds: f64,
    /// Time since the last run that gained something.
    dry_seconds: f64,
    /// Units of work.
    ticks: u64,
    /// How the last run ended.
    ended: String,
    /// Whether the next run continues where the last one ended.
    resumes: bool,
    /// When it ended, in UTC.
    at: String,
}

/// A sum of a collection at some time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SumLine {
    /// The collection.
    pub(super) collection: String,
    /// `moves` or `pushes`.
    pub(super) objective: String,
    /// The time, in UTC.
    pub(super) at: String,
    /// Levels with a solution.
    pub(super) solved: u64,
    /// What the objective counts, added up.
    pub(super) sum: u64,
}

/// The last line.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LibrarySummary {
    /// Collections of the library.
    collections: u64,
    /// Different levels.
    levels: u64,
    /// Levels with a solution.
    solved: u64,
    /// Solutions.
    solutions: u64,
    /// What the program returns to the system.
    exit_code: u8,
}

impl LibraryLine {
    /// Makes the first line.
    pub(super) fn run(what: &'static str, library: &Library) -> Self {
        let (program, command, version) = ("soko", "library", env!("CARGO_PKG_VERSION"));
        let library = library.path().display().to_string();
        Self::Run(LibraryRun { schema: SCHEMA_VERSION, program, version, command, what, library })
    }
}

impl LibrarySummary {
    /// Adds up the library.
    pub(super) fn of(library: &Library) -> Result<Self, LibraryError> {
        let sums = library.sums()?;
        Ok(Self {
            collections: sums.n_collections,
            levels: sums.n_levels,
            solved: sums.n_solved,
            solutions: sums.n_solutions,
            exit_code: 0,
        })
    }
}

impl From<&CollectionSums> for CollectionLine {
    fn from(sums: &CollectionSums) -> Self {
        Self {
            collection: sums.name.clone(),
            levels: sums.n_levels,
            solved: sums.n_solved,
            proved_moves: sums.n_proved_moves,
            proved_pushes: sums.n_proved_pushes,
            moves: sums.moves,
            least_moves: sums.least_moves,
            moves_gap_percent: gap_percent(sums.moves, sums.least_moves),
            pushes: sums.pushes,
            least_pushes: sums.least_pushes,
            pushes_gap_percent: gap_percent(sums.pushes, sums.least_pushes),
        }
    }
}

fn known(text: &str) -> Option<String> {
    if text.is_empty() { None } else { Some(text.to_owned()) }
}

impl EntryLine {
    /// Describes a level of a collection.
    pub(super) fn new(collection: &str, entry: &RatedEntry) -> Self {
        let split = |best: &Option<(Metrics, String)>| match best {
            Some((metrics, at)) => (Some((*metrics).into()), Some(at.clone())),
            None => (None, None),
        };
        let (best_moves, best_moves_found_at) = split(&entry.best_moves);
        let (best_pushes, best_pushes_found_at) = split(&entry.best_pushes);
        Self {
            collection: collection.to_owned(),
            number: entry.number,
            title: known(&entry.title),
            author: known(&entry.author),
            id: entry.id.map(|id| id.to_string()),
            best_moves,
            best_moves_found_at,
            least_moves: entry.least_moves,
            best_pushes,
            best_pushes_found_at,
            least_pushes: entry.least_pushes,
            solutions: entry.n_solutions,
        }
    }
}

impl From<&StoredSolution> for KnownSolutionJson {
    fn from(solution: &StoredSolution) -> Self {
        let Origin { program, file, .. } = &solution.origin;
        Self {
            metrics: solution.metrics.into(),
            moves: solution.moves.to_string(),
            objective: solution.objective.map(|objective| objective.to_string()),
            program: known(program),
            file: known(file),
            method: known(&solution.method),
            found_at: solution.found_at.clone(),
        }
    }
}

impl From<&WorkDone> for WorkJson {
    fn from(work: &WorkDone) -> Self {
        Self {
            purpose: work.purpose.clone(),
            runs: work.n_runs,
            seconds: work.elapsed.as_secs_f64(),
            dry_seconds: work.dry.as_secs_f64(),
            ticks: work.ticks,
            ended: work.ended.clone(),
            resumes: !work.checkpoint.is_empty(),
            at: work.at.clone(),
        }
    }
}

impl SumLine {
    /// Describes a sum.
    pub(super) fn new(collection: &str, objective: &str, sum: &SumAt) -> Self {
        let (collection, objective) = (collection.to_owned(), objective.to_owned());
        Self { collection, objective, at: sum.at.clone(), solved: sum.n_solved, sum: sum.sum }
    }
}
