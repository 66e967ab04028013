//! The methods, one file each, and the list of all.
//!
//! ```text
//!   reorder the pushes      tidy_path · permute · rearrange · delay · session_exchange
//!   search exactly          phase_lattice · vicinity · box_permutation · exhaustive
//!   combine solutions       symmetry · relink · crossover
//! ```
//!
//! Methods do not know each other. A new one is a file here, a line in [`METHODS`], and, if the schedule is to run
//! it, a [`crate::Technique`] and a line in the list of basic arms (`schedule/basic_arms.rs`).

pub(crate) mod box_groups;
pub(crate) mod box_permutation;
pub(crate) mod crossover;
pub(crate) mod delay;
pub(crate) mod exhaustive;
pub(crate) mod permute;
pub(crate) mod phase_lattice;
pub(crate) mod rearrange;
pub(crate) mod relink;
pub(crate) mod session_exchange;
pub(crate) mod symmetry;
pub(crate) mod tidy_path;
pub(crate) mod vicinity;

use crate::Spec;

/// All methods, cheapest first.
pub const METHODS: &[Spec] = &[
    tidy_path::SPEC,
    symmetry::SPEC,
    rearrange::SPEC,
    permute::SPEC,
    delay::SPEC,
    rearrange::FULL,
    session_exchange::SPEC,
    phase_lattice::SPEC,
    vicinity::SPEC,
    relink::SPEC,
    crossover::SPEC,
    box_permutation::SPEC,
    box_groups::SPEC,
    exhaustive::SPEC,
];
