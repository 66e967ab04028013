//! What a forward search learns about enclosed areas, with the means of the packing-order search.
//!
//! An area that the player cannot enter is looked at once: if its boxes alone cannot be resolved it is a deadlock,
//! and the smallest part of it that is one is kept, with the regions of the player for which that holds.
//! Positions that wait are looked at again before they are expanded, since more may be known by then.

use std::sync::Arc;

use sokosearch::Charge;

use crate::WorkMeter;
use crate::board::bit_set::BitSet;
use crate::board::level_tables::LevelTables;
use crate::deadlock::learner::DeadlockLearner;

/// Deadlocks learned by one search.
#[derive(Debug)]
pub(crate) struct ChargedLearner {
    yard: Arc<LevelTables>,
    lessons: DeadlockLearner,
    charge: Charge,
    is_over: bool,
}

impl ChargedLearner {
    /// Bytes that are charged at once.
    const STEP: u64 = 1 << 20;

    /// Knows nothing yet.
    pub(crate) fn new(yard: Arc<LevelTables>, effort: &WorkMeter) -> Self {
        Self { lessons: DeadlockLearner::new(&yard), yard, charge: effort.memory().nothing(), is_over: false }
    }

    /// FeatureMask at an area; returns whether its boxes are a deadlock for the player.
    pub(crate) fn offer(&mut self, boxes: &[u16], inside: &[u16], player: u16) -> bool {
        while self.lessons.bytes() > self.charge.bytes() && !self.is_over {
            self.is_over = self.charge.add(Self::STEP).is_err();
        }
        !self.is_over && self.lessons.offer(&self.yard, boxes, inside, player)
    }

    /// Returns whether the box on `sq` is part of a known deadlock.
    #[inline]
    pub(crate) fn forbids<const W: usize>(&self, boxes: &BitSet<W>, player: u16, sq: u16) -> bool {
        self.lessons.sets().forbids(&boxes.0, player, sq)
    }

    /// Returns whether some box is part of a known deadlock.
    pub(crate) fn forbids_any<const W: usize>(&self, boxes: &BitSet<W>, player: u16) -> bool {
        boxes.iter().any(|sq| self.forbids(boxes, player, sq))
    }
}
