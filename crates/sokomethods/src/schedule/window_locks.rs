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
//! A lock is also a claim among the islands that the run exchanges windows with, if there are any (`window_claims`): it
//! is refused while another island searches the window, and for good if the window was searched there.
//!
//! Invariant: no two locked windows conflict. There is at most one lock for each thread, so locks are not charged. With
//! one thread and no other islands no lock is ever refused.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use sokocore::Objective;
use sokosearch::Context;

use super::window_claims::WindowClaims;
use crate::{IslandWindow, Knobs, WindowClaim};

/// The locks that are held.
#[derive(Debug, Default)]
pub(crate) struct WindowLocks {
    windows: Mutex<Vec<WindowSearch>>,
    n_released: AtomicU64,
    claims: Option<WindowClaims>,
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
    pub(crate) coverage: Coverage,
}

/// What a search of a window says of the windows within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coverage {
    /// Without a gain there is none in any of them.
    Complete,
    /// Nothing: a limit may have cut it off, or it is of another kind there.
    Partial,
}

/// The right to search a window, released when dropped.
#[derive(Debug)]
pub(crate) struct WindowLock<'a> {
    locks: &'a WindowLocks,
    window: WindowSearch,
    /// The claim among islands, until it has ended.
    claim: Option<IslandWindow>,
}

/// Why a window is not locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LockRefusal {
    /// Another thread, or another island, searches it or a part of it.
    Busy,
    /// Another island has searched it without a gain.
    Searched,
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

    /// Ends the lock of a window that was searched to its end without a gain.
    pub(crate) fn note_searched(mut self) {
        if let (Some(claims), Some(claim)) = (&self.locks.claims, self.claim.take()) {
            claims.note_searched(&claim);
        }
    }
}

impl WindowLocks {
    /// Returns the locks of a run, none of which is held.
    pub(crate) fn new(knobs: &Knobs, cx: &Context<'_>) -> Self {
        Self { claims: WindowClaims::of(knobs, cx), ..Self::default() }
    }

    /// Locks a window, unless it conflicts with a locked one or other islands have it.
    pub(crate) fn try_lock(&self, window: WindowSearch) -> Result<WindowLock<'_>, LockRefusal> {
        let mut windows = self.windows.lock();
        if windows.iter().any(|other| other.conflicts_with(&window)) {
            return Err(LockRefusal::Busy);
        }
        let claim = match &self.claims {
            None => None,
            Some(claims) => {
                let claim = claims.window(&window);
                match claims.claim(&claim) {
                    WindowClaim::Granted => Some(claim),
                    WindowClaim::Taken => return Err(LockRefusal::Busy),
                    WindowClaim::Searched => return Err(LockRefusal::Searched),
                }
            }
        };
        windows.push(window.clone());
        Ok(WindowLock { locks: self, window, claim })
    }

    /// Returns a number that rises with each release. While it stays the same, a refused lock is refused again.
    pub(crate) fn n_released(&self) -> u64 {
        self.n_released.load(Ordering::Acquire) + self.claims.as_ref().map_or(0, WindowClaims::n_changes)
    }

    /// Grants the next lock that only a claim of another island stands against. Returns false if there are no islands.
    pub(crate) fn insist(&self) -> bool {
        self.claims.as_ref().map(WindowClaims::insist).is_some()
    }
}

impl Drop for WindowLock<'_> {
    fn drop(&mut self) {
        let mut windows = self.locks.windows.lock();
        if let Some(at) = windows.iter().position(|other| *other == self.window) {
            windows.swap_remove(at);
        }
        drop(windows);
        if let (Some(claims), Some(claim)) = (&self.locks.claims, &self.claim) {
            claims.release(claim);
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
        WindowSearch { neighborhood, objective, solution, content, pushes, coverage: Coverage::Complete }
    }

    #[test]
    fn a_conflicting_lock_is_refused_until_release() {
        let locks = WindowLocks::default();
        let moves = |neighborhood, solution, content, pushes| {
            window(neighborhood, Objective::MOVES, (solution, content), pushes)
        };
        let lock = locks.try_lock(moves(1, 10, 100, 5..9)).unwrap();
        let is_free = |window| locks.try_lock(window).is_ok();
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
