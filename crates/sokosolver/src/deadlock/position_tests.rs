//! The expensive deadlock tests, made once for each position that is about to be expanded.
//!
//! In this order: what was learned; boxes that cannot be paired with goals around frozen ones; enclosed areas, each
//! looked at once with the means of the packing-order search, which keeps what it learns.

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

/// What is known about lost positions of a level.
#[derive(Debug)]
pub(crate) struct PositionTests<const W: usize> {
    lessons: DeadlockLearner,
    around: HashMap<BitSet<W>, Distances>,
    corrals: PiCorrals,
    /// Whether an enclosed area may restrict the pushes.
    restricts: bool,
    fence: Vec<u16>,
    inside: Vec<u16>,
    n_proof_nodes: u64,
    charge: Charge,
    is_full: bool,
}

impl<const W: usize> PositionTests<W> {
    /// Distances around so many sets of frozen boxes are kept.
    const MAX_TABLES: usize = 256;

    /// Knows nothing yet.
    pub(crate) fn new(terrain: &FessTables<W>, settings: &Settings, effort: &WorkMeter) -> Self {
        Self {
            lessons: DeadlockLearner::new(&terrain.yard).by(settings),
            around: HashMap::new(),
            corrals: PiCorrals::new(terrain.ground(), CorralChoice::of(settings)),
            restricts: settings.pi_corrals,
            fence: Vec::new(),
            inside: Vec::new(),
            n_proof_nodes: 0,
            charge: effort.memory().nothing(),
            is_full: false,
        }
    }

    /// Returns whether what was learned forbids the box on `sq`.
    pub(crate) fn forbids(&self, boxes: &BitSet<W>, player: u16, sq: u16) -> bool {
        self.lessons.sets().forbids(&boxes.0, player, sq)
    }

    /// Returns how many sets were learned so far.
    pub(crate) fn n_sets(&self) -> u16 {
        u16::try_from(self.lessons.sets().len()).unwrap_or(u16::MAX)
    }

    /// Returns whether the first so many that were learned forbid the box on `sq`.
    pub(crate) fn forbade(&self, n_sets: u16, boxes: &BitSet<W>, player: u16, sq: u16) -> bool {
        self.lessons.sets().first_forbid(u32::from(n_sets), &boxes.0, player, sq)
    }

    /// FeatureMask at a position, flooded; returns the boxes that need be pushed, or `None` if it is lost.
    pub(crate) fn judge(
        &mut self,
        terrain: &FessTables<W>,
        boxes: &BitSet<W>,
        player: u16,
        flood: &Flood,
    ) -> Option<BitSet<W>> {
        let ground = terrain.ground();
        if boxes.iter().any(|sq| self.forbids(boxes, player, sq)) || !self.is_paired(terrain, boxes) {
            return None;
        }
        if flood.n_reached() + boxes.len() >= ground.n_squares() {
            return Some(*boxes);
        }
        self.corrals.label(ground, flood);
        while self.lessons.bytes() > self.charge.bytes() && !self.is_full {
            self.is_full = self.charge.add(1 << 20).is_err();
        }
        for area in 0..if self.is_full { 0 } else { self.corrals.n_areas() } {
            self.corrals.collect(ground, area, boxes, &mut self.fence, &mut self.inside);
            let before = self.lessons.n_proof_nodes();
            let is_dead = self.lessons.offer(&terrain.yard, &self.fence, &self.inside, player);
            self.n_proof_nodes += self.lessons.n_proof_nodes() - before;
            if is_dead {
                return None;
            }
        }
        self.within(terrain, boxes, flood)
    }

    /// Returns the boxes that need be pushed in a position, flooded, that is not known to be lost.
    pub(crate) fn only(&mut self, terrain: &FessTables<W>, boxes: &BitSet<W>, flood: &Flood) -> Option<BitSet<W>> {
        let ground = terrain.ground();
        if flood.n_reached() + boxes.len() >= ground.n_squares() {
            return Some(*boxes);
        }
        self.corrals.label(ground, flood);
        self.within(terrain, boxes, flood)
    }

    /// FeatureMask at the enclosed areas, labeled.
    fn within(&mut self, terrain: &FessTables<W>, boxes: &BitSet<W>, flood: &Flood) -> Option<BitSet<W>> {
        match self.corrals.find(terrain.ground(), &terrain.goals, boxes, flood) {
            Corral::Only(only) if self.restricts => Some(only),
            Corral::None | Corral::Only(_) => Some(*boxes),
            Corral::Dead => None,
        }
    }

    /// FeatureMask at a position that a search has long been busy below; if it is lost after all, returns the boxes that make
    /// it so, and the squares of the player's region.
    pub(crate) fn reflect(
        &mut self,
        terrain: &FessTables<W>,
        boxes: &BitSet<W>,
        player: u16,
        max_nodes: u32,
    ) -> Option<(BitSet<W>, Vec<u16>)> {
        if self.is_full {
            return None;
        }
        let before = self.lessons.n_proof_nodes();
        let squares: Vec<u16> = boxes.iter().collect();
        let lesson = self.lessons.reflect(&terrain.yard, &squares, player, max_nodes);
        self.n_proof_nodes += self.lessons.n_proof_nodes() - before;
        lesson.map(|(boxes, region)| (SearchBoard::set(&boxes), region))
    }

    /// Returns the positions that proofs have looked at since it was asked last.
    pub(crate) const fn take_proof_nodes(&mut self) -> u64 {
        std::mem::replace(&mut self.n_proof_nodes, 0)
    }

    fn is_paired(&mut self, terrain: &FessTables<W>, boxes: &BitSet<W>) -> bool {
        let ground = terrain.ground();
        let frozen = freeze::frozen(ground, boxes);
        if frozen.len() == 0 {
            return fit(boxes, ground.to_goals());
        }
        if self.around.len() >= Self::MAX_TABLES {
            self.around.clear();
        }
        let make = || Distances::new(ground, SearchDirection::Forward, ground.goals(), |sq| frozen.has(sq));
        fit(boxes, self.around.entry(frozen).or_insert_with(make))
    }
}

fn fit<const W: usize>(boxes: &BitSet<W>, distances: &Distances) -> bool {
    let rows: Vec<&[u16]> = boxes.iter().map(|sq| distances.row(sq)).collect();
    rows.len() <= distances.n_targets() && can_pair(rows.len(), |row, column| rows[row][column] != Distances::NONE)
}
