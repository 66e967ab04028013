//! What is right in a damaged library, in a new file.
//!
//! ```text
//!   library.sqlite (damaged) ──rows that can be read──▶ replay, parse ──▶ library.sqlite.repaired
//!                                                                               │ all is written
//!   library.sqlite.damaged ◀── the old file                library.sqlite ◀── renamed
//! ```
//!
//! Rows are read one by one by their keys, from both ends, so that a damaged page costs the rows on it: [`salvage`].
//! Collections are rebuilt from their texts. Where the names of the tables cannot be read, they are those of a new library:
//! [`schema_page`].

mod salvage;

use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Row};
use sokocore::{Level, Lurd};
use sokoio::{Collection, ProofNote};

use self::salvage::Salvage;
use crate::changes::Changes;
use crate::collection_text::unpack;
use crate::collections::NewCollection;
use crate::library::Library;
use crate::library_error::{LibraryError, LibraryProblem};
use crate::origin::{self, Origin};
use crate::proofs::NewProof;
use crate::runs::{self, StoredRun};
use crate::schema;
use crate::schema_page::{self, SchemaLayout};
use crate::solutions::NewSolution;
use crate::work::{self, WorkDone};

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
/// The file is no library, nothing can be read from it, or the new one cannot be written. The damaged file is where it was
/// then.
pub fn repair(path: &Path) -> Result<Repaired, LibraryError> {
    let named = |problem: LibraryProblem| problem.of(path);
    if !path.exists() {
        return Err(named(LibraryProblem::Missing));
    }
    if !path.is_file() {
        return Err(named(LibraryProblem::NotAFile));
    }
    let new_path = beside(path, "repaired");
    let saved = save_into(path, &new_path);
    let mut repaired = match saved {
        Ok(repaired) => repaired,
        Err(error) => {
            // The first error is the one to tell.
            remove(&new_path).unwrap_or_default();
            return Err(error);
        }
    };
    repaired.damaged = beside(path, "damaged");
    replace(path, &new_path, &repaired.damaged).map_err(|error| named(LibraryProblem::Replace(error)))?;
    Ok(repaired)
}

/// Saves what is right into a new file.
fn save_into(path: &Path, new_path: &Path) -> Result<Repaired, LibraryError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let old = Connection::open_with_flags(path, flags).map_err(|error| LibraryProblem::from(error).of(path))?;
    // Another process would write into the file after it has another name. The lock comes with the first reading.
    let locked =
        old.busy_timeout(Duration::from_secs(1)).and_then(|()| old.pragma_update(None, "locking_mode", "EXCLUSIVE"));
    locked.map_err(|error| LibraryProblem::from(error).of(path))?;
    match schema::version(&old) {
        Err(LibraryProblem::Busy) => return Err(LibraryProblem::InUse.of(path)),
        Ok(_) => {
            let repaired = save_from(&old, new_path)?;
            return if repaired.n_levels > 0 || is_empty(&old) { Ok(repaired) } else { save_by_pages(path, new_path) };
        }
        Err(LibraryProblem::NotADatabase) if !schema_page::follows(path) => {
            return Err(LibraryProblem::NotADatabase.of(path));
        }
        Err(LibraryProblem::NotADatabase | LibraryProblem::Damaged(_) | LibraryProblem::Io(_)) => {}
        Err(other) => return Err(other.of(path)),
    }
    drop(old);
    save_by_pages(path, new_path)
}

/// Returns whether there is nothing to save, rather than nothing that can be read.
fn is_empty(old: &Connection) -> bool {
    let count = old.query_row("SELECT COUNT(*) FROM level NOT INDEXED", [], |row| row.get::<_, i64>(0));
    count.is_ok_and(|count| count == 0)
}

/// Saves what is right in a file whose first page is damaged, with that of the layout by which more can be read.
fn save_by_pages(path: &Path, new_path: &Path) -> Result<Repaired, LibraryError> {
    let made = save_with_page(path, new_path, SchemaLayout::Made)?;
    let compacted = save_with_page(path, new_path, SchemaLayout::Compacted)?;
    match made.n_saved().cmp(&compacted.n_saved()) {
        _ if made.n_levels + compacted.n_levels == 0 => Err(LibraryProblem::NothingToSave.of(path)),
        Ordering::Greater => save_with_page(path, new_path, SchemaLayout::Made),
        _ => Ok(compacted),
    }
}

/// Saves what is right in a copy of a file with another first page.
fn save_with_page(path: &Path, new_path: &Path, layout: SchemaLayout) -> Result<Repaired, LibraryError> {
    let copy = beside(path, "pages");
    let clear = || remove(&copy).map_err(|error| LibraryProblem::Replace(error).of(path));
    clear()?;
    let opened = schema_page::copy_with_new_page(path, &copy, layout).and_then(|()| Ok(Connection::open(&copy)?));
    let saved = opened.map_err(|problem| problem.of(path)).and_then(|old| save_from(&old, new_path));
    clear()?;
    saved
}

impl Repaired {
    const fn n_saved(&self) -> u64 {
        self.n_levels + self.n_solutions + self.n_collections
    }
}

/// Makes a new library of what can be read over a connection.
fn save_from(old: &Connection, new_path: &Path) -> Result<Repaired, LibraryError> {
    remove(new_path).map_err(|error| LibraryProblem::Replace(error).of(new_path))?;
    let mut new = Library::create_or_open(new_path)?;
    let mut repaired = Repaired::default();
    new.write(|changes| save(old, changes, &mut repaired))?;
    let sums = new.sums()?;
    (repaired.n_levels, repaired.n_solutions, repaired.n_collections) =
        (sums.n_levels, sums.n_solutions, sums.n_collections);
    new.compact()?;
    Ok(repaired)
}

/// Names a file beside the library that does not exist; the first name is reused for a file of an earlier try.
fn beside(path: &Path, end: &str) -> PathBuf {
    let named = |number: u32| {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(if number == 1 { format!(".{end}") } else { format!(".{end}-{number}") });
        path.with_file_name(name)
    };
    let is_free = |name: &PathBuf| end != "damaged" || !name.exists();
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

/// Gives the damaged file a second name, and its first one to the new file, in one step: there is a library at all times.
fn replace(path: &Path, new: &Path, damaged: &Path) -> std::io::Result<()> {
    // Changes in the log of the old file must not get into the new one.
    for (old, kept) in with_journals(path).iter().zip(with_journals(damaged)).skip(1) {
        if old.exists() {
            fs::rename(old, kept)?;
        }
    }
    // Not every file system has second names.
    fs::hard_link(path, damaged).or_else(|_| fs::copy(path, damaged).map(drop))?;
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
    if has_table(old, "run") {
        salvage.table("run", runs::COLUMNS, save_run)?;
    }
    repaired.n_lost = salvage.n_lost;
    Ok(())
}

/// Whether a library has a table that came with a later version; not if its tables cannot be read.
fn has_table(old: &Connection, table: &str) -> bool {
    old.prepare(&format!("SELECT * FROM {table}")).is_ok()
}

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

fn save_run(row: &Row<'_>, changes: &Changes<'_>) -> Result<bool, LibraryProblem> {
    let Ok(run) = StoredRun::of_row(row) else { return Ok(false) };
    is_right(changes.put_run(&run))
}
