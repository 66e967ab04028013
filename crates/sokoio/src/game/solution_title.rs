//! Titles of solutions, as most programs write them.
//!
//! ```text
//!   Best Solution 230/97/31/20/25/110 (Soko) (2)
//!   └─ kind ────┘ └─ metrics ───────┘ └name┘ └ number, from 2, if the rest is not unique in the level
//! ```

use std::fmt;
use std::str::FromStr;

use sokocore::{Metric, Metrics};
use thiserror::Error;

/// What a solution is best in, as its title says. It is written as the words of the title.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SolutionKind {
    /// `Solution`: a solution among others.
    #[default]
    Plain,
    /// `Best Solution`: the best in moves and in pushes.
    Best,
    /// `Solution/Moves`: the best in moves; early programs wrote `Solution/Steps`.
    Moves,
    /// `Solution/Pushes`: the best in pushes.
    Pushes,
}

impl SolutionKind {
    const fn text(self) -> &'static str {
        match self {
            Self::Plain => "Solution",
            Self::Best => "Best Solution",
            Self::Moves => "Solution/Moves",
            Self::Pushes => "Solution/Pushes",
        }
    }
}

impl fmt::Display for SolutionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// The title of a solution: kind, metrics, perhaps the name of the program that found it, perhaps a number.
///
/// Its text is one line that announces a solution to every reader.
///
/// ```
/// use sokocore::Metrics;
/// use sokoio::{SolutionKind, SolutionTitle};
///
/// let metrics = Metrics { moves: 230, pushes: 97, ..Metrics::default() };
/// let title = SolutionTitle::new(SolutionKind::Best, metrics).with_first_metrics(2);
/// let title = title.with_program("Soko").with_number(2);
/// assert_eq!(title.to_string(), "Best Solution 230/97 (Soko) (2)");
/// assert_eq!("Best Solution 230/97 (Soko) (2)".parse(), Ok(title));
/// assert_eq!(SolutionTitle::parse("Snapshot 12/3"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SolutionTitle {
    kind: SolutionKind,
    numbers: Vec<u64>,
    program: Option<String>,
    number: u32,
}

impl SolutionTitle {
    /// Makes a title with all six metrics.
    #[must_use]
    pub fn new(kind: SolutionKind, metrics: Metrics) -> Self {
        Self { kind, numbers: Metric::ALL.map(|metric| metric.of(&metrics)).to_vec(), program: None, number: 1 }
    }

    /// Adds the name of a program. Parentheses and line breaks in it become spaces; an empty name is no name.
    #[must_use]
    pub fn with_program(mut self, name: &str) -> Self {
        let is_kept = |letter: &char| !letter.is_control() && !matches!(letter, '(' | ')');
        let name: String = name.chars().map(|letter| if is_kept(&letter) { letter } else { ' ' }).collect();
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        self.program = if name.is_empty() { None } else { Some(name) };
        self
    }

    /// Keeps only the first `n` metrics; `2` gives the short `230/97`.
    #[must_use]
    pub fn with_first_metrics(mut self, n: usize) -> Self {
        self.numbers.truncate(n);
        self
    }

    /// Changes what the solution is called best in.
    #[must_use]
    pub const fn with_kind(mut self, kind: SolutionKind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the number that makes the title unique in its level; 0 and 1 are not written.
    #[must_use]
    pub fn with_number(mut self, number: u32) -> Self {
        self.number = number.max(1);
        self
    }

    /// Reads a title line; `None` if it announces no solution. Case does not matter, nor a colon after the kind, nor
    /// spaces around slashes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let lower = text.to_ascii_lowercase();
        let start = lower.find("solution")?;
        let is_best = lower[..start].trim_end().ends_with("best");
        let rest = &text[start + "solution".len()..];
        let (kind, rest) = split_kind(rest, is_best);
        let (program, number, rest) = split_names(rest);
        let numbers = rest.trim_matches([':', ' ']).split('/').map_while(leading_number).collect();
        Some(Self { kind, numbers, program, number })
    }

    /// Returns what the title calls the solution best in.
    #[must_use]
    pub const fn kind(&self) -> SolutionKind {
        self.kind
    }

    /// Returns the metrics that the title gives, in the usual order: moves, pushes, box lines, box changes, pushing
    /// sessions, player lines; any number of them may be missing at the end. They are not checked against the moves.
    #[must_use]
    pub fn numbers(&self) -> &[u64] {
        &self.numbers
    }

    /// Returns the name of the program.
    #[must_use]
    pub fn program(&self) -> Option<&str> {
        self.program.as_deref()
    }

    /// Returns the number that makes the title unique, 1 if none is written.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }
}

impl fmt::Display for SolutionTitle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.text())?;
        for (at, number) in self.numbers.iter().enumerate() {
            write!(f, "{}{number}", if at == 0 { ' ' } else { '/' })?;
        }
        if let Some(program) = &self.program {
            write!(f, " ({program})")?;
        }
        if self.number > 1 { write!(f, " ({})", self.number) } else { Ok(()) }
    }
}

/// A line that does not announce a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Error)]
#[error("this is not the title of a solution; one looks like 'Best Solution 230/97'")]
#[non_exhaustive]
pub struct ParseSolutionTitleError;

impl FromStr for SolutionTitle {
    type Err = ParseSolutionTitleError;

    /// As [`SolutionTitle::parse`].
    fn from_str(line: &str) -> Result<Self, Self::Err> {
        Self::parse(line).ok_or(ParseSolutionTitleError)
    }
}

fn split_kind(rest: &str, is_best: bool) -> (SolutionKind, &str) {
    let slashed = [("/moves", SolutionKind::Moves), ("/steps", SolutionKind::Moves), ("/pushes", SolutionKind::Pushes)];
    for (word, kind) in slashed {
        if rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word)) {
            return (kind, &rest[word.len()..]);
        }
    }
    (if is_best { SolutionKind::Best } else { SolutionKind::Plain }, rest)
}

/// Takes `(...)` out of a text: a program's name, and a number if it is the last one.
fn split_names(text: &str) -> (Option<String>, u32, String) {
    let (mut program, mut number, mut rest) = (None, 1, String::new());
    let mut left = text;
    while let Some((before, (inside, after))) = left.split_once('(').and_then(|(a, b)| Some((a, b.split_once(')')?))) {
        rest += before;
        match inside.trim().parse() {
            Ok(found) => number = u32::max(found, 1),
            Err(_) if program.is_none() && !inside.trim().is_empty() => program = Some(inside.trim().to_owned()),
            Err(_) => {}
        }
        left = after;
    }
    rest += left;
    (program, number, rest)
}

/// The number that a text starts with.
fn leading_number(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, kind: SolutionKind, numbers: &[u64], program: Option<&str>, number: u32) {
        let title = SolutionTitle::parse(text).unwrap();
        assert_eq!((title.kind(), title.numbers()), (kind, numbers), "{text}");
        assert_eq!((title.program(), title.number()), (program, number), "{text}");
    }

    #[test]
    fn reads_titles_of_other_programs() {
        check("Best Solution 230/97", SolutionKind::Best, &[230, 97], None, 1);
        check("Solution/Moves 96/25", SolutionKind::Moves, &[96, 25], None, 1);
        check("Solution/Pushes 116/19 (2)", SolutionKind::Pushes, &[116, 19], None, 2);
        check("Solution/Moves (Built-in) 40/10", SolutionKind::Moves, &[40, 10], Some("Built-in"), 1);
        check("Solution 40/10/5/3/5 (YASS 2.33) (3)", SolutionKind::Plain, &[40, 10, 5, 3, 5], Some("YASS 2.33"), 3);
        check("Solution 52/8/3/2/3/14", SolutionKind::Plain, &[52, 8, 3, 2, 3, 14], None, 1);
        check("Best solution: 29 / 4", SolutionKind::Best, &[29, 4], None, 1);
        check("Solution/Steps 5/2", SolutionKind::Moves, &[5, 2], None, 1);
        check("Solution", SolutionKind::Plain, &[], None, 1);
        check("Solution \u{e9} (", SolutionKind::Plain, &[], None, 1);
        assert_eq!(SolutionTitle::parse("Snapshot 3/1"), None);
    }

    #[test]
    fn the_first_name_counts() {
        for (text, program) in [("(A) (B)", Some("A")), ("( ) (B)", Some("B")), ("( )", None), ("(2) (A)", Some("A"))] {
            let title = SolutionTitle::parse(&format!("Solution 2/2 {text}")).unwrap();
            assert_eq!(title.program.as_deref(), program, "{text}");
        }
        let kinds = [SolutionKind::Plain, SolutionKind::Best, SolutionKind::Moves, SolutionKind::Pushes];
        assert_eq!(
            kinds.map(|kind| kind.to_string()),
            ["Solution", "Best Solution", "Solution/Moves", "Solution/Pushes"]
        );
    }

    #[test]
    fn writes_titles() {
        let metrics = Metrics::count("luR".parse::<sokocore::Lurd>().unwrap().steps());
        let title = SolutionTitle::new(SolutionKind::Pushes, metrics);
        assert_eq!(title.to_string(), "Solution/Pushes 3/1/1/1/1/3");
        let named = title.clone().with_program("So(ko)\n1.0").with_number(2).with_first_metrics(2);
        assert_eq!(named.to_string(), "Solution/Pushes 3/1 (So ko 1.0) (2)");
        assert_eq!(title.with_kind(SolutionKind::Best).with_program(" ").to_string(), "Best Solution 3/1/1/1/1/3");
    }

    proptest! {
        #[test]
        fn reads_what_it_writes(
            kind in prop::sample::select(vec![
                SolutionKind::Plain, SolutionKind::Best, SolutionKind::Moves, SolutionKind::Pushes,
            ]),
            numbers in prop::collection::vec(any::<u64>(), 0..7),
            name in "[A-Za-z][ -~]{0,10}",
            number in any::<u32>(),
        ) {
            let title = SolutionTitle { kind, numbers, program: None, number: 1 };
            let title = title.with_program(&name).with_number(number);
            prop_assert_eq!(SolutionTitle::parse(&title.to_string()), Some(title));
        }

        #[test]
        fn never_panics(text in "\\PC*solution\\PC*") {
            let title = SolutionTitle::parse(&text).unwrap();
            prop_assert!(!title.to_string().contains('\n'));
        }
    }
}
