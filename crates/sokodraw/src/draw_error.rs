//! Why a picture is not drawn.

use thiserror::Error;

/// Why a picture is not drawn: it would be larger than what a program can show, or a site takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DrawError {
    /// More pixels than [`MAX_PIXELS`](Self::MAX_PIXELS), or a side longer than 65,535.
    #[error(
        "the picture would have {width} x {height} pixels, and {} are drawn at most; make its squares smaller",
        Self::MAX_PIXELS
    )]
    TooManyPixels {
        /// Pixels of a row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// More frames than [`MAX_FRAMES`](Self::MAX_FRAMES).
    #[error(
        "the animation would have {frames} frames, and {} are drawn at most; draw fewer steps, or an animated SVG",
        Self::MAX_FRAMES
    )]
    TooManyFrames {
        /// Frames of the animation.
        frames: usize,
    },
    /// More bytes than [`MAX_GIF_BYTES`](Self::MAX_GIF_BYTES).
    #[error(
        "the animation would have more than {} bytes; say how many it may have, make its squares smaller, draw fewer \
         steps, or an animated SVG",
        Self::MAX_GIF_BYTES
    )]
    TooLargeGif,
    /// A strip with more boxes in it than [`MAX_PIECES`](Self::MAX_PIECES).
    #[error("the strip would show {panels} positions of {boxes} boxes each; draw an animation instead")]
    TooManyPanels {
        /// Positions of the strip.
        panels: usize,
        /// Boxes of the level.
        boxes: usize,
    },
    /// No animation is as small as asked for.
    #[error("no animation of this solution has {max} bytes or less; allow more, or draw an animated SVG")]
    TooManyBytes {
        /// The bytes that were asked for.
        max: usize,
    },
}

impl DrawError {
    /// The most pixels of a picture, some 130 MB of memory.
    pub const MAX_PIXELS: usize = 1 << 25;
    /// The most frames of an animation.
    pub const MAX_FRAMES: usize = 100_000;
    /// The most bytes of a GIF unless [`to_gif_within`](crate::SolutionImage::to_gif_within) allows more.
    pub const MAX_GIF_BYTES: usize = 1 << 25;
    /// The most boxes and players that a strip shows, counted in each position: some ten megabytes of SVG.
    pub const MAX_PIECES: usize = 50_000;
}
