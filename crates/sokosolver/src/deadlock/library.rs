//! The deadlock library of a search: the tests that are made for it, and what it learns.
//!
//! ```text
//!              systematic · packing · FESS, by pushes or by pulls
//!                    │ forbids(push)     │ prune(position)
//!                    ▼                   ▼
//!   DeadlockLibrary: tests, in the order of TESTS ──proofs──▶ DeadlockLearner ◀──▶ other searches of the run
//!                    │                                             │
//!                    └── freeze, patterns, corrals ...             └── DeadlockSets: what was proved
//! ```
//!
//! All searches ask the same questions: whether a push is forbidden, and which boxes of a position need be pushed. A test that is on for only some of them says so where it is made.

use std::sync::Arc;

use sokocore::FloorSquare;

use crate::board::SearchBoard;
use crate::deadlock::TESTS;
use crate::deadlock::deadlock_sets::DeadlockSets;
use crate::deadlock::deadlock_test::{DeadlockTest, FloodedPosition, MovedBox, Prune, TestContext};
use crate::deadlock::enclosed_areas::EnclosedAreas;
use crate::deadlock::learner::DeadlockLearner;
use crate::deadlock::library_parts::LibraryParts;

/// The tests of one search in one direction.
#[derive(Debug)]
pub(crate) struct DeadlockLibrary {
    tests: Vec<Box<dyn DeadlockTest>>,
    learner: Option<DeadlockLearner>,
    areas: EnclosedAreas,
    reads_areas: bool,
    immovable: Vec<FloorSquare>,
}

impl DeadlockLibrary {
    const LEARNS: &str = "invariant: the search learns deadlocks";

    /// Makes the tests for a search. A search by pulls learns nothing: it only generates positions that can be solved.
    pub(crate) fn new(parts: &LibraryParts<'_>) -> Self {
        let tables = parts.tables.filter(|_| parts.learns());
        let tests: Vec<_> = TESTS.iter().filter_map(|make| make(parts)).collect();
        Self {
            reads_areas: tests.iter().any(|test| test.reads_areas()),
            tests,
            learner: tables.map(|tables| DeadlockLearner::new(Arc::clone(tables), parts.settings, parts.meter)),
            areas: EnclosedAreas::new(parts.board),
            immovable: Vec::new(),
        }
    }

    /// Returns what the search has learned.
    ///
    /// # Panics
    /// If the search does not learn.
    #[inline]
    pub(crate) const fn learner(&self) -> &DeadlockLearner {
        self.learner.as_ref().expect(Self::LEARNS)
    }

    /// Returns what the search has learned, to add to it.
    ///
    /// # Panics
    /// If the search does not learn.
    pub(crate) const fn learner_mut(&mut self) -> &mut DeadlockLearner {
        self.learner.as_mut().expect(Self::LEARNS)
    }

    /// Returns the known deadlocks.
    ///
    /// # Panics
    /// If the search does not learn.
    #[inline]
    pub(crate) const fn sets(&self) -> &DeadlockSets {
        self.learner().sets()
    }

    /// Returns how many known deadlocks were looked up, as far as they are counted.
    pub(crate) fn n_lookups(&self) -> u64 {
        self.learner.as_ref().map_or(0, DeadlockLearner::n_lookups)
    }

    /// Returns the number of deadlock sets that are known.
    pub(crate) fn n_sets(&self) -> u16 {
        let n_sets = self.learner.as_ref().map_or(0, |learner| learner.sets().len());
        u16::try_from(n_sets).expect("invariant: at most DeadlockSets::MAX sets")
    }

    /// Returns the positions that proofs have expanded.
    pub(crate) fn n_proof_nodes(&self) -> u64 {
        self.learner.as_ref().map_or(0, DeadlockLearner::n_proof_nodes)
    }

    /// Returns whether a push or pull just made leads to a position on no solution, by some test or by a known deadlock.
    #[inline]
    pub(crate) fn forbids(&mut self, board: &SearchBoard, moved: MovedBox<'_>) -> bool {
        self.forbids_by_first(u16::MAX, board, moved)
    }

    /// As [`DeadlockLibrary::forbids`] with only the first so many known deadlocks: for a search that generates the
    /// moves of a position again, as they were.
    #[inline]
    pub(crate) fn forbids_by_first(&mut self, n_sets: u16, board: &SearchBoard, moved: MovedBox<'_>) -> bool {
        self.tests_forbid(board, moved) || self.is_known_dead_push(n_sets, board, moved)
    }

    /// Returns whether a test forbids a push or pull just made, whatever was learned: for a search that counts the
    /// boxes of known deadlocks itself, and for pushes within a macro move.
    #[inline]
    pub(crate) fn tests_forbid(&mut self, board: &SearchBoard, moved: MovedBox<'_>) -> bool {
        let mut cx = TestContext { board, learner: self.learner.as_mut(), areas: &self.areas };
        self.tests.iter_mut().any(|test| test.forbids(moved, &mut cx))
    }

    fn is_known_dead_push(&self, n_sets: u16, board: &SearchBoard, moved: MovedBox<'_>) -> bool {
        let (Some(learner), Some(side)) = (&self.learner, moved.side) else { return false };
        learner.sets().forbids_by_first(n_sets.into(), moved.boxes, board.step(moved.sq, side), moved.sq)
    }

    /// Returns whether the boxes of a position fill a known deadlock. Since a push is checked when it is made, this
    /// finds what was learned later.
    pub(crate) fn is_known_dead(&self, position: &FloodedPosition<'_>) -> bool {
        let sets = self.learner.as_ref().map(DeadlockLearner::sets);
        sets.is_some_and(|sets| position.squares.iter().any(|&sq| sets.forbids(position.boxes, position.player, sq)))
    }

    /// Examines a position that is about to be expanded.
    pub(crate) fn prune(&mut self, board: &SearchBoard, position: &FloodedPosition<'_>) -> Prune {
        self.immovable.clear();
        self.label(board, position);
        let mut cx = TestContext { board, learner: self.learner.as_mut(), areas: &self.areas };
        if self.tests.iter_mut().any(|test| test.proves_dead(position, &mut cx)) {
            return Prune::Dead;
        }
        self.first_restriction(board, position)
    }

    /// Returns the boxes that need be pushed in a position that [`DeadlockLibrary::prune`] has examined before, without
    /// proofs.
    pub(crate) fn restrict(&mut self, board: &SearchBoard, position: &FloodedPosition<'_>) -> Prune {
        self.immovable.clear();
        self.label(board, position);
        self.first_restriction(board, position)
    }

    /// Returns the boxes, all on goals, that were shown to be immovable when the last position was examined.
    pub(crate) fn immovable(&self) -> &[FloorSquare] {
        &self.immovable
    }

    fn label(&mut self, board: &SearchBoard, position: &FloodedPosition<'_>) {
        if self.reads_areas && position.is_closed(board) {
            self.areas.label(board, position.flood);
        } else {
            self.areas.clear();
        }
    }

    fn first_restriction(&mut self, board: &SearchBoard, position: &FloodedPosition<'_>) -> Prune {
        let mut cx = TestContext { board, learner: self.learner.as_mut(), areas: &self.areas };
        for test in &mut self.tests {
            let prune = test.restrict(position, &mut cx);
            self.immovable.extend_from_slice(test.immovable());
            if prune != Prune::All {
                return prune;
            }
        }
        Prune::All
    }
}

#[cfg(test)]
mod tests;
