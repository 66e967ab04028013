//! Texts of levels from their parts: boards, titles, notes and games in any order, so that little input goes far into the
//! reader.

use libfuzzer_sys::arbitrary::{self, Arbitrary};

use crate::{check_file, check_level};

/// A part of a text.
#[derive(Debug, Arbitrary)]
pub enum Part {
    /// Rows of letters by number.
    Board(Vec<Vec<u8>>),
    /// A board that is a level.
    Level,
    /// A line `Key: value`.
    Field(u8, String),
    /// Moves by number, with run lengths.
    Game(Vec<(u8, u8)>),
    /// A line as it is.
    Line(String),
    /// Empty lines.
    Gap(u8),
}

const CELLS: &[u8] = b"# .$*@+-_|PpBb0139()";
const KEYS: [&str; 12] = [
    "Title",
    "Author",
    "Comment",
    "Comment-End",
    "Solution",
    "Snapshot",
    "Collection",
    "Date",
    "Solver",
    "Optimizer",
    "Solution 1/2",
    "::",
];
const MOVES: &[u8] = b"lurdLURD()[] 3*";

/// Writes the parts.
#[must_use]
pub fn text(parts: &[Part], line_break: &str) -> String {
    let mut lines = Vec::new();
    for part in parts.iter().take(60) {
        match part {
            Part::Board(rows) => {
                let letter = |number: &u8| char::from(CELLS[usize::from(*number) % CELLS.len()]);
                lines.extend(rows.iter().take(30).map(|row| row.iter().take(40).map(letter).collect::<String>()));
            }
            Part::Level => lines.extend(["######", "#@$ .#", "######"].map(String::from)),
            Part::Field(key, value) => lines.push(format!("{}: {value}", KEYS[usize::from(*key) % KEYS.len()])),
            Part::Game(moves) => {
                lines.push("Solution".into());
                let step = |(number, count): &(u8, u8)| {
                    let letter = char::from(MOVES[usize::from(*number) % MOVES.len()]);
                    if *count < 2 { letter.to_string() } else { format!("{count}{letter}") }
                };
                lines.push(moves.iter().take(200).map(step).collect());
            }
            Part::Line(line) => lines.push(line.clone()),
            Part::Gap(n) => lines.extend((0..n % 4).map(|_| String::new())),
        }
    }
    lines.join(line_break)
}

/// Reads such a text, as levels and as a file.
pub fn check(parts: &[Part], is_dos: bool) {
    let text = text(parts, if is_dos { "\r\n" } else { "\n" });
    check_level(text.as_bytes());
    check_file(text.as_bytes());
}
