//! What a person sees while a level is being solved: a bar that fills with the time, and whose turn it is.

use std::fmt;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;
use sokosearch::Clock;
use sokosolver::{AttemptEnd, SolveEvent, SolveProgress};

use crate::screen::Screen;
use crate::table;

/// Length of the bar in steps.
const STEPS: u32 = 1_000;
const TEMPLATE: &str = "{elapsed:>4} [{bar:16}] {prefix}  {wide_msg}";

/// Shows one level; its bar goes when it is dropped.
pub(crate) struct SolveView {
    bar: Option<ProgressBar>,
    clock: Clock,
    time: Option<Duration>,
    left: Mutex<Vec<String>>,
}

impl fmt::Debug for SolveView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolveView").field("left", &self.left).finish_non_exhaustive()
    }
}

impl SolveView {
    /// Opens the view of a level that may take so much time.
    pub(crate) fn new(screen: &Screen, title: &str, time: Option<Duration>) -> Self {
        let bar = match screen {
            Screen::Bars(bars) => {
                let bar = bars.add(ProgressBar::new(STEPS.into()));
                bar.set_style(ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar()));
                bar.set_prefix(table::short(title));
                bar.enable_steady_tick(Duration::from_millis(200));
                Some(bar)
            }
            Screen::Lines | Screen::Silent => None,
        };
        Self { bar, clock: Clock::start(), time, left: Mutex::new(Vec::new()) }
    }
}

impl SolveProgress for SolveView {
    fn on(&self, event: SolveEvent<'_>) {
        let Some(bar) = &self.bar else { return };
        match event {
            SolveEvent::Turn { strategy } => {
                if let Some(time) = self.time {
                    let share = self.clock.elapsed().as_secs_f64() / time.as_secs_f64();
                    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the bar")]
                    bar.set_position((share.clamp(0.0, 1.0) * f64::from(STEPS)) as u64);
                }
                let left = self.left.lock();
                let others = if left.is_empty() { String::new() } else { format!("  ({})", left.join(", ")) };
                bar.set_message(format!("{strategy}{others}"));
            }
            SolveEvent::Left { strategy, end } if end != AttemptEnd::Overtaken => {
                self.left.lock().push(format!("{strategy}: {end}"));
            }
            _ => {}
        }
    }
}

impl Drop for SolveView {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
