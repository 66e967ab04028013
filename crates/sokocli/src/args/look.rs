//! Options of `show` and `analyze`.

use std::num::NonZeroUsize;

use clap::ValueEnum;

use super::run::LevelArgs;
use super::values::n_threads;
use crate::memory_size::MemorySize;
use crate::time_limit::TimeLimit;

/// Options of `show`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) level: LevelArgs,

    /// Print JSON lines instead of text
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// What is marked on the boards
    #[arg(long, value_enum, default_value_t = ShowMark::Dead)]
    pub(crate) mark: ShowMark,
}

/// What `show` marks, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowMark {
    /// Floor squares where no box can stand on the way to a goal
    Dead,
    /// Rooms, each by a letter
    Rooms,
    /// Squares that the player can walk to at the start
    Reach,
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

    /// Most memory to use, such as 64MiB or 2G [default: half of what is free]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    pub(crate) memory: Option<MemorySize>,

    /// Threads, 1 to 256 [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = n_threads, help_heading = "Limits")]
    pub(crate) threads: Option<NonZeroUsize>,
}
