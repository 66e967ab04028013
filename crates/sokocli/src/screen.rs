//! What a person sees on stderr while a run goes on: a bar for each search, or plain lines where there is no terminal.
//!
//! Bars are drawn at most ten times a second, however often the searches speak.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::Mutex;
use sokocore::{Metrics, Objective};
use sokosearch::{Event, Progress};

use crate::table;

/// Drawings a second.
const HZ: u8 = 10;
/// Length of a bar in steps.
const STEPS: u32 = 1_000;
const TEMPLATE: &str = "{elapsed:>4} [{bar:16}] {prefix}  {wide_msg}";

/// Where progress is shown.
#[derive(Debug)]
pub(crate) enum Screen {
    /// A terminal, with bars.
    Bars(MultiProgress),
    /// A file or a pipe.
    Lines,
    /// Nobody wants to know.
    Silent,
}

/// How much is said while a run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chatter {
    /// Bars or lines.
    Progress,
    /// Lines only, because a log goes the same way.
    BesideLog,
    /// Nothing.
    None,
}

impl Chatter {
    /// Makes it of `--quiet` and the number of `-v`.
    pub(crate) fn of(is_quiet: bool, verbose: u8) -> Self {
        match verbose {
            _ if is_quiet => Self::None,
            0 if std::env::var_os("RUST_LOG").is_none() => Self::Progress,
            _ => Self::BesideLog,
        }
    }
}

impl Screen {
    /// Looks where stderr goes.
    pub(crate) fn new(chatter: Chatter) -> Self {
        match chatter {
            Chatter::None => Self::Silent,
            Chatter::Progress if io::stderr().is_terminal() => {
                Self::Bars(MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(HZ)))
            }
            _ => Self::Lines,
        }
    }

    /// Says something above the bars.
    pub(crate) fn line(&self, text: &str) {
        match self {
            // A terminal that went away is no reason to stop.
            Self::Bars(bars) => drop(bars.println(text)),
            Self::Lines => drop(writeln!(io::stderr().lock(), "{text}")),
            Self::Silent => {}
        }
    }

    /// Opens the view of one search. `improved` is called whenever any objective gets better.
    pub(crate) fn search<'a>(
        &self,
        title: &str,
        objective: Objective,
        best: Metrics,
        improved: &'a (dyn Fn() + Sync),
    ) -> SearchView<'a> {
        let bar = match self {
            Self::Bars(bars) => {
                let bar = bars.add(ProgressBar::new(STEPS.into()));
                bar.set_style(ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar()));
                bar.set_prefix(format!("{} {objective}", table::short(title)));
                bar.enable_steady_tick(Duration::from_millis(200));
                Some(bar)
            }
            Self::Lines | Self::Silent => None,
        };
        let view = SearchView { bar, objective, state: Mutex::new(State { best, doing: String::new() }), improved };
        view.refresh();
        view
    }
}

/// Shows one search; its bar goes when it is dropped.
pub(crate) struct SearchView<'a> {
    bar: Option<ProgressBar>,
    objective: Objective,
    state: Mutex<State>,
    improved: &'a (dyn Fn() + Sync),
}

#[derive(Debug)]
struct State {
    best: Metrics,
    doing: String,
}

impl fmt::Debug for SearchView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchView").field("state", &self.state).finish_non_exhaustive()
    }
}

impl SearchView<'_> {
    fn refresh(&self) {
        if let Some(bar) = &self.bar {
            let state = self.state.lock();
            bar.set_message(format!("best {}/{}  {}", state.best.moves, state.best.pushes, state.doing));
        }
    }
}

impl Progress for SearchView<'_> {
    fn on(&self, event: Event<'_>) {
        match event {
            Event::Working { method, phase } if self.bar.is_some() => {
                self.state.lock().doing = format!("{method}: {phase}");
                self.bar.iter().for_each(|bar| bar.set_position(0));
                self.refresh();
            }
            Event::Advanced { share } => {
                if let Some(bar) = &self.bar {
                    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the bar")]
                    bar.set_position((share.clamp(0.0, 1.0) * f64::from(STEPS)) as u64);
                }
            }
            Event::Improved { objective, metrics, method, elapsed } => {
                tracing::info!(%objective, %metrics, method, ?elapsed, "improved");
                (self.improved)();
                if objective == self.objective {
                    self.state.lock().best = metrics;
                    self.refresh();
                }
            }
            Event::Rejected { method, reason } => {
                tracing::error!(method, reason, "a find does not replay; it is ignored. Please report this");
            }
            _ => {}
        }
    }
}

impl Drop for SearchView<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
