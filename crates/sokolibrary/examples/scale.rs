//! Measures a library of 100,000 levels and 500,000 solutions: what it costs to add 10,000 levels, to list the
//! collections, and to read one for export.
//!
//! Run: `cargo run --release -p sokolibrary --example scale [FOLDER]`. The folder, a temporary one if none is named, needs
//! half a gigabyte.
//!
//! The levels are planted, and each has one solution. The other solutions are copies of it whose numbers are changed, so
//! that nothing dominates them: they cost what true ones cost, but would not pass a check.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use sokocore::{PlantSpec, mix64, plant};
use sokoio::Collection;
use sokolibrary::{Library, NewCollection, RecognizedBy};
use sokosearch::Clock;

const N_COLLECTIONS: usize = 100;
const N_LEVELS: usize = 1_000;
const COPIES: i64 = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let own = tempfile::tempdir()?;
    let folder = std::env::args_os().nth(1).map_or_else(|| own.path().to_owned(), PathBuf::from);
    run(&folder.join("scale.sqlite"), N_COLLECTIONS, N_LEVELS, &mut io::stdout())
}

/// Makes the library, and writes what each step takes.
pub(crate) fn run(
    path: &Path,
    n_collections: usize,
    n_levels: usize,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let mut library = Library::create_or_open(path)?;
    let mut seed = 0;
    let mut seconds = Vec::new();
    for number in 1..=n_collections {
        let collection = Collection::parse(collection_text(n_levels, &mut seed).as_bytes());
        let (name, clock) = (format!("Collection {number}"), Clock::start());
        library.write(|changes| {
            changes
                .add_collection(&NewCollection::new(&name, &collection).recognized_by(RecognizedBy::LevelsUnderAnyName))
        })?;
        seconds.push(clock.elapsed().as_secs_f64());
    }
    let last_ten = seconds.iter().rev().take(10).sum::<f64>();
    writeln!(out, "add {} levels: {last_ten:.2} s", n_levels * n_collections.min(10))?;
    copy_solutions(path)?;
    let sums = library.sums()?;
    writeln!(out, "{} levels, {} solutions, {} MiB", sums.n_levels, sums.n_solutions, library.size()? >> 20)?;
    timed(out, "list collections", || library.collection_sums())?;
    timed(out, "list the levels of one", || library.rated_entries("Collection 1"))?;
    timed(out, "read one for export", || {
        let text = library.collection_text("Collection 1")?;
        let entries = library.entries("Collection 1")?;
        for id in entries.iter().filter_map(|entry| entry.id) {
            library.solutions(id)?;
            library.proofs(id)?;
        }
        Ok::<_, Box<dyn Error>>((text, entries))
    })?;
    timed(out, "sums of the library", || library.sums())
}

fn timed<T, E: Into<Box<dyn Error>>>(
    out: &mut impl Write,
    what: &str,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<(), Box<dyn Error>> {
    let clock = Clock::start();
    work().map_err(Into::into)?;
    Ok(writeln!(out, "{what}: {:.3} s", clock.elapsed().as_secs_f64())?)
}

/// Plants levels, each with its solution.
fn collection_text(n_levels: usize, seed: &mut u64) -> String {
    let spec = PlantSpec { boxes: 3..=8, width: 10..=14, height: 8..=12, pulls: 60..=120, ..PlantSpec::default() };
    let mut text = String::new();
    let mut n = 0;
    while n < n_levels {
        let mut choose = |n: usize| {
            *seed = seed.wrapping_add(1);
            usize::try_from(mix64(*seed) % n as u64).unwrap_or(0)
        };
        if let Some((level, moves)) = plant(&spec, &mut choose) {
            n += 1;
            text += &format!("Level {n}\n\n{}\n\nSolution\n{moves}\n\n", level.grid());
        }
    }
    text
}

fn copy_solutions(path: &Path) -> Result<(), Box<dyn Error>> {
    let connection = Connection::open(path)?;
    for copy in 1..=COPIES {
        connection.execute(
            "INSERT INTO solution (level_id, moves, pushes, box_lines, box_changes, pushing_sessions, player_lines,
                 lurd, objective, method, notes, seconds, origin_id, found_at)
             SELECT level_id, moves + ?1, pushes - ?1, box_lines, box_changes, pushing_sessions, player_lines,
                 lurd, objective, method, notes, seconds, origin_id, found_at
             FROM solution GROUP BY level_id",
            [copy],
        )?;
    }
    Ok(())
}
