//! A search by pulls from the solved position: for a plan, for an open position, or for the start.
//!
//! For a plan, boxes are taken off the board once they reach a start square that must be reached (a *sink*); the path,
//! read backward, is the plan. Otherwise all positions are added to the known positions, where searches by pushes meet
//! them.

use std::sync::Arc;

use sokocore::FloorSquare;

use crate::board::bit_set::BitSet;
use crate::board::{Flood, SearchDirection};
use crate::deadlock::deadlock_test::{FloodedPosition, MovedBox, Prune};
use crate::part_times::Part;
use crate::{Technique, WorkMeter};

use super::plan::PackingPlan;
use super::pull_aim::{PullAim, PullCandidate, PullFeatures, sink_key};
use super::sinks::{are_paired, is_off, sinks};
use super::slice_end::SliceEnd;
use crate::fess::features::evaluation::TENTH;
use crate::fess::features::view::Viewer;
use crate::fess::macro_move::{MacroMove, MacroMoveGenerator};
use crate::fess::search_core::{DirectedSearch, SearchCore};
use crate::fess::shared_tables::SharedTables;
use crate::fess::tables::FessTables;
use crate::fess::tree::fess_tree::FessTree;
use crate::fess::tree::nodes::{FessNode, NO_NODE, NodeScore};
use crate::fess::tree::pending_moves::PendingMove;

/// A search by pulls.
#[derive(Debug)]
pub(crate) struct PullSearch<const W: usize> {
    pub(crate) core: SearchCore<W>,
    aim: PullAim<W>,
    flood: Flood,
    generator: MacroMoveGenerator,
    viewer: Viewer<W>,
}

/// The candidates of a node: those that leave the box on the board, and those that take it off.
#[derive(Debug)]
struct PullCandidates {
    staying: Vec<PullCandidate>,
    sinking: Vec<PullCandidate>,
}

impl<const W: usize> PullSearch<W> {
    /// Makes a search; `number` is its number among those of the level.
    pub(crate) fn new(shared: &SharedTables<W>, number: u16, aim: PullAim<W>, meter: &WorkMeter) -> Self {
        let board = shared.tables.board();
        Self {
            core: SearchCore::new(number, FessTree::new(aim.selection(shared.cell_rule)), meter),
            viewer: Viewer::new(&shared.tables, aim.feature_mask()),
            aim,
            flood: Flood::new(board),
            generator: MacroMoveGenerator::new(board),
        }
    }

    /// Reads the plan off the path to the best position so far.
    pub(crate) fn plan(&self) -> PackingPlan {
        let Some(last) = self.core.tree.best() else { return PackingPlan::default() };
        let nodes = self.core.tree.nodes_to(last);
        let pulls: Vec<(MacroMove, bool)> = nodes.iter().skip(1).map(|node| (node.macro_move, node.sinks)).collect();
        PackingPlan::of(&pulls, nodes.last().map_or(BitSet::default(), |last| last.boxes).iter())
    }

    /// Reads the order in which goals are filled off the path to a position nearly as good as the best one; returns the
    /// positions on this path, too.
    pub(crate) fn fill_order(&self) -> Option<(PackingPlan, Vec<BitSet<W>>)> {
        let last = self.core.tree.first_near(self.core.tree.best()?, TENTH);
        let nodes = self.core.tree.nodes_to(last);
        let pulls: Vec<(MacroMove, bool)> = nodes.iter().skip(1).map(|node| (node.macro_move, false)).collect();
        let plan = PackingPlan::of(&pulls, nodes.last()?.boxes.iter());
        Some((plan.final_steps(), nodes.iter().map(|node| node.boxes).collect()))
    }

    /// Generates the macro moves of a position; `None` if it is lost.
    fn expand(&mut self, shared: &mut SharedTables<W>, node: &mut FessNode<W>, sank: bool) -> Option<Vec<PendingMove>> {
        self.flood.run(shared.tables.board(), &node.boxes, node.player);
        self.core.unbilled_ticks += 7;
        shared.sampler.enter(Part::DeadlockTests);
        if node.parent != NO_NODE && self.is_lost(shared, node, sank) {
            self.core.counts.deadlocks.expanded += 1;
            return None;
        }
        shared.sampler.enter(Part::Evaluation);
        let (now, own) = self.score(shared, node);
        node.score = own;
        shared.sampler.enter(Part::Successors);
        let candidates = self.candidates(shared, node);
        if node.open_starts == shared.tables.starts {
            self.note(shared, node, now.view.zone, &candidates.staying);
        }
        shared.sampler.enter(Part::Evaluation);
        let moves = self.advise(shared, node, (now, own), candidates);
        shared.sampler.enter(Part::Storage);
        Some(moves)
    }

    /// Views and scores a position.
    fn score(&mut self, shared: &SharedTables<W>, node: &FessNode<W>) -> (PullFeatures, NodeScore) {
        let view = self.viewer.begin(&shared.tables, &node.boxes, node.player);
        self.aim.begin(&node.boxes);
        self.aim.score(&shared.tables, &node.boxes, node.player, view)
    }

    /// Generates the candidates of a position that is flooded and viewed.
    fn candidates(&mut self, shared: &mut SharedTables<W>, node: &FessNode<W>) -> PullCandidates {
        let tables = &Arc::clone(&shared.tables);
        let board = tables.board();
        let sink_rules = self.aim.sink_rules();
        let sink_squares = if sink_rules.is_some() { sinks(tables, node, &self.flood) } else { BitSet::default() };
        let (mut candidates, mut sinking) = (Vec::new(), Vec::<PullCandidate>::new());
        let mut found = Vec::new();
        for sq in node.boxes.iter() {
            found.clear();
            let reach = |sq| self.flood.reaches(sq);
            if !MacroMoveGenerator::can_start(board, SearchDirection::Backward, &node.boxes, sq, reach) {
                continue;
            }
            self.viewer.lift(board, SearchDirection::Backward, sq);
            let (lifted, any) = (self.viewer.lifted(), |_: &BitSet<W>, _: FloorSquare| true);
            self.generator.generate(
                board,
                SearchDirection::Backward,
                &node.boxes,
                sq,
                lifted,
                reach,
                any,
                |macro_move| found.push(macro_move),
            );
            let mut best_sink: Option<PullCandidate> = None;
            self.core.counts.generated += found.len() as u64;
            for &macro_move in &found {
                self.core.unbilled_ticks += 1;
                let is_sink = sink_squares.has(macro_move.to)
                    && sink_rules.is_some_and(|rules| is_off(tables, node, macro_move, rules.min_walk));
                if let Some(rules) = sink_rules.filter(|_| is_sink) {
                    let candidate = self.sink(tables, node, macro_move);
                    let key = |candidate: &PullCandidate| sink_key(tables, node, candidate, rules);
                    if best_sink.is_none_or(|best| key(&candidate) < key(&best)) {
                        best_sink = Some(candidate);
                    }
                } else if !tables.tunnels.has(macro_move.to) || tables.starts.has(macro_move.to) {
                    let before = shared.sampler.enter(Part::DeadlockTests);
                    if sink_rules.is_none() && is_dead(shared, node, macro_move) {
                        self.core.counts.deadlocks.frozen += 1;
                    } else {
                        shared.sampler.enter(Part::Evaluation);
                        candidates.push(self.candidate(tables, node, macro_move));
                    }
                    shared.sampler.enter(before);
                }
            }
            sinking.extend(best_sink);
        }
        PullCandidates { staying: candidates, sinking }
    }

    /// Asks the advisors. If boxes can leave the board, no other move is generated.
    fn advise(
        &self,
        shared: &SharedTables<W>,
        node: &FessNode<W>,
        now: (PullFeatures, NodeScore),
        PullCandidates { staying: mut candidates, mut sinking }: PullCandidates,
    ) -> Vec<PendingMove> {
        let tables = &shared.tables;
        if let Some(rules) = self.aim.sink_rules().filter(|_| !sinking.is_empty()) {
            let sinks = sinking.iter_mut().filter(|_| shared.settings.uses(Technique::AdvisorPacking));
            if let Some(best) = sinks.min_by_key(|candidate| sink_key(tables, node, candidate, rules)) {
                best.pending.weight = 0;
            }
            return sinking.into_iter().map(|candidate| candidate.pending).collect();
        }
        self.aim.advise(shared, now, &mut candidates);
        candidates.into_iter().map(|candidate| candidate.pending).collect()
    }

    /// Adds a position with all boxes on the board and its successors to the known positions; notes a meeting.
    fn note(&mut self, shared: &SharedTables<W>, node: &FessNode<W>, zone: FloorSquare, candidates: &[PullCandidate]) {
        let hashes = candidates.iter().map(|candidate| candidate.pending.hash);
        let met = shared.known_positions.lock().add_with_successors(
            SearchDirection::Backward,
            node.boxes.hash_with(zone),
            hashes,
        );
        if let Some(at) = met {
            self.core.note_meeting(node, candidates[at].pending.macro_move);
        }
    }

    fn candidate(&mut self, tables: &FessTables<W>, node: &FessNode<W>, macro_move: MacroMove) -> PullCandidate {
        let boxes = node.boxes.moved(macro_move.from, macro_move.to);
        let view = self.viewer.put(tables, macro_move.to, macro_move.player);
        let (features, score) = self.aim.score(tables, &boxes, macro_move.player, view);
        let hash = hash(tables, &boxes, &node.open_starts, view.zone);
        PullCandidate {
            pending: PendingMove { macro_move, hash, score_key: score.score_key, weight: 1, sinks: false },
            features,
        }
    }

    /// Makes a pull that takes the box off the board. Pieces are counted while the box is still there.
    fn sink(&mut self, tables: &FessTables<W>, node: &FessNode<W>, macro_move: MacroMove) -> PullCandidate {
        let mut candidate = self.candidate(tables, node, macro_move);
        let (mut boxes, mut open_starts) = (node.boxes, node.open_starts);
        boxes.remove(macro_move.from);
        open_starts.remove(macro_move.to);
        candidate.pending.sinks = true;
        let view = self.viewer.gone(tables);
        candidate.pending.hash = hash(tables, &boxes, &open_starts, view.zone);
        candidate.pending.score_key = self.aim.score(tables, &boxes, macro_move.player, view).1.score_key;
        candidate
    }

    fn is_lost(&mut self, shared: &mut SharedTables<W>, node: &FessNode<W>, sank: bool) -> bool {
        let SharedTables { tables, pull_deadlocks, .. } = shared;
        let board = tables.board();
        if !sank && (!are_paired(tables, &node.boxes, &node.open_starts) || self.has_stuck(tables, node)) {
            return true;
        }
        self.flood.run(board, &node.boxes, node.player);
        if self.aim.sink_rules().is_none() {
            return false;
        }
        let squares: Vec<FloorSquare> = node.boxes.iter().collect();
        let position = FloodedPosition::new(node.boxes.view(), &squares, node.player, &self.flood);
        match pull_deadlocks.restrict(board, &position) {
            Prune::All => false,
            Prune::Only(only) => sank || !only.contains(&node.macro_move.to),
            Prune::Dead => true,
        }
    }

    /// Returns whether a box off its start square remains when all boxes that can be pulled are taken away, one by one.
    fn has_stuck(&mut self, tables: &FessTables<W>, node: &FessNode<W>) -> bool {
        let board = tables.board();
        let mut boxes = node.boxes;
        loop {
            self.flood.run(board, &boxes, node.player);
            let flood = &self.flood;
            let before = boxes;
            for sq in before.iter() {
                let can_leave = |side: usize| {
                    let stand = board.step(sq, side);
                    flood.reaches(stand) && board.is_live(stand) && flood.is_free(board.step(stand, side))
                };
                if (0..4).any(can_leave) {
                    boxes.remove(sq);
                }
            }
            if boxes == before {
                return !boxes.is_within(&node.open_starts);
            }
        }
    }
}

impl<const W: usize> DirectedSearch<W> for PullSearch<W> {
    fn core(&mut self) -> &mut SearchCore<W> {
        &mut self.core
    }

    /// Adds one root for each region where the player may end.
    fn add_roots(&mut self, shared: &mut SharedTables<W>) {
        let goals = shared.tables.goals;
        for sq in shared.tables.board().squares().filter(|&sq| !goals.has(sq)) {
            let view = self.viewer.begin(&shared.tables, &goals, sq);
            let hash = hash(&shared.tables, &goals, &shared.tables.starts, view.zone);
            if view.zone == sq && self.core.tree.close(hash) {
                let tables = &shared.tables;
                let score = self.aim.score(tables, &goals, sq, view).1;
                let mut node = FessNode::root(goals, tables.starts, sq, score);
                if let Some(moves) = self.expand(shared, &mut node, false) {
                    self.core.add(&node, moves);
                }
            }
        }
    }

    /// Generating macro moves again is neither billed nor counted: so the same work is done however many of them are kept.
    fn next_move(&mut self, shared: &mut SharedTables<W>) -> Option<(u32, PendingMove)> {
        let SearchCore { unbilled_ticks, counts, .. } = self.core;
        let mut tree = std::mem::take(&mut self.core.tree);
        let next = tree.next(|node| {
            self.flood.run(shared.tables.board(), &node.boxes, node.player);
            let scored = self.score(shared, node);
            let candidates = self.candidates(shared, node);
            self.advise(shared, node, scored, candidates)
        });
        (self.core.tree, self.core.unbilled_ticks, self.core.counts) = (tree, unbilled_ticks, counts);
        next
    }

    fn visit(
        &mut self,
        shared: &mut SharedTables<W>,
        mut node: FessNode<W>,
        pending: &PendingMove,
    ) -> Option<SliceEnd<W>> {
        if node.boxes.len() == 0 {
            self.core.add(&node, Vec::new());
            return Some(SliceEnd::Exhausted);
        }
        match self.expand(shared, &mut node, pending.sinks) {
            Some(moves) => drop(self.core.add(&node, moves)),
            None => self.core.tree.mark_lost(node.parent),
        }
        None
    }
}

/// Returns whether the boxes cannot all reach start squares, by the patterns of the box just pulled.
fn is_dead<const W: usize>(shared: &mut SharedTables<W>, node: &FessNode<W>, macro_move: MacroMove) -> bool {
    let side = (0..4).find(|&side| shared.tables.board().step(macro_move.to, side) == macro_move.player);
    let boxes = node.boxes.moved(macro_move.from, macro_move.to);
    let moved = MovedBox { boxes: boxes.view(), sq: macro_move.to, side };
    shared.pull_deadlocks.tests_forbid(shared.tables.board(), moved)
}

/// The same hash as in a search by pushes, as long as all boxes are on the board.
fn hash<const W: usize>(tables: &FessTables<W>, boxes: &BitSet<W>, open_starts: &BitSet<W>, zone: FloorSquare) -> u64 {
    boxes.hash_with(zone) ^ (open_starts.hash() ^ tables.starts.hash()).rotate_left(21)
}
