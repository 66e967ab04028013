//! Options of `solve`.

use std::path::PathBuf;

use sokosolver::Technique;

use super::algorithm::{self, Best, DirectionChoice, PORTFOLIO};
use super::run::RunArgs;
use super::values::{EXPERT, Switch};

/// Options of `solve`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// Prove the best solution by pushes, moves, pushes/moves or moves/pushes
    #[arg(long, value_enum, value_name = "METRICS", hide_possible_values = true)]
    pub(crate) optimal: Option<Best>,

    /// Leave out levels that have a solution in their file
    #[arg(long)]
    pub(crate) unsolved: bool,

    /// Write solutions as they are found, detours and all
    #[arg(long)]
    pub(crate) raw: bool,

    /// New file of a line for each level, .jsonl or .csv, or - for stdout; files are read as they are reached
    ///
    /// For files by the thousand: levels are solved one by one on each thread, memory does not grow, and nothing else is
    /// written. Solutions are left as they are found, and no library is used.
    #[arg(long, value_name = "FILE", help_heading = "Output",
          conflicts_with_all = ["place", "json", "library", "total_time", "until", "jobs"])]
    pub(crate) results: Option<PathBuf>,

    /// Continue the file of --results: levels with a line there are left out
    #[arg(long, requires = "results", help_heading = "Output")]
    pub(crate) resume: bool,

    /// Prove again what the files say is proved
    #[arg(long, help_heading = EXPERT)]
    pub(crate) recheck: bool,

    /// One way of searching instead of the portfolio
    ///
    /// bfs, iddfs, a-star and ida-star find fewest pushes and prove it, unless --optimal says otherwise.
    #[arg(long, value_name = "NAME", default_value = PORTFOLIO, value_parser = algorithm::names(), help_heading = EXPERT)]
    pub(crate) algorithm: String,

    /// The side that the algorithm starts from
    #[arg(long, value_enum, help_heading = EXPERT)]
    pub(crate) direction: Option<DirectionChoice>,

    /// Techniques to switch off, joined by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = algorithm::techniques(Switch::Off),
          help_heading = EXPERT)]
    pub(crate) without: Vec<Technique>,

    /// Techniques to switch on, joined by commas; they are off otherwise
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = algorithm::techniques(Switch::On),
          help_heading = EXPERT)]
    pub(crate) with: Vec<Technique>,
}
