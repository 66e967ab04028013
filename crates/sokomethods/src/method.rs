//! What every way of improving a solution has in common.

use std::fmt;

use sokosearch::{Context, Stop};

use crate::{
    Knobs, box_permutation, delay, exhaustive, permute, phase_lattice, rearrange, relink, symmetry, tidy_path, vicinity,
};

/// One way of improving a solution. Immutable; all that changes is in the context or local to the run.
pub trait Method: fmt::Debug + Send + Sync {
    /// Searches its neighborhood of the context's incumbent once and offers what it finds. Returns whether the
    /// incumbent got better by the context's objective.
    ///
    /// # Errors
    /// Why it was stopped; what it had found by then has been offered.
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop>;
}

/// All that command lines, documents and the shared test suite know about a method.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Its name, in lower case.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Makes it with the given settings.
    pub build: fn(&Knobs) -> Box<dyn Method>,
}

/// All methods, cheapest first.
pub const METHODS: &[Spec] = &[
    tidy_path::SPEC,
    symmetry::SPEC,
    rearrange::SPEC,
    permute::SPEC,
    delay::SPEC,
    rearrange::FULL,
    phase_lattice::SPEC,
    vicinity::SPEC,
    relink::SPEC,
    box_permutation::SPEC,
    exhaustive::SPEC,
];
