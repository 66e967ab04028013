//! What can be typed: commands and options, each checked on its own. Nothing is opened here.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgAction, Parser, Subcommand, ValueEnum};
use sokocore::Objective;
use sokomethods::Interval;

use crate::free_memory::free_memory;
use crate::level_ranges::LevelRanges;
use crate::memory_size::MemorySize;
use crate::optimize::square;
use crate::push_range::{PushRange, interval};
use crate::solve::choice::{self, Best, Direction, PORTFOLIO};
use crate::time_limit::TimeLimit;

const EXIT_CODES: &str = "\
Exit codes:
  0    done; the summary says what was solved or improved
  1    something is wrong: a file that cannot be read or written, a board that is no level,
       a given solution that does not solve its level. Everything else was done all the same
  2    the command line is wrong; nothing was done
  130  interrupted; what was found by then is saved";

/// Solves Sokoban levels, and makes solutions shorter.
#[derive(Debug, Parser)]
#[command(name = "soko", version, after_help = EXIT_CODES, arg_required_else_help = true)]
pub(crate) struct Args {
    /// Say more on stderr: -v what is done, -vv each method, -vvv everything; RUST_LOG is honored
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(crate) verbose: u8,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find solutions of levels
    ///
    /// Input files are never changed, and no solution is ever removed.
    /// What is found passes through a few milliseconds of optimizing before it is written.
    /// The first Ctrl-C stops the search and saves what was found, the second one ends the program at once.
    #[command(after_help = EXIT_CODES)]
    Solve(Box<SolveArgs>),
    /// Make the solutions of level files shorter
    ///
    /// Every level is optimized, starting from the best solution it has; one that has none is solved first.
    /// Input files are never changed, and no solution is ever removed.
    /// The first Ctrl-C stops the search and saves what was found, the second one ends the program at once.
    #[command(after_help = EXIT_CODES)]
    Optimize(Box<OptimizeArgs>),
    /// Replay every solution of level files and print its six metrics
    ///
    /// Exit code 1 if a solution is wrong or a board is no level.
    #[command(after_help = EXIT_CODES)]
    Verify(FileArgs),
    /// Say what is in level files: sizes, boxes, squares, a lower bound, known solutions
    #[command(after_help = EXIT_CODES)]
    Info(FileArgs),
}

/// Options of `verify` and `info`.
#[derive(Debug, clap::Args)]
pub(crate) struct FileArgs {
    /// Level files: .sok or XSB text
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Print JSON lines instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of the commands that write level files.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Level files: .sok or XSB text
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// File for all levels of the input with their best solutions
    ///
    /// Without it, each input that gained something gets a copy beside it, with the new solutions added:
    /// levels.soko.sok for levels.sok, numbered if that name is taken.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Replace OUT if it exists
    #[arg(long, requires = "output")]
    pub(crate) force: bool,

    /// Levels to work on, counted over all files, such as 1,3-5 or 7- [default: all]
    #[arg(long, value_name = "LEVELS")]
    pub(crate) levels: Option<LevelRanges>,

    /// Most memory to use, such as 64MiB or 2G [default: half of what is free]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<MemorySize>,

    /// No progress and no table, only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Print JSON lines instead of the table
    #[arg(long)]
    pub(crate) json: bool,
}

impl RunArgs {
    /// Returns the memory that the whole process may use, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.memory.map_or_else(|| free_memory() / 2, |memory| memory.0)
    }
}

/// Options of `solve`.
#[derive(Debug, clap::Args)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// What a solution must be best in; then the search goes on until that is proved
    #[arg(long, value_enum, value_name = "METRICS")]
    pub(crate) optimal: Option<Best>,

    /// One way of searching instead of the portfolio
    ///
    /// bfs, iddfs, a-star and ida-star find fewest pushes and prove it, unless --optimal says otherwise.
    #[arg(long, value_name = "NAME", default_value = PORTFOLIO, value_parser = choice::names())]
    pub(crate) algorithm: String,

    /// The side that the algorithm starts from
    #[arg(long, value_enum)]
    pub(crate) direction: Option<Direction>,

    /// Techniques to switch off, joined by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = choice::techniques())]
    pub(crate) without: Vec<String>,

    /// Techniques to switch on, joined by commas; goal-corrals, goal-cuts, goal-order, shared-proofs are off otherwise
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = choice::techniques())]
    pub(crate) with: Vec<String>,

    /// Longest time for one level, such as 50ms, 30s, 5m, 2h [default: 60s; without limit if --work is given]
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<TimeLimit>,

    /// Threads that work on a level [default: one for each processor; one if --work is given]
    #[arg(long, value_name = "N", value_parser = n_threads)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Most units of work for one level; unlike time, with one thread the same on every machine
    #[arg(long, value_name = "N")]
    pub(crate) work: Option<u64>,

    /// Write solutions as they are found, detours and all
    #[arg(long)]
    pub(crate) raw: bool,

    /// Leave out levels that have a solution in their file
    #[arg(long)]
    pub(crate) unsolved: bool,
}

/// Options of `optimize`.
#[derive(Debug, clap::Args)]
pub(crate) struct OptimizeArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// What to make small: moves, pushes, boxlines, boxchanges, sessions, playerlines, or several joined by /,
    /// or pushes-only, or moves/most-pushes; may be given several times [default: moves and pushes]
    #[arg(long, value_name = "OBJECTIVE")]
    pub(crate) objective: Vec<Objective>,

    /// Pushes that may change, such as 100..400, 100.. or ..400: what happens from after the first to after the last
    ///
    /// All moves before and after stay as they are.
    #[arg(long, value_name = "A..B")]
    pub(crate) pushes: Option<PushRange>,

    /// Go through the solution, or the range of pushes, in intervals of N pushes [overlap: half of N]
    #[arg(long, value_name = "N[,OVERLAP]", value_parser = interval)]
    pub(crate) interval: Option<Interval>,

    /// Boxes that are not pushed, in the range or interval if there is one, stay where they are, like walls
    #[arg(long)]
    pub(crate) freeze: bool,

    /// The player ends where it ends now
    #[arg(long)]
    pub(crate) keep_end: bool,

    /// Square that nobody may enter, by column and row of the picture from 1; may be given several times
    ///
    /// Starts from the solutions that keep off these squares. A box that stands on a goal there stays untouched.
    #[arg(long, value_name = "COLUMN,ROW", value_parser = square)]
    pub(crate) avoid: Vec<(usize, usize)>,

    /// Do not call the solver: leave levels without a solution as they are
    ///
    /// Otherwise they are solved first, within half of their time, and where a solution gets no better, the solver
    /// is asked for others.
    #[arg(long)]
    pub(crate) no_solve: bool,

    /// Do not combine the several solutions of a level
    #[arg(long)]
    pub(crate) no_relink: bool,

    /// Optimize snapshots as well: games that end in a position worth keeping, boxes and player
    #[arg(long)]
    pub(crate) snapshots: bool,

    /// End each search with its first gain
    #[arg(long)]
    pub(crate) first: bool,

    /// Longest time for one level, such as 50ms, 30s, 5m, 2h [default: 30s; without limit if --work is given]
    ///
    /// With fewer threads than objectives, the objectives of a level share its time.
    #[arg(long, value_name = "TIME")]
    pub(crate) time: Option<TimeLimit>,

    /// Searches that run at the same time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = n_threads)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Squares that each displaced box may take, for one to four boxes, 1 to 999 each
    #[arg(long, value_name = "N,N..", default_value = "20,10", value_delimiter = ',', num_args = 1,
          value_parser = vicinity_limit)]
    pub(crate) vicinity: Vec<usize>,

    /// Seed; with one thread and no limit of time, equal seeds give equal runs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Most units of work for one level and objective; unlike time, the same on every machine
    #[arg(long, value_name = "N")]
    pub(crate) work: Option<u64>,

    /// How the box configurations of a vicinity are kept: only those that a search comes upon, or all of them
    #[arg(long, value_enum, default_value_t = Store::Auto)]
    pub(crate) store: Store,

    /// How the vicinity is searched: the fast way, or the simple one that the fast one is checked against
    #[arg(long, value_enum, default_value_t = SearchEngine::Fast)]
    pub(crate) engine: SearchEngine,
}

/// The configuration store, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Store {
    /// What the search comes upon; where all have to be generated, a hash table, or the tree if memory is short
    Auto,
    /// All, in a hash table
    Hash,
    /// All, in a balanced binary tree, which takes the least memory
    Tree,
}

/// The search engine, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchEngine {
    /// Backward, exact in all six metrics
    Fast,
    /// Forward, with two queues in lockstep
    Reference,
}

fn n_threads(text: &str) -> Result<NonZeroUsize, String> {
    text.trim().parse().map_err(|_| format!("'{text}' is not a number of threads; write 1 or more"))
}

fn vicinity_limit(text: &str) -> Result<usize, String> {
    let limit = text.trim().parse().ok().filter(|limit| (1..=999).contains(limit));
    limit.ok_or_else(|| format!("'{text}' is not a number from 1 to 999"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn help_names_all_techniques_that_are_off() {
        let command = Args::command();
        let solve = command.find_subcommand("solve").unwrap();
        let with = solve.get_arguments().find(|arg| arg.get_id() == "with").and_then(|arg| arg.get_help()).unwrap();
        let text = with.to_string();
        let mut settings = sokosolver::Settings::default();
        for name in sokosolver::Settings::TECHNIQUES {
            assert_eq!(text.contains(name), !*settings.technique(name).unwrap(), "{name}: {text}");
        }
    }

    #[test]
    fn lists_and_repeated_options_are_read() {
        let line = "soko optimize a.sok b.sok --objective moves --objective boxlines/pushes --vicinity 40,20,5";
        let args = Args::try_parse_from(line.split(' ')).unwrap();
        let Command::Optimize(optimize) = args.command else { panic!("not optimize") };
        assert_eq!(optimize.run.files.len(), 2);
        assert_eq!(optimize.objective.len(), 2);
        assert_eq!(optimize.vicinity, [40, 20, 5]);
        assert!(Args::try_parse_from("soko optimize a.sok --vicinity 0".split(' ')).is_err());
        assert!(Args::try_parse_from("soko optimize a.sok --force".split(' ')).is_err());
    }
}
