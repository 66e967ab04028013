//! Learns deadlocks while a search runs; all packing orders share what is learned.
//!
//! Four occasions: an enclosed area, alone or with others, is found for the first time and its boxes are few
//! ([`DeadlockLearner::examine_area`]); a box is pushed beside another ([`DeadlockLearner::check_pair`]); a position
//! has no push ([`DeadlockLearner::explain`]); the subtree of a position has become large
//! ([`DeadlockLearner::prove_subtree`]). A deadlock that is proved is minimized and kept as a pattern, for every region
//! of the player for which it is proved.
//!
//! Invariant: an area is examined once; every pattern in the sets has a proof.

use hashbrown::HashSet;

use crate::Settings;
use crate::board::board_state::BoardState;
use crate::board::level_tables::LevelTables;
use crate::deadlock::capacity_areas::add_capacity_areas;
use crate::deadlock::deadlock_sets::DeadlockSets;
use crate::deadlock::neighbor_pairs::NeighborPairs;
use crate::deadlock::prover::Prover;
use crate::deadlock::shared::Subscription;

/// The database, and the proofs that add to it.
#[derive(Debug)]
pub(crate) struct DeadlockLearner {
    sets: DeadlockSets,
    prover: Prover,
    examined: HashSet<u64>,
    pairs: NeighborPairs,
    max_boxes: usize,
    max_nodes: u32,
    /// Which of the occasions are used.
    examines_areas: bool,
    checks_pairs: bool,
    proves_subtrees: bool,
    /// The proofs of the run's other searches.
    subscription: Option<Subscription>,
}

impl DeadlockLearner {
    /// More areas than this are not remembered; later ones are not examined.
    const MAX_EXAMINED: usize = 1 << 20;
    /// Positions that the proof of a pair may expand. On the levels of published counts more gains nothing.
    const MAX_PAIR_NODES: u32 = 4;

    /// Knows only the capacity areas.
    pub(crate) fn new(tables: &LevelTables) -> Self {
        let n = tables.board().n_boxes();
        let max_boxes = (n / 2).max(n.min(6)).min(16);
        let mut sets = DeadlockSets::new(tables);
        add_capacity_areas(tables, &mut sets);
        Self {
            sets,
            prover: Prover::new(tables),
            examined: HashSet::new(),
            pairs: NeighborPairs::new(tables),
            max_boxes,
            max_nodes: 100,
            examines_areas: true,
            checks_pairs: true,
            proves_subtrees: true,
            subscription: tables.subscribe(),
        }
    }

    /// Learns only on the occasions that the settings allow.
    pub(crate) fn with_settings(self, settings: &Settings) -> Self {
        Self {
            examines_areas: settings.corral_proofs,
            checks_pairs: settings.pairs,
            proves_subtrees: settings.subtree_proofs,
            ..self
        }
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

    /// Returns how many known sets all proofs have looked up.
    pub(crate) const fn n_lookups(&self) -> u64 {
        self.prover.n_lookups()
    }

    /// Returns the bytes in use, approximately.
    pub(crate) fn bytes(&self) -> u64 {
        self.sets.len() as u64 * self.sets.bytes_each() + self.examined.capacity() as u64 * 9 + self.pairs.bytes()
    }

    /// Examines an enclosed area, unless it was examined before; returns whether its boxes are a deadlock for the
    /// player.
    pub(crate) fn examine_area(&mut self, tables: &LevelTables, boxes: &[u16], inside: &[u16], player: u16) -> bool {
        if !self.examines_areas
            || boxes.is_empty()
            || boxes.len() > self.max_boxes
            || self.examined.len() >= Self::MAX_EXAMINED
        {
            return false;
        }
        let area = key(tables, boxes, inside);
        if !self.examined.insert(area) {
            return false;
        }
        let is_new = self.subscription.as_ref().is_none_or(|subscription| subscription.claim(area));
        self.catch_up();
        if is_new { self.prove(tables, boxes, inside, player) } else { self.sets.forbid(boxes, player) }
    }

    /// Examines a box just pushed from `player` to `sq` with each neighbor, once for each pair; returns whether it is a
    /// deadlock with one of them.
    pub(crate) fn check_pair(&mut self, tables: &LevelTables, state: &BoardState, player: u16, sq: u16) -> bool {
        if !self.checks_pairs {
            return false;
        }
        while let Some(other) = self.pairs.next_new(tables, state, player, sq) {
            let Self { sets, prover, .. } = self;
            if prover.is_dead_by_axes(tables, sets, &[sq, other], player, Self::MAX_PAIR_NODES) {
                let region = prover.region(tables, &[sq, other], player);
                self.keep(&[sq, other], &region);
                return true;
            }
        }
        false
    }

    /// Adds what other searches have proved.
    fn catch_up(&mut self) {
        if let Some(subscription) = self.subscription.as_mut().filter(|subscription| subscription.has_new()) {
            for proof in subscription.receive() {
                self.sets.add_pattern(&proof.boxes, proof.player.iter().copied());
            }
        }
    }

    /// Adds a proved deadlock, and publishes it.
    fn keep(&mut self, boxes: &[u16], player: &[u16]) {
        self.sets.add_pattern(boxes, player.iter().copied());
        if let Some(subscription) = &self.subscription {
            subscription.publish(boxes, player);
        }
    }

    fn prove(&mut self, tables: &LevelTables, boxes: &[u16], inside: &[u16], player: u16) -> bool {
        let Self { sets, prover, max_nodes, .. } = self;
        let max_nodes = *max_nodes;
        if !prover.is_dead(tables, sets, boxes, inside, player, max_nodes) {
            return false;
        }
        let (mut boxes, mut inside) = (boxes.to_vec(), inside.to_vec());
        let mut at = 0;
        while at < boxes.len() {
            let mut fewer = boxes.clone();
            let sq = fewer.swap_remove(at);
            inside.push(sq);
            if prover.is_dead(tables, sets, &fewer, &inside, player, max_nodes) {
                boxes = fewer;
            } else {
                inside.pop();
                at += 1;
            }
        }
        let mut dead = prover.region(tables, &boxes, player);
        let mut seen = vec![false; tables.board().n_squares()];
        boxes.iter().chain(&dead).for_each(|&sq| seen[usize::from(sq)] = true);
        for sq in 0..tables.board().wall() {
            if !seen[usize::from(sq)] {
                let region = prover.region(tables, &boxes, sq);
                region.iter().for_each(|&sq| seen[usize::from(sq)] = true);
                if prover.is_dead(tables, sets, &boxes, &inside, sq, max_nodes) {
                    dead.extend(region);
                }
            }
        }
        self.keep(&boxes, &dead);
        true
    }

    /// Tries to prove a position with a large subtree lost, by the boxes that the player cannot push along both axes.
    /// Returns the boxes of a deadlock, and the squares of the player's region.
    ///
    /// Yaron Shoham's subtree learning, with proofs as large as the subtree.
    pub(crate) fn prove_subtree(
        &mut self,
        tables: &LevelTables,
        boxes: &[u16],
        player: u16,
        max_nodes: u32,
    ) -> Option<(Vec<u16>, Vec<u16>)> {
        let Self { sets, prover, examined, proves_subtrees, .. } = self;
        if !*proves_subtrees {
            return None;
        }
        let tied = prover.tied(tables, sets, boxes, player);
        if tied.iter().all(|&sq| tables.is_goal(sq)) || examined.len() >= Self::MAX_EXAMINED {
            return None;
        }
        let region = prover.region(tables, &tied, player);
        if !examined.insert(key(tables, &tied, &region) ^ u64::from(max_nodes)) {
            return None;
        }
        let mut is_dead = |sets: &DeadlockSets, boxes: &[u16], player: u16| {
            prover.is_dead_by_axes(tables, sets, boxes, player, max_nodes)
        };
        if !is_dead(sets, &tied, player) {
            return None;
        }
        let least = fewest(tied, |fewer| is_dead(sets, fewer, player));
        let region = prover.region(tables, &least, player);
        self.keep(&least, &region);
        Some((least, region))
    }

    /// Explains a position without a push, or a part of one: removes one box after the other as long as the player
    /// still has no push, and adds the rest as a pattern. Returns false if the player has a push, or all boxes are on
    /// goals.
    pub(crate) fn explain(&mut self, tables: &LevelTables, boxes: &[u16], player: u16) -> bool {
        let Self { sets, prover, .. } = self;
        if !prover.is_stuck(tables, sets, boxes, player) {
            return false;
        }
        let boxes = fewest(boxes.to_vec(), |fewer| prover.is_stuck(tables, sets, fewer, player));
        let region = prover.region(tables, &boxes, player);
        self.keep(&boxes, &region);
        true
    }

    /// Explains why no push of a corral's boxes is left: by these boxes alone, or by a proof with their neighbors.
    pub(crate) fn explain_corral(
        &mut self,
        tables: &LevelTables,
        state: &BoardState,
        corral: &[u16],
        player: u16,
    ) -> bool {
        if self.explain(tables, corral, player) {
            return true;
        }
        let board = tables.board();
        let mut boxes = corral.to_vec();
        for _ in 0..2 {
            for at in 0..boxes.len() {
                for dir in 0..4 {
                    let next = board.step(boxes[at], dir);
                    if state.has_box(next) && !boxes.contains(&next) {
                        boxes.push(next);
                    }
                }
            }
            if boxes.len() > self.max_boxes {
                return false;
            }
            let player_region = self.prover.region(tables, &boxes, player);
            let inside: Vec<u16> =
                (0..board.wall()).filter(|sq| !boxes.contains(sq) && !player_region.contains(sq)).collect();
            if self.examine_area(tables, &boxes, &inside, player) {
                return true;
            }
        }
        false
    }
}

/// Returns a hash of an area with its boxes.
fn key(tables: &LevelTables, boxes: &[u16], inside: &[u16]) -> u64 {
    let least = inside.iter().copied().min().unwrap_or(0);
    boxes.iter().fold(tables.key(least).rotate_left(17), |key, &sq| key ^ tables.key(sq))
}

/// Removes one box after the other as long as the rest is still a deadlock.
fn fewest(mut boxes: Vec<u16>, mut is_dead: impl FnMut(&[u16]) -> bool) -> Vec<u16> {
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
