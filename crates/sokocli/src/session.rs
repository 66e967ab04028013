//! The frame of a command that writes level files: what it opens before its work, and what it says after it.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use sokosearch::{Cancel, Clock};

use crate::args::RunArgs;
use crate::complaint;
use crate::exit::Exit;
use crate::inputs::Inputs;
use crate::interrupt::cancel_on_ctrl_c;
use crate::json::extend;
use crate::output;
use crate::saver::Saver;
use crate::table::Table;
use crate::wording::{capitalized, seconds};

/// A run, from the reading of its files to its summary.
#[derive(Debug)]
pub(crate) struct Session<'a> {
    args: &'a RunArgs,
    clock: Clock,
    pub(crate) inputs: Inputs,
    /// Raised by Ctrl-C.
    pub(crate) cancel: Cancel,
}

/// What a run says at its end.
pub(crate) trait Summary {
    /// The table, in the order of the levels.
    fn table(&self) -> Table;

    /// The sums, in one line.
    fn totals(&self) -> String;

    /// The last JSON line, but for what every run has.
    fn json(&self) -> Value;
}

impl<'a> Session<'a> {
    /// Reads the inputs, and claims the files that the results go to.
    pub(crate) fn open(args: &'a RunArgs) -> anyhow::Result<(Self, Saver)> {
        let clock = Clock::start();
        let inputs = Inputs::read(&args.files)?;
        inputs.check_levels(args.levels.as_ref())?;
        let saver = Saver::open(&inputs, args.output.as_deref(), args.force)?;
        let cancel = Cancel::default();
        cancel_on_ctrl_c(cancel.clone())?;
        Ok((Self { args, clock, inputs, cancel }, saver))
    }

    /// Writes what is not written yet, and says how it all went. `nothing` says why no file was written, if so.
    pub(crate) fn end(
        &self,
        saver: Saver,
        mut n_faults: usize,
        nothing: &str,
        print_error: Option<io::Error>,
        summary: &dyn Summary,
    ) -> anyhow::Result<Exit> {
        let saved = saver.close().unwrap_or_else(|error| {
            n_faults += 1;
            complaint::error(&format!("{error:#}"));
            Vec::new()
        });
        let is_interrupted = self.cancel.is_cancelled();
        let exit = if is_interrupted { Exit::Interrupted } else { Exit::of_faults(n_faults) };
        let place = place(&saved, nothing);
        if is_interrupted && !self.args.quiet {
            complaint::note(&format!("interrupted; {place}"));
        }
        let elapsed = self.clock.elapsed();
        let shown = match print_error {
            Some(error) => Err(error),
            None if self.args.json => output::print_line(&last_line(summary, &saved, elapsed, exit).to_string()),
            None if self.args.quiet => Ok(()),
            None => {
                let (table, totals) = (summary.table().draw(), summary.totals());
                output::print(&format!("{table}\n{totals}; {}\n{}\n", seconds(elapsed), capitalized(&place)))
            }
        };
        output::forgive_broken_pipe(shown)?;
        Ok(exit)
    }
}

/// Says where the results are.
fn place(saved: &[PathBuf], nothing: &str) -> String {
    if saved.is_empty() {
        return format!("{nothing}, so no file was written");
    }
    let paths: Vec<_> = saved.iter().map(|path| path.display().to_string()).collect();
    format!("saved in {}", paths.join(", "))
}

/// The last JSON line.
fn last_line(summary: &dyn Summary, saved: &[PathBuf], elapsed: Duration, exit: Exit) -> Value {
    let mut line = summary.json();
    extend(
        &mut line,
        json!({
            "type": "summary",
            "interrupted": exit == Exit::Interrupted,
            "seconds": elapsed.as_secs_f64(),
            "output": saved.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
            "exit_code": exit.code(),
        }),
    );
    line
}
