//! The file formats that are read. Writing is always `.sok` text.

use std::fmt;

/// The largest file that is read or made of another format, in bytes.
pub(crate) const MAX_FILE_SIZE: usize = 1 << 26;

/// The format that a collection was read from, or that a file is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// `.sok` and XSB text, and what is written the same way, such as the files of Boxoban.
    #[default]
    Text,
    /// `.slc`: XML with `<SokobanLevels>`, as Sokoban for Windows writes it.
    Slc,
    /// `.ssx`: XML with `<SokobanLibrary>`, as `SokoSolve` writes it.
    Ssx,
    /// The digits of `LetsLogic`, as rows or as one map with its width and height.
    LetsLogic,
    /// Moves without a board; see [`read_moves_file`](crate::read_moves_file).
    Moves,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => ".sok (text)",
            Self::Slc => ".slc (XML)",
            Self::Ssx => ".ssx (XML of SokoSolve)",
            Self::LetsLogic => "LetsLogic digits",
            Self::Moves => "moves without a board",
        })
    }
}

/// Where the text of a collection comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) format: Format,
    pub(crate) is_converted: bool,
}

impl Source {
    /// A text that is kept byte for byte.
    pub(crate) const TEXT: Self = Self { format: Format::Text, is_converted: false };
}
