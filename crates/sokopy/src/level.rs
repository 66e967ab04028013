//! A level, with its identity and what its file says of it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PySlice, PyTuple};
use sokocore::{Grid, Level, SquareSet};
use sokoio::{LevelEntry, LevelId};

use crate::board_array::{self, Planes};
use crate::errors::level_error;
use crate::notebook::{self, Look};
use crate::position::PyPosition;

/// A level that its positions and solutions share.
#[derive(Debug)]
pub(crate) struct LevelData {
    pub(crate) level: Level,
    pub(crate) id: LevelId,
    title: Option<String>,
    author: Option<String>,
    notes: Vec<String>,
    number: Option<usize>,
}

impl LevelData {
    /// Takes a level out of its file.
    pub(crate) fn of_entry(level: &Level, entry: &LevelEntry) -> Self {
        Self {
            level: level.clone(),
            id: LevelId::of(level),
            title: entry.title().map(str::to_owned),
            author: entry.author().map(str::to_owned),
            notes: entry.notes().to_vec(),
            number: Some(entry.number()),
        }
    }

    /// Returns another level with what is said of this one.
    pub(crate) fn with_level(&self, level: Level) -> Self {
        let (title, author) = (self.title.clone(), self.author.clone());
        Self { id: LevelId::of(&level), level, title, author, notes: self.notes.clone(), number: self.number }
    }

    pub(crate) fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    pub(crate) fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns what to call the level in a message.
    pub(crate) fn name(&self) -> String {
        match (&self.title, self.number) {
            (Some(title), _) => format!("'{title}'"),
            (None, Some(number)) => format!("level {number}"),
            (None, None) => "a level".to_owned(),
        }
    }

    /// Returns the (row, column) of squares, from zero.
    pub(crate) fn places(&self, squares: &SquareSet) -> Vec<(usize, usize)> {
        squares.iter().map(|sq| self.level.board().place(sq)).collect()
    }
}

/// A level: its board, its start, and what its file says of it. It never changes.
///
/// It is made of the rows of a board, as text or as a list, in the usual letters. As a sequence it has the rows of the
/// board, and `level[row, column]` is a letter. Two levels are equal, and have the same `id`, if the same board is played:
/// floor letters, margins and decoration do not count, nor do titles.
///
/// >>> import soko
/// >>> level = soko.Level("######\n#@$ .#\n######", title="Two steps")
/// >>> level
/// Level('Two steps', 6 x 3, 1 box)
/// ######
/// #@$ .#
/// ######
/// >>> level[1], level[1, 2], len(level)
/// ('#@$ .#', '$', 3)
/// >>> level == soko.Level(["######", "#p$-.###", "######*#"])
/// True
#[pyclass(module = "soko", name = "Level", frozen, sequence)]
#[derive(Debug)]
pub(crate) struct PyLevel(pub(crate) Arc<LevelData>);

/// The rows of a board.
#[derive(FromPyObject)]
enum Rows {
    Text(String),
    List(Vec<String>),
}

/// What stands in brackets behind a level.
#[derive(FromPyObject)]
enum Place<'py> {
    Cell((isize, isize)),
    Row(isize),
    Rows(Bound<'py, PySlice>),
}

#[pymethods]
impl PyLevel {
    #[new]
    #[pyo3(signature = (board, *, title = None, author = None, notes = Vec::new(), number = None))]
    fn new(
        board: Rows,
        title: Option<String>,
        author: Option<String>,
        notes: Vec<String>,
        number: Option<usize>,
    ) -> PyResult<Self> {
        let text = match board {
            Rows::Text(text) => text,
            Rows::List(rows) => rows.join("\n"),
        };
        let level = Level::parse(&without_blank_ends(&text)).map_err(|error| level_error(&error))?;
        Ok(Self(Arc::new(LevelData { id: LevelId::of(&level), level, title, author, notes, number })))
    }

    /// Make a level of an array of numbers of shape (height, width): 0 wall, 1 floor, 2 goal, 3 box on goal, 4 box,
    /// 5 player, 6 player on goal. An array of three dimensions is one-hot: each number has a plane of its own, and
    /// `planes` tells whether these are the 'last' dimension or the 'first'.
    ///
    /// The array may be of any kind that has `tolist`, as those of NumPy and PyTorch do, or nested lists.
    ///
    /// >>> import soko
    /// >>> soko.Level.from_array([[0, 0, 0, 0, 0], [0, 5, 4, 2, 0], [0, 0, 0, 0, 0]])
    /// Level(5 x 3, 1 box)
    /// #####
    /// #@$.#
    /// #####
    #[staticmethod]
    #[pyo3(signature = (array, *, planes = "last", title = None, author = None))]
    fn from_array(
        array: &Bound<'_, PyAny>,
        planes: &str,
        title: Option<String>,
        author: Option<String>,
    ) -> PyResult<Self> {
        let grid = board_array::grid_of(array, Planes::named(planes)?)?;
        let level = Level::from_grid(grid).map_err(|error| level_error(&error))?;
        let id = LevelId::of(&level);
        Ok(Self(Arc::new(LevelData { id, level, title, author, notes: Vec::new(), number: None })))
    }

    /// Return the board as an array of NumPy, with the numbers of `from_array`: `uint8`, of shape (height, width).
    ///
    /// >>> import soko
    /// >>> soko.Level("#####\n#@$.#\n#####").to_array()[1].tolist()
    /// [0, 5, 4, 2, 0]
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        board_array::codes(py, self.grid())
    }

    /// Return the board as an array of NumPy with seven planes of zeros and ones, one for each number of `from_array`:
    /// `uint8`, of shape (height, width, 7), or (7, height, width) with `planes="first"`.
    ///
    /// >>> import soko
    /// >>> soko.Level("#####\n#@$.#\n#####").to_one_hot()[1, 2].tolist()
    /// [0, 0, 0, 0, 1, 0, 0]
    #[pyo3(signature = (*, planes = "last"))]
    fn to_one_hot<'py>(&self, py: Python<'py>, planes: &str) -> PyResult<Bound<'py, PyAny>> {
        board_array::one_hot(py, self.grid(), Planes::named(planes)?)
    }

    /// The title in its file, or the one it was given.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.0.title()
    }

    /// Who made it, if that is known.
    #[getter]
    fn author(&self) -> Option<&str> {
        self.0.author()
    }

    /// The lines of text that belong to it.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes.clone()
    }

    /// Its number in its file, from 1.
    #[getter]
    fn number(&self) -> Option<usize> {
        self.0.number
    }

    /// The identity: 32 hexadecimal digits, equal for equal levels, the same in all versions.
    #[getter]
    fn id(&self) -> String {
        self.0.id.to_string()
    }

    /// The identity up to rotation and reflection.
    #[getter]
    fn id_up_to_symmetry(&self) -> String {
        LevelId::up_to_symmetry(&self.0.level).to_string()
    }

    /// The rows of the board, all of one length.
    #[getter]
    fn rows(&self) -> Vec<String> {
        (0..self.grid().height()).map(|row| self.row(row)).collect()
    }

    #[getter]
    fn width(&self) -> usize {
        self.grid().width()
    }

    #[getter]
    fn height(&self) -> usize {
        self.grid().height()
    }

    /// The number of boxes that the player could reach.
    #[getter]
    fn n_boxes(&self) -> usize {
        self.0.level.n_boxes()
    }

    /// The goals as (row, column), from zero.
    #[getter]
    fn goals(&self) -> Vec<(usize, usize)> {
        self.0.places(self.0.level.board().goals())
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> PyPosition {
        PyPosition::start_of(&self.0)
    }

    /// Draw the board as SVG. `theme` is 'light' or 'dark', `square_size` the pixels of a square.
    #[pyo3(signature = (*, theme = "light", square_size = 32))]
    fn to_svg(&self, theme: &str, square_size: usize) -> PyResult<String> {
        Ok(Look::new(theme, square_size)?.board(self.grid().clone()).to_svg())
    }

    /// Draw the board as the bytes of a PNG file. `theme` is 'light' or 'dark', `square_size` the pixels of a square.
    #[pyo3(signature = (*, theme = "light", square_size = 32))]
    fn to_png(&self, theme: &str, square_size: usize) -> PyResult<Vec<u8>> {
        notebook::png(&Look::new(theme, square_size)?.board(self.grid().clone()))
    }

    fn _repr_html_(&self) -> PyResult<String> {
        Ok(notebook::image_tag(&self.to_svg("light", 24)?, &self.heading()))
    }

    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        board_array::as_type(self.to_array(py)?, dtype, copy)
    }

    fn __len__(&self) -> usize {
        self.grid().height()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.rows())?.try_iter()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, place: Place<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (height, width) = (self.grid().height(), self.grid().width());
        Ok(match place {
            Place::Row(row) => self.row(index(row, height, "row")?).into_pyobject(py)?.into_any(),
            Place::Cell((row, column)) => {
                let cell = self.grid().at(index(row, height, "row")?, index(column, width, "column")?);
                cell.letter().into_pyobject(py)?.into_any()
            }
            Place::Rows(slice) => {
                let rows = slice_indices(&slice, height)?.into_iter().map(|row| self.row(row));
                rows.collect::<Vec<_>>().into_pyobject(py)?
            }
        })
    }

    fn __str__(&self) -> String {
        self.grid().to_string().trim_end_matches('\n').to_owned()
    }

    fn __repr__(&self) -> String {
        format!("{}\n{}", self.heading(), self.__str__())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0.id == self.0.id)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.0.id)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let named = PyDict::new(py);
        named.set_item("title", self.title())?;
        named.set_item("author", self.author())?;
        named.set_item("notes", self.notes())?;
        named.set_item("number", self.number())?;
        Ok((PyTuple::new(py, [self.__str__()])?, named))
    }
}

impl PyLevel {
    fn grid(&self) -> &Grid {
        self.0.level.grid()
    }

    fn row(&self, row: usize) -> String {
        (0..self.grid().width()).map(|column| self.grid().at(row, column).letter()).collect()
    }

    /// Returns the first line of the representation.
    fn heading(&self) -> String {
        let (level, grid) = (&self.0.level, self.grid());
        let title = self.title().map(|title| format!("'{title}', ")).unwrap_or_default();
        let boxes = if level.n_boxes() == 1 { "box" } else { "boxes" };
        format!("Level({title}{} x {}, {} {boxes})", grid.width(), grid.height(), level.n_boxes())
    }
}

/// Drops the blank lines that a text in triple quotes begins and ends with.
fn without_blank_ends(text: &str) -> String {
    let lines: Vec<_> = text.lines().collect();
    let is_board = |line: &&str| !line.trim().is_empty();
    let first = lines.iter().position(is_board).unwrap_or(0);
    let end = lines.iter().rposition(is_board).map_or(0, |last| last + 1);
    lines[first..end.max(first)].join("\n")
}

/// Returns an index of Python, which counts from the end if it is negative.
pub(crate) fn index(at: isize, len: usize, what: &str) -> PyResult<usize> {
    let from_start = if at < 0 { len.checked_sub(at.unsigned_abs()) } else { Some(at.unsigned_abs()) };
    from_start
        .filter(|&at| at < len)
        .ok_or_else(|| PyIndexError::new_err(format!("there is no {what} {at}; there are {len}, counted from 0")))
}

/// Returns the indices that a slice of Python selects.
pub(crate) fn slice_indices(slice: &Bound<'_, PySlice>, len: usize) -> PyResult<Vec<usize>> {
    let indices = slice.indices(isize::try_from(len)?)?;
    let at = |n: usize| indices.start.checked_add(indices.step.checked_mul(isize::try_from(n).ok()?)?);
    (0..indices.slicelength).map(|n| Ok(usize::try_from(at(n).unwrap_or(-1))?)).collect()
}

/// Returns a hash, the same in every process.
pub(crate) fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
