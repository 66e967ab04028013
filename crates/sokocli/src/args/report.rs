//! Options of `report`.

use std::path::PathBuf;

use super::library::LibraryPlace;

/// Options of `report`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// Level files with results, or collections of the library [default: all collections of the library]
    #[arg(value_name = "FILE|NAME")]
    pub(crate) what: Vec<String>,

    /// Page to write; - for stdout
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub(crate) output: PathBuf,

    /// Replace what -o names
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) place: LibraryPlace,
}
