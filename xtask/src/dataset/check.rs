//! `cargo xtask dataset check`: what is in level files, and whether it is right.
//!
//! Wrong are: a file without a level, a board that is no playable level, a recorded solution that does not solve
//! its level, and a level that its file holds twice, turned or mirrored. Levels shared with a file before, letters
//! of the wrong case and moves after the end are told, but not held against a file.

use std::collections::BTreeMap;
use std::iter;
use std::path::PathBuf;

use anyhow::{Error, ensure};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use sokocore::{Level, Solution};
use sokoio::{Collection, GameKind, LevelEntry, LevelId};

/// Arguments of `cargo xtask dataset check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Level files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// What was counted in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct CheckCounts {
    levels: usize,
    refused: usize,
    unsolved: usize,
    solutions: usize,
    wrong: usize,
    other_games: usize,
    twice: usize,
    shared: usize,
}

/// Everything known so far, over all files.
#[derive(Default)]
struct Checker {
    /// Name of the file and title of the level that was first seen under an identity.
    seen: BTreeMap<LevelId, (String, String)>,
    remarks: Vec<String>,
}

/// Checks all files and prints what came of it.
pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<()> {
    let mut checker = Checker::default();
    let mut tallies = Vec::new();
    for path in &args.files {
        let name = path.display().to_string();
        let counts = checker.check(&name, &Collection::read(path)?);
        tallies.push((name, counts));
    }
    for remark in &checker.remarks {
        println!("{remark}");
    }
    println!("{}", table(&tallies));
    let n_bad = tallies.iter().filter(|(_, counts)| !counts.is_good()).count();
    ensure!(n_bad == 0, "{n_bad} of {} files are not in order", tallies.len());
    Ok(())
}

impl CheckCounts {
    const HEADER: [&'static str; 9] =
        ["file", "levels", "refused", "unsolved", "solutions", "wrong", "other games", "twice", "shared"];

    fn is_good(&self) -> bool {
        self.levels > 0 && self.refused == 0 && self.wrong == 0 && self.twice == 0
    }

    const fn counts(&self) -> [usize; 8] {
        let Self { levels, refused, unsolved, solutions, wrong, other_games, twice, shared } = *self;
        [levels, refused, unsolved, solutions, wrong, other_games, twice, shared]
    }

    fn row(&self, name: &str) -> Vec<String> {
        let counts = self.counts().map(|count| count.to_string());
        iter::once(name.to_owned()).chain(counts).collect()
    }

    fn add(&mut self, other: &Self) {
        self.levels += other.levels;
        self.refused += other.refused;
        self.unsolved += other.unsolved;
        self.solutions += other.solutions;
        self.wrong += other.wrong;
        self.other_games += other.other_games;
        self.twice += other.twice;
        self.shared += other.shared;
    }
}

fn table(tallies: &[(String, CheckCounts)]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(CheckCounts::HEADER);
    let mut total = CheckCounts::default();
    for (name, counts) in tallies {
        table.add_row(counts.row(name));
        total.add(counts);
    }
    if tallies.len() > 1 {
        table.add_row(total.row("total"));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

impl Checker {
    fn check(&mut self, file: &str, collection: &Collection) -> CheckCounts {
        let mut counts = CheckCounts::default();
        for entry in collection.levels() {
            counts.levels += 1;
            match entry.level() {
                Ok(level) => {
                    self.compare(file, entry, level, &mut counts);
                    self.check_games(file, entry, &mut counts);
                }
                Err(error) => {
                    counts.refused += 1;
                    self.remark(file, entry.line(), &format!("refused: {:#}", Error::new(error)));
                }
            }
        }
        if counts.levels == 0 {
            self.remarks.push(format!("{file}: no level in it"));
        }
        counts
    }

    /// Compares the level to those before it, and remembers it.
    fn compare(&mut self, file: &str, entry: &LevelEntry, level: &Level, counts: &mut CheckCounts) {
        let title = entry.title_or_number();
        let id = LevelId::up_to_symmetry(level);
        match self.seen.get(&id) {
            None => drop(self.seen.insert(id, (file.to_owned(), title))),
            Some((first_file, first_title)) if first_file == file => {
                counts.twice += 1;
                let remark = format!("{title} is the same level as {first_title}");
                self.remark(file, entry.line(), &remark);
            }
            Some(_) => counts.shared += 1,
        }
    }

    fn check_games(&mut self, file: &str, entry: &LevelEntry, counts: &mut CheckCounts) {
        let mut n_right = 0;
        for (game_idx, solution) in entry.solutions() {
            counts.solutions += 1;
            let line = entry.games()[game_idx].line();
            match solution {
                Ok(solution) => {
                    n_right += 1;
                    self.remark_on_text(file, line, &solution);
                }
                Err(error) => {
                    counts.wrong += 1;
                    self.remark(file, line, &format!("wrong solution: {:#}", Error::new(error)));
                }
            }
        }
        counts.other_games += entry.games().iter().filter(|game| game.kind() != GameKind::Solution).count();
        counts.unsolved += usize::from(n_right == 0);
    }

    fn remark_on_text(&mut self, file: &str, line: usize, solution: &Solution) {
        let remarks = solution.remarks();
        if remarks.case_corrected > 0 {
            self.remark(file, line, &format!("{} letters have the wrong case", remarks.case_corrected));
        }
        if remarks.cut_after_solved > 0 {
            self.remark(file, line, &format!("{} moves come after the end", remarks.cut_after_solved));
        }
    }

    fn remark(&mut self, file: &str, line: usize, text: &str) {
        self.remarks.push(format!("{file}:{line}: {text}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: &str = "######\n#@$ .#\n######\n";

    fn check(text: &str) -> (CheckCounts, Vec<String>) {
        let mut checker = Checker::default();
        let counts = checker.check("a.sok", &Collection::parse(text.as_bytes()));
        (counts, checker.remarks)
    }

    #[test]
    fn a_file_in_order_is_counted() {
        let (counts, remarks) = check(&format!("One\n\n{LEVEL}\nSolution\nRR\n\nSnapshot\nR\n"));
        assert_eq!(counts, CheckCounts { levels: 1, solutions: 1, other_games: 1, ..CheckCounts::default() });
        assert!(counts.is_good() && remarks.is_empty(), "{remarks:?}");
    }

    #[test]
    fn a_wrong_solution_is_held_against_the_file() {
        let (counts, remarks) = check(&format!("One\n\n{LEVEL}\nSolution\nRRR\n\nSolution\nR\n"));
        assert_eq!((counts.solutions, counts.wrong, counts.unsolved), (2, 1, 0));
        assert!(!counts.is_good());
        assert!(remarks.iter().any(|remark| remark.contains("1 moves come after the end")), "{remarks:?}");
        assert!(remarks.iter().any(|remark| remark.contains("wrong solution")), "{remarks:?}");
    }

    #[test]
    fn a_mirrored_level_is_the_same_level() {
        let (counts, remarks) = check(&format!("One\n\n{LEVEL}\nTwo\n\n######\n#. $@#\n######\n"));
        assert_eq!((counts.levels, counts.twice, counts.unsolved), (2, 1, 2));
        assert!(remarks[0].contains("Two is the same level as One"), "{remarks:?}");
    }

    #[test]
    fn two_files_may_share_a_level() {
        let mut checker = Checker::default();
        let collection = Collection::parse(LEVEL.as_bytes());
        assert!(checker.check("a.sok", &collection).is_good());
        let counts = checker.check("b.sok", &collection);
        assert!(counts.is_good());
        assert_eq!((counts.twice, counts.shared), (0, 1));
    }

    #[test]
    fn nothing_is_not_a_level_file() {
        assert!(!check("").0.is_good());
        let (counts, remarks) = check("One\n\n######\n#@$  #\n######\n");
        assert_eq!((counts.levels, counts.refused), (1, 1));
        assert!(remarks[0].contains("refused"), "{remarks:?}");
    }
}
