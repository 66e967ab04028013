//! What `info` and `show` both say about a level: all of it without a search.

use serde::Serialize;
use sokocore::Level;
use sokosolver::{LeastPushes, Parity};

use super::MetricsJson;
use crate::known_solutions::KnownSolutions;
use crate::level_fault::LevelFault;

/// Whether a board is a level, and one that may have a solution.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FaultJson {
    /// `bad board` or `unsolvable`, if the board shows one of them.
    fault: Option<&'static str>,
    /// What is wrong, in words.
    error: Option<String>,
    /// Whether the board shows that there is no solution.
    pub(crate) unsolvable: bool,
}

/// Figures of a level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LevelFacts {
    /// Number of boxes.
    boxes: usize,
    /// Number of goals.
    goals: usize,
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

impl FaultJson {
    /// Makes it of the fault that the board shows, and of the bound if the board is a level.
    pub(crate) fn of(fault: Option<&LevelFault>, least_pushes: Option<LeastPushes>) -> Self {
        let is_unsolvable = least_pushes == Some(LeastPushes::Unsolvable);
        Self {
            fault: fault.map(LevelFault::name),
            error: fault.map(LevelFault::reason),
            unsolvable: is_unsolvable || fault.is_some_and(|fault| !fault.is_error()),
        }
    }
}

impl LevelFacts {
    /// Makes them of what is known.
    pub(crate) fn of(level: &Level, push_lower_bound: Option<u64>, known: &KnownSolutions) -> Self {
        Self {
            boxes: level.n_boxes(),
            goals: level.board().goals().len(),
            push_parity: Parity::of(level).map(Parity::name),
            push_lower_bound,
            solutions: known.n,
            best_moves: known.best_moves.map(MetricsJson::from),
            best_pushes: known.best_pushes.map(MetricsJson::from),
        }
    }
}
