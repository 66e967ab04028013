//! Options of `night`.

use std::path::PathBuf;

use sokocore::Objective;

use super::library::LibraryPlace;
use super::run::ResourceArgs;
use super::values::EXPERT;
use crate::run_time::TimeOfDay;
use crate::time_limit::TimeLimit;

/// Options of `night`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct NightArgs {
    /// Level files and folders, which are added to the library, and names of its collections [default: all of them]
    #[arg(value_name = "FILE|NAME")]
    pub(crate) what: Vec<String>,

    /// How long it lasts, such as 8h or 30m [default: until Ctrl-C, or until nothing is left to do]
    #[arg(long = "for", value_name = "TIME", help_heading = "Limits", conflicts_with = "until")]
    pub(crate) time: Option<TimeLimit>,

    /// Time of day when it ends, such as 07:00
    #[arg(long, value_name = "HH:MM", help_heading = "Limits")]
    pub(crate) until: Option<TimeOfDay>,

    #[command(flatten)]
    pub(crate) resources: ResourceArgs,

    /// What counts first, second, ...: moves, pushes, boxlines/pushes; repeatable [default: moves and pushes]
    #[arg(long, value_name = "METRICS")]
    pub(crate) objective: Vec<Objective>,

    #[command(flatten)]
    pub(crate) place: LibraryPlace,

    /// Log to append to [default: night.log beside the library]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) log: Option<PathBuf>,

    /// Print JSON lines
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// No progress and no table, only errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = EXPERT)]
    pub(crate) seed: u64,

    /// Give every level the same time, in turn
    #[arg(long, help_heading = EXPERT)]
    pub(crate) equal_slices: bool,
}
