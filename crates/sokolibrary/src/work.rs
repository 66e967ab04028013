//! What was done on levels, so that the next run resumes where the last one ended.

use std::time::Duration;

use rusqlite::{OptionalExtension, Row, params};
use sokocore::Level;
use sokoio::LevelId;

use crate::changes::{Changes, NOW, count, int};
use crate::library::Library;
use crate::library_error::{LibraryError, LibraryProblem};

/// One run on one level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunDone {
    /// What it was for: an objective such as `moves`, or `solve`.
    pub purpose: String,
    /// How long it took.
    pub elapsed: Duration,
    /// Units of work.
    pub ticks: u64,
    /// How it ended, in a word or two.
    pub ended: String,
    /// Its options.
    pub settings: String,
    /// Whether it found something better.
    pub has_gain: bool,
}

/// All runs on a level for one purpose.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WorkDone {
    /// What they were for.
    pub purpose: String,
    /// How many there were.
    pub n_runs: u64,
    /// How long they took.
    pub elapsed: Duration,
    /// How long those took that came after the last one with a gain.
    pub dry: Duration,
    /// Units of work.
    pub ticks: u64,
    /// How the last one ended.
    pub ended: String,
    /// The options of the last one.
    pub settings: String,
    /// The checkpoint of the last run, encoded by the optimizer; empty without one.
    pub checkpoint: Vec<u8>,
    /// When the last one ended: UTC.
    pub at: String,
}

impl RunDone {
    /// Makes the account of a run.
    pub fn new(purpose: impl Into<String>, elapsed: Duration, ended: impl Into<String>) -> Self {
        Self { purpose: purpose.into(), elapsed, ended: ended.into(), ..Self::default() }
    }
}

/// The columns that [`WorkDone::of_row`] reads.
pub(crate) const COLUMNS: &str = "purpose, n_runs, seconds, dry_seconds, ticks, ended, settings, checkpoint, at";

impl WorkDone {
    pub(crate) fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            purpose: row.get(0)?,
            n_runs: count(row.get(1)?),
            elapsed: seconds(row.get(2)?),
            dry: seconds(row.get(3)?),
            ticks: count(row.get(4)?),
            ended: row.get(5)?,
            settings: row.get(6)?,
            checkpoint: row.get(7)?,
            at: row.get(8)?,
        })
    }
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

impl Library {
    /// Returns what was done on a level for a purpose.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn work(&self, id: LevelId, purpose: &str) -> Result<Option<WorkDone>, LibraryError> {
        self.read(|connection| {
            let sql = format!(
                "SELECT {COLUMNS} FROM work
                 WHERE level_id = (SELECT level_id FROM level WHERE identity = ?1) AND purpose = ?2"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            Ok(statement.query_row([&*id.to_string(), purpose], WorkDone::of_row).optional()?)
        })
    }

    /// Returns what was done on a level, by purpose.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn all_work(&self, id: LevelId) -> Result<Vec<WorkDone>, LibraryError> {
        self.read(|connection| {
            let sql = format!(
                "SELECT {COLUMNS} FROM work
                 WHERE level_id = (SELECT level_id FROM level WHERE identity = ?1) ORDER BY purpose"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([id.to_string()], WorkDone::of_row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}

impl Changes<'_> {
    /// Adds a run to the work on a level.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use sokoio::LevelId;
    /// use sokolibrary::{Library, RunDone};
    ///
    /// let level = "######\n#@$ .#\n######".parse()?;
    /// let mut library = Library::in_memory()?;
    /// let run = RunDone::new("moves", Duration::from_secs(30), "time");
    /// library.write(|changes| changes.add_run(&level, &run))?;
    /// library.write(|changes| changes.add_run(&level, &run))?;
    /// let work = library.work(LevelId::of(&level), "moves")?.expect("it was added");
    /// assert_eq!((work.n_runs, work.dry.as_secs()), (2, 60));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add_run(&self, level: &Level, run: &RunDone) -> Result<(), LibraryProblem> {
        let key = self.keyed_level(level)?.key;
        let sql = format!(
            "INSERT INTO work (level_id, purpose, n_runs, seconds, dry_seconds, ticks, ended, settings, checkpoint, at)
             VALUES (?1, ?2, 1, ?3, ?4, ?5, ?6, ?7, x'', {NOW})
             ON CONFLICT DO UPDATE SET n_runs = n_runs + 1, seconds = seconds + ?3,
                 dry_seconds = CASE WHEN ?8 THEN 0 ELSE dry_seconds + ?4 END, ticks = ticks + ?5, ended = ?6,
                 settings = ?7, at = {NOW}"
        );
        let seconds = run.elapsed.as_secs_f64();
        let dry = if run.has_gain { 0.0 } else { seconds };
        let row = params![key, run.purpose, seconds, dry, int(run.ticks), run.ended, run.settings, run.has_gain];
        self.transaction.prepare_cached(&sql)?.execute(row)?;
        Ok(())
    }

    /// Notes where the next run for a purpose resumes, while a run is under way.
    ///
    /// ```
    /// use sokoio::LevelId;
    /// use sokolibrary::Library;
    ///
    /// let level = "######\n#@$ .#\n######".parse()?;
    /// let mut library = Library::in_memory()?;
    /// library.write(|changes| changes.set_checkpoint(&level, "moves", b"as far as this"))?;
    /// let work = library.work(LevelId::of(&level), "moves")?.expect("it was noted");
    /// assert_eq!((work.n_runs, &*work.checkpoint), (0, &b"as far as this"[..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn set_checkpoint(&self, level: &Level, purpose: &str, checkpoint: &[u8]) -> Result<(), LibraryProblem> {
        let key = self.keyed_level(level)?.key;
        let sql = format!(
            "INSERT INTO work (level_id, purpose, n_runs, seconds, dry_seconds, ticks, ended, settings, checkpoint, at)
             VALUES (?1, ?2, 0, 0, 0, 0, '', '', ?3, {NOW})
             ON CONFLICT DO UPDATE SET checkpoint = ?3, at = {NOW}"
        );
        self.transaction.prepare_cached(&sql)?.execute(params![key, purpose, checkpoint])?;
        Ok(())
    }

    /// Puts work of another library in its place: for a repair.
    pub(crate) fn put_work(&self, key: i64, work: &WorkDone) -> Result<(), LibraryProblem> {
        let sql = "INSERT OR REPLACE INTO work
             (level_id, purpose, n_runs, seconds, dry_seconds, ticks, ended, settings, checkpoint, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let row = params![
            key,
            work.purpose,
            int(work.n_runs),
            work.elapsed.as_secs_f64(),
            work.dry.as_secs_f64(),
            int(work.ticks),
            work.ended,
            work.settings,
            work.checkpoint,
            work.at
        ];
        self.transaction.prepare_cached(sql)?.execute(row)?;
        Ok(())
    }
}
