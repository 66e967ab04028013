//! Options of `fleet`.

use std::path::PathBuf;

use clap::Subcommand;
use sokocore::Objective;
use sokofleet::{FleetAddress, FleetName, ParseNameError};

use super::library::LibraryPlace;
use super::run::ResourceArgs;
use super::values::EXPERT;
use crate::time_limit::TimeLimit;

/// Options of `fleet`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct FleetArgs {
    #[command(flatten)]
    pub(crate) place: FleetPlace,

    #[command(subcommand)]
    pub(crate) command: FleetCommand,
}

/// Where the fleet is.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct FleetPlace {
    /// Server, or several of a cluster joined by commas, such as nats://user:password@host:4222
    #[arg(
        long,
        value_name = "URL",
        global = true,
        env = "SOKO_NATS",
        hide_env_values = true,
        default_value = "nats://localhost:4222",
        help_heading = "Server"
    )]
    nats: String,

    /// File of credentials, as the tools of the server make it
    #[arg(long, value_name = "FILE", global = true, help_heading = "Server")]
    credentials: Option<PathBuf>,

    /// Certificate that signed the server's, if the system does not know it
    #[arg(long, value_name = "FILE", global = true, help_heading = "Server")]
    certificate: Option<PathBuf>,

    /// Name of the fleet, where a server has several
    #[arg(long, value_name = "NAME", global = true, default_value = "soko", help_heading = "Server")]
    pub(crate) fleet: FleetName,
}

impl FleetPlace {
    /// Returns where the server is.
    pub(crate) fn address(&self) -> FleetAddress {
        FleetAddress::new(&*self.nats)
            .with_credentials(self.credentials.clone())
            .with_root_certificate(self.certificate.clone())
    }
}

/// What is done with the fleet.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum FleetCommand {
    /// Give levels to the fleet, with the solutions that are known
    ///
    /// Submitting twice changes nothing, but for a time that was over: it begins again.
    Submit(SubmitArgs),
    /// Work for the fleet, until Ctrl-C; as many workers as one likes, on any computer
    ///
    /// A worker may be killed and started at any time. A server that is away is waited for.
    Work(Box<WorkArgs>),
    /// Say who works, what waits, and what was gained
    Status(StatusArgs),
    /// The same, drawn anew every few seconds until Ctrl-C
    Watch,
    /// Fetch the best solutions; each is replayed here
    Collect(CollectArgs),
    /// End all slices and workers; the next submission, or --resume, begins again
    Drain {
        /// Let workers work again
        #[arg(long)]
        resume: bool,
        /// Remove everything of the fleet from the server: levels, solutions, work
        #[arg(long, conflicts_with = "resume")]
        remove: bool,
    },
}

/// Options of `fleet submit`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SubmitArgs {
    /// Level files and folders, and names of collections of the library
    #[arg(value_name = "FILE|NAME", required = true)]
    pub(crate) what: Vec<String>,

    /// What counts first, second, ...: moves, pushes, boxlines/pushes; repeatable [default: moves and pushes]
    #[arg(long, value_name = "METRICS")]
    pub(crate) objective: Vec<Objective>,

    /// How long the levels are worked on, from now, such as 2h [default: until nothing is left to do]
    #[arg(long = "for", value_name = "TIME", help_heading = "Limits")]
    pub(crate) time: Option<TimeLimit>,

    /// Library with the collections that are named
    #[command(flatten)]
    pub(crate) library: LibraryPlace,

    /// Servers that keep a new fleet, 1 to 5 [default: 3 in a cluster, else 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5), help_heading = EXPERT)]
    pub(crate) replicas: Option<u8>,

    /// Time without a sign of life after which a slice of a new fleet is given to another worker
    #[arg(long, value_name = "TIME", default_value = "30s", help_heading = EXPERT)]
    pub(crate) patience: TimeLimit,
}

/// Options of `fleet work`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct WorkArgs {
    #[command(flatten)]
    pub(crate) resources: ResourceArgs,

    /// How long it works, such as 8h [default: until Ctrl-C]
    #[arg(long = "for", value_name = "TIME", help_heading = "Limits")]
    pub(crate) time: Option<TimeLimit>,

    /// End when nothing is left to do, here and at other workers
    #[arg(long, help_heading = "Limits")]
    pub(crate) until_empty: bool,

    /// Name of the worker, which no other one has [default: the computer's and some digits]
    #[arg(long, value_name = "NAME", value_parser = worker_name)]
    pub(crate) name: Option<String>,

    /// Print JSON lines
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Only errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Folder for solutions that wait for a server that is away [default: one in the data folder]
    #[arg(long, value_name = "FOLDER", help_heading = EXPERT)]
    pub(crate) spool: Option<PathBuf>,

    /// Most islands of a level and objective
    #[arg(long, value_name = "N", default_value_t = 64, help_heading = EXPERT)]
    pub(crate) islands: u64,
}

/// Workers have names like fleets.
fn worker_name(text: &str) -> Result<String, ParseNameError> {
    text.parse::<FleetName>().map(|name| name.to_string())
}

/// Options of `fleet status`.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct StatusArgs {
    /// Print JSON lines
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

/// Options of `fleet collect`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct CollectArgs {
    /// New file for all levels and solutions; DIR/ for a file for each collection; - for stdout
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Replace what -o names
    #[arg(long, requires = "output", help_heading = "Output")]
    pub(crate) force: bool,

    /// Add the collections and the solutions to a library [default: SOKO_LIBRARY, or one in the data folder]
    #[arg(long, value_name = "FILE", num_args = 0..=1, help_heading = "Output")]
    #[expect(clippy::option_option, reason = "not asked for, asked for, asked for by name")]
    pub(crate) library: Option<Option<PathBuf>>,

    /// Take over what workers say is proved; no replay can show it
    #[arg(long, help_heading = "Output")]
    pub(crate) proofs: bool,

    /// Print JSON lines
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}
