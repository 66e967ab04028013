//! `solve --results`: files are read as they are reached, and each level's line is written as it comes.
//!
//! ```text
//!   files ─▶ LevelStream ─▶ one level for each thread ─▶ LineOrder ─▶ ResultsFile
//!            two at a time    solved by one thread       held back     a line for each level
//! ```
//!
//! For files by the thousand: what is kept does not grow with the levels but for the names of the files, and with
//! `--resume` a bit for each level. So a level is not compared with others, no library is asked, and there is one pass.
//!
//! * [`level_stream`]: where levels come from. [`line_order`]: the order of the results. [`results_file`]: where they go,
//!   and which are there. [`stream_screen`]: what a terminal shows meanwhile.
//!
//! Invariant: every level that was asked for has one line, those that cannot be solved among them; but for those that an
//! interrupt has left.

mod level_stream;
mod line_order;
mod results_file;
mod stream_screen;

use std::path::Path;
use std::thread;

use parking_lot::Mutex;
use sokosearch::{Cancel, Clock, Stop, run_jobs};
use sokosolver::Outcome;

use self::level_stream::{LevelStream, StreamLevel};
use self::line_order::LineOrder;
use self::results_file::{LineForm, ResultsFile};
use self::stream_screen::{StreamProgress, StreamScreen};
use super::DEFAULT_TIME;
use super::found::Found;
use super::level_solver::LevelSolver;
use super::report::{self, SolveSums};
use crate::args::SolveArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::inputs::sources::is_dash;
use crate::interrupt::cancel_on_ctrl_c;
use crate::level_fault::LevelFault;
use crate::level_jobs::LevelResources;
use crate::output;
use crate::process_memory::keep_within;
use crate::screen::Verbosity;
use crate::session::SummaryLine;
use crate::table::csv_row;
use crate::wording::{count, duration};
use crate::work_list::{Warnings, WorkLevel};

/// The levels of a run, and what became of them.
struct SolveStream<'a> {
    args: &'a SolveArgs,
    console: &'a Console,
    solver: LevelSolver,
    levels: LevelStream,
    form: LineForm,
    lines: Mutex<Lines>,
    order: LineOrder,
    cancel: Cancel,
}

/// Where the lines go, and their sums.
struct Lines {
    file: ResultsFile,
    sums: SolveSums,
    n_faults: usize,
}

/// The line of a level.
struct Line {
    text: String,
    sums: SolveSums,
    is_fault: bool,
}

/// Runs the command.
pub(super) fn run(args: &SolveArgs, results: &Path, console: &Console) -> anyhow::Result<Exit> {
    let clock = Clock::start();
    let form = LineForm::of(results, args.run.print.csv)?;
    let (mut file, done) = ResultsFile::open(results, form, args.resume)?;
    let solver = LevelSolver::of(args, console)?.raw();
    let levels = LevelStream::open(&args.run, done, &console.complaints);
    let cancel = Cancel::default();
    cancel_on_ctrl_c(cancel.clone(), console.complaints.clone(), "what was found is in the file of results")?;
    keep_within(solver.memory());
    match form {
        LineForm::Json => file.line(&report::to_line(&report::stream_line(
            args,
            &solver,
            &args.run.passes(DEFAULT_TIME),
            levels.paths(),
        ))?)?,
        LineForm::Csv if file.is_empty() => file.line(&crate::table::csv_head(&report::COLUMNS))?,
        LineForm::Csv => {}
    }
    let n_threads = solver.n_threads();
    let lines = Mutex::new(Lines { file, sums: SolveSums::default(), n_faults: 0 });
    let order = LineOrder::new(args.run.unordered);
    let stream = SolveStream { args, console, solver, levels, form, lines, order, cancel };
    stream.work_on_all(n_threads, &clock, is_watched(args, results, console));
    stream.end(&clock)
}

/// Whether progress is drawn: not where nothing else is to be said, nor among the lines of a log or of results.
fn is_watched(args: &SolveArgs, results: &Path, console: &Console) -> bool {
    let mixes = is_dash(results) && console.stdout.width().is_some();
    Verbosity::of(args.run.quiet, console.verbose) == Verbosity::Progress && !mixes
}

impl SolveStream<'_> {
    /// Works on all levels, and draws how far that is, if it is watched.
    fn work_on_all(&self, n_threads: usize, clock: &Clock, is_watched: bool) {
        let line = is_watched.then(|| StreamScreen::begin(&self.console.complaints)).flatten();
        thread::scope(|scope| {
            let end = line.as_ref().map(|line| {
                let draw = || line.draw(|| self.progress(clock));
                // Without a thread to spare nothing is drawn.
                drop(thread::Builder::new().name("painter".to_owned()).spawn_scoped(scope, draw));
                line.end()
            });
            run_jobs(n_threads, 0..n_threads, |_| self.work());
            drop(end);
        });
    }

    fn progress(&self, clock: &Clock) -> StreamProgress {
        let size = self.levels.size();
        let (n_done, n_solved) = self.lines.lock().sums.levels_and_solved();
        StreamProgress { size, n_done, n_solved, elapsed: clock.elapsed() }
    }

    /// Works on one level after the other.
    fn work(&self) {
        while let Some(level) = self.levels.take(&self.console.complaints) {
            if self.cancel.is_cancelled() || self.has_failed() {
                break;
            }
            self.order.wait_for(level.order(), || self.cancel.is_cancelled());
            match self.line(&level) {
                Some(line) => self.order.put(level.order(), line, |line| self.lines.lock().write(line)),
                None => break,
            }
        }
        self.order.leave();
    }

    /// Whether nothing more can be written.
    fn has_failed(&self) -> bool {
        self.lines.lock().file.has_failed()
    }

    /// Solves a level and describes what came of it; `None` if the run was interrupted before.
    fn line(&self, level: &StreamLevel) -> Option<Line> {
        let run = &self.args.run;
        let at = level.at();
        let warnings = if run.quiet { Warnings::Hidden } else { Warnings::Shown };
        // Of levels without a solution there may be thousands; their lines say so.
        if let Some(fault) = LevelFault::at(&at).filter(LevelFault::is_error) {
            fault.complain(&at, &self.console.complaints);
        }
        let work = WorkLevel::alone(at, warnings, &self.console.complaints);
        let found = match (self.solver.settled(&work, self.args.unsolved), work.level()) {
            (Some(settled), _) => settled,
            (None, Ok(board)) => {
                let resources = LevelResources::one_of(self.solver.n_threads());
                let time = run.passes(DEFAULT_TIME).longest();
                let (outcome, _) = self.solver.solve(board, &work.solutions, resources, time, &self.cancel, &());
                if is_interrupted(&outcome) {
                    return None;
                }
                if outcome.has_fault() {
                    self.console.complaints.fault_of_search(&work.at.entry.title_or_number());
                }
                self.solver.found(&work, self.solver.fate(board, outcome, &self.cancel))
            }
            (None, Err(_)) => return None,
        };
        Some(self.describe(&found))
    }

    fn describe(&self, found: &Found<'_>) -> Line {
        let text = match self.form {
            LineForm::Json => report::to_line(&report::result_line(found)),
            LineForm::Csv => Ok(csv_row(&report::COLUMNS, &report::row(found))),
        };
        let text = text.unwrap_or_else(|error| {
            self.console.complaints.error(&format!("{}: cannot be written: {error}", found.at().name()));
            String::new()
        });
        Line { text, sums: SolveSums::of(found), is_fault: found.is_fault() }
    }

    /// Writes the last line, and says how it all went.
    fn end(self, clock: &Clock) -> anyhow::Result<Exit> {
        let Lines { mut file, sums, n_faults } = self.lines.into_inner();
        let n_faults = n_faults + self.levels.n_faults();
        let exit = if self.cancel.is_cancelled() { Exit::Interrupted } else { Exit::of_faults(n_faults) };
        let elapsed = clock.elapsed();
        if self.form == LineForm::Json {
            let summary = SummaryLine::new(sums, exit, elapsed, &[]);
            file.line(&report::to_line(&report::SolveLine::Summary(summary))?)?;
        }
        output::forgive_broken_pipe(file.end())?;
        if !self.args.run.quiet {
            let known = match self.levels.n_skipped() {
                0 => String::new(),
                n => format!("; {} in the file before", count(n, "level")),
            };
            let text = format!("{}{known}; {}", sums.in_words(), duration(elapsed));
            self.console.complaints.note(&text);
        }
        Ok(exit)
    }
}

impl Lines {
    fn write(&mut self, line: Line) {
        self.file.try_line(&line.text);
        self.sums.add(&line.sums);
        self.n_faults += usize::from(line.is_fault);
    }
}

/// Whether a level has no result only because of Ctrl-C: a run that is resumed begins it anew.
fn is_interrupted(outcome: &Outcome) -> bool {
    outcome.end == sokosearch::End::Stopped(Stop::Cancelled)
}
