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

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::{HashMap, HashSet};
use sokosearch::{Charge, Stop};

use crate::bits::Bits;

use super::descent::Descent;
use super::leaps::Leap;
use super::meeting::Place;

/// No node.
pub(crate) const NOBODY: u32 = u32::MAX;

/// How good a position is, and which cell it would open: less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Score {
    pub(crate) order: u64,
    pub(crate) cell: u64,
}

/// A leap not yet made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Edge {
    pub(crate) leap: Leap,
    pub(crate) hash: u64,
    /// The order of the score of the position that it leads to.
    pub(crate) order: u64,
    pub(crate) weight: u8,
    /// Takes the box off the board, with the start square that it reached.
    pub(crate) sinks: bool,
}

/// A position whose leaps are known.
#[derive(Clone, Debug)]
pub(crate) struct Node<const W: usize> {
    pub(crate) boxes: Bits<W>,
    /// Start squares still to be reached, in a backward search.
    pub(crate) bases: Bits<W>,
    pub(crate) player: u16,
    pub(crate) parent: u32,
    pub(crate) leap: Leap,
    pub(crate) sinks: bool,
    pub(crate) score: Score,
    weight: u32,
    best: Score,
    cell: usize,
    n_open: u32,
    /// Nodes from here down.
    size: u32,
    next: usize,
    edges: Vec<Edge>,
}

/// What lies in a heap: weight, score of the next leap, node.
type Waiting = Reverse<(u32, u64, u32)>;

/// The tree.
#[derive(Debug, Default)]
pub(crate) struct Forest<const W: usize> {
    pub(crate) nodes: Vec<Node<W>>,
    cells: Vec<BinaryHeap<Waiting>>,
    cell_of: HashMap<u64, usize>,
    closed: HashSet<u64>,
    bests: BinaryHeap<Reverse<(u64, u32)>>,
    cursor: usize,
    turn: u64,
    n_edges: usize,
    /// Instead of cells: down a tree of values.
    descent: Option<Descent>,
}

impl<const W: usize> Forest<W> {
    /// Makes a forest whose leaps are chosen down a tree of values, not from cells.
    pub(crate) fn of_values() -> Self {
        Self { descent: Some(Descent::default()), ..Self::default() }
    }

    /// Returns the bytes in use, roughly: vectors of leaps are exact, and only a tree of values keeps more of each.
    fn bytes(&self) -> u64 {
        let each = size_of::<Edge>() + if self.descent.is_some() { 16 } else { 0 };
        (self.nodes.len() * (size_of::<Node<W>>() + 96) + self.n_edges * each) as u64
    }

    /// Notes that a position is expanded or lost; returns whether that is news.
    pub(crate) fn close(&mut self, hash: u64) -> bool {
        self.closed.insert(hash)
    }

    /// Adds an expanded node.
    pub(crate) fn add(&mut self, mut node: Node<W>, mut edges: Vec<Edge>) -> u32 {
        edges.retain(|edge| !self.closed.contains(&edge.hash));
        edges.sort_by_key(|edge| (edge.weight, edge.order));
        edges.shrink_to_fit();
        if edges.len() <= 2 {
            edges.iter_mut().take(1).for_each(|edge| edge.weight = 0);
        }
        let parent = self.nodes.get(node.parent as usize);
        node.best = parent.map_or(node.score, |parent| parent.best.min(node.score));
        let n_cells = self.cells.len();
        node.cell = *self.cell_of.entry(cell_key(node.best)).or_insert(n_cells);
        if node.cell == n_cells {
            self.cells.push(BinaryHeap::new());
            self.cursor = n_cells;
        }
        let number = u32::try_from(self.nodes.len()).unwrap_or(NOBODY);
        node.n_open = u32::try_from(edges.len()).unwrap_or(0);
        self.n_edges += edges.len();
        if let Some(descent) = &mut self.descent {
            descent.add(node.parent, edges);
            self.nodes.push(node);
            return number;
        }
        node.edges = edges;
        self.bests.push(Reverse((node.score.order, number)));
        let is_dead = node.n_open == 0;
        let parent = node.parent;
        self.nodes.push(node);
        if is_dead {
            self.bury(parent);
        } else {
            self.wait(number);
        }
        number
    }

    /// Gives up all leaps not yet made; the nodes stay.
    pub(crate) fn retire(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.edges = Vec::new());
        self.nodes.shrink_to_fit();
        self.descent.iter_mut().for_each(Descent::clear);
        (self.cells, self.closed, self.bests, self.n_edges) = Default::default();
    }

    /// Counts a child of the node as lost; a node without any left is lost too.
    pub(crate) fn bury(&mut self, mut number: u32) {
        if self.descent.is_some() {
            return;
        }
        while let Some(node) = self.nodes.get_mut(number as usize) {
            node.n_open = node.n_open.saturating_sub(1);
            if node.n_open > 0 {
                return;
            }
            number = node.parent;
        }
    }

    fn wait(&mut self, number: u32) {
        let node = &mut self.nodes[number as usize];
        while node.edges.get(node.next).is_some_and(|edge| self.closed.contains(&edge.hash)) {
            node.next += 1;
        }
        if let Some(edge) = node.edges.get(node.next) {
            self.cells[node.cell].push(Reverse((node.weight + u32::from(edge.weight), edge.order, number)));
        } else {
            self.n_edges -= node.edges.len();
            node.edges = Vec::new();
            node.next = 0;
        }
    }

    /// Counts a new node for all above it; returns the first of those that have just become as large as is worth a
    /// second look, with its size: 64, 256, 1024 and so on.
    pub(crate) fn grown(&mut self, mut number: u32) -> Option<(u32, u32)> {
        let mut grown = None;
        while let Some(node) = self.nodes.get_mut(number as usize) {
            node.size += 1;
            let is_due = node.size.is_power_of_two() && node.size.trailing_zeros().is_multiple_of(2);
            if is_due && node.size >= 64 && node.parent != NOBODY {
                grown = Some((number, node.size));
            }
            number = node.parent;
        }
        grown
    }

    /// Gives up the leaps of all nodes whose positions are lost after all.
    pub(crate) fn give_up(&mut self, is_lost: impl Fn(&Node<W>) -> bool) {
        for at in 0..self.nodes.len() {
            let node = &mut self.nodes[at];
            if node.edges.is_empty() || !is_lost(node) {
                continue;
            }
            self.n_edges -= node.edges.len();
            (node.edges, node.next) = (Vec::new(), 0);
            if node.n_open > 0 {
                node.n_open = 0;
                let parent = node.parent;
                self.bury(parent);
            }
        }
    }

    /// Takes the leap whose turn it is.
    pub(crate) fn next(&mut self) -> Option<(u32, Edge)> {
        self.turn += 1;
        if let Some(descent) = &mut self.descent {
            return descent.next(|hash| self.closed.contains(&hash));
        }
        loop {
            let cell = self.choose()?;
            let Reverse((_, _, number)) = self.cells[cell].pop()?;
            let node = &mut self.nodes[number as usize];
            // Leaps that were given up still have their place in the heap.
            if let Some(&edge) = node.edges.get(node.next) {
                node.next += 1;
                self.wait(number);
                return Some((number, edge));
            }
        }
    }

    fn choose(&mut self) -> Option<usize> {
        if self.turn.is_multiple_of(2) {
            while let Some(&Reverse((_, number))) = self.bests.peek() {
                let node = &self.nodes[number as usize];
                if node.n_open > 0 && !self.cells[node.cell].is_empty() {
                    return Some(node.cell);
                }
                if node.n_open > 0 {
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
        (0u32..).zip(&self.nodes).min_by_key(|(_, node)| node.score).map(|(number, _)| number)
    }

    /// Returns the first node on the way to this one whose order is at most so much above its own.
    pub(crate) fn first_near(&self, number: u32, margin: u64) -> u32 {
        let order = |number: u32| self.nodes[number as usize].score.order;
        let limit = order(number).saturating_add(margin);
        self.line(number).into_iter().find(|&above| order(above) <= limit).unwrap_or(number)
    }

    /// Returns the nodes from the root to this one.
    pub(crate) fn line(&self, mut number: u32) -> Vec<u32> {
        let mut line = Vec::new();
        while let Some(node) = self.nodes.get(number as usize) {
            line.push(number);
            number = node.parent;
        }
        line.reverse();
        line
    }

    /// Returns the positions from the root to a node, which need not have been added.
    pub(crate) fn way(&self, node: &Node<W>) -> Vec<Place<W>> {
        let line = self.line(node.parent).into_iter().map(|number| &self.nodes[number as usize]);
        line.chain(std::iter::once(node)).map(|node| (node.boxes, node.player)).collect()
    }

    /// Returns the positions from the root to a node, and the one that a leap leads to from there.
    pub(crate) fn way_on(&self, node: &Node<W>, Leap { from, to, player }: Leap) -> Vec<Place<W>> {
        let mut way = self.way(node);
        way.push((node.boxes.moved(from, to), player));
        way
    }

    /// Charges what it holds.
    pub(crate) fn charge(&self, charge: &mut Charge) -> Result<(), Stop> {
        let bytes = self.bytes();
        if bytes > charge.bytes() { charge.add(bytes - charge.bytes() + (1 << 18)) } else { Ok(()) }
    }

    /// Makes the node that a leap leads to; at first without leaps of its own, and in no cell.
    pub(crate) fn child(&self, parent: u32, edge: &Edge) -> Node<W> {
        let father = &self.nodes[parent as usize];
        let mut bases = father.bases;
        let mut boxes = father.boxes;
        boxes.remove(edge.leap.from);
        if edge.sinks {
            bases.remove(edge.leap.to);
        } else {
            boxes.insert(edge.leap.to);
        }
        let mut node = Node::root(boxes, bases, edge.leap.player, Score { order: edge.order, cell: 0 });
        (node.parent, node.leap, node.sinks) = (parent, edge.leap, edge.sinks);
        node.weight = father.weight + u32::from(edge.weight);
        node
    }
}

impl<const W: usize> Node<W> {
    /// Makes a node without a parent.
    pub(crate) fn root(boxes: Bits<W>, bases: Bits<W>, player: u16, score: Score) -> Self {
        Self {
            boxes,
            bases,
            player,
            parent: NOBODY,
            leap: Leap::default(),
            sinks: false,
            score,
            weight: 0,
            best: score,
            cell: 0,
            n_open: 0,
            size: 0,
            next: 0,
            edges: Vec::new(),
        }
    }
}

/// The cell of a node whose way has this best score.
#[cfg(not(test))]
const fn cell_key(best: Score) -> u64 {
    best.cell
}

/// In tests there may be one for all.
#[cfg(test)]
fn cell_key(best: Score) -> u64 {
    if super::tests::HAS_CELLS.get() { best.cell } else { 0 }
}
