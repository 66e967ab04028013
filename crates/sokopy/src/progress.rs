//! What a function of Python is told of a run while it lasts.

use std::sync::Arc;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sokocore::{Metrics, Objective, Solution};

use crate::background::{News, Wish};
use crate::level::LevelData;
use crate::results;

/// An event of a run.
#[derive(Debug)]
pub(crate) struct RunEvent {
    pub(crate) kind: &'static str,
    /// The strategy or the method.
    pub(crate) by: String,
    /// Since the run began.
    pub(crate) elapsed: Duration,
    pub(crate) metrics: Option<Metrics>,
    pub(crate) solution: Option<Solution>,
    pub(crate) bound: Option<u64>,
    /// The objective by which a solution is better.
    pub(crate) objective: Option<Objective>,
}

/// Calls `progress`, if there is one, with a `Progress`. The run is to stop if it returns False.
pub(crate) fn tell(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    of: &Arc<LevelData>,
    news: News<RunEvent>,
) -> PyResult<Wish> {
    let Some(progress) = progress else { return Ok(Wish::Continue) };
    let fields = PyDict::new(py);
    match news {
        News::Running(elapsed) => {
            fields.set_item("kind", "running")?;
            fields.set_item("seconds", elapsed.as_secs_f64())?;
        }
        News::Event(event) => {
            fields.set_item("kind", event.kind)?;
            fields.set_item("seconds", event.elapsed.as_secs_f64())?;
            fields.set_item("by", event.by)?;
            fields.set_item("metrics", event.metrics.map(|metrics| results::metrics(py, &metrics)).transpose()?)?;
            fields.set_item("solution", event.solution.map(|solution| results::solution(of, solution)))?;
            fields.set_item("bound", event.bound)?;
            fields.set_item("objective", event.objective.map(|objective| objective.to_string()))?;
        }
    }
    wish(&progress.call1((results::make(py, "Progress", &fields)?,))?)
}

/// Reads what a function of Python answers: False stops the run, and nothing else does.
pub(crate) fn wish(answer: &Bound<'_, PyAny>) -> PyResult<Wish> {
    let stops = answer.is_instance_of::<pyo3::types::PyBool>() && !answer.is_truthy()?;
    Ok(if stops { Wish::Stop } else { Wish::Continue })
}
