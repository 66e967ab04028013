//! Lists the levels of a collection with their best recorded solutions, by moves and by pushes.
//!
//! Run: `cargo run -p sokoio --example titles [FILE]`.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sokocore::{Objective, Solution};
use sokoio::{Collection, LevelEntry};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).map_or_else(default_path, PathBuf::from);
    run(&path, &mut io::stdout())
}

/// The collection that is listed if none is named.
pub(crate) fn default_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/first.sok")
}

/// Writes what the program prints.
pub(crate) fn run(path: &Path, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let collection = Collection::read(path)?;
    if let Some(title) = collection.title() {
        writeln!(out, "{title}, by {}", collection.author().unwrap_or("an unknown author"))?;
    }
    for entry in &collection {
        let title = entry.title_or_number();
        match entry.level() {
            Ok(level) => writeln!(out, "\n{}. {title}, {} boxes", entry.number(), level.n_boxes())?,
            Err(error) => writeln!(out, "\n{}. {title}, line {}: {error}", entry.number(), entry.line())?,
        }
        for objective in [Objective::MOVES, Objective::PUSHES] {
            match best(entry, objective) {
                Some((game, solution)) => {
                    writeln!(out, "   by {objective:<7} {} (line {})", solution.metrics(), entry.games()[game].line())?;
                }
                None => writeln!(out, "   by {objective:<7} no solution")?,
            }
        }
    }
    Ok(())
}

/// Returns the best of the recorded games that solve the level, with its place among them.
fn best(entry: &LevelEntry, objective: Objective) -> Option<(usize, Solution)> {
    let solved = entry.solutions().filter_map(|(game, solution)| Some((game, solution.ok()?)));
    solved.min_by_key(|(_, solution)| objective.score(&solution.metrics()))
}
