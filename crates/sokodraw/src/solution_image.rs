//! A solution as a picture: a strip of positions, or an animation.

use sokocore::{Level, Lurd, ReplayError};

use crate::animation::{gif_frames, smil};
use crate::playback::Playback;
use crate::{DrawError, Theme, strip};

/// What one frame of a GIF shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FrameStep {
    /// Each move.
    #[default]
    Moves,
    /// Each push, with the walk before it.
    Pushes,
    /// All pushes of a box in one direction.
    BoxLines,
}

impl FrameStep {
    /// All of them, the finest first.
    pub const ALL: [Self; 3] = [Self::Moves, Self::Pushes, Self::BoxLines];
}

/// A picture of a solution.
///
/// ```
/// use sokocore::Level;
/// use sokodraw::SolutionImage;
///
/// let level: Level = "######\n#@ $.#\n######".parse()?;
/// let image = SolutionImage::of(&level, &"rR".parse()?)?.with_square_size(12);
/// assert!(image.to_animated_svg().contains("animateTransform"));
/// assert!(image.to_gif()?.bytes.starts_with(b"GIF89a"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct SolutionImage<'a> {
    pub(crate) level: &'a Level,
    pub(crate) playback: Playback,
    pub(crate) theme: Theme,
    pub(crate) square_size: usize,
    pub(crate) title: Option<String>,
    pub(crate) pushes_per_second: usize,
    pub(crate) step: FrameStep,
}

/// An animated GIF, and what it became.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GifFile {
    /// The file.
    pub bytes: Vec<u8>,
    /// The frames, the first position included.
    pub n_frames: usize,
    /// The width of a square in pixels.
    pub square_size: usize,
    /// What a frame shows.
    pub step: FrameStep,
}

impl<'a> SolutionImage<'a> {
    /// The width of a square in pixels unless [`with_square_size`](Self::with_square_size) says otherwise.
    pub const SQUARE_SIZE: usize = 32;
    /// The speed unless [`with_speed`](Self::with_speed) says otherwise.
    pub const SPEED: usize = 6;
    /// The most pushes per second that browsers show: the player then walks a square in two hundredths of a second.
    pub const MAX_SPEED: usize = 25;

    /// Replays the moves.
    ///
    /// # Errors
    /// The moves do not solve the level.
    pub fn of(level: &'a Level, moves: &Lurd) -> Result<Self, ReplayError> {
        Ok(Self {
            level,
            playback: Playback::of(level, moves)?,
            theme: Theme::Light,
            square_size: Self::SQUARE_SIZE,
            title: None,
            pushes_per_second: Self::SPEED,
            step: FrameStep::Moves,
        })
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

    /// Sets the title of SVG files, which programs that read pictures aloud say.
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets the pushes per second of animations, from 1 to [`MAX_SPEED`](Self::MAX_SPEED). Walking is twice as fast.
    pub const fn with_speed(mut self, pushes_per_second: usize) -> Self {
        self.pushes_per_second = match pushes_per_second {
            0 => 1,
            n if n > Self::MAX_SPEED => Self::MAX_SPEED,
            n => n,
        };
        self
    }

    /// Sets what a frame of a GIF shows.
    pub const fn with_step(mut self, step: FrameStep) -> Self {
        self.step = step;
        self
    }

    /// Returns an SVG file that plays by itself, again and again, where the reader knows SMIL, as browsers do.
    #[must_use]
    pub fn to_animated_svg(&self) -> String {
        smil::text(self)
    }

    /// Returns an animated GIF that plays again and again. What is around the board has the color of the theme's page.
    ///
    /// # Errors
    /// There would be too many pixels or frames.
    pub fn to_gif(&self) -> Result<GifFile, DrawError> {
        gif_frames::gif(self, usize::MAX)
    }

    /// Returns an animated GIF of at most so many bytes. Where it would be larger its squares get smaller, down to 8
    /// pixels, and its steps coarser.
    ///
    /// # Errors
    /// As [`to_gif`](Self::to_gif), and where no animation is as small.
    pub fn to_gif_within(&self, max_bytes: usize) -> Result<GifFile, DrawError> {
        let sizes = [self.square_size, self.square_size * 3 / 4, self.square_size / 2];
        let steps = FrameStep::ALL.into_iter().filter(|step| *step >= self.step);
        let fair = steps.flat_map(|step| sizes.map(|size| (step, size)));
        let small = [(FrameStep::BoxLines, self.square_size / 3), (FrameStep::BoxLines, 8)];
        let mut why = DrawError::TooManyBytes { max: max_bytes };
        for (step, size) in fair.chain(small).filter(|(_, size)| *size >= 8 && *size <= self.square_size) {
            match gif_frames::gif(&self.clone().with_step(step).with_square_size(size), max_bytes) {
                Ok(gif) => return Ok(gif),
                Err(error) => why = error,
            }
        }
        Err(why)
    }

    /// Returns an SVG file with a position for each change of the pushed box, an arrow where the box is pushed to, and
    /// the end.
    ///
    /// # Errors
    /// There would be too many boxes to draw.
    pub fn to_strip_svg(&self) -> Result<String, DrawError> {
        strip::svg(self)
    }

    /// Returns the strip as PNG.
    ///
    /// # Errors
    /// There would be too many boxes or pixels.
    pub fn to_strip_png(&self) -> Result<Vec<u8>, DrawError> {
        strip::png(self)
    }
}
