//! The sums over all levels of a run.

use std::time::Duration;

use serde::Serialize;
use sokosolver::{Alternatives, Solvability};

use super::AnalyzeResult;
use crate::exit::Exit;
use crate::wording::{count, duration};

/// The last JSON line.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AnalyzeSums {
    /// Levels asked for.
    levels: usize,
    /// Levels with a solution.
    solvable: usize,
    /// Those whose fewest pushes are proved.
    proved: usize,
    /// Those with only one best solution.
    unique: usize,
    /// Levels that have no solution for sure.
    unsolvable: usize,
    /// Levels of which it is not known.
    unknown: usize,
    /// Levels that were left when the run was interrupted.
    not_begun: usize,
    /// Boards that are no level.
    bad_boards: usize,
    /// Whether Ctrl-C ended the run.
    interrupted: bool,
    /// Time of the run.
    seconds: f64,
    /// What the program returns to the system.
    exit_code: u8,
}

/// How many levels have which answer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    n_solvable: usize,
    n_proved: usize,
    n_unique: usize,
    n_unsolvable: usize,
    n_unknown: usize,
    n_not_begun: usize,
    pub(super) n_bad_boards: usize,
}

impl Totals {
    /// Counts a level.
    pub(super) fn count(&mut self, answer: &AnalyzeResult<'_>) {
        match answer {
            AnalyzeResult::BadBoard(_) => self.n_bad_boards += 1,
            AnalyzeResult::Unsolvable(_) => self.n_unsolvable += 1,
            AnalyzeResult::NotBegun => self.n_not_begun += 1,
            AnalyzeResult::Analyzed(_, analysis) => match analysis.answer {
                Solvability::Solvable => {
                    self.n_solvable += 1;
                    self.n_proved += usize::from(analysis.bounds.is_proved());
                    self.n_unique += usize::from(analysis.alternatives == Some(Alternatives::Exactly(1)));
                }
                Solvability::Unsolvable(_) => self.n_unsolvable += 1,
                Solvability::Unknown => self.n_unknown += 1,
            },
        }
    }

    /// Returns the number of levels counted.
    pub(super) const fn n_levels(&self) -> usize {
        self.n_solvable + self.n_unsolvable + self.n_unknown + self.n_not_begun + self.n_bad_boards
    }

    /// Writes the sums in one line.
    pub(super) fn text(&self, elapsed: Duration) -> String {
        let mut parts = vec![format!(
            "{} solvable ({} with proved fewest pushes, {} with only one best solution)",
            self.n_solvable, self.n_proved, self.n_unique
        )];
        let rest = [
            (self.n_unsolvable, "unsolvable"),
            (self.n_unknown, "not known"),
            (self.n_not_begun, "not begun"),
            (self.n_bad_boards, "bad board"),
        ];
        parts.extend(rest.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
        format!("{}: {}; {}", count(self.n_levels(), "level"), parts.join(", "), duration(elapsed))
    }

    /// Makes the last JSON line.
    pub(super) fn json(&self, interrupted: bool, elapsed: Duration, exit: Exit) -> AnalyzeSums {
        AnalyzeSums {
            levels: self.n_levels(),
            solvable: self.n_solvable,
            proved: self.n_proved,
            unique: self.n_unique,
            unsolvable: self.n_unsolvable,
            unknown: self.n_unknown,
            not_begun: self.n_not_begun,
            bad_boards: self.n_bad_boards,
            interrupted,
            seconds: elapsed.as_secs_f64(),
            exit_code: exit.code(),
        }
    }
}
