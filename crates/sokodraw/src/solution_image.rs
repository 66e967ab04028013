//! A solution as a picture: a strip of positions, or an animation.

use sokocore::{Level, Lurd, ReplayError, replay, replay_snapshot};

use crate::animation::{gif_frames, smil};
use crate::playback::Playback;
use crate::{DrawError, Image, strip};

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
pub type SolutionImage<'a> = Image<AnimatedGame<'a>>;

/// What a [`SolutionImage`] shows: a game, and how it is played.
#[derive(Clone, Debug)]
pub struct AnimatedGame<'a> {
    pub(crate) level: &'a Level,
    pub(crate) playback: Playback,
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

impl<'a> Image<AnimatedGame<'a>> {
    /// The speed unless [`with_speed`](Self::with_speed) says otherwise.
    pub const SPEED: usize = 6;
    /// The most pushes per second that browsers show: the player then walks a square in two hundredths of a second.
    pub const MAX_SPEED: usize = 25;

    /// Replays a solution.
    ///
    /// # Errors
    /// The moves do not solve the level.
    pub fn of(level: &'a Level, moves: &Lurd) -> Result<Self, ReplayError> {
        Ok(Self::of_replayed(level, replay(level, moves)?.lurd()))
    }

    /// Replays a game that need not solve its level, such as a snapshot.
    ///
    /// # Errors
    /// The moves are not possible.
    pub fn of_snapshot(level: &'a Level, moves: &Lurd) -> Result<Self, ReplayError> {
        Ok(Self::of_replayed(level, replay_snapshot(level, moves)?.lurd()))
    }

    fn of_replayed(level: &'a Level, moves: &Lurd) -> Self {
        let playback = Playback::of(level, moves);
        Self::new(AnimatedGame { level, playback, pushes_per_second: Self::SPEED, step: FrameStep::Moves })
    }

    /// Sets the pushes per second of animations, from 1 to [`MAX_SPEED`](Self::MAX_SPEED). Walking is twice as fast.
    pub const fn with_speed(mut self, pushes_per_second: usize) -> Self {
        self.subject.pushes_per_second = match pushes_per_second {
            0 => 1,
            n if n > Self::MAX_SPEED => Self::MAX_SPEED,
            n => n,
        };
        self
    }

    /// Sets what a frame of a GIF shows.
    pub const fn with_step(mut self, step: FrameStep) -> Self {
        self.subject.step = step;
        self
    }

    /// Returns an SVG file that plays by itself, again and again, where the reader knows SMIL, as browsers do.
    #[must_use]
    pub fn to_animated_svg(&self) -> String {
        smil::text(self)
    }

    /// Returns an animated GIF that plays again and again. What is around the board is transparent; its edges have some of
    /// the color of the theme's page in them.
    ///
    /// # Errors
    /// There would be too many pixels, frames or bytes.
    pub fn to_gif(&self) -> Result<GifFile, DrawError> {
        gif_frames::gif(self, DrawError::MAX_GIF_BYTES).map_err(|error| match error {
            DrawError::TooManyBytes { .. } => DrawError::TooLargeGif,
            error => error,
        })
    }

    /// Returns an animated GIF of at most so many bytes. Where it would be larger its squares get smaller, down to 8
    /// pixels, and its steps coarser.
    ///
    /// # Errors
    /// There would be too many pixels or frames, or no animation is as small.
    pub fn to_gif_within(&self, max_bytes: usize) -> Result<GifFile, DrawError> {
        let sizes = [self.square_size, self.square_size * 3 / 4, self.square_size / 2];
        let steps = FrameStep::ALL.into_iter().filter(|step| *step >= self.subject.step);
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
