//! Options of `serve`.

use super::library::LibraryPlace;
use super::run::ResourceArgs;

/// Options of `serve`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ServeArgs {
    /// Port on 127.0.0.1 [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,

    /// Print the link, and leave it to you to open it
    #[arg(long)]
    pub(crate) no_open: bool,

    #[command(flatten)]
    pub(crate) resources: ResourceArgs,

    #[command(flatten)]
    pub(crate) place: LibraryPlace,
}
