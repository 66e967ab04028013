//! The lines of `show --json`.

use serde::Serialize;
use sokocore::{Board, Level, ParseLevelError};
use sokosolver::{Survey, places_of};

use super::complain;
use crate::complaint::Complaints;
use crate::exit::Exit;
use crate::inputs::selection::LevelSelection;
use crate::inputs::{InputLevel, Inputs};
use crate::json::{FaultJson, JsonLines, LevelFacts, LevelRef, LookSums, Place, RunLine, SelectionJson};
use crate::known_solutions::KnownSolutions;
use crate::level_fault::LevelFault;

/// The lines of `show --json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ShowLine {
    /// The first line.
    Run(RunLine<SelectionJson>),
    /// A level.
    Show(Box<ShowLevel>),
    /// The last line.
    Summary(LookSums),
}

/// A level, and what can be said about it without a search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ShowLevel {
    #[serde(flatten)]
    at: LevelRef,
    /// The rows of the board; of a bad board as the file has them.
    board: Vec<String>,
    #[serde(flatten)]
    fault: FaultJson,
    /// The squares that are at fault, as far as a board that cannot be read as a level shows them.
    marked: Vec<Place>,
    #[serde(flatten)]
    facts: Option<LevelFacts>,
    #[serde(flatten)]
    squares: Option<ShownSquares>,
}

/// The squares of a board that is a level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ShownSquares {
    /// Floor squares from which no box can be pushed to a goal.
    dead_squares: Vec<Place>,
    /// The squares of each room.
    rooms: Vec<Vec<Place>>,
    /// Squares that the player can walk to before the first push.
    player_region: Vec<Place>,
}

/// Prints all lines; returns the number of bad boards.
pub(super) fn print_all(inputs: &Inputs, selection: &LevelSelection, complaints: &Complaints) -> anyhow::Result<usize> {
    let lines = JsonLines::new(true);
    lines.print(&ShowLine::Run(RunLine::new("show", inputs, selection.into())));
    let mut sums = LookSums::default();
    let mut n_bad_boards = 0;
    for at in inputs.levels().filter(|at| selection.contains(at)) {
        if lines.has_failed() {
            break;
        }
        let level = at.entry.level();
        let is_bad_board = level.is_err_and(|error| complain(&at, error, complaints));
        n_bad_boards += usize::from(is_bad_board);
        let line = ShowLevel::of(&at, level);
        sums.count(is_bad_board, line.fault.unsolvable);
        lines.print(&ShowLine::Show(Box::new(line)));
    }
    lines.print(&ShowLine::Summary(sums.ended(Exit::of_faults(inputs.n_faults() + n_bad_boards))));
    lines.end()?;
    Ok(n_bad_boards)
}

impl ShowLevel {
    fn of(at: &InputLevel<'_>, level: Result<&Level, ParseLevelError>) -> Self {
        let rows = at.entry.board_rows();
        let fault = LevelFault::at(at);
        let facts = level.ok().map(|level| (level, Survey::of(level)));
        Self {
            at: LevelRef::of(at),
            board: level
                .map_or_else(|_| rows.to_vec(), |level| level.grid().to_string().lines().map(str::to_owned).collect()),
            fault: FaultJson::of(fault.as_ref(), facts.as_ref().map(|(_, survey)| survey.least_pushes)),
            marked: level.err().map(|error| marked(rows, &error)).unwrap_or_default(),
            facts: facts
                .as_ref()
                .map(|(level, survey)| LevelFacts::of(level, survey.least_pushes.at_least(), &KnownSolutions::of(at))),
            squares: facts.map(|(level, survey)| ShownSquares::of(level.board(), &survey)),
        }
    }
}

/// The squares that show why a board is no level.
pub(crate) fn marked(rows: &[String], error: &ParseLevelError) -> Vec<Place> {
    places_of(&rows.join("\n"), error).into_iter().map(Place::of).collect()
}

impl ShownSquares {
    fn of(board: &Board, survey: &Survey) -> Self {
        Self {
            dead_squares: Place::all(board, &survey.dead),
            rooms: survey.rooms.iter().map(|room| Place::all(board, room)).collect(),
            player_region: Place::all(board, &survey.region),
        }
    }
}
