//! A position as SVG.

use std::fmt::Write as _;

use sokocore::{Cell, Grid, Level, Position};

use crate::skin::UNITS;
use crate::{FloorPlan, Role, Symbol, Theme, escaped, symbol_defs};

/// A picture of a board. It is written as SVG.
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
#[derive(Clone, Debug)]
#[must_use]
pub struct BoardImage {
    grid: Grid,
    theme: Theme,
    square_size: usize,
    title: Option<String>,
}

impl BoardImage {
    /// The width of a square in pixels unless [`with_square_size`](Self::with_square_size) says otherwise.
    pub const SQUARE_SIZE: usize = 32;

    /// Draws the start of a level.
    pub fn of(level: &Level) -> Self {
        Self::of_grid(level.grid().clone())
    }

    /// Draws a picture that need not be a level.
    pub const fn of_grid(grid: Grid) -> Self {
        Self { grid, theme: Theme::Light, square_size: Self::SQUARE_SIZE, title: None }
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

    /// Sets the colors.
    pub const fn with_theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Sets the width of a square in pixels.
    pub const fn with_square_size(mut self, pixels: usize) -> Self {
        self.square_size = pixels;
        self
    }

    /// Sets the title, which programs that read pictures aloud say.
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Returns the text of an SVG file that needs nothing else. The page around the board is transparent.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let (columns, rows) = (self.grid.width(), self.grid.height());
        let (width, height) = (columns * self.square_size, rows * self.square_size);
        let (box_width, box_height) = (columns * UNITS, rows * UNITS);
        let title = self.title.as_ref().map(|title| format!("<title>{}</title>\n", escaped(title)));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {box_width} {box_height}\" width=\"{width}\" \
             height=\"{height}\">\n{}<defs>\n{}</defs>\n{}</svg>\n",
            title.unwrap_or_default(),
            symbol_defs(self.theme),
            self.to_group(),
        )
    }

    /// Returns the board as a `<g>` element, for a picture or a page that has the [`symbol_defs`] already.
    #[must_use]
    pub fn to_group(&self) -> String {
        let plan = FloorPlan::of(&self.grid);
        let mut group = format!("<g class=\"soko-board\">\n{}", ground(&plan, self.theme));
        for (at, &cell) in self.grid.cells().iter().enumerate() {
            let Some(symbol) = symbol_of(cell) else { continue };
            let (row, column) = (at / self.grid.width(), at % self.grid.width());
            push_symbol(&mut group, symbol, row, column);
        }
        group + "</g>\n"
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

/// Walls, floor and goals.
fn ground(plan: &FloorPlan<'_>, theme: Theme) -> String {
    let mut ground = format!("<path fill=\"url(#soko-floor)\" d=\"{}\"/>\n", plan.floor());
    let walls = plan.walls();
    let wall = |role: Role, stroke: usize, lift: &str| {
        let color = role.color(theme);
        format!(
            "<path class=\"soko-{role}\" fill=\"{color}\" stroke=\"{color}\" stroke-width=\"{stroke}\" \
             stroke-linejoin=\"round\"{lift} d=\"{walls}\"/>\n"
        )
    };
    // The same path with a thinner stroke is the top of the walls, and leaves a border, a wide one below.
    let round = 2 * FloorPlan::rounding();
    ground += &wall(Role::WallEdge, round, "");
    ground += &wall(Role::Wall, round - 4, " transform=\"translate(0 -1)\"");
    for (row, column) in plan.goals() {
        push_symbol(&mut ground, Symbol::Goal, row, column);
    }
    ground
}

fn push_symbol(text: &mut String, symbol: Symbol, row: usize, column: usize) {
    let (id, x, y) = (symbol.id(), column * UNITS, row * UNITS);
    writeln!(text, "<use href=\"#{id}\" transform=\"translate({x} {y})\"/>")
        .expect("invariant: a String takes all text");
}
