//! What a user sees of a run in progress.
//!
//! ```text
//!  ████████░░░░░░░░  37 of 4,012 · 12 improved · 214 moves saved · 1 min 05 s · 5 h 40 min left
//!    Sasquatch III…17   12.3 s   230/97 (gap 6.6 %)   searching near the solution
//!    Microban 42        0.60 s   solving anew
//! ```
//!
//! On a terminal this is drawn at the bottom, ten times a second, and every finished level is written above it once.
//! Elsewhere there are only lines about what matters. Events of the searches change the state and draw nothing: one
//! thread draws, so that no search waits for the terminal.
//!
//! Invariant: the bar never goes back. It shows the largest share that was reached; a level counts as one when it is
//! finished, and before that by its time, less than one.

mod lines;
mod state;
mod sums;
mod view;

use std::fmt;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::{Condvar, Mutex};
use sokocore::Metric;

use self::lines::draw;
use self::state::RunState;
pub(crate) use self::view::LevelView;
use crate::complaint::Complaints;
use crate::console::Console;
use crate::output;
use crate::table::{Column, TableCell, TableWriter};
use crate::terminal::{Paint, Terminal};

/// Drawings a second.
const HZ: u8 = 10;
/// Time between two of them.
const PAUSE: Duration = Duration::from_millis(100);
/// Runs of more levels write only what improved or failed.
const LONG_RUN: usize = 50;

/// How much is said during a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verbosity {
    /// Progress on a terminal, lines elsewhere.
    Progress,
    /// Lines only, because a log goes the same way.
    BesideLog,
    /// Nothing.
    None,
}

impl Verbosity {
    /// Makes it of `--quiet` and the number of `-v`.
    pub(crate) fn of(is_quiet: bool, verbose: u8) -> Self {
        match verbose {
            _ if is_quiet => Self::None,
            0 if std::env::var_os("RUST_LOG").is_none() => Self::Progress,
            _ => Self::BesideLog,
        }
    }
}

/// What is known of a run before it begins.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunFacts {
    /// Levels that will be finished, one way or another.
    pub(crate) n_levels: usize,
    /// Longest time for the whole run.
    pub(crate) total_time: Option<Duration>,
}

/// What became of a level, as far as the screen cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FinishedKind {
    /// A better solution was found.
    Improved,
    /// A first solution was found.
    Solved,
    /// What was found is proved best.
    Proved,
    /// It was to be solved, and was not; or something is wrong with it.
    Failed,
    /// Nothing to speak of.
    Ordinary,
}

/// A finished level.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    /// What became of it.
    pub(crate) kind: FinishedKind,
    /// One line about it, for a log.
    pub(crate) line: String,
    /// Its rows of the table, for a terminal.
    pub(crate) rows: Vec<Vec<TableCell>>,
    /// What was saved, in which metrics.
    pub(crate) gained: Vec<(Metric, u64)>,
    /// The file that it is from, for the sums of each file.
    pub(crate) file: String,
}

/// Where the finished levels are written.
#[derive(Debug)]
enum Destination {
    /// Rows of a table on stdout, which is a terminal.
    Rows(Mutex<TableWriter>),
    /// Lines on stderr.
    Lines,
    /// Nowhere.
    Nowhere,
}

/// The progress of a run. Shared by reference between threads; what it drew is gone when it is dropped.
pub(crate) struct Screen {
    facts: RunFacts,
    complaints: Complaints,
    destination: Destination,
    shared: Arc<SharedScreen>,
    /// The bars and the thread that draws them, on a terminal.
    painter: Option<(ProgressBar, JoinHandle<()>)>,
}

#[derive(Debug)]
struct SharedScreen {
    state: Mutex<RunState>,
    /// Wakes the painter when the run has ended.
    ended: Condvar,
}

impl fmt::Debug for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Screen")
            .field("facts", &self.facts)
            .field("destination", &self.destination)
            .finish_non_exhaustive()
    }
}

impl Screen {
    /// Begins to show a run whose finished levels have rows with these columns.
    /// `prints_rows` is whether stdout is for the table, rather than for JSON.
    pub(crate) fn new(
        verbosity: Verbosity,
        console: &Console,
        facts: RunFacts,
        columns: &[Column],
        prints_rows: bool,
    ) -> Self {
        let complaints = console.complaints.clone();
        let draws = verbosity == Verbosity::Progress && complaints.terminal().can_redraw();
        let destination = match verbosity {
            Verbosity::None => Destination::Nowhere,
            _ if draws && prints_rows && console.stdout.width().is_some() => {
                Destination::Rows(Mutex::new(TableWriter::new(columns, console.stdout)))
            }
            _ => Destination::Lines,
        };
        let shared = Arc::new(SharedScreen { state: Mutex::new(RunState::new(facts)), ended: Condvar::new() });
        let painter = draws.then(|| start_painter(&shared, &complaints));
        Self { facts, complaints, destination, shared, painter: painter.flatten() }
    }

    /// Returns whether every finished level has its rows on stdout, so that a table at the end would repeat them.
    pub(crate) const fn writes_rows(&self) -> bool {
        matches!(self.destination, Destination::Rows(_))
    }

    /// Returns whether levels in work are drawn.
    pub(crate) const fn draws(&self) -> bool {
        self.painter.is_some()
    }

    /// Makes room in the table for rows like this one, before the first level is finished.
    pub(crate) fn expect(&self, row: &[TableCell]) {
        if let Destination::Rows(writer) = &self.destination {
            writer.lock().expect(row);
        }
    }

    /// Shows a level in work, which may take so much time, until the view is dropped. Several views with the same
    /// number share a line.
    pub(crate) fn level(&self, number: usize, title: &str, time: Option<Duration>) -> LevelView<'_> {
        LevelView::new(self, number, title, time)
    }

    /// Counts a finished level, and writes it unless it is of no interest.
    pub(crate) fn finished(&self, finished: &Finished) {
        self.shared.state.lock().finish(finished);
        if !self.is_of_interest(finished.kind) {
            return;
        }
        match &self.destination {
            Destination::Rows(writer) => {
                let text: String = {
                    let mut writer = writer.lock();
                    finished.rows.iter().map(|row| writer.row(row)).collect()
                };
                self.print(&text);
            }
            Destination::Lines => self.line(finished.kind, &finished.line),
            Destination::Nowhere => {}
        }
    }

    /// Says something above what is drawn.
    pub(crate) fn line(&self, kind: FinishedKind, text: &str) {
        if !matches!(self.destination, Destination::Nowhere) {
            let text = crate::wording::harmless(text);
            let terminal = self.complaints.terminal();
            self.complaints.raw(&kind.paint().map_or_else(|| text.clone(), |paint| terminal.paint(paint, &text)));
        }
    }

    /// Ends the table on stdout, if there is one, with the columns that were left out and the sums of each file.
    pub(crate) fn end_rows(&self, stdout: &Terminal) {
        if let Destination::Rows(writer) = &self.destination {
            let end = writer.lock().end();
            let sums = self.shared.state.lock().files.table().map(|table| format!("\n{}", table.draw(stdout)));
            self.print(&format!("{end}{}", sums.unwrap_or_default()));
        }
    }

    /// In a long run only improvements and failures are; in a log, what is of any weight.
    fn is_of_interest(&self, kind: FinishedKind) -> bool {
        match kind {
            FinishedKind::Improved | FinishedKind::Failed => true,
            FinishedKind::Solved | FinishedKind::Proved => self.facts.n_levels <= LONG_RUN,
            FinishedKind::Ordinary => self.facts.n_levels <= LONG_RUN && self.painter.is_some(),
        }
    }

    /// Writes to stdout, above what is drawn. A terminal that went away is no reason to stop.
    fn print(&self, text: &str) {
        let print = || drop(output::print(text));
        match &self.painter {
            Some((bar, _)) => bar.suspend(print),
            None => print(),
        }
    }
}

impl FinishedKind {
    const fn paint(self) -> Option<Paint> {
        match self {
            Self::Improved | Self::Solved => Some(Paint::Good),
            Self::Proved => Some(Paint::Proved),
            Self::Failed => Some(Paint::Warning),
            Self::Ordinary => None,
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if let Some((bar, thread)) = self.painter.take() {
            self.shared.state.lock().has_ended = true;
            self.shared.ended.notify_all();
            // A fault of the painter has been reported, and costs no results.
            drop(thread.join());
            self.complaints.above(None);
            bar.finish_and_clear();
        }
    }
}

/// Starts the thread that draws; without threads to spare nothing is drawn.
fn start_painter(shared: &Arc<SharedScreen>, complaints: &Complaints) -> Option<(ProgressBar, JoinHandle<()>)> {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(HZ));
    bar.set_style(ProgressStyle::with_template("{msg}").ok()?);
    let (own, shared, terminal) = (bar.clone(), Arc::clone(shared), complaints.terminal());
    let paint = move || paint(&own, &shared, terminal);
    let thread = std::thread::Builder::new().name("painter".to_owned()).spawn(paint).ok()?;
    complaints.above(Some(bar.clone()));
    Some((bar, thread))
}

fn paint(bar: &ProgressBar, shared: &SharedScreen, terminal: Terminal) {
    let mut state = shared.state.lock();
    while !state.has_ended {
        shared.ended.wait_for(&mut state, PAUSE);
        if !state.has_ended {
            let text = draw(&mut state, &terminal.measured_again());
            parking_lot::MutexGuard::unlocked(&mut state, || bar.set_message(text));
        }
    }
}

#[cfg(test)]
mod tests;
