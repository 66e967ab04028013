//! SVG made into pixels, without fonts and files.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::DrawError;

/// Draws an SVG text of ours, which has this size. The text is made only if the size is not too large.
pub(crate) fn pixels_of(width: usize, height: usize, svg: impl FnOnce() -> String) -> Result<Pixmap, DrawError> {
    let too_many = DrawError::TooManyPixels { width, height };
    let is_small = |length: usize| (1..=usize::from(u16::MAX)).contains(&length);
    if !is_small(width) || !is_small(height) || width * height > DrawError::MAX_PIXELS {
        return Err(too_many);
    }
    let [columns, rows] = [width, height].map(|length| u32::try_from(length).map_err(|_| too_many));
    let mut pixmap = Pixmap::new(columns?, rows?).ok_or(too_many)?;
    let tree = Tree::from_str(&svg(), &Options::default()).expect("invariant: pictures of ours are right SVG");
    resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
    Ok(pixmap)
}

/// Writes pixels as PNG.
pub(crate) fn png_of(pixmap: &Pixmap) -> Vec<u8> {
    pixmap.encode_png().expect("invariant: memory takes all bytes")
}
