//! A game written into a file that grows: as a solution if it solves the level, else as a snapshot.
//!
//! Invariant: everything that is in the file stays there, and no other run writes it meanwhile.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use sokocore::{Level, Lurd, replay, replay_snapshot};
use sokoio::{Collection, LevelEntry, LevelId, OutputLock, SolutionKind, SolutionTitle, write_file, write_new_file};
use sokolibrary::{Document, Find, Keep, PROGRAM};

use crate::wording::count;

/// What became of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SavedGame {
    pub(super) path: PathBuf,
    /// `a solution of 77 moves and 15 pushes`.
    pub(super) what: String,
    /// Whether it was not there before.
    pub(super) is_new: bool,
}

/// Adds the moves to their level in a file, which is made if it is not there.
pub(super) fn save(path: &Path, entry: &LevelEntry, level: &Level, moves: &Lurd) -> anyhow::Result<SavedGame> {
    ensure!(!moves.is_empty(), "there is no move to save");
    let solution = replay(level, moves).ok();
    let snapshot = replay_snapshot(level, moves).context("the moves cannot be replayed")?;
    let _lock = OutputLock::acquire(path)?;
    let is_there = path.exists();
    let collection = if is_there { Collection::read(path)? } else { Collection::new() };
    ensure!(collection.is_text(), "{} is packed or no .sok text; choose another file by --into", path.display());
    let mut document = Document::new(collection);
    let add = |document: &mut Document, level_idx| match &solution {
        Some(solution) => {
            let find = Find { program: None, ..Find::ours(solution) };
            document.add(level_idx, [find], Keep::All)
        }
        None => {
            let title = SolutionTitle::new(SolutionKind::Plain, snapshot.metrics()).with_program(PROGRAM);
            document.add_snapshot(level_idx, &title, snapshot.lurd())
        }
    };
    let places = document.places(LevelId::of(level)).to_vec();
    let is_new = match places.iter().find_map(|&level_idx| add(&mut document, level_idx).ok()) {
        Some(is_new) => is_new,
        None => document.add_to_copy(entry, &places, Keep::NotDominated, &add)?.is_gain,
    };
    if is_new {
        let bytes = document.collection().to_bytes();
        if is_there { write_file(path, &bytes)? } else { write_new_file(path, &bytes)? }
    }
    let (kind, metrics) = match &solution {
        Some(solution) => ("a solution", solution.metrics()),
        None => ("a snapshot", snapshot.metrics()),
    };
    let what = format!("{kind} of {} and {}", count(metrics.moves, "move"), count(metrics.pushes, "push"));
    Ok(SavedGame { path: path.to_owned(), what, is_new })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn games_are_added_and_nothing_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.soko.sok");
        let collection: Collection = "A\n\n#######\n#     #\n#@$ . #\n#######\n\nSolution\nudRR\n".parse().unwrap();
        let entry = &collection.levels()[0];
        let level = entry.level().unwrap();
        let save = |moves: &str| save(&path, entry, level, &moves.parse().unwrap());
        assert!(save("").is_err() && !path.exists());
        let saved = save("R").unwrap();
        assert_eq!((saved.what.as_str(), saved.is_new), ("a snapshot of 1 move and 1 push", true));
        assert!(!save("R").unwrap().is_new);
        let saved = save("RRu").unwrap();
        assert_eq!((saved.what.as_str(), saved.is_new), ("a solution of 2 moves and 2 pushes", true));
        let text = fs::read_to_string(&path).unwrap();
        for part in ["\nudRR\n", "\nSnapshot 1/1/1/1/1/1 (Soko)\nR\n", "\nBest Solution 2/2/1/1/1/1\nRR\n"] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no lock and no temporary file is left");
    }

    #[test]
    fn a_file_that_is_no_collection_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        fs::write(&path, "my notes\n").unwrap();
        let collection: Collection = "#####\n#@$.#\n#####\n".parse().unwrap();
        let entry = &collection.levels()[0];
        assert!(save(&path, entry, entry.level().unwrap(), &"R".parse().unwrap()).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "my notes\n");
    }
}
