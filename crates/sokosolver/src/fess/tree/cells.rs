//! The tree of a search by features, its cells, and whose turn it is.
//!
//! ```text
//!   odd turns: the next cell in a circle      even turns: the cell of the best node
//!        │                                         │
//!        ▼                                         ▼
//!   heap of expanded nodes: least weight of path and next leap first, then its score, then age
//! ```
//!
//! **Invariant**: the cell of a node is that of the best score on its way from the root, so a cell holds everything
//! explored below one best achievement. A leap that an advisor names weighs 0, any other 1. Scores: less is better.
//!
//! Most nodes make one or two of their leaps, where they may have hundreds. So a node keeps the first few, and when
//! these are used up all its leaps are made again, by the knowledge of that time: those that were closed when the node
//! was added are left out, and those up to the last one taken. Each time more of them are kept.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashMap;
use sokosearch::{Charge, Stop};

use crate::fess::macro_move::MacroMove;
use crate::fess::meeting::Place;
use crate::fess::tree::nodes::{NO_NODE, Node, Nodes, Record, Score};
use crate::fess::tree::pending_moves::{Edge, NONE, PendingMoves};
use crate::fess::tree::value_tree::{DEAD, ValueTree};
use crate::store::chunked_vec::ChunkedVec;
use crate::store::closed_set::ClosedSet;

/// What lies in a heap: weight, score of the next leap, node.
type Waiting = Reverse<(u32, u64, u32)>;

/// The tree.
#[derive(Debug, Default)]
pub(crate) struct FessTree<const W: usize> {
    nodes: Nodes<W>,
    edges: PendingMoves,
    closed: ClosedSet,
    cells: Vec<BinaryHeap<Waiting>>,
    /// Nodes that fit into all cells.
    n_places: usize,
    keys: ChunkedVec<u64>,
    cell_of: HashMap<u64, u32>,
    bests: BinaryHeap<Reverse<(u64, u32)>>,
    best: Option<(Score, u32)>,
    cursor: usize,
    turn: u64,
    /// Instead of cells: down a tree of values.
    descent: Option<ValueTree>,
}

impl<const W: usize> FessTree<W> {
    /// MacroMoves of a new node that are kept.
    const KEPT: usize = 8;
    /// MacroMoves that one node may have, for the account.
    const MOST: usize = 256;

    /// Makes a forest whose leaps are chosen down a tree of values, not from cells.
    pub(crate) fn of_values() -> Self {
        Self { descent: Some(ValueTree::default()), ..Self::default() }
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
    pub(crate) fn node(&self, number: u32) -> Option<Node<W>> {
        self.nodes.get(number)
    }

    /// Returns the bytes in use once one more node is added.
    fn bytes_ahead(&self) -> usize {
        let grown = |n_places: usize| n_places + n_places / 4 + 4;
        let cells = 2 * self.cells.capacity() * size_of::<BinaryHeap<Waiting>>() + self.keys.bytes_with(1);
        let cell_of = self.cell_of.capacity() * (size_of::<(u64, u32)>() + 1) * 4;
        self.nodes.bytes_ahead()
            + self.edges.bytes_with(Self::MOST)
            + self.closed.bytes_ahead()
            + cells
            + cell_of
            + grown(self.n_places) * size_of::<Waiting>()
            + grown(self.bests.capacity()) * size_of::<Reverse<(u64, u32)>>()
            + self.descent.as_ref().map_or(0, ValueTree::bytes_ahead)
    }

    /// Charges what it holds, and what it may hold after the next node.
    pub(crate) fn charge(&self, charge: &mut Charge) -> Result<(), Stop> {
        let (ahead, charged) = (self.bytes_ahead() as u64, charge.bytes());
        if ahead > charged { charge.add(ahead - charged + (ahead / 32).clamp(1 << 12, 1 << 18)) } else { Ok(()) }
    }

    /// Notes that a position is expanded or lost; returns whether that is news.
    pub(crate) fn close(&mut self, hash: u64) -> bool {
        self.closed.insert(hash)
    }

    /// Adds an expanded node.
    pub(crate) fn add(&mut self, node: &Node<W>, mut edges: Vec<Edge>) -> u32 {
        edges.retain(|edge| !self.closed.has(edge.hash));
        edges.sort_by_key(Edge::key);
        if edges.len() <= 2 {
            edges.iter_mut().take(1).for_each(|edge| edge.weight = 0);
        }
        let number = self.nodes.next_number();
        let (best, key) = self.best_on_way(number, node);
        if self.best.is_none_or(|(score, _)| node.score < score) {
            self.best = Some((node.score, number));
        }
        let (cell, n_closed) = (self.cell(key), u32::try_from(self.closed.len()).unwrap_or(u32::MAX));
        let n_open = u32::try_from(edges.len()).unwrap_or(0);
        self.nodes.push(node);
        if let Some(record) = self.nodes.record_mut(number) {
            (record.best, record.cell, record.n_open, record.n_closed) = (best, cell, n_open, n_closed);
        }
        self.keep(number, &edges);
        if let Some(descent) = &mut self.descent {
            descent.add(node.parent, n_open, edges.first().map_or(DEAD, |edge| edge.order));
            return number;
        }
        make_room(&mut self.bests);
        self.bests.push(Reverse((node.score.order, number)));
        if n_open == 0 {
            self.mark_lost(node.parent);
        } else {
            self.wait(number);
        }
        number
    }

    /// Returns the node with the best score on the way to a new node, and the key of its cell.
    fn best_on_way(&self, number: u32, node: &Node<W>) -> (u32, u64) {
        let own = (number, cell_key(node.score));
        let Some(&Record { best, cell, .. }) = self.nodes.record(node.parent) else { return own };
        let score = Score { order: self.order(best), cell: self.keys[cell] };
        if node.score < score { own } else { (best, score.cell) }
    }

    /// Returns the cell of this key, opened if need be.
    fn cell(&mut self, key: u64) -> u32 {
        let new = u32::try_from(self.cells.len()).unwrap_or(u32::MAX);
        let cell = *self.cell_of.entry(key).or_insert(new);
        if cell == new {
            self.cursor = self.cells.len();
            self.cells.push(BinaryHeap::new());
            self.keys.push(key);
        }
        cell
    }

    fn order(&self, number: u32) -> u64 {
        self.nodes.record(number).map_or(u64::MAX, |record| record.order)
    }

    /// Keeps the first of the leaps that a node has left.
    fn keep(&mut self, number: u32, edges: &[Edge]) {
        let Some(record) = self.nodes.record_mut(number) else { return };
        let n_kept = edges.len().min(Self::KEPT << record.round.min(10));
        record.round = if edges.len() > n_kept { record.round.saturating_add(1) } else { 0 };
        record.chain = self.edges.chain(&edges[..n_kept]);
    }

    /// Gives up all leaps not yet made; the nodes stay.
    pub(crate) fn retire(&mut self) {
        let nodes = std::mem::take(&mut self.nodes);
        let (best, turn) = (self.best, self.turn);
        *self = Self { nodes, best, turn, ..Self::default() };
    }

    /// Counts a child of the node as lost; a node without any left is lost too.
    pub(crate) fn mark_lost(&mut self, mut number: u32) {
        if self.descent.is_some() {
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

    /// Puts a node where it waits for its next leap; closed ones are passed over. Returns the last of those if there
    /// may be more after it.
    fn wait(&mut self, number: u32) -> Option<Edge> {
        let record = self.nodes.record_mut(number)?;
        let mut passed = None;
        while let Some(edge) = self.edges.first(record.chain) {
            if !self.closed.has(edge.hash) {
                let waiting = Reverse((record.weight + u32::from(edge.weight), edge.order, number));
                let cell = &mut self.cells[record.cell as usize];
                self.n_places += make_room(cell);
                cell.push(waiting);
                return None;
            }
            passed = self.edges.take(&mut record.chain);
        }
        passed.filter(|_| record.round > 0)
    }

    /// Counts a new node for all above it; returns the first of those that have just become as large as is worth a
    /// second look, with its size: 64, 256, 1024 and so on.
    pub(crate) fn grown(&mut self, mut number: u32) -> Option<(u32, u32)> {
        let mut grown = None;
        while let Some(record) = self.nodes.record_mut(number) {
            record.size += 1;
            let is_due = record.size.is_power_of_two() && record.size.trailing_zeros().is_multiple_of(2);
            if is_due && record.size >= 64 && record.parent != NO_NODE {
                grown = Some((number, record.size));
            }
            number = record.parent;
        }
        grown
    }

    /// Gives up the leaps of all nodes whose positions are lost after all. A tree of values keeps them.
    pub(crate) fn give_up(&mut self, is_lost: impl Fn(&Node<W>) -> bool) {
        if self.descent.is_some() {
            return;
        }
        for number in 0..self.nodes.next_number() {
            let has_leaps = self.nodes.record(number).is_some_and(|record| record.chain != NONE || record.round > 0);
            if !has_leaps || !self.nodes.get(number).is_some_and(|node| is_lost(&node)) {
                continue;
            }
            let Some(record) = self.nodes.record_mut(number) else { continue };
            self.edges.drop_all(&mut record.chain);
            record.round = 0;
            let parent = record.parent;
            if std::mem::replace(&mut record.n_open, 0) > 0 {
                self.mark_lost(parent);
            }
        }
    }

    /// Takes the leap whose turn it is; `again` makes all leaps of a node again.
    pub(crate) fn next(&mut self, mut again: impl FnMut(&Node<W>) -> Vec<Edge>) -> Option<(u32, Edge)> {
        self.turn += 1;
        if self.descent.is_some() {
            return self.next_by_values(again);
        }
        loop {
            let cell = self.choose()?;
            let Reverse((_, _, number)) = self.cells[cell].pop()?;
            // MacroMoves that were given up still have their place in the heap.
            let Some(edge) = self.take(number) else { continue };
            let mut last = Some(edge);
            if self.chain(number) != NONE {
                last = self.wait(number);
            }
            while let Some(edge) = last {
                if !self.refill(number, &edge, &mut again) {
                    break;
                }
                last = self.wait(number);
            }
            return Some((number, edge));
        }
    }

    fn next_by_values(&mut self, mut again: impl FnMut(&Node<W>) -> Vec<Edge>) -> Option<(u32, Edge)> {
        loop {
            let number = self.descent.as_mut()?.choose()?;
            let edge = self.take(number)?;
            if self.chain(number) == NONE {
                self.refill(number, &edge, &mut again);
            }
            let open = self.edges.first(self.chain(number)).map_or(DEAD, |edge| edge.order);
            let descent = self.descent.as_mut()?;
            descent.take(number, open);
            if !self.closed.has(edge.hash) {
                descent.grow(number);
                return Some((number, edge));
            }
        }
    }

    fn take(&mut self, number: u32) -> Option<Edge> {
        self.nodes.record_mut(number).and_then(|record| self.edges.take(&mut record.chain))
    }

    fn chain(&self, number: u32) -> u32 {
        self.nodes.record(number).map_or(NONE, |record| record.chain)
    }

    /// Makes the leaps after this one again, if there are any; returns whether there are.
    fn refill(&mut self, number: u32, last: &Edge, again: impl FnOnce(&Node<W>) -> Vec<Edge>) -> bool {
        let Some(&Record { round: 1.., n_closed, .. }) = self.nodes.record(number) else { return false };
        let Some(node) = self.nodes.get(number) else { return false };
        let mut edges = again(&node);
        edges.retain(|edge| !self.closed.had(edge.hash, n_closed));
        edges.sort_by_key(Edge::key);
        let at = edges.iter().position(|edge| edge.leap == last.leap);
        let n_made = at.map_or_else(|| edges.partition_point(|edge| edge.key() <= last.key()), |at| at + 1);
        self.keep(number, &edges[n_made..]);
        self.chain(number) != NONE
    }

    fn choose(&mut self) -> Option<usize> {
        if self.turn.is_multiple_of(2) {
            while let Some(&Reverse((_, number))) = self.bests.peek() {
                let &Record { n_open, cell, .. } = self.nodes.record(number)?;
                if n_open > 0 && !self.cells[cell as usize].is_empty() {
                    return Some(cell as usize);
                }
                if n_open > 0 {
                    break;
                }
                self.bests.pop();
            }
        }
        let n_cells = self.cells.len();
        let from = self.cursor;
        let cell = (0..n_cells).map(|at| (from + at) % n_cells).find(|&cell| !self.cells[cell].is_empty())?;
        self.cursor = (cell + 1) % n_cells;
        Some(cell)
    }

    /// Returns the node with the best score of its own.
    pub(crate) fn best(&self) -> Option<u32> {
        self.best.map(|(_, number)| number)
    }

    /// Returns the first node on the way to this one whose order is at most so much above its own.
    pub(crate) fn first_near(&self, number: u32, margin: u64) -> u32 {
        let limit = self.order(number).saturating_add(margin);
        self.line(number).into_iter().find(|&above| self.order(above) <= limit).unwrap_or(number)
    }

    /// Returns the nodes from the root to this one.
    pub(crate) fn line(&self, mut number: u32) -> Vec<u32> {
        let mut line = Vec::new();
        while let Some(record) = self.nodes.record(number) {
            line.push(number);
            number = record.parent;
        }
        line.reverse();
        line
    }

    /// Returns the same, with all that is known of them.
    pub(crate) fn nodes_to(&self, number: u32) -> Vec<Node<W>> {
        self.line(number).into_iter().filter_map(|number| self.nodes.get(number)).collect()
    }

    /// Returns the positions from the root to a node, which need not have been added.
    pub(crate) fn way(&self, node: &Node<W>) -> Vec<Place<W>> {
        let line = self.nodes_to(node.parent);
        line.iter().chain(std::iter::once(node)).map(|node| (node.boxes, node.player)).collect()
    }

    /// Returns the positions from the root to a node, and the one that a leap leads to from there.
    pub(crate) fn way_on(&self, node: &Node<W>, MacroMove { from, to, player }: MacroMove) -> Vec<Place<W>> {
        let mut way = self.way(node);
        way.push((node.boxes.moved(from, to), player));
        way
    }
}

/// Makes room for one more, and a quarter of what there is, not as much again; returns for how many there is new room.
fn make_room<T: Ord>(heap: &mut BinaryHeap<T>) -> usize {
    let before = heap.capacity();
    if heap.len() == before {
        heap.reserve_exact(before / 4 + 4);
    }
    heap.capacity() - before
}

/// The cell of a node whose way has this best score.
#[cfg(not(test))]
const fn cell_key(best: Score) -> u64 {
    best.cell
}

/// In tests there may be one for all.
#[cfg(test)]
fn cell_key(best: Score) -> u64 {
    if crate::fess::tests::HAS_CELLS.get() { best.cell } else { 0 }
}
