//! The text of SVG files: the outer element, and the layers that all pictures share.

use std::fmt::Write as _;

use crate::skin::UNITS;
use crate::{FloorPlan, Role, Symbol, Theme, escaped, symbol_defs};

/// The outer element of a picture.
#[derive(Clone, Debug)]
pub(crate) struct SvgFile<'a> {
    pub(crate) theme: Theme,
    /// Width and height of the picture in units.
    pub(crate) units: (usize, usize),
    /// The width of a square in pixels.
    pub(crate) square_size: usize,
    pub(crate) title: Option<&'a str>,
}

impl SvgFile<'_> {
    /// Returns width and height in pixels.
    pub(crate) const fn size(&self) -> (usize, usize) {
        let (width, height) = self.units;
        (
            width.saturating_mul(self.square_size).div_ceil(UNITS),
            height.saturating_mul(self.square_size).div_ceil(UNITS),
        )
    }

    /// Returns the file: the symbols, further definitions, and what is drawn.
    pub(crate) fn text(&self, defs: &str, body: &str) -> String {
        let ((width, height), (x, y)) = (self.size(), self.units);
        let title = self.title.map(|title| format!("<title>{}</title>\n", escaped(title))).unwrap_or_default();
        let symbols = symbol_defs(self.theme);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {x} {y}\" width=\"{width}\" \
             height=\"{height}\">\n{title}<defs>\n{symbols}{defs}</defs>\n{body}</svg>\n"
        )
    }
}

/// Returns walls, floor and goals.
pub(crate) fn ground(plan: &FloorPlan<'_>, theme: Theme) -> String {
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

/// Appends a symbol on a square.
pub(crate) fn push_symbol(text: &mut String, symbol: Symbol, row: usize, column: usize) {
    let (id, x, y) = (symbol.id(), column * UNITS, row * UNITS);
    writeln!(text, "<use href=\"#{id}\" transform=\"translate({x} {y})\"/>")
        .expect("invariant: a String takes all text");
}
