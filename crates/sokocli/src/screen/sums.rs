//! What was finished, in all and file by file.

use super::FinishedKind;
use crate::table::{Column, Table, TableCell};

const COLUMNS: [Column; 5] = [
    Column::title("file", "file"),
    Column::number("levels", "levels"),
    Column::number("improved", "improved").if_any(),
    Column::number("solved", "solved").if_any(),
    Column::number("failed", "failed").if_any(),
];

/// Numbers of finished levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LevelCounts {
    pub(super) n_finished: usize,
    pub(super) n_improved: usize,
    pub(super) n_solved: usize,
    pub(super) n_failed: usize,
}

impl LevelCounts {
    /// Counts a level.
    pub(super) const fn add(&mut self, kind: FinishedKind) {
        self.n_finished += 1;
        match kind {
            FinishedKind::Improved => self.n_improved += 1,
            FinishedKind::Solved | FinishedKind::Proved => self.n_solved += 1,
            FinishedKind::Failed => self.n_failed += 1,
            FinishedKind::Ordinary => {}
        }
    }
}

/// The sums of each file, in the order in which their first levels were finished.
#[derive(Clone, Debug, Default)]
pub(super) struct FileSums(Vec<(String, LevelCounts)>);

impl FileSums {
    /// Counts a level of a file.
    pub(super) fn add(&mut self, file: &str, kind: FinishedKind) {
        // Levels are finished about in their order, so the file is mostly the last one.
        match self.0.iter_mut().rev().find(|(other, _)| other == file) {
            Some((_, sums)) => sums.add(kind),
            None => {
                let mut sums = LevelCounts::default();
                sums.add(kind);
                self.0.push((file.to_owned(), sums));
            }
        }
    }

    /// Returns the table of all files, if there are several.
    pub(super) fn table(&self) -> Option<Table> {
        let mut table = Table::new(&COLUMNS);
        let number = |n: usize| if n == 0 { TableCell::empty() } else { TableCell::number(n) };
        for (file, sums) in &self.0 {
            table.row([
                TableCell::text(file),
                number(sums.n_finished),
                number(sums.n_improved).good(),
                number(sums.n_solved).good(),
                number(sums.n_failed).warning(),
            ]);
        }
        (self.0.len() > 1).then_some(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Terminal;

    #[test]
    fn several_files_have_a_table() {
        let mut files = FileSums::default();
        files.add("a.sok", FinishedKind::Improved);
        assert!(files.table().is_none());
        files.add("b.sok", FinishedKind::Ordinary);
        files.add("a.sok", FinishedKind::Failed);
        let drawn = files.table().map(|table| table.draw(&Terminal::FILE.ascii())).unwrap_or_default();
        let expect = "\
file   levels  improved  failed
-------------------------------
a.sok       2         1       1
b.sok       1
";
        assert_eq!(drawn, expect, "{drawn}");
    }
}
