//! Whether everything in a library is right.

use rusqlite::Connection;
use sokocore::{Level, Lurd, replay};
use sokoio::{LevelId, ProofNote, canonical_grid};

use crate::changes::count;
use crate::collection_text::text_of;
use crate::library::Library;
use crate::library_error::{LibraryError, LibraryProblem};
use crate::solutions::metrics_of;

/// Most faults that are told one by one.
const MAX_FAULTS: usize = 1_000;

/// What a check has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckReport {
    /// Levels that were read.
    pub n_levels: u64,
    /// Solutions that were replayed.
    pub n_solutions: u64,
    /// Collections whose text was read.
    pub n_collections: u64,
    /// Claims that were compared with the solutions.
    pub n_proofs: u64,
    /// What is wrong, at most a thousand things.
    pub faults: Vec<LibraryFault>,
    /// How many things are wrong.
    pub n_faults: u64,
}

/// Something that is wrong in a library.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LibraryFault {
    /// What it is about, such as `solution 12`.
    pub what: String,
    /// What is wrong with it.
    pub why: String,
}

impl CheckReport {
    fn fault(&mut self, what: impl Into<String>, why: impl Into<String>) {
        self.n_faults += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(LibraryFault { what: what.into(), why: why.into() });
        }
    }

    /// Returns whether everything is right.
    #[must_use]
    pub const fn is_clean(&self) -> bool {
        self.n_faults == 0
    }
}

impl Library {
    /// Reads everything: the pages of the file, boards and their identities, texts and their entries, and replays every
    /// solution.
    ///
    /// # Errors
    /// The file cannot be read at all. What is wrong in it is in the report.
    pub fn check(&self) -> Result<CheckReport, LibraryError> {
        self.read(|connection| {
            let mut report = CheckReport::default();
            for (part, check) in PARTS {
                if let Err(problem) = check(connection, &mut report) {
                    let cause = std::error::Error::source(&problem).map(|cause| format!(": {cause}"));
                    report.fault(part, format!("{problem}{}", cause.unwrap_or_default()));
                }
            }
            Ok(report)
        })
    }
}

type Part = fn(&Connection, &mut CheckReport) -> Result<(), LibraryProblem>;

const PARTS: [(&str, Part); 5] = [
    ("the pages of the file", check_pages),
    ("the levels", check_levels),
    ("the solutions", check_solutions),
    ("the collections", check_collections),
    ("the proofs", check_proofs),
];

fn check_pages(connection: &Connection, report: &mut CheckReport) -> Result<(), LibraryProblem> {
    let mut statement = connection.prepare("PRAGMA integrity_check")?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
    for line in lines.into_iter().filter(|line| line != "ok") {
        report.fault("the pages of the file", line);
    }
    let mut statement = connection.prepare("PRAGMA foreign_key_check")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (table, key): (String, Option<i64>) = (row.get(0)?, row.get(1)?);
        let parent: String = row.get(2)?;
        report.fault(format!("{table} {}", key.unwrap_or(0)), format!("its {parent} is missing"));
    }
    Ok(())
}

fn check_levels(connection: &Connection, report: &mut CheckReport) -> Result<(), LibraryProblem> {
    let mut statement = connection.prepare("SELECT level_id, identity, family, board FROM level")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        report.n_levels += 1;
        let what = format!("level {}", row.get::<_, i64>(0)?);
        let (identity, family, board): (String, String, String) = (row.get(1)?, row.get(2)?, row.get(3)?);
        match Level::parse(&board) {
            Err(error) => report.fault(what, error.to_string()),
            Ok(level) if LevelId::of(&level).to_string() != identity => {
                report.fault(what, "its board has another identity");
            }
            Ok(level) if LevelId::up_to_symmetry(&level).to_string() != family => {
                report.fault(what, "its board belongs to another family");
            }
            Ok(level) if canonical_grid(&level).to_string() != board => report.fault(what, "its board has margins"),
            Ok(_) => {}
        }
    }
    Ok(())
}

fn check_solutions(connection: &Connection, report: &mut CheckReport) -> Result<(), LibraryProblem> {
    let sql = "SELECT solution_id, board, lurd, moves, pushes, box_lines, box_changes, pushing_sessions, player_lines
         FROM solution JOIN level USING (level_id) ORDER BY level_id";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    // The solutions of a level follow each other.
    let mut last: Option<(String, Level)> = None;
    while let Some(row) = rows.next()? {
        report.n_solutions += 1;
        let what = format!("solution {}", row.get::<_, i64>(0)?);
        let (board, lurd): (String, String) = (row.get(1)?, row.get(2)?);
        if last.as_ref().is_none_or(|(text, _)| *text != board) {
            // A bad board is a fault of its level.
            last = Level::parse(&board).ok().map(|level| (board, level));
        }
        let Some((_, level)) = &last else { continue };
        match lurd.parse::<Lurd>().map(|moves| replay(level, &moves)) {
            Err(error) => report.fault(what, error.to_string()),
            Ok(Err(error)) => report.fault(what, error.to_string()),
            Ok(Ok(solution)) if solution.metrics() != metrics_of(row, 3)? => {
                report.fault(what, format!("it measures {}, and the library says otherwise", solution.metrics()));
            }
            Ok(Ok(_)) => {}
        }
    }
    Ok(())
}

fn check_collections(connection: &Connection, report: &mut CheckReport) -> Result<(), LibraryProblem> {
    let mut statement = connection.prepare("SELECT collection_id, name FROM collection ORDER BY name")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let names = rows.collect::<rusqlite::Result<Vec<(i64, String)>>>()?;
    let sql = "SELECT identity FROM entry LEFT JOIN level USING (level_id) WHERE collection_id = ?1 ORDER BY number";
    let mut entries = connection.prepare(sql)?;
    for (key, name) in names {
        report.n_collections += 1;
        let what = format!("collection {name:?}");
        let text = match text_of(connection, &name) {
            Ok(text) => text,
            Err(problem) => {
                report.fault(what, problem.to_string());
                continue;
            }
        };
        let rows = entries.query_map([key], |row| row.get::<_, Option<String>>(0))?;
        let stored = rows.collect::<rusqlite::Result<Vec<_>>>()?;
        let read = text.levels().iter().map(|entry| entry.level().ok().map(|level| LevelId::of(level).to_string()));
        // A level that was forgotten leaves its place empty.
        let is_same = stored.len() == text.levels().len()
            && stored.iter().zip(read).all(|(stored, read)| stored.is_none() || *stored == read);
        if !is_same {
            report.fault(what, "its text has other levels than its entries");
        }
    }
    Ok(())
}

fn check_proofs(connection: &Connection, report: &mut CheckReport) -> Result<(), LibraryProblem> {
    let sql =
        "SELECT level_id FROM level JOIN best USING (level_id) WHERE least_moves > moves OR least_pushes > pushes";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        report.fault(format!("level {}", row.get::<_, i64>(0)?), "a solution is below its lower bounds");
    }
    let sql = "SELECT proof_id, claim, moves, pushes FROM proof LEFT JOIN best USING (level_id)";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        report.n_proofs += 1;
        let what = format!("proof {}", row.get::<_, i64>(0)?);
        let claim: String = row.get(1)?;
        let best = |at: usize| row.get::<_, Option<i64>>(at).map(|best| best.map_or(u64::MAX, count));
        let (moves, pushes) = (best(2)?, best(3)?);
        let Some(note) = ProofNote::parse(&claim) else {
            report.fault(what, "it is written in words that this version does not know");
            continue;
        };
        let proved = note.proved();
        if proved.least_moves().is_some_and(|least| least > moves)
            || proved.least_pushes().is_some_and(|least| least > pushes)
        {
            report.fault(what, "a solution of the library is below what it says to be least");
        }
    }
    Ok(())
}
