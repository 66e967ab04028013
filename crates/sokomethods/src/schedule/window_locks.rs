//! Locks on windows: two threads never do the same work at the same time.
//!
//! ```text
//!   thread 1   ├──── 20/10 ────┤                 locked
//!   thread 2            ├──── 20/10 ────┤        refused: it overlaps       ├──── 20/10 ────┤   locked instead
//!   thread 2            ├────── 10 ─────┤        locked: another neighborhood
//! ```
//!
//! The arms of a run differ, but the plateau and the lineages have arms of their own, some of them like those of the
//! run, and may reach the same solution, or one that is the same within a window. On a small board two arms may
//! displace boxes to the same squares. So a thread locks a window before it searches it. The lock is refused while a
//! window of the same content, or an overlapping window of the same solution, is searched in the same neighborhood and
//! by the same objective.
//!
//! An arm that is refused a lock tries its next window. An arm without windows is blocked until some lock is released.
//! A thread without arms lends its place to the searches that are running (see `workers`).
//!
//! Invariant: no two locked windows conflict. There is at most one lock for each thread, so locks are not charged. With
//! one thread no lock is ever refused.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use sokocore::Objective;

/// The locks that are held.
#[derive(Debug, Default)]
pub(crate) struct WindowLocks {
    windows: Mutex<Vec<WindowSearch>>,
    n_released: AtomicU64,
}

/// The search of one window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WindowSearch {
    /// Fingerprint of the neighborhood and its ring order, or of the method and the kind of its piece.
    pub(crate) neighborhood: u64,
    /// What the solution is improved by.
    pub(crate) objective: Objective,
    /// Fingerprint of the whole solution.
    pub(crate) solution: u64,
    /// Fingerprint of the window.
    pub(crate) content: u64,
    pub(crate) pushes: Range<usize>,
}

/// The right to search a window, released when dropped.
#[derive(Debug)]
pub(crate) struct WindowLock<'a> {
    locks: &'a WindowLocks,
    window: WindowSearch,
}

impl WindowSearch {
    fn conflicts_with(&self, other: &Self) -> bool {
        let overlaps = self.pushes.start < other.pushes.end && other.pushes.start < self.pushes.end;
        let is_alike = self.neighborhood == other.neighborhood && self.objective == other.objective;
        is_alike && (self.content == other.content || (self.solution == other.solution && overlaps))
    }
}

impl WindowLock<'_> {
    pub(crate) const fn pushes(&self) -> &Range<usize> {
        &self.window.pushes
    }

    pub(crate) const fn content(&self) -> u64 {
        self.window.content
    }
}

impl WindowLocks {
    /// Locks a window, unless it conflicts with a locked one.
    pub(crate) fn try_lock(&self, window: WindowSearch) -> Option<WindowLock<'_>> {
        let mut windows = self.windows.lock();
        if windows.iter().any(|other| other.conflicts_with(&window)) {
            return None;
        }
        windows.push(window.clone());
        Some(WindowLock { locks: self, window })
    }

    /// Returns how many locks were ever released. While the number stays the same, a refused lock is refused again.
    pub(crate) fn n_released(&self) -> u64 {
        self.n_released.load(Ordering::Acquire)
    }
}

impl Drop for WindowLock<'_> {
    fn drop(&mut self) {
        let mut windows = self.locks.windows.lock();
        if let Some(at) = windows.iter().position(|other| *other == self.window) {
            windows.swap_remove(at);
        }
        self.locks.n_released.fetch_add(1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(
        neighborhood: u64,
        objective: Objective,
        (solution, content): (u64, u64),
        pushes: Range<usize>,
    ) -> WindowSearch {
        WindowSearch { neighborhood, objective, solution, content, pushes }
    }

    #[test]
    fn a_conflicting_lock_is_refused_until_release() {
        let locks = WindowLocks::default();
        let moves = |neighborhood, solution, content, pushes| {
            window(neighborhood, Objective::MOVES, (solution, content), pushes)
        };
        let lock = locks.try_lock(moves(1, 10, 100, 5..9)).unwrap();
        let is_free = |window| locks.try_lock(window).is_some();
        assert!(!is_free(moves(1, 10, 100, 5..9)), "the same");
        assert!(!is_free(moves(1, 11, 100, 7..11)), "the same content in another solution");
        assert!(!is_free(moves(1, 10, 101, 8..20)) && !is_free(moves(1, 10, 102, 0..6)), "it overlaps");
        assert!(is_free(moves(1, 10, 103, 9..20)) && is_free(moves(1, 10, 104, 0..5)), "beside it");
        assert!(is_free(moves(2, 10, 100, 5..9)), "another neighborhood");
        assert!(is_free(window(1, Objective::PUSHES, (10, 100), 5..9)), "another objective");
        assert!(is_free(moves(1, 11, 105, 5..9)), "another solution");
        let before = locks.n_released();
        drop(lock);
        assert_eq!(locks.n_released(), before + 1);
        assert!(is_free(moves(1, 10, 100, 5..9)));
    }
}
