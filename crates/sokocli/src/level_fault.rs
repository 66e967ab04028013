//! One word for one fault, in all commands, tables, JSON and totals.
//!
//! | fault | word | exit code |
//! |---|---|---|
//! | the board is no level | bad board | 1 |
//! | a level that its board shows to be unsolvable | unsolvable | 0 |
//! | a level whose boxes stand on goals before the first move | solved at the start | 0 |

use sokocore::{Level, ParseLevelError};
use sokosolver::{is_unsolvable, places_of};

use crate::board_picture::{BoardPicture, Mark};
use crate::complaint::{Complaints, with_causes};
use crate::inputs::InputLevel;
use crate::terminal::Paint;
use crate::wording::count;

/// The board is no level.
pub(crate) const BAD_BOARD: &str = "bad board";
/// No solution exists.
pub(crate) const UNSOLVABLE: &str = "unsolvable";
/// All boxes are on goals before the first move.
pub(crate) const SOLVED_AT_START: &str = "solved at the start";

/// What is wrong with a level before anything is searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LevelFault {
    /// The board is no level.
    BadBoard(ParseLevelError),
    /// The board can be read, but no position of it could be solved.
    Unsolvable(ParseLevelError),
    /// Boxes that can reach no goal, by row and column from zero.
    StuckBoxes(Vec<(usize, usize)>),
}

impl LevelFault {
    /// Sorts out why a board is no level.
    pub(crate) const fn of(error: ParseLevelError) -> Self {
        if is_unsolvable(&error) { Self::Unsolvable(error) } else { Self::BadBoard(error) }
    }

    /// Looks for boxes that can reach no goal, were they alone on the board.
    pub(crate) fn in_level(level: &Level) -> Option<Self> {
        let stuck =
            level.start().boxes.iter().filter(|&sq| !level.live().contains(sq) && !level.board().goals().contains(sq));
        let places: Vec<_> = stuck.map(|sq| level.board().place(sq)).collect();
        (!places.is_empty()).then_some(Self::StuckBoxes(places))
    }

    /// Returns what is wrong with a level of the input, if anything.
    pub(crate) fn at(at: &InputLevel<'_>) -> Option<Self> {
        at.entry.level().map_or_else(|error| Some(Self::of(error)), Self::in_level)
    }

    /// Returns whether the exit code is 1 for it.
    pub(crate) const fn is_error(&self) -> bool {
        matches!(self, Self::BadBoard(_))
    }

    /// Returns the word for it.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::BadBoard(_) => BAD_BOARD,
            Self::Unsolvable(_) | Self::StuckBoxes(_) => UNSOLVABLE,
        }
    }

    /// Says what exactly is wrong.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::BadBoard(error) | Self::Unsolvable(error) => with_causes(*error),
            Self::StuckBoxes(places) => {
                let (row, column) = places.first().map_or((0, 0), |&(row, column)| (row + 1, column + 1));
                match places.len() {
                    1 => format!("the box at row {row}, column {column} can reach no goal"),
                    n => format!("{} can reach no goal, the first at row {row}, column {column}", count(n, "box")),
                }
            }
        }
    }

    /// Draws the board with what is wrong marked, if there is a place to be marked.
    pub(crate) fn picture(&self, rows: &[String]) -> Option<BoardPicture> {
        let picture = self.places(rows).into_iter().fold(BoardPicture::of_rows(rows), |picture, (row, column)| {
            picture.mark(row, column, Mark::pointed_at(Paint::Wrong))
        });
        picture.is_marked().then_some(picture)
    }

    /// Writes it to stderr, with a picture if there is a place to be marked and there were not many pictures before.
    pub(crate) fn complain(&self, at: &InputLevel<'_>, complaints: &Complaints) {
        let text = format!("{}: {}: {}", at.place(at.entry.line()), self.name(), self.reason());
        if self.is_error() {
            complaints.error(&text);
        } else {
            complaints.warning_of_kind("unsolvable level", &text);
        }
        if let Some(picture) = self.picture(at.entry.board_rows()) {
            complaints.picture(picture);
        }
    }

    /// The squares to be marked, by row and column from zero.
    fn places(&self, rows: &[String]) -> Vec<(usize, usize)> {
        match self {
            Self::StuckBoxes(places) => places.clone(),
            Self::BadBoard(error) | Self::Unsolvable(error) => places_of(&rows.join("\n"), error),
        }
    }
}

/// Returns whether all boxes are on goals before the first move.
pub(crate) fn is_solved_at_start(level: &Level) -> bool {
    level.is_solved(&level.start().boxes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Terminal;

    /// The word, the reason, and the line of the picture that points at something.
    #[track_caller]
    fn check(board: &str, word: &str, reason: &str, pointers: Option<&str>) {
        let rows: Vec<_> = board.lines().map(str::to_owned).collect();
        let fault =
            Level::parse(board).map_or_else(|error| Some(LevelFault::of(error)), |level| LevelFault::in_level(&level));
        let fault = fault.expect("something is wrong");
        assert_eq!(fault.name(), word);
        assert!(fault.reason().contains(reason), "{}", fault.reason());
        let drawn = fault.picture(&rows).map(|picture| picture.draw(&Terminal::FILE));
        let found = drawn.as_deref().and_then(|drawn| drawn.lines().find(|line| line.contains('^')));
        assert_eq!(found, pointers, "{drawn:?}");
    }

    #[test]
    fn every_fault_has_its_word_and_place() {
        check("#####\n#@$.\n#####", BAD_BOARD, "open at row 2, column 5", Some("    ^"));
        check("######\n#@$.@#\n######", BAD_BOARD, "2 players", Some(" ^  ^"));
        check("#####\n#@?.#\n#####", BAD_BOARD, "'?' is not a board letter", Some("  ^"));
        check("#####\n# $.#\n#####", BAD_BOARD, "no player", None);
        check("########\n#@$.#$.#\n########", UNSOLVABLE, "row 2, column 6", Some("     ^"));
        check("######\n#@$$.#\n######", UNSOLVABLE, "2 boxes but only 1 goal;", Some("  ^^"));
        check("######\n#$@ .#\n######", UNSOLVABLE, "the box at row 2, column 2 can reach no goal", Some(" ^"));
        check("#######\n#$@$..#\n#$  $.#\n#  .  #\n#######", UNSOLVABLE, "2 boxes can reach no goal", Some(" ^"));
    }

    #[test]
    fn good_levels_have_none() {
        let level = Level::parse("#####\n#@$.#\n#####").unwrap();
        assert_eq!(LevelFault::in_level(&level), None);
        let solved = Level::parse("#####\n#@ *#\n#####").unwrap();
        assert_eq!(LevelFault::in_level(&solved), None);
        assert!(is_solved_at_start(&solved) && !is_solved_at_start(&level));
    }
}
