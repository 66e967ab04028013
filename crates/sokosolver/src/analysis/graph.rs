//! Positions and the pushes between them, found breadth first from the start of a level.
//!
//! ```text
//!   layers    | 0 | 1 2 3 | 4 5 6 7 8 | ...     numbers of the nodes, ascending by pushes from the start
//!   edges     each expanded node has its own run, in the order of the nodes
//! ```
//!
//! A node is a box set with the region of the player, so that pushes are edges and walks are not.
//! A solved position ends the trace and has no edges.
//! Lookups never find a solved start: a solution has at least one push.
//!
//! Two extents: every position that can be reached without a box on a dead square, or those that can lie on a solution
//! of at most so many pushes. The second is breadth-first search within a bound (Zhou and Hansen, 2006): it keeps every
//! position that any such solution visits.

use std::ops::Range;

use hashbrown::HashTable;
use sokocore::{FreezeCheck, Level, Position, Push, PushLowerBound, Reach, Square, SquareSet};
use sokosearch::{Budget, Charge, Stop};

use super::charged_vec::ChargedVec;
use crate::board::bit_set::hash_words as hash;

/// Nodes expanded between two polls of the budget.
const POLL_EVERY: usize = 64;

/// The positions that a graph contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All that can be reached by pushes to live squares.
    Whole,
    /// All from which a lower bound allows a solution of so many pushes, counted from the start; no deeper than the
    /// first solved positions.
    Within(u64),
}

/// A push and the node that it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PushEdge {
    pub(super) push: Push,
    pub(super) to: u32,
}

/// The positions of one extent.
#[derive(Debug)]
pub(super) struct Graph<'a> {
    level: &'a Level,
    n_words: usize,
    /// For each node the words of its boxes, then the least square of the player's region.
    keys: ChargedVec<u64>,
    index: HashTable<u32>,
    index_charge: Charge,
    /// For each node the number of its first edge, and the number of all edges at the end.
    first_edges: ChargedVec<u32>,
    edges: ChargedVec<PushEdge>,
    /// For each layer its first node.
    layers: Vec<u32>,
    solved: Vec<u32>,
    /// Whether the bound has pruned a position that a longer solution may visit.
    is_cut: bool,
}

impl<'a> Graph<'a> {
    /// The number of the start.
    pub(super) const START: u32 = 0;

    /// Explores the positions of an extent, at most `n_max` of them, and adds their number to `n_nodes`.
    ///
    /// # Errors
    /// The reason to stop; [`Stop::Work`] if there are more.
    pub(super) fn explore(
        level: &'a Level,
        extent: Extent,
        n_max: usize,
        budget: &Budget,
        n_nodes: &mut u64,
    ) -> Result<Self, Stop> {
        budget.poll(0)?;
        let mut explorer = Explorer::new(level, extent, n_max, budget);
        let ended = explorer.run(budget);
        *n_nodes += explorer.graph.n_nodes() as u64;
        ended.map(|()| explorer.graph)
    }

    /// Returns the level.
    pub(super) const fn level(&self) -> &'a Level {
        self.level
    }

    /// Returns the number of nodes.
    pub(super) fn n_nodes(&self) -> usize {
        self.keys.len() / self.stride()
    }

    /// Returns whether the bound has pruned no position that a solution may visit.
    pub(super) const fn is_whole(&self) -> bool {
        !self.is_cut
    }

    /// Returns the nodes whose distance from the start is so many pushes.
    pub(super) fn layer(&self, depth: usize) -> Range<u32> {
        let end = || u32::try_from(self.n_nodes()).expect("invariant: nodes are numbered by 32 bits");
        let at = |depth: usize| self.layers.get(depth).copied().unwrap_or_else(end);
        at(depth)..at(depth + 1)
    }

    /// Returns the fewest pushes from the start to a node.
    pub(super) fn depth(&self, node: u32) -> usize {
        self.layers.partition_point(|&first| first <= node) - 1
    }

    /// Returns the solved nodes, ascending.
    pub(super) fn solved(&self) -> &[u32] {
        &self.solved
    }

    /// Returns the edges out of a node.
    pub(super) fn edges(&self, node: u32) -> &[PushEdge] {
        let at = node as usize;
        let Some(&end) = self.first_edges.get(at + 1) else { return &[] };
        &self.edges[self.first_edges[at] as usize..end as usize]
    }

    /// Returns the node of a position whose player stands anywhere in a region named by its least square.
    pub(super) fn find(&self, boxes: &SquareSet, zone: Square) -> Option<u32> {
        let is_it = |&node: &u32| self.is_at(node, boxes, zone);
        self.index.find(hash(boxes.words(), zone.idx() as u64), is_it).copied()
    }

    /// Fills in the boxes of a node; returns the least square of the player's region.
    pub(super) fn read(&self, node: u32, boxes: &mut SquareSet) -> Square {
        let key = self.key(node);
        boxes.clear();
        for (at, &word) in key[..self.n_words].iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let sq = Square::new(at * 64 + rest.trailing_zeros() as usize);
                boxes.insert(sq.expect("invariant: boxes stand on numbered squares"));
                rest &= rest - 1;
            }
        }
        let zone = usize::try_from(key[self.n_words]).ok().and_then(Square::new);
        zone.expect("invariant: regions are named by a square")
    }

    /// Returns for each node whether a solution visits it.
    ///
    /// # Errors
    /// [`Stop::Memory`] if there is no room for the answer.
    pub(super) fn solvable(&self, budget: &Budget) -> Result<ChargedVec<bool>, Stop> {
        let (n_nodes, account) = (self.n_nodes(), budget.memory());
        let mut is_solvable = ChargedVec::filled(account, n_nodes, false)?;
        // The edges in reverse, grouped by their targets.
        let mut ends = ChargedVec::filled(account, n_nodes + 1, 0_u32)?;
        for edge in self.edges.iter() {
            ends.items_mut()[edge.to as usize] += 1;
        }
        let mut sum = 0;
        for end in ends.items_mut() {
            sum += *end;
            *end = sum;
        }
        let mut sources = ChargedVec::filled(account, self.edges.len(), 0_u32)?;
        for node in (0..n_nodes).rev() {
            let node = u32::try_from(node).expect("invariant: nodes are numbered by 32 bits");
            for edge in self.edges(node) {
                let start = &mut ends.items_mut()[edge.to as usize];
                *start -= 1;
                sources.items_mut()[*start as usize] = node;
            }
        }
        budget.poll(0)?;
        let mut todo = ChargedVec::new(account);
        for &node in &self.solved {
            is_solvable.items_mut()[node as usize] = true;
            todo.push(node)?;
        }
        let mut head = 0;
        while let Some(&node) = todo.get(head) {
            head += 1;
            for at in ends[node as usize]..ends[node as usize + 1] {
                let source = sources[at as usize];
                if !std::mem::replace(&mut is_solvable.items_mut()[source as usize], true) {
                    todo.push(source)?;
                }
            }
        }
        Ok(is_solvable)
    }

    const fn stride(&self) -> usize {
        self.n_words + 1
    }

    fn key(&self, node: u32) -> &[u64] {
        let start = node as usize * self.stride();
        &self.keys[start..start + self.stride()]
    }

    fn is_at(&self, node: u32, boxes: &SquareSet, zone: Square) -> bool {
        let key = self.key(node);
        key[self.n_words] == zone.idx() as u64 && key[..self.n_words] == *boxes.words()
    }

    /// Adds a node without a lookup.
    fn append(&mut self, boxes: &SquareSet, zone: Square) -> Result<u32, Stop> {
        let node = u32::try_from(self.n_nodes()).map_err(|_| Stop::Memory)?;
        for &word in boxes.words() {
            self.keys.push(word)?;
        }
        self.keys.push(zone.idx() as u64)?;
        Ok(node)
    }

    /// Adds a node to the index of [`Graph::find`].
    fn insert(&mut self, node: u32, budget: &Budget) -> Result<(), Stop> {
        if self.index.len() == self.index.capacity() {
            let more = self.index.len().max(1_024);
            // A table is at least half full after it has grown; a slot takes four bytes and one of its own.
            let charge = budget.memory().charge((self.index.len() + more) as u64 * 12)?;
            let (keys, n_words) = (&self.keys, self.n_words);
            self.index.reserve(more, |&node| {
                let key = &keys[node as usize * (n_words + 1)..][..=n_words];
                hash(&key[..n_words], key[n_words])
            });
            self.index_charge = charge;
        }
        let key = self.key(node);
        let hash_of = |key: &[u64]| hash(&key[..key.len() - 1], key[key.len() - 1]);
        let hash = hash_of(key);
        let (keys, stride) = (&self.keys, self.stride());
        self.index.insert_unique(hash, node, |&node| hash_of(&keys[node as usize * stride..][..stride]));
        Ok(())
    }
}

/// The breadth-first search that makes a graph.
struct Explorer<'a> {
    graph: Graph<'a>,
    extent: Extent,
    n_max: usize,
    bound: Option<PushLowerBound>,
    freeze: FreezeCheck,
    reach: Reach,
    pushes: Vec<Push>,
}

impl<'a> Explorer<'a> {
    fn new(level: &'a Level, extent: Extent, n_max: usize, budget: &Budget) -> Self {
        let account = budget.memory();
        let graph = Graph {
            level,
            n_words: level.start().boxes.words().len(),
            keys: ChargedVec::new(account),
            index: HashTable::new(),
            index_charge: account.nothing(),
            first_edges: ChargedVec::new(account),
            edges: ChargedVec::new(account),
            layers: Vec::new(),
            solved: Vec::new(),
            is_cut: false,
        };
        let bound = if extent == Extent::Whole { None } else { PushLowerBound::new(level) };
        let freeze = FreezeCheck::new(level);
        Self { graph, extent, n_max, bound, freeze, reach: Reach::new(level.board()), pushes: Vec::new() }
    }

    fn run(&mut self, budget: &Budget) -> Result<(), Stop> {
        let level = self.graph.level;
        let start = level.start();
        let zone = start.region(level.board(), &mut self.reach).zone();
        let root = self.graph.append(&start.boxes, zone)?;
        if !level.is_solved(&start.boxes) {
            self.graph.insert(root, budget)?;
        }
        let mut node = root;
        if start.boxes.is_subset(level.live()) && self.is_within(&start.boxes, 0) {
            node = self.expand_layers(root, budget)?;
        }
        if (node as usize) < self.graph.n_nodes() {
            self.graph.layers.push(node);
        }
        let n_edges = u32::try_from(self.graph.edges.len()).map_err(|_| Stop::Memory)?;
        self.graph.first_edges.push(n_edges)
    }

    /// Expands layer by layer from a node; returns the first node that is in no layer yet.
    fn expand_layers(&mut self, first: u32, budget: &Budget) -> Result<u32, Stop> {
        let mut position = self.graph.level.start().clone();
        let mut node = first;
        loop {
            let layer_end = u32::try_from(self.graph.n_nodes()).map_err(|_| Stop::Memory)?;
            if node == layer_end || (self.extent != Extent::Whole && !self.graph.solved.is_empty()) {
                return Ok(node);
            }
            self.graph.layers.push(node);
            let depth = self.graph.layers.len() as u64;
            while node < layer_end {
                if (node as usize).is_multiple_of(POLL_EVERY) {
                    budget.poll(self.graph.n_nodes() as u64)?;
                }
                self.expand(node, depth, &mut position, budget)?;
                node += 1;
            }
        }
    }

    /// Adds the children of a node; they are `depth` pushes from the start.
    fn expand(&mut self, node: u32, depth: u64, position: &mut Position, budget: &Budget) -> Result<(), Stop> {
        let level = self.graph.level;
        let board = level.board();
        let first_edge = u32::try_from(self.graph.edges.len()).map_err(|_| Stop::Memory)?;
        self.graph.first_edges.push(first_edge)?;
        if self.graph.solved.binary_search(&node).is_ok() {
            return Ok(());
        }
        position.player = self.graph.read(node, &mut position.boxes);
        self.pushes.clear();
        self.pushes.extend(position.region(board, &mut self.reach).pushes());
        for at in 0..self.pushes.len() {
            let push = self.pushes[at];
            let Some(to) = push.to(board).filter(|&to| level.live().contains(to)) else { continue };
            if !position.push(board, push) {
                continue;
            }
            if self.belongs(&position.boxes, to, depth) {
                let zone = position.region(board, &mut self.reach).zone();
                let child = self.node_at(&position.boxes, zone, budget)?;
                self.graph.edges.push(PushEdge { push, to: child })?;
            }
            position.pull(board, push);
        }
        Ok(())
    }

    /// Returns the node of a position, a new one if it is not known.
    fn node_at(&mut self, boxes: &SquareSet, zone: Square, budget: &Budget) -> Result<u32, Stop> {
        if let Some(node) = self.graph.find(boxes, zone) {
            return Ok(node);
        }
        if self.graph.n_nodes() >= self.n_max {
            return Err(Stop::Work);
        }
        let node = self.graph.append(boxes, zone)?;
        self.graph.insert(node, budget)?;
        if self.graph.level.is_solved(boxes) {
            self.graph.solved.push(node);
        }
        Ok(node)
    }

    /// Whether a position after a push to `to`, so many pushes from the start, is in the extent.
    fn belongs(&mut self, boxes: &SquareSet, to: Square, depth: u64) -> bool {
        self.extent == Extent::Whole || (!self.freeze.is_deadlock(boxes, to) && self.is_within(boxes, depth))
    }

    /// Whether a solution may go through a position, so many pushes from the start.
    fn is_within(&mut self, boxes: &SquareSet, depth: u64) -> bool {
        let Extent::Within(limit) = self.extent else { return true };
        let rest = self.bound.as_mut().map_or(Some(0), |bound| bound.of(boxes));
        self.graph.is_cut |= rest.is_some_and(|rest| depth + rest > limit);
        rest.is_some_and(|rest| depth + rest <= limit)
    }
}
