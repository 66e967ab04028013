//! The developer's tool: `cargo xtask ci | tidy | api | dataset | bench | campaign | man | package | python`. Not a layer; nothing depends on it.
//!
//! Every check that a machine can make is a command here and nowhere else, so that green on one machine is green
//! on another. There are no scripts beside it but `.ci/run`, which calls `cargo xtask ci`.
//!
//! `bench`, `campaign` and `dataset` need the crates of the workspace, and take long: the tool as `cargo xtask` builds it
//! forwards them to its release build with the feature `bench`.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a console program talks on the console")]

mod api;
#[cfg(feature = "bench")]
mod bench;
#[cfg(feature = "bench")]
mod campaign;
mod ci;
#[cfg(feature = "bench")]
mod dataset;
#[cfg(not(feature = "bench"))]
mod forward;
mod man;
mod package;
mod python;
mod source_tree;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::ci::Tier;

/// The developer's tool of the Soko workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", disable_help_subcommand = true)]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Run every check; stop at the first that fails.
    Ci {
        /// Also run the slow tests (with `SOKO_FULL=1`, optimized) and package every crate.
        #[arg(long)]
        full: bool,
    },
    /// Check what neither the compiler nor clippy checks: layers, files, manifests, links.
    Tidy,
    /// Compare the public items of every library with the lists in `docs/api`, or write these.
    Api(api::ApiArgs),
    /// Check level files, or make levels of our own.
    #[cfg(feature = "bench")]
    Dataset(dataset::DatasetArgs),
    /// Run the optimizer over a level set and print what it did.
    #[cfg(feature = "bench")]
    Bench(Box<bench::BenchArgs>),
    /// Attack what Soko promises, for as long as asked.
    #[cfg(feature = "bench")]
    Campaign(campaign::CampaignArgs),
    /// Check level files, or make levels of our own.
    #[cfg(not(feature = "bench"))]
    #[command(disable_help_flag = true)]
    Dataset(forward::ForwardedArgs),
    /// Run the optimizer over a level set and print what it did.
    #[cfg(not(feature = "bench"))]
    #[command(disable_help_flag = true)]
    Bench(forward::ForwardedArgs),
    /// Attack what Soko promises, for as long as asked.
    #[cfg(not(feature = "bench"))]
    #[command(disable_help_flag = true)]
    Campaign(forward::ForwardedArgs),
    /// Write the manual pages of the program.
    Man(man::ManArgs),
    /// Show that every crate could be published.
    Package,
    /// Test the package for Python in a fresh environment.
    Python(python::PythonArgs),
}

fn main() -> ExitCode {
    let done = match Args::parse().task {
        Task::Ci { full } => ci::run(if full { Tier::Full } else { Tier::Fast }),
        Task::Tidy => tidy::run(),
        Task::Api(args) => api::run(&args),
        #[cfg(feature = "bench")]
        Task::Dataset(args) => dataset::run(&args),
        #[cfg(feature = "bench")]
        Task::Bench(args) => bench::run(&args),
        #[cfg(feature = "bench")]
        Task::Campaign(args) => campaign::run(&args),
        #[cfg(not(feature = "bench"))]
        Task::Dataset(args) => forward::run("dataset", &args),
        #[cfg(not(feature = "bench"))]
        Task::Bench(args) => forward::run("bench", &args),
        #[cfg(not(feature = "bench"))]
        Task::Campaign(args) => forward::run("campaign", &args),
        Task::Man(args) => man::run(&args),
        Task::Package => package::run(),
        Task::Python(args) => python::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
