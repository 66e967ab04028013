//! Commands that need the feature `bench`: they are run by the release build of this tool that has it.

use std::ffi::OsString;

use crate::workspace::{self, cargo};

/// Arguments for the other build, which checks them.
#[derive(Debug, clap::Args)]
pub(crate) struct ForwardedArgs {
    /// What to run; `--help` lists it
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// Builds the tool with the feature, and runs a command of it.
pub(crate) fn run(command: &str, args: &ForwardedArgs) -> anyhow::Result<()> {
    let options = ["run", "--quiet", "--release", "--package", "xtask", "--features", "bench", "--", command];
    let mut build = cargo(&options);
    build.args(&args.args);
    workspace::run(build)
}
