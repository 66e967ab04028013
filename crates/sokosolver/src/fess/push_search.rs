//! A search by pushes: macro moves from the start, cell by cell, toward its aim.

use std::sync::Arc;

use sokocore::FloorSquare;

use crate::WorkMeter;
use crate::board::bit_set::BitSet;
use crate::board::{Flood, SearchBoard, SearchDirection};
use crate::deadlock::deadlock_test::{FloodedPosition, MovedBox, Prune};
use crate::deadlock::prover::Question;
use crate::deadlock::shared::Deadlock;
use crate::part_times::Part;

use super::advisors::{PushCandidate, PushFeatures};
use super::path::pushes_along;
use super::push_aim::PushAim;
use super::slice_end::SliceEnd;
use crate::fess::features::view::Viewer;
use crate::fess::macro_move::{MacroMove, MacroMoveGenerator};
use crate::fess::search_core::{DirectedSearch, SearchCore};
use crate::fess::shared_tables::SharedTables;
use crate::fess::tree::fess_tree::FessTree;
use crate::fess::tree::nodes::{FessNode, NodeScore};
use crate::fess::tree::pending_moves::PendingMove;

/// A search by pushes.
#[derive(Debug)]
pub(crate) struct PushSearch<const W: usize> {
    pub(crate) core: SearchCore<W>,
    aim: PushAim<W>,
    /// Squares where a macro move may end though they are in a tunnel.
    used: BitSet<W>,
    flood: Flood,
    generator: MacroMoveGenerator,
    found: Vec<MacroMove>,
    viewer: Viewer<W>,
}

/// Whether the moves of a position are generated for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expansion {
    First,
    Again,
}

impl<const W: usize> PushSearch<W> {
    /// Positions that the proof of a deadlock may expand for each node of the subtree.
    const PROOF_NODES_EACH: u32 = 8;
    /// Positions that one such proof may expand.
    const MAX_PROOF_NODES: u32 = 1 << 15;

    /// Makes a search; `number` is its number among those of the level.
    pub(crate) fn new(shared: &SharedTables<W>, number: u16, aim: PushAim<W>, meter: &WorkMeter) -> Self {
        let board = shared.tables.board();
        Self {
            used: aim.squares(),
            core: SearchCore::new(number, FessTree::new(aim.selection(shared.cell_rule)), meter),
            viewer: Viewer::new(&shared.tables, aim.feature_mask()),
            aim,
            flood: Flood::new(board),
            generator: MacroMoveGenerator::new(board),
            found: Vec::new(),
        }
    }

    /// Tries to prove an ancestor of a new node lost, if its subtree has just reached one of certain sizes.
    fn prove_subtree(&mut self, shared: &mut SharedTables<W>, number: u32) {
        let Some((above, size)) = self.core.tree.count_in_ancestors(number) else { return };
        let Some(node) = self.core.tree.node(above) else { return };
        let max_nodes = (size * Self::PROOF_NODES_EACH).min(Self::MAX_PROOF_NODES);
        let (boxes, n_before): (Vec<FloorSquare>, _) =
            (node.boxes.iter().collect(), shared.push_deadlocks.n_proof_nodes());
        let question = Question { boxes: &boxes, player: node.player, max_nodes };
        let before = shared.sampler.enter(Part::DeadlockTests);
        let proved = shared.push_deadlocks.learner_mut().prove_subtree(question);
        shared.sampler.enter(before);
        if let Some(Deadlock { boxes, player }) = proved {
            let boxes = SearchBoard::set(&boxes);
            self.core.tree.prune(|node| player.contains(&node.player) && boxes.is_within(&node.boxes));
        }
        self.core.unbilled_ticks += shared.push_deadlocks.n_proof_nodes() - n_before;
    }

    /// Generates the macro moves of a position; `None` if it is lost.
    fn expand(&mut self, shared: &mut SharedTables<W>, node: &mut FessNode<W>) -> Option<Vec<PendingMove>> {
        shared.sampler.enter(Part::Successors);
        self.flood.run(shared.tables.board(), &node.boxes, node.player);
        self.core.unbilled_ticks += 20;
        let n_before = shared.push_deadlocks.n_proof_nodes();
        let only = self.only_boxes(shared, node, Expansion::First);
        self.core.unbilled_ticks += shared.push_deadlocks.n_proof_nodes() - n_before;
        self.core.counts.deadlocks.expanded += u64::from(only.is_none());
        let only = only?;
        node.n_sets = shared.push_deadlocks.n_sets();
        let (now, own) = self.score(shared, &node.boxes, node.player);
        node.score = own;
        let candidates = self.candidates(shared, node, &only);
        let own_hash = node.boxes.hash_with(now.view.zone);
        let hashes = candidates.iter().map(|candidate| candidate.pending.hash);
        let met = shared.known_positions.lock().add_with_successors(SearchDirection::Forward, own_hash, hashes);
        if let Some(at) = met {
            self.core.note_meeting(node, candidates[at].pending.macro_move);
        }
        shared.sampler.enter(Part::Evaluation);
        let moves = self.advise(shared, node, (now, own), candidates);
        shared.sampler.enter(Part::Storage);
        Some(moves)
    }

    /// Returns the boxes that need be pushed in a position that is flooded; `None` if it is lost.
    fn only_boxes(&self, shared: &mut SharedTables<W>, node: &FessNode<W>, expansion: Expansion) -> Option<BitSet<W>> {
        let SharedTables { tables, push_deadlocks, sampler, .. } = shared;
        let squares: Vec<FloorSquare> = node.boxes.iter().collect();
        let position = FloodedPosition::new(node.boxes.view(), &squares, node.player, &self.flood);
        let before = sampler.enter(Part::DeadlockTests);
        let prune = match expansion {
            Expansion::First if push_deadlocks.is_known_dead(&position) => Prune::Dead,
            Expansion::First => push_deadlocks.prune(tables.board(), &position),
            Expansion::Again => push_deadlocks.restrict(tables.board(), &position),
        };
        sampler.enter(before);
        match prune {
            Prune::All => Some(node.boxes),
            Prune::Only(only) => Some(SearchBoard::set(&only)),
            Prune::Dead => None,
        }
    }

    /// Generates the candidates of these boxes of a position that is flooded and viewed, but for those that were known
    /// to be lost when the node was expanded.
    fn candidates(&mut self, shared: &mut SharedTables<W>, node: &FessNode<W>, only: &BitSet<W>) -> Vec<PushCandidate> {
        let tables = Arc::clone(&shared.tables);
        let board = tables.board();
        let mut candidates: Vec<PushCandidate> = Vec::new();
        for sq in only.iter() {
            self.found.clear();
            if !MacroMoveGenerator::can_start(board, SearchDirection::Forward, &node.boxes, sq, |sq| {
                self.flood.reaches(sq)
            }) {
                continue;
            }
            self.viewer.lift(board, SearchDirection::Forward, sq);
            let Self { flood, generator, viewer, found, .. } = self;
            let mut n_frozen = 0;
            let may_pass = |others: &BitSet<W>, to: FloorSquare| {
                let boxes = others.moved(to, to);
                let moved = MovedBox { boxes: boxes.view(), sq: to, side: None };
                let before = shared.sampler.enter(Part::DeadlockTests);
                let is_dead = shared.push_deadlocks.tests_forbid(board, moved);
                shared.sampler.enter(before);
                n_frozen += u64::from(is_dead);
                !is_dead
            };
            let reach = |sq| flood.reaches(sq);
            let lifted = viewer.lifted();
            generator.generate(
                board,
                SearchDirection::Forward,
                &node.boxes,
                sq,
                lifted,
                reach,
                may_pass,
                |macro_move| found.push(macro_move),
            );
            self.core.unbilled_ticks += self.found.len() as u64;
            self.core.counts.generated += self.found.len() as u64 + n_frozen;
            self.core.counts.deadlocks.frozen += n_frozen;
            for at in 0..self.found.len() {
                let macro_move = self.found[at];
                candidates.extend(self.candidate(shared, node, macro_move));
            }
        }
        candidates
    }

    /// Asks the advisors.
    fn advise(
        &self,
        shared: &SharedTables<W>,
        node: &FessNode<W>,
        own: (PushFeatures, NodeScore),
        mut candidates: Vec<PushCandidate>,
    ) -> Vec<PendingMove> {
        self.aim.advise(shared, &node.boxes, own, &mut candidates);
        candidates.into_iter().map(|candidate| candidate.pending).collect()
    }

    /// Makes and scores a macro move, unless it ends in a tunnel or is lost.
    fn candidate(
        &mut self,
        shared: &mut SharedTables<W>,
        node: &FessNode<W>,
        macro_move: MacroMove,
    ) -> Option<PushCandidate> {
        let SharedTables { tables, push_deadlocks, sampler, .. } = shared;
        let boxes = node.boxes.moved(macro_move.from, macro_move.to);
        if tables.tunnels.has(macro_move.to) && !self.used.has(macro_move.to) {
            return None;
        }
        let side = (0..4).find(|&side| tables.board().step(macro_move.to, side) == macro_move.player)?;
        let moved = MovedBox { boxes: boxes.view(), sq: macro_move.to, side: Some(side) };
        let before = sampler.enter(Part::DeadlockTests);
        let is_dead = push_deadlocks.forbids_by_first(node.n_sets, tables.board(), moved);
        sampler.enter(before);
        if is_dead {
            self.core.counts.deadlocks.frozen += 1;
            return None;
        }
        sampler.enter(Part::Evaluation);
        let view = self.viewer.put(tables, macro_move.to, macro_move.player);
        let (features, score) = self.aim.score(shared, &boxes, view);
        shared.sampler.enter(before);
        let hash = boxes.hash_with(features.view.zone);
        Some(PushCandidate {
            pending: PendingMove { macro_move, hash, score_key: score.score_key, weight: 1, sinks: false },
            features,
            n_advisors: 0,
        })
    }

    fn score(
        &mut self,
        shared: &mut SharedTables<W>,
        boxes: &BitSet<W>,
        player: FloorSquare,
    ) -> (PushFeatures, NodeScore) {
        let before = shared.sampler.enter(Part::Evaluation);
        let view = self.viewer.begin(&shared.tables, boxes, player);
        self.aim.begin(boxes);
        let score = self.aim.score(shared, boxes, view);
        shared.sampler.enter(before);
        score
    }
}

impl<const W: usize> DirectedSearch<W> for PushSearch<W> {
    fn core(&mut self) -> &mut SearchCore<W> {
        &mut self.core
    }

    fn add_roots(&mut self, shared: &mut SharedTables<W>) {
        let (starts, player) = (shared.tables.starts, shared.tables.board().player());
        let (features, score) = self.score(shared, &starts, player);
        self.core.tree.close(starts.hash_with(features.view.zone));
        let mut node = FessNode::root(starts, BitSet::default(), player, score);
        if let Some(moves) = self.expand(shared, &mut node) {
            self.core.add(&node, moves);
        }
    }

    /// Generating macro moves again is neither billed nor counted: so the same work is done however many of them are kept.
    fn next_move(&mut self, shared: &mut SharedTables<W>) -> Option<(u32, PendingMove)> {
        let SearchCore { unbilled_ticks, counts, .. } = self.core;
        let mut tree = std::mem::take(&mut self.core.tree);
        let next = tree.next(|node| {
            self.flood.run(shared.tables.board(), &node.boxes, node.player);
            let only = self.only_boxes(shared, node, Expansion::Again);
            let (now, own) = self.score(shared, &node.boxes, node.player);
            let candidates = self.candidates(shared, node, &only.unwrap_or(node.boxes));
            self.advise(shared, node, (now, own), candidates)
        });
        (self.core.tree, self.core.unbilled_ticks, self.core.counts) = (tree, unbilled_ticks, counts);
        next
    }

    fn visit(&mut self, shared: &mut SharedTables<W>, mut node: FessNode<W>, _: &PendingMove) -> Option<SliceEnd<W>> {
        if node.boxes.is_within(&shared.tables.goals) {
            let pushes = pushes_along(shared.tables.board(), &self.core.tree.path_to(&node));
            return Some(pushes.map_or(SliceEnd::Exhausted, SliceEnd::Solved));
        }
        match self.expand(shared, &mut node) {
            Some(moves) => {
                let number = self.core.add(&node, moves);
                self.prove_subtree(shared, number);
            }
            None => self.core.tree.mark_lost(node.parent),
        }
        None
    }
}
