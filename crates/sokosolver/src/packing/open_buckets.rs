//! The open list: a stack of nodes for every score.
//!
//! An entry is stale once its node is closed or has another score; whoever pops it finds out. Where picks rove, every so
//! many of them the next one comes from the next higher score than that of the last such pick, and after the highest from the
//! lowest again: a search that is stuck among good scores comes to others. Invariant: no bucket below `lowest` has an
//! entry.

use crate::packing::variant::Picks;

/// Nodes to be expanded, the lowest score first, and among equals the newest.
#[derive(Debug)]
pub(crate) struct OpenBuckets {
    buckets: Vec<Vec<u32>>,
    lowest: usize,
    picks: Picks,
    n_picks: u32,
    /// The score of the last pick that roved.
    roved_to: usize,
}

impl OpenBuckets {
    /// One pick of so many roves. Of 303 levels of XSokoban, Sasquatch I and SokHard, with 500,000 ticks each for all orders
    /// together, 141 fall so and 140 if none does, and of 100 of Grigr2001 with 400,000 ticks 80 and 78. One of 8 was
    /// worse on levels whose order is long (XSokoban 66: 146,000 positions instead of 60,000), 2026-11-22.
    const ROVES: u32 = 32;

    /// Makes an empty list.
    pub(crate) const fn new(picks: Picks) -> Self {
        Self { buckets: Vec::new(), lowest: 0, picks, n_picks: 0, roved_to: 0 }
    }

    /// Adds a node.
    pub(crate) fn push(&mut self, score: i32, node: u32) {
        let place = usize::try_from(score).unwrap_or(0);
        if place >= self.buckets.len() {
            self.buckets.resize(place + 1, Vec::new());
        }
        self.buckets[place].push(node);
        self.lowest = self.lowest.min(place);
    }

    /// Takes the newest of the lowest score out, or of the one that roving has come to; with its score.
    pub(crate) fn pop(&mut self) -> Option<(i32, u32)> {
        self.n_picks = self.n_picks.wrapping_add(1);
        if self.picks == Picks::Roving && self.n_picks.is_multiple_of(Self::ROVES) {
            return self.rove();
        }
        while let Some(bucket) = self.buckets.get_mut(self.lowest) {
            if let Some(node) = bucket.pop() {
                return Some((i32::try_from(self.lowest).unwrap_or(i32::MAX), node));
            }
            self.lowest += 1;
        }
        None
    }

    fn rove(&mut self) -> Option<(i32, u32)> {
        let from = self.roved_to + 1;
        let mut scores = (from..self.buckets.len()).chain(0..from.min(self.buckets.len()));
        self.roved_to = scores.find(|&score| !self.buckets[score].is_empty())?;
        let node = self.buckets[self.roved_to].pop()?;
        Some((i32::try_from(self.roved_to).unwrap_or(i32::MAX), node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roving_comes_to_every_score_in_turn() {
        let mut open = OpenBuckets::new(Picks::Roving);
        (0..1000).for_each(|node| open.push([5, 9, 7][node as usize % 3], node));
        let picks: Vec<i32> = (1..=160).filter_map(|_| open.pop()).map(|(score, _)| score).collect();
        let roved: Vec<i32> = picks.iter().copied().skip(31).step_by(32).collect();
        assert_eq!(roved, [5, 7, 9, 5, 7]);
        assert_eq!(picks.iter().filter(|&&score| score != 5).count(), 3);
        let mut open = OpenBuckets::new(Picks::Best);
        (0..1000).for_each(|node| open.push([5, 9, 7][node as usize % 3], node));
        assert!((0..160).all(|_| open.pop().is_some_and(|(score, _)| score == 5)));
        let mut empty = OpenBuckets::new(Picks::Roving);
        assert!((0..100).all(|_| empty.pop().is_none()));
    }
}
