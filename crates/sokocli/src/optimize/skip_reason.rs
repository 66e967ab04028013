//! Why a level is left as it is.

use sokosearch::End;

use crate::level_fault::{BAD_BOARD, SOLVED_AT_START, UNSOLVABLE};
use crate::solve::found::end_name;

/// Why a level is not optimized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SkipReason {
    /// The board is no level.
    BadBoard(String),
    /// The level was on the list before.
    SameAs(usize),
    /// No solution was given.
    NoSolution,
    /// None of the solutions given is valid.
    NoValidSolution,
    /// The solver found no solution within its share of the time.
    NotSolved(End),
    /// The solver found that there is none, or the board shows it.
    Unsolvable(String),
    /// All boxes are on goals, and no push leads away and back.
    SolvedAtStart,
    /// The squares to be avoided are needed, or all solutions given enter them.
    NotAvoided(String),
    /// The solution has fewer pushes than the range asks for.
    TooShort(String),
    /// The run was interrupted, or its time was over, before.
    NotBegun,
}

impl SkipReason {
    /// Says it in the table.
    pub(super) fn text(&self) -> String {
        match self {
            Self::BadBoard(error) => format!("{BAD_BOARD}: {error}"),
            Self::SameAs(number) => format!("the same as level {number}"),
            Self::NoSolution => "no solution to improve".to_owned(),
            Self::NoValidSolution => "no valid solution to improve".to_owned(),
            Self::NotSolved(end) => format!("not solved ({})", end_name(*end)),
            Self::Unsolvable(by) => format!("{UNSOLVABLE} ({by})"),
            Self::SolvedAtStart => SOLVED_AT_START.to_owned(),
            Self::NotAvoided(why) | Self::TooShort(why) => why.clone(),
            Self::NotBegun => "not begun".to_owned(),
        }
    }

    /// Says it in JSON.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::BadBoard(_) => BAD_BOARD,
            Self::SameAs(_) => "same level",
            Self::NoSolution => "no solution",
            Self::NoValidSolution => "no valid solution",
            Self::NotSolved(_) => "not solved",
            Self::Unsolvable(_) => UNSOLVABLE,
            Self::SolvedAtStart => SOLVED_AT_START,
            Self::NotAvoided(_) => "not avoided",
            Self::TooShort(_) => "too short",
            Self::NotBegun => "not begun",
        }
    }

    /// Returns whether something is wrong, or was not reached.
    pub(super) const fn is_failure(&self) -> bool {
        !matches!(self, Self::SameAs(_) | Self::SolvedAtStart | Self::NotBegun)
    }

    /// Returns whether more time may help.
    pub(super) fn is_open(&self) -> bool {
        matches!(self, Self::NotSolved(End::Stopped(_)) | Self::NotBegun)
    }
}
