//! Results as classes of `soko._results`, which are dataclasses: their fields, equality and copies are Python's.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use sokocore::{Metrics, Solution};
use sokosolver::{DeadlockStats, SearchStats};

use crate::level::LevelData;
use crate::solution::PySolution;

/// Makes a value of a class by the names of its fields.
pub(crate) fn make<'py>(py: Python<'py>, class: &str, fields: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
    py.import("soko._results")?.getattr(class)?.call((), Some(fields))
}

/// Returns metrics as Python has them.
pub(crate) fn metrics<'py>(py: Python<'py>, metrics: &Metrics) -> PyResult<Bound<'py, PyAny>> {
    let fields = [
        ("moves", metrics.moves),
        ("pushes", metrics.pushes),
        ("box_lines", metrics.box_lines),
        ("box_changes", metrics.box_changes),
        ("pushing_sessions", metrics.pushing_sessions),
        ("player_lines", metrics.player_lines),
    ];
    make(py, "Metrics", &fields.into_py_dict(py)?)
}

/// Returns the counters of searches as Python has them.
pub(crate) fn stats<'py>(py: Python<'py>, stats: &SearchStats) -> PyResult<Bound<'py, PyAny>> {
    let fields = [
        ("expanded", Some(stats.expanded)),
        ("generated", stats.generated),
        ("duplicates", stats.duplicates),
        ("pruned", stats.pruned),
        ("reopened", stats.reopened),
        ("max_depth", stats.max_depth),
    ];
    let fields = fields.into_py_dict(py)?;
    fields.set_item("deadlocks", stats.deadlocks.map(|kinds| deadlocks(py, kinds)).transpose()?)?;
    make(py, "SearchStats", &fields)
}

fn deadlocks(py: Python<'_>, kinds: DeadlockStats) -> PyResult<Bound<'_, PyAny>> {
    let fields = [
        ("dead_squares", kinds.dead_squares),
        ("frozen", kinds.frozen),
        ("unmatched", kinds.unmatched),
        ("expanded", kinds.expanded),
    ];
    make(py, "Deadlocks", &fields.into_py_dict(py)?)
}

/// Returns a solution that a search has replayed.
pub(crate) fn solution(of: &Arc<LevelData>, solution: Solution) -> PySolution {
    PySolution { of: Arc::clone(of), solution }
}
