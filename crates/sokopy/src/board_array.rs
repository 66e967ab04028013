//! Boards as arrays of numbers.
//!
//! ```text
//!   code     0     1      2     3            4    5       6
//!   cell     wall  floor  goal  box on goal  box  player  player on goal        as in gym-sokoban
//!   one-hot  the same seven as planes, last (height, width, 7) or first (7, height, width)
//! ```
//!
//! NumPy is asked for only when an array is made. An array is read through its `tolist`, which those of NumPy, PyTorch and
//! JAX have, of whatever type of number. Compared: the crate `numpy` binds the interface in C of one major version and
//! brings ndarray; buffers are not in the stable interface of Python before 3.11.

use pyo3::exceptions::{PyImportError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use sokocore::{Cell, Grid};

use crate::errors::{LevelError, level_error};

/// The cell of each code.
const CELLS: [Cell; 7] =
    [Cell::Wall, Cell::Floor, Cell::Goal, Cell::BoxOnGoal, Cell::Box, Cell::Player, Cell::PlayerOnGoal];

/// Where the planes of a one-hot array are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Planes {
    First,
    Last,
}

impl Planes {
    /// Reads the argument of Python.
    pub(crate) fn named(name: &str) -> PyResult<Self> {
        match name {
            "first" => Ok(Self::First),
            "last" => Ok(Self::Last),
            _ => Err(PyValueError::new_err(format!("'{name}' is no place of planes; use 'first' or 'last'"))),
        }
    }
}

/// Returns the codes of a board as an array of shape (height, width).
pub(crate) fn codes<'py>(py: Python<'py>, grid: &Grid) -> PyResult<Bound<'py, PyAny>> {
    let codes: Vec<u8> = grid.cells().iter().map(|&cell| code(cell)).collect();
    numpy_array(py, &codes, &[grid.height(), grid.width()])
}

/// Returns a board as an array of seven planes of zeros and ones.
pub(crate) fn one_hot<'py>(py: Python<'py>, grid: &Grid, planes: Planes) -> PyResult<Bound<'py, PyAny>> {
    let (height, width, n_planes) = (grid.height(), grid.width(), CELLS.len());
    let has = |wanted: Cell, cell: Cell| u8::from(wanted == cell);
    match planes {
        Planes::Last => {
            let values = grid.cells().iter().flat_map(|&cell| CELLS.map(|wanted| has(wanted, cell)));
            numpy_array(py, &values.collect::<Vec<_>>(), &[height, width, n_planes])
        }
        Planes::First => {
            let values = CELLS.iter().flat_map(|&wanted| grid.cells().iter().map(move |&cell| has(wanted, cell)));
            numpy_array(py, &values.collect::<Vec<_>>(), &[n_planes, height, width])
        }
    }
}

/// Does what NumPy asks of `__array__`: another type of number. Arrays are always made anew.
pub(crate) fn as_type<'py>(
    array: Bound<'py, PyAny>,
    dtype: Option<Bound<'py, PyAny>>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    if copy == Some(false) {
        return Err(PyValueError::new_err("a board is no array of its own; leave out copy=False"));
    }
    match dtype {
        Some(dtype) => array.call_method1("astype", (dtype,)),
        None => Ok(array),
    }
}

/// Reads a board of codes, or a one-hot board if there are three dimensions.
pub(crate) fn grid_of(array: &Bound<'_, PyAny>, planes: Planes) -> PyResult<Grid> {
    let lists = if array.hasattr("tolist")? { array.call_method0("tolist")? } else { array.clone() };
    if let Ok(rows) = lists.extract::<Vec<Vec<f64>>>() {
        return grid_of_rows(&rows, |row, column, &value| {
            let cell = (0..CELLS.len()).find(|&code| code as f64 == value).map(|code| CELLS[code]);
            cell.ok_or_else(|| {
                LevelError::new_err(format!("row {row}, column {column}: {value} is no code from 0 to 6"))
            })
        });
    }
    let Ok(boards) = lists.extract::<Vec<Vec<Vec<f64>>>>() else {
        return Err(PyTypeError::new_err(
            "a board is an array of numbers of shape (height, width), or of shape (height, width, 7) if it is one-hot",
        ));
    };
    let rows = match planes {
        Planes::Last => boards,
        Planes::First => planes_last(&boards)?,
    };
    grid_of_rows(&rows, |row, column, values| {
        let ones: Vec<_> = (0..values.len()).filter(|&code| values[code] != 0.0).collect();
        match ones[..] {
            [code] if values.len() == CELLS.len() && values[code] == 1.0 => Ok(CELLS[code]),
            _ => Err(LevelError::new_err(format!(
                "row {row}, column {column} is not one-hot: of 7 planes one is 1 and the others are 0, here {values:?}"
            ))),
        }
    })
}

/// Turns planes of rows of values into rows of cells of values.
fn planes_last(planes: &[Vec<Vec<f64>>]) -> PyResult<Vec<Vec<Vec<f64>>>> {
    let height = planes.first().map_or(0, Vec::len);
    let width = planes.first().and_then(|rows| rows.first()).map_or(0, Vec::len);
    if planes.iter().any(|rows| rows.len() != height || rows.iter().any(|row| row.len() != width)) {
        return Err(LevelError::new_err("the planes of a board have one shape"));
    }
    let cell = |row: usize, column: usize| planes.iter().map(|rows| rows[row][column]).collect();
    Ok((0..height).map(|row| (0..width).map(|column| cell(row, column)).collect()).collect())
}

/// Makes a picture of values, each turned into a cell by its row and column from 1.
fn grid_of_rows<T>(rows: &[Vec<T>], cell: impl Fn(usize, usize, &T) -> PyResult<Cell>) -> PyResult<Grid> {
    let mut text = String::new();
    for (row, values) in rows.iter().enumerate() {
        for (column, value) in values.iter().enumerate() {
            text.push(cell(row + 1, column + 1, value)?.letter());
        }
        text.push('\n');
    }
    Grid::parse(&text).map_err(|error| level_error(&error))
}

fn code(cell: Cell) -> u8 {
    let code = CELLS.iter().position(|&other| other == cell).and_then(|code| u8::try_from(code).ok());
    code.expect("invariant: every cell has a code")
}

fn numpy_array<'py>(py: Python<'py>, bytes: &[u8], shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    let numpy = py.import("numpy").map_err(|error| {
        let wrapped = PyImportError::new_err("arrays need NumPy; install it with: pip install numpy");
        wrapped.set_cause(py, Some(error));
        wrapped
    })?;
    let flat = numpy.call_method1("frombuffer", (PyByteArray::new(py, bytes), "uint8"))?;
    flat.call_method1("reshape", (shape.to_vec(),))
}
