//! Deadlocks: how a position or a push is shown to be on no solution.
//!
//! ```text
//!   search ──forbids, prune──▶ library ─┬─▶ tests of a push       dead_patterns  frozen_boxes  diagonals  neighbor_pairs
//!                                       ├─▶ tests of a position   bipartite  area_proofs  packing_corral  pi_corral
//!                                       └─▶ learner ─▶ prover     deadlock_sets: what was proved ◀─▶ shared
//! ```
//!
//! A new test is a file here that implements [`deadlock_test::DeadlockTest`], and a line in [`TESTS`]: then every search
//! has it for which its `make` returns one.
//!
//! # Contents, in reading order
//! * [`deadlock_test`]: the interface of all tests. Start here. [`library`], [`library_parts`]: the tests of one search,
//!   asked together, and what they are made from.
//! * [`pattern_table`], [`dead_patterns`]: patterns of two and three boxes, enumerated before the search.
//! * [`freeze`], [`frozen_boxes`]: boxes that can never move again. [`diagonals`]: closed diagonals of boxes.
//! * [`neighbor_pairs`]: pairs of boxes, examined when they first meet.
//! * [`bipartite`]: boxes that cannot all have goals.
//! * [`enclosed_areas`], [`area_proofs`]: floor that the player does not reach, and proofs about the boxes around it.
//! * [`pi_corral`], [`packing_corral`]: enclosed areas that must be resolved at once; the second one is of packing.
//! * [`prover`], [`learner`]: the proof that a few boxes are lost, and what is tried to be proved.
//! * [`deadlock_sets`], [`capacity_areas`]: the database: sets of squares that must not hold more boxes than so many.
//! * [`shared`]: proofs exchanged between the searches of a run.

pub(crate) mod area_proofs;
pub(crate) mod bipartite;
pub(crate) mod capacity_areas;
pub(crate) mod dead_patterns;
pub(crate) mod deadlock_sets;
pub(crate) mod deadlock_test;
pub(crate) mod diagonals;
pub(crate) mod enclosed_areas;
pub(crate) mod freeze;
pub(crate) mod frozen_boxes;
pub(crate) mod learner;
pub(crate) mod library;
pub(crate) mod library_parts;
pub(crate) mod neighbor_pairs;
pub(crate) mod packing_corral;
pub(crate) mod pattern_table;
pub(crate) mod pi_corral;
pub(crate) mod prover;
pub(crate) mod shared;

use deadlock_test::DeadlockTest;
use library_parts::LibraryParts;

/// Makes a test for a search; `None` if it is not for this search, or switched off.
type MakeTest = fn(&LibraryParts<'_>) -> Option<Box<dyn DeadlockTest>>;

/// All deadlock tests, in the order in which they are asked: cheap ones first.
const TESTS: &[MakeTest] = &[
    dead_patterns::make,
    frozen_boxes::make,
    diagonals::make,
    neighbor_pairs::make,
    bipartite::make,
    area_proofs::make,
    packing_corral::make,
    pi_corral::make,
];
