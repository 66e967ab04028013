//! What a user sees of a night in progress.
//!
//! ```text
//!  1 h 02 min gone, 6 h 58 min left · 155 levels, 150 solved, 12 solved tonight · 1,204 moves and 310 pushes gained
//!    Microban:12 "Garden"     moves    34 s of 1 min 00 s   230/97
//!    Sasquatch:3              solve    12 s of 20.0 s
//!  Microban:7 "Twisty", moves: 118/33 for 120/33
//! ```
//!
//! It is drawn on a terminal only; the log has every gain.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::Mutex;
use sokocore::Objective;
use sokosearch::Clock;

use super::levels::LevelState;
use super::report::gain_text;
use super::slice::{Purpose, SliceReport};
use crate::args::NightArgs;
use crate::complaint::Complaints;
use crate::console::Console;
use crate::known_solutions::moves_and_pushes;
use crate::table::shorten_end;
use crate::wording::{count, duration, harmless, thousands};

/// Drawings a second.
const HZ: u8 = 4;
/// Gains that are shown.
const N_GAINS: usize = 5;
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
    moves_gained: u64,
    pushes_gained: u64,
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
        states: &[LevelState<'_>],
        limit: Option<Duration>,
        n_threads: usize,
    ) -> Self {
        let complaints = console.complaints.clone();
        let is_drawn = !args.quiet && console.verbose == 0 && complaints.terminal().can_redraw();
        let bar = if is_drawn { bar() } else { None };
        complaints.above(bar.clone());
        let state = ScreenState {
            n_levels: states.len(),
            n_solved: states.iter().filter(|state| state.pool.get().is_some()).count(),
            n_newly_solved: 0,
            moves_gained: 0,
            pushes_gained: 0,
            in_work: (0..n_threads).map(|_| None).collect(),
            gains: VecDeque::new(),
        };
        Self { complaints, bar, state: Mutex::new(state), clock: Clock::start(), limit }
    }

    /// Shows the slice of a worker.
    pub(super) fn begins(&self, worker: usize, state: &LevelState<'_>, purpose: Purpose, time: Duration) {
        let objective = match purpose {
            Purpose::Improve(objective) => objective,
            Purpose::Solve => Objective::MOVES,
        };
        let best = state.best(objective).map(|best| moves_and_pushes(&best)).unwrap_or_default();
        let in_work = InWork { name: state.of.name(), purpose, clock: Clock::start(), time, best };
        self.state.lock().in_work[worker] = Some(in_work);
    }

    /// Ends the slice of a worker.
    pub(super) fn ends(&self, worker: usize) {
        self.state.lock().in_work[worker] = None;
    }

    /// Counts what a slice has gained.
    pub(super) fn gained(&self, level: &LevelState<'_>, report: &SliceReport) {
        let mut state = self.state.lock();
        let is_first = report.gains.iter().any(|(_, before, _)| before.is_none());
        state.n_solved += usize::from(is_first);
        state.n_newly_solved += usize::from(is_first);
        for (objective, before, after) in &report.gains {
            if let Some(before) = before {
                match *objective {
                    Objective::MOVES => state.moves_gained += before.moves.saturating_sub(after.moves),
                    Objective::PUSHES => state.pushes_gained += before.pushes.saturating_sub(after.pushes),
                    _ => {}
                }
            }
            let text = gain_text(&level.of.name(), &objective.to_string(), before.as_ref(), after);
            state.gains.push_front(text);
            state.gains.truncate(N_GAINS);
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
        let mut lines = vec![
            format!("{} gone{}", duration(elapsed), left.unwrap_or_default()),
            format!(
                "{}, {} solved, {} tonight; {} and {} gained",
                count(state.n_levels, "level"),
                thousands(state.n_solved as u64),
                thousands(state.n_newly_solved as u64),
                count(state.moves_gained, "move"),
                count(state.pushes_gained, "push"),
            ),
        ];
        for in_work in state.in_work.iter().flatten() {
            let (gone, time) = (duration(in_work.clock.elapsed()), duration(in_work.time));
            lines.push(format!("  {}, {}: {gone} of {time}  {}", in_work.name, in_work.purpose.name(), in_work.best));
        }
        lines.extend(state.gains.iter().cloned());
        let mut text = String::new();
        for line in lines {
            let _ = writeln!(text, "{}", shorten_end(&harmless(&line), width.saturating_sub(1), "…"));
        }
        text.trim_end().to_owned()
    }
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
