//! Options of `show` and `analyze`.

use clap::ValueEnum;

use super::run::{LevelArgs, NamedLevelArgs, ResourceArgs};
use crate::time_limit::TimeLimit;

/// Options of `show`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) level: NamedLevelArgs,

    /// Print JSON lines instead of text
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// What is marked on the boards; several are joined by commas, and the last one wins where they meet
    #[arg(long, value_enum, value_delimiter = ',', default_value = "dead")]
    pub(crate) mark: Vec<ShowMark>,

    /// Letters as in level files on a terminal, too
    #[arg(long)]
    pub(crate) plain: bool,
}

/// What `show` marks, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowMark {
    /// Floor squares where no box can stand on the way to a goal
    Dead,
    /// Rooms, each by a letter
    Rooms,
    /// Squares that the player can walk to at the start
    #[value(alias = "region")]
    Reach,
    /// Goals, also below boxes and the player, by color
    Goals,
    /// Boxes, each by a digit or a letter, row by row
    Numbers,
    /// Nothing
    None,
}

/// Options of `analyze`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct AnalyzeArgs {
    #[command(flatten)]
    pub(crate) level: LevelArgs,

    /// Print JSON lines instead of text
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Longest time for one level, such as 50ms, 30s, 5m, 2h
    #[arg(long, value_name = "TIME", default_value = "10s", help_heading = "Limits")]
    pub(crate) time: TimeLimit,

    #[command(flatten)]
    pub(crate) resources: ResourceArgs,
}
