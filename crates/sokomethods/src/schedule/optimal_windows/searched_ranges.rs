//! The parts of a solution that were searched to their ends without a gain.
//!
//! When the solution changes in one place, the parts before and after that place need not be searched again.

use std::ops::Range;

use sokosearch::Spine;

use crate::checkpoint::field::{Bits, fields};
use crate::fingerprints::{fingerprint, mix};

/// Most ranges in a checkpoint.
const MOST_SAVED: usize = 1 << 12;

/// Ranges of pushes, none within another.
#[derive(Debug, Default)]
pub(crate) struct SearchedRanges {
    ranges: Vec<Range<usize>>,
    /// Hashes of the states of the solution that they belong to, box set and player.
    states: Vec<u64>,
    /// Fingerprint of that solution.
    solution: u64,
}

/// The ranges as a checkpoint has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedRanges {
    /// Fingerprint of the solution that they belong to.
    solution: Bits,
    /// Where they start and where they end, in the same order.
    starts: Vec<usize>,
    ends: Vec<usize>,
}

fields!(SavedRanges { solution, starts, ends });

impl SearchedRanges {
    pub(crate) const fn new() -> Self {
        Self { ranges: Vec::new(), states: Vec::new(), solution: 0 }
    }

    /// Keeps the ranges whose states the solution still has.
    pub(crate) fn adapt_to(&mut self, spine: &Spine) {
        let hash = |key: &[u64], player: u64| key.iter().fold(player, |sum, &word| mix(sum, word));
        let states: Vec<_> = spine.states().iter().map(|state| hash(&state.key, state.player.idx() as u64)).collect();
        if states == self.states {
            return;
        }
        self.solution = fingerprint(spine, 0, spine.end(), 0);
        let same = |pairs: &mut dyn Iterator<Item = (&u64, &u64)>| pairs.take_while(|(old, new)| old == new).count();
        let n_front = same(&mut self.states.iter().zip(&states));
        let n_back = same(&mut self.states.iter().rev().zip(states.iter().rev()));
        let (n_old, n_new) = (self.states.len(), states.len());
        self.ranges.retain_mut(|range| {
            if range.end < n_front {
                return true;
            }
            if range.start + n_back >= n_old {
                *range = range.start + n_new - n_old..range.end + n_new - n_old;
                return true;
            }
            false
        });
        self.states = states;
    }

    /// Returns the ranges for a checkpoint; if there are more than it holds, any of them.
    pub(crate) fn save(&self) -> SavedRanges {
        let saved = &self.ranges[..self.ranges.len().min(MOST_SAVED)];
        let (starts, ends) = saved.iter().map(|range| (range.start, range.end)).unzip();
        SavedRanges { solution: Bits(self.solution), starts, ends }
    }

    /// Adds the ranges of a checkpoint, if they belong to this solution. Returns whether they do.
    pub(crate) fn restore(&mut self, saved: &SavedRanges, spine: &Spine) -> bool {
        self.adapt_to(spine);
        let is_of_it = saved.solution == Bits(self.solution) && saved.starts.len() == saved.ends.len();
        let ranges = saved.starts.iter().zip(&saved.ends).map(|(&start, &end)| start..end);
        let ranges = ranges.filter(|range| range.start < range.end && range.end <= spine.end());
        if is_of_it {
            ranges.for_each(|range| self.insert(range));
        }
        is_of_it
    }

    /// Returns whether the window is within a searched one.
    pub(crate) fn contain(&self, window: &Range<usize>) -> bool {
        self.ranges.iter().any(|range| range.start <= window.start && window.end <= range.end)
    }

    /// Returns whether the whole solution is one of the ranges.
    pub(crate) fn is_whole(&self) -> bool {
        !self.states.is_empty() && self.contain(&(0..self.states.len() - 1))
    }

    /// Adds a searched window of the solution that the ranges were adapted to.
    pub(crate) fn insert(&mut self, window: Range<usize>) {
        if !self.contain(&window) {
            self.ranges.retain(|range| range.start < window.start || window.end < range.end);
            self.ranges.push(window);
        }
    }
}

#[cfg(test)]
mod tests {
    use sokocore::{Level, replay};
    use sokosearch::{LiveIndex, MemoryAccount};

    use super::*;

    fn spine(moves: &str) -> Spine {
        let level = Level::parse("##########\n#        #\n#        #\n#@$     .#\n#        #\n##########").unwrap();
        let solution = replay(&level, &moves.parse().unwrap()).unwrap();
        Spine::new(&level, &LiveIndex::new(&level), &solution, &MemoryAccount::new(1 << 20)).unwrap()
    }

    /// Six pushes; the box goes up and down after the second.
    const STRAIGHT: &str = "RRRRRR";
    const DETOUR: &str = "RRdrUluurDldRRRR";

    fn ranges_of(old: &str, searched: &[Range<usize>]) -> SearchedRanges {
        let mut ranges = SearchedRanges::new();
        ranges.adapt_to(&spine(old));
        searched.iter().for_each(|range| ranges.insert(range.clone()));
        ranges
    }

    #[test]
    fn a_window_within_a_searched_one_is_searched() {
        let ranges = ranges_of(STRAIGHT, &[1..3, 2..5, 2..4]);
        let contained = [1..3, 2..3, 2..5, 3..5].map(|window| ranges.contain(&window));
        assert_eq!(contained, [true; 4]);
        assert!(!ranges.contain(&(1..4)) && !ranges.contain(&(0..2)) && !ranges.contain(&(4..6)));
        assert_eq!(ranges.ranges, [1..3, 2..5], "none within another");
        assert_eq!(ranges_of(STRAIGHT, &[0..1, 2..4, 1..5]).ranges, [0..1, 1..5]);
        assert!(!ranges.is_whole() && ranges_of(STRAIGHT, &[2..4, 0..6]).is_whole());
        assert!(!SearchedRanges::new().is_whole(), "of no solution");
    }

    #[test]
    fn ranges_before_and_after_a_change_remain() {
        let mut ranges = ranges_of(STRAIGHT, &[0..2, 1..3, 2..4, 3..6]);
        ranges.adapt_to(&spine(STRAIGHT));
        assert_eq!(ranges.ranges.len(), 4, "the solution is the same");
        ranges.adapt_to(&spine(DETOUR));
        assert_eq!(ranges.ranges, [0..2, 5..8], "the others have the state that is followed by a detour");
        ranges.adapt_to(&spine(STRAIGHT));
        assert_eq!(ranges.ranges, [0..2, 3..6]);
    }

    #[test]
    fn ranges_are_restored_for_their_solution_alone() {
        let saved = ranges_of(STRAIGHT, &[0..2, 3..6]).save();
        let mut restored = SearchedRanges::new();
        assert!(restored.restore(&saved, &spine(STRAIGHT)));
        assert_eq!(restored.save(), saved);
        let mut of_another = SearchedRanges::new();
        assert!(!of_another.restore(&saved, &spine(DETOUR)) && of_another.ranges.is_empty());
        let damaged = SavedRanges { starts: vec![0, 5, 4, 1], ends: vec![7, 5, 6, 2], ..saved };
        let mut restored = SearchedRanges::new();
        assert!(restored.restore(&damaged, &spine(STRAIGHT)));
        assert_eq!(restored.ranges, [4..6, 1..2], "what cannot be is left out");
    }
}
