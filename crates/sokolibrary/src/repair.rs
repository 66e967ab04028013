//! What is right in a damaged library, in a new file.
//!
//! ```text
//!   library.sqlite (damaged) ──rows that can be read──▶ replay, parse ──▶ library.sqlite.repaired
//!                                                                               │ all is written
//!   library.sqlite.damaged ◀── the old file ── renamed ──▶ library.sqlite ◀─────┘
//! ```
//!
//! Rows are read one by one by their keys, from both ends, so that a damaged page costs the rows on it. Collections are
//! rebuilt from their texts.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, Row};
use sokocore::{Level, Lurd};
use sokoio::{Collection, ProofNote};

use crate::changes::Changes;
use crate::collection_text::unpack;
use crate::collections::NewCollection;
use crate::library::Library;
use crate::library_error::{LibraryError, LibraryProblem};
use crate::origin::{self, Origin};
use crate::proofs::NewProof;
use crate::schema;
use crate::solutions::NewSolution;
use crate::work::{self, WorkDone};

/// Consecutive keys without a readable row before the step doubles.
const SMALL_STEPS: u32 = 1_000;
/// How often it doubles at most.
const MAX_DOUBLINGS: u32 = 62;

/// What a repair has saved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repaired {
    /// Where the damaged file is now.
    pub damaged: PathBuf,
    /// Levels that were saved.
    pub n_levels: u64,
    /// Solutions that were saved.
    pub n_solutions: u64,
    /// Collections that were saved.
    pub n_collections: u64,
    /// Rows that cannot be read, or do not replay.
    pub n_lost: u64,
}

/// Makes a new library of what is right in a damaged one, and puts it in its place. The damaged file is kept beside it.
///
/// # Errors
/// The file is no database at all, or the new one cannot be written. The damaged file is where it was then.
pub fn repair(path: &Path) -> Result<Repaired, LibraryError> {
    let problem = |problem: LibraryProblem| problem.of(path);
    if !path.exists() {
        return Err(problem(LibraryProblem::Missing));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let old = Connection::open_with_flags(path, flags).map_err(|error| problem(error.into()))?;
    match schema::version(&old) {
        Ok(_) | Err(LibraryProblem::Damaged(_) | LibraryProblem::Io(_)) => {}
        Err(other) => return Err(problem(other)),
    }
    let new_path = beside(path, "repaired");
    remove(&new_path).map_err(|error| problem(LibraryProblem::Replace(error)))?;
    let mut new = Library::create_or_open(&new_path)?;
    let mut repaired = Repaired::default();
    new.write(|changes| save(&old, changes, &mut repaired))?;
    let sums = new.sums()?;
    (repaired.n_levels, repaired.n_solutions, repaired.n_collections) =
        (sums.n_levels, sums.n_solutions, sums.n_collections);
    new.compact()?;
    drop((old, new));
    repaired.damaged = beside(path, "damaged");
    replace(path, &new_path, &repaired.damaged).map_err(|error| problem(LibraryProblem::Replace(error)))?;
    Ok(repaired)
}

/// Names a file beside the library that does not exist; the first name is reused for a file of an earlier try.
fn beside(path: &Path, end: &str) -> PathBuf {
    let named = |number: u32| {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(if number == 1 { format!(".{end}") } else { format!(".{end}-{number}") });
        path.with_file_name(name)
    };
    let is_free = |name: &PathBuf| end == "repaired" || !name.exists();
    (1..).map(named).find(is_free).expect("invariant: a folder has fewer files than there are numbers")
}

/// The files that SQLite keeps beside a database.
fn with_journals(path: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|end| {
        let mut name = path.as_os_str().to_os_string();
        name.push(end);
        name.into()
    })
}

fn remove(path: &Path) -> std::io::Result<()> {
    with_journals(path).iter().filter(|file| file.exists()).try_for_each(fs::remove_file)
}

fn replace(path: &Path, new: &Path, damaged: &Path) -> std::io::Result<()> {
    for (old, kept) in with_journals(path).iter().zip(with_journals(damaged)) {
        if old.exists() {
            fs::rename(old, kept)?;
        }
    }
    fs::rename(new, path)
}

/// Copies what can be read and is right.
fn save(old: &Connection, changes: &Changes<'_>, repaired: &mut Repaired) -> Result<(), LibraryProblem> {
    let board = "(SELECT board FROM level WHERE level.level_id = saved.level_id)";
    let part = |part| format!("(SELECT {part} FROM origin WHERE origin.origin_id = saved.origin_id)");
    let origin = origin::PARTS.map(part).join(", ");
    let solution = format!("{board}, lurd, objective, method, notes, seconds, found_at, {origin}");
    let proof = format!("{board}, claim, at, {origin}");
    let work = format!("{}, {board}", work::COLUMNS);
    let mut salvage = Salvage { old, changes, n_lost: 0 };
    salvage.table("level", "board", save_level)?;
    salvage.table("collection", "name, file, text", save_collection)?;
    salvage.table("solution", &solution, save_solution)?;
    salvage.table("proof", &proof, save_proof)?;
    salvage.table("work", &work, save_work)?;
    repaired.n_lost = salvage.n_lost;
    Ok(())
}

/// Puts a row into the new library. Returns whether it is right; an error is one of the new library.
type SaveRow = fn(&Row<'_>, &Changes<'_>) -> Result<bool, LibraryProblem>;

/// Whether something entered the new library, or is wrong in itself.
fn is_right<T>(saved: Result<T, LibraryProblem>) -> Result<bool, LibraryProblem> {
    match saved {
        Ok(_) => Ok(true),
        Err(LibraryProblem::Replay(_) | LibraryProblem::Board(_)) => Ok(false),
        Err(problem) => Err(problem),
    }
}

/// Reads a column; `None` if it is damaged.
fn text(row: &Row<'_>, at: usize) -> Option<String> {
    row.get(at).ok()
}

fn level_of(row: &Row<'_>, at: usize) -> Option<Level> {
    Level::parse(&text(row, at)?).ok()
}

/// Where something is from; unknown if that row is lost.
fn origin_of(row: &Row<'_>, at: usize) -> Origin {
    Origin::of_row(row, at).unwrap_or_default()
}

fn save_level(row: &Row<'_>, changes: &Changes<'_>) -> Result<bool, LibraryProblem> {
    level_of(row, 0).map_or(Ok(false), |level| is_right(changes.add_level(&level)))
}

fn save_collection(row: &Row<'_>, changes: &Changes<'_>) -> Result<bool, LibraryProblem> {
    let (Some(name), Some(file)) = (text(row, 0), text(row, 1)) else { return Ok(false) };
    let packed = row.get::<_, Vec<u8>>(2).ok();
    let Some(bytes) = packed.and_then(|packed| unpack(&packed).ok()) else { return Ok(false) };
    let collection = Collection::parse(&bytes);
    is_right(changes.add_collection(&NewCollection::new(&name, &collection).from_file(&file)))
}

fn save_solution(row: &Row<'_>, changes: &Changes<'_>) -> Result<bool, LibraryProblem> {
    let moves = text(row, 1).and_then(|lurd| lurd.parse::<Lurd>().ok());
    let Some((level, moves)) = level_of(row, 0).zip(moves) else { return Ok(false) };
    let notes = text(row, 4).unwrap_or_default();
    let mut find = NewSolution::new(moves).from(origin_of(row, 7)).with_method(text(row, 3).unwrap_or_default());
    find.notes = notes.lines().map(str::to_owned).collect();
    find.objective = text(row, 2).and_then(|objective| objective.parse().ok());
    find.seconds = row.get(5).unwrap_or_default();
    let at = changes.keyed_level(&level)?;
    let found_at = text(row, 6);
    is_right(changes.offer_with_gain(&at, &find, found_at.as_deref(), found_at.as_deref()))
}

fn save_proof(row: &Row<'_>, changes: &Changes<'_>) -> Result<bool, LibraryProblem> {
    let note = text(row, 1).and_then(|claim| ProofNote::parse(&claim));
    let Some((level, note)) = level_of(row, 0).zip(note) else { return Ok(false) };
    let proof = NewProof::new(note.proved(), origin_of(row, 3));
    let at = changes.keyed_level(&level)?;
    is_right(changes.add_proof_at(at.key, &proof, text(row, 2).as_deref()))
}

fn save_work(row: &Row<'_>, changes: &Changes<'_>) -> Result<bool, LibraryProblem> {
    let Some((work, level)) = WorkDone::of_row(row).ok().zip(level_of(row, 9)) else { return Ok(false) };
    let at = changes.keyed_level(&level)?;
    is_right(changes.put_work(at.key, &work))
}

/// Copies the tables of a library some of whose pages cannot be read.
struct Salvage<'a> {
    old: &'a Connection,
    changes: &'a Changes<'a>,
    n_lost: u64,
}

/// What one query of one row has given.
enum RowRead {
    /// The key of the row.
    Key(i64),
    Nothing,
    /// A page that it needs is damaged.
    Unreadable,
}

impl Salvage<'_> {
    /// Copies every row of a table that can be read: upward until a page cannot be, then downward, then what is between,
    /// key by key.
    fn table(&mut self, table: &str, columns: &str, save: SaveRow) -> Result<(), LibraryProblem> {
        let select = format!("SELECT {columns}, {table}_id FROM {table} AS saved WHERE {table}_id");
        let Some(first_bad) = self.walk(&format!("{select} > ?1 ORDER BY {table}_id LIMIT 1"), 0, save)? else {
            return Ok(());
        };
        let downward = format!("{select} < ?1 AND {table}_id > {first_bad} ORDER BY {table}_id DESC LIMIT 1");
        let Some(last_bad) = self.walk(&downward, i64::MAX, save)? else { return Ok(()) };
        let one = format!("{select} = ?1");
        let (mut at, mut n_misses) = (first_bad.saturating_add(1), 0_u32);
        while at < last_bad {
            let read = self.row(&one, at, save)?;
            n_misses = if matches!(read, RowRead::Key(_)) { 0 } else { n_misses + 1 };
            self.n_lost += u64::from(matches!(read, RowRead::Unreadable));
            // Keys are dense: a long gap is passed in steps that double.
            at = at.saturating_add(1_i64 << (n_misses / SMALL_STEPS).min(MAX_DOUBLINGS));
        }
        Ok(())
    }

    /// Copies rows from `start` on in the order of the query. Returns the last key before one that cannot be read;
    /// `None` if all can.
    fn walk(&mut self, sql: &str, start: i64, save: SaveRow) -> Result<Option<i64>, LibraryProblem> {
        let mut at = start;
        loop {
            match self.row(sql, at, save)? {
                RowRead::Key(key) => at = key,
                RowRead::Nothing => return Ok(None),
                RowRead::Unreadable => return Ok(Some(at)),
            }
        }
    }

    fn row(&mut self, sql: &str, at: i64, save: SaveRow) -> Result<RowRead, LibraryProblem> {
        let Ok(mut statement) = self.old.prepare_cached(sql) else { return Ok(RowRead::Unreadable) };
        let key_at = statement.column_count() - 1;
        let Ok(mut rows) = statement.query([at]) else { return Ok(RowRead::Unreadable) };
        match rows.next() {
            Ok(Some(row)) => {
                let Ok(key) = row.get(key_at) else { return Ok(RowRead::Unreadable) };
                if !save(row, self.changes)? {
                    self.n_lost += 1;
                }
                Ok(RowRead::Key(key))
            }
            Ok(None) => Ok(RowRead::Nothing),
            Err(_) => Ok(RowRead::Unreadable),
        }
    }
}
