//! The `soko` program: solves Sokoban levels and makes solutions shorter.
//!
//! ```text
//!  Args ──▶ Inputs ──▶ work list ──▶ tasks ──jobs──▶ solutions ──▶ Saver ──▶ Outputs
//!  (text)   (files)    (each level      │                  └─────▶ table, CSV, JSON lines ──▶ exit code
//!                       once)           └── Screen: progress on stderr
//! ```
//!
//! # Contents, in reading order
//! * [`args`], [`plan`]: what was typed, and what is made of it. Start here.
//! * [`time_limit`], [`memory_size`], [`level_ranges`], [`push_range`], [`free_memory`]: the values of options.
//! * [`session`]: a run from its files to its summary. [`inputs`], [`work_list`], [`outputs`]: what is read, what is to
//!   be done, what is written.
//! * [`level_jobs`], [`run_time`], [`in_order`], [`process_memory`]: threads, time, order and memory of a run.
//! * [`solve`], [`optimize`], [`merge`], [`verify`], [`info`], [`show`], [`draw`], [`play`], [`analyze`], [`library`], [`night`],
//!   [`report`], [`help`]: the commands.
//!   [`dialect`]: the commands of other programs. [`known_solutions`]: what a file has of a level.
//! * [`proofs`]: what is proved, as files say it. [`new_file`]: files that are replaced only if asked for.
//! * [`console`], [`terminal`], [`complaint`], [`level_fault`], [`board_picture`], [`screen`], [`watch`], [`doing`], [`table`],
//!   [`json`], [`wording`], [`output`], [`exit`], [`interrupt`]: how they talk.
//!
//! # Absent on purpose
//! Everything about Sokoban itself.

mod analyze;
mod args;
mod board_picture;
mod bound_share;
mod complaint;
mod console;
mod dialect;
mod doing;
mod draw;
mod exit;
mod fleet;
mod free_memory;
mod help;
mod in_order;
mod info;
mod inputs;
mod interrupt;
mod json;
mod known_solutions;
mod level_fault;
mod level_jobs;
mod level_ranges;
mod library;
mod memory_size;
mod merge;
mod new_file;
mod night;
mod optimize;
mod output;
mod outputs;
mod plan;
mod play;
mod process_memory;
mod proofs;
mod push_range;
mod recorded_games;
mod report;
mod run_time;
mod screen;
mod serve;
mod session;
mod show;
mod solve;
mod table;
mod terminal;
mod time_limit;
mod verify;
mod watch;
mod wording;
mod work_list;

use std::io;
use std::process::ExitCode;

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::args::{Args, Command};
use crate::console::Console;
use crate::exit::Exit;

fn main() -> ExitCode {
    let args = Args::of_process();
    let console = Console::of(&args);
    start_logging(&console);
    let result = match args.command {
        Command::Solve(solve) => solve::run(&solve, &console),
        Command::Optimize(optimize) => optimize::run(&optimize, &console),
        Command::Verify(verify) => verify::run(&verify, &console),
        Command::Info(info) => info::run(&info, &console),
        Command::Show(show) => show::run(&show, &console),
        Command::Draw(draw) => draw::run(&draw, &console),
        Command::Play(play) => play::run(&play, &console),
        Command::Analyze(analyze) => analyze::run(&analyze, &console),
        Command::Merge(merge) => merge::run(&merge, &console),
        Command::Library(library) => library::run(&library, &console),
        Command::Night(night) => night::run(&night, &console),
        Command::Fleet(fleet) => fleet::run(&fleet, &console),
        Command::Report(report) => report::run(&report, &console),
        Command::Serve(serve) => serve::run(&serve, &console),
        Command::AsJsoko(jsoko) => dialect::jsoko::run(&jsoko, &console),
        Command::AsFestival(festival) => dialect::festival::run(&festival, &console),
        Command::Help { command, expert } => help::help(command.as_deref(), expert),
        Command::Completions { shell } => help::completions(shell).map_err(Into::into),
        Command::Man { folder } => help::manual(&folder),
    };
    console.complaints.end();
    match result {
        Ok(exit) => exit.into(),
        Err(error) if output::is_broken_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            console.complaints.error(&format!("{error:#}"));
            Exit::of(&error).into()
        }
    }
}

/// Sends diagnostics to stderr: `-v` info, for users; `-vv` debug and `-vvv` trace, for ourselves. `RUST_LOG` has the
/// last word.
fn start_logging(console: &Console) {
    let level = match console.verbose {
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    // Its client tells of each attempt to connect, which is not for users.
    let of_server = if console.verbose < 2 { LevelFilter::OFF } else { level };
    let by_level = Targets::new().with_default(level).with_target("async_nats", of_server);
    let directives = std::env::var("RUST_LOG").unwrap_or_default();
    let filter = match directives.parse::<Targets>() {
        Ok(filter) if !directives.is_empty() => filter,
        Ok(_) => by_level,
        Err(error) => {
            console.complaints.warning(&format!("RUST_LOG is ignored: {error}"));
            by_level
        }
    };
    let has_color = console.complaints.terminal().has_color();
    let log = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_ansi(has_color).with_writer(io::stderr);
    if console.verbose < 2 && std::env::var_os("RUST_LOG").is_none() {
        log.without_time().with_target(false).with_level(false).finish().with(filter).init();
    } else {
        log.finish().with(filter).init();
    }
}
