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

impl Piece {
    /// Cuts a solution of so many pushes into pieces of one kind that overlap by half.
    pub(crate) fn overlapping(n_pushes: usize, length: usize, kind: usize) -> impl Iterator<Item = Self> {
        let starts = (0..n_pushes).step_by((length / 2).max(1));
        let enough = starts.take_while(move |&start| start == 0 || start + length / 2 < n_pushes);
        enough.map(move |start| Self { pushes: start..n_pushes.min(start + length), kind })
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(n_pushes: usize, length: usize, expect: &[(usize, usize)]) {
        let pieces = Piece::overlapping(n_pushes, length, 0).map(|piece| (piece.pushes.start, piece.pushes.end));
        let pieces: Vec<_> = pieces.collect();
        assert_eq!(pieces, expect);
    }

    #[test]
    fn pieces_overlap_by_half_and_cover_all() {
        check(10, 4, &[(0, 4), (2, 6), (4, 8), (6, 10)]);
        check(9, 4, &[(0, 4), (2, 6), (4, 8), (6, 9)]);
        check(4, 4, &[(0, 4)]);
        check(3, 400, &[(0, 3)]);
        check(2, 1, &[(0, 1), (1, 2)]);
        check(0, 4, &[]);
    }
}
