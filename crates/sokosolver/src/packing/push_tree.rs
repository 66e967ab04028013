//! The positions of one search: a tree of pushes, looked up by the boxes and the player's region.
//!
//! Nodes with the same boxes are in a chain. The search finds the one with the player's region by one flood for all of
//! them, and only if there are any. Keys are 64 bits and are trusted: a wrong hit can lose a solution but never make
//! one, for solutions are replayed.
//!
//! Invariant: the depth of a node is that of its parent plus one; a node with children keeps parent, phase and score.

use hashbrown::HashTable;
use sokocore::FloorSquare;
use sokosearch::{Charge, Stop};

use super::score::PushScore;
use crate::board::FloorPush;

/// A position and how it was reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PushNode {
    pub(crate) key: u64,
    pub(crate) parent: u32,
    next_alike: u32,
    pub(crate) score: i32,
    /// Where the player stands: the square that the box was pushed from.
    pub(crate) player: FloorSquare,
    pub(crate) depth: u16,
    pub(crate) phase: u16,
    pub(crate) n_useful: u16,
    /// The direction of the push.
    dir: u8,
    pub(crate) is_premature: bool,
    pub(crate) is_open: bool,
    pub(crate) has_children: bool,
    /// No position below it is worth expanding.
    pub(crate) is_dead: bool,
}

impl PushNode {
    /// The number that stands for no node.
    pub(crate) const NONE: u32 = u32::MAX;

    /// Makes a node that is in no tree yet.
    pub(crate) fn new(key: u64, parent: u32, push: FloorPush, depth: u16, score: PushScore) -> Self {
        Self {
            key,
            parent,
            next_alike: Self::NONE,
            score: score.value,
            player: push.from,
            depth,
            phase: score.phase,
            n_useful: score.n_useful,
            dir: u8::try_from(push.dir & 3).expect("invariant: there are four directions"),
            is_premature: score.is_premature,
            is_open: true,
            has_children: false,
            is_dead: false,
        }
    }

    /// Returns the push that led to it.
    pub(crate) const fn push(&self) -> FloorPush {
        FloorPush { from: self.player, dir: self.dir as usize }
    }
}

/// All nodes of a search.
#[derive(Debug)]
pub(crate) struct PushTree {
    nodes: Vec<PushNode>,
    heads: HashTable<u32>,
    charge: Option<Charge>,
}

impl PushTree {
    /// Makes an empty tree.
    pub(crate) fn new() -> Self {
        Self { nodes: Vec::new(), heads: HashTable::new(), charge: None }
    }

    /// Reserves one more node, charged before it is allocated.
    pub(crate) fn reserve(&mut self, account: &sokosearch::MemoryAccount) -> Result<(), Stop> {
        if self.nodes.len() < self.nodes.capacity() {
            return Ok(());
        }
        let more = self.nodes.capacity().max(512);
        // Old and new memory are in use together while it grows, and an open node has one or two entries in the open
        // list.
        let bytes = more * (size_of::<PushNode>() + 20);
        let charge = self.charge.get_or_insert_with(|| account.nothing());
        charge.add(bytes as u64)?;
        self.nodes.reserve_exact(more);
        Ok(())
    }

    /// Adds a node and returns its number.
    pub(crate) fn add(&mut self, mut node: PushNode) -> u32 {
        let number = u32::try_from(self.nodes.len()).unwrap_or(PushNode::NONE);
        let nodes = &self.nodes;
        match self.heads.find_mut(node.key, |&head| nodes[head as usize].key == node.key) {
            Some(head) => node.next_alike = std::mem::replace(head, number),
            None => {
                self.heads.insert_unique(node.key, number, |&head| nodes[head as usize].key);
            }
        }
        self.nodes.push(node);
        number
    }

    /// Returns the nodes with those boxes, wherever the player is.
    pub(crate) fn alike(&self, key: u64) -> impl Iterator<Item = u32> {
        let mut next = self.heads.find(key, |&head| self.nodes[head as usize].key == key).copied();
        std::iter::from_fn(move || {
            let number = next?;
            next = Some(self.nodes[number as usize].next_alike).filter(|&next| next != PushNode::NONE);
            Some(number)
        })
    }

    /// Returns a node.
    #[inline]
    pub(crate) fn node(&self, number: u32) -> &PushNode {
        &self.nodes[number as usize]
    }

    /// As [`PushTree::node`], mutable.
    #[inline]
    pub(crate) fn node_mut(&mut self, number: u32) -> &mut PushNode {
        &mut self.nodes[number as usize]
    }

    /// Replaces a node without children by another path to the same position.
    pub(crate) fn replace(&mut self, number: u32, node: PushNode) {
        let old = &mut self.nodes[number as usize];
        *old = PushNode { next_alike: old.next_alike, ..node };
    }

    /// Returns the number of nodes.
    pub(crate) const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the nodes from below the root down to this one.
    pub(crate) fn path(&self, number: u32) -> Vec<u32> {
        let step = |&number: &u32| Some(self.node(number).parent).filter(|&parent| parent != PushNode::NONE);
        let mut path: Vec<u32> = std::iter::successors(Some(number), step).collect();
        path.pop();
        path.reverse();
        path
    }
}
