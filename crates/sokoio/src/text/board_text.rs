//! Boards found in a text: lines that stand together and are board rows by majority.
//!
//! ```text
//!   line kinds      Text  Row Row Filler Row Row  Blank  Row  Text
//!   boards                └──────── one ───────┘         └ one row is no board
//! ```
//!
//! A board is a run of lines, rows first and last, with floor-only lines between, of three rows or more when run
//! lengths are written out, with a wall in it. If floor-only lines separate rows of which every part has one player
//! of its own, they are a separator and the parts are levels. A line between two rows that starts and ends with a
//! wall is a row with a letter that no board uses: the level is kept with that error.

use std::ops::Range;

use sokocore::Grid;

use crate::text::line::{Lines, decode};
use crate::text::line_kind::LineKind;
use crate::text::run_length::expand;

/// A board in the file.
#[derive(Clone, Debug)]
pub(crate) struct BoardText {
    pub(crate) lines: Range<usize>,
    pub(crate) rows: Rows,
}

/// The rows of a board.
#[derive(Clone, Debug)]
pub(crate) enum Rows {
    /// Run lengths written out, without the columns and the ends of rows that are blank.
    Read(Vec<String>),
    /// More cells than a level may have; the lines as they are.
    TooLarge(Vec<String>),
}

impl Rows {
    pub(crate) fn texts(&self) -> &[String] {
        match self {
            Self::Read(rows) | Self::TooLarge(rows) => rows,
        }
    }
}

/// Finds all boards. What they take in cells is taken from the allowance; boards beyond it count as too large.
pub(crate) fn find_boards(lines: &Lines<'_>, kinds: &[LineKind], allowance: &mut usize) -> Vec<BoardText> {
    let mut boards = Vec::new();
    let mut at = 0;
    while at < kinds.len() {
        if kinds[at] != LineKind::Row {
            at += 1;
            continue;
        }
        let is_inside = |line: &usize| {
            matches!(kinds[*line], LineKind::Row | LineKind::Filler)
                || is_foreign_row(kinds, *line, lines.raw_text(*line))
        };
        let mut end = at + (at..kinds.len()).take_while(is_inside).count();
        let next = end;
        while kinds[end - 1] != LineKind::Row {
            end -= 1;
        }
        for part in split_at_fillers(lines, kinds, at..end) {
            boards.extend(read_board(lines, part, allowance));
        }
        at = next;
    }
    boards
}

/// Whether a line of text is a row with a letter that no board uses: between two rows, from wall to wall. One with
/// digits or brackets could be anything.
pub(crate) fn is_foreign_row(kinds: &[LineKind], line: usize, text: &[u8]) -> bool {
    let is_row = |line: Option<usize>| line.and_then(|line| kinds.get(line)) == Some(&LineKind::Row);
    let text = text.trim_ascii();
    kinds[line] == LineKind::Text
        && is_row(line.checked_sub(1))
        && is_row(line.checked_add(1))
        && text.starts_with(b"#")
        && text.ends_with(b"#")
        && !text.iter().any(|byte| byte.is_ascii_digit() || b"|()".contains(byte))
}

/// The parts between floor-only lines if each has one player, else the whole.
fn split_at_fillers(lines: &Lines<'_>, kinds: &[LineKind], block: Range<usize>) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for line in block.clone().filter(|&line| kinds[line] != LineKind::Filler) {
        match parts.last_mut() {
            Some(part) if part.end == line => part.end = line + 1,
            _ => parts.push(line..line + 1),
        }
    }
    let is_player = |byte: &&u8| b"@+pPmM".contains(byte);
    let n_players = |line: usize| lines.raw_text(line).iter().filter(is_player).count();
    if parts.iter().all(|part| part.clone().map(n_players).sum::<usize>() == 1) { parts } else { vec![block] }
}

fn read_board(lines: &Lines<'_>, range: Range<usize>, allowance: &mut usize) -> Option<BoardText> {
    let rows = match written_out(lines, range.clone(), allowance) {
        Some(rows) if rows.len() < 3 || !rows.iter().any(|row| row.contains(&b'#')) => return None,
        Some(rows) => Rows::Read(without_margins(&rows)),
        None => Rows::TooLarge(range.clone().map(|line| lines.text(line).into_owned()).collect()),
    };
    Some(BoardText { lines: range, rows })
}

/// The rows with run lengths undone; `None` if their rectangle would be too large.
fn written_out(lines: &Lines<'_>, range: Range<usize>, allowance: &mut usize) -> Option<Vec<Vec<u8>>> {
    let limit = Grid::MAX_CELLS.min(*allowance);
    let mut left = limit;
    let rows: Option<Vec<_>> = range.map(|line| rows_of(lines.raw_text(line), &mut left)).collect();
    *allowance -= limit - left;
    let rows = rows?.concat();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let area = width.saturating_mul(rows.len());
    if area > limit {
        return None;
    }
    *allowance = allowance.saturating_sub(area);
    Some(rows)
}

/// The rows of one line: one, or several with run lengths.
fn rows_of(line: &[u8], left: &mut usize) -> Option<Vec<Vec<u8>>> {
    let text = line.trim_ascii_end();
    if !text.iter().any(|&byte| byte.is_ascii_digit() || byte == b'|') {
        return Some(vec![text.to_vec()]);
    }
    let full = expand(text.iter().copied(), left).ok()?;
    let full = full.strip_suffix(b"|").unwrap_or(&full);
    Some(full.split(|&byte| byte == b'|').map(<[u8]>::to_vec).collect())
}

/// Cuts the blank columns that all rows start with, and blank ends.
fn without_margins(rows: &[Vec<u8>]) -> Vec<String> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'-' | b'_');
    let trimmed = rows.iter().map(|row| &row[..row.iter().rposition(|byte| !is_blank(byte)).map_or(0, |at| at + 1)]);
    let margin = |row: &[u8]| row.iter().position(|byte| !is_blank(byte));
    let cut = trimmed.clone().filter_map(margin).min().unwrap_or(0);
    trimmed.map(|row| decode(row.get(cut..).unwrap_or_default()).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards(text: &str) -> Vec<(usize, Vec<String>)> {
        let lines = Lines::new(text.as_bytes());
        let kinds = LineKind::of_each(&lines);
        let boards = find_boards(&lines, &kinds, &mut 10_000);
        boards.iter().map(|board| (board.lines.start + 1, board.rows.texts().to_vec())).collect()
    }

    fn check(text: &str, expect: &[(usize, &str)]) {
        let expect: Vec<_> =
            expect.iter().map(|(line, rows)| (*line, rows.lines().map(String::from).collect())).collect();
        assert_eq!(boards(text), expect, "{text}");
    }

    #[test]
    fn cuts_margins_and_keeps_interior_empty_rows() {
        check("\n  ####\n  #@.#  \n--#--#--\n----\n  ####\n", &[(2, "####\n#@.#\n#--#\n\n####")]);
        check("####\n#@.#\n####\n---\n", &[(1, "####\n#@.#\n####")]);
        check("####\n#@.#\n####\n----\n####\n#@.#\n####", &[(1, "####\n#@.#\n####"), (5, "####\n#@.#\n####")]);
    }

    #[test]
    fn reads_run_lengths() {
        check("3#|#.3#|#*$-#|#--@#|5#", &[(1, "###\n#.###\n#*$-#\n#--@#\n#####")]);
        check("5#\n#@$.#\n5#|\n", &[(1, "#####\n#@$.#\n#####")]);
        check("4#\n#2-#\n7-\n#@-#\n4#\n", &[(1, "####\n#--#\n\n#@-#\n####")]);
        check("2(3(#-)|)5#|#@|##", &[(1, "#-#-#\n#-#-#\n#####\n#@\n##")]);
    }

    #[test]
    fn leaves_titles_and_decoration_alone() {
        check("30-8-55\n", &[]);
        check("####\n####\n", &[]);
        check("***\n*@*\n***\n", &[]);
        check("#12\n####\n#@.#\n####", &[(2, "####\n#@.#\n####")]);
        check("+|+\n####\n#@.#\n####", &[(2, "####\n#@.#\n####")]);
    }

    /// A row with a letter that no board uses is text from wall to wall, between two rows.
    #[test]
    fn each_condition_of_a_foreign_row_counts() {
        use LineKind::{Filler, Row, Text};
        let check = |kinds: [LineKind; 3], text: &str| is_foreign_row(&kinds, 1, text.as_bytes());
        assert!(check([Row, Text, Row], " #ax# "));
        for kinds in [[Row, Filler, Row], [Filler, Text, Row], [Row, Text, Filler], [Row, Row, Row]] {
            assert!(!check(kinds, "#ax#"), "{kinds:?}");
        }
        for text in ["ax#", "#ax", "ax", "#1x#", "#(x#", "#|x#"] {
            assert!(!check([Row, Text, Row], text), "{text}");
        }
        assert!(!is_foreign_row(&[Text, Row], 0, b"#ax#") && !is_foreign_row(&[Row, Text], 1, b"#ax#"));
    }

    #[test]
    fn cells_are_taken_from_the_allowance() {
        let lines = Lines::new(b"####\n#@.#\n####");
        let kinds = LineKind::of_each(&lines);
        for (allowance, expect) in [(11, (false, 11)), (12, (true, 0)), (17, (true, 5))] {
            let mut left = allowance;
            let boards = find_boards(&lines, &kinds, &mut left);
            assert_eq!((matches!(boards[0].rows, Rows::Read(_)), left), expect, "{allowance}");
        }
    }

    #[test]
    fn a_letter_that_no_board_uses_does_not_split_the_board() {
        check("#####\n#@x.#\n#####", &[(1, "#####\n#@x.#\n#####")]);
        check("####\n#@.#\n####\n#1x#\n####\n#@.#\n####", &[(1, "####\n#@.#\n####"), (5, "####\n#@.#\n####")]);
        check("####\n#@.#\n####\n#a#\n\n####\n#@.#\n####", &[(1, "####\n#@.#\n####"), (6, "####\n#@.#\n####")]);
    }

    #[test]
    fn bounds_what_is_written_out() {
        check("9(9(9(9(9(#)))))|#|#", &[(1, "9(9(9(9(9(#)))))|#|#")]);
        let mostly_air = format!("{}\n{}", "#".repeat(200), "#\n".repeat(200));
        assert_eq!(boards(&mostly_air)[0].1.len(), 201);
        let twice = mostly_air.repeat(2);
        let lines = Lines::new(twice.as_bytes());
        let kinds = vec![LineKind::Row; lines.len()];
        let found = find_boards(&lines, &kinds, &mut 1_000_000);
        assert!(matches!(found[0].rows, Rows::Read(_)));
        assert!(matches!(find_boards(&lines, &kinds, &mut 30_000)[0].rows, Rows::TooLarge(_)));
    }
}
