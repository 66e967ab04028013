//! Which windows are being searched just now: no two threads do the same work at once.
//!
//! ```text
//!   thread 1   ├──── 20/10 ────┤                 in hand
//!   thread 2            ├──── 20/10 ────┤        refused: it overlaps        ├──── 20/10 ────┤   taken instead
//!   thread 2            ├────── 10 ─────┤        taken: another way of searching
//! ```
//!
//! Arms of a team differ, but the plateau and the lineages have arms of their own, some of them like those of the team,
//! and may come to the same solution, or to one that is the same in some window; and on a small board two arms of the
//! team may allow the same squares. So a window is taken before it is searched, and put back after that. It is refused
//! while one of the same content, or one of the same solution that overlaps it, is searched in the same way. A way
//! is a neighborhood with its ring order, or a method with the kind of its piece, and an objective.
//!
//! Whoever is refused takes another window, or another arm; an arm with no window left waits until some window is
//! put back. A thread with no arm left lends its place to the searches that go on (see `team`).
//!
//! Invariant: of two windows in hand, neither has the other's way and content, nor its way and solution and any push
//! in common. There is one for each thread at most, so they are not charged. With one thread none is ever refused.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use sokocore::Objective;

/// The windows in hand.
#[derive(Debug, Default)]
pub(crate) struct WindowsInHand {
    windows: Mutex<Vec<Window>>,
    n_put_back: AtomicU64,
}

/// A window to be searched in a certain way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// Fingerprint of the neighborhood or the method, and what the solution is to be improved by.
    pub(crate) way: (u64, Objective),
    /// Fingerprints of all of the solution, and of the window.
    pub(crate) solution: u64,
    pub(crate) content: u64,
    pub(crate) pushes: Range<usize>,
}

/// A window that its owner may search; put back when dropped.
#[derive(Debug)]
pub(crate) struct InHand<'a> {
    all: &'a WindowsInHand,
    window: Window,
}

impl Window {
    fn excludes(&self, other: &Self) -> bool {
        let overlaps = self.pushes.start < other.pushes.end && other.pushes.start < self.pushes.end;
        self.way == other.way && (self.content == other.content || (self.solution == other.solution && overlaps))
    }
}

impl InHand<'_> {
    pub(crate) const fn pushes(&self) -> &Range<usize> {
        &self.window.pushes
    }

    pub(crate) const fn content(&self) -> u64 {
        self.window.content
    }
}

impl WindowsInHand {
    /// Takes a window, unless another one excludes it.
    pub(crate) fn take(&self, window: Window) -> Option<InHand<'_>> {
        let mut windows = self.windows.lock();
        if windows.iter().any(|other| other.excludes(&window)) {
            return None;
        }
        windows.push(window.clone());
        Some(InHand { all: self, window })
    }

    /// How many windows were ever put back: as long as that stays the same, what was refused is refused again.
    pub(crate) fn n_put_back(&self) -> u64 {
        self.n_put_back.load(Ordering::Acquire)
    }
}

impl Drop for InHand<'_> {
    fn drop(&mut self) {
        let mut windows = self.all.windows.lock();
        if let Some(at) = windows.iter().position(|other| *other == self.window) {
            windows.swap_remove(at);
        }
        self.all.n_put_back.fetch_add(1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(way: u64, objective: Objective, (solution, content): (u64, u64), pushes: Range<usize>) -> Window {
        Window { way: (way, objective), solution, content, pushes }
    }

    #[test]
    fn what_is_in_hand_is_refused_until_it_is_put_back() {
        let all = WindowsInHand::default();
        let moves = |way, solution, content, pushes| window(way, Objective::MOVES, (solution, content), pushes);
        let hand = all.take(moves(1, 10, 100, 5..9)).unwrap();
        let is_free = |window| all.take(window).is_some();
        assert!(!is_free(moves(1, 10, 100, 5..9)), "the same");
        assert!(!is_free(moves(1, 11, 100, 7..11)), "the same content in another solution");
        assert!(!is_free(moves(1, 10, 101, 8..20)) && !is_free(moves(1, 10, 102, 0..6)), "it overlaps");
        assert!(is_free(moves(1, 10, 103, 9..20)) && is_free(moves(1, 10, 104, 0..5)), "beside it");
        assert!(is_free(moves(2, 10, 100, 5..9)), "another way");
        assert!(is_free(window(1, Objective::PUSHES, (10, 100), 5..9)), "another objective");
        assert!(is_free(moves(1, 11, 105, 5..9)), "another solution");
        let before = all.n_put_back();
        drop(hand);
        assert_eq!(all.n_put_back(), before + 1);
        assert!(is_free(moves(1, 10, 100, 5..9)));
    }
}
