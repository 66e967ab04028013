//! `verify` and `metrics`: moves replayed.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sokocore::{replay, replay_snapshot};
use sokoio::parse_moves;

use crate::errors::{message, moves_error};
use crate::level::PyLevel;
use crate::results;

/// Check whether moves solve a level. What is wrong is told by the result, which is false then; nothing is raised.
///
/// >>> import soko
/// >>> level = soko.Level("######\n#@$ .#\n######")
/// >>> check = soko.verify(level, "rr")
/// >>> bool(check), check.solution.moves, check.case_corrected
/// (True, 'RR', 2)
/// >>> soko.verify(level, "RRx").error
/// "line 1, column 3: 'x' is not a move; use u d l r, U D L R and run lengths"
#[pyfunction]
pub(crate) fn verify<'py>(py: Python<'py>, level: &PyLevel, moves: &str) -> PyResult<Bound<'py, PyAny>> {
    let checked = parse_moves(moves)
        .map_err(|error| message(&error))
        .and_then(|moves| replay(&level.0.level, &moves).map_err(|error| message(&error)));
    let remarks = checked.as_ref().map(|solution| solution.remarks()).unwrap_or_default();
    let fields = PyDict::new(py);
    fields.set_item("error", checked.as_ref().err())?;
    fields.set_item("case_corrected", remarks.case_corrected)?;
    fields.set_item("cut_after_solved", remarks.cut_after_solved)?;
    fields.set_item("solution", checked.ok().map(|solution| results::solution(&level.0, solution)))?;
    results::make(py, "Verification", &fields)
}

/// Count the metrics of moves, whether they solve the level or not.
///
/// >>> import soko
/// >>> soko.metrics(soko.Level("######\n#@$ .#\n######"), "R")
/// Metrics(moves=1, pushes=1, box_lines=1, box_changes=1, pushing_sessions=1, player_lines=1)
#[pyfunction]
pub(crate) fn metrics<'py>(py: Python<'py>, level: &PyLevel, moves: &str) -> PyResult<Bound<'py, PyAny>> {
    let moves = parse_moves(moves).map_err(|error| moves_error(&error))?;
    let snapshot = replay_snapshot(&level.0.level, &moves).map_err(|error| moves_error(&error))?;
    results::metrics(py, &snapshot.metrics())
}
