//! The search tree of one direction: its nodes, its open list, and one expansion at a time.

use std::collections::VecDeque;
use std::sync::Arc;

use sokocore::{FloorSquare, Push};
use sokosearch::Stop;

use super::cost::{CostRule, priority};
use super::expander::{Child, Expander};
use super::level_source::LevelSource;
use super::tables::SearchTables;
use crate::board::bit_set::BitSet;
use crate::board::{FloorPush, SearchBoard, SearchDirection};
use crate::part_times::Part;
use crate::store::open_list::OpenList;
use crate::store::packed_push::PackedPush;
use crate::store::transposition_table::{Insertion, SearchNode, TranspositionTable};
use crate::systematic::start_positions::roots;
use crate::{Algorithm, BoundWeight, DeadlockStats, PartTimes, SearchStats, Settings, WorkMeter};

/// A position that was reached for the first time, or at less cost than before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) id: u32,
    pub(crate) cost: u32,
    /// The additional cost at which it ends the search, if it does.
    pub(crate) end: Option<u32>,
}

/// The search tree of one direction.
#[derive(Debug)]
pub(crate) struct SearchTree<const W: usize> {
    direction: SearchDirection,
    algorithm: Algorithm,
    bound_weight: BoundWeight,
    rule: CostRule,
    expander: Expander<W>,
    table: TranspositionTable<W>,
    open: OpenList,
    children: Vec<Child<W>>,
    is_complete: bool,
    /// The greatest least cost of the open list so far, while nothing was left out: a proved lower bound.
    proved_cost: u64,
    n_expanded: u64,
    n_children: u64,
    n_known: u64,
    n_reopened: u64,
    /// Open positions that turned out to be lost.
    n_lost: u64,
    /// The greatest cost of a position expanded.
    max_cost: u32,
    /// The most pushes or pulls to a position that was of the greatest cost when it was expanded.
    max_depth: u64,
    n_postponed: u64,
    /// The least bounds of the roots, and of the nodes expanded.
    root_bound: u16,
    least_bound: u16,
}

impl<const W: usize> SearchTree<W> {
    /// The penalty, in pushes, of a box on a goal before its turn in the goal order.
    const EARLY: u64 = 4;

    /// Makes the tree with its roots; `None` if this direction has too many start positions.
    pub(crate) fn new(
        board: &Arc<SearchBoard>,
        direction: SearchDirection,
        settings: &Settings,
        tables: SearchTables<W>,
        source: &LevelSource,
        meter: &WorkMeter,
    ) -> Result<Option<Self>, Stop> {
        let rule = CostRule::of(settings);
        let Some(roots) = roots::<W>(board, direction, rule.player_key()) else { return Ok(None) };
        let open = match settings.algorithm {
            Algorithm::Bfs if rule == CostRule::Pushes => OpenList::Fifo(VecDeque::new()),
            Algorithm::Dfs => OpenList::Lifo(Vec::new()),
            _ => OpenList::buckets(),
        };
        let mut tree = Self {
            direction,
            algorithm: settings.algorithm,
            bound_weight: settings.bound_weight,
            rule,
            expander: Expander::new(board.clone(), direction, settings, tables, source, meter),
            table: TranspositionTable::new(meter.memory(), settings.table_bytes)?,
            open,
            children: Vec::new(),
            is_complete: true,
            proved_cost: 0,
            n_expanded: 0,
            n_children: 0,
            n_known: 0,
            n_reopened: 0,
            n_lost: 0,
            max_cost: 0,
            max_depth: 0,
            n_postponed: 0,
            root_bound: u16::MAX,
            least_bound: u16::MAX,
        };
        let starts_solved = SearchBoard::set::<W>(board.starts()).is_within(&SearchBoard::set(board.goals()));
        for (boxes, player) in roots {
            tree.add_root(boxes, player, starts_solved)?;
        }
        Ok(Some(tree))
    }

    /// Adds a root. A solution has at least one push: if the start is solved, lookups must not find the roots.
    fn add_root(&mut self, boxes: BitSet<W>, player: FloorSquare, starts_solved: bool) -> Result<(), Stop> {
        let Some(bound) = self.expander.bound(&boxes, player) else { return Ok(()) };
        self.root_bound = self.root_bound.min(bound);
        let parent = SearchNode::<W>::ROOT;
        let (packed_push, flags) = (PackedPush::default(), SearchNode::<W>::EXACT);
        let node = SearchNode { boxes, parent, cost: 0, player, packed_push, bound, flags };
        let id = if starts_solved {
            self.table.keep(node).ok_or(Stop::Memory)?
        } else {
            match self.table.insert(node) {
                Insertion::New(id) | Insertion::Known(id) => id,
                Insertion::Full => return Err(Stop::Memory),
            }
        };
        self.open.push(self.priority(&boxes, 0, bound), id);
        Ok(())
    }

    pub(crate) const fn direction(&self) -> SearchDirection {
        self.direction
    }

    pub(crate) const fn table(&self) -> &TranspositionTable<W> {
        &self.table
    }

    /// Returns the pushes between a node and its root, the node's own first.
    pub(crate) fn pushes(&self, board: &SearchBoard, id: u32) -> impl Iterator<Item = Push> {
        // The root has no push.
        let steps = self.table.path(id).filter(|node| node.parent != SearchNode::<W>::ROOT);
        steps.map(|node| board.push(node.packed_push.unpack()))
    }

    /// Returns how many nodes were expanded.
    pub(crate) const fn n_expanded(&self) -> u64 {
        self.n_expanded
    }

    /// Returns the pushes or pulls from the root to a node. They are looked at only where the cost does not tell them.
    fn depth_of(&self, id: u32, cost: u32) -> u64 {
        self.rule.depth(cost).unwrap_or_else(|| self.table.path(id).count() as u64 - 1)
    }

    /// Returns what the tree has counted.
    pub(crate) fn stats(&self) -> SearchStats {
        let pruned = self.expander.deadlocks_found();
        let stats = SearchStats {
            expanded: self.n_expanded,
            generated: Some(self.n_children + pruned.sum()),
            duplicates: Some(self.n_known),
            reopened: Some(self.n_reopened),
            max_depth: Some(self.max_depth),
            ..SearchStats::default()
        };
        stats.with_deadlocks(DeadlockStats { expanded: self.n_lost, ..pruned })
    }

    /// Returns how some expansions have divided their time.
    pub(crate) const fn part_times(&self) -> PartTimes {
        self.expander.sampler.times()
    }

    /// Returns a proved lower bound of the solutions that were not pruned by a limit, for searches that count costs:
    /// the least cost through an open node, `u64::MAX` if there is none. It is not raised any more once nodes were
    /// dropped for lack of memory.
    pub(crate) fn proved_cost(&self) -> u64 {
        if self.is_complete { self.least_cost().unwrap_or(u64::MAX).max(self.proved_cost) } else { self.proved_cost }
    }

    /// Returns the progress of the best node, 0 to 1, by its bound and the bound of the root.
    pub(crate) fn progress_estimate(&self) -> f64 {
        let left = f64::from(self.least_bound.min(self.root_bound));
        if self.root_bound == 0 { 0.0 } else { 1.0 - left / f64::from(self.root_bound) }
    }

    /// Returns the number of open nodes.
    pub(crate) fn n_open(&self) -> usize {
        self.open.len()
    }

    /// Returns whether nothing was dropped that could be part of a solution.
    pub(crate) const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns the least cost of a solution through an open node, for searches that count costs. The order of a weighted
    /// search tells nothing about it: then 0 while a node is open.
    pub(crate) fn least_cost(&self) -> Option<u64> {
        if self.is_weighted() {
            return self.open.least().map(|_| 0);
        }
        match self.open.oldest() {
            Some(id) => Some(u64::from(self.table.node(id).cost)),
            None => self.open.least().map(|priority| priority >> 16),
        }
    }

    /// Expands the first open node; false if there is none. Fills `arrivals`.
    ///
    /// # Errors
    /// The slice or the budget is used up; the node is then still open.
    pub(crate) fn expand_next(
        &mut self,
        limit: u64,
        arrivals: &mut Vec<Arrival>,
        meter: &mut WorkMeter,
    ) -> Result<bool, Stop> {
        arrivals.clear();
        meter.tick()?;
        self.expander.sampler.begin(Part::Storage);
        let Some((open_priority, id)) = self.open.pop() else { return Ok(self.resume_postponed()) };
        let node = *self.table.node(id);
        if node.flags & SearchNode::<W>::CLOSED != 0 {
            return Ok(true);
        }
        let Some(bound) = self.expander.bound(&node.boxes, node.player) else {
            self.n_lost += 1;
            self.table.node_mut(id).flags |= SearchNode::<W>::CLOSED;
            return Ok(true);
        };
        let bound = bound.max(node.bound);
        if self.is_weighted() && self.rule.least(node.cost, bound) >= limit {
            // The limit has fallen since the node was generated, or its bound has risen.
            self.table.node_mut(id).flags |= SearchNode::<W>::CLOSED;
            return Ok(true);
        }
        let now = self.priority(&node.boxes, node.cost, bound);
        if now > self.priority(&node.boxes, node.cost, node.bound) {
            self.table.node_mut(id).bound = bound;
            if self.open.least().is_some_and(|least| now > least) {
                self.open.push(now, id);
                return Ok(true);
            }
        }
        if self.is_complete && !self.is_weighted() {
            // No open node has a lower priority than this entry, which may be outdated and lower than the node's own.
            self.proved_cost = self.proved_cost.max(now.min(open_priority) >> 16);
        }
        self.table.node_mut(id).flags |= SearchNode::<W>::CLOSED;
        self.n_expanded += 1;
        if node.cost > self.max_cost {
            self.max_cost = node.cost;
            self.max_depth = self.max_depth.max(self.depth_of(id, node.cost));
        }
        self.least_bound = self.least_bound.min(bound);
        let mut children = std::mem::take(&mut self.children);
        self.expander.children(&node.boxes, node.player, &mut children);
        self.n_children += children.len() as u64;
        meter.count(children.len() as u64 + self.expander.take_work());
        if self.expander.has_postponed() {
            self.table.node_mut(id).flags |= SearchNode::<W>::POSTPONED;
            self.n_postponed += 1;
        }
        for child in &children {
            self.arrive(id, &node, child, limit, arrivals);
        }
        if !children.is_empty()
            && let Some(pushes) = self.expander.cut(&node.boxes)
        {
            self.add_macro(id, &node, &pushes, arrivals);
        }
        self.children = children;
        self.expander.sampler.end();
        if self.counts_cost() && !self.is_complete {
            // Without memory there is no proof, and without a proof no use in further search.
            return Err(Stop::Memory);
        }
        Ok(true)
    }

    fn arrive(&mut self, parent: u32, from: &SearchNode<W>, child: &Child<W>, limit: u64, arrivals: &mut Vec<Arrival>) {
        let Ok(cost) = u32::try_from(self.rule.sum(from.cost.into(), child.cost.into())) else {
            self.is_complete = false;
            return;
        };
        if self.rule.least(cost, child.bound) >= limit {
            return;
        }
        // Pathmax: at most one push less is left than before, so the parent's bound less one holds for its children.
        let bound = child.bound.max(from.bound.saturating_sub(1));
        let Child { boxes, player, packed_push, end, .. } = *child;
        let node = SearchNode { boxes, parent, cost, player, packed_push, bound, flags: 0 };
        let id = match self.table.insert(node) {
            Insertion::New(id) => id,
            Insertion::Known(id) => {
                self.n_known += 1;
                if !self.counts_cost() || cost >= self.table.node(id).cost {
                    return;
                }
                let known = self.table.node_mut(id);
                self.n_reopened += u64::from(known.flags & SearchNode::<W>::CLOSED != 0);
                (known.parent, known.cost, known.packed_push) = (parent, cost, packed_push);
                known.flags &= !SearchNode::<W>::CLOSED;
                id
            }
            Insertion::Full => {
                match self.make_room(self.priority(&boxes, cost, bound)).then(|| self.table.insert(node)) {
                    Some(Insertion::New(id)) => id,
                    _ => return,
                }
            }
        };
        let bound = self.table.node(id).bound;
        self.open.push(self.priority(&boxes, cost, bound), id);
        arrivals.push(Arrival { id, cost, end });
    }

    /// Adds the positions along a goal cut. They are nodes like others; the last one gets an exact bound.
    fn add_macro(&mut self, mut at: u32, from: &SearchNode<W>, pushes: &[FloorPush], arrivals: &mut Vec<Arrival>) {
        let (mut boxes, mut cost, mut bound) = (from.boxes, from.cost, from.bound);
        for (n, &push) in (1..).zip(pushes) {
            let Some(child) = self.expander.pushed(&boxes, push) else { return };
            boxes = child.boxes;
            (cost, bound) = (cost + child.cost, bound.saturating_sub(1));
            if n == pushes.len() {
                let Some(exact) = self.expander.bound(&boxes, child.player) else { return };
                bound = bound.max(exact);
            }
            let flags = if n < pushes.len() { SearchNode::<W>::KEPT } else { 0 };
            let (player, packed_push) = (child.player, child.packed_push);
            at = match self.table.insert(SearchNode { boxes, parent: at, cost, player, packed_push, bound, flags }) {
                Insertion::Known(id) => {
                    self.table.node_mut(id).flags |= flags;
                    id
                }
                Insertion::New(id) => {
                    self.open.push(self.priority(&boxes, cost, bound), id);
                    arrivals.push(Arrival { id, cost, end: child.end });
                    id
                }
                Insertion::Full => return,
            };
        }
    }

    /// Opens the nodes with postponed pushes again, when no other node is open; false if there are none.
    fn resume_postponed(&mut self) -> bool {
        if self.n_postponed == 0 {
            return false;
        }
        self.n_postponed = 0;
        self.expander.stop_postponing();
        for id in 0..self.table.n_ids() {
            let SearchNode { boxes, cost, bound, flags, .. } = *self.table.node(id);
            if flags & SearchNode::<W>::POSTPONED != 0 {
                self.table.node_mut(id).flags = flags & !(SearchNode::<W>::POSTPONED | SearchNode::<W>::CLOSED);
                self.open.push(self.priority(&boxes, cost, bound), id);
            }
        }
        true
    }

    /// Releases open nodes of worse priority than this one; false if there is none.
    fn make_room(&mut self, priority: u64) -> bool {
        const BATCH: usize = 64;
        self.is_complete = false;
        let mut n_released = 0;
        while n_released < BATCH {
            let Some(id) = self.open.pop_worst() else { break };
            let node = self.table.node(id);
            let worst = self.priority(&node.boxes, node.cost, node.bound);
            let stays = SearchNode::<W>::CLOSED | SearchNode::<W>::KEPT;
            if worst <= priority || node.flags & stays != 0 || node.parent == SearchNode::<W>::ROOT {
                self.open.push(worst, id);
                break;
            }
            self.table.release(id);
            n_released += 1;
        }
        n_released > 0
    }

    /// Returns whether nodes are expanded by more than their least costs.
    fn is_weighted(&self) -> bool {
        self.algorithm == Algorithm::AStar && self.bound_weight != BoundWeight::ONE
    }

    fn counts_cost(&self) -> bool {
        matches!(self.algorithm, Algorithm::AStar | Algorithm::Bfs)
    }

    fn priority(&self, boxes: &BitSet<W>, cost: u32, bound: u16) -> u64 {
        let early = self.expander.n_early(boxes) as u64;
        priority(self.algorithm, self.bound_weight, self.rule, cost, bound) + early * Self::EARLY
    }
}
