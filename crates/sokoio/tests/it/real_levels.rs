//! Published collections, read where they lie: every recorded solution replays. They are not part of the repository.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use sokocore::Metrics;
use sokoio::{Collection, GameKind, SolutionKind, SolutionTitle};

use crate::checks;

/// The directory of the levels, from `SOKO_LEVELS` or beside the workspace.
fn levels_directory() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/levels");
    let directory = std::env::var_os("SOKO_LEVELS").map_or_else(beside, PathBuf::from);
    if directory.is_dir() {
        return Some(directory);
    }
    let _ = writeln!(std::io::stderr(), "skipped: no levels in {}; set SOKO_LEVELS", directory.display());
    None
}

/// Reads a file and returns its numbers of levels, of good levels, and of solutions, which all replay.
fn check(path: &Path) -> (usize, usize, usize) {
    let collection = Collection::read(path).unwrap();
    assert_eq!(collection.to_bytes(), fs::read(path).unwrap());
    let mut n_solutions = 0;
    for entry in collection.levels() {
        assert!(entry.games().iter().all(|game| game.kind() == GameKind::Solution), "{}", path.display());
        for (_, solution) in entry.solutions() {
            let place = || format!("{}: {} at line {}", path.display(), entry.title_or_number(), entry.line());
            let solution = solution.unwrap_or_else(|error| panic!("{}: {error:?}", place()));
            assert_eq!(solution.remarks().case_corrected, 0, "{}", place());
            n_solutions += 1;
        }
    }
    let n_good = collection.levels().iter().filter(|entry| entry.level().is_ok()).count();
    (collection.levels().len(), n_good, n_solutions)
}

fn collections(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|end| end == "sok")).collect();
    paths.sort();
    paths
}

#[test]
fn the_development_set_has_sixty_solved_levels() {
    let Some(directory) = levels_directory() else { return };
    let path = directory.join("dev.sok");
    assert_eq!(check(&path), (60, 60, 60));
    for entry in Collection::read(&path).unwrap().levels() {
        assert_eq!(entry.games().len(), 1, "level {}", entry.number());
        assert!(entry.title().is_some(), "level {}", entry.number());
    }
}

#[test]
fn every_recorded_solution_replays() {
    let Some(directory) = levels_directory() else { return };
    for path in collections(&directory.join("solved")) {
        let bytes = fs::read(&path).unwrap();
        let n_titles = String::from_utf8_lossy(&bytes).lines().filter(|line| line.starts_with("Solution")).count();
        let (n_levels, n_good, n_solutions) = check(&path);
        assert_eq!(n_solutions, n_titles, "{}", path.display());
        assert!(n_levels == n_good && n_levels >= n_solutions, "{}", path.display());
    }
}

/// All files of levels: the published ones if they are there, and our own.
fn all_files() -> Vec<PathBuf> {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let published = levels_directory().into_iter();
    let directories = published.flat_map(|root| ["", "solve", "solved", "boxoban"].map(|name| root.join(name)));
    let is_levels = |path: &PathBuf| path.extension().is_some_and(|end| end == "sok" || end == "txt");
    let entries = directories.chain([testdata]).filter_map(|directory| fs::read_dir(directory).ok()).flatten();
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file() && is_levels(path)).collect()
}

/// Edits of real files change nothing else in them.
#[test]
fn edits_keep_the_rest() {
    for path in all_files() {
        let bytes = fs::read(&path).unwrap();
        if bytes.len() < 100_000 {
            checks::check_level(&bytes);
        }
    }
}

/// Each level takes a solution, in any order, above the text of the next; titles and notes stay.
#[test]
fn every_level_takes_a_solution() {
    let title = SolutionTitle::new(SolutionKind::Plain, Metrics::count(&[])).with_program("a test");
    for path in all_files() {
        // Licences stand beside the levels.
        let Ok(old) = Collection::read(&path) else { continue };
        let mut collection = old.clone();
        let n_levels = collection.levels().len();
        for at in 0..n_levels {
            let at = at * 7919 % n_levels;
            if collection.levels()[at].games().len() == old.levels()[at].games().len() {
                collection.add_solution(at, &title, &"lrR".parse().unwrap(), &["Solver: Soko".into()]).unwrap();
            }
        }
        for (old, new) in old.levels().iter().zip(Collection::parse(&collection.to_bytes()).levels()) {
            let place = || format!("{}, line {}", path.display(), old.line());
            assert_eq!(
                (old.title(), old.author(), old.notes()),
                (new.title(), new.author(), new.notes()),
                "{}",
                place()
            );
            let n_old = old.games().len();
            assert_eq!(new.games().len(), n_old + 1, "{}", place());
            for (old, new) in old.games().iter().zip(new.games()) {
                assert_eq!((old.title(), old.notes()), (new.title(), new.notes()), "{}", place());
                assert_eq!(old.moves().ok(), new.moves().ok(), "{}", place());
            }
        }
    }
}

#[test]
fn solver_sets_are_all_levels() {
    let Some(directory) = levels_directory() else { return };
    for path in collections(&directory.join("solve")) {
        let bytes = fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let is_player = |line: &&str| line.trim_start().starts_with('#') && line.contains(['@', '+']);
        let (n_levels, n_good, _) = check(&path);
        assert_eq!((n_levels, n_good), (text.lines().filter(is_player).count(), n_levels), "{}", path.display());
    }
}
