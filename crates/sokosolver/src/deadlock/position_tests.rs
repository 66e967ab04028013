//! The expensive deadlock tests, once for each position that is about to be expanded.
//!
//! In this order: known deadlock sets; boxes that cannot be matched with goals around frozen ones; enclosed areas, each
//! examined once by a [`DeadlockLearner`].

use hashbrown::HashMap;
use sokosearch::Charge;

use crate::board::bit_set::BitSet;
use crate::board::{Distances, Flood, SearchBoard, SearchDirection};
use crate::deadlock::freeze;
use crate::deadlock::learner::DeadlockLearner;
use crate::deadlock::pi_corral::{Corral, CorralChoice, PiCorrals};
use crate::{Settings, WorkMeter};

use crate::bound::pairing::can_pair;
use crate::fess::tables::FessTables;

/// The deadlock tests of a level, with what they have learned.
#[derive(Debug)]
pub(crate) struct PositionTests<const W: usize> {
    learner: DeadlockLearner,
    distances_around: HashMap<BitSet<W>, Distances>,
    corrals: PiCorrals,
    /// Whether an enclosed area may restrict the pushes.
    uses_corrals: bool,
    fence: Vec<u16>,
    inside: Vec<u16>,
    n_proof_nodes: u64,
    charge: Charge,
    is_full: bool,
}

impl<const W: usize> PositionTests<W> {
    /// Distances around so many sets of frozen boxes are kept.
    const MAX_TABLES: usize = 256;

    /// Makes tests that have learned nothing yet.
    pub(crate) fn new(tables: &FessTables<W>, settings: &Settings, meter: &WorkMeter) -> Self {
        Self {
            learner: DeadlockLearner::new(&tables.level).with_settings(settings),
            distances_around: HashMap::new(),
            corrals: PiCorrals::new(tables.board(), CorralChoice::of(settings)),
            uses_corrals: settings.pi_corrals,
            fence: Vec::new(),
            inside: Vec::new(),
            n_proof_nodes: 0,
            charge: meter.memory().nothing(),
            is_full: false,
        }
    }

    /// Returns whether a known deadlock set forbids the box on `sq`.
    pub(crate) fn forbids(&self, boxes: &BitSet<W>, player: u16, sq: u16) -> bool {
        self.learner.sets().forbids(&boxes.0, player, sq)
    }

    /// Returns how many deadlock sets are known.
    pub(crate) fn n_sets(&self) -> u16 {
        u16::try_from(self.learner.sets().len()).expect("invariant: at most DeadlockSets::MAX sets")
    }

    /// Returns whether the first so many deadlock sets forbid the box on `sq`.
    pub(crate) fn first_forbid(&self, n_sets: u16, boxes: &BitSet<W>, player: u16, sq: u16) -> bool {
        self.learner.sets().first_forbid(u32::from(n_sets), &boxes.0, player, sq)
    }

    /// Tests a position that is flooded; returns the boxes that need be pushed, or `None` if it is lost.
    pub(crate) fn test(
        &mut self,
        tables: &FessTables<W>,
        boxes: &BitSet<W>,
        player: u16,
        flood: &Flood,
    ) -> Option<BitSet<W>> {
        let board = tables.board();
        if boxes.iter().any(|sq| self.forbids(boxes, player, sq)) || !self.is_matched(tables, boxes) {
            return None;
        }
        if flood.n_reached() + boxes.len() >= board.n_squares() {
            return Some(*boxes);
        }
        self.corrals.label(board, flood);
        while self.learner.bytes() > self.charge.bytes() && !self.is_full {
            self.is_full = self.charge.add(1 << 20).is_err();
        }
        for area in 0..if self.is_full { 0 } else { self.corrals.n_areas() } {
            self.corrals.collect(board, area, boxes, &mut self.fence, &mut self.inside);
            let before = self.learner.n_proof_nodes();
            let is_dead = self.learner.examine_area(&tables.level, &self.fence, &self.inside, player);
            self.n_proof_nodes += self.learner.n_proof_nodes() - before;
            if is_dead {
                return None;
            }
        }
        self.restrict_to_corral(tables, boxes, flood)
    }

    /// Returns the boxes that need be pushed in a position that is flooded and not known to be lost.
    pub(crate) fn restrict(&mut self, tables: &FessTables<W>, boxes: &BitSet<W>, flood: &Flood) -> Option<BitSet<W>> {
        let board = tables.board();
        if flood.n_reached() + boxes.len() >= board.n_squares() {
            return Some(*boxes);
        }
        self.corrals.label(board, flood);
        self.restrict_to_corral(tables, boxes, flood)
    }

    /// Restricts the boxes to those of a corral, after the enclosed areas are labeled.
    fn restrict_to_corral(&mut self, tables: &FessTables<W>, boxes: &BitSet<W>, flood: &Flood) -> Option<BitSet<W>> {
        match self.corrals.find(tables.board(), &tables.goals, boxes, flood) {
            Corral::Only(only) if self.uses_corrals => Some(only),
            Corral::None | Corral::Only(_) => Some(*boxes),
            Corral::Dead => None,
        }
    }

    /// Tries to prove a position with a large subtree lost; if it is, returns the boxes of the deadlock, and the
    /// squares of the player's region.
    pub(crate) fn prove_subtree(
        &mut self,
        tables: &FessTables<W>,
        boxes: &BitSet<W>,
        player: u16,
        max_nodes: u32,
    ) -> Option<(BitSet<W>, Vec<u16>)> {
        if self.is_full {
            return None;
        }
        let before = self.learner.n_proof_nodes();
        let squares: Vec<u16> = boxes.iter().collect();
        let learned = self.learner.prove_subtree(&tables.level, &squares, player, max_nodes);
        self.n_proof_nodes += self.learner.n_proof_nodes() - before;
        learned.map(|(boxes, region)| (SearchBoard::set(&boxes), region))
    }

    /// Returns the positions that proofs have expanded since the last call.
    pub(crate) const fn take_proof_nodes(&mut self) -> u64 {
        std::mem::replace(&mut self.n_proof_nodes, 0)
    }

    fn is_matched(&mut self, tables: &FessTables<W>, boxes: &BitSet<W>) -> bool {
        let board = tables.board();
        let frozen = freeze::frozen(board, boxes);
        if frozen.len() == 0 {
            return can_match(boxes, board.to_goals());
        }
        if self.distances_around.len() >= Self::MAX_TABLES {
            self.distances_around.clear();
        }
        let make = || Distances::new(board, SearchDirection::Forward, board.goals(), |sq| frozen.has(sq));
        can_match(boxes, self.distances_around.entry(frozen).or_insert_with(make))
    }
}

fn can_match<const W: usize>(boxes: &BitSet<W>, distances: &Distances) -> bool {
    let rows: Vec<&[u16]> = boxes.iter().map(|sq| distances.row(sq)).collect();
    rows.len() <= distances.n_targets() && can_pair(rows.len(), |row, column| rows[row][column] != Distances::NONE)
}
