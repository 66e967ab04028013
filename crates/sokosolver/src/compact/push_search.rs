//! Best-first search by pushes: greedy for any solution, A\* for one of fewest pushes.
//!
//! A position is the boxes and the player's region. The bound of the pushes left is consistent, so A\* closes each
//! position once, at its least cost; greedy search does not look at the cost.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use sokocore::{Direction, Push, WEYL_STEP, mix64};
use sokosearch::{Charge, Stop};

use super::bit_board::{BitBoard, Bits, each, number};
use super::bucket_queue::BucketQueue;
use super::goal_distances::GoalDistances;
use super::{COMPACT, EXPANSIONS_PER_TICK};
use crate::{Optimal, Search, SearchStats, Verdict, WorkMeter};

/// One position.
#[derive(Clone, Copy, Debug)]
struct Node {
    boxes: Bits,
    /// The parent node; [`Node::ROOT`] if none.
    parent: u32,
    /// Pushes from the start.
    cost: u16,
    /// The bound of the pushes left.
    bound: u16,
    /// The least square of the player's region, as a bit number.
    zone: u8,
    /// The push between parent and node: the box's square as a bit number, and the direction.
    pushed_from: u8,
    dir: Direction,
    is_closed: bool,
}

impl Node {
    const ROOT: u32 = u32::MAX;
    /// Bytes of a node, its place in the index and in the open list, old copies while they grow included.
    const BYTES: u64 = 2 * (size_of::<Self>() as u64 + 16 + 8);
    /// The least number that is charged at once.
    const FIRST: usize = 1 << 8;

    fn key_hash(boxes: Bits, zone: u8) -> u64 {
        mix64(boxes ^ WEYL_STEP.wrapping_mul(u64::from(zone) + 1))
    }

    fn hash(&self) -> u64 {
        Self::key_hash(self.boxes, self.zone)
    }
}

/// The search.
#[derive(Debug)]
pub(super) struct CompactPushSearch {
    board: BitBoard,
    distances: GoalDistances,
    optimal: Optimal,
    nodes: Vec<Node>,
    index: HashTable<u32>,
    open: BucketQueue<u32>,
    charge: Option<Charge>,
    /// Nodes that are paid for.
    n_charged: usize,
    stats: SearchStats,
    /// No solution costs less, if costs count.
    proved: u64,
    /// The last position, once it is found.
    end: Option<u32>,
}

/// What became of a generated position.
enum Generated {
    Known,
    Dead,
    New(u32),
}

impl CompactPushSearch {
    /// Makes the search; any solution will do, or its pushes are to be fewest.
    pub(super) fn new(board: BitBoard, optimal: Optimal) -> Self {
        let distances = board.goal_distances();
        let stats =
            SearchStats { generated: Some(0), duplicates: Some(0), reopened: Some(0), ..SearchStats::default() };
        let (nodes, index, open) = (Vec::new(), HashTable::new(), BucketQueue::new());
        Self { board, distances, optimal, nodes, index, open, charge: None, n_charged: 0, stats, proved: 0, end: None }
    }

    const fn counts_cost(&self) -> bool {
        !matches!(self.optimal, Optimal::Any)
    }

    fn priority(&self, node: &Node) -> u32 {
        let cost = if self.counts_cost() { node.cost } else { 0 };
        u32::from(cost) + u32::from(node.bound)
    }

    /// Inserts the start, unless that is done.
    fn prepare(&mut self, meter: &mut WorkMeter) -> Result<(), Stop> {
        if self.charge.is_some() {
            return Ok(());
        }
        self.charge = Some(meter.memory().nothing());
        meter.mark_set_up();
        let boxes = self.board.boxes();
        if self.board.is_frozen_off_goal(boxes) {
            return Ok(());
        }
        let zone = self.zone(boxes, self.board.player());
        let root = Node {
            boxes,
            parent: Node::ROOT,
            cost: 0,
            bound: 0,
            zone,
            pushed_from: 0,
            dir: Direction::Up,
            is_closed: false,
        };
        self.generate(root).map(|_| ())
    }

    fn zone(&self, boxes: Bits, player: Bits) -> u8 {
        number(self.board.flood(player, self.board.floor() & !boxes))
    }

    /// Makes room for one more node.
    fn grow(&mut self) -> Result<(), Stop> {
        if self.nodes.len() < self.n_charged {
            return Ok(());
        }
        let more = self.n_charged.max(Node::FIRST);
        if let Some(charge) = &mut self.charge {
            charge.add(more as u64 * Node::BYTES)?;
        }
        self.n_charged += more;
        self.nodes.reserve_exact(more);
        self.index.reserve(more, |&id| self.nodes[id as usize].hash());
        Ok(())
    }

    /// Inserts a position into the tree and the open list, unless it is known or dead.
    fn generate(&mut self, mut node: Node) -> Result<Generated, Stop> {
        self.grow()?;
        let id = u32::try_from(self.nodes.len()).map_err(|_| Stop::Memory)?;
        let counts_cost = self.counts_cost();
        let (nodes, distances) = (&mut self.nodes, &self.distances);
        let is_same = |&other: &u32| {
            let other: &Node = &nodes[other as usize];
            other.boxes == node.boxes && other.zone == node.zone
        };
        match self.index.entry(node.hash(), is_same, |&id| nodes[id as usize].hash()) {
            Entry::Occupied(entry) => {
                let id = *entry.get();
                let known = &mut nodes[id as usize];
                if known.is_closed || node.cost >= known.cost || !counts_cost {
                    return Ok(Generated::Known);
                }
                *known = Node { bound: known.bound, ..node };
                let priority = u32::from(known.cost) + u32::from(known.bound);
                self.open.push(priority, id);
                Ok(Generated::Known)
            }
            Entry::Vacant(entry) => {
                let Some(bound) = distances.bound(node.boxes) else { return Ok(Generated::Dead) };
                node.bound = bound;
                entry.insert(id);
                nodes.push(node);
                let priority = self.priority(&node);
                self.open.push(priority, id);
                Ok(Generated::New(id))
            }
        }
    }

    /// Generates the successors of a position; returns the last position of a solution if it is one of them.
    fn expand(&mut self, id: u32, priority: u32) -> Result<Option<u32>, Stop> {
        let node = self.nodes[id as usize];
        let free = self.board.floor() & !node.boxes;
        let reach = self.board.flood(1 << node.zone, free);
        let (mut n_generated, mut n_known, mut end) = (0, 0, None);
        let mut deadlocks = self.stats.deadlocks.unwrap_or_default();
        for dir in Direction::ALL {
            let n_dead = u64::from(self.board.pushable_to_dead(node.boxes, reach, dir).count_ones());
            deadlocks.dead_squares += n_dead;
            n_generated += n_dead;
            for from in each(self.board.pushable(node.boxes, reach, dir)) {
                n_generated += 1;
                let to = self.board.step(from, dir);
                let boxes = node.boxes ^ from ^ to;
                if to & self.board.goals() == 0 && self.board.is_frozen_off_goal(boxes) {
                    deadlocks.frozen += 1;
                    continue;
                }
                let successor = Node {
                    boxes,
                    parent: id,
                    cost: node.cost + 1,
                    bound: 0,
                    zone: self.zone(boxes, from),
                    pushed_from: number(from),
                    dir,
                    is_closed: false,
                };
                match self.generate(successor)? {
                    Generated::Known => n_known += 1,
                    Generated::Dead => deadlocks.unmatched += 1,
                    Generated::New(id) => {
                        let is_solved = self.nodes[id as usize].bound == 0;
                        let is_best = !self.counts_cost() || u32::from(node.cost) < priority;
                        end = end.or((is_solved && is_best).then_some(id));
                    }
                }
            }
        }
        self.stats.expanded += 1;
        let add = |sum: &mut Option<u64>, more: u64| *sum = sum.map(|sum| sum + more);
        add(&mut self.stats.generated, n_generated);
        add(&mut self.stats.duplicates, n_known);
        self.stats = self.stats.with_deadlocks(deadlocks);
        self.stats.max_depth = self.stats.max_depth.max(Some(u64::from(node.cost)));
        Ok(end)
    }

    fn pushes(&self, mut id: u32) -> Vec<Push> {
        let mut pushes = Vec::new();
        while let Some(node) = self.nodes.get(id as usize).filter(|node| node.parent != Node::ROOT) {
            pushes.push(self.board.push(1 << node.pushed_from, node.dir));
            id = node.parent;
        }
        pushes.reverse();
        pushes
    }
}

impl Search for CompactPushSearch {
    fn name(&self) -> &str {
        COMPACT
    }

    fn resume(&mut self, meter: &mut WorkMeter) -> Result<Verdict, Stop> {
        self.prepare(meter)?;
        let limit = if self.counts_cost() { meter.upper_bound() } else { u64::MAX };
        while let (None, Some((priority, id))) = (self.end, self.open.pop()) {
            let node = &self.nodes[id as usize];
            if node.is_closed || self.priority(node) != priority {
                continue;
            }
            if u64::from(priority) >= limit {
                self.proved = limit;
                return Ok(Verdict::NoneBetter);
            }
            if self.stats.expanded.is_multiple_of(EXPANSIONS_PER_TICK)
                && let Err(stop) = meter.tick()
            {
                self.open.push(priority, id);
                return Err(stop);
            }
            if self.counts_cost() {
                self.proved = u64::from(priority);
            }
            if node.bound == 0 {
                self.end = Some(id);
                break;
            }
            self.nodes[id as usize].is_closed = true;
            self.end = self.expand(id, priority)?;
        }
        match self.end {
            Some(id) => {
                if self.counts_cost() {
                    self.proved = u64::from(self.nodes[id as usize].cost);
                }
                Ok(Verdict::Solved(self.pushes(id)))
            }
            None if limit < u64::MAX => {
                self.proved = limit;
                Ok(Verdict::NoneBetter)
            }
            None => Ok(Verdict::Unsolvable),
        }
    }

    fn n_nodes(&self) -> u64 {
        self.stats.expanded
    }

    fn stats(&self) -> SearchStats {
        self.stats
    }

    fn proved_cost(&self) -> u64 {
        self.proved
    }
}
