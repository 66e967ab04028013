//! `cargo xtask dataset`: checks on level files, and levels of our own.

mod check;
mod generate;

use clap::{Args, Subcommand};

pub(crate) use self::generate::{SplitMix64, generate};

/// Arguments of `cargo xtask dataset`.
#[derive(Debug, Args)]
pub(crate) struct DatasetArgs {
    #[command(subcommand)]
    task: DatasetTask,
}

#[derive(Debug, Subcommand)]
enum DatasetTask {
    /// Count what is in level files, replay every solution, find levels that are there twice.
    Check(check::CheckArgs),
    /// Make levels of our own with planted solutions that can be made shorter.
    Generate(generate::GenerateArgs),
}

/// Runs the task that was asked for.
pub(crate) fn run(args: &DatasetArgs) -> anyhow::Result<()> {
    match &args.task {
        DatasetTask::Check(args) => check::run(args),
        DatasetTask::Generate(args) => generate::run(args),
    }
}
