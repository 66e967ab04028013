//! A strip: positions of a solution beside each other, one before each box is pushed, and the end.
//!
//! ```text
//!   ┌─────┐ ┌─────┐ ┌─────┐     arrows show where the box is pushed to; the walls are drawn once and referred to
//!   │ $─▶ │ │     │ │     │
//!   │     │ │ ◀─$ │ │* *  │
//!   └─────┘ └─────┘ └─────┘
//! ```

use std::cmp::Ordering;
use std::fmt::Write as _;

use crate::pixels::{pixels_of, png_of};
use crate::playback::BoxTour;
use crate::skin::UNITS;
use crate::svg_text::{SvgFile, ground, push_symbol};
use crate::{DrawError, FloorPlan, Role, SolutionImage, Symbol};

/// Units between two positions.
const GAP: usize = UNITS / 2;

/// The number of positions, and where they stand.
#[derive(Clone, Copy, Debug)]
struct StripLayout {
    n_columns: usize,
    n_rows: usize,
    /// Units of a position.
    width: usize,
    height: usize,
}

/// Returns the strip as SVG.
pub(crate) fn svg(image: &SolutionImage<'_>) -> Result<String, DrawError> {
    let tours = tours(image)?;
    Ok(text(image, &tours))
}

/// Returns the strip as PNG.
pub(crate) fn png(image: &SolutionImage<'_>) -> Result<Vec<u8>, DrawError> {
    let tours = tours(image)?;
    let (width, height) = file(image, StripLayout::of(image, tours.len() + 1)).size();
    Ok(png_of(&pixels_of(width, height, || text(image, &tours))?))
}

fn tours(image: &SolutionImage<'_>) -> Result<Vec<BoxTour>, DrawError> {
    let tours = image.subject.playback.tours();
    let (panels, boxes) = (tours.len() + 1, image.subject.playback.boxes.len());
    if panels.saturating_mul(boxes + 1) > DrawError::MAX_PIECES {
        return Err(DrawError::TooManyPanels { panels, boxes });
    }
    Ok(tours)
}

impl StripLayout {
    /// Takes as many columns as make the whole about four thirds as wide as high.
    fn of(image: &SolutionImage<'_>, n: usize) -> Self {
        let grid = image.subject.level.grid();
        let (width, height) = (grid.width() * UNITS, grid.height() * UNITS);
        let is_wide = |columns: &usize| 3 * columns * (width + GAP) >= 4 * n.div_ceil(*columns) * (height + GAP);
        let n_columns = (1..=n).find(is_wide).unwrap_or(n);
        Self { n_columns, n_rows: n.div_ceil(n_columns), width, height }
    }

    const fn place(&self, at: usize) -> (usize, usize) {
        (at % self.n_columns * (self.width + GAP), at / self.n_columns * (self.height + GAP))
    }
}

fn file<'a>(image: &'a SolutionImage<'_>, layout: StripLayout) -> SvgFile<'a> {
    let units = |n: usize, length: usize| n * (length + GAP) - GAP;
    SvgFile {
        theme: image.theme,
        units: (units(layout.n_columns, layout.width), units(layout.n_rows, layout.height)),
        square_size: image.square_size,
        title: image.title.as_deref(),
    }
}

fn text(image: &SolutionImage<'_>, tours: &[BoxTour]) -> String {
    let layout = StripLayout::of(image, tours.len() + 1);
    let grid = image.subject.level.grid();
    let defs = format!("<g id=\"soko-ground\">\n{}</g>\n", ground(&FloorPlan::of(grid), image.theme));
    let is_goal = |cell: usize| grid.cells()[cell].is_goal();
    let (mut player, mut boxes) = (image.subject.playback.player, image.subject.playback.boxes.clone());
    let mut body = String::new();
    for at in 0..=tours.len() {
        let (x, y) = layout.place(at);
        writeln!(body, "<g transform=\"translate({x} {y})\"><use href=\"#soko-ground\"/>")
            .expect("invariant: a String takes all text");
        let mut push =
            |cell: usize, symbol: Symbol| push_symbol(&mut body, symbol, cell / grid.width(), cell % grid.width());
        for &cell in &boxes {
            push(cell, if is_goal(cell) { Symbol::BoxOnGoal } else { Symbol::Box });
        }
        push(player, if is_goal(player) { Symbol::PlayerOnGoal } else { Symbol::Player });
        if let Some(tour) = tours.get(at) {
            push_arrow(&mut body, tour, grid.width(), image);
            boxes[tour.box_idx] = *tour.cells.last().expect("invariant: a tour has two cells");
            player = tour.player;
        }
        body.push_str("</g>\n");
    }
    file(image, layout).text(&defs, &body)
}

/// An arrow along the way of a box, with a light border, so that it is seen on everything.
fn push_arrow(body: &mut String, tour: &BoxTour, width: usize, image: &SolutionImage<'_>) {
    let center = |cell: usize| (cell % width * UNITS + UNITS / 2, cell / width * UNITS + UNITS / 2);
    let [.., before, last] = tour.cells.as_slice() else { return };
    let ((x, y), (from_x, from_y)) = (center(*last), center(*before));
    // The head points in the direction of the last push; its base is across.
    let head = match (x.cmp(&from_x), y.cmp(&from_y)) {
        (Ordering::Greater, _) => format!("M{} {}l-9 -8v16z", x + 9, y),
        (Ordering::Less, _) => format!("M{} {}l9 -8v16z", x - 9, y),
        (_, Ordering::Greater) => format!("M{} {}l-8 -9h16z", x, y + 9),
        _ => format!("M{} {}l-8 9h16z", x, y - 9),
    };
    let mut path = String::new();
    for (at, &cell) in tour.cells.iter().enumerate() {
        let is_corner = at == 0
            || tour.cells.get(at + 1).is_none_or(|&next| {
                next.abs_diff(cell) != cell.abs_diff(tour.cells[at - 1]) || (next > cell) != (cell > tour.cells[at - 1])
            });
        if is_corner {
            let (x, y) = center(cell);
            let letter = if at == 0 { 'M' } else { 'L' };
            write!(path, "{letter}{x} {y}").expect("invariant: a String takes all text");
        }
    }
    for (role, line, border) in [(Role::PlayerEye, 8, 4), (Role::PlayerEdge, 4, 0)] {
        let color = role.color(image.theme);
        writeln!(
            body,
            "<path fill=\"none\" stroke=\"{color}\" stroke-width=\"{line}\" stroke-linejoin=\"round\" stroke-linecap=\"round\" \
             d=\"{path}\"/><path fill=\"{color}\" stroke=\"{color}\" stroke-width=\"{border}\" stroke-linejoin=\"round\" d=\"{head}\"/>"
        )
        .expect("invariant: a String takes all text");
    }
}
