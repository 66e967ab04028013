//! Options of the commands that read levels, and of those that write results.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::ArgGroup;
use sokolibrary::Keep;

use super::library::{LibraryPlace, LibraryUse};
use super::values::{self, n_threads};
use crate::exit::UsageError;
use crate::free_memory::{free_memory, total_memory};
use crate::inputs::selection::{IdPrefix, LevelSelection, TitlePattern};
use crate::level_ranges::LevelRanges;
use crate::memory_size::MemorySize;
use crate::run_time::{Passes, TimeOfDay};
use crate::time_limit::TimeLimit;

/// What is read, and which levels of it count.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LevelArgs {
    /// Level files (.sok, XSB, .slc, .ssx, also .gz), folders of them, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    which: WhichLevels,
}

/// What is looked at, and which levels of it count.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct NamedLevelArgs {
    /// Level files, folders of them, or - for standard input; or of the library: a collection, NAME:NUMBER, a title, or the first digits of an identity
    #[arg(value_name = "FILE|NAME", required = true)]
    pub(crate) what: Vec<PathBuf>,

    #[command(flatten)]
    which: WhichLevels,

    #[command(flatten)]
    pub(crate) place: LibraryPlace,
}

/// Options that choose levels.
#[derive(Clone, Debug, clap::Args)]
struct WhichLevels {
    /// Levels by number, counted over all files, such as 1,3-5 or 7-
    #[arg(long, value_name = "LEVELS", help_heading = "Which levels")]
    levels: Option<LevelRanges>,

    /// Levels by title, any case, with * for any text; repeatable
    #[arg(long, value_name = "TITLE", help_heading = "Which levels")]
    title: Vec<TitlePattern>,

    /// Levels by identity, its first six digits or more; repeatable
    #[arg(long, value_name = "ID", help_heading = "Which levels")]
    id: Vec<IdPrefix>,
}

impl LevelArgs {
    /// Returns which levels were asked for.
    pub(crate) fn selection(&self) -> LevelSelection {
        self.which.selection()
    }
}

impl NamedLevelArgs {
    /// Returns which levels were asked for.
    pub(crate) fn selection(&self) -> LevelSelection {
        self.which.selection()
    }
}

impl WhichLevels {
    fn selection(&self) -> LevelSelection {
        LevelSelection { numbers: self.levels.clone(), titles: self.title.clone(), ids: self.id.clone() }
    }
}

/// How results are printed.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct PrintArgs {
    /// Print JSON lines instead of a table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Print comma-separated values instead of a table
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub(crate) csv: bool,
}

/// Options of the commands that only look.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct FileArgs {
    #[command(flatten)]
    pub(crate) level: LevelArgs,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}

/// Where results go.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(group = ArgGroup::new("place").args(["output", "into", "no_output"]))]
pub(crate) struct OutputArgs {
    /// New file for all levels and solutions; DIR/ for a file each; - for stdout
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// File or DIR/ that grows: solutions better than those in it are added
    #[arg(long, value_name = "OUT", help_heading = "Output")]
    pub(crate) into: Option<PathBuf>,

    /// Write no file; so it is with --json alone
    #[arg(long, help_heading = "Output")]
    pub(crate) no_output: bool,

    /// Replace what -o names
    #[arg(long, requires = "output", help_heading = "Output")]
    pub(crate) force: bool,

    /// Keep worse solutions as well
    #[arg(long, help_heading = "Output")]
    pub(crate) all: bool,
}

/// Options of the commands that work on levels for a time.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) level: LevelArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) library: LibraryUse,

    #[command(flatten)]
    pub(crate) print: PrintArgs,

    /// No progress and no table, only errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Longest time for a level: 30s, 1h30m [default: solve 60s, optimize 30s]
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    pub(crate) time: Option<TimeLimit>,

    /// Time for all levels together, in passes with growing slices
    #[arg(long, value_name = "TIME", help_heading = "Limits", conflicts_with = "until")]
    pub(crate) total_time: Option<TimeLimit>,

    /// Time of day when the run ends, such as 07:00; in passes too
    #[arg(long, value_name = "HH:MM", help_heading = "Limits")]
    pub(crate) until: Option<TimeOfDay>,

    #[command(flatten)]
    pub(crate) resources: ResourceArgs,

    /// Levels at a time, which share the threads [default: what is fastest]
    #[arg(long, value_name = "N", value_parser = n_threads, help_heading = values::EXPERT)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Print results as they come, not in the order of the input
    #[arg(long, help_heading = values::EXPERT)]
    pub(crate) unordered: bool,

    /// Most units of work for one level; unlike time, with one thread the same on every machine
    #[arg(long, value_name = "N", help_heading = values::EXPERT)]
    pub(crate) work: Option<u64>,
}

/// What a run may take of the machine.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct ResourceArgs {
    /// Most memory to use, such as 64MiB or 2G [default: half of what is free]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    memory: Option<MemorySize>,

    /// Threads, 1 to 256 [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = n_threads, help_heading = "Limits")]
    pub(crate) threads: Option<NonZeroUsize>,
}

impl OutputArgs {
    /// Returns which solutions the outputs take.
    pub(crate) const fn keep(&self) -> Keep {
        if self.all { Keep::All } else { Keep::NotDominated }
    }
}

impl ResourceArgs {
    /// Makes the options of a command that names them otherwise.
    pub(crate) const fn of_threads(threads: Option<NonZeroUsize>) -> Self {
        Self { memory: None, threads }
    }

    /// Returns the memory that the whole process may use, in bytes. More than the machine has is refused.
    pub(crate) fn memory(&self) -> Result<u64, UsageError> {
        let Some(MemorySize(asked)) = self.memory else { return Ok(free_memory() / 2) };
        match total_memory() {
            Some(total) if asked > total => {
                Err(UsageError(format!("--memory is out of range; this machine has {}MiB", total >> 20)))
            }
            _ => Ok(asked),
        }
    }

    /// Returns the threads of the run: one for each processor, unless told.
    pub(crate) fn n_threads(&self) -> usize {
        let n_processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.map_or_else(n_processors, NonZeroUsize::get)
    }
}

impl RunArgs {
    /// Begins the passes of the run; a level has `default` in one pass, unless told.
    pub(crate) fn passes(&self, default: Duration) -> Passes {
        let total = self.total_time.map(|time| time.0).or_else(|| self.until.map(TimeOfDay::until_then));
        let has_limit = self.work.is_some() || total.is_some();
        let longest = self.time.map(|time| time.0).or(if has_limit { None } else { Some(default) });
        Passes::new(total, longest)
    }
}
