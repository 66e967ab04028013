//! Optimizing a part of a solution: the states between two pushes may change, the rest stays.
//!
//! ```text
//!   moves    uruLd ... R | drDllU ... L | uuR ... D
//!            └ prefix ─┘   └ the part ┘   └ suffix ┘
//!                      level of its own: starts in the state before it, ends in the state after it
//! ```
//!
//! The part becomes a level ([`SubLevel`](sub_level::SubLevel)), and the whole schedule optimizes that. So every method
//! respects the scope without knowing of it. Each gain is spliced between prefix and suffix, which are kept letter by
//! letter, and offered to the pool at once; the pool compares whole solutions.
//!
//! Invariant: prefix and suffix never change. A part that ends before the solution does ends in its exact state,
//! boxes and player; one that ends with the solution ends in any solved position that the pool accepts. If a better part
//! leads through a solved position, the solution ends there, without its suffix.

pub(crate) mod part_optimizer;
pub(crate) mod sub_level;

use std::ops::Range;

use sub_level::UnpushedBoxes;

/// Which pushes of a solution may change, and in which parts.
///
/// ```
/// use sokocore::{Level, replay};
/// use sokomethods::{Optimizer, Scope};
///
/// let level = Level::parse("########\n# @$  .#\n########")?;
/// let start = replay(&level, &"lrRlrRlrR".parse()?)?;
/// let scope = Scope { pushes: 1..3, ..Scope::default() };
/// let outcome = Optimizer::new(&level).scope(scope).run(&start)?;
/// assert_eq!(outcome.solution().lurd().to_string(), "lrRRR", "the moves up to the first push stay");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// From after push `start` to after push `end`; what lies beyond the solution is cut off.
    pub pushes: Range<usize>,
    /// Intervals to optimize one after the other; `None` for all pushes at once.
    pub interval: Option<Interval>,
    /// The treatment of boxes that a part does not push.
    pub unpushed: UnpushedBoxes,
}

/// Consecutive parts that overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    length: usize,
    overlap: usize,
}

impl Interval {
    /// Makes intervals of `length` pushes, each starting `overlap` pushes before the end of the one before it. `None`
    /// unless the overlap is less than the length.
    #[must_use]
    pub fn new(length: usize, overlap: usize) -> Option<Self> {
        (overlap < length).then_some(Self { length, overlap })
    }

    /// Returns the number of pushes in an interval.
    #[must_use]
    pub const fn length(&self) -> usize {
        self.length
    }

    /// Returns the number of pushes that an interval shares with the one before it.
    #[must_use]
    pub const fn overlap(&self) -> usize {
        self.overlap
    }
}

impl Default for Scope {
    /// All of the solution, with all boxes.
    fn default() -> Self {
        Self { pushes: 0..usize::MAX, interval: None, unpushed: UnpushedBoxes::Free }
    }
}

#[cfg(test)]
mod tests;
