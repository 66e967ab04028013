//! `.ssx`, the XML libraries of `SokoSolve`.
//!
//! ```text
//!   <SokobanLibrary>
//!     <Details> <Name>…</Name> <Description>…</Description> <Author Name="…" Email="…" Homepage="…"/> </Details>
//!     <Puzzles>
//!       <Puzzle PuzzleID="P1">
//!         <PuzzleDescription> as Details </PuzzleDescription>
//!         <Maps> <Map MapID="M2">
//!           <Row>~####</Row>                                         ~ void  # wall  . floor  O goal
//!           <Solutions> <Solution> <Steps>lurD</Steps> …             X box   $ box on goal  P player  * player on goal
//! ```
//!
//! A puzzle may have several maps; each is a level. Maps in the letters of XSB are read as well. Steps are often in
//! the wrong case, which replay corrects.
//! Source: the libraries that come with `SokoSolve`.

use sokocore::Lurd;

use crate::game::moves_text::parse_moves;
use crate::read::sok_text::{LevelText, Notes, SokText, one_line};
use crate::read::xml::{Attributes, ParseXmlError, Visitor, XmlProblem, read_xml};
use crate::text::line_kind::is_move_letter;

/// Writes the levels of an `.ssx` file as `.sok` text.
pub(crate) fn ssx_to_sok(text: &str) -> Result<String, ParseXmlError> {
    let mut ssx = Ssx::default();
    read_xml(text, &mut ssx)?;
    Ok(ssx.text.finish())
}

/// An `.ssx` file that is being read.
#[derive(Default)]
struct Ssx {
    text: SokText,
    puzzle: Description,
    n_maps: usize,
    /// Rows of the map, each with a line break.
    rows: String,
    level: LevelText,
}

/// What is said about a puzzle, for each of its maps.
#[derive(Default)]
struct Description {
    name: Option<String>,
    author: Option<String>,
}

/// What a description is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Library,
    Puzzle,
    Map,
    Other,
}

impl Subject {
    /// The subject of the element that encloses the last name of the path.
    fn of(path: &[String]) -> Self {
        match path.iter().rev().nth(1).map(String::as_str) {
            Some("details" | "sokobanlibrary" | "library") => Self::Library,
            Some("puzzledescription" | "puzzledetails" | "puzzle") => Self::Puzzle,
            Some("mapdetails" | "mapdescription" | "map") => Self::Map,
            _ => Self::Other,
        }
    }
}

impl Ssx {
    fn notes(&mut self, subject: Subject) -> Option<&mut Notes> {
        match subject {
            Subject::Library => Some(&mut self.text.notes),
            Subject::Puzzle | Subject::Map => Some(&mut self.level.notes),
            Subject::Other => None,
        }
    }

    fn add_author(&mut self, subject: Subject, name: &str) {
        let author = match subject {
            Subject::Library => &mut self.text.author,
            Subject::Puzzle => &mut self.puzzle.author,
            Subject::Map => &mut self.level.author,
            Subject::Other => return,
        };
        if !name.trim().is_empty() {
            *author = Some(one_line(name));
        }
    }

    fn end_map(&mut self) -> Result<(), XmlProblem> {
        let mut level = std::mem::take(&mut self.level);
        let rows = std::mem::take(&mut self.rows);
        level.add_rows(&if is_xsb(&rows) { rows } else { rows.chars().map(to_xsb).collect() })?;
        self.n_maps += 1;
        let number = if self.n_maps > 1 { format!(" ({})", self.n_maps) } else { String::new() };
        let name = self.puzzle.name.as_ref();
        level.title = level.title.or_else(|| name.map(|name| name.to_owned() + &number));
        level.author = level.author.or_else(|| self.puzzle.author.clone());
        self.text.add_level(&level)
    }
}

impl Visitor for Ssx {
    fn start(&mut self, path: &[String], attributes: &Attributes) -> Result<(), XmlProblem> {
        match path.last().map(String::as_str) {
            Some("puzzle") => {
                self.puzzle = Description::default();
                self.n_maps = 0;
                self.level = LevelText::default();
            }
            Some("map") => {
                self.rows.clear();
                if let Some(id) = attributes.get("mapid") {
                    self.level.notes.add("Id", id);
                }
            }
            Some("author") => {
                let subject = Subject::of(path);
                self.add_author(subject, attributes.get("name").unwrap_or_default());
                if let Some(notes) = self.notes(subject) {
                    notes.add("Email", attributes.get("email").unwrap_or_default());
                    notes.add("Homepage", attributes.get("homepage").unwrap_or_default());
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, path: &[String], text: &str) -> Result<(), XmlProblem> {
        let subject = Subject::of(path);
        match path.last().map_or("", String::as_str) {
            "map" => self.end_map()?,
            "row" => {
                self.rows.push_str(text.trim_matches(['\n', '\r']));
                self.rows.push('\n');
            }
            "steps" if path.iter().any(|name| name == "map") => {
                if let Some(moves) = plain_moves(text) {
                    self.level.add_solution(&moves);
                }
            }
            "name" => match subject {
                Subject::Library => self.text.title = Some(text.to_owned()),
                Subject::Puzzle if !text.trim().is_empty() => self.puzzle.name = Some(one_line(text)),
                Subject::Map if !text.trim().is_empty() => self.level.title = Some(one_line(text)),
                Subject::Puzzle | Subject::Map | Subject::Other => {}
            },
            "author" => self.add_author(subject, text),
            "description" | "comments" => {
                if let Some(notes) = self.notes(subject) {
                    notes.add_text(text);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Moves without run lengths, so that a short file stays short; `None` for other words in their place.
fn plain_moves(text: &str) -> Option<Lurd> {
    let is_plain = |byte: u8| is_move_letter(byte) || byte.is_ascii_whitespace();
    let is_moves = text.bytes().any(is_move_letter) && text.bytes().all(is_plain);
    is_moves.then(|| parse_moves(text).ok()).flatten()
}

/// Whether a map is in the letters of XSB: it has a player of theirs and no letter that only the other table has.
fn is_xsb(rows: &str) -> bool {
    rows.contains(['@', '+']) && !rows.contains(['~', 'O', 'X', 'P'])
}

/// The XSB letter for a letter of `SokoSolve`; one that means nothing stays.
const fn to_xsb(letter: char) -> char {
    match letter {
        '~' | '.' => ' ',
        'O' | 'o' => '.',
        'X' | 'x' => '$',
        '$' => '*',
        'P' | 'p' => '@',
        '*' => '+',
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of the library, of a puzzle and of a map, and of nothing that has a name.
    #[test]
    fn everything_is_written_where_it_belongs() {
        let text = "<SokobanLibrary><Details><Name>All</Name><Description>Words.</Description>\
            <Author Name='L' Email='l@x' Homepage='l.x'/></Details><Row>##</Row>\
            <Puzzles><Name>no</Name><Author Name='no'/><Comments>no</Comments>\
            <Puzzle><PuzzleDescription><Name>One</Name><Comments>Of a puzzle.</Comments><Author Name='Q'/>\
            </PuzzleDescription><Steps>R</Steps><Maps>\
            <Map MapID='M1'><MapDetails><Name>Own</Name><Description>Of a map.</Description><Author> R </Author></MapDetails>\
            <Row>~###~</Row><Row>##*X##</Row><Row>#.$PO#</Row><Row>######</Row>\
            <Solutions><Solution><Steps>r L</Steps><Steps>2R</Steps><Steps> </Steps></Solution></Solutions></Map>\
            <Map MapID='M2'><Name> </Name><Row>#####</Row><Row>#@$.#</Row><Row>#####</Row></Map>\
            <Map><Row>#####</Row><Row># $.#</Row><Row>#####</Row></Map></Maps></Puzzle>\
            <Puzzle><Name>\n</Name><Author Name=''/><Map><Row>#####</Row><Row>#@$.#</Row><Row>#####</Row></Map>\
            <Map><Row>#####</Row><Row>#@$.#</Row><Row>#####</Row></Map></Puzzle></Puzzles></SokobanLibrary>";
        let expect = "Collection: All\nAuthor: L\nComment: Words.\nEmail: l@x\nHomepage: l.x\n\n\
            Own\n ###\n##+$##\n# *@.#\n######\nAuthor: R\nComment: Of a puzzle.\nId: M1\nComment: Of a map.\n\n\
            Solution\nrL\n\n\
            One (2)\n#####\n#@$.#\n#####\nAuthor: Q\nId: M2\n\nOne (3)\n#####\n# * #\n#####\nAuthor: Q\n\n\
            #####\n#@$.#\n#####\n\n#####\n#@$.#\n#####\n";
        assert_eq!(ssx_to_sok(text).unwrap(), expect);
    }
}
