//! Levels of other formats written as `.sok` text, so that reading the text gives them back.
//!
//! ```text
//!   Collection: name
//!   Author: name              key/value lines only, so that nothing is taken for the title of the first level
//!
//!   Title of level 1          or `Title: ...` below the board, if the line could be taken for something else
//!   #####
//!   #@$.#
//!   #####
//!   Author: name
//!   Comment: notes, line by line
//!
//!   Solution
//!   R
//! ```
//!
//! What touches a board belongs to it, so that no level depends on how the others are titled.

use sokocore::{Grid, Lurd};

use crate::format::MAX_FILE_SIZE;
use crate::game::GameKind;
use crate::game::moves_text::wrap_moves;
use crate::read::xml::XmlProblem;
use crate::text::board_text::is_foreign_row;
use crate::text::line_kind::LineKind;
use crate::text::property::Property;

/// The longest value of a note that is not a comment; longer ones are cut.
const MAX_VALUE: usize = 1000;

/// A collection that is being written.
#[derive(Debug, Default)]
pub(crate) struct SokText {
    /// Name of the collection.
    pub(crate) title: Option<String>,
    /// Author of all levels that have none of their own.
    pub(crate) author: Option<String>,
    /// What else is said about the collection.
    pub(crate) notes: Notes,
    levels: String,
}

/// A level that is being collected.
#[derive(Debug, Default)]
pub(crate) struct LevelText {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) notes: Notes,
    /// Rows as XSB text, each with a line break.
    rows: String,
    n_rows: usize,
    games: String,
    n_games: usize,
}

/// Key/value lines. Keys are those that readers know and do not take for titles.
#[derive(Debug, Default)]
pub(crate) struct Notes(String);

impl Notes {
    /// Adds a value as one line.
    pub(crate) fn add(&mut self, key: &str, value: &str) {
        let value = one_line(value);
        if !value.is_empty() {
            self.0 += &format!("{key}: {value}\n");
        }
    }

    /// Adds a text of several lines, each as a comment.
    pub(crate) fn add_text(&mut self, text: &str) {
        for line in text.lines() {
            let line = clean(line);
            if !line.is_empty() {
                self.0 += &format!("Comment: {line}\n");
            }
        }
    }
}

impl LevelText {
    /// Starts a level with a title, if it has one.
    pub(crate) fn titled(title: Option<String>) -> Self {
        Self { title, ..Self::default() }
    }

    /// Adds a row of board letters, or several with line breaks between them.
    pub(crate) fn add_rows(&mut self, rows: &str) -> Result<(), XmlProblem> {
        for row in rows.trim_matches(['\n', '\r']).split('\n') {
            let letter = |letter| if letter == '\u{a0}' { ' ' } else { letter };
            self.rows.extend(row.trim_end().chars().map(letter));
            self.rows.push('\n');
            self.n_rows += 1;
        }
        if self.n_rows > Grid::MAX_CELLS { Err(XmlProblem::TooLarge) } else { Ok(()) }
    }

    /// Adds a solution.
    pub(crate) fn add_solution(&mut self, moves: &Lurd) {
        self.n_games += 1;
        let number = if self.n_games > 1 { format!(" ({})", self.n_games) } else { String::new() };
        self.games += &format!("\nSolution{number}\n{}\n", wrap_moves(moves).join("\n"));
    }

    /// Whether no row has a letter.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.trim_ascii().is_empty()
    }
}

impl SokText {
    /// Adds a level; one without any row is left out. Rows that no reader would take for a board become comments.
    pub(crate) fn add_level(&mut self, level: &LevelText) -> Result<(), XmlProblem> {
        if level.is_empty() {
            return Ok(());
        }
        let title = level.title.as_deref().map(one_line).unwrap_or_default();
        self.levels.push('\n');
        match board(&level.rows) {
            Some(rows) => self.write_level(level, &title, &rows),
            None => {
                let mut comments = Notes::default();
                comments.add_text(&format!("no board: {title}\n{}", level.rows));
                self.levels += &comments.0;
            }
        }
        if self.levels.len() > MAX_FILE_SIZE { Err(XmlProblem::TooLarge) } else { Ok(()) }
    }

    fn write_level(&mut self, level: &LevelText, title: &str, rows: &[String]) {
        let is_line = is_title_line(title);
        let text = &mut self.levels;
        if is_line {
            *text += &format!("{title}\n");
        }
        for row in rows {
            text.push_str(row);
            text.push('\n');
        }
        let mut below = Notes::default();
        below.add("Title", if is_line { "" } else { title });
        below.add("Author", level.author.as_deref().unwrap_or_default());
        for part in [&below.0, &level.notes.0, &level.games] {
            text.push_str(part);
        }
    }

    /// Returns the text.
    pub(crate) fn finish(self) -> String {
        let mut head = Notes::default();
        head.add("Collection", self.title.as_deref().unwrap_or_default());
        head.add("Author", self.author.as_deref().unwrap_or_default());
        let head = head.0 + &self.notes.0;
        // Every level starts with a blank line, which sets the first one off from the head.
        if head.is_empty() { self.levels.trim_start_matches('\n').to_owned() } else { head + &self.levels }
    }
}

/// The rows as text holds them, without blank ones at both ends; `None` if no reader would take them for a board.
fn board(rows: &str) -> Option<Vec<String>> {
    let rows: Vec<&str> = rows.lines().collect();
    let is_blank = |line: &&str| line.trim_ascii().is_empty();
    let start = rows.iter().take_while(|line| is_blank(line)).count();
    let end = rows.len() - rows.iter().rev().take_while(|line| is_blank(line)).count();
    let rows: Vec<String> = rows.get(start..end)?.iter().map(|row| filled(row)).collect();
    let kinds: Vec<_> = rows.iter().map(|row| LineKind::of(row.as_bytes())).collect();
    let is_row = |at: usize| match kinds[at] {
        LineKind::Row => true,
        LineKind::Filler => at > 0 && at + 1 < rows.len(),
        _ => is_foreign_row(&kinds, at, rows[at].as_bytes()),
    };
    let has_wall = rows.iter().any(|row| row.contains('#'));
    (rows.len() >= 3 && has_wall && (0..rows.len()).all(is_row)).then_some(rows)
}

/// A row as text holds it: a blank one needs a letter, and so does floor among goals.
fn filled(row: &str) -> String {
    let has_wall = row.contains('#');
    match row.trim_ascii_end() {
        "" => "-".to_owned(),
        row if has_wall => row.to_owned(),
        row => row.replace(' ', "-"),
    }
}

/// Whether the line, above a board and below a blank line, is read as its title.
fn is_title_line(line: &str) -> bool {
    LineKind::of(line.as_bytes()) == LineKind::Text
        && !line.starts_with([';', '>'])
        && Property::parse(line).is_none()
        && GameKind::of_title(line).is_none()
        && line.contains(char::is_alphabetic)
}

/// A text as one line of bounded length.
pub(crate) fn one_line(text: &str) -> String {
    clean(text).chars().take(MAX_VALUE).collect::<String>().trim_end().to_owned()
}

/// A line without control characters and double spaces; what would break the line when it is read is set apart.
fn clean(text: &str) -> String {
    let letter = |letter: char| if letter.is_control() { ' ' } else { letter };
    let text: String = text.chars().map(letter).collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.contains('#') { text.replace("\\n", "\\ n") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection::Collection;

    fn level(title: &str, rows: &str) -> LevelText {
        let mut level = LevelText::titled(Some(title.to_owned()));
        level.add_rows(rows).unwrap();
        level
    }

    #[test]
    fn reading_gives_the_levels_back() {
        let titles = [
            "One",
            "Solution",
            "; 2",
            "Dull",
            "lurDlurD",
            "#####",
            "-----",
            ":: x",
            "Author: me",
            "Title: me",
            "> x",
            "5",
            "caf\u{e9}",
            "a\nb  c",
            "Set: 4",
            "my snapshot",
        ];
        let mut text = SokText { title: Some("All".into()), author: Some("A. B.".into()), ..SokText::default() };
        text.notes.add_text("first line\n\nlast line");
        text.add_level(&level("", "#####\n#@$.#\n#####")).unwrap();
        for title in titles {
            let mut level = level(title, "#####\n#@$.#\n#####");
            level.notes.add_text("a solution:\nlurDDD\n#####\n#@$.#\n#####");
            level.notes.add("Email", "a@b.c");
            text.add_level(&level).unwrap();
        }
        let text = text.finish();
        let collection = Collection::parse(text.as_bytes());
        assert_eq!((collection.title(), collection.author()), (Some("All"), Some("A. B.")));
        let found: Vec<_> = collection.levels().iter().map(|level| level.title().unwrap_or_default()).collect();
        let expect: Vec<_> = [""].into_iter().chain(titles).map(|title| title.replace("\nb  c", " b c")).collect();
        assert_eq!(found, expect, "{text}");
        assert!(collection.levels().iter().all(|level| level.level().is_ok() && level.games().is_empty()), "{text}");
    }

    #[test]
    fn solutions_are_games() {
        let mut one = level("One", "#####\n#@$.#\n#####");
        one.add_solution(&"r".parse().unwrap());
        one.add_solution(&"lR".parse().unwrap());
        let mut text = SokText::default();
        text.add_level(&one).unwrap();
        let text = text.finish();
        assert_eq!(text, "One\n#####\n#@$.#\n#####\n\nSolution\nr\n\nSolution (2)\nlR\n");
        let collection = Collection::parse(text.as_bytes());
        assert!(collection.levels()[0].replay(0).is_ok());
        assert_eq!(collection.levels()[0].games().len(), 2);
    }

    #[test]
    fn blank_rows_and_bad_letters_stay_in_the_board() {
        let mut text = SokText::default();
        text.add_level(&level("Gap", "\n ####\n #. #\n\n #@ #\n ####\n\n")).unwrap();
        text.add_level(&level("Bad", "#####\n#@x.#\n#####")).unwrap();
        text.add_level(&level("", "#####\n#@$.#\n#####")).unwrap();
        let mut none = level("; no board", "x@x\n#####\n#####");
        none.author = Some("Me".into());
        text.add_level(&none).unwrap();
        text.add_level(&level("Last", "#####\n#@$.#\n#####")).unwrap();
        let text = text.finish();
        let collection = Collection::parse(text.as_bytes());
        let titles: Vec<_> = collection.levels().iter().map(|level| level.title().unwrap_or_default()).collect();
        assert_eq!(titles, ["Gap", "Bad", "", "Last"], "{text}");
        assert!(collection.levels().iter().all(|level| level.author().is_none()));
        assert_eq!(collection.levels()[0].board_rows(), ["####", "#. #", "", "#@ #", "####"]);
        assert_eq!(collection.levels()[1].board_rows(), ["#####", "#@x.#", "#####"]);
        assert!(text.contains("Comment: no board: ; no board\nComment: x@x\nComment: #####\n"), "{text}");
    }

    /// What becomes of rows: those of a board, or comments.
    #[track_caller]
    fn check_rows(rows: &str, expect: &str) {
        let mut text = SokText::default();
        text.add_level(&level("One", rows)).unwrap();
        assert_eq!(text.finish(), expect, "{rows:?}");
    }

    #[test]
    fn rows_that_are_no_board_become_comments() {
        check_rows("  \n#####\n#@$.#\n#####\n  ", "One\n#####\n#@$.#\n#####\n");
        check_rows("####\n. .\n####", "One\n####\n.-.\n####\n");
        let no_board = |rows: &str| rows.lines().map(|row| format!("Comment: {row}\n")).collect::<String>();
        for rows in ["#####\n#@$.#", "$$$\n$@$\n$$$", "--\n####\n#@.#\n####", "####\n#@.#\n####\n--"] {
            check_rows(rows, &format!("Comment: no board: One\n{}", no_board(rows)));
        }
        check_rows("", "");
        check_rows("\u{a0}\n \n", "");
    }

    #[test]
    fn rows_and_text_have_limits() {
        let rows = |n: usize| LevelText::default().add_rows(&"#\n".repeat(n));
        assert_eq!((rows(Grid::MAX_CELLS), rows(Grid::MAX_CELLS + 1)), (Ok(()), Err(XmlProblem::TooLarge)));
        let one = level("", "#####\n#@$.#\n#####");
        let n_bytes = "\n#####\n#@$.#\n#####\n".len();
        let with = |n: usize| SokText { levels: "\n".repeat(n), ..SokText::default() }.add_level(&one);
        assert_eq!(with(MAX_FILE_SIZE - n_bytes), Ok(()));
        assert_eq!(with(MAX_FILE_SIZE - n_bytes + 1), Err(XmlProblem::TooLarge));
    }
}
