//! Writes a file of any format as plain `.sok` text: boards in standard letters, all solutions that replay, best first.
//!
//! Run: `cargo run -p sokoio --example normalize [FILE]`.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sokocore::{Objective, Solution};
use sokoio::{Collection, LevelEntry, NewLevel, SolutionKind, SolutionTitle};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).map_or_else(default_path, PathBuf::from);
    run(&path, &mut io::stdout())
}

/// The file that is normalized if none is named.
pub(crate) fn default_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fuzz-corpus/file/two-maps.ssx")
}

/// Writes what the program prints.
pub(crate) fn run(path: &Path, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let old = Collection::read(path)?;
    let mut new = Collection::new();
    for entry in &old {
        let Ok(level) = entry.level() else { continue };
        let rows = NewLevel::from(level).rows;
        let mut described = NewLevel::from(entry);
        described.rows = rows;
        let at = new.append_level(&described)?;
        for solution in solutions(entry) {
            let title = SolutionTitle::new(SolutionKind::Plain, solution.metrics());
            new.add_solution(at, &title, solution.lurd(), &[])?;
        }
    }
    write!(out, "{new}")?;
    Ok(())
}

/// Returns the solutions that replay, by moves, each once.
fn solutions(entry: &LevelEntry) -> Vec<Solution> {
    let mut found: Vec<Solution> = entry.solutions().filter_map(|(_, solution)| solution.ok()).collect();
    found.sort_by_key(|solution| Objective::MOVES.score(&solution.metrics()));
    found.dedup_by(|one, other| one.lurd() == other.lurd());
    found
}
