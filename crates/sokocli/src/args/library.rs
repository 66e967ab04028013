//! Options of `library`, and the option that names the library.

use std::path::PathBuf;

use clap::Subcommand;

use super::run::PrintArgs;
use super::values::EXPERT;
use crate::library::since::Since;

/// Which library is used.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct LibraryPlace {
    /// Library [default: SOKO_LIBRARY, or one in the data folder]
    #[arg(long, value_name = "FILE", global = true, help_heading = "Output")]
    pub(crate) library: Option<PathBuf>,
}

/// Whether a library is used, and which.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct LibraryUse {
    #[command(flatten)]
    pub(crate) place: LibraryPlace,

    /// Neither start from the library nor add to it
    #[arg(long, help_heading = EXPERT, conflicts_with = "library")]
    pub(crate) no_library: bool,
}

/// Options of `library`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LibraryArgs {
    #[command(flatten)]
    pub(crate) place: LibraryPlace,

    #[command(subcommand)]
    pub(crate) command: LibraryCommand,
}

/// What is done with the library.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum LibraryCommand {
    /// Add level files: their collections, levels and solutions
    ///
    /// A file that was added before replaces its collection. Of files of results, *.soko.sok, only the solutions are taken.
    Add(AddArgs),
    /// List the collections, or the levels of some
    List(ListArgs),
    /// Show a level: where it stands, its solutions, what is proved, what was tried
    Show(ShowLevelArgs),
    /// Write collections with their best solutions
    Export(ExportArgs),
    /// Say how the sums of collections have changed
    Stats(ListArgs),
    /// List levels that are turned or mirrored images of others
    Relatives(RelativesArgs),
    /// Read everything and replay every solution
    Check {
        /// Save what is right in a new file; the damaged one is kept beside it
        #[arg(long)]
        repair: bool,
    },
    /// Give unused room back to the disk
    Compact,
    /// Forget collections, or levels with their solutions
    Forget(ForgetArgs),
}

/// Options of `library add`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct AddArgs {
    /// Level files, folders of them, other libraries (.sqlite), or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Name of the collection, if it is one file [default: the name of the file]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Take the solutions and the levels that have some, but no collection
    #[arg(long)]
    pub(crate) only_solutions: bool,
}

/// Options of `library list` and `library stats`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// Collections
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}

/// Options of `library show`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ShowLevelArgs {
    /// First digits of an identity, NAME:NUMBER for a level of a collection, or a title
    #[arg(value_name = "LEVEL", required = true)]
    pub(crate) level: String,

    /// Print JSON lines instead of text
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// Options of `library export`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ExportArgs {
    /// Collections [default: all]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// File for all, DIR/ for a file each, - for stdout
    #[arg(short, long, value_name = "OUT", required_unless_present_any = ["json", "csv"], help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Replace what -o names
    #[arg(long, requires = "output", help_heading = "Output")]
    pub(crate) force: bool,

    /// All solutions, not just the best by moves and by pushes
    #[arg(long)]
    pub(crate) all: bool,

    /// Only levels that improved since their collection was exported last, or added
    #[arg(long)]
    pub(crate) improved: bool,

    /// Only levels that improved since a day, such as 2026-11-23, or a time of it, 2026-11-23T21:00:00Z
    #[arg(long, value_name = "DATE", conflicts_with = "improved")]
    pub(crate) since: Option<Since>,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}

/// Options of `library relatives`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RelativesArgs {
    /// Carry the solutions over, turned
    #[arg(long)]
    pub(crate) carry: bool,
}

/// Options of `library forget`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ForgetArgs {
    /// Collections; their levels and solutions stay
    #[arg(value_name = "NAME", required_unless_present = "level")]
    pub(crate) names: Vec<String>,

    /// A level, named as in `library show`, with all of its solutions; repeatable
    #[arg(long, value_name = "LEVEL")]
    pub(crate) level: Vec<String>,

    /// Do it; without, only say what would be forgotten
    #[arg(long)]
    pub(crate) yes: bool,
}
