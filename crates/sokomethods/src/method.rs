//! What every way of improving a solution has in common.

use std::fmt;
use std::ops::Range;

use sokosearch::{Context, Stop};

use crate::{
    Knobs, box_permutation, crossover, delay, exhaustive, permute, phase_lattice, rearrange, relink, symmetry,
    tidy_path, vicinity,
};

/// One way of improving a solution. Immutable; all that changes is in the context or local to the run.
pub trait Method: fmt::Debug + Send + Sync {
    /// Searches its neighborhood of the context's incumbent once and offers what it finds. Returns whether the
    /// incumbent got better by the context's objective.
    ///
    /// # Errors
    /// Why it was stopped; what it had found by then has been offered.
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop>;

    /// Lists the pieces of its work on the incumbent, best first, so that a schedule can stop after any of them and
    /// go on there. None if it only runs as a whole.
    ///
    /// # Errors
    /// It was stopped, or is short of memory.
    fn pieces(&self, cx: &mut Context<'_>) -> Result<Vec<Piece>, Stop> {
        let _ = cx;
        Ok(Vec::new())
    }

    /// Does one of the pieces listed. Returns whether the incumbent got better.
    ///
    /// # Errors
    /// As for [`Method::run`].
    fn run_piece(&self, piece: &Piece, cx: &mut Context<'_>) -> Result<bool, Stop> {
        let _ = piece;
        self.run(cx)
    }
}

/// A part of a method's work.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The pushes of the incumbent that it depends on. As long as these and the state before them stay the same,
    /// doing it again brings nothing new.
    pub pushes: Range<usize>,
    /// What is done there, where a method does several things.
    pub kind: usize,
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
    crossover::SPEC,
    box_permutation::SPEC,
    exhaustive::SPEC,
];
