//! Soko as the program that a host knows: the arguments and the output of the JSoko optimizer and of Festival.
//!
//! ```text
//!   host ── levels.sok -task optimize -cpus 2 -outputFile found.sok ──▶ NamedValues ──▶ jsoko
//!        ◀── found.sok: solutions as they are found, ":: " before every other line ── FoundFile
//! ```
//!
//! # Contents, in reading order
//! * [`named_values`]: arguments as `-name value`. [`found_file`]: the file that grows.
//! * [`jsoko`], [`festival`]: the two programs.

pub(crate) mod festival;
mod found_file;
pub(crate) mod jsoko;
mod named_values;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use sokosearch::Cancel;

use self::found_file::FoundFile;
use self::named_values::NamedValues;
use crate::args::ResourceArgs;
use crate::console::Console;
use crate::exit::{Exit, UsageError};
use crate::inputs::{Inputs, OwnResults};
use crate::interrupt;
use crate::process_memory::{keep_within, memory_of_searches};

/// Most threads.
const MAX_THREADS: u64 = 256;

/// The names of what both programs have, and of all that one of them knows, in lower case.
struct DialectNames {
    output: &'static str,
    threads: &'static str,
    all: &'static [&'static str],
}

/// What both programs have: levels, a file for what is found, threads and memory.
struct DialectRun {
    inputs: Inputs,
    found: FoundFile,
    cancel: Cancel,
    n_threads: usize,
    /// Bytes for the searches.
    memory: u64,
}

impl DialectRun {
    /// Reads the levels, opens the file, and listens to Ctrl-C. 0 threads are one for each processor.
    fn begin(values: &NamedValues, names: &DialectNames, console: &Console) -> anyhow::Result<Self> {
        let Some(levels) = values.bare().first() else {
            return Err(UsageError("name the level file before the options".to_owned()).into());
        };
        for name in values.unknown(names.all) {
            console.complaints.warning(&format!("-{name} is not known here and changes nothing"));
        }
        let n_threads = usize::try_from(values.number(names.threads)?.min(MAX_THREADS))?;
        let resources = ResourceArgs::of_threads(NonZeroUsize::new(n_threads));
        let n_threads = resources.n_threads();
        let allowed = resources.memory()?;
        let memory = memory_of_searches(allowed, n_threads);
        let inputs = Inputs::read(&[PathBuf::from(levels)], OwnResults::Read, &console.complaints);
        let found = FoundFile::open(values.text(names.output).map(PathBuf::from))?;
        let cancel = Cancel::default();
        interrupt::cancel_on_ctrl_c(cancel.clone(), console.complaints.clone(), "what was found is written")?;
        keep_within(allowed);
        Ok(Self { inputs, found, cancel, n_threads, memory })
    }

    /// Ends the run, with so many levels that cannot be played.
    fn end(&self, n_bad: usize) -> Exit {
        if self.cancel.is_cancelled() { Exit::Interrupted } else { Exit::of_faults(self.inputs.n_faults() + n_bad) }
    }
}
