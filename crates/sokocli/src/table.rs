//! Tables for people: columns under their heads, numbers to the right, long titles cut.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table as Comfy};

/// The longest level title that a table shows, in characters.
const MAX_TITLE: usize = 32;
/// The same for titles of games, which are mostly numbers.
const MAX_GAME_TITLE: usize = 48;

/// A column's head and the side that its cells lean on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Column {
    /// For words.
    Left(&'static str),
    /// For numbers.
    Right(&'static str),
}

/// Rows of cells.
#[derive(Debug)]
pub(crate) struct Table(Comfy);

impl Table {
    /// Makes a table without rows.
    pub(crate) fn new(columns: &[Column]) -> Self {
        let mut table = Comfy::new();
        table.load_style(NOTHING);
        let head = |column: &Column| match column {
            Column::Left(head) | Column::Right(head) => *head,
        };
        table.set_header(columns.iter().map(head));
        for (column, layout) in columns.iter().zip(table.column_iter_mut()) {
            if matches!(column, Column::Right(_)) {
                layout.set_cell_alignment(CellAlignment::Right);
            }
        }
        Self(table)
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0.add_row(cells.into_iter().collect::<Vec<_>>());
    }

    /// Draws it, a rule below the heads, without blanks at the ends of lines.
    pub(crate) fn draw(&self) -> String {
        let mut lines: Vec<_> = self.0.lines().map(|line| line.trim_end().to_owned()).collect();
        let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        lines.insert(1.min(lines.len()), format!(" {}", "─".repeat(width.saturating_sub(1))));
        lines.join("\n") + "\n"
    }
}

/// Cuts a level's title that is too long.
pub(crate) fn short(title: &str) -> String {
    cut(title, MAX_TITLE)
}

/// Cuts a game's title that is too long.
pub(crate) fn short_game(title: &str) -> String {
    cut(title, MAX_GAME_TITLE)
}

fn cut(title: &str, max: usize) -> String {
    if title.chars().count() <= max {
        return title.to_owned();
    }
    title.chars().take(max - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lean_right() {
        let mut table = Table::new(&[Column::Left("name"), Column::Right("n")]);
        table.row(["a long name".to_owned(), "7".to_owned()]);
        table.row(["b".to_owned(), "1000".to_owned()]);
        let lines: Vec<_> = table.draw().lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), 4);
        assert!(lines[2].ends_with("   7") && lines[3].ends_with("1000"), "{lines:?}");
    }

    #[test]
    fn long_titles_are_cut_between_letters() {
        assert_eq!(short("häuser"), "häuser");
        let cut = short(&"ä".repeat(40));
        assert_eq!(cut.chars().count(), MAX_TITLE);
        assert!(cut.ends_with('…'));
    }
}
