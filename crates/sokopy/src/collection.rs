//! A file of levels.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PySlice, PyTuple};
use sokodraw::escaped;
use sokoio::{Collection, LevelEntry, NewLevel, SolutionKind, SolutionTitle, write_file, write_new_file};

use crate::errors::{LevelError, MovesError, level_error, message, read_error, write_error};
use crate::level::{LevelData, PyLevel, index, slice_indices};
use crate::notebook::Look;
use crate::results;
use crate::solution::PySolution;

/// Most levels that a notebook shows of a collection.
const MAX_SHOWN: usize = 24;

/// Levels in the order of their file, with their solutions. As a sequence it has its levels.
///
/// It is read by `load` and `loads`, or made of levels; `add_solution` and `save` write what was found. Everything else in
/// the file stays as it was read.
///
/// >>> import soko
/// >>> levels = soko.loads("First\n\n######\n#@$ .#\n######\n\nSolution 2/2\nRR\n\nSecond\n\n#####\n#@$.#\n#####\n")
/// >>> levels
/// Collection(2 levels: 'First', 'Second')
/// >>> [level.title for level in levels], levels[1].n_boxes
/// (['First', 'Second'], 1)
/// >>> levels.solutions(0)
/// [Solution('First', 2/2/1/1/1/1)
/// RR]
/// >>> levels.add_solution(1, soko.Solution(levels[1], "R"))
/// >>> levels.to_text()[-17:]
/// '\n\nSolution 1/1\nR\n'
#[pyclass(module = "soko", name = "Collection", sequence)]
#[derive(Debug)]
pub(crate) struct PyCollection {
    file: Collection,
    levels: Vec<ReadLevel>,
    /// What cannot be played: number, and why.
    refused: Vec<(usize, String)>,
}

/// A level that can be played, and its index in the file.
#[derive(Debug)]
struct ReadLevel {
    data: Arc<LevelData>,
    at: usize,
}

/// What is done about boards that cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OnRefused {
    Raise,
    Skip,
}

impl OnRefused {
    /// Reads the argument of Python.
    fn named(name: &str) -> PyResult<Self> {
        match name {
            "raise" => Ok(Self::Raise),
            "skip" => Ok(Self::Skip),
            _ => Err(PyValueError::new_err(format!("errors may be 'raise' or 'skip'; it is '{name}'"))),
        }
    }
}

/// What stands in brackets behind a collection.
#[derive(FromPyObject)]
enum Levels<'py> {
    One(isize),
    Several(Bound<'py, PySlice>),
}

/// Read a file of levels: `.sok` and XSB text, so also Boxoban's files, `.slc`, `.ssx`, the digits of LetsLogic, plain or
/// packed with gzip.
///
/// A board that cannot be played raises a `LevelError` that names it. With `errors="skip"` it is left out, and `refused`
/// tells of it.
///
/// >>> import soko
/// >>> soko.load("no-such-file.sok")
/// Traceback (most recent call last):
///     ...
/// FileNotFoundError: [Errno 2] cannot read no-such-file.sok; check that the file exists and may be read: 'no-such-file.sok'
#[pyfunction]
#[pyo3(signature = (path, *, errors = "raise"))]
#[expect(clippy::needless_pass_by_value, reason = "an argument of Python")]
pub(crate) fn load(py: Python<'_>, path: PathBuf, errors: &str) -> PyResult<PyCollection> {
    let on_refused = OnRefused::named(errors)?;
    let file = py.detach(|| Collection::read(&path)).map_err(|error| read_error(&error))?;
    PyCollection::of_file(py, file, &path.display().to_string(), on_refused)
}

/// Read levels from a text; see `load`.
///
/// >>> import soko
/// >>> soko.loads("######\n#@$$.#\n######\n", errors="skip").refused
/// [(1, 'the player can reach 2 boxes but only 1 goal; such a level has no solution')]
#[pyfunction]
#[pyo3(signature = (text, *, errors = "raise"))]
pub(crate) fn loads(py: Python<'_>, text: &str, errors: &str) -> PyResult<PyCollection> {
    let on_refused = OnRefused::named(errors)?;
    let bytes = text.as_bytes().to_vec();
    let file = py.detach(|| Collection::decode("the text", bytes)).map_err(|error| read_error(&error))?;
    PyCollection::of_file(py, file, "the text", on_refused)
}

#[pymethods]
impl PyCollection {
    /// Make a collection of levels, with their titles, authors and notes.
    #[new]
    #[pyo3(signature = (levels = Vec::new()))]
    fn new(levels: Vec<PyRef<'_, PyLevel>>) -> PyResult<Self> {
        let mut collection = Self { file: Collection::new(), levels: Vec::new(), refused: Vec::new() };
        for level in levels {
            let data = Arc::clone(&level.0);
            let mut new = NewLevel::from(&data.level);
            new.title = data.title().map(str::to_owned);
            new.author = data.author().map(str::to_owned);
            new.notes = data.notes().to_vec();
            let at = collection.file.append_level(&new).map_err(|error| {
                LevelError::new_err(format!("{}: {}; change its title or its notes", data.name(), message(&error)))
            })?;
            collection.levels.push(ReadLevel { data, at });
        }
        Ok(collection)
    }

    /// The title of the collection.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.file.title()
    }

    /// Who made it, if that is known.
    #[getter]
    fn author(&self) -> Option<&str> {
        self.file.author()
    }

    /// The lines of text that belong to it.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.file.notes().to_vec()
    }

    /// The boards that were left out because they cannot be played: number in the file, and why.
    #[getter]
    fn refused(&self) -> Vec<(usize, String)> {
        self.refused.clone()
    }

    /// Return the solutions of a level that are in the file, replayed. A wrong one raises a `MovesError` that names it;
    /// with `errors="skip"` it is left out.
    #[pyo3(signature = (at, *, errors = "raise"))]
    fn solutions(&self, at: isize, errors: &str) -> PyResult<Vec<PySolution>> {
        let on_refused = OnRefused::named(errors)?;
        let level = self.level(at)?;
        let mut found = Vec::new();
        for (_, solution) in self.entry(level).solutions() {
            match solution {
                Ok(solution) => found.push(results::solution(&level.data, solution)),
                Err(error) if on_refused == OnRefused::Raise => {
                    let advice = "pass errors=\"skip\" to leave such solutions out";
                    return Err(MovesError::new_err(format!("{}: {}; {advice}", level.data.name(), message(&error))));
                }
                Err(_) => {}
            }
        }
        Ok(found)
    }

    /// Add a solution to a level, with lines of notes below it. `save` writes it.
    #[pyo3(signature = (at, solution, *, notes = Vec::new()))]
    #[expect(clippy::needless_pass_by_value, reason = "an argument of Python")]
    fn add_solution(&mut self, at: isize, solution: &PySolution, notes: Vec<String>) -> PyResult<()> {
        let level = self.level(at)?;
        if level.data.id != solution.of.id {
            let message = format!("the solution is of another level than {}", level.data.name());
            return Err(MovesError::new_err(message));
        }
        let (entry, metrics) = (level.at, solution.solution.metrics());
        let title = SolutionTitle::new(SolutionKind::Plain, metrics).with_first_metrics(2);
        let added = self.file.add_solution(entry, &title, solution.solution.lurd(), &notes);
        added.map(drop).map_err(|error| level_error(&error))
    }

    /// Return the text of the file.
    fn to_text(&self) -> String {
        self.file.to_string()
    }

    /// Write the file, all of it or nothing. A file that is there is replaced only with `overwrite=True`.
    #[pyo3(signature = (path, *, overwrite = false))]
    #[expect(clippy::needless_pass_by_value, reason = "an argument of Python")]
    fn save(&self, path: PathBuf, overwrite: bool) -> PyResult<()> {
        let write = if overwrite { write_file } else { write_new_file };
        // With the lock held: no other thread of Python can change the collection meanwhile.
        write(&path, &self.file.to_bytes()).map_err(|error| write_error(&error))
    }

    fn _repr_html_(&self) -> PyResult<String> {
        let look = Look::new("light", 10)?;
        let mut html = format!("<p>{}</p><div>", escaped(&self.__repr__()));
        for level in self.levels.iter().take(MAX_SHOWN) {
            let picture = look.board(level.data.level.grid().clone()).to_svg();
            html.push_str(&crate::notebook::image_tag(&picture, &level.data.name()));
        }
        html.push_str(if self.levels.len() > MAX_SHOWN { " ...</div>" } else { "</div>" });
        Ok(html)
    }

    fn __len__(&self) -> usize {
        self.levels.len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.levels.iter().map(|level| PyLevel(Arc::clone(&level.data))))?.try_iter()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, levels: Levels<'py>) -> PyResult<Bound<'py, PyAny>> {
        let level = |level: &ReadLevel| PyLevel(Arc::clone(&level.data));
        Ok(match levels {
            Levels::One(at) => level(self.level(at)?).into_pyobject(py)?.into_any(),
            Levels::Several(slice) => {
                let chosen = slice_indices(&slice, self.levels.len())?;
                chosen.into_iter().map(|at| level(&self.levels[at])).collect::<Vec<_>>().into_pyobject(py)?
            }
        })
    }

    fn __contains__(&self, level: &Bound<'_, PyAny>) -> bool {
        level.cast::<PyLevel>().is_ok_and(|wanted| {
            let id = wanted.get().0.id;
            self.levels.iter().any(|level| level.data.id == id)
        })
    }

    fn __repr__(&self) -> String {
        let names: Vec<_> = self.levels.iter().take(3).map(|level| level.data.name()).collect();
        let (n_levels, more) = (self.levels.len(), if self.levels.len() > names.len() { ", ..." } else { "" });
        let title = self.title().map(|title| format!("'{title}', ")).unwrap_or_default();
        let levels = match n_levels {
            0 => "no levels".to_owned(),
            1 => format!("1 level: {}", names.join(", ")),
            _ => format!("{n_levels} levels: {}{more}", names.join(", ")),
        };
        let refused = if self.refused.is_empty() { String::new() } else { format!("; {} refused", self.refused.len()) };
        format!("Collection({title}{levels}{refused})")
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        let other = other.try_borrow()?;
        let ids = |collection: &Self| collection.levels.iter().map(|level| level.data.id).collect::<Vec<_>>();
        Ok(ids(self) == ids(&other))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        if self.file.levels().is_empty() {
            return Ok((py.get_type::<Self>().into_any(), PyTuple::empty(py)));
        }
        let again = py.import("soko._soko")?.getattr("_unpickled")?;
        Ok((again, PyTuple::new(py, [self.to_text()])?))
    }
}

/// Makes a collection of a pickled text.
#[pyfunction]
pub(crate) fn _unpickled(py: Python<'_>, text: &str) -> PyResult<PyCollection> {
    loads(py, text, "skip")
}

impl PyCollection {
    fn of_file(py: Python<'_>, file: Collection, name: &str, on_refused: OnRefused) -> PyResult<Self> {
        let read = || {
            let (mut levels, mut refused) = (Vec::new(), Vec::new());
            for (at, entry) in file.levels().iter().enumerate() {
                match entry.level() {
                    Ok(level) => levels.push(ReadLevel { data: Arc::new(LevelData::of_entry(level, entry)), at }),
                    Err(error) => refused.push((entry, message(&error))),
                }
            }
            (levels, refused)
        };
        let (levels, refused) = py.detach(read);
        if let (OnRefused::Raise, Some((entry, why))) = (on_refused, refused.first()) {
            let place = format!("{name}, line {}, {}", entry.line(), entry.title_or_number());
            let advice = "pass errors=\"skip\" to leave such levels out";
            return Err(LevelError::new_err(format!("{place}: {why}; {advice}")));
        }
        let refused = refused.into_iter().map(|(entry, why)| (entry.number(), why)).collect();
        Ok(Self { levels, refused, file })
    }

    fn level(&self, at: isize) -> PyResult<&ReadLevel> {
        Ok(&self.levels[index(at, self.levels.len(), "level")?])
    }

    fn entry(&self, level: &ReadLevel) -> &LevelEntry {
        &self.file.levels()[level.at]
    }
}
