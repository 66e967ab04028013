//! The frame of a command that works on levels: what it opens before its work, and what it says after it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use sokosearch::{Cancel, Clock};

use crate::args::RunArgs;
use crate::console::Console;
use crate::exit::{Exit, UsageError};
use crate::inputs::{Inputs, OwnResults};
use crate::interrupt::cancel_on_ctrl_c;
use crate::json::JsonLines;
use crate::library::sync::LibrarySync;
use crate::output;
use crate::outputs::Outputs;
use crate::outputs::saver::{Saved, Saver, shown};
use crate::screen::Screen;
use crate::table::Table;
use crate::wording::{capitalized, duration};
use crate::work_list::{Warnings, WorkLevel, work_list};

/// A run, from the reading of its files to its summary.
#[derive(Debug)]
pub(crate) struct Session<'a> {
    args: &'a RunArgs,
    clock: Clock,
    pub(crate) console: &'a Console,
    pub(crate) inputs: Inputs,
    /// Inputs and targets that could not be opened.
    n_faults: usize,
    /// Whether standard output is taken by the results.
    takes_stdout: bool,
    /// Raised by Ctrl-C.
    pub(crate) cancel: Cancel,
    /// Standard output, as JSON lines if so asked.
    pub(crate) lines: JsonLines,
    /// The library that is in use.
    pub(crate) library: Option<Arc<LibrarySync>>,
}

/// What a run says at its end.
pub(crate) trait Summary {
    /// The last JSON line.
    type Json: Serialize;
    /// The sums in it.
    type Sums: Serialize;

    /// The table, in the order of the levels.
    fn table(&self) -> Table;

    /// The sums, in one line.
    fn totals(&self) -> String;

    /// The last JSON line, made of its sums and what every run says.
    fn json(&self, end: impl FnOnce(Self::Sums) -> SummaryLine<Self::Sums>) -> Self::Json;
}

/// The last JSON line of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SummaryLine<T> {
    #[serde(flatten)]
    sums: T,
    /// Whether Ctrl-C ended the run.
    interrupted: bool,
    /// Time of the run.
    seconds: f64,
    /// Files that hold new solutions.
    output: Vec<String>,
    /// What the program returns to the system.
    exit_code: u8,
}

impl<T> SummaryLine<T> {
    /// Makes the last line of a run that took so long and wrote these files.
    pub(crate) fn new(sums: T, exit: Exit, elapsed: Duration, output: &[PathBuf]) -> Self {
        Self {
            sums,
            interrupted: exit == Exit::Interrupted,
            seconds: elapsed.as_secs_f64(),
            output: output.iter().map(|path| path.display().to_string()).collect(),
            exit_code: exit.code(),
        }
    }
}

impl<'a> Session<'a> {
    /// Reads the inputs, and opens the files that the results go to.
    pub(crate) fn open(args: &'a RunArgs, console: &'a Console) -> anyhow::Result<(Self, Outputs)> {
        let clock = Clock::start();
        let has_place = args.output.output.is_some() || args.output.into.is_some();
        let writes_nothing = args.output.no_output || (args.print.json && !has_place);
        let is_beside = !has_place && !writes_nothing;
        let own = if is_beside { OwnResults::LeftOut } else { OwnResults::Read };
        let inputs = Inputs::read(&args.level.files, own, &console.complaints);
        args.level.selection().check(inputs.levels())?;
        // Before the first file is made: a program that is told to end leaves none behind.
        let cancel = Cancel::default();
        cancel_on_ctrl_c(cancel.clone(), console.complaints.clone(), "what was found is being saved")?;
        let outputs = if writes_nothing {
            Outputs::nowhere(&inputs)
        } else {
            Outputs::open(&inputs, &args.output, &console.complaints)?
        };
        if outputs.takes_stdout() && (args.print.json || args.print.csv) {
            return Err(UsageError("-o - and --json or --csv both want standard output; choose one".to_owned()).into());
        }
        if is_beside && !args.quiet && inputs.inputs().iter().any(|input| !input.source().is_file()) {
            console
                .complaints
                .note("what is found for standard input is not written; add -o FILE, or -o - for standard output");
        }
        let library = LibrarySync::open_or_do_without(&args.library, &console.complaints);
        let n_libraries_missed = usize::from(library.is_err());
        let library = library.unwrap_or_default().map(Arc::new);
        if let Some(library) = library.as_ref().filter(|_| !args.quiet) {
            console.complaints.note(&format!("library: {}", library.queue().path().display()));
        }
        let lines = JsonLines::new(args.print.json);
        let n_faults = inputs.n_faults() + outputs.n_faults() + n_libraries_missed;
        let takes_stdout = outputs.takes_stdout();
        Ok((Self { args, clock, console, inputs, n_faults, takes_stdout, cancel, lines, library }, outputs))
    }

    /// Lists the levels to work on.
    pub(crate) fn work_list(&self, outputs: &mut Outputs) -> Vec<WorkLevel<'_>> {
        let selection = self.args.level.selection();
        let mut list = work_list(&self.inputs, outputs, &selection, self.warnings(), &self.console.complaints);
        if let Some(library) = &self.library {
            let taken = list.iter_mut().try_for_each(|work| work.take_known(library));
            taken.unwrap_or_else(|error| library.give_up(error));
            outputs.add_known(&list, self.args.output.keep(), &self.console.complaints);
        }
        list
    }

    /// Returns whether standard output is for a table.
    pub(crate) const fn prints_rows(&self) -> bool {
        !(self.args.print.json || self.args.print.csv || self.takes_stdout)
    }

    /// Returns whether warnings are shown.
    pub(crate) const fn warnings(&self) -> Warnings {
        if self.args.quiet { Warnings::Hidden } else { Warnings::Shown }
    }

    /// Writes what is not written yet, and says how it all went. `nothing` says why no file was written, if so.
    pub(crate) fn end<S: Summary>(
        &self,
        saver: Saver,
        screen: Screen,
        n_faults: usize,
        nothing: &str,
        summary: &S,
    ) -> anyhow::Result<Exit> {
        screen.end_rows(&self.console.stdout);
        let rows_are_written = screen.writes_rows();
        // What it drew is gone before the summary is written.
        drop(screen);
        let mut n_faults = n_faults + self.n_faults;
        let saved = saver.close().unwrap_or_else(|error| {
            self.console.complaints.error(&format!("{error:#}"));
            Saved::failed()
        });
        n_faults += usize::from(saved.has_failed) + usize::from(saved.has_missed_library);
        let is_interrupted = self.cancel.is_cancelled();
        let exit = if is_interrupted { Exit::Interrupted } else { Exit::of_faults(n_faults) };
        let place = self.place(&saved, nothing);
        if is_interrupted && !self.args.quiet {
            self.console.complaints.note(&format!("interrupted; {place}"));
        }
        let elapsed = self.clock.elapsed();
        if self.args.print.json {
            self.lines.print(&summary.json(|sums| SummaryLine::new(sums, exit, elapsed, &saved.gained)));
        } else if self.args.print.csv {
            output::forgive_broken_pipe(output::print(&summary.table().csv()))?;
        } else if self.inputs.levels().next().is_none() {
            self.console.complaints.note("no level was read, so there was nothing to do");
        } else if !self.args.quiet {
            let terminal = if self.takes_stdout { self.console.complaints.terminal() } else { self.console.stdout };
            let table = if rows_are_written { String::new() } else { summary.table().draw(&terminal) };
            let text = format!("{table}\n{}; {}\n{}\n", summary.totals(), duration(elapsed), capitalized(&place));
            if self.takes_stdout {
                self.console.complaints.raw(text.trim_end());
            } else {
                output::forgive_broken_pipe(output::print(&text))?;
            }
        }
        self.lines.end()?;
        Ok(exit)
    }

    /// Says where the results are.
    fn place(&self, saved: &Saved, nothing: &str) -> String {
        match (&saved.gained[..], &saved.copies[..]) {
            _ if saved.has_failed => "the results are not where they were to be saved".to_owned(),
            _ if self.takes_stdout => "written to standard output".to_owned(),
            _ if self.args.output.no_output => "no file was written, as asked for".to_owned(),
            ([], []) => format!("{nothing}, so no file was written"),
            ([], copies) => format!("{nothing}; {} holds what there was", shown(copies)),
            (gained, _) => format!("saved in {}", shown(gained)),
        }
    }
}
