//! What a search learns about deadlocks while it goes, shared by all packing orders.
//!
//! Five occasions: an enclosed area is met for the first time and its boxes are few ([`DeadlockLearner::offer`]); several such
//! areas together; a box is pushed beside another ([`DeadlockLearner::meet`]); a position without a push ([`DeadlockLearner::explain`]);
//! a position below which a search has long been busy in vain ([`DeadlockLearner::reflect`]). What is proved is made as small as
//! it gets and kept as a pattern, for every region of the player for which it is proved.
//!
//! Invariant: an area is looked at once, whoever meets it again; a pattern in the sets has a proof.

use hashbrown::HashSet;

use crate::Settings;
use crate::board::board_state::BoardState;
use crate::board::level_tables::LevelTables;
use crate::deadlock::areas::add_areas;
use crate::deadlock::deadlock_sets::DeadlockSets;
use crate::deadlock::neighbors::Pairs;
use crate::deadlock::prover::Prover;
use crate::deadlock::shared::Subscription;

/// The sets, and the means to add to them.
#[derive(Debug)]
pub(crate) struct DeadlockLearner {
    sets: DeadlockSets,
    prover: Prover,
    met: HashSet<u64>,
    pairs: Pairs,
    max_boxes: usize,
    max_nodes: u32,
    /// Whether enclosed areas are looked at, whether pairs of neighbors are, and whether long subtrees are.
    offers: bool,
    meets: bool,
    reflects: bool,
    /// Those who learn about the same level by other searches.
    others: Option<Subscription>,
}

impl DeadlockLearner {
    /// More areas than this are not remembered; later ones are not looked at.
    const MAX_MET: usize = 1 << 20;
    /// Positions that the proof of a pair may take. On the levels of published counts more bring nothing.
    const MAX_PAIR_NODES: u32 = 4;

    /// Knows what can be said without a search.
    pub(crate) fn new(yard: &LevelTables) -> Self {
        let n = yard.ground().n_boxes();
        let max_boxes = (n / 2).max(n.min(6)).min(16);
        let mut sets = DeadlockSets::new(yard);
        add_areas(yard, &mut sets);
        Self {
            sets,
            prover: Prover::new(yard),
            met: HashSet::new(),
            pairs: Pairs::new(yard),
            max_boxes,
            max_nodes: 100,
            offers: true,
            meets: true,
            reflects: true,
            others: yard.join(),
        }
    }

    /// Learns only on those occasions that the settings allow.
    pub(crate) fn by(self, settings: &Settings) -> Self {
        Self { offers: settings.corral_proofs, meets: settings.pairs, reflects: settings.subtree_proofs, ..self }
    }

    /// Returns what is known.
    #[inline]
    pub(crate) const fn sets(&self) -> &DeadlockSets {
        &self.sets
    }

    /// Returns the positions looked at by all proofs.
    pub(crate) const fn n_proof_nodes(&self) -> u64 {
        self.prover.n_total()
    }

    /// Returns how many known sets all proofs have looked at.
    pub(crate) const fn n_looks(&self) -> u64 {
        self.prover.n_looks()
    }

    /// Returns the bytes in use, roughly.
    pub(crate) fn bytes(&self) -> u64 {
        self.sets.len() as u64 * self.sets.bytes_each() + self.met.capacity() as u64 * 9 + self.pairs.bytes()
    }

    /// FeatureMask at an enclosed area if nobody has yet; returns whether its boxes are a deadlock for the player.
    pub(crate) fn offer(&mut self, yard: &LevelTables, boxes: &[u16], inside: &[u16], player: u16) -> bool {
        if !self.offers || boxes.is_empty() || boxes.len() > self.max_boxes || self.met.len() >= Self::MAX_MET {
            return false;
        }
        let area = key(yard, boxes, inside);
        if !self.met.insert(area) {
            return false;
        }
        let is_new = self.others.as_ref().is_none_or(|others| others.claim(area));
        self.catch_up();
        if is_new { self.prove(yard, boxes, inside, player) } else { self.sets.forbid(boxes, player) }
    }

    /// FeatureMask at a box just pushed from `player` to `sq` with each neighbor, once for each pair; returns whether it is a
    /// deadlock with one of them.
    pub(crate) fn meet(&mut self, yard: &LevelTables, field: &BoardState, player: u16, sq: u16) -> bool {
        if !self.meets {
            return false;
        }
        while let Some(other) = self.pairs.next_new(yard, field, player, sq) {
            let Self { sets, prover, .. } = self;
            if prover.is_dead_by_axes(yard, sets, &[sq, other], player, Self::MAX_PAIR_NODES) {
                let region = prover.region(yard, &[sq, other], player);
                self.keep(&[sq, other], &region);
                return true;
            }
        }
        false
    }

    /// Takes over what others have proved.
    fn catch_up(&mut self) {
        if let Some(others) = self.others.as_mut().filter(|others| others.has_news()) {
            for proof in others.news() {
                self.sets.add_pattern(&proof.boxes, proof.player.iter().copied());
            }
        }
    }

    /// Keeps a proof, for others too.
    fn keep(&mut self, boxes: &[u16], player: &[u16]) {
        self.sets.add_pattern(boxes, player.iter().copied());
        if let Some(others) = &self.others {
            others.tell(boxes, player);
        }
    }

    fn prove(&mut self, yard: &LevelTables, boxes: &[u16], inside: &[u16], player: u16) -> bool {
        let Self { sets, prover, max_nodes, .. } = self;
        let max_nodes = *max_nodes;
        if !prover.is_dead(yard, sets, boxes, inside, player, max_nodes) {
            return false;
        }
        let (mut boxes, mut inside) = (boxes.to_vec(), inside.to_vec());
        let mut at = 0;
        while at < boxes.len() {
            let mut fewer = boxes.clone();
            let sq = fewer.swap_remove(at);
            inside.push(sq);
            if prover.is_dead(yard, sets, &fewer, &inside, player, max_nodes) {
                boxes = fewer;
            } else {
                inside.pop();
                at += 1;
            }
        }
        let mut dead = prover.region(yard, &boxes, player);
        let mut seen = vec![false; yard.ground().n_squares()];
        boxes.iter().chain(&dead).for_each(|&sq| seen[usize::from(sq)] = true);
        for sq in 0..yard.ground().wall() {
            if !seen[usize::from(sq)] {
                let region = prover.region(yard, &boxes, sq);
                region.iter().for_each(|&sq| seen[usize::from(sq)] = true);
                if prover.is_dead(yard, sets, &boxes, &inside, sq, max_nodes) {
                    dead.extend(region);
                }
            }
        }
        self.keep(&boxes, &dead);
        true
    }

    /// FeatureMask at a whole position that a search has long been busy below: at the boxes that the player cannot push along
    /// both axes, as long as it takes. Returns the boxes of a deadlock, and the squares of the player's region.
    ///
    /// Yaron Shoham's subtree learning, with proofs as long as the search has tried.
    pub(crate) fn reflect(
        &mut self,
        yard: &LevelTables,
        boxes: &[u16],
        player: u16,
        max_nodes: u32,
    ) -> Option<(Vec<u16>, Vec<u16>)> {
        let Self { sets, prover, met, reflects, .. } = self;
        if !*reflects {
            return None;
        }
        let tied = prover.tied(yard, sets, boxes, player);
        if tied.iter().all(|&sq| yard.is_goal(sq)) || met.len() >= Self::MAX_MET {
            return None;
        }
        let region = prover.region(yard, &tied, player);
        if !met.insert(key(yard, &tied, &region) ^ u64::from(max_nodes)) {
            return None;
        }
        let mut is_dead = |sets: &DeadlockSets, boxes: &[u16], player: u16| {
            prover.is_dead_by_axes(yard, sets, boxes, player, max_nodes)
        };
        if !is_dead(sets, &tied, player) {
            return None;
        }
        let least = fewest(tied, |fewer| is_dead(sets, fewer, player));
        let region = prover.region(yard, &least, player);
        self.keep(&least, &region);
        Some((least, region))
    }

    /// Explains a position without a push, or a part of one: leaves out one box after the other as long as the player
    /// still has no push, and keeps the rest. Returns whether there was anything to explain.
    pub(crate) fn explain(&mut self, yard: &LevelTables, boxes: &[u16], player: u16) -> bool {
        let Self { sets, prover, .. } = self;
        if !prover.is_stuck(yard, sets, boxes, player) {
            return false;
        }
        let boxes = fewest(boxes.to_vec(), |fewer| prover.is_stuck(yard, sets, fewer, player));
        let region = prover.region(yard, &boxes, player);
        self.keep(&boxes, &region);
        true
    }

    /// Explains why no push of a corral's boxes is left: by these alone, or by a proof with their neighbors.
    pub(crate) fn explain_corral(
        &mut self,
        yard: &LevelTables,
        field: &BoardState,
        corral: &[u16],
        player: u16,
    ) -> bool {
        if self.explain(yard, corral, player) {
            return true;
        }
        let ground = yard.ground();
        let mut boxes = corral.to_vec();
        for _ in 0..2 {
            for at in 0..boxes.len() {
                for dir in 0..4 {
                    let next = ground.step(boxes[at], dir);
                    if field.has_box(next) && !boxes.contains(&next) {
                        boxes.push(next);
                    }
                }
            }
            if boxes.len() > self.max_boxes {
                return false;
            }
            let player_region = self.prover.region(yard, &boxes, player);
            let inside: Vec<u16> =
                (0..ground.wall()).filter(|sq| !boxes.contains(sq) && !player_region.contains(sq)).collect();
            if self.offer(yard, &boxes, &inside, player) {
                return true;
            }
        }
        false
    }
}

/// A name for an area with its boxes.
fn key(yard: &LevelTables, boxes: &[u16], inside: &[u16]) -> u64 {
    let least = inside.iter().copied().min().unwrap_or(0);
    boxes.iter().fold(yard.key(least).rotate_left(17), |key, &sq| key ^ yard.key(sq))
}

/// Leaves out one box after the other as long as the rest is still a deadlock.
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
