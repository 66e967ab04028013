//! A\* by pushes of a cluster of boxes among others that do not move.
//!
//! The lower bound matches the boxes of the cluster to their targets; a distance is that of a lone box among the walls and the
//! fixed boxes, with the player anywhere. It is consistent, so the first goal that is expanded has the fewest pushes.
//! Nodes that cannot have fewer pushes than the window has are pruned, which leaves few of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashMap;
use sokocore::{Board, MinCostMatching, Push, Reach, Square, SquareSet};

use crate::fingerprints::mix;
use crate::pull_distances::PullDistances;

/// Most boxes of a cluster.
pub(super) const MAX_CLUSTER: usize = 12;
/// Most nodes that are generated, and most squares that are expanded: some milliseconds. A search that needs more fails.
const MAX_NODES: usize = 1 << 13;
const MAX_EXPANDED: u64 = 1 << 22;
/// Squares that are expanded in the time of a tick.
const SQUARES_PER_TICK: u64 = 24;
/// Squares that are expanded in the time of a lower bound.
const SQUARES_PER_BOUND: u64 = 12;

/// The boxes of a cluster before and after their pushes, and what is around them.
#[derive(Clone, Debug)]
pub(super) struct BoxCluster {
    pub(super) homes: Vec<Square>,
    pub(super) targets: Vec<Square>,
    /// All other boxes.
    pub(super) fixed: SquareSet,
    pub(super) player: Square,
    /// A square that the player has to reach in the end.
    pub(super) exit: Square,
}

impl BoxCluster {
    /// Returns a hash of the cluster and of what is around it.
    pub(super) fn fingerprint(&self, seed: u64) -> u64 {
        let squares = [&self.homes, &self.targets].into_iter().flatten().chain([&self.player, &self.exit]).copied();
        let numbers = squares.chain(self.fixed.iter()).map(|sq| sq.idx() as u64);
        numbers.fold(mix(seed, self.homes.len() as u64), mix)
    }
}

/// The squares of the cluster's boxes, in ascending order; those that it does not have are `None`, and come first.
type ClusterSquares = [Option<Square>; MAX_CLUSTER];

/// A state on a path: the boxes of the cluster, and the player.
#[derive(Clone, Copy, Debug)]
struct ClusterNode {
    boxes: ClusterSquares,
    player: Square,
    n_pushes: u32,
    /// The node before, and the push from it; `None` for the first.
    from: Option<(u32, Push)>,
}

/// Scratch space for searches on one board.
#[derive(Debug)]
pub(super) struct ClusterSearch<'a> {
    board: &'a Board,
    reach: Reach,
    /// The pushes to each target.
    distances: Vec<PullDistances>,
    matching: MinCostMatching,
    nodes: Vec<ClusterNode>,
    /// By pushes made and left, nodes with fewer left first.
    open: BinaryHeap<Reverse<(u32, u32, u32)>>,
    /// The fewest pushes with which each state was generated: boxes, and the least square of the player's region.
    generated: HashMap<(ClusterSquares, Square), u32>,
    n_expanded: u64,
}

impl<'a> ClusterSearch<'a> {
    pub(super) fn new(board: &'a Board) -> Self {
        Self {
            board,
            reach: Reach::new(board),
            distances: Vec::new(),
            matching: MinCostMatching::default(),
            nodes: Vec::new(),
            open: BinaryHeap::new(),
            generated: HashMap::new(),
            n_expanded: 0,
        }
    }

    /// Returns the ticks of the searches since the last call.
    pub(super) const fn take_ticks(&mut self) -> u64 {
        let ticks = self.n_expanded / SQUARES_PER_TICK;
        self.n_expanded %= SQUARES_PER_TICK;
        ticks + 1
    }

    /// Returns the fewest pushes that take the boxes of the cluster to its targets, and let the player reach the exit, if they
    /// are fewer than `n_pushes`; `None` if there are none, or if the search needs too many nodes.
    pub(super) fn fewer_pushes(&mut self, cluster: &BoxCluster, n_pushes: usize) -> Option<Vec<Push>> {
        let limit = u32::try_from(n_pushes).ok()?.checked_sub(1)?;
        self.compute_distances(cluster);
        self.nodes.clear();
        self.open.clear();
        self.generated.clear();
        let (homes, targets) = (squares_of(&cluster.homes), squares_of(&cluster.targets));
        let mut boxes = cluster.fixed.clone();
        self.generate(ClusterNode { boxes: homes, player: cluster.player, n_pushes: 0, from: None }, limit, &mut boxes);
        while let Some(Reverse((.., at))) = self.open.pop() {
            let node = self.nodes[at as usize];
            place(node.boxes, &mut boxes);
            let region = self.reach.flood(self.board, &boxes, node.player);
            self.n_expanded += region.squares().len() as u64;
            let least = self.generated.get(&(node.boxes, region.zone()));
            let has_shorter_path = least.is_some_and(|&least| least < node.n_pushes);
            if has_shorter_path {
                remove(node.boxes, &mut boxes);
                continue;
            }
            if node.boxes == targets && region.contains(cluster.exit) {
                return Some(self.trace(at));
            }
            let is_own = |push: &Push| node.boxes.contains(&Some(push.from));
            let pushes: Vec<Push> = region.pushes().filter(is_own).collect();
            remove(node.boxes, &mut boxes);
            for push in pushes {
                let mut moved = node.boxes;
                moved.iter_mut().filter(|sq| **sq == Some(push.from)).for_each(|sq| *sq = push.to(self.board));
                moved.sort_unstable();
                let (player, n_pushes) = (push.from, node.n_pushes + 1);
                self.generate(
                    ClusterNode { boxes: moved, player, n_pushes, from: Some((at, push)) },
                    limit,
                    &mut boxes,
                );
            }
            if self.nodes.len() > MAX_NODES || self.n_expanded > MAX_EXPANDED {
                return None;
            }
        }
        None
    }

    /// Inserts a node, unless it needs too many pushes or its state was generated with as few. `boxes` are the fixed ones.
    fn generate(&mut self, node: ClusterNode, limit: u32, boxes: &mut SquareSet) {
        self.n_expanded += SQUARES_PER_BOUND;
        let Some(left) = self.bound(node.boxes).filter(|left| node.n_pushes + left <= limit) else { return };
        place(node.boxes, boxes);
        let region = self.reach.flood(self.board, boxes, node.player);
        let (zone, n_squares) = (region.zone(), region.squares().len());
        remove(node.boxes, boxes);
        self.n_expanded += n_squares as u64;
        let least = self.generated.entry((node.boxes, zone)).or_insert(u32::MAX);
        if node.n_pushes < *least {
            *least = node.n_pushes;
            let at = u32::try_from(self.nodes.len()).expect("invariant: a search ends soon after MAX_NODES nodes");
            self.nodes.push(node);
            self.open.push(Reverse((node.n_pushes + left, left, at)));
        }
    }

    /// Returns a lower bound on the pushes from a state to the targets; `None` if a box cannot get to any.
    fn bound(&mut self, boxes: ClusterSquares) -> Option<u32> {
        let (n, distances) = (self.distances.len(), &self.distances);
        let boxes = &boxes[MAX_CLUSTER - n..];
        let pushes = |at: usize, target: usize| distances[target].get(boxes[at]?);
        self.matching.least_cost(n, n, pushes).and_then(|pushes| u32::try_from(pushes).ok())
    }

    /// Computes the pushes to each target among the fixed boxes.
    fn compute_distances(&mut self, cluster: &BoxCluster) {
        let is_free = |sq| !cluster.fixed.contains(sq);
        self.distances.resize_with(cluster.targets.len(), || PullDistances::new(self.board));
        for (distances, target) in self.distances.iter_mut().zip(&cluster.targets) {
            distances.compute(self.board, std::slice::from_ref(target), is_free, is_free);
            self.n_expanded += distances.n_reached() as u64;
        }
    }

    /// Returns the pushes that lead to a node.
    fn trace(&self, at: u32) -> Vec<Push> {
        let mut pushes = Vec::new();
        let mut node = self.nodes[at as usize];
        while let Some((at, push)) = node.from {
            pushes.push(push);
            node = self.nodes[at as usize];
        }
        pushes.reverse();
        pushes
    }
}

/// Returns the squares of a cluster's boxes, of which there are at most [`MAX_CLUSTER`].
fn squares_of(squares: &[Square]) -> ClusterSquares {
    let mut sorted = [None; MAX_CLUSTER];
    sorted.iter_mut().zip(squares).for_each(|(slot, &sq)| *slot = Some(sq));
    sorted.sort_unstable();
    sorted
}

fn place(cluster: ClusterSquares, boxes: &mut SquareSet) {
    cluster.into_iter().flatten().for_each(|sq| _ = boxes.insert(sq));
}

fn remove(cluster: ClusterSquares, boxes: &mut SquareSet) {
    cluster.into_iter().flatten().for_each(|sq| _ = boxes.remove(sq));
}
