//! The command `merge`: the levels and the best solutions of several files in one, without searching.

use anyhow::bail;
use serde::Serialize;

use crate::args::MergeArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::inputs::{Inputs, OwnResults};
use crate::json::{JsonLines, RunLine};
use crate::output;
use crate::outputs::Outputs;
use crate::outputs::saver::{Saver, shown};
use crate::wording::count;

/// The lines of `merge --json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum MergeLine {
    /// The first line.
    Run(RunLine<MergeSettings>),
    /// The last line.
    Summary(MergeSums),
}

/// The settings of a run.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MergeSettings {
    /// Whether solutions are kept that are better than others in nothing.
    all: bool,
}

/// What was put together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MergeSums {
    /// Levels read, those that are there several times among them.
    levels_read: usize,
    /// Different levels in the files that were written.
    levels: usize,
    /// Solutions that replay in the files that were written.
    solutions: usize,
    /// The files.
    output: Vec<String>,
    /// What the program returns to the system.
    exit_code: u8,
}

/// Runs the command.
pub(crate) fn run(args: &MergeArgs, console: &Console) -> anyhow::Result<Exit> {
    if args.output.output.is_none() && args.output.into.is_none() {
        bail!(crate::exit::UsageError(
            "merge needs a place for the result: -o FILE, or --into FILE to add to one".to_owned()
        ));
    }
    let inputs = Inputs::read(&args.files, OwnResults::Read, &console.complaints);
    let lines = JsonLines::new(args.json);
    lines.print(&MergeLine::Run(RunLine::new("merge", &inputs, MergeSettings { all: args.output.all })));
    let mut outputs = Outputs::open(&inputs, &args.output, &console.complaints)?;
    let (n_levels, n_solutions) = outputs.counts();
    let (n_faults, takes_stdout) = (inputs.n_faults() + outputs.n_faults(), outputs.takes_stdout());
    let saved = Saver::new(outputs, args.output.keep(), &console.complaints).close()?;
    let paths: Vec<_> = saved.gained.iter().chain(&saved.copies).collect();
    let exit = Exit::of_faults(n_faults);
    let n_read = inputs.levels().count();
    if args.json {
        let output = paths.iter().map(|path| path.display().to_string()).collect();
        let exit_code = exit.code();
        lines.print(&MergeLine::Summary(MergeSums {
            levels_read: n_read,
            levels: n_levels,
            solutions: n_solutions,
            output,
            exit_code,
        }));
        lines.end()?;
    } else if !takes_stdout {
        let held = format!("{} with {}", count(n_levels, "level"), count(n_solutions, "solution"));
        let text = format!("{} read; {held} in {}\n", count(n_read, "level"), shown(&paths));
        output::forgive_broken_pipe(output::print(&text))?;
    }
    Ok(exit)
}
