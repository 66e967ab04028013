//! A solution of a level, replayed.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PySlice, PyString};
use sokocore::{Solution, Step, replay};
use sokodraw::SolutionImage;
use sokoio::parse_moves;

use crate::errors::{message, moves_error};
use crate::level::{LevelData, PyLevel, hash_of, index, slice_indices};
use crate::notebook::{self, Look};
use crate::position::PyPosition;
use crate::results;

/// The largest animation that a notebook gets, in bytes of SVG; beyond it there is the start position.
const MAX_ANIMATION: usize = 4 << 20;

/// Moves that solve a level. They are replayed when it is made: the case of letters is put right, and moves after the
/// level is solved are cut. It never changes.
///
/// As a sequence it has the letters of its moves. Two solutions are equal if their levels and their moves are.
///
/// >>> import soko
/// >>> level = soko.Level("######\n#@$ .#\n######")
/// >>> solution = soko.Solution(level, "rr")
/// >>> solution
/// Solution(2/2/1/1/1/1)
/// RR
/// >>> solution.metrics.pushes, len(solution), solution[0]
/// (2, 2, 'R')
/// >>> [position.player for position in solution.positions()]
/// [(1, 1), (1, 2), (1, 3)]
#[pyclass(module = "soko", name = "Solution", frozen, sequence)]
#[derive(Debug)]
pub(crate) struct PySolution {
    pub(crate) of: Arc<LevelData>,
    pub(crate) solution: Solution,
}

/// What stands in brackets behind a solution.
#[derive(FromPyObject)]
enum Moves<'py> {
    One(isize),
    Several(Bound<'py, PySlice>),
}

#[pymethods]
impl PySolution {
    #[new]
    fn new(level: &PyLevel, moves: &str) -> PyResult<Self> {
        let moves = parse_moves(moves).map_err(|error| moves_error(&error))?;
        let solution = replay(&level.0.level, &moves).map_err(|error| moves_error(&error))?;
        Ok(Self { of: Arc::clone(&level.0), solution })
    }

    /// The level.
    #[getter]
    fn level(&self) -> PyLevel {
        PyLevel(Arc::clone(&self.of))
    }

    /// The moves: l, u, r and d, upper-case where they push.
    #[getter]
    fn moves(&self) -> String {
        self.solution.to_string()
    }

    /// The six metrics.
    #[getter]
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        results::metrics(py, &self.solution.metrics())
    }

    /// Return the position after the first `n` moves; all of them if `n` is left out.
    #[pyo3(signature = (n = None))]
    fn position(&self, n: Option<usize>) -> PyResult<PyPosition> {
        let steps = self.steps();
        let n = n.unwrap_or(steps.len());
        let first = steps.get(..n).ok_or_else(|| {
            PyValueError::new_err(format!("the solution has {} moves; ask for a position up to there", steps.len()))
        })?;
        PyPosition::start_of(&self.of).after(first).map_err(|error| moves_error(&error))
    }

    /// Iterate over the positions: the start, and the one after each move.
    fn positions(&self) -> PyPositions {
        let next = PyPosition::start_of(&self.of);
        PyPositions { next: Some(next), steps: self.steps().to_vec(), n_done: 0 }
    }

    /// Draw the solution as SVG that plays by itself. `theme` is 'light' or 'dark', `square_size` the pixels of a square,
    /// `speed` the pushes a second.
    #[pyo3(signature = (*, theme = "light", square_size = 24, speed = None))]
    fn to_svg(&self, theme: &str, square_size: usize, speed: Option<usize>) -> PyResult<String> {
        Ok(self.image(theme, square_size, speed)?.to_animated_svg())
    }

    /// Draw the solution as the bytes of an animated GIF. The arguments are those of `to_svg`.
    #[pyo3(signature = (*, theme = "light", square_size = 24, speed = None))]
    fn to_gif(&self, theme: &str, square_size: usize, speed: Option<usize>) -> PyResult<Vec<u8>> {
        let gif = self.image(theme, square_size, speed)?.to_gif();
        Ok(gif.map_err(|error| PyValueError::new_err(message(&error)))?.bytes)
    }

    fn _repr_html_(&self) -> PyResult<String> {
        let mut svg = self.to_svg("light", 24, None)?;
        if svg.len() > MAX_ANIMATION {
            svg = PyPosition::start_of(&self.of).to_svg("light", 24)?;
        }
        Ok(notebook::image_tag(&svg, &self.heading()))
    }

    fn __len__(&self) -> usize {
        self.steps().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyString::new(py, &self.moves()).try_iter()
    }

    fn __getitem__(&self, moves: Moves<'_>) -> PyResult<String> {
        let steps = self.steps();
        Ok(match moves {
            Moves::One(at) => steps[index(at, steps.len(), "move")?].to_string(),
            Moves::Several(slice) => {
                slice_indices(&slice, steps.len())?.into_iter().map(|at| steps[at].letter()).collect()
            }
        })
    }

    fn __str__(&self) -> String {
        self.moves()
    }

    fn __repr__(&self) -> String {
        format!("{}\n{}", self.heading(), self.solution)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            other.of.id == self.of.id && other.solution.lurd() == self.solution.lurd()
        })
    }

    fn __hash__(&self) -> u64 {
        hash_of(&(self.of.id, self.solution.lurd()))
    }

    fn __getnewargs__(&self) -> (PyLevel, String) {
        (self.level(), self.moves())
    }
}

impl PySolution {
    fn steps(&self) -> &[Step] {
        self.solution.lurd().steps()
    }

    /// Returns the first line of the representation.
    fn heading(&self) -> String {
        let title = self.of.title().map(|title| format!("'{title}', ")).unwrap_or_default();
        format!("Solution({title}{})", self.solution.metrics())
    }

    fn image(&self, theme: &str, square_size: usize, speed: Option<usize>) -> PyResult<SolutionImage<'_>> {
        let look = Look::new(theme, square_size)?;
        let speed = speed.unwrap_or(SolutionImage::SPEED);
        if speed == 0 || speed > SolutionImage::MAX_SPEED {
            let most = SolutionImage::MAX_SPEED;
            return Err(PyValueError::new_err(format!("speed must be from 1 to {most} pushes a second")));
        }
        let image = SolutionImage::of(&self.of.level, self.solution.lurd()).map_err(|error| moves_error(&error))?;
        Ok(image.with_theme(look.theme).with_square_size(look.square_size).with_speed(speed))
    }
}

/// The positions of a solution, one after the other.
#[pyclass(module = "soko")]
#[derive(Debug)]
pub(crate) struct PyPositions {
    next: Option<PyPosition>,
    steps: Vec<Step>,
    n_done: usize,
}

#[pymethods]
impl PyPositions {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> PyResult<Option<PyPosition>> {
        let Some(position) = self.next.take() else { return Ok(None) };
        if let Some(step) = self.steps.get(self.n_done) {
            self.next = Some(position.after(&[*step]).map_err(|error| moves_error(&error))?);
            self.n_done += 1;
        }
        Ok(Some(position))
    }
}
