//! Animated GIF: the first position, then for each step the squares that change.
//!
//! ```text
//!   #@-$.#       a frame is the smallest rectangle around the squares that change;
//!    └┘          squares in it that do not are not seen, so that they compress to nothing
//! ```
//!
//! Squares that change far from each other, as after a walk, are two frames: a rectangle around both could be the whole
//! board.

use std::borrow::Cow;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use resvg::tiny_skia::PremultipliedColorU8;
use sokocore::Cell;

use super::palette::{Palette, Rgb};
use super::tiles::Tiles;
use super::{END, START};
use crate::pixels::pixels_of;
use crate::playback::PlayedMove;
use crate::skin::UNITS;
use crate::solution_image::GifFile;
use crate::svg_text::{SvgFile, ground};
use crate::{DrawError, FloorPlan, FrameStep, Role, SolutionImage};

/// Hundredths of a second that every program shows; less counts as a tenth in many.
const SHORTEST: usize = 2;

/// What a step of the animation changes: cells with what is on them afterward, and how long that is shown.
#[derive(Clone, Debug)]
struct Change {
    cells: Vec<(usize, Cell)>,
    hundredths: usize,
}

/// Draws the animation. More bytes than `max_bytes` are an error, found as soon as they are written.
pub(crate) fn gif(image: &SolutionImage<'_>, max_bytes: usize) -> Result<GifFile, DrawError> {
    let mut changes = changes(image);
    if changes.len() >= DrawError::MAX_FRAMES {
        return Err(DrawError::TooManyFrames { frames: changes.len() + 1 });
    }
    if let Some(last) = changes.last_mut() {
        last.hundredths = END / 10;
    }
    let screen = FrameCanvas::draw(image)?;
    let bytes = screen.write(&changes, max_bytes).expect("invariant: memory takes all bytes, frames are on the screen");
    if bytes.len() > max_bytes {
        return Err(DrawError::TooManyBytes { max: max_bytes });
    }
    let (square_size, step) = (image.square_size, image.subject.step);
    Ok(GifFile { bytes, n_frames: changes.len() + 1, square_size, step })
}

/// The steps, in order.
fn changes(image: &SolutionImage<'_>) -> Vec<Change> {
    let playback = &image.subject.playback;
    let cells = image.subject.level.grid().cells();
    let push_time = (100 / image.subject.pushes_per_second).max(2 * SHORTEST);
    let (mut player, mut boxes) = (playback.player, playback.boxes.clone());
    let mut changes = Vec::new();
    // The player's square of the last frame, and the squares that a piece has left or entered since then.
    let (mut left, mut touched) = (player, vec![player]);
    for (at, played) in playback.moves.iter().enumerate() {
        player = played.player;
        if let Some((idx, cell)) = played.pushed {
            touched.extend([boxes[idx], cell]);
            boxes[idx] = cell;
        }
        if !is_shown(image.subject.step, played, playback.moves.get(at + 1)) {
            continue;
        }
        touched.push(player);
        touched.sort_unstable();
        touched.dedup();
        let box_cell = played.pushed.map(|(_, cell)| cell);
        let on = |cell: usize| content(cells[cell].is_goal(), box_cell == Some(cell), cell == player);
        let hundredths = match (played.pushed, image.subject.step) {
            (None, _) => push_time / 2,
            (Some(_), FrameStep::BoxLines) => 2 * push_time,
            (Some(_), _) => push_time,
        };
        let cells = touched.iter().map(|&cell| (cell, on(cell))).collect();
        push_change(&mut changes, cells, left, playback.width, hundredths);
        (left, touched) = (player, vec![player]);
    }
    changes
}

/// Whether there is a frame after this move.
fn is_shown(step: FrameStep, played: &PlayedMove, next: Option<&PlayedMove>) -> bool {
    let is_push = played.pushed.is_some();
    let continues = next.is_some_and(|next| next.pushed.is_some() && next.dir == played.dir);
    match step {
        FrameStep::Moves => true,
        FrameStep::Pushes => is_push,
        FrameStep::BoxLines => is_push && !continues,
    }
}

/// Appends a change. The square that the player has left is a frame of its own unless it is in line with the others.
fn push_change(changes: &mut Vec<Change>, mut cells: Vec<(usize, Cell)>, left: usize, width: usize, hundredths: usize) {
    let is_one = |part: fn(usize, usize) -> usize| cells.iter().all(|(at, _)| part(*at, width) == part(left, width));
    let in_line = is_one(|at, width| at / width) || is_one(|at, width| at % width);
    let apart = cells.iter().position(|(at, _)| *at == left).filter(|_| !in_line);
    if let Some(at) = apart {
        let cell = cells.remove(at);
        changes.push(Change { cells, hundredths: SHORTEST });
        changes.push(Change { cells: vec![cell], hundredths });
    } else {
        changes.push(Change { cells, hundredths });
    }
}

/// What is on a square.
const fn content(is_goal: bool, is_box: bool, is_player: bool) -> Cell {
    match (is_goal, is_box, is_player) {
        (true, true, _) => Cell::BoxOnGoal,
        (false, true, _) => Cell::Box,
        (true, false, true) => Cell::PlayerOnGoal,
        (false, false, true) => Cell::Player,
        (true, false, false) => Cell::Goal,
        (false, false, false) => Cell::Floor,
    }
}

/// The first position as pixels, and the tiles of all others.
#[derive(Debug)]
struct FrameCanvas {
    columns: usize,
    width: usize,
    height: usize,
    palette: Palette,
    first: Vec<u8>,
    tiles: Vec<Vec<u8>>,
    size: usize,
}

impl FrameCanvas {
    fn draw(image: &SolutionImage<'_>) -> Result<Self, DrawError> {
        let grid = image.subject.level.grid();
        let (theme, size) = (image.theme, image.square_size);
        let plan = FloorPlan::of(grid);
        let file =
            SvgFile { theme, units: (grid.width() * UNITS, grid.height() * UNITS), square_size: size, title: None };
        let (width, height) = file.size();
        let pixmap = pixels_of(width, height, || file.text("", &ground(&plan, theme)))?;
        let tiles = Tiles::draw(theme, size)?;
        let page = rgb_of(Role::Page.color(theme));
        let ground: Vec<Option<Rgb>> = pixmap.pixels().iter().map(|pixel| seen_on(page, *pixel)).collect();
        let palette = Palette::of(ground.iter().flatten().chain(tiles.all().iter().flatten()));
        let index = |pixels: &[Rgb]| -> Vec<u8> { pixels.iter().map(|&color| palette.index(color)).collect() };
        let first = ground.iter().map(|color| color.map_or(Palette::UNSEEN, |color| palette.index(color)));
        let mut screen = Self {
            columns: grid.width(),
            width,
            height,
            first: first.collect(),
            tiles: tiles.all().iter().map(|tile| index(tile)).collect(),
            palette,
            size,
        };
        let mut first = std::mem::take(&mut screen.first);
        for (at, &cell) in grid.cells().iter().enumerate() {
            let is_empty = cell == Cell::Floor || cell == Cell::Goal;
            if !is_empty {
                screen.paint(&mut first, width, (0, 0), at, cell);
            }
        }
        screen.first = first;
        Ok(screen)
    }

    /// Paints a tile into a buffer of so many pixels a row, which begins at a row and a column of the board.
    fn paint(&self, buffer: &mut [u8], stride: usize, (top, left): (usize, usize), at: usize, cell: Cell) {
        let (row, column) = (at / self.columns, at % self.columns);
        let Some(tile) = Tiles::number(row, column, cell) else { return };
        let start = (row - top) * self.size * stride + (column - left) * self.size;
        for (y, line) in self.tiles[tile].chunks(self.size).enumerate() {
            buffer[start + y * stride..][..self.size].copy_from_slice(line);
        }
    }

    /// Writes the file; ends early when there are more than `max_bytes`.
    fn write(&self, changes: &[Change], max_bytes: usize) -> Result<Vec<u8>, gif::EncodingError> {
        let [width, height] = [self.width, self.height].map(pixel_count);
        let mut encoder = Encoder::new(Vec::new(), width, height, &self.palette.bytes())?;
        encoder.set_repeat(Repeat::Infinite)?;
        encoder.write_frame(&Frame {
            delay: pixel_count(START / 10),
            dispose: DisposalMethod::Keep,
            transparent: Some(Palette::UNSEEN),
            width,
            height,
            buffer: Cow::Borrowed(&self.first),
            ..Frame::default()
        })?;
        for change in changes {
            if encoder.get_ref().len() > max_bytes {
                break;
            }
            encoder.write_frame(&self.frame(change))?;
        }
        encoder.into_inner()
    }

    fn frame(&self, change: &Change) -> Frame<'static> {
        let places = change.cells.iter().map(|(at, _)| (at / self.columns, at % self.columns));
        let (mut top, mut left, mut bottom, mut right) = (usize::MAX, usize::MAX, 0, 0);
        for (row, column) in places {
            (top, left, bottom, right) = (top.min(row), left.min(column), bottom.max(row), right.max(column));
        }
        let (width, height) = ((right - left + 1) * self.size, (bottom - top + 1) * self.size);
        let mut buffer = vec![Palette::UNSEEN; width * height];
        for (at, cell) in &change.cells {
            self.paint(&mut buffer, width, (top, left), *at, *cell);
        }
        Frame {
            delay: pixel_count(change.hundredths),
            dispose: DisposalMethod::Keep,
            transparent: Some(Palette::UNSEEN),
            left: pixel_count(left * self.size),
            top: pixel_count(top * self.size),
            width: pixel_count(width),
            height: pixel_count(height),
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        }
    }
}

/// Reads a color such as `#5c6675`.
fn rgb_of(color: &str) -> Rgb {
    let part = |at: usize| u8::from_str_radix(&color[at..at + 2], 16).expect("invariant: colors have six digits");
    [part(1), part(3), part(5)]
}

/// The color of a pixel on a page; `None` where only the page is seen. Pixels of a GIF are seen or not, so that edges
/// have some of the page in them.
fn seen_on(page: Rgb, pixel: PremultipliedColorU8) -> Option<Rgb> {
    let rest = 255 - u16::from(pixel.alpha());
    let mix = |part: u8, page: u8| {
        let mixed = u16::from(part) + u16::from(page) * rest / 255;
        u8::try_from(mixed).unwrap_or(u8::MAX)
    };
    let parts = [mix(pixel.red(), page[0]), mix(pixel.green(), page[1]), mix(pixel.blue(), page[2])];
    (pixel.alpha() > 0).then_some(parts)
}

/// Numbers of a GIF have 16 bits.
fn pixel_count(n: usize) -> u16 {
    u16::try_from(n).expect("invariant: sides of pictures have at most 65,535 pixels")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::{Grid, Level};

    /// All frames of a file, painted over each other.
    fn last_picture(bytes: &[u8]) -> (usize, Vec<Rgb>) {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(bytes).unwrap();
        let palette = decoder.global_palette().unwrap().to_vec();
        let width = usize::from(decoder.width());
        // The page of the light theme is white.
        let mut picture = vec![[255; 3]; width * usize::from(decoder.height())];
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let (top, left) = (usize::from(frame.top), usize::from(frame.left));
            for (at, &index) in frame.buffer.iter().enumerate() {
                if Some(index) != frame.transparent {
                    let (y, x) = (at / usize::from(frame.width), at % usize::from(frame.width));
                    let color = &palette[3 * usize::from(index)..][..3];
                    picture[(top + y) * width + left + x] = [color[0], color[1], color[2]];
                }
            }
        }
        (width, picture)
    }

    #[test]
    fn the_frames_end_in_the_solved_position() {
        let level = Level::parse("######\n#@$ .#\n#  $ #\n#   .#\n######").unwrap();
        let solved = Grid::parse("######\n#   *#\n#    #\n#  @*#\n######").unwrap();
        let moves = "RRldlurrDldR".parse().unwrap();
        let image = SolutionImage::of(&level, &moves).unwrap().with_square_size(9);
        for step in FrameStep::ALL {
            let gif = image.clone().with_step(step).to_gif().unwrap();
            let (width, picture) = last_picture(&gif.bytes);
            let expect = pixels_of(width, picture.len() / width, || {
                let board = crate::BoardImage::of_grid(solved.clone()).with_square_size(9).to_svg();
                board.replacen("<g class", "<path fill=\"#fff\" d=\"M0 0h999v999H0z\"/><g class", 1)
            });
            let far = |(color, pixel): &(&Rgb, &PremultipliedColorU8)| {
                let parts = [pixel.red(), pixel.green(), pixel.blue()];
                color.iter().zip(parts).any(|(part, expect)| part.abs_diff(expect) > 24)
            };
            let n_far = picture.iter().zip(expect.unwrap().pixels()).filter(far).count();
            assert_eq!(n_far, 0, "{step:?}: pixels that differ");
        }
    }
}
