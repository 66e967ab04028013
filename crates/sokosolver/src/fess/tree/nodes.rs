//! The nodes of a tree, packed: boxes are kept once in a while only, and otherwise told by the leaps since then.
//!
//! ```text
//!   landmark ── leap ── leap ── ... ── leap ── landmark       boxes: those of the landmark above, and the leaps since
//!   └────────── at most 16 ───────────┘
//! ```
//!
//! **Invariant**: a node's number is greater than its parent's, and roots are landmarks.

use crate::board::bit_set::BitSet;

use crate::fess::macro_move::MacroMove;
use crate::fess::tree::pending_moves::{Edge, NONE};
use crate::store::chunked_vec::ChunkedVec;

/// No node.
pub(crate) const NO_NODE: u32 = u32::MAX;

/// MacroMoves from one landmark to the next.
const STRETCH: u8 = 16;

/// How good a position is, and which cell it would open: less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Score {
    pub(crate) order: u64,
    pub(crate) cell: u64,
}

/// A position whose leaps are made, or about to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<const W: usize> {
    pub(crate) boxes: BitSet<W>,
    /// Start squares still to be reached, in a backward search.
    pub(crate) bases: BitSet<W>,
    pub(crate) player: u16,
    pub(crate) parent: u32,
    pub(crate) leap: MacroMove,
    pub(crate) sinks: bool,
    /// Only its order is kept.
    pub(crate) score: Score,
    pub(crate) weight: u32,
    /// How many deadlock sets were known when its leaps were made.
    pub(crate) n_sets: u16,
}

/// A node in 56 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) order: u64,
    pub(crate) parent: u32,
    /// Of the way here.
    pub(crate) weight: u32,
    /// The node with the best score on the way here, and its cell.
    pub(crate) best: u32,
    pub(crate) cell: u32,
    /// MacroMoves that are not known to be lost.
    pub(crate) n_open: u32,
    /// Nodes from here down.
    pub(crate) size: u32,
    /// The chain of the next leaps.
    pub(crate) chain: u32,
    /// How many positions were closed when it was added.
    pub(crate) n_closed: u32,
    leap: MacroMove,
    pub(crate) n_sets: u16,
    /// How often its leaps were made, if there are more than those of the chain; otherwise 0.
    pub(crate) round: u8,
    /// MacroMoves since the landmark.
    since: u8,
    sinks: bool,
}

const _: () = assert!(size_of::<Record>() == 56, "its doc says so");

/// All nodes of a tree.
#[derive(Debug)]
pub(crate) struct Nodes<const W: usize> {
    records: ChunkedVec<Record>,
    landmarks: ChunkedVec<Landmark<W>>,
}

#[derive(Clone, Copy, Debug)]
struct Landmark<const W: usize> {
    number: u32,
    player: u16,
    boxes: BitSet<W>,
    bases: BitSet<W>,
}

impl<const W: usize> Default for Nodes<W> {
    fn default() -> Self {
        Self { records: ChunkedVec::default(), landmarks: ChunkedVec::default() }
    }
}

impl<const W: usize> Nodes<W> {
    /// Returns how many there are.
    pub(crate) const fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns the number of the next node.
    pub(crate) fn next_number(&self) -> u32 {
        u32::try_from(self.records.len()).unwrap_or(NO_NODE)
    }

    /// Adds a node, without leaps and in no cell.
    pub(crate) fn push(&mut self, node: &Node<W>) {
        let parent = self.records.get(node.parent as usize);
        let since = parent.map_or(0, |parent| (parent.since + 1) % STRETCH);
        if since == 0 {
            let (number, Node { player, boxes, bases, .. }) = (self.next_number(), *node);
            self.landmarks.push(Landmark { number, player, boxes, bases });
        }
        let Node { parent, leap, sinks, weight, n_sets, .. } = *node;
        let [best, cell, n_open, size, n_closed] = [0; 5];
        let (order, chain, round) = (node.score.order, NONE, 0);
        self.records.push(Record {
            order,
            parent,
            weight,
            best,
            cell,
            n_open,
            size,
            chain,
            n_closed,
            leap,
            n_sets,
            round,
            since,
            sinks,
        });
    }

    /// Returns what is kept of a node, if there is one of this number.
    pub(crate) fn record(&self, number: u32) -> Option<&Record> {
        self.records.get(number as usize)
    }

    /// The same, to be changed.
    pub(crate) fn record_mut(&mut self, number: u32) -> Option<&mut Record> {
        self.records.get_mut(number as usize)
    }

    /// Returns a node, if there is one of this number.
    pub(crate) fn get(&self, number: u32) -> Option<Node<W>> {
        let record = self.record(number)?;
        let mut way = [0; STRETCH as usize];
        let (mut at, mut n_steps) = (number, 0);
        while self.records[at].since > 0 {
            way[n_steps] = at;
            n_steps += 1;
            at = self.records[at].parent;
        }
        let landmark = self.landmark(at)?;
        let (mut boxes, mut bases) = (landmark.boxes, landmark.bases);
        for &at in way[..n_steps].iter().rev() {
            let Record { leap, sinks, .. } = self.records[at];
            carry(&mut boxes, &mut bases, leap, sinks);
        }
        let player = if n_steps == 0 { landmark.player } else { record.leap.player };
        let &Record { parent, leap, sinks, weight, n_sets, order, .. } = record;
        let score = Score { order, cell: 0 };
        Some(Node { boxes, bases, player, parent, leap, sinks, score, weight, n_sets })
    }

    /// Returns the bytes in use once one more is added.
    pub(crate) const fn bytes_ahead(&self) -> usize {
        self.records.bytes_with(1) + self.landmarks.bytes_with(1)
    }

    fn landmark(&self, number: u32) -> Option<&Landmark<W>> {
        let (mut from, mut to) = (0, self.landmarks.len());
        while from < to {
            let middle = usize::midpoint(from, to);
            let landmark = self.landmarks.get(middle)?;
            if landmark.number == number {
                return Some(landmark);
            }
            if landmark.number < number { from = middle + 1 } else { to = middle }
        }
        None
    }
}

impl<const W: usize> Node<W> {
    /// Makes a node without a parent.
    pub(crate) fn root(boxes: BitSet<W>, bases: BitSet<W>, player: u16, score: Score) -> Self {
        let (parent, leap, sinks) = (NO_NODE, MacroMove::default(), false);
        Self { boxes, bases, player, parent, leap, sinks, score, weight: 0, n_sets: 0 }
    }

    /// Makes the node that a leap leads to.
    pub(crate) fn child(&self, number: u32, edge: &Edge) -> Self {
        let Edge { leap, order, sinks, .. } = *edge;
        let (mut boxes, mut bases) = (self.boxes, self.bases);
        carry(&mut boxes, &mut bases, leap, sinks);
        let score = Score { order, cell: 0 };
        let weight = self.weight + u32::from(edge.weight);
        Self { boxes, bases, player: leap.player, parent: number, leap, sinks, score, weight, n_sets: 0 }
    }
}

fn carry<const W: usize>(boxes: &mut BitSet<W>, bases: &mut BitSet<W>, leap: MacroMove, sinks: bool) {
    boxes.remove(leap.from);
    if sinks {
        bases.remove(leap.to);
    } else {
        boxes.insert(leap.to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long way with branches, on which boxes leave the board: every node comes back as it was.
    #[test]
    fn boxes_come_back_from_the_leaps_since_the_landmark() {
        let squares = |range: std::ops::Range<u16>| {
            let mut bits = BitSet::<2>::default();
            range.for_each(|sq| bits.insert(sq));
            bits
        };
        let score = |order| Score { order, cell: 0 };
        let mut nodes = Nodes::default();
        let mut all = vec![Node::root(squares(0..20), squares(100..120), 99, score(7))];
        nodes.push(&all[0]);
        for n in 0..600_u16 {
            let number = if n % 5 == 0 { u32::from(n / 2) } else { u32::from(n) };
            let father = all[number as usize];
            let Some(from) = father.boxes.iter().nth(usize::from(n) % father.boxes.len().max(1)) else { continue };
            let base = father.bases.iter().next().filter(|_| n % 100 == 0);
            let to =
                base.unwrap_or((60..100).find(|&sq| !father.boxes.has((sq + n) % 100)).map_or(0, |sq| (sq + n) % 100));
            let leap = MacroMove { from, to, player: n };
            let edge = Edge { leap, sinks: base.is_some(), order: u64::from(n), weight: 1, hash: 0 };
            let node = Node { n_sets: n, ..father.child(number, &edge) };
            nodes.push(&node);
            all.push(node);
        }
        assert_eq!(all.len(), nodes.len());
        for (number, node) in (0..).zip(&all) {
            let back = nodes.get(number).unwrap();
            assert_eq!(
                (back.boxes, back.bases, back.player, back.parent),
                (node.boxes, node.bases, node.player, node.parent)
            );
            let (kept, own) = ((back.leap, back.sinks, back.weight), (node.leap, node.sinks, node.weight));
            assert_eq!((kept, back.score, back.n_sets), (own, node.score, node.n_sets));
        }
        assert!(nodes.get(nodes.next_number()).is_none() && nodes.get(NO_NODE).is_none());
        assert!(all.iter().any(|node| node.boxes.len() < 20) && nodes.landmarks.len() * 10 < nodes.len());
    }
}
