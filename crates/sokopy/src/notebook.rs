//! Pictures of boards: for notebooks, and as SVG or PNG.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sokocore::Grid;
use sokodraw::{BoardImage, Theme, escaped};

use crate::errors::message;

/// Widths of a square that are drawn, in pixels.
const SQUARE_SIZES: std::ops::RangeInclusive<usize> = 1..=512;

/// How a picture is to look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) theme: Theme,
    pub(crate) square_size: usize,
}

impl Look {
    /// Reads the arguments of Python.
    pub(crate) fn new(theme: &str, square_size: usize) -> PyResult<Self> {
        let theme = match theme {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => return Err(PyValueError::new_err(format!("'{theme}' is not a theme; use 'light' or 'dark'"))),
        };
        if !SQUARE_SIZES.contains(&square_size) {
            let (least, most) = (SQUARE_SIZES.start(), SQUARE_SIZES.end());
            return Err(PyValueError::new_err(format!("square_size must be from {least} to {most} pixels")));
        }
        Ok(Self { theme, square_size })
    }

    /// Returns the picture of a board.
    pub(crate) fn board(self, grid: Grid) -> BoardImage {
        BoardImage::of_grid(grid).with_theme(self.theme).with_square_size(self.square_size)
    }
}

/// Returns a board as the bytes of a PNG file.
pub(crate) fn png(image: &BoardImage) -> PyResult<Vec<u8>> {
    image.to_png().map_err(|error| PyValueError::new_err(message(&error)))
}

/// Returns a picture for a notebook. It is an image of its own, so that the names and styles in several do not meet.
pub(crate) fn image_tag(svg: &str, text: &str) -> String {
    format!("<img alt=\"{}\" src=\"data:image/svg+xml;base64,{}\">", escaped(text), STANDARD.encode(svg))
}
