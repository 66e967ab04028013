//! The `soko` program: solves Sokoban levels and makes solutions shorter.
//!
//! ```text
//!  Args ──▶ Plan ──▶ Inputs ──▶ LevelTask ──jobs──▶ Pool ──▶ Saver ──▶ OUT
//!  (text)  (built)   (files)        │                 └────▶ table, JSON lines ──▶ exit code
//!                                   └── Screen: bars or lines on stderr
//! ```
//!
//! # Contents, in reading order
//! * [`args`], [`plan`]: what was typed, and what is made of it. Start here.
//! * [`time_limit`], [`memory_size`], [`level_ranges`], [`free_memory`]: the values of options.
//! * [`session`], [`inputs`], [`complaint`]: a run from its files to its summary, and how we speak about places in them.
//! * [`solve`], [`optimize`], [`verify`], [`info`]: the commands.
//! * [`saver`]: keeps what is found on disk.
//! * [`screen`], [`table`], [`json`], [`wording`], [`output`], [`exit`], [`interrupt`]: how they talk.
//!
//! # Absent on purpose
//! Everything about Sokoban itself.
#![forbid(unsafe_code)]

mod args;
mod complaint;
mod exit;
mod free_memory;
mod info;
mod inputs;
mod interrupt;
mod json;
mod level_ranges;
mod memory_size;
mod optimize;
mod output;
mod plan;
mod push_range;
mod saver;
mod screen;
mod session;
mod solve;
mod table;
mod time_limit;
mod verify;
mod wording;

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::args::{Args, Command};
use crate::exit::Exit;

fn main() -> ExitCode {
    let args = Args::parse();
    start_logging(args.verbose);
    let result = match args.command {
        Command::Solve(solve) => solve::run(&solve, args.verbose),
        Command::Optimize(optimize) => optimize::run(&optimize, args.verbose),
        Command::Verify(verify) => verify::run(&verify),
        Command::Info(info) => info::run(&info),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(error) if output::is_broken_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            complaint::error(&format!("{error:#}"));
            Exit::of(&error).into()
        }
    }
}

/// Sends diagnostics to stderr: `-v` info, `-vv` debug, `-vvv` trace; `RUST_LOG` has the last word.
fn start_logging(verbose: u8) {
    let level = match verbose {
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let filter = EnvFilter::builder().with_default_directive(level.into()).from_env_lossy();
    let is_terminal = io::stderr().is_terminal();
    tracing_subscriber::fmt().with_env_filter(filter).with_ansi(is_terminal).with_writer(io::stderr).init();
}
