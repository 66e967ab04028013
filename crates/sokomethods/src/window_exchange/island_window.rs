//! A window as islands know it.

use std::ops::Range;

use crate::checkpoint::field::{Bits, fields};

/// A window as islands know it: by its content, and by its place in a solution.
///
/// A search of a window in a neighborhood that is searched to its end covers every window within it.
///
/// ```
/// use sokomethods::IslandWindow;
///
/// let (content, other_content, solution) = (1, 2, 3);
/// let long = IslandWindow::new(content, solution, 0..64);
/// let short = IslandWindow::new(other_content, solution, 8..24);
/// assert!(short.is_within(&long) && !long.is_within(&short) && long.conflicts_with(&short));
/// assert!(!IslandWindow::alone(other_content).conflicts_with(&long));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IslandWindow {
    content: Bits,
    /// The solution and the neighborhood.
    solution: Bits,
    from: u32,
    to: u32,
}

fields!(IslandWindow { content, solution, from, to });

impl IslandWindow {
    /// Makes the window of some pushes of a solution: `content` is a hash of all that decides what a search of it finds,
    /// `solution` one of the whole solution and the neighborhood.
    #[must_use]
    pub const fn new(content: u64, solution: u64, pushes: Range<u32>) -> Self {
        Self { content: Bits(content), solution: Bits(solution), from: pushes.start, to: pushes.end }
    }

    /// Makes a window whose search says nothing of other windows.
    #[must_use]
    pub const fn alone(content: u64) -> Self {
        Self::new(content, content, 0..1)
    }

    /// Returns the hash of all that decides what a search of it finds.
    #[must_use]
    pub const fn content(&self) -> u64 {
        self.content.0
    }

    /// Returns whether a search of the other window covers this one.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        let is_inside = self.solution == other.solution && other.from <= self.from && self.to <= other.to;
        self.content == other.content || is_inside
    }

    /// Returns whether searches of both do some work twice.
    #[must_use]
    pub fn conflicts_with(&self, other: &Self) -> bool {
        let overlaps = self.solution == other.solution && self.from < other.to && other.from < self.to;
        self.content == other.content || overlaps
    }
}
