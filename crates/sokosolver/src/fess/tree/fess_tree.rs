//! The tree of a search by features: expanded nodes, their macro moves not yet made, and the selection of the next.
//!
//! Invariant: the cell of a node is that of the best score on its path from the root, so a cell holds everything
//! explored below one best achievement. Of weights and scores, less is better.
//!
//! Most nodes make one or two of their macro moves, where they may have hundreds. So a node keeps the first few. When
//! these are used up, all its macro moves are generated again, by the knowledge of that time; those that were closed
//! when the node was added are left out, and those up to the last one taken. Each time more of them are kept.

use sokosearch::{Charge, Stop};

use crate::fess::macro_move::MacroMove;
use crate::fess::path::PathPosition;
use crate::fess::tree::cells::{CellRule, Cells};
use crate::fess::tree::nodes::{FessNode, NO_NODE, NodeRecord, NodeScore, NodeStore};
use crate::fess::tree::pending_moves::{NO_CHAIN, PendingMove, PendingMoves};
use crate::fess::tree::value_tree::{DEAD, ValueTree};
use crate::store::closed_set::ClosedSet;

/// The rule that selects the next macro move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveSelection {
    /// Cells of the feature space, by turns.
    Cells(CellRule),
    /// From the root to the best leaf.
    ValueTree,
}

/// The tree.
#[derive(Debug, Default)]
pub(crate) struct FessTree<const W: usize> {
    nodes: NodeStore<W>,
    pending_moves: PendingMoves,
    closed: ClosedSet,
    best: Option<(NodeScore, u32)>,
    cells: Cells,
    /// Takes the place of the cells.
    value_tree: Option<ValueTree>,
}

impl<const W: usize> FessTree<W> {
    /// Macro moves of a new node that are kept.
    const N_KEPT: usize = 8;
    /// Macro moves that one node may have, for the account.
    const MAX_MOVES: usize = 256;

    /// Makes an empty tree.
    pub(crate) fn new(selection: MoveSelection) -> Self {
        match selection {
            MoveSelection::Cells(rule) => Self { cells: Cells::new(rule), ..Self::default() },
            MoveSelection::ValueTree => Self { value_tree: Some(ValueTree::default()), ..Self::default() },
        }
    }

    /// Returns how many nodes there are.
    pub(crate) const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of the next node.
    pub(crate) fn next_number(&self) -> u32 {
        self.nodes.next_number()
    }

    /// Returns a node, if there is one of this number.
    pub(crate) fn node(&self, number: u32) -> Option<FessNode<W>> {
        self.nodes.get(number)
    }

    /// Returns the bytes in use once one more node is added.
    fn bytes_ahead(&self) -> usize {
        self.nodes.bytes_ahead()
            + self.pending_moves.bytes_with(Self::MAX_MOVES)
            + self.closed.bytes_ahead()
            + self.cells.bytes_ahead()
            + self.value_tree.as_ref().map_or(0, ValueTree::bytes_ahead)
    }

    /// Charges what it holds, and what it may hold after the next node.
    pub(crate) fn charge(&self, charge: &mut Charge) -> Result<(), Stop> {
        let (ahead, charged) = (self.bytes_ahead() as u64, charge.bytes());
        if ahead > charged { charge.add(ahead - charged + (ahead / 32).clamp(1 << 12, 1 << 18)) } else { Ok(()) }
    }

    /// Notes that a position is expanded or lost; returns whether it was not closed before.
    pub(crate) fn close(&mut self, hash: u64) -> bool {
        self.closed.insert(hash)
    }

    /// Adds an expanded node.
    pub(crate) fn add(&mut self, node: &FessNode<W>, mut moves: Vec<PendingMove>) -> u32 {
        moves.retain(|pending| !self.closed.has(pending.hash));
        moves.sort_by_key(PendingMove::key);
        if moves.len() <= 2 {
            moves.iter_mut().take(1).for_each(|pending| pending.weight = 0);
        }
        let number = self.nodes.next_number();
        let (best, key) = self.best_on_path(number, node);
        if self.best.is_none_or(|(score, _)| node.score < score) {
            self.best = Some((node.score, number));
        }
        let (cell, n_closed) = (self.cells.cell(key), u32::try_from(self.closed.len()).unwrap_or(u32::MAX));
        let n_open = u32::try_from(moves.len()).expect("invariant: a node has fewer macro moves than board states");
        self.nodes.push(node);
        if let Some(record) = self.nodes.record_mut(number) {
            (record.best, record.cell, record.n_open, record.n_closed) = (best, cell, n_open, n_closed);
        }
        self.keep(number, &moves);
        if let Some(value_tree) = &mut self.value_tree {
            value_tree.add(node.parent, n_open, moves.first().map_or(DEAD, |pending| pending.score_key));
            return number;
        }
        self.cells.rank(node.score.score_key, number);
        if n_open == 0 {
            self.mark_lost(node.parent);
        } else {
            self.open(number);
        }
        number
    }

    /// Returns the node with the best score on the path to a new node, and the key of its cell.
    fn best_on_path(&self, number: u32, node: &FessNode<W>) -> (u32, u64) {
        let own = (number, self.cells.key_of(node.score));
        let Some(&NodeRecord { best, cell, .. }) = self.nodes.record(node.parent) else { return own };
        let score = NodeScore { score_key: self.score_key(best), cell: self.cells.key(cell) };
        if node.score < score { own } else { (best, score.cell) }
    }

    fn score_key(&self, number: u32) -> u64 {
        self.nodes.record(number).map_or(u64::MAX, |record| record.score_key)
    }

    /// Keeps the first of the macro moves that a node has left.
    fn keep(&mut self, number: u32, moves: &[PendingMove]) {
        let Some(record) = self.nodes.record_mut(number) else { return };
        let n_kept = moves.len().min(Self::N_KEPT << record.round.min(10));
        record.round = if moves.len() > n_kept { record.round.saturating_add(1) } else { 0 };
        record.chain = self.pending_moves.chain(&moves[..n_kept]);
    }

    /// Drops all macro moves not yet made; the nodes stay.
    pub(crate) fn drop_pending(&mut self) {
        self.pending_moves = PendingMoves::default();
        self.closed = ClosedSet::default();
        self.value_tree = None;
        self.cells.clear();
    }

    /// Counts a child of the node as lost; a node without any left is lost too.
    pub(crate) fn mark_lost(&mut self, mut number: u32) {
        if self.value_tree.is_some() {
            return;
        }
        while let Some(record) = self.nodes.record_mut(number) {
            record.n_open = record.n_open.saturating_sub(1);
            if record.n_open > 0 {
                return;
            }
            number = record.parent;
        }
    }

    /// Opens a node for its next macro move that is not closed. Returns the last closed one if there is no other in the
    /// chain, but more can be generated.
    fn open(&mut self, number: u32) -> Option<PendingMove> {
        let record = self.nodes.record_mut(number)?;
        let mut passed = None;
        while let Some(pending) = self.pending_moves.first(record.chain) {
            if !self.closed.has(pending.hash) {
                let weight = record.weight + u32::from(pending.weight);
                self.cells.push(record.cell, weight, pending.score_key, number);
                return None;
            }
            passed = self.pending_moves.take(&mut record.chain);
        }
        passed.filter(|_| record.round > 0)
    }

    /// Counts a new node for all its ancestors. Returns the ancestor nearest to the root whose subtree has just reached
    /// a size that is worth a proof, 64, 256, 1024 and so on, with that size.
    pub(crate) fn count_in_ancestors(&mut self, mut number: u32) -> Option<(u32, u32)> {
        let mut due = None;
        while let Some(record) = self.nodes.record_mut(number) {
            record.size += 1;
            let is_due = record.size.is_power_of_two() && record.size.trailing_zeros().is_multiple_of(2);
            if is_due && record.size >= 64 && record.parent != NO_NODE {
                due = Some((number, record.size));
            }
            number = record.parent;
        }
        due
    }

    /// Prunes the macro moves of all nodes that were proved lost after they were expanded. A value tree keeps them.
    pub(crate) fn prune(&mut self, is_lost: impl Fn(&FessNode<W>) -> bool) {
        if self.value_tree.is_some() {
            return;
        }
        for number in 0..self.nodes.next_number() {
            let has_moves =
                self.nodes.record(number).is_some_and(|record| record.chain != NO_CHAIN || record.round > 0);
            if !has_moves || !self.nodes.get(number).is_some_and(|node| is_lost(&node)) {
                continue;
            }
            let Some(record) = self.nodes.record_mut(number) else { continue };
            self.pending_moves.drop_all(&mut record.chain);
            record.round = 0;
            let parent = record.parent;
            if std::mem::replace(&mut record.n_open, 0) > 0 {
                self.mark_lost(parent);
            }
        }
    }

    /// Takes the next macro move, with the number of its node; `generate` generates all macro moves of a node again.
    pub(crate) fn next(
        &mut self,
        mut generate: impl FnMut(&FessNode<W>) -> Vec<PendingMove>,
    ) -> Option<(u32, PendingMove)> {
        if self.value_tree.is_some() {
            return self.next_by_values(generate);
        }
        self.cells.next_turn();
        loop {
            let number = self.cells.pop(&self.nodes)?;
            // Pruned nodes still have their entries.
            let Some(pending) = self.take(number) else { continue };
            let mut last = Some(pending);
            if self.chain(number) != NO_CHAIN {
                last = self.open(number);
            }
            while let Some(pending) = last {
                if !self.refill(number, &pending, &mut generate) {
                    break;
                }
                last = self.open(number);
            }
            return Some((number, pending));
        }
    }

    fn next_by_values(
        &mut self,
        mut generate: impl FnMut(&FessNode<W>) -> Vec<PendingMove>,
    ) -> Option<(u32, PendingMove)> {
        loop {
            let number = self.value_tree.as_mut()?.select()?;
            let pending = self.take(number)?;
            if self.chain(number) == NO_CHAIN {
                self.refill(number, &pending, &mut generate);
            }
            let next_value = self.pending_moves.first(self.chain(number)).map_or(DEAD, |pending| pending.score_key);
            let value_tree = self.value_tree.as_mut()?;
            value_tree.take(number, next_value);
            if !self.closed.has(pending.hash) {
                value_tree.count_node(number);
                return Some((number, pending));
            }
        }
    }

    fn take(&mut self, number: u32) -> Option<PendingMove> {
        self.nodes.record_mut(number).and_then(|record| self.pending_moves.take(&mut record.chain))
    }

    fn chain(&self, number: u32) -> u32 {
        self.nodes.record(number).map_or(NO_CHAIN, |record| record.chain)
    }

    /// Generates the macro moves after this one again, if there are any; returns whether there are.
    fn refill(
        &mut self,
        number: u32,
        last: &PendingMove,
        generate: impl FnOnce(&FessNode<W>) -> Vec<PendingMove>,
    ) -> bool {
        let Some(&NodeRecord { round: 1.., n_closed, .. }) = self.nodes.record(number) else { return false };
        let Some(node) = self.nodes.get(number) else { return false };
        let mut moves = generate(&node);
        moves.retain(|pending| !self.closed.had(pending.hash, n_closed));
        moves.sort_by_key(PendingMove::key);
        let at = moves.iter().position(|pending| pending.macro_move == last.macro_move);
        let n_made = at.map_or_else(|| moves.partition_point(|pending| pending.key() <= last.key()), |at| at + 1);
        self.keep(number, &moves[n_made..]);
        self.chain(number) != NO_CHAIN
    }

    /// Returns the node with the best score of its own.
    pub(crate) fn best(&self) -> Option<u32> {
        self.best.map(|(_, number)| number)
    }

    /// Returns the first node on the path to this one whose score key exceeds its own by at most so much.
    pub(crate) fn first_near(&self, number: u32, margin: u64) -> u32 {
        let limit = self.score_key(number).saturating_add(margin);
        self.numbers_to(number).into_iter().find(|&above| self.score_key(above) <= limit).unwrap_or(number)
    }

    /// Returns the numbers of the nodes from the root to this one.
    pub(crate) fn numbers_to(&self, mut number: u32) -> Vec<u32> {
        let mut numbers = Vec::new();
        while let Some(record) = self.nodes.record(number) {
            numbers.push(number);
            number = record.parent;
        }
        numbers.reverse();
        numbers
    }

    /// Returns the nodes from the root to this one.
    pub(crate) fn nodes_to(&self, number: u32) -> Vec<FessNode<W>> {
        self.numbers_to(number).into_iter().filter_map(|number| self.nodes.get(number)).collect()
    }

    /// Returns the positions from the root to a node, which need not have been added.
    pub(crate) fn path_to(&self, node: &FessNode<W>) -> Vec<PathPosition<W>> {
        let above = self.nodes_to(node.parent);
        above.iter().chain(std::iter::once(node)).map(|node| (node.boxes, node.player)).collect()
    }

    /// Returns the positions from the root to a node, and the one that a macro move leads to from there.
    pub(crate) fn path_to_successor(
        &self,
        node: &FessNode<W>,
        MacroMove { from, to, player }: MacroMove,
    ) -> Vec<PathPosition<W>> {
        let mut path = self.path_to(node);
        path.push((node.boxes.moved(from, to), player));
        path
    }
}
