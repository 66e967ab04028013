//! Animations: GIF frames, and SVG that plays by itself.

pub(crate) mod gif_frames;
mod palette;
pub(crate) mod smil;
mod tiles;

/// How long the first position is shown, in milliseconds.
const START: usize = 1_000;
/// How long the solved position is shown, in milliseconds.
const END: usize = 2_500;
