//! A position as a picture.

use sokocore::{Cell, Grid, Level, Position};

use crate::pixels::{pixels_of, png_of};
use crate::skin::UNITS;
use crate::svg_text::{SvgFile, ground, push_symbol};
use crate::{DrawError, FloorPlan, Image, Symbol};

/// A picture of a board, as SVG or PNG.
///
/// ```
/// use sokocore::Level;
/// use sokodraw::{BoardImage, Theme};
///
/// let level: Level = "#####\n#@$.#\n#####".parse()?;
/// let svg = BoardImage::of(&level).with_theme(Theme::Dark).with_square_size(20).to_svg();
/// assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 160 96\" width=\"100\""));
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
pub type BoardImage = Image<Grid>;

impl Image<Grid> {
    /// Draws the start of a level.
    pub fn of(level: &Level) -> Self {
        Self::of_grid(level.grid().clone())
    }

    /// Draws a picture that need not be a level.
    pub const fn of_grid(grid: Grid) -> Self {
        Self::new(grid)
    }

    /// Draws a position of a level. Boxes of sealed rooms stay where they are.
    pub fn of_position(level: &Level, position: &Position) -> Self {
        let (board, mut grid) = (level.board(), level.grid().clone());
        for sq in board.squares() {
            let (row, column) = board.place(sq);
            let is_goal = board.goals().contains(sq);
            let cell = match (position.boxes.contains(sq), position.player == sq) {
                (true, _) if is_goal => Cell::BoxOnGoal,
                (true, _) => Cell::Box,
                (false, true) if is_goal => Cell::PlayerOnGoal,
                (false, true) => Cell::Player,
                (false, false) if is_goal => Cell::Goal,
                (false, false) => Cell::Floor,
            };
            grid.set(row, column, cell);
        }
        Self::of_grid(grid)
    }

    /// Returns the text of an SVG file that needs nothing else. The page around the board is transparent.
    #[must_use]
    pub fn to_svg(&self) -> String {
        self.file().text("", &self.to_group())
    }

    /// Returns the bytes of a PNG file. The page around the board is transparent.
    ///
    /// # Errors
    /// There would be too many pixels.
    pub fn to_png(&self) -> Result<Vec<u8>, DrawError> {
        let (width, height) = self.file().size();
        Ok(png_of(&pixels_of(width, height, || self.to_svg())?))
    }

    /// Returns the board as a `<g>` element, for a picture or a page that has the [`symbol_defs`](crate::symbol_defs) already.
    #[must_use]
    pub fn to_group(&self) -> String {
        let plan = FloorPlan::of(&self.subject);
        let mut group = format!("<g class=\"soko-board\">\n{}", ground(&plan, self.theme));
        for (at, &cell) in self.subject.cells().iter().enumerate() {
            let Some(symbol) = symbol_of(cell) else { continue };
            let (row, column) = (at / self.subject.width(), at % self.subject.width());
            push_symbol(&mut group, symbol, row, column);
        }
        group + "</g>\n"
    }

    fn file(&self) -> SvgFile<'_> {
        SvgFile {
            theme: self.theme,
            units: (self.subject.width() * UNITS, self.subject.height() * UNITS),
            square_size: self.square_size,
            title: self.title.as_deref(),
        }
    }
}

/// What stands on the floor and the goal.
const fn symbol_of(cell: Cell) -> Option<Symbol> {
    match cell {
        Cell::Wall | Cell::Floor | Cell::Goal => None,
        Cell::Box => Some(Symbol::Box),
        Cell::BoxOnGoal => Some(Symbol::BoxOnGoal),
        Cell::Player => Some(Symbol::Player),
        Cell::PlayerOnGoal => Some(Symbol::PlayerOnGoal),
    }
}
