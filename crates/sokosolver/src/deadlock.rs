//! Deadlocks: how a position or a push is shown to be lost.
//!
//! # Contents, in reading order
//! * [`freeze`], [`box_freeze`]: boxes that can never move again, of a set of boxes and of one box.
//! * [`diagonals`]: closed diagonals of boxes.
//! * [`pattern_table`]: dead patterns of two and three boxes, enumerated before the search.
//! * [`pi_corral`]: enclosed areas that must be resolved at once.
//! * [`deadlock_sets`], [`capacity_areas`]: sets of squares that must not hold more boxes than so many: a database.
//! * [`corral`], [`neighbor_pairs`], [`prover`]: what is examined, and the proof that a few boxes are lost.
//! * [`learner`], [`charged_learner`]: keeps in the database what was proved.
//! * [`shared`]: proofs exchanged between the searches of a run.
//! * [`position_tests`]: the expensive tests together, once for each position that is expanded.

pub(crate) mod box_freeze;
pub(crate) mod capacity_areas;
pub(crate) mod charged_learner;
pub(crate) mod corral;
pub(crate) mod deadlock_sets;
pub(crate) mod diagonals;
pub(crate) mod freeze;
pub(crate) mod learner;
pub(crate) mod neighbor_pairs;
pub(crate) mod pattern_table;
pub(crate) mod pi_corral;
pub(crate) mod position_tests;
pub(crate) mod prover;
pub(crate) mod shared;
