//! The meeting of two frontiers where moves count.
//!
//! ```text
//!   reached by pushes           reached by pulls: the same boxes, and the player walks from one square to the other
//!        $@                        $
//!                                     @$
//! ```
//!
//! A node of either tree holds the player's exact square, after a push or before one, so the two are seldom the same
//! position. They meet if the boxes are the same and the player can walk from one square to the other. In all nodes
//! that pulls or pushes lead to, the player is beside a box, so those squares are looked up.
//!
//! **Invariant**: every meeting found is a solution. Box sets that were not recorded for lack of memory are not found.

use hashbrown::HashSet;
use sokocore::FloorSquare;
use sokosearch::Charge;

use crate::WorkMeter;
use crate::board::bit_set::BitSet;
use crate::board::{Flood, SearchBoard};
use crate::systematic::cost::CostRule;
use crate::systematic::tree::SearchTree;

/// Finds the nodes of the other tree that a node can walk to.
#[derive(Debug)]
pub(crate) struct FrontierMeeting {
    rule: CostRule,
    flood: Flood,
    /// The box sets that each tree has reached, by their hashes.
    known: [HashSet<u64>; 2],
    charge: Charge,
    is_full: bool,
}

impl FrontierMeeting {
    /// Bytes for a box set, and how many are charged at once.
    const BYTES_EACH: u64 = 20;
    const STEP: u64 = 1 << 18;

    /// Makes an empty record.
    pub(crate) fn new(board: &SearchBoard, rule: CostRule, meter: &WorkMeter) -> Self {
        let charge = meter.memory().nothing();
        Self { rule, flood: Flood::new(board), known: Default::default(), charge, is_full: false }
    }

    /// Whether every box set was recorded, so that no meeting is missed.
    pub(crate) const fn is_complete(&self) -> bool {
        !self.is_full
    }

    /// Records that tree `at` has reached these boxes; returns the node of the other tree through which the rest is
    /// cheapest, with its cost.
    pub(crate) fn meet<const W: usize>(
        &mut self,
        board: &SearchBoard,
        at: usize,
        other: &SearchTree<W>,
        position: (&BitSet<W>, FloorSquare),
    ) -> Option<(u32, u64)> {
        self.record(at, position.0);
        self.walk(board, 1 - at, other, position)
    }

    /// Returns the node of tree `at` through which the rest is cheapest, with its cost.
    pub(crate) fn walk<const W: usize>(
        &mut self,
        board: &SearchBoard,
        at: usize,
        other: &SearchTree<W>,
        (boxes, player): (&BitSet<W>, FloorSquare),
    ) -> Option<(u32, u64)> {
        if !self.known[at].contains(&boxes.hash()) {
            return None;
        }
        self.flood.place(boxes.iter());
        self.flood.measure(board, player);
        let flood = &self.flood;
        let beside = boxes.iter().flat_map(|sq| board.steps(sq)).filter(|&sq| flood.reaches(sq));
        let node = |sq: FloorSquare| {
            let id = other.table().find(boxes, sq)?;
            let walk = u64::from(self.rule.of_walk(flood.distance(sq)));
            Some((id, self.rule.sum(walk, other.table().node(id).cost.into())))
        };
        beside.filter_map(node).min_by_key(|&(_, cost)| cost)
    }

    /// Records that tree `at` has reached these boxes.
    pub(crate) fn record<const W: usize>(&mut self, at: usize, boxes: &BitSet<W>) {
        let hash = boxes.hash();
        let n_known = (self.known[0].len() + self.known[1].len()) as u64;
        if self.is_full || self.known[at].contains(&hash) {
            return;
        }
        if (n_known + 1) * Self::BYTES_EACH > self.charge.bytes() && self.charge.add(Self::STEP).is_err() {
            self.is_full = true;
            return;
        }
        self.known[at].insert(hash);
    }
}
