//! The lines of `show --json`.

use serde::Serialize;
use sokocore::{Level, ParseLevelError};
use sokosolver::{LeastPushes, Parity, Survey, places_of};

use super::complain;
use crate::complaint::Complaints;
use crate::exit::Exit;
use crate::faults::Fault;
use crate::inputs::selection::Selection;
use crate::inputs::{InputLevel, Inputs};
use crate::json::{LevelRef, Lines, LookSums, MetricsJson, Place, RunLine, SelectionJson};
use crate::known_solutions::KnownSolutions;

/// The lines of `show --json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ShowLine {
    /// The first line.
    Run(RunLine<SelectionJson>),
    /// A level.
    Show(Box<LevelLine>),
    /// The last line.
    Summary(LookSums),
}

/// A level, and what can be said about it without a search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LevelLine {
    #[serde(flatten)]
    at: LevelRef,
    /// The rows of the board; of a bad board as the file has them.
    board: Vec<String>,
    /// `bad board` or `unsolvable`, if the board shows one of them.
    fault: Option<&'static str>,
    /// What is wrong, in words.
    error: Option<String>,
    /// The squares that are at fault, as far as a board that cannot be read as a level shows them.
    marked: Vec<Place>,
    /// Whether the board shows that there is no solution.
    unsolvable: bool,
    #[serde(flatten)]
    facts: Option<FactsJson>,
}

/// What is known about a board that is a level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FactsJson {
    /// Number of boxes.
    boxes: usize,
    /// Number of goals.
    goals: usize,
    /// Floor squares from which no box can be pushed to a goal.
    dead_squares: Vec<Place>,
    /// The squares of each room.
    rooms: Vec<Vec<Place>>,
    /// Squares that the player can walk to before the first push.
    player_region: Vec<Place>,
    /// `even`, `odd`, or null if spare goals leave it open.
    push_parity: Option<&'static str>,
    /// A number of pushes that every solution needs; null where the level is too large for it.
    push_lower_bound: Option<u64>,
    /// Solutions in the file that replay.
    solutions: usize,
    /// The best of them in moves.
    best_moves: Option<MetricsJson>,
    /// The best of them in pushes.
    best_pushes: Option<MetricsJson>,
}

/// Prints all lines; returns the number of bad boards.
pub(super) fn print_all(inputs: &Inputs, selection: &Selection, complaints: &Complaints) -> anyhow::Result<usize> {
    let lines = Lines::new(true);
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
        let line = LevelLine::of(&at, level);
        sums.count(is_bad_board, line.unsolvable);
        lines.print(&ShowLine::Show(Box::new(line)));
    }
    lines.print(&ShowLine::Summary(sums.ended(Exit::of_faults(inputs.n_faults() + n_bad_boards))));
    lines.end()?;
    Ok(n_bad_boards)
}

impl LevelLine {
    fn of(at: &InputLevel<'_>, level: Result<&Level, ParseLevelError>) -> Self {
        let rows = at.entry.board_rows();
        let fault = Fault::at(at);
        let facts = level.ok().map(|level| (level, Survey::of(level)));
        let is_hopeless = facts.as_ref().is_some_and(|(_, survey)| survey.least_pushes == LeastPushes::Unsolvable);
        Self {
            at: LevelRef::of(at),
            board: level
                .map_or_else(|_| rows.to_vec(), |level| level.grid().to_string().lines().map(str::to_owned).collect()),
            fault: fault.as_ref().map(Fault::name),
            error: fault.as_ref().map(Fault::reason),
            marked: level.err().map(|error| marked(rows, &error)).unwrap_or_default(),
            unsolvable: is_hopeless || fault.is_some_and(|fault| !fault.is_error()),
            facts: facts.map(|(level, survey)| FactsJson::of(level, &survey, &KnownSolutions::of(at))),
        }
    }
}

/// The squares that show why a board is no level.
pub(crate) fn marked(rows: &[String], error: &ParseLevelError) -> Vec<Place> {
    places_of(&rows.join("\n"), error).into_iter().map(Place::of).collect()
}

impl FactsJson {
    fn of(level: &Level, survey: &Survey, known: &KnownSolutions) -> Self {
        let board = level.board();
        Self {
            boxes: level.n_boxes(),
            goals: board.goals().len(),
            dead_squares: Place::all(board, &survey.dead),
            rooms: survey.rooms.iter().map(|room| Place::all(board, room)).collect(),
            player_region: Place::all(board, &survey.region),
            push_parity: survey.parity.map(Parity::name),
            push_lower_bound: match survey.least_pushes {
                LeastPushes::AtLeast(pushes) => Some(pushes),
                _ => None,
            },
            solutions: known.n,
            best_moves: known.best_moves.map(MetricsJson::from),
            best_pushes: known.best_pushes.map(MetricsJson::from),
        }
    }
}
