//! The order of the lines: that of the input, or as they come.
//!
//! Invariant: at most [`WINDOW`] lines are held back. A thread that is so far ahead waits; as they come, none does.

use parking_lot::{Condvar, Mutex};

use super::Line;
use crate::in_order::InOrder;

/// Levels that may be begun beyond the first one that has no line yet.
const WINDOW: usize = 1 << 14;

/// Lines that wait for those before them.
pub(super) struct LineOrder {
    is_unordered: bool,
    state: Mutex<HeldLines>,
    changed: Condvar,
}

struct HeldLines {
    order: InOrder<Line>,
    /// Lines written.
    n_written: usize,
    /// Whether a thread has ended without the line of its level.
    is_over: bool,
}

impl LineOrder {
    pub(super) fn new(is_unordered: bool) -> Self {
        let held = HeldLines { order: InOrder::new(false), n_written: 0, is_over: false };
        Self { is_unordered, state: Mutex::new(held), changed: Condvar::new() }
    }

    /// Waits until a level is no more than the window ahead, or the run is over.
    pub(super) fn wait_for(&self, order: usize, is_over: impl Fn() -> bool) {
        if self.is_unordered {
            return;
        }
        let mut held = self.state.lock();
        while order >= held.n_written + WINDOW && !held.is_over && !is_over() {
            self.changed.wait(&mut held);
        }
    }

    /// Hands on this line, or those whose turn it is now.
    pub(super) fn put(&self, order: usize, line: Line, write: impl Fn(Line)) {
        if self.is_unordered {
            return write(line);
        }
        let mut held = self.state.lock();
        for (_, line) in held.order.put(order, line) {
            write(line);
            held.n_written += 1;
        }
        drop(held);
        self.changed.notify_all();
    }

    /// Lets all threads pass, after one has ended without the line of its level.
    pub(super) fn leave(&self) {
        self.state.lock().is_over = true;
        self.changed.notify_all();
    }
}
