//! The module `soko._soko`: Sokoban for Python. The package around it is in `python/soko`.
//!
//! ```text
//!   Python's thread                                      threads of the search
//!   solve(level, ..) ── RunLimits ──▶ background::run ──▶ Solver, Optimizer
//!        ▲   without the lock of Python: waits    ◀── events, outcome ──┘
//!        │   with it, every 10 ms: signals, `progress`
//!   results: dataclasses of `soko._results`
//! ```
//!
//! # Contents, in reading order
//! * `level`: a level with its identity and what its file says of it. Start here.
//! * `position`, `solution`, `collection`: the other values.
//! * `board_array`: boards as arrays of NumPy. `notebook`: pictures in notebooks.
//! * `background`: a search in threads of its own, and what Python may do meanwhile. `run_limits`: its limits.
//! * `progress`: what Python is told meanwhile.
//! * `solve`, `solve_many`, `optimize`, `check`: the functions.
//! * `results`: what they return, `errors`: what goes wrong.
//!
//! # What it guarantees
//! * No search holds Python's lock, and no search calls Python: events wait until Python's own thread takes them.
//! * A signal ends a run: its thread is told to stop, and the caller has its exception within some 30 ms.
//! * No panic reaches Python: that of a search is a `RuntimeError`.
//!
//! # Absent on purpose
//! State of its own, and what can be said in Python: exceptions and results are classes of the package.
//!
//! The documentation of classes and functions is what Python shows as their help, so it is written for readers of Python.
#![forbid(unsafe_code)]
#![allow(rustdoc::broken_intra_doc_links, reason = "examples in Python have lists and indices, which look like links")]

mod background;
mod board_array;
mod check;
mod collection;
mod errors;
mod level;
mod notebook;
mod optimize;
mod position;
mod progress;
mod results;
mod run_limits;
mod solution;
mod solve;
mod solve_many;

/// What Python sees.
#[pyo3::pymodule]
mod _soko {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::check::{metrics, verify};
    #[pymodule_export]
    use crate::collection::{_unpickled, PyCollection, load, loads};
    #[pymodule_export]
    use crate::level::PyLevel;
    #[pymodule_export]
    use crate::optimize::optimize;
    #[pymodule_export]
    use crate::position::PyPosition;
    #[pymodule_export]
    use crate::solution::PySolution;
    #[pymodule_export]
    use crate::solve::{solve, strategies};
    #[pymodule_export]
    use crate::solve_many::solve_many;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
