//! A picture of a board with marks, for messages and for looking at levels.
//!
//! ```text
//!           1          tens of the columns
//!  1234567890          columns, from 1
//!  1 ##########
//!  2 #  $    .#
//!       ^              below a square that is pointed at
//!  3 # x@     #        x: a mark with a letter of its own
//! ```
//!
//! Rows and columns are from zero in the program, as [`sokocore::Board::place`] gives them, and from one in the
//! picture, as messages give them. A picture of a message that is larger than asked for is cut to a window around its
//! marks, others are drawn in parts, and both then always show their coordinates.

use std::collections::BTreeMap;
use std::ops::Range;

use sokocore::{Cell, Level};

use crate::terminal::{Paint, Terminal};

/// Most rows of a picture in a message.
const SMALL_ROWS: usize = 12;
/// Most columns of a picture in a message.
const SMALL_COLUMNS: usize = 60;

/// How one square is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    letter: Option<char>,
    paint: Option<Paint>,
    is_pointed_at: bool,
}

impl Mark {
    /// The square's own letter in another color. Without color the mark is not seen.
    pub(crate) const fn painted(paint: Paint) -> Self {
        Self { letter: None, paint: Some(paint), is_pointed_at: false }
    }

    /// Another letter in place of the square's own.
    pub(crate) const fn letter(letter: char, paint: Paint) -> Self {
        Self { letter: Some(letter), paint: Some(paint), is_pointed_at: false }
    }

    /// The square's own letter, with a `^` below it.
    pub(crate) const fn pointed_at(paint: Paint) -> Self {
        Self { letter: None, paint: Some(paint), is_pointed_at: true }
    }
}

/// A board to be drawn.
#[derive(Clone, Debug)]
pub(crate) struct BoardPicture {
    rows: Vec<Vec<char>>,
    n_columns: usize,
    marks: BTreeMap<(usize, usize), Mark>,
    has_coordinates: bool,
    has_shapes: bool,
    is_small: bool,
}

impl BoardPicture {
    /// Takes the rows of a board, whether it is a level or not.
    pub(crate) fn of_rows(rows: &[String]) -> Self {
        let letter = |letter: char| if letter.is_control() || !is_one_column(letter) { '?' } else { letter };
        let rows: Vec<Vec<char>> = rows.iter().map(|row| row.chars().map(letter).collect()).collect();
        let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        Self { rows, n_columns, marks: BTreeMap::new(), has_coordinates: false, has_shapes: false, is_small: false }
    }

    /// Takes the start of a level.
    pub(crate) fn of(level: &Level) -> Self {
        let rows: Vec<String> = level.grid().to_string().lines().map(str::to_owned).collect();
        Self::of_rows(&rows)
    }

    /// Marks a square, by its row and column from zero. The last mark of a square is the one that counts.
    pub(crate) fn mark(mut self, row: usize, column: usize, mark: Mark) -> Self {
        if row < self.rows.len() {
            self.n_columns = self.n_columns.max(column + 1);
            self.marks.insert((row, column), mark);
        }
        self
    }

    /// Returns whether any square is marked.
    pub(crate) fn is_marked(&self) -> bool {
        !self.marks.is_empty()
    }

    /// Adds the numbers of rows and columns.
    pub(crate) const fn with_coordinates(mut self) -> Self {
        self.has_coordinates = true;
        self
    }

    /// Draws walls, goals and boxes as shapes where that is a picture for people: on a terminal that has them. What is
    /// copied out of a file or a pipe stays a board.
    pub(crate) const fn with_shapes(mut self, terminal: &Terminal) -> Self {
        self.has_shapes = terminal.width().is_some() && terminal.is_unicode();
        self
    }

    /// Cuts a large picture down to what fits into a message.
    pub(crate) const fn small(mut self) -> Self {
        self.is_small = true;
        self
    }

    /// Draws it, each row ended by a line break. One that is wider than the terminal is drawn in parts below each other,
    /// or, if it is to be small, cut.
    pub(crate) fn draw(&self, terminal: &Terminal) -> String {
        let rows = self.rows_drawn();
        let parts = self.parts(&rows, terminal);
        let is_cut = rows.len() < self.rows.len() || parts[0].len() < self.n_columns;
        let gutter = if self.has_coordinates || is_cut { digits(self.rows.len()) + 1 } else { 0 };
        let mut text = String::new();
        for columns in parts {
            if !text.is_empty() {
                text.push('\n');
            }
            if gutter > 0 {
                draw_column_numbers(&mut text, gutter, &columns);
            }
            for row in rows.clone() {
                if gutter > 0 {
                    text.push_str(&format!("{:>width$} ", row + 1, width = gutter - 1));
                }
                self.draw_row(&mut text, row, columns.clone(), terminal);
                self.draw_pointers(&mut text, row, columns.clone(), gutter, terminal);
            }
        }
        text
    }

    fn rows_drawn(&self) -> Range<usize> {
        let most = if self.is_small { SMALL_ROWS } else { usize::MAX };
        around(self.marks.keys().map(|(row, _)| *row), self.rows.len(), most)
    }

    /// The columns of each part.
    fn parts(&self, rows: &Range<usize>, terminal: &Terminal) -> Vec<Range<usize>> {
        let room =
            terminal.width().map_or(usize::MAX, |width| width.saturating_sub(digits(self.rows.len()) + 2).max(8));
        if self.is_small {
            let columns = self.marks.keys().filter(|(row, _)| rows.contains(row)).map(|(_, column)| *column);
            return vec![around(columns, self.n_columns, SMALL_COLUMNS.min(room))];
        }
        let n_parts = self.n_columns.div_ceil(room).max(1);
        let width = self.n_columns.div_ceil(n_parts);
        (0..n_parts).map(|part| (part * width).min(self.n_columns)..((part + 1) * width).min(self.n_columns)).collect()
    }

    fn draw_row(&self, text: &mut String, row: usize, columns: Range<usize>, terminal: &Terminal) {
        let mut run = (None, String::new());
        let last = self.marks.range((row, 0)..=(row, usize::MAX)).next_back().map_or(0, |((_, column), _)| column + 1);
        for column in columns.start..columns.end.min(self.rows[row].len().max(last)) {
            let own = self.rows[row].get(column).copied().unwrap_or(' ');
            let mark = self.marks.get(&(row, column));
            let shown = if self.has_shapes { shape(own) } else { own };
            let letter = mark.and_then(|mark| mark.letter).unwrap_or(shown);
            let paint = mark.map_or_else(|| usual_paint(own), |mark| mark.paint);
            if paint != run.0 {
                push_painted(text, &run, terminal);
                run = (paint, String::new());
            }
            run.1.push(letter);
        }
        push_painted(text, &run, terminal);
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }

    fn draw_pointers(&self, text: &mut String, row: usize, columns: Range<usize>, gutter: usize, terminal: &Terminal) {
        let marks = self.marks.range((row, 0)..=(row, usize::MAX));
        let pointed = marks.filter(|((_, column), mark)| mark.is_pointed_at && columns.contains(column));
        let mut at = columns.start;
        let before = text.len();
        for ((_, column), mark) in pointed {
            let blanks = if at == columns.start { gutter } else { 0 } + column - at;
            text.push_str(&" ".repeat(blanks));
            push_painted(text, &(mark.paint, "^".to_owned()), terminal);
            at = column + 1;
        }
        if text.len() > before {
            text.push('\n');
        }
    }
}

/// The shape that stands for a board letter. The player keeps its letter.
pub(crate) fn shape(letter: char) -> char {
    match Cell::from_letter(letter) {
        Some(Cell::Wall) => '█',
        Some(Cell::Floor) => ' ',
        Some(Cell::Goal) => '○',
        Some(Cell::Box) => '□',
        Some(Cell::BoxOnGoal) => '■',
        Some(Cell::Player) => '@',
        Some(Cell::PlayerOnGoal) => '+',
        None => letter,
    }
}

/// How a board letter is painted when it is not marked.
pub(crate) fn usual_paint(letter: char) -> Option<Paint> {
    match Cell::from_letter(letter)? {
        Cell::Wall => Some(Paint::Dim),
        Cell::Box => Some(Paint::Warning),
        Cell::BoxOnGoal => Some(Paint::Good),
        Cell::Player | Cell::PlayerOnGoal => Some(Paint::Strong),
        Cell::Floor | Cell::Goal => None,
    }
}

fn push_painted(text: &mut String, (paint, run): &(Option<Paint>, String), terminal: &Terminal) {
    match paint {
        Some(paint) => text.push_str(&terminal.paint(*paint, run)),
        None => text.push_str(run),
    }
}

/// A part of `0..n` of at most `max`, with the first mark in it and, if there is room, the others.
fn around(marks: impl Iterator<Item = usize>, n: usize, max: usize) -> Range<usize> {
    if n <= max {
        return 0..n;
    }
    let (first, last) = marks.fold((n, 0), |(first, last), at| (first.min(at), last.max(at)));
    if first >= n {
        return 0..max;
    }
    let span = (last - first + 1).min(max);
    let start = first.saturating_sub((max - span) / 2).min(n - max);
    start..start + max
}

/// The tens above the tenth columns, then the last digit of each column.
fn draw_column_numbers(text: &mut String, gutter: usize, columns: &Range<usize>) {
    let blanks = " ".repeat(gutter);
    let mut tens = String::new();
    for number in columns.clone().map(|column| column + 1).filter(|number| number % 10 == 0) {
        let name = (number / 10).to_string();
        let blanks = (number - columns.start).saturating_sub(name.len() + tens.len());
        tens.push_str(&" ".repeat(blanks));
        tens.push_str(&name);
    }
    if !tens.is_empty() {
        text.push_str(&format!("{blanks}{tens}\n"));
    }
    let ones: String = columns.clone().map(|column| char::from(b"1234567890"[column % 10])).collect();
    text.push_str(&format!("{blanks}{ones}\n"));
}

fn digits(number: usize) -> usize {
    number.to_string().len()
}

fn is_one_column(letter: char) -> bool {
    unicode_width::UnicodeWidthChar::width(letter) == Some(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[track_caller]
    fn check(picture: &BoardPicture, expect: &[&str]) {
        let drawn = picture.draw(&Terminal::FILE);
        assert_eq!(drawn.lines().collect::<Vec<_>>(), expect, "\n{drawn}");
    }

    #[test]
    fn marks_are_letters_or_pointers() {
        let picture = BoardPicture::of_rows(&rows("#####\n#@$.#\n#####"));
        check(&picture, &["#####", "#@$.#", "#####"]);
        let mark = Mark { letter: Some('x'), ..Mark::pointed_at(Paint::Wrong) };
        let picture = picture.mark(1, 3, mark).mark(1, 1, Mark::pointed_at(Paint::Wrong));
        check(&picture, &["#####", "#@$x#", " ^ ^", "#####"]);
        check(&picture.with_coordinates(), &["  12345", "1 #####", "2 #@$x#", "   ^ ^", "3 #####"]);
    }

    #[test]
    fn a_hole_beyond_the_end_of_a_short_row_can_be_marked() {
        let picture = BoardPicture::of_rows(&rows("#####\n#@$.\n#####")).mark(1, 4, Mark::pointed_at(Paint::Wrong));
        check(&picture, &["#####", "#@$.", "    ^", "#####"]);
        let outside = BoardPicture::of_rows(&rows("###")).mark(7, 0, Mark::pointed_at(Paint::Wrong));
        check(&outside, &["###"]);
        check(&BoardPicture::of_rows(&[]), &[]);
    }

    #[test]
    fn tens_stand_above_their_columns() {
        let picture = BoardPicture::of_rows(&["#".repeat(21)]).with_coordinates();
        check(&picture, &["           1         2", "  123456789012345678901", "1 #####################"]);
    }

    #[test]
    fn a_large_board_is_cut_around_its_marks() {
        let board: Vec<String> = (0..200).map(|_| "#".repeat(300)).collect();
        let picture = BoardPicture::of_rows(&board).mark(150, 250, Mark::pointed_at(Paint::Wrong)).small();
        for terminal in [Terminal::FILE, Terminal::of_width(40), Terminal::of_width(20)] {
            let drawn = picture.draw(&terminal);
            assert!(drawn.lines().count() <= SMALL_ROWS + 3, "{drawn}");
            assert!(drawn.lines().all(|line| line.len() < terminal.width().unwrap_or(70)), "{drawn}");
            let at = drawn.lines().position(|line| line.trim() == "^").unwrap();
            let lines: Vec<_> = drawn.lines().collect();
            assert!(lines[at - 1].starts_with("151 "), "{drawn}");
            assert_eq!(lines[1].as_bytes()[lines[at].len() - 1], b'1', "column 251\n{drawn}");
        }
    }

    #[test]
    fn a_board_wider_than_the_terminal_is_drawn_in_parts() {
        let row: String = "#".repeat(20) + "$" + &"#".repeat(4);
        let picture = BoardPicture::of_rows(&[row]).with_coordinates().mark(0, 20, Mark::pointed_at(Paint::Wrong));
        let drawn = picture.draw(&Terminal::of_width(17).ascii());
        let expect =
            "           1\n  1234567890123\n1 #############\n\n        2\n  456789012345\n1 #######$####\n         ^\n";
        assert_eq!(drawn, expect);
    }

    #[test]
    fn colors_go_round_runs_of_letters() {
        let picture = BoardPicture::of_rows(&rows("##$ .")).mark(0, 4, Mark::pointed_at(Paint::Wrong));
        let drawn = picture.draw(&Terminal::FILE.colored());
        assert_eq!(drawn, "\x1b[2m##\x1b[0m\x1b[33m$\x1b[0m \x1b[1;31m.\x1b[0m\n    \x1b[1;31m^\x1b[0m\n");
    }

    #[test]
    fn a_terminal_with_unicode_shows_shapes() {
        let picture =
            BoardPicture::of_rows(&rows("######\n#@$.*#\n######")).mark(1, 2, Mark::letter('1', Paint::Warning));
        let drawn = |terminal: &Terminal| picture.clone().with_shapes(terminal).draw(terminal);
        assert_eq!(drawn(&Terminal::of_width(80)), "██████\n█@1○■█\n██████\n");
        let plain = "######\n#@1.*#\n######\n";
        assert_eq!((drawn(&Terminal::of_width(80).ascii()), drawn(&Terminal::FILE)), (plain.into(), plain.into()));
    }

    #[test]
    fn letters_that_would_upset_a_terminal_are_not_drawn() {
        check(&BoardPicture::of_rows(&["#\u{1b}[31m箱#".to_owned()]), &["#?[31m?#"]);
    }

    #[test]
    fn a_level_is_drawn_as_it_was_given() {
        let level = Level::parse("#####\n#p$.#\n#####").unwrap();
        check(&BoardPicture::of(&level), &["#####", "#@$.#", "#####"]);
    }
}
