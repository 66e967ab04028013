//! `cargo xtask bench`: measurements, each a command of its own.
//!
//! # Contents
//! * `optimize`: the optimizer over a level set, which `cargo xtask bench` without a further command runs; `signature`: the
//!   same with an amount of work, on record so that nothing changes by accident.
//! * `gap`: how far the optimizer is from the best known solutions, over time. `best_known`: long runs that feed their
//!   table.
//! * `ablation`: what each technique of the optimizer brings. `resume`: whether two runs that share a checkpoint end like
//!   one. `night`: which share of the time of equal slices a night needs. `islands`: what several runs on one level bring
//!   that exchange what they find. `fleet`: what one server does in a second. `fleet_simulation`:
//!   how many workers it can serve.
//! * `solve`: the solver over level sets.
//! * `tube`: the engines, one pass each. `latency`: what the memory allows them. `files`: reading, editing and writing.
//! * `limits`: whether the program keeps its limits of memory and time.
//!
//! What they share: `level_set`, the levels; `optimize_run`, `soko optimize` in a process of its own; `trajectory`, its
//! best solution over time; `comparison`, two runs level by level; `signed_rank`, a paired test; `usage`, what a process used; `csv_table`, the files of
//! rows that they write.

mod ablation;
mod best_known;
mod comparison;
mod csv_table;
mod files;
mod fleet;
mod fleet_simulation;
mod gap;
mod islands;
mod latency;
mod level_set;
mod limits;
mod night;
mod optimize;
mod optimize_run;
mod resume;
mod signature;
mod signed_rank;
mod solve;
mod trajectory;
mod tube;
mod usage;

use std::time::Duration;

use clap::Args;

use optimize::OptimizeBenchArgs;
pub(crate) use optimize_run::build_soko;

/// Arguments of `cargo xtask bench`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    optimize: OptimizeBenchArgs,
    /// Recompute the signature and compare it with the one on record.
    #[arg(long, conflicts_with_all = ["set", "record"])]
    check: bool,
    /// Recompute the signature and put it on record.
    #[arg(long, conflicts_with = "set")]
    record: bool,
}

/// Other benches.
#[derive(Debug, clap::Subcommand)]
enum What {
    /// One pass of vicinity search over whole solutions, engine by engine.
    Tube(tube::TubeArgs),
    /// What each technique of the optimizer brings.
    Ablation(ablation::AblationArgs),
    /// Long runs that feed the table of best known solutions.
    BestKnown(best_known::BestKnownArgs),
    /// How far the optimizer is from the best known solutions, over time.
    Gap(gap::GapArgs),
    /// Whether two runs that share a checkpoint end like one of twice the length.
    Resume(resume::ResumeArgs),
    /// What a server of a fleet does in a second: slices without work, and levels that are submitted.
    Fleet(fleet::FleetArgs),
    /// How many workers one server of a fleet can serve, by simulation.
    FleetSimulation(fleet_simulation::FleetSimulationArgs),
    /// What several islands on one level bring at equal total work.
    Islands(islands::IslandsArgs),
    /// Which share of the time of equal slices a night needs.
    Night(night::NightBenchArgs),
    /// The solver over level sets.
    Solve(solve::SolveBenchArgs),
    /// Whether the program keeps its limits of memory and time, measured from outside.
    Limits(limits::LimitsArgs),
    /// What reading, editing and writing level files costs.
    Files(files::FilesArgs),
    /// Lookups a second that the memory of this machine allows.
    Latency(latency::LatencyArgs),
    /// Search what does not fit into so much memory.
    #[command(hide = true)]
    Fill(limits::FillArgs),
    /// Run a program and say what it used.
    #[command(hide = true)]
    Watch(usage::WatchArgs),
}

/// Runs the bench.
pub(crate) fn run(args: &BenchArgs) -> anyhow::Result<()> {
    match &args.what {
        Some(What::Tube(args)) => tube::run(args),
        Some(What::Ablation(args)) => ablation::run(args),
        Some(What::BestKnown(args)) => best_known::run(args),
        Some(What::Gap(args)) => gap::run(args),
        Some(What::Resume(args)) => resume::run(args),
        Some(What::Fleet(args)) => fleet::run(args),
        Some(What::FleetSimulation(args)) => fleet_simulation::run(args),
        Some(What::Islands(args)) => islands::run(args),
        Some(What::Night(args)) => night::run(args),
        Some(What::Solve(args)) => solve::run(args),
        Some(What::Limits(args)) => limits::run(args),
        Some(What::Files(args)) => files::run(args),
        Some(What::Latency(args)) => latency::run(args),
        Some(What::Fill(args)) => limits::fill(args),
        Some(What::Watch(args)) => usage::watch(args),
        None if args.record => signature::record(),
        None if args.check => signature::check(),
        None => optimize::run(&args.optimize),
    }
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.trim_end_matches('s').parse().map_err(|_| format!("'{text}' is no number of seconds"))?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
