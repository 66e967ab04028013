//! `cargo xtask dataset`: checks on level files, and levels of our own.

mod check;
mod generate;

use clap::{Args as ClapArgs, Subcommand};

pub(crate) use self::generate::{SplitMix64, generate};

/// Arguments of `cargo xtask dataset`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Count what is in level files, replay every solution, find levels that are there twice.
    Check(check::Args),
    /// Make levels of our own with planted solutions that can be made shorter.
    Generate(generate::GenerateArgs),
}

/// Runs the task that was asked for.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.task {
        Task::Check(args) => check::run(args),
        Task::Generate(args) => generate::run(args),
    }
}
