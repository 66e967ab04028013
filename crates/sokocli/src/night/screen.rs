//! What a user sees of a night in progress.
//!
//! ```text
//!  1 h 02 min gone, 6 h 58 min left
//!  155 levels, 150 solved, 12 tonight
//!  moves   17,413  -1,213  ██▇▆▄▃▃▂▂▂▁▁▁▁
//!  pushes   5,232    -120  █▅▅▄▄▃▃▃▃▂▂▁▁▁
//!    Microban:12 "Garden", moves: 34 s of 1 min 00 s  230/97
//!    Sasquatch:3, solve: 12 s of 20.0 s
//!  Microban:7 "Twisty", moves: 118/33 for 120/33
//! ```
//!
//! It is drawn on a terminal only; the log has every gain.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::Mutex;
use sokocore::{Metrics, Objective};
use sokonight::{Gain, NightEvent, NightLevel, Purpose, SliceReport};
use sokosearch::Clock;

use super::report::gain_text;
use super::sums::NightSum;
use crate::args::NightArgs;
use crate::complaint::Complaints;
use crate::console::Console;
use crate::known_solutions::moves_and_pushes;
use crate::table::shorten_end;
use crate::terminal::Terminal;
use crate::wording::{count, duration, harmless, thousands};

/// Drawings a second.
const HZ: u8 = 4;
/// Gains that are shown.
const N_GAINS: usize = 5;
/// Columns that a name has at least.
const SHORTEST_NAME: usize = 8;
/// Width that is drawn where the terminal does not tell its own.
const WIDTH: usize = 80;

/// The lines at the bottom of the terminal.
pub(super) struct NightScreen {
    complaints: Complaints,
    /// `None` where nothing is drawn.
    bar: Option<ProgressBar>,
    state: Mutex<ScreenState>,
    clock: Clock,
    limit: Option<Duration>,
}

#[derive(Debug)]
struct ScreenState {
    n_levels: usize,
    n_solved: usize,
    n_newly_solved: usize,
    moves: NightSum,
    pushes: NightSum,
    in_work: Vec<Option<InWork>>,
    gains: VecDeque<String>,
}

/// A slice in work.
#[derive(Debug)]
struct InWork {
    name: String,
    purpose: Purpose,
    clock: Clock,
    time: Duration,
    best: String,
}

impl NightScreen {
    /// Begins to draw, if stderr is a terminal and nothing else goes there.
    pub(super) fn new(
        args: &NightArgs,
        console: &Console,
        levels: &[NightLevel],
        limit: Option<Duration>,
        n_threads: usize,
    ) -> Self {
        let complaints = console.complaints.clone();
        let is_drawn = !args.quiet && console.verbose == 0 && complaints.terminal().can_redraw();
        let bar = if is_drawn { bar() } else { None };
        complaints.above(bar.clone());
        let state = ScreenState {
            n_levels: levels.len(),
            n_solved: levels.iter().filter(|level| !level.known.is_empty()).count(),
            n_newly_solved: 0,
            moves: NightSum::new("moves", sum_of(levels, Objective::MOVES)),
            pushes: NightSum::new("pushes", sum_of(levels, Objective::PUSHES)),
            in_work: (0..n_threads).map(|_| None).collect(),
            gains: VecDeque::new(),
        };
        Self { complaints, bar, state: Mutex::new(state), clock: Clock::start(), limit }
    }

    /// Notes what happens.
    pub(super) fn on(&self, event: &NightEvent<'_>) {
        match *event {
            NightEvent::SliceBegins { worker, level, purpose, time, best, .. } => {
                let best = best.map(|best| moves_and_pushes(&best)).unwrap_or_default();
                let in_work = InWork { name: level.name(), purpose, clock: Clock::start(), time, best };
                self.state.lock().in_work[worker] = Some(in_work);
            }
            NightEvent::SliceEnds { worker, level, report, .. } => {
                let mut state = self.state.lock();
                state.in_work[worker] = None;
                state.gained(level, report, self.clock.elapsed());
            }
            _ => {}
        }
    }

    /// Draws it.
    pub(super) fn draw(&self) {
        if let Some(bar) = &self.bar {
            let width = self.complaints.terminal().measured_again().width().unwrap_or(WIDTH);
            let text = self.text(width);
            bar.set_message(text);
        }
    }

    fn text(&self, width: usize) -> String {
        let state = self.state.lock();
        let elapsed = self.clock.elapsed();
        let left = self.limit.map(|limit| format!(", {} left", duration(limit.saturating_sub(elapsed))));
        let terminal = self.complaints.terminal();
        let n_columns = width.saturating_sub(1);
        let mut lines = vec![
            format!("{} gone{}", duration(elapsed), left.unwrap_or_default()),
            format!(
                "{}, {} solved, {} tonight",
                count(state.n_levels, "level"),
                thousands(state.n_solved as u64),
                thousands(state.n_newly_solved as u64),
            ),
            state.moves.text(elapsed, n_columns, &terminal),
            state.pushes.text(elapsed, n_columns, &terminal),
        ];
        lines.extend(state.in_work.iter().flatten().map(|in_work| in_work.text(n_columns, &terminal)));
        lines.extend(state.gains.iter().cloned());
        let mut text = String::new();
        for line in lines {
            let _ = writeln!(text, "{}", shorten_end(&harmless(&line), n_columns, terminal.ellipsis()));
        }
        text.trim_end().to_owned()
    }
}

impl ScreenState {
    /// Counts what a slice has gained.
    fn gained(&mut self, level: &NightLevel, report: &SliceReport, at: Duration) {
        let is_first = report.gains.iter().any(|gain| gain.before.is_none());
        self.n_solved += usize::from(is_first);
        self.n_newly_solved += usize::from(is_first);
        for gain in &report.gains {
            let Gain { objective, before, after, .. } = gain;
            let sum = match *objective {
                Objective::MOVES => Some(&mut self.moves),
                Objective::PUSHES => Some(&mut self.pushes),
                _ => None,
            };
            let counted = |metrics: &Metrics| objective.score(metrics).primary();
            match (sum, before) {
                (Some(sum), Some(before)) => sum.gain(at, counted(before).saturating_sub(counted(after))),
                (Some(sum), None) => sum.add_first(counted(after)),
                (None, _) => {}
            }
            self.gains.push_front(gain_text(&level.name(), gain));
            self.gains.truncate(N_GAINS);
        }
    }
}

impl InWork {
    /// Writes it in at most so many columns: of a long name only the beginning.
    fn text(&self, n_columns: usize, terminal: &Terminal) -> String {
        let (gone, time) = (duration(self.clock.elapsed()), duration(self.time));
        let rest = format!(", {}: {gone} of {time}  {}", self.purpose, self.best);
        let rest = rest.trim_end();
        let room = n_columns.saturating_sub(rest.len() + 2).max(SHORTEST_NAME);
        format!("  {}{rest}", shorten_end(&harmless(&self.name), room, terminal.ellipsis()))
    }
}

/// The sum of the best solutions that are known.
fn sum_of(levels: &[NightLevel], objective: Objective) -> u64 {
    let best = |level: &NightLevel| {
        level.known.iter().map(|solution| objective.score(&solution.metrics())).min().map(|score| score.primary())
    };
    levels.iter().filter_map(best).sum()
}

fn bar() -> Option<ProgressBar> {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(HZ));
    bar.set_style(ProgressStyle::with_template("{msg}").ok()?);
    Some(bar)
}

impl Drop for NightScreen {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            self.complaints.above(None);
            bar.finish_and_clear();
        }
    }
}
