//! Options of `draw`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use sokocore::{Objective, ParseObjectiveError};

use super::run::NamedLevelArgs;
use crate::memory_size::file_size;

/// Options of `draw`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct DrawArgs {
    #[command(flatten)]
    pub(crate) level: NamedLevelArgs,

    /// Picture to write: .svg, .png or .gif, with the number of each level if they are several; DIR/ for 1.svg, 2.svg, ...; - for stdout
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub(crate) output: PathBuf,

    /// Format, where -o is a folder or stdout [default: svg]
    #[arg(long, value_enum, help_heading = "Output")]
    pub(crate) format: Option<PictureFormat>,

    /// Replace what -o names
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,

    /// Draw the best solution by moves, animated, or as a strip in .png; =pushes or the like for another best one, =K for solution or snapshot K
    #[arg(
        long,
        value_name = "METRICS|K",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "moves",
        help_heading = "Solution"
    )]
    pub(crate) solution: Option<GameChoice>,

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

/// Which recorded game of a level is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameChoice {
    /// The best solution.
    Best(Objective),
    /// By its number among the solutions and snapshots, from 1.
    Number(usize),
}

/// The formats of pictures, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureFormat {
    /// Text that every browser draws
    Svg,
    /// Pixels
    Png,
    /// An animation
    Gif,
}

impl FromStr for GameChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim().parse::<usize>() {
            Ok(0) => Err("the first solution is 1".to_owned()),
            Ok(number) => Ok(Self::Number(number)),
            Err(_) => text.parse().map(Self::Best).map_err(|error: ParseObjectiveError| error.to_string()),
        }
    }
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
