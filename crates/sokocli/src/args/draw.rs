//! Options of `draw`.

use std::path::PathBuf;

use clap::ValueEnum;
use sokocore::Objective;

use super::run::LevelArgs;
use crate::memory_size::file_size;

/// Options of `draw`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct DrawArgs {
    #[command(flatten)]
    pub(crate) level: LevelArgs,

    /// Picture to write: .svg, .png or .gif; - for SVG on stdout
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub(crate) output: PathBuf,

    /// Replace what -o names
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,

    /// Draw the best solution of the file, by moves unless --solution=pushes or the like: animated, or as a strip in .png
    #[arg(
        long,
        value_name = "METRICS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "moves",
        help_heading = "Solution"
    )]
    pub(crate) solution: Option<Objective>,

    /// Positions beside each other, one for each change of the pushed box
    #[arg(long, requires = "solution", help_heading = "Solution")]
    pub(crate) strip: bool,

    /// Pushes per second, 1 to 25; walking is twice as fast
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=25), help_heading = "Solution")]
    pub(crate) speed: u8,

    /// What a frame of a .gif shows
    #[arg(long, value_enum, default_value_t = StepChoice::Moves, help_heading = "Solution")]
    pub(crate) steps: StepChoice,

    /// Largest .gif, such as 500kB or 2MB: squares get smaller, then steps coarser, until it fits
    #[arg(long, value_name = "SIZE", value_parser = file_size, help_heading = "Solution")]
    pub(crate) max_bytes: Option<u64>,

    /// Width of a square in pixels, 4 to 256
    #[arg(long, value_name = "PIXELS", default_value_t = 32, value_parser = clap::value_parser!(u16).range(4..=256))]
    pub(crate) square: u16,

    /// Colors
    #[arg(long, value_enum, default_value_t = ThemeChoice::Light)]
    pub(crate) theme: ThemeChoice,
}

/// The colors, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeChoice {
    /// For light pages
    Light,
    /// For dark pages
    Dark,
}

/// What a frame shows, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StepChoice {
    /// Each move
    Moves,
    /// Each push, with the walk before it
    Pushes,
    /// All pushes of a box in one direction
    Boxlines,
}
