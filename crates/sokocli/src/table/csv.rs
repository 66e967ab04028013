//! Rows as CSV: all columns for programs, nothing cut, quoted by RFC 4180, lines ended by a line feed.

use super::cell::TableCell;
use super::column::Column;

/// The line of the columns' keys, ended by a line break.
pub(crate) fn csv_head(columns: &[Column]) -> String {
    line(columns.iter().filter(|column| !column.is_for_people).map(|column| column.key))
}

/// The line of a row, ended by a line break. Cells that are missing at its end are empty.
pub(crate) fn csv_row(columns: &[Column], row: &[TableCell]) -> String {
    let cells = columns.iter().enumerate().filter(|(_, column)| !column.is_for_people);
    line(cells.map(|(at, _)| row.get(at).map_or("", TableCell::raw)))
}

fn line<'a>(fields: impl Iterator<Item = &'a str>) -> String {
    let mut line = String::new();
    for (at, field) in fields.enumerate() {
        if at > 0 {
            line.push(',');
        }
        push_field(&mut line, field);
    }
    line.push('\n');
    line
}

fn push_field(line: &mut String, field: &str) {
    if field.contains(['"', ',', '\n', '\r']) || field.starts_with(' ') || field.ends_with(' ') {
        line.push('"');
        line.push_str(&field.replace('"', "\"\""));
        line.push('"');
    } else {
        line.push_str(field);
    }
}
