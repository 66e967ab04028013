//! Where two trees meet that count moves.
//!
//! ```text
//!   pushes come to here         pulls come to here: the same boxes, and the player walks from one place to the other
//!        $@                        $
//!                                     @$
//! ```
//!
//! A node of either tree holds the player's very square, after a push or before one, so the two are seldom the same
//! position. They meet if the boxes are the same and the player gets there; all nodes that pulls or pushes lead to have
//! the player beside a box, so those squares are looked up.
//!
//! **Invariant**: what is found is a way; what is not noted for want of memory is not found, which costs time only.

use hashbrown::HashSet;
use sokosearch::Charge;

use super::cost::CostRule;
use super::tree::Tree;
use crate::Effort;
use crate::bits::Bits;
use crate::ground::{Flood, Ground};

/// Finds the nodes of the other tree that a node can walk to.
#[derive(Debug)]
pub(crate) struct Crossing {
    rule: CostRule,
    flood: Flood,
    /// Which sets of boxes each tree has come to, by their hashes.
    known: [HashSet<u64>; 2],
    charge: Charge,
    is_full: bool,
}

impl Crossing {
    /// Bytes for a set of boxes, and how many are charged at once.
    const BYTES_EACH: u64 = 20;
    const STEP: u64 = 1 << 18;

    /// Has met nobody yet.
    pub(crate) fn new(ground: &Ground, rule: CostRule, effort: &Effort) -> Self {
        let charge = effort.memory().nothing();
        Self { rule, flood: Flood::new(ground), known: Default::default(), charge, is_full: false }
    }

    /// Whether no meeting has been missed.
    pub(crate) const fn is_complete(&self) -> bool {
        !self.is_full
    }

    /// Notes that tree `at` has come to these boxes; returns the node of the other tree that it takes least to go on
    /// from, with the cost from here.
    pub(crate) fn meet<const W: usize>(
        &mut self,
        ground: &Ground,
        at: usize,
        other: &Tree<W>,
        position: (&Bits<W>, u16),
    ) -> Option<(u32, u64)> {
        self.note(at, position.0);
        self.walk(ground, 1 - at, other, position)
    }

    /// Returns the node of tree `at` that it takes least to go on from, with the cost from here.
    pub(crate) fn walk<const W: usize>(
        &mut self,
        ground: &Ground,
        at: usize,
        other: &Tree<W>,
        (boxes, player): (&Bits<W>, u16),
    ) -> Option<(u32, u64)> {
        if !self.known[at].contains(&boxes.hash_with(0)) {
            return None;
        }
        self.flood.place(boxes.iter());
        self.flood.measure(ground, player);
        let flood = &self.flood;
        let beside = boxes.iter().flat_map(|sq| ground.steps(sq)).filter(|&sq| flood.reaches(sq));
        let node = |sq: u16| {
            let id = other.table().find(boxes, sq)?;
            let walk = u64::from(self.rule.of_walk(flood.distance(sq)));
            Some((id, self.rule.sum(walk, other.table().node(id).cost.into())))
        };
        beside.filter_map(node).min_by_key(|&(_, cost)| cost)
    }

    /// Notes that tree `at` has come to these boxes.
    pub(crate) fn note<const W: usize>(&mut self, at: usize, boxes: &Bits<W>) {
        let hash = boxes.hash_with(0);
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
