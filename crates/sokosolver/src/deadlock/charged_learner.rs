//! A [`DeadlockLearner`] that charges its memory, for searches by pushes from the start.
//!
//! An area that the player cannot enter is examined once: if its boxes alone cannot be resolved it is a deadlock, and
//! its smallest part that is one is kept, with the regions of the player for which this holds. Open positions are
//! tested again before they are expanded, since more may be known by then.

use std::sync::Arc;

use sokosearch::Charge;

use crate::WorkMeter;
use crate::board::bit_set::BitSet;
use crate::board::level_tables::LevelTables;
use crate::deadlock::learner::DeadlockLearner;

/// Deadlocks learned by one search.
#[derive(Debug)]
pub(crate) struct ChargedLearner {
    tables: Arc<LevelTables>,
    learner: DeadlockLearner,
    charge: Charge,
    is_over: bool,
}

impl ChargedLearner {
    /// Bytes that are charged at once.
    const STEP: u64 = 1 << 20;

    /// Makes a learner that has learned nothing yet.
    pub(crate) fn new(tables: Arc<LevelTables>, meter: &WorkMeter) -> Self {
        Self { learner: DeadlockLearner::new(&tables), tables, charge: meter.memory().nothing(), is_over: false }
    }

    /// Examines an area; returns whether its boxes are a deadlock for the player.
    pub(crate) fn examine_area(&mut self, boxes: &[u16], inside: &[u16], player: u16) -> bool {
        while self.learner.bytes() > self.charge.bytes() && !self.is_over {
            self.is_over = self.charge.add(Self::STEP).is_err();
        }
        !self.is_over && self.learner.examine_area(&self.tables, boxes, inside, player)
    }

    /// Returns whether the box on `sq` is part of a known deadlock.
    #[inline]
    pub(crate) fn forbids<const W: usize>(&self, boxes: &BitSet<W>, player: u16, sq: u16) -> bool {
        self.learner.sets().forbids(&boxes.0, player, sq)
    }

    /// Returns whether some box is part of a known deadlock.
    pub(crate) fn forbids_any<const W: usize>(&self, boxes: &BitSet<W>, player: u16) -> bool {
        boxes.iter().any(|sq| self.forbids(boxes, player, sq))
    }
}
