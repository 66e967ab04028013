//! What all pictures have in common: colors, the size of squares, a title.

use crate::Theme;

/// A picture to be drawn: what it shows, and how it looks. [`BoardImage`](crate::BoardImage) shows a position,
/// [`SolutionImage`](crate::SolutionImage) a game.
#[derive(Clone, Debug)]
#[must_use]
pub struct Image<S> {
    pub(crate) subject: S,
    pub(crate) theme: Theme,
    pub(crate) square_size: usize,
    pub(crate) title: Option<String>,
}

impl<S> Image<S> {
    /// The width of a square in pixels unless [`with_square_size`](Self::with_square_size) says otherwise.
    pub const SQUARE_SIZE: usize = 32;

    /// Shows something in light colors.
    pub(crate) const fn new(subject: S) -> Self {
        Self { subject, theme: Theme::Light, square_size: Self::SQUARE_SIZE, title: None }
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
}
