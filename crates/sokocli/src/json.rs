//! JSON lines for programs; `docs/json.md` describes them, and the schemas beside it.
//!
//! Each command has an enum of the lines that it prints, told apart by `type`. The schemas are made from these types by
//! a test, which fails if they differ from those in the repository.
//!
//! * [`RunLine`]: the first line of every command.
//! * [`LevelRef`], [`MetricsJson`], [`Place`]: what many lines are made of.
//! * [`FaultJson`], [`LevelFacts`]: what `info` and `show` both say about a level.
//! * [`ImprovedLine`], [`ProgressLine`]: events.

mod level_facts;
mod run_line;
#[cfg(test)]
mod schema_tests;

use std::io;

use parking_lot::Mutex;
use serde::Serialize;
use sokocore::{Board, Metrics, Objective, SquareSet};
use sokoio::LevelId;

pub(crate) use self::level_facts::{FaultJson, LevelFacts};
pub(crate) use self::run_line::{RunLine, SCHEMA_VERSION, SelectionJson, seconds};
use crate::exit::Exit;
use crate::inputs::InputLevel;
use crate::output;

/// Standard output as JSON lines, from any thread.
#[derive(Debug)]
pub(crate) struct JsonLines {
    is_on: bool,
    /// The first error of writing; nothing is written after it.
    error: Mutex<Option<io::Error>>,
}

impl JsonLines {
    /// Makes lines that are printed, or thrown away.
    pub(crate) const fn new(is_on: bool) -> Self {
        Self { is_on, error: Mutex::new(None) }
    }

    /// Returns whether lines are printed.
    pub(crate) const fn is_on(&self) -> bool {
        self.is_on
    }

    /// Prints a line at once.
    pub(crate) fn print(&self, line: &impl Serialize) {
        if !self.is_on {
            return;
        }
        let mut error = self.error.lock();
        if error.is_none() {
            let text = serde_json::to_string(line).map_err(io::Error::from);
            *error = text.and_then(|text| output::print_line(&text)).err();
        }
    }

    /// Returns whether nothing more can be written, so that a command that only prints may end.
    pub(crate) fn has_failed(&self) -> bool {
        self.error.lock().is_some()
    }

    /// Returns what went wrong, unless the reader went away.
    pub(crate) fn end(&self) -> io::Result<()> {
        output::forgive_broken_pipe(self.error.lock().take().map_or(Ok(()), Err))
    }
}

/// Which level a line is about.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LevelRef {
    /// The file.
    file: String,
    /// Number among the levels of all files, from 1.
    level: usize,
    /// Number among the levels of its file, from 1.
    number_in_file: usize,
    /// Line of the file where the board starts, from 1.
    line: usize,
    /// The title, if the file gives one.
    title: Option<String>,
    /// Identity, 32 hexadecimal digits; null for a bad board.
    id: Option<String>,
}

impl LevelRef {
    /// Names a level.
    pub(crate) fn of(at: &InputLevel<'_>) -> Self {
        Self {
            file: at.path.display().to_string(),
            level: at.number,
            number_in_file: at.entry.number(),
            line: at.entry.line(),
            title: at.entry.title().map(str::to_owned),
            id: at.entry.level().ok().map(|level| LevelId::of(level).to_string()),
        }
    }
}

/// The six metrics.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MetricsJson {
    /// Steps of the player, pushes among them.
    moves: u64,
    /// Steps that push a box.
    pushes: u64,
    /// Straight runs of pushes of one box.
    box_lines: u64,
    /// How often another box is pushed than before, the first one counted.
    box_changes: u64,
    /// Runs of pushes without a walk between them.
    pushing_sessions: u64,
    /// Straight runs of steps of the player.
    player_lines: u64,
}

impl From<Metrics> for MetricsJson {
    fn from(metrics: Metrics) -> Self {
        Self {
            moves: metrics.moves,
            pushes: metrics.pushes,
            box_lines: metrics.box_lines,
            box_changes: metrics.box_changes,
            pushing_sessions: metrics.pushing_sessions,
            player_lines: metrics.player_lines,
        }
    }
}

/// A better solution, while its level is worked on.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ImprovedLine {
    #[serde(flatten)]
    at: LevelRef,
    /// What it is better in. Moves and pushes are told by `optimize` whatever it is asked for: their bests are kept, too.
    objective: String,
    /// Of the better solution.
    metrics: MetricsJson,
    /// The method or strategy that found it.
    by: String,
    /// Time that went into the level so far, for this objective and for a first solution.
    seconds: f64,
}

impl ImprovedLine {
    /// Describes a find.
    pub(crate) fn new(at: &LevelRef, objective: Objective, metrics: Metrics, by: &str, seconds: f64) -> Self {
        Self { at: at.clone(), objective: objective.to_string(), metrics: metrics.into(), by: by.to_owned(), seconds }
    }
}

/// What a level is being tried with, at most once a second.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ProgressLine {
    #[serde(flatten)]
    at: LevelRef,
    /// What is done now, in words.
    doing: String,
    /// Best by the objective so far, if there is a solution.
    best: Option<MetricsJson>,
    /// Fewest pushes or moves that are possible, as far as that is proved.
    lower_bound: Option<u64>,
    /// Time that went into the level so far, for this objective and for a first solution.
    seconds: f64,
}

impl ProgressLine {
    /// Describes the state of a level.
    pub(crate) fn new(
        at: &LevelRef,
        doing: String,
        best: Option<Metrics>,
        lower_bound: Option<u64>,
        seconds: f64,
    ) -> Self {
        Self { at: at.clone(), doing, best: best.map(MetricsJson::from), lower_bound, seconds }
    }
}

/// A square as `[row, column]`, both from 1, by the board as `show` draws it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Place([usize; 2]);

impl Place {
    /// Makes a place from a row and a column from 0.
    pub(crate) const fn of((row, column): (usize, usize)) -> Self {
        Self([row + 1, column + 1])
    }

    /// Lists the places of squares.
    pub(crate) fn all(board: &Board, squares: &SquareSet) -> Vec<Self> {
        squares.iter().map(|sq| Self::of(board.place(sq))).collect()
    }
}

/// The last line of a command that looks at levels without a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LookSums {
    /// Levels looked at.
    levels: usize,
    /// Boards that are no level.
    bad_boards: usize,
    /// Levels whose board shows that there is no solution.
    unsolvable: usize,
    /// What the program returns to the system.
    exit_code: u8,
}

impl LookSums {
    /// Counts a level.
    pub(crate) fn count(&mut self, is_bad_board: bool, is_unsolvable: bool) {
        self.levels += 1;
        self.bad_boards += usize::from(is_bad_board);
        self.unsolvable += usize::from(is_unsolvable);
    }

    /// Adds how the command ends.
    pub(crate) const fn ended(self, exit: Exit) -> Self {
        Self { exit_code: exit.code(), ..self }
    }
}
