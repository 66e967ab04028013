//! Tables for people, laid out by the width of the terminal, and the same rows as CSV for programs.
//!
//! ```text
//!  level  title                 game             moves  pushes  verdict      heads, in two lines if that helps
//!  ──────────────────────────────────────────────────────────────────
//!      1  Sasquatch III…17      Solution 16/3       16       3  right        titles keep their number
//!      2  Microban 42           Solution 2            -       -
//!         WRONG: move 2 (r) walks into a wall                               remarks that do not fit go below
//!  not shown at this width: player lines, id                                 columns dropped whole
//! ```
//!
//! * [`Column`], [`TableCell`]: what a table is made of.
//! * [`Table`]: rows that are all known before the first is drawn.
//! * [`TableWriter`]: rows drawn one by one, as a run makes them.
//! * [`layout`]: which columns are shown and how wide; [`fit`]: how a text is made to fit; [`csv`]: the other form.
//!
//! Invariant: no line is wider than the terminal; where there is no terminal, nothing is cut and no column dropped.

mod cell;
mod column;
mod csv;
mod fit;
mod layout;

pub(crate) use self::cell::TableCell;
use self::column::Alignment;
pub(crate) use self::column::Column;
pub(crate) use self::csv::{csv_head, csv_row};
pub(crate) use self::fit::{columns_of, shorten_end, shorten_middle};
use self::layout::Layout;
use crate::terminal::{Paint, Terminal};

/// Rows of cells.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<TableCell>>,
}

impl Table {
    /// Makes a table without rows.
    pub(crate) fn new(columns: &[Column]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row. Cells that are missing at its end are empty.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = TableCell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Draws it, each line ended by a line break.
    pub(crate) fn draw(&self, terminal: &Terminal) -> String {
        let mut writer = TableWriter::new(&self.columns, *terminal);
        self.rows.iter().for_each(|row| writer.expect(row));
        let mut text = writer.head();
        self.rows.iter().for_each(|row| writer.push_row(&mut text, row));
        text + &writer.end()
    }

    /// Writes it as CSV, uncut, with all columns.
    pub(crate) fn csv(&self) -> String {
        let mut text = csv_head(&self.columns);
        self.rows.iter().for_each(|row| text.push_str(&csv_row(&self.columns, row)));
        text
    }
}

/// Draws a table row by row. The layout is decided when the first line is asked for, by the rows expected until then.
#[derive(Clone, Debug)]
pub(crate) struct TableWriter {
    columns: Vec<Column>,
    terminal: Terminal,
    /// Width of the widest cell expected in each column.
    widths: Vec<usize>,
    layout: Option<Layout>,
}

impl TableWriter {
    /// Makes a writer that expects no rows yet.
    pub(crate) fn new(columns: &[Column], terminal: Terminal) -> Self {
        Self { columns: columns.to_vec(), terminal, widths: vec![0; columns.len()], layout: None }
    }

    /// Makes room for a row like this one.
    pub(crate) fn expect(&mut self, row: &[TableCell]) {
        for (width, cell) in self.widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width());
        }
    }

    /// Draws the heads and the rule below them.
    pub(crate) fn head(&mut self) -> String {
        let terminal = self.terminal;
        let layout = self.layout();
        let lines = layout.head_lines();
        let mut text = String::new();
        for line in lines {
            text.push_str(&terminal.paint(Paint::Strong, line.trim_end()));
            text.push('\n');
        }
        text.push_str(&terminal.paint(Paint::Dim, &terminal.rule(layout.width())));
        text.push('\n');
        text
    }

    /// Draws a row, below the heads if it is the first.
    pub(crate) fn row(&mut self, row: &[TableCell]) -> String {
        let mut text = String::new();
        if self.layout.is_none() {
            self.expect(row);
            text = self.head();
        }
        self.push_row(&mut text, row);
        text
    }

    /// Says which columns were left out, if any.
    pub(crate) fn end(&mut self) -> String {
        let terminal = self.terminal;
        let dropped = self.layout().dropped();
        if dropped.is_empty() {
            return String::new();
        }
        let note = format!("not shown at this width: {}", dropped.join(", "));
        let lines = fit::wrap(&note, terminal.width().unwrap_or(usize::MAX));
        lines.iter().map(|line| terminal.paint(Paint::Dim, line) + "\n").collect()
    }

    fn layout(&mut self) -> &Layout {
        let (columns, widths, terminal) = (&self.columns, &self.widths, &self.terminal);
        self.layout.get_or_insert_with(|| Layout::of(columns, widths, terminal.width()))
    }

    fn push_row(&mut self, text: &mut String, row: &[TableCell]) {
        let terminal = self.terminal;
        let layout = self.layout();
        let empty = TableCell::empty();
        let mut column = 0;
        let mut below = String::new();
        for place in layout.places() {
            let cell = row.get(place.at).unwrap_or(&empty);
            for line in layout.below(place, cell.text_shown(), &terminal) {
                below.extend(std::iter::repeat_n(' ', layout.indent()));
                below.push_str(&cell.painted(&line, &terminal));
                below.push('\n');
            }
            let part = place.fit(cell.text_shown(), &terminal);
            if part.is_empty() {
                continue;
            }
            let width = columns_of(&part);
            let lead = if place.side == Alignment::Right { place.width.saturating_sub(width) } else { 0 };
            // A number that is wider than expected takes room from the blanks before what follows.
            let start = (place.start + lead).max(if column == 0 { 0 } else { column + 1 });
            text.extend(std::iter::repeat_n(' ', start - column));
            text.push_str(&cell.painted(&part, &terminal));
            column = start + width;
        }
        text.push('\n');
        text.push_str(&below);
    }
}

#[cfg(test)]
mod tests;
