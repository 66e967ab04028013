//! What can be typed: commands and options, each checked on its own.
//!
//! # Contents, in reading order
//! * [`Args`], [`Command`]: the commands.
//! * [`run`]: options that several commands share: what is read, where results go, limits.
//! * [`solve`], [`optimize`], [`look`], [`draw`], [`play`], [`report`], [`library`], [`night`], [`fleet`], [`serve`]: options of their own. [`algorithm`]: the names that `solve --algorithm` takes.
//! * [`dialect`]: the arguments of other programs. [`values`]: values of options that are no types of their own.

pub(crate) mod algorithm;
mod dialect;
mod draw;
mod fleet;
mod library;
mod look;
mod night;
mod optimize;
mod play;
mod report;
mod run;
mod serve;
mod solve;
mod values;

use std::env;
use std::path::PathBuf;

use clap::{ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

use crate::terminal::ColorChoice;

pub(crate) use self::dialect::DialectArgs;
pub(crate) use self::draw::{DrawArgs, GameChoice, PictureFormat, StepChoice, ThemeChoice};
pub(crate) use self::fleet::{CollectArgs, FleetArgs, FleetCommand, FleetPlace, StatusArgs, SubmitArgs, WorkArgs};
pub(crate) use self::library::{
    AddArgs, ExportArgs, ForgetArgs, LibraryArgs, LibraryCommand, LibraryPlace, LibraryUse, ListArgs, RelativesArgs,
    ShowLevelArgs,
};
pub(crate) use self::look::{AnalyzeArgs, ShowArgs, ShowMark};
pub(crate) use self::night::NightArgs;
pub(crate) use self::optimize::{EngineChoice, OptimizeArgs, StoreChoice};
pub(crate) use self::play::PlayArgs;
pub(crate) use self::report::ReportArgs;
pub(crate) use self::run::{FileArgs, NamedLevelArgs, OutputArgs, ResourceArgs, RunArgs};
pub(crate) use self::serve::ServeArgs;
pub(crate) use self::solve::SolveArgs;
use self::values::EXPERT;
pub(crate) use self::values::typed_name;

/// What the program returns to the system, below the help of the program.
const EXIT_CODES: &str = "\
Exit codes:
  0    done; the summary says what was solved or improved
  1    something is wrong: a file that cannot be read or written, a bad board,
       a given solution that does not solve its level. Everything else was done all the same
  2    the command line is wrong; nothing was done
  130  interrupted; what was found by then is saved";

/// The same in half a line.
const SHORT_EXIT_CODES: &str = "Exit codes: 0 done, 1 error, 2 usage, 130 interrupted";

/// Solves Sokoban levels, and makes solutions shorter.
#[derive(Debug, Parser)]
#[command(
    name = "soko",
    version,
    after_help = EXIT_CODES,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    disable_help_flag = true,
    disable_version_flag = true,
    max_term_width = 120
)]
pub(crate) struct Args {
    /// Say more on stderr: -v what happens, -vv each method, -vvv everything
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = "General")]
    pub(crate) verbose: u8,

    /// Colors: auto, always or never; NO_COLOR is honored
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true,
        help_heading = "General"
    )]
    pub(crate) color: ColorChoice,

    /// Print help
    #[arg(short, long, global = true, action = ArgAction::HelpShort, help_heading = "General")]
    help: Option<bool>,

    /// Print version
    #[arg(short = 'V', long, action = ArgAction::Version, help_heading = "General")]
    version: Option<bool>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find solutions of levels, or prove that there is none
    ///
    /// Input files are never changed, and no solution is ever removed.
    /// The first Ctrl-C stops the search and saves what was found, the second one ends the program at once.
    Solve(Box<SolveArgs>),
    /// Make the solutions of level files shorter; levels without a solution are solved first
    ///
    /// Every level is optimized, starting from the best solution it has.
    /// Input files are never changed, and no solution is ever removed.
    /// The first Ctrl-C stops the search and saves what was found, the second one ends the program at once.
    Optimize(Box<OptimizeArgs>),
    /// Put the levels and the best solutions of several files into one, without searching
    Merge(MergeArgs),
    /// Replay every solution of level files and print its six metrics
    Verify(FileArgs),
    /// Say what is in level files: sizes, boxes, squares, bounds, known solutions
    Info(FileArgs),
    /// Draw levels with coordinates, dead squares and bounds
    Show(ShowArgs),
    /// Write a level or a solution as a picture: SVG, PNG, or an animation
    ///
    /// The same level, solution and options give the same bytes.
    Draw(Box<DrawArgs>),
    /// Watch solutions, two beside each other, and play levels, on the whole terminal
    ///
    /// Levels without a solution are played at once. Games are saved as solutions or snapshots.
    Play(PlayArgs),
    /// Say what a level is like: solvable or why not, what is spare, how hard
    ///
    /// It counts the best solutions, those of fewest pushes. Every answer says what is proved and what is not known.
    /// No file is written. Ctrl-C stops and prints what is known by then.
    Analyze(AnalyzeArgs),
    /// Keep levels, solutions and proofs of all collections in one file
    ///
    /// Where a library is in use, solve and optimize start from its best solutions and put back what they find.
    /// A library is in use if --library or SOKO_LIBRARY names it, or if the one in the data folder exists.
    Library(LibraryArgs),
    /// Work on all levels of the library for hours, on those longest that still get better
    ///
    /// Unsolved levels are solved, solved ones improved. What is found is in the library within a second.
    /// Whatever ends it, Ctrl-C or a power cut, the next night begins where it ended.
    Night(Box<NightArgs>),
    /// Work on levels with many computers, by way of a NATS server
    ///
    /// One computer submits levels, any number of others work, and what they find is collected anywhere.
    Fleet(Box<FleetArgs>),
    /// Write a page about what was gained: charts, a table, boards and replays
    ///
    /// The page is one file that loads nothing else.
    Report(ReportArgs),
    /// Show the library in a browser: its levels, replays, live runs, an editor
    ///
    /// The page is served to this machine alone, from 127.0.0.1. Closing it does not stop a run.
    /// Ctrl-C stops the server and its runs; what was found is in the library.
    Serve(ServeArgs),
    /// Take the arguments of the JSoko optimizer, for programs that start it
    #[command(hide = true)]
    AsJsoko(DialectArgs),
    /// Take the arguments of Festival, for programs that start it
    #[command(hide = true)]
    AsFestival(DialectArgs),
    /// Print a script that makes a shell complete commands and options
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write the manual pages into a folder
    #[command(hide = true)]
    Man {
        /// The folder
        folder: PathBuf,
    },
    /// Explain a command; with --expert all of its options
    Help {
        /// The command
        #[arg(value_name = "COMMAND")]
        command: Option<String>,
        /// Show the options for experts, strategies and techniques as well
        #[arg(long)]
        expert: bool,
    },
}

/// Options of `merge`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct MergeArgs {
    /// Level files (.sok, XSB, .slc, .ssx, also .gz), folders of them, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Print JSON lines
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

impl Args {
    /// Reads the command line, and the name by which the program was started; ends the program with a message if it is wrong, or if help was asked for.
    pub(crate) fn of_process() -> Self {
        let mut words: Vec<_> = env::args_os().collect();
        if let Some(command) = words.first().and_then(|program| dialect::command_of(program)) {
            words.insert(1, command.into());
        }
        let matches = Self::user_command().get_matches_from(words);
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// The definition as most users see it: without the options for experts.
    pub(crate) fn user_command() -> clap::Command {
        let hide = |arg: clap::Arg| {
            let is_hidden = arg.is_hide_set() || arg.get_help_heading() == Some(EXPERT);
            arg.hide(is_hidden)
        };
        let more = |command: clap::Command| {
            let has_experts = command.get_arguments().any(|arg| arg.get_help_heading() == Some(EXPERT));
            let name = command.get_name().to_owned();
            let command = command.mut_args(hide);
            if has_experts {
                let more = format!("All options: soko help {name} --expert. {SHORT_EXIT_CODES}");
                command.after_help(more)
            } else {
                command
            }
        };
        Self::expert_command().mut_subcommands(more)
    }

    /// The definition with everything.
    pub(crate) fn expert_command() -> clap::Command {
        Self::command().mut_subcommands(|command| match command.get_name() {
            // A file is all that it is for.
            "merge" => command.mut_arg("no_output", |arg| arg.hide(true)),
            _ => command,
        })
    }
}
