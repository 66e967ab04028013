//! Learns deadlocks while a search runs; what is learned forbids pushes, and shortens later proofs.
//!
//! Four occasions: an enclosed area, alone or with others, is found for the first time and its boxes are few
//! ([`DeadlockLearner::examine_area`]); a box is pushed beside another ([`DeadlockLearner::proves_pair`]); a position
//! has no push ([`DeadlockLearner::explain`]); the subtree of a position has become large
//! ([`DeadlockLearner::prove_subtree`]). A deadlock that is proved is minimized and kept as a pattern, for every region
//! of the player for which it is proved.
//!
//! Invariant: an area is examined once, wherever the player was then, and so are the tied boxes of a subtree for each
//! number of nodes; every pattern in the sets has a proof. Both are known by 64-bit hashes: an equal hash of another one
//! loses a proof, and nothing else.

use std::sync::Arc;

use hashbrown::HashSet;
use sokocore::FloorSquare;
use sokosearch::Charge;

use crate::board::bit_set::BitView;
use crate::board::level_tables::LevelTables;
use crate::deadlock::capacity_areas::add_capacity_areas;
use crate::deadlock::deadlock_sets::DeadlockSets;
use crate::deadlock::prover::{Prover, Question};
use crate::deadlock::shared::{Deadlock, SharedDeadlocks, Subscription};
use crate::technique::Technique;
use crate::{Settings, WorkMeter};

/// The database, and the proofs that add to it.
#[derive(Debug)]
pub(crate) struct DeadlockLearner {
    tables: Arc<LevelTables>,
    sets: DeadlockSets,
    prover: Prover,
    /// Enclosed areas that were examined, by [`area_key`].
    examined_areas: HashSet<u64>,
    /// Tied boxes of subtrees that were examined, by [`area_key`] and the nodes that the proof was allowed.
    examined_subtrees: HashSet<u64>,
    max_boxes: usize,
    max_nodes: u32,
    /// Which of the occasions are used.
    examines_areas: bool,
    proves_subtrees: bool,
    /// The proofs of the run's other searches.
    subscription: Option<Subscription>,
    /// Lookups of sets by tests, see [`DeadlockLearner::n_lookups`].
    n_lookups: u64,
    charge: Charge,
    /// Whether there is no memory to learn more.
    is_full: bool,
}

impl DeadlockLearner {
    /// More areas and subtrees than this are not remembered; later ones are not examined.
    const MAX_EXAMINED: usize = 1 << 20;
    /// Positions that the proof of a pair may expand. On the levels of published counts more gains nothing.
    const MAX_PAIR_NODES: u32 = 4;
    /// Bytes that are charged at once.
    const STEP: u64 = 1 << 20;

    /// Knows only the capacity areas; learns on the occasions that the settings allow.
    pub(crate) fn new(tables: Arc<LevelTables>, settings: &Settings, meter: &WorkMeter) -> Self {
        let n = tables.board().n_boxes();
        let max_boxes = (n / 2).max(n.min(6)).min(16);
        let mut sets = DeadlockSets::new(&tables);
        add_capacity_areas(&tables, &mut sets);
        Self {
            sets,
            prover: Prover::new(&tables),
            examined_areas: HashSet::new(),
            examined_subtrees: HashSet::new(),
            max_boxes,
            max_nodes: 100,
            examines_areas: settings.uses(Technique::CorralProofs),
            proves_subtrees: settings.uses(Technique::SubtreeProofs),
            subscription: meter.shared_deadlocks().map(SharedDeadlocks::subscribe),
            n_lookups: 0,
            charge: meter.memory().nothing(),
            is_full: false,
            tables,
        }
    }

    /// Returns the tables of the level.
    #[inline]
    pub(crate) fn tables(&self) -> &LevelTables {
        &self.tables
    }

    /// Returns the database.
    #[inline]
    pub(crate) const fn sets(&self) -> &DeadlockSets {
        &self.sets
    }

    /// Returns the positions expanded by all proofs.
    pub(crate) const fn n_proof_nodes(&self) -> u64 {
        self.prover.n_total()
    }

    /// Returns how many known sets all proofs have looked up, and the tests that count theirs by
    /// [`DeadlockLearner::count_lookups_at`].
    pub(crate) const fn n_lookups(&self) -> u64 {
        self.prover.n_lookups() + self.n_lookups
    }

    /// Counts the lookup of a push to the square in all sets.
    pub(crate) fn count_lookups_at(&mut self, sq: FloorSquare) {
        self.n_lookups += self.sets.n_at(sq) as u64;
    }

    /// Returns the bytes in use, approximately.
    pub(crate) fn bytes(&self) -> u64 {
        let examined = self.examined_areas.capacity() + self.examined_subtrees.capacity();
        self.sets.len() as u64 * self.sets.bytes_each() + examined as u64 * 9
    }

    fn n_examined(&self) -> usize {
        self.examined_areas.len() + self.examined_subtrees.len()
    }

    /// Charges what was learned, and returns whether more may be.
    fn has_room(&mut self) -> bool {
        while self.bytes() > self.charge.bytes() && !self.is_full {
            self.is_full = self.charge.add(Self::STEP).is_err();
        }
        !self.is_full
    }

    /// Examines an enclosed area, unless it was examined before; returns whether that has shown its boxes to be a
    /// deadlock for the player.
    pub(crate) fn examine_area(&mut self, boxes: &[FloorSquare], inside: &[FloorSquare], player: FloorSquare) -> bool {
        if !self.examines_areas
            || boxes.is_empty()
            || boxes.len() > self.max_boxes
            || self.n_examined() >= Self::MAX_EXAMINED
            || !self.has_room()
        {
            return false;
        }
        let area = area_key(&self.tables, boxes, inside);
        if !self.examined_areas.insert(area) {
            return false;
        }
        let is_new = self.subscription.as_ref().is_none_or(|subscription| subscription.claim(area));
        self.catch_up();
        if is_new { self.prove(boxes, inside, player) } else { self.sets.is_dead(boxes, player) }
    }

    /// Tries to prove that two boxes are a deadlock for the player.
    pub(crate) fn proves_pair(&mut self, boxes: [FloorSquare; 2], player: FloorSquare) -> bool {
        let question = Question { boxes: &boxes, player, max_nodes: Self::MAX_PAIR_NODES };
        if !self.has_room() || !self.prover.is_dead_by_axes(&self.sets, question) {
            return false;
        }
        let player = self.prover.region(&boxes, player);
        self.keep(&boxes, player);
        true
    }

    /// Adds what other searches have proved.
    fn catch_up(&mut self) {
        if let Some(subscription) = self.subscription.as_mut().filter(|subscription| subscription.has_new()) {
            for proof in subscription.receive() {
                self.sets.add_pattern(&proof.boxes, proof.player.iter().copied());
            }
        }
    }

    /// Adds a proved deadlock for these squares of the player, and publishes it.
    fn keep(&mut self, boxes: &[FloorSquare], player: Vec<FloorSquare>) -> Deadlock {
        let deadlock = Deadlock { boxes: boxes.into(), player: player.into() };
        self.sets.add_pattern(boxes, deadlock.player.iter().copied());
        if let Some(subscription) = &self.subscription {
            subscription.publish(&deadlock);
        }
        deadlock
    }

    fn prove(&mut self, boxes: &[FloorSquare], inside: &[FloorSquare], player: FloorSquare) -> bool {
        let Self { sets, prover, max_nodes, .. } = self;
        // The squares of boxes left out belong to the area.
        let around = |fewer: &[FloorSquare]| {
            let left_out = boxes.iter().filter(|sq| !fewer.contains(sq));
            inside.iter().chain(left_out).copied().collect::<Vec<FloorSquare>>()
        };
        let mut is_dead = |boxes: &[FloorSquare]| {
            prover.is_dead_within(sets, Question { boxes, player, max_nodes: *max_nodes }, &around(boxes))
        };
        if !is_dead(boxes) {
            return false;
        }
        let least = fewest(boxes.to_vec(), is_dead);
        let (boxes, inside) = (&least[..], around(&least));
        let board = self.tables.board();
        let mut dead = self.prover.region(boxes, player);
        let mut seen = vec![false; board.n_squares()];
        boxes.iter().chain(&dead).for_each(|&sq| seen[sq.idx()] = true);
        for sq in board.squares() {
            if !seen[sq.idx()] {
                let region = self.prover.region(boxes, sq);
                region.iter().for_each(|&sq| seen[sq.idx()] = true);
                let question = Question { boxes, player: sq, max_nodes: self.max_nodes };
                if self.prover.is_dead_within(&self.sets, question, &inside) {
                    dead.extend(region);
                }
            }
        }
        self.keep(boxes, dead);
        true
    }

    /// Tries to prove a position with a large subtree lost, by the boxes that the player cannot push along both axes.
    ///
    /// Yaron Shoham's subtree learning, with proofs in proportion to the subtree.
    pub(crate) fn prove_subtree(&mut self, Question { boxes, player, max_nodes }: Question<'_>) -> Option<Deadlock> {
        if !self.proves_subtrees || !self.has_room() {
            return None;
        }
        let n_examined = self.n_examined();
        let Self { tables, sets, prover, examined_subtrees, .. } = self;
        let tied = prover.tied(sets, boxes, player);
        if tied.iter().all(|&sq| tables.is_goal(sq)) || n_examined >= Self::MAX_EXAMINED {
            return None;
        }
        let region = prover.region(&tied, player);
        if !examined_subtrees.insert(area_key(tables, &tied, &region) ^ u64::from(max_nodes)) {
            return None;
        }
        let mut is_dead = |boxes: &[FloorSquare]| prover.is_dead_by_axes(sets, Question { boxes, player, max_nodes });
        if !is_dead(&tied) {
            return None;
        }
        let boxes = fewest(tied, is_dead);
        let region = self.prover.region(&boxes, player);
        Some(self.keep(&boxes, region))
    }

    /// Explains a position without a push, or a part of one: removes one box after the other as long as the player
    /// still has no push, and adds the rest as a pattern. Returns false if the player has a push, or all boxes are on
    /// goals.
    pub(crate) fn explain(&mut self, boxes: &[FloorSquare], player: FloorSquare) -> bool {
        let Self { sets, prover, .. } = self;
        if !prover.is_stuck(sets, boxes, player) {
            return false;
        }
        let boxes = fewest(boxes.to_vec(), |fewer| prover.is_stuck(sets, fewer, player));
        let player = prover.region(&boxes, player);
        if self.has_room() {
            self.keep(&boxes, player);
        }
        true
    }

    /// Explains why no push of a corral's boxes is left: by these boxes alone, or by a proof with their neighbors among
    /// `all`.
    pub(crate) fn explain_corral(&mut self, all: BitView<'_>, corral: &[FloorSquare], player: FloorSquare) -> bool {
        if self.explain(corral, player) {
            return true;
        }
        let mut boxes = corral.to_vec();
        for _ in 0..2 {
            let board = self.tables.board();
            for at in 0..boxes.len() {
                for dir in 0..4 {
                    let next = board.step(boxes[at], dir);
                    if all.has(next) && !boxes.contains(&next) {
                        boxes.push(next);
                    }
                }
            }
            if boxes.len() > self.max_boxes {
                return false;
            }
            let player_region = self.prover.region(&boxes, player);
            let inside: Vec<FloorSquare> =
                board.squares().filter(|sq| !boxes.contains(sq) && !player_region.contains(sq)).collect();
            if self.examine_area(&boxes, &inside, player) {
                return true;
            }
        }
        false
    }
}

/// Returns a hash of an area with its boxes.
fn area_key(tables: &LevelTables, boxes: &[FloorSquare], inside: &[FloorSquare]) -> u64 {
    let least = inside.iter().copied().min().unwrap_or_default();
    boxes.iter().fold(tables.key(least).rotate_left(17), |key, &sq| key ^ tables.key(sq))
}

/// Removes one box after the other as long as the rest is still a deadlock.
fn fewest(mut boxes: Vec<FloorSquare>, mut is_dead: impl FnMut(&[FloorSquare]) -> bool) -> Vec<FloorSquare> {
    let mut at = 0;
    while at < boxes.len() {
        let mut fewer = boxes.clone();
        fewer.swap_remove(at);
        if is_dead(&fewer) {
            boxes = fewer;
        } else {
            at += 1;
        }
    }
    boxes
}

#[cfg(test)]
mod tests;
