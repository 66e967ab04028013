//! A table that is written as comma-separated values, with quotes where a cell needs them.
//!
//! Invariant: each row has as many cells as the head above it.

use std::fmt::Display;
use std::path::Path;

/// Heads and rows.
#[derive(Clone, Debug, Default)]
pub(super) struct CsvTable {
    lines: Vec<Vec<String>>,
    /// Cells of the last head.
    head: Vec<String>,
}

impl CsvTable {
    /// Makes a table without rows.
    pub(super) fn new(head: &[&str]) -> Self {
        let mut table = Self::default();
        table.head(head);
        table
    }

    /// Begins rows with these columns, unless the rows above have the same.
    pub(super) fn head(&mut self, cells: &[impl ToString]) {
        let head: Vec<String> = cells.iter().map(ToString::to_string).collect();
        if self.head != head {
            self.lines.push(head.clone());
            self.head = head;
        }
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: &[&dyn Display]) {
        assert_eq!(cells.len(), self.head.len(), "invariant: a row has a cell for each column of {:?}", self.head);
        self.lines.push(cells.iter().map(ToString::to_string).collect());
    }

    /// Returns the bytes of the file.
    pub(super) fn to_bytes(&self) -> anyhow::Result<Vec<u8>> {
        // A second head may have other columns.
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        self.lines.iter().try_for_each(|line| writer.write_record(line))?;
        Ok(writer.into_inner()?)
    }

    /// Writes the file, if one was asked for.
    pub(super) fn save(&self, path: Option<&Path>) -> anyhow::Result<()> {
        match path {
            Some(path) => Ok(sokoio::write_file(path, &self.to_bytes()?)?),
            None => Ok(()),
        }
    }
}

/// A cell that may be empty.
pub(super) fn cell<T>(value: Option<T>, text: impl FnOnce(T) -> String) -> String {
    value.map_or_else(String::new, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_back_whatever_is_in_them() {
        let mut table = CsvTable::new(&["level", "moves"]);
        table.row(&[&"A, \"quoted\"\ntitle", &7]);
        table.head(&["level", "moves"]);
        table.row(&[&"", &cell(None::<f64>, |seconds| format!("{seconds:.2}"))]);
        table.head(&["level", "moves", "pushes"]);
        table.row(&[&"é", &format_args!("{:.2}", 1.0), &true]);
        let bytes = table.to_bytes().unwrap();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&bytes[..]);
        let rows: Vec<Vec<String>> = reader.deserialize().map(Result::unwrap).collect();
        assert_eq!(
            rows,
            [
                vec!["level", "moves"],
                vec!["A, \"quoted\"\ntitle", "7"],
                vec!["", ""],
                vec!["level", "moves", "pushes"],
                vec!["é", "1.00", "true"]
            ]
        );
    }

    #[test]
    fn a_file_is_written_where_one_was_asked_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rows.csv");
        let table = CsvTable::new(&["one"]);
        table.save(None).unwrap();
        assert!(!path.exists());
        table.save(Some(&path)).unwrap();
        assert_eq!(std::fs::read_to_string(path).unwrap(), "one\n");
    }
}
