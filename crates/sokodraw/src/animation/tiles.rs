//! The squares of a board as pixels: what can stand on each, on both colors of the floor.

use sokocore::Cell;

use super::palette::Rgb;
use crate::pixels::pixels_of;
use crate::skin::UNITS;
use crate::svg_text::SvgFile;
use crate::{DrawError, Role, Symbol, Theme};

/// What can be on a square that is no wall, in the order of the tiles.
const CONTENTS: [Cell; 6] = [Cell::Floor, Cell::Goal, Cell::Box, Cell::BoxOnGoal, Cell::Player, Cell::PlayerOnGoal];

/// Pixels of each content on each color of the floor.
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    /// By color of the floor, then by content.
    tiles: Vec<Vec<Rgb>>,
}

impl Tiles {
    /// Draws them.
    pub(super) fn draw(theme: Theme, size: usize) -> Result<Self, DrawError> {
        let file = SvgFile { theme, units: (UNITS, UNITS), square_size: size, title: None };
        let floors = [Role::Floor, Role::FloorOther];
        let draw = |(floor, content): (Role, Cell)| {
            let pixmap = pixels_of(size, size, || file.text("", &tile(floor, content, theme)))?;
            Ok(pixmap.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect())
        };
        let tiles = floors.into_iter().flat_map(|floor| CONTENTS.map(|content| (floor, content)));
        Ok(Self { tiles: tiles.map(draw).collect::<Result<_, DrawError>>()? })
    }

    /// Returns the number of the tile for what is on a square, `None` for walls.
    pub(super) fn number(row: usize, column: usize, content: Cell) -> Option<usize> {
        let content = CONTENTS.iter().position(|&other| other == content)?;
        Some((row + column) % 2 * CONTENTS.len() + content)
    }

    /// Returns the pixels of all tiles.
    pub(super) fn all(&self) -> &[Vec<Rgb>] {
        &self.tiles
    }
}

fn tile(floor: Role, content: Cell, theme: Theme) -> String {
    let goal = content.is_goal().then_some(Symbol::Goal);
    let piece = match content {
        Cell::Box => Some(Symbol::Box),
        Cell::BoxOnGoal => Some(Symbol::BoxOnGoal),
        Cell::Player => Some(Symbol::Player),
        Cell::PlayerOnGoal => Some(Symbol::PlayerOnGoal),
        Cell::Wall | Cell::Floor | Cell::Goal => None,
    };
    let symbols: String =
        goal.into_iter().chain(piece).map(|symbol| format!("<use href=\"#{}\"/>", symbol.id())).collect();
    format!("<path fill=\"{}\" d=\"M0 0h32v32h-32z\"/>{symbols}", floor.color(theme))
}
