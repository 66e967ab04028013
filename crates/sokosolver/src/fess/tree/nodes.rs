//! The nodes of a tree, packed: boxes are stored for some nodes only, and computed from the macro moves since then.
//!
//! ```text
//!   stored ── move ── move ── ... ── move ── stored     boxes: those of the stored position above, and the
//!   └────────── at most 16 ─────────┘                   macro moves since
//! ```
//!
//! Invariant: a node's number is greater than its parent's, and roots are stored.

use sokocore::FloorSquare;
use sokosearch::ChunkedVec;

use crate::board::bit_set::BitSet;

use crate::fess::macro_move::MacroMove;
use crate::fess::tree::pending_moves::{NO_CHAIN, PendingMove};

/// The number that stands for no node.
pub(crate) const NO_NODE: u32 = u32::MAX;

/// Macro moves from one stored position to the next.
const STORED_DISTANCE: u8 = 16;

/// How good a position is, and the key of the cell it opens: less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct NodeScore {
    pub(crate) score_key: u64,
    pub(crate) cell: u64,
}

/// A position whose macro moves are generated, or about to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FessNode<const W: usize> {
    pub(crate) boxes: BitSet<W>,
    /// Start squares still to be reached, in a search by pulls.
    pub(crate) open_starts: BitSet<W>,
    pub(crate) player: FloorSquare,
    pub(crate) parent: u32,
    pub(crate) macro_move: MacroMove,
    pub(crate) sinks: bool,
    /// Only its key is stored.
    pub(crate) score: NodeScore,
    pub(crate) weight: u32,
    /// Macro moves from the root; it saturates.
    pub(crate) depth: u16,
    /// How many deadlock sets were known when it was expanded.
    pub(crate) n_sets: u16,
}

/// A node in 56 bytes, or fewer where 64 bits need no alignment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeRecord {
    pub(crate) score_key: u64,
    pub(crate) parent: u32,
    /// Of the path to this node.
    pub(crate) weight: u32,
    /// The node with the best score on the path, and its cell.
    pub(crate) best: u32,
    pub(crate) cell: u32,
    /// Macro moves not known to be lost.
    pub(crate) n_open: u32,
    /// Size of the subtree.
    pub(crate) size: u32,
    /// The chain of the next macro moves.
    pub(crate) chain: u32,
    /// How many positions were closed when the node was added.
    pub(crate) n_closed: u32,
    macro_move: MacroMove,
    pub(crate) n_sets: u16,
    /// How often its macro moves were generated, if there are more than those of the chain; otherwise 0.
    pub(crate) round: u8,
    /// Macro moves since the stored position.
    since: u8,
    sinks: bool,
}

const _: () = assert!(size_of::<NodeRecord>() <= 56, "its doc says so");

/// All nodes of a tree.
#[derive(Debug)]
pub(crate) struct NodeStore<const W: usize> {
    records: ChunkedVec<NodeRecord>,
    stored: ChunkedVec<StoredPosition<W>>,
}

#[derive(Clone, Copy, Debug)]
struct StoredPosition<const W: usize> {
    number: u32,
    player: FloorSquare,
    depth: u16,
    boxes: BitSet<W>,
    open_starts: BitSet<W>,
}

impl<const W: usize> Default for NodeStore<W> {
    fn default() -> Self {
        Self { records: ChunkedVec::default(), stored: ChunkedVec::default() }
    }
}

impl<const W: usize> NodeStore<W> {
    /// Returns how many there are.
    pub(crate) const fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns the number of the next node.
    pub(crate) fn next_number(&self) -> u32 {
        u32::try_from(self.records.len()).unwrap_or(NO_NODE)
    }

    /// Adds a node, without macro moves and in no cell.
    pub(crate) fn push(&mut self, node: &FessNode<W>) {
        let parent = self.records.get(node.parent as usize);
        let since = parent.map_or(0, |parent| (parent.since + 1) % STORED_DISTANCE);
        if since == 0 {
            let (number, FessNode { player, depth, boxes, open_starts, .. }) = (self.next_number(), *node);
            self.stored.push(StoredPosition { number, player, depth, boxes, open_starts });
        }
        let FessNode { parent, macro_move, sinks, weight, n_sets, .. } = *node;
        let [best, cell, n_open, size, n_closed] = [0; 5];
        let (score_key, chain, round) = (node.score.score_key, NO_CHAIN, 0);
        self.records.push(NodeRecord {
            score_key,
            parent,
            weight,
            best,
            cell,
            n_open,
            size,
            chain,
            n_closed,
            macro_move,
            n_sets,
            round,
            since,
            sinks,
        });
    }

    /// Returns the record of a node, if there is one of this number.
    pub(crate) fn record(&self, number: u32) -> Option<&NodeRecord> {
        self.records.get(number as usize)
    }

    /// As [`NodeStore::record`], mutable.
    pub(crate) fn record_mut(&mut self, number: u32) -> Option<&mut NodeRecord> {
        self.records.get_mut(number as usize)
    }

    /// Returns a node, if there is one of this number.
    pub(crate) fn get(&self, number: u32) -> Option<FessNode<W>> {
        let record = self.record(number)?;
        let mut path = [0; STORED_DISTANCE as usize];
        let (mut at, mut n_steps) = (number, 0);
        while self.records[at].since > 0 {
            path[n_steps] = at;
            n_steps += 1;
            at = self.records[at].parent;
        }
        let position = self.stored_position(at)?;
        let (mut boxes, mut open_starts) = (position.boxes, position.open_starts);
        for &at in path[..n_steps].iter().rev() {
            let NodeRecord { macro_move, sinks, .. } = self.records[at];
            carry(&mut boxes, &mut open_starts, macro_move, sinks);
        }
        let player = if n_steps == 0 { position.player } else { record.macro_move.player };
        let &NodeRecord { parent, macro_move, sinks, weight, n_sets, score_key, .. } = record;
        let score = NodeScore { score_key, cell: 0 };
        let depth = position.depth.saturating_add(record.since.into());
        Some(FessNode { boxes, open_starts, player, parent, macro_move, sinks, score, weight, depth, n_sets })
    }

    /// Returns the bytes in use once one more is added.
    pub(crate) const fn bytes_ahead(&self) -> usize {
        self.records.bytes_with(1) + self.stored.bytes_with(1)
    }

    fn stored_position(&self, number: u32) -> Option<&StoredPosition<W>> {
        let (mut from, mut to) = (0, self.stored.len());
        while from < to {
            let middle = usize::midpoint(from, to);
            let position = self.stored.get(middle)?;
            if position.number == number {
                return Some(position);
            }
            if position.number < number { from = middle + 1 } else { to = middle }
        }
        None
    }
}

impl<const W: usize> FessNode<W> {
    /// Makes a node without a parent.
    pub(crate) fn root(boxes: BitSet<W>, open_starts: BitSet<W>, player: FloorSquare, score: NodeScore) -> Self {
        let (parent, macro_move, sinks) = (NO_NODE, MacroMove::default(), false);
        Self { boxes, open_starts, player, parent, macro_move, sinks, score, weight: 0, depth: 0, n_sets: 0 }
    }

    /// Makes the node that a macro move leads to.
    pub(crate) fn child(&self, number: u32, pending: &PendingMove) -> Self {
        let PendingMove { macro_move, score_key, sinks, .. } = *pending;
        let (mut boxes, mut open_starts) = (self.boxes, self.open_starts);
        carry(&mut boxes, &mut open_starts, macro_move, sinks);
        let score = NodeScore { score_key, cell: 0 };
        let weight = self.weight + u32::from(pending.weight);
        Self {
            boxes,
            open_starts,
            player: macro_move.player,
            parent: number,
            macro_move,
            sinks,
            score,
            weight,
            depth: self.depth.saturating_add(1),
            n_sets: 0,
        }
    }
}

fn carry<const W: usize>(boxes: &mut BitSet<W>, open_starts: &mut BitSet<W>, macro_move: MacroMove, sinks: bool) {
    boxes.remove(macro_move.from);
    if sinks {
        open_starts.remove(macro_move.to);
    } else {
        boxes.insert(macro_move.to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long path with branches, on which boxes leave the board: every node comes back unchanged.
    #[test]
    fn boxes_come_back_from_the_moves_since_the_stored_position() {
        let squares = |range: std::ops::Range<u16>| {
            let mut bits = BitSet::<2>::default();
            range.for_each(|sq| bits.insert(FloorSquare::new(sq)));
            bits
        };
        let score = |score_key| NodeScore { score_key, cell: 0 };
        let mut nodes = NodeStore::default();
        let mut all = vec![FessNode::root(squares(0..20), squares(100..120), FloorSquare::new(99), score(7))];
        nodes.push(&all[0]);
        for n in 0..600_u16 {
            let number = if n % 5 == 0 { u32::from(n / 2) } else { u32::from(n) };
            let parent_node = all[number as usize];
            let Some(from) = parent_node.boxes.iter().nth(usize::from(n) % parent_node.boxes.len().max(1)) else {
                continue;
            };
            let start = parent_node.open_starts.iter().next().filter(|_| n % 100 == 0);
            let mut others = (60..100).map(|sq| FloorSquare::new((sq + n) % 100));
            let empty = others.find(|&sq| !parent_node.boxes.has(sq)).unwrap_or_default();
            let macro_move = MacroMove { from, to: start.unwrap_or(empty), player: FloorSquare::new(n) };
            let pending =
                PendingMove { macro_move, sinks: start.is_some(), score_key: u64::from(n), weight: 1, hash: 0 };
            let node = FessNode { n_sets: n, ..parent_node.child(number, &pending) };
            nodes.push(&node);
            all.push(node);
        }
        assert_eq!(all.len(), nodes.len());
        for (number, node) in (0..).zip(&all) {
            let back = nodes.get(number).unwrap();
            assert_eq!(
                (back.boxes, back.open_starts, back.player, back.parent),
                (node.boxes, node.open_starts, node.player, node.parent)
            );
            let (kept, own) = ((back.macro_move, back.sinks, back.weight), (node.macro_move, node.sinks, node.weight));
            assert_eq!((kept, back.score, back.n_sets), (own, node.score, node.n_sets));
            assert_eq!(back.depth, node.depth);
        }
        assert!(nodes.get(nodes.next_number()).is_none() && nodes.get(NO_NODE).is_none());
        assert!(all.iter().any(|node| node.boxes.len() < 20) && nodes.stored.len() * 10 < nodes.len());
    }
}
