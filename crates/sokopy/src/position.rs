//! A position of a level: where the boxes and the player are.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sokocore::{Board, Direction, Grid, Position, Push, ReplayError, Square, Step};
use sokoio::parse_moves;

use crate::board_array::{self, Planes};
use crate::errors::{MovesError, level_error, moves_error};
use crate::level::{LevelData, PyLevel, hash_of};
use crate::notebook::{self, Look};

/// A position of a level: where the boxes and the player are. It never changes: moves and pushes return another one.
///
/// Squares are (row, column), from zero. Two positions are equal if their levels, their boxes and the squares of their
/// players are.
///
/// >>> import soko
/// >>> start = soko.Level("#######\n#@ $ .#\n#     #\n#######").start
/// >>> start.move("rR")
/// Position(player (1, 3), 1 box off goal)
/// #######
/// #  @$.#
/// #     #
/// #######
/// >>> start.pushes()
/// [(1, 3, 'r'), (1, 3, 'l')]
/// >>> start.push(1, 3, "r") == start.move("rR")
/// True
/// >>> start.moves()
/// 'rd'
#[pyclass(module = "soko", name = "Position", frozen)]
#[derive(Debug)]
pub(crate) struct PyPosition {
    of: Arc<LevelData>,
    position: Position,
}

#[pymethods]
impl PyPosition {
    /// Make a position of a level: as many `boxes` as the level has, and the `player` on a square without one.
    #[new]
    fn new(level: &PyLevel, boxes: Vec<(usize, usize)>, player: (usize, usize)) -> PyResult<Self> {
        let of = Arc::clone(&level.0);
        let board = of.level.board();
        let squares = boxes.into_iter().map(|place| square(board, place)).collect::<PyResult<Vec<_>>>()?;
        let position = Position { boxes: board.set_of(squares.iter().copied()), player: square(board, player)? };
        let (n_boxes, n_needed) = (position.boxes.len(), of.level.n_boxes());
        if n_boxes != n_needed || squares.len() != n_needed {
            return Err(PyValueError::new_err(format!("the level has {n_needed} boxes, on squares of their own")));
        }
        if position.boxes.contains(position.player) {
            return Err(PyValueError::new_err("the player stands on a box; give it a square of its own"));
        }
        Ok(Self { of, position })
    }

    /// The level.
    #[getter]
    fn level(&self) -> PyLevel {
        PyLevel(Arc::clone(&self.of))
    }

    /// The squares with boxes.
    #[getter]
    fn boxes(&self) -> Vec<(usize, usize)> {
        self.of.places(&self.position.boxes)
    }

    /// The player's square.
    #[getter]
    fn player(&self) -> (usize, usize) {
        self.board().place(self.position.player)
    }

    /// Whether every box stands on a goal.
    #[getter]
    fn is_solved(&self) -> bool {
        self.of.level.is_solved(&self.position.boxes)
    }

    /// Return the letters of the moves that can be made, upper-case if they push.
    fn moves(&self) -> String {
        Direction::ALL.iter().filter_map(|&dir| self.position_after(dir).ok()).map(|(_, step)| step.letter()).collect()
    }

    /// Return the position after some moves: letters of l, u, r and d, whose case does not matter.
    fn r#move(&self, moves: &str) -> PyResult<Self> {
        let moves = parse_moves(moves).map_err(|error| moves_error(&error))?;
        self.after(moves.steps()).map_err(|error| moves_error(&error))
    }

    /// Return the pushes that can be made, walks included, as (row, column, direction) of the box.
    fn pushes(&self) -> Vec<(usize, usize, char)> {
        let place = |push: Push| {
            let (row, column) = self.board().place(push.from);
            (row, column, push.dir.letter())
        };
        self.position.pushes(self.board()).into_iter().map(place).collect()
    }

    /// Return the position after a push: the player walks to the box at this row and column, and pushes it once in the
    /// direction l, u, r or d.
    fn push(&self, row: usize, column: usize, direction: char) -> PyResult<Self> {
        let Some(dir) = Direction::from_letter(direction.to_ascii_lowercase()) else {
            return Err(MovesError::new_err(format!("'{direction}' is no direction; use l, u, r or d")));
        };
        let push = Push { from: square(self.board(), (row, column))?, dir };
        let mut position = self.position.clone();
        if !position.pushes(self.board()).contains(&push) || !position.push(self.board(), push) {
            let message = format!("no box at row {row}, column {column} can be pushed {dir}; see pushes()");
            return Err(MovesError::new_err(message));
        }
        Ok(Self { of: Arc::clone(&self.of), position })
    }

    /// Return the level that starts with this position.
    fn as_level(&self) -> PyResult<PyLevel> {
        let level = sokocore::Level::from_grid(self.grid()).map_err(|error| level_error(&error))?;
        Ok(PyLevel(Arc::new(self.of.with_level(level))))
    }

    /// Return the board as an array of NumPy; see `Level.to_array`.
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        board_array::codes(py, &self.grid())
    }

    /// Return the board as seven planes of zeros and ones; see `Level.to_one_hot`.
    #[pyo3(signature = (*, planes = "last"))]
    fn to_one_hot<'py>(&self, py: Python<'py>, planes: &str) -> PyResult<Bound<'py, PyAny>> {
        board_array::one_hot(py, &self.grid(), Planes::named(planes)?)
    }

    /// Draw the board as SVG. `theme` is 'light' or 'dark', `square_size` the pixels of a square.
    #[pyo3(signature = (*, theme = "light", square_size = 32))]
    pub(crate) fn to_svg(&self, theme: &str, square_size: usize) -> PyResult<String> {
        Ok(Look::new(theme, square_size)?.board(self.grid()).to_svg())
    }

    /// Draw the board as the bytes of a PNG file. `theme` is 'light' or 'dark', `square_size` the pixels of a square.
    #[pyo3(signature = (*, theme = "light", square_size = 32))]
    fn to_png(&self, theme: &str, square_size: usize) -> PyResult<Vec<u8>> {
        notebook::png(&Look::new(theme, square_size)?.board(self.grid()))
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

    fn __str__(&self) -> String {
        self.grid().to_string().trim_end_matches('\n').to_owned()
    }

    fn __repr__(&self) -> String {
        format!("{}\n{}", self.heading(), self.__str__())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            other.of.id == self.of.id && other.position == self.position
        })
    }

    fn __hash__(&self) -> u64 {
        hash_of(&(self.of.id, &self.position))
    }

    fn __getnewargs__(&self) -> (PyLevel, Vec<(usize, usize)>, (usize, usize)) {
        (self.level(), self.boxes(), self.player())
    }
}

impl PyPosition {
    /// Returns the position before the first move.
    pub(crate) fn start_of(level: &Arc<LevelData>) -> Self {
        Self { of: Arc::clone(level), position: level.level.start().clone() }
    }

    /// Returns the position after some moves, played one by one.
    pub(crate) fn after(&self, steps: &[Step]) -> Result<Self, ReplayError> {
        let mut end = Self { of: Arc::clone(&self.of), position: self.position.clone() };
        for (at, step) in steps.iter().enumerate() {
            let (step_number, letter) = (at + 1, step.letter());
            end.position = match end.position_after(step.dir()) {
                Ok((position, _)) => position,
                Err(Obstacle::Wall) => return Err(ReplayError::Wall { step: step_number, letter }),
                Err(Obstacle::Box) => return Err(ReplayError::Blocked { step: step_number, letter }),
            };
        }
        Ok(end)
    }

    fn board(&self) -> &Board {
        self.of.level.board()
    }

    /// Returns the picture of the whole level in this position.
    pub(crate) fn grid(&self) -> Grid {
        let (board, mut grid) = (self.board(), self.of.level.grid().clone());
        let picture = self.position.display(board);
        for sq in board.squares() {
            let (row, column) = board.place(sq);
            grid.set(row, column, picture.cell(sq));
        }
        grid
    }

    /// Moves the player by one square, if nothing is in its way.
    fn position_after(&self, dir: Direction) -> Result<(Position, Step), Obstacle> {
        let (board, mut position) = (self.board(), self.position.clone());
        let to = board.step(position.player, dir).ok_or(Obstacle::Wall)?;
        if !position.boxes.contains(to) {
            position.player = to;
            return Ok((position, Step::Walk(dir)));
        }
        if position.push(board, Push { from: to, dir }) { Ok((position, Step::Push(dir))) } else { Err(Obstacle::Box) }
    }

    /// Returns the first line of the representation.
    fn heading(&self) -> String {
        let n_left = self.position.boxes.iter().filter(|&sq| !self.board().goals().contains(sq)).count();
        let (row, column) = self.player();
        let state = match n_left {
            0 => "solved".to_owned(),
            1 => "1 box off goal".to_owned(),
            n_left => format!("{n_left} boxes off goal"),
        };
        format!("Position(player ({row}, {column}), {state})")
    }
}

/// What keeps the player from a move.
enum Obstacle {
    Wall,
    Box,
}

fn square(board: &Board, (row, column): (usize, usize)) -> PyResult<Square> {
    let message = || format!("row {row}, column {column} is no square that the player could reach");
    board.square_at(row, column).ok_or_else(|| PyValueError::new_err(message()))
}
