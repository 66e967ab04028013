//! How far a stream is, in one line on a terminal.
//!
//! ```text
//!   1,015 of about 3,000 levels · 1,001 solved · 690 a second · 3 s left
//! ```
//!
//! How many levels there are is known when the last file is read; before that each of the files that are left counts as
//! many as those before on the average.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::{Condvar, Mutex};

use super::level_stream::StreamSize;
use crate::complaint::Complaints;
use crate::table::shorten_end;
use crate::wording::{duration, thousands};

/// Drawings a second.
const HZ: u8 = 10;
/// Time between two of them.
const PAUSE: Duration = Duration::from_millis(100);

/// The line. It is gone when it is dropped.
pub(super) struct StreamScreen {
    bar: ProgressBar,
    complaints: Complaints,
    has_ended: Mutex<bool>,
    ended: Condvar,
}

/// What the line tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct StreamProgress {
    /// The levels that there are, as far as they are known.
    pub(super) size: StreamSize,
    /// Levels that have a line by this run.
    pub(super) n_done: usize,
    pub(super) n_solved: usize,
    /// Since the run began.
    pub(super) elapsed: Duration,
}

/// Ends the drawing when it is dropped, whatever ends the run.
pub(super) struct EndOfScreen<'a>(&'a StreamScreen);

impl StreamScreen {
    /// Begins a line on stderr; `None` where nothing can be redrawn.
    pub(super) fn begin(complaints: &Complaints) -> Option<Self> {
        if !complaints.terminal().can_redraw() {
            return None;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(HZ));
        bar.set_style(ProgressStyle::with_template("{msg}").ok()?);
        complaints.above(Some(bar.clone()));
        Some(Self { bar, complaints: complaints.clone(), has_ended: Mutex::new(false), ended: Condvar::new() })
    }

    /// Draws until the end is dropped.
    pub(super) fn draw(&self, progress: impl Fn() -> StreamProgress) {
        let mut has_ended = self.has_ended.lock();
        while !*has_ended {
            self.ended.wait_for(&mut has_ended, PAUSE);
            if !*has_ended {
                let terminal = self.complaints.terminal().measured_again();
                // No line is as wide as the terminal: some of them break such lines.
                let width = terminal.width().map_or(usize::MAX, |width| width.saturating_sub(1));
                let text = shorten_end(&progress().text(terminal.dot()), width, terminal.ellipsis());
                self.bar.set_message(text);
            }
        }
    }

    /// Returns what ends the drawing.
    pub(super) const fn end(&self) -> EndOfScreen<'_> {
        EndOfScreen(self)
    }
}

impl StreamProgress {
    fn text(&self, dot: &str) -> String {
        let Self { size, n_done, n_solved, elapsed } = *self;
        let number = |n: usize| thousands(n as u64);
        let about = if size.is_known { "" } else { "about " };
        let mut parts = vec![
            format!("{} of {about}{} levels", number(n_done), number(size.n_levels.max(n_done))),
            format!("{} solved", number(n_solved)),
        ];
        if n_done > 0 {
            let rate = n_done as f64 / elapsed.as_secs_f64().max(1e-3);
            let rate = if rate < 10.0 { format!("{rate:.1}") } else { format!("{rate:.0}") };
            let left = elapsed.mul_f64(size.n_levels.saturating_sub(n_done) as f64 / n_done as f64);
            parts.extend([format!("{rate} a second"), format!("{} left", duration(left))]);
        }
        parts.join(dot)
    }
}

impl Drop for EndOfScreen<'_> {
    fn drop(&mut self) {
        *self.0.has_ended.lock() = true;
        self.0.ended.notify_all();
    }
}

impl Drop for StreamScreen {
    fn drop(&mut self) {
        self.complaints.above(None);
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(n_levels: usize, is_known: bool, n_done: usize, seconds: u64) -> String {
        let size = StreamSize { n_levels, is_known };
        StreamProgress { size, n_done, n_solved: n_done / 2, elapsed: Duration::from_secs(seconds) }.text(" | ")
    }

    #[test]
    fn the_line_tells_what_is_known() {
        assert_eq!(text(3_000, false, 0, 1), "0 of about 3,000 levels | 0 solved");
        assert_eq!(
            text(3_000, false, 1_000, 2),
            "1,000 of about 3,000 levels | 500 solved | 500 a second | 4.00 s left"
        );
        assert_eq!(text(4, true, 2, 10), "2 of 4 levels | 1 solved | 0.2 a second | 10.0 s left");
        assert!(text(0, true, 2, 1).starts_with("2 of 2 levels"));
    }
}
