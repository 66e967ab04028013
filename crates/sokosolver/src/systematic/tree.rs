//! The tree of one direction: its nodes, its queue, and one expansion at a time.

use std::collections::VecDeque;
use std::sync::Arc;

use sokocore::Push;
use sokosearch::Stop;

use super::aids::Aids;
use super::cost::{CostRule, priority};
use super::expander::{Child, Expander};
use super::home::roots;
use super::tables::Tables;
use crate::bits::Bits;
use crate::ground::{Ground, Way};
use crate::open_list::OpenList;
use crate::table::{Entry, Node, Table};
use crate::{Algorithm, Effort, SearchStats, Settings};

/// A position that was reached for the first time, or at less cost than before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) id: u32,
    pub(crate) cost: u32,
    /// What it takes to end the search here, if it can.
    pub(crate) end: Option<u32>,
}

/// What one direction has found.
#[derive(Debug)]
pub(crate) struct Tree<const W: usize> {
    way: Way,
    algorithm: Algorithm,
    rule: CostRule,
    expander: Expander<W>,
    table: Table<W>,
    open: OpenList,
    children: Vec<Child<W>>,
    is_complete: bool,
    /// The greatest cost of a node that was the least of all that waited, while nothing was left out.
    reached: u64,
    n_expanded: u64,
    n_children: u64,
    n_known: u64,
    n_reopened: u64,
    /// Positions expanded that were lost.
    n_lost: u64,
    /// The greatest cost of a position expanded.
    max_cost: u32,
    n_put_off: u64,
    /// The least bounds of roots, and of nodes expanded.
    root_bound: u16,
    least_bound: u16,
}

impl<const W: usize> Tree<W> {
    /// What a box on a goal whose turn has not come counts for, in pushes.
    const EARLY: u64 = 4;

    /// Plants a tree; `None` if this direction has too many positions to start from.
    pub(crate) fn new(
        ground: &Arc<Ground>,
        way: Way,
        settings: &Settings,
        tables: Tables<W>,
        aids: Aids,
        effort: &Effort,
    ) -> Result<Option<Self>, Stop> {
        let rule = CostRule::of(settings);
        let Some(roots) = roots::<W>(ground, way, rule != CostRule::Pushes) else { return Ok(None) };
        let open = match settings.algorithm {
            Algorithm::Bfs if rule == CostRule::Pushes => OpenList::Fifo(VecDeque::new()),
            Algorithm::Dfs => OpenList::Lifo(Vec::new()),
            _ => OpenList::buckets(),
        };
        let mut tree = Self {
            way,
            algorithm: settings.algorithm,
            rule,
            expander: Expander::new(ground.clone(), way, settings, tables, aids, effort),
            table: Table::new(effort.memory(), settings.table_bytes)?,
            open,
            children: Vec::new(),
            is_complete: true,
            reached: 0,
            n_expanded: 0,
            n_children: 0,
            n_known: 0,
            n_reopened: 0,
            n_lost: 0,
            max_cost: 0,
            n_put_off: 0,
            root_bound: u16::MAX,
            least_bound: u16::MAX,
        };
        let starts_solved = Ground::set::<W>(ground.starts()).is_within(&Ground::set(ground.goals()));
        for (boxes, player) in roots {
            tree.plant(boxes, player, starts_solved)?;
        }
        Ok(Some(tree))
    }

    /// A solution has a push at least: where the start is solved, roots must not be found again.
    fn plant(&mut self, boxes: Bits<W>, player: u16, starts_solved: bool) -> Result<(), Stop> {
        let Some(bound) = self.expander.bound(&boxes, player) else { return Ok(()) };
        self.root_bound = self.root_bound.min(bound);
        let parent = Node::<W>::ROOT;
        let node = Node { boxes, parent, cost: 0, player, came: 0, bound, flags: Node::<W>::EXACT };
        let id = if starts_solved {
            self.table.keep(node).ok_or(Stop::Memory)?
        } else {
            match self.table.insert(node) {
                Entry::New(id) | Entry::Known(id) => id,
                Entry::Full => return Err(Stop::Memory),
            }
        };
        self.open.push(self.priority(&boxes, 0, bound), id);
        Ok(())
    }

    pub(crate) const fn way(&self) -> Way {
        self.way
    }

    pub(crate) const fn table(&self) -> &Table<W> {
        &self.table
    }

    /// Returns the pushes between a node and its root, the node's own first.
    pub(crate) fn pushes(&self, ground: &Ground, id: u32) -> impl Iterator<Item = Push> {
        // The root was reached by no push.
        let steps = self.table.line(id).filter(|node| node.parent != Node::<W>::ROOT);
        steps.map(|node| ground.push(node.came / 4, usize::from(node.came % 4)))
    }

    /// Returns how many nodes were expanded.
    pub(crate) const fn n_expanded(&self) -> u64 {
        self.n_expanded
    }

    /// Returns what the tree has counted.
    pub(crate) fn stats(&self) -> SearchStats {
        let pruned = self.expander.n_pruned();
        SearchStats {
            expanded: self.n_expanded,
            generated: Some(self.n_children + pruned),
            duplicates: Some(self.n_known),
            reopened: Some(self.n_reopened),
            pruned: Some(pruned + self.n_lost),
            max_depth: self.rule.depth(self.max_cost),
        }
    }

    /// Returns what every solution costs at least that was not pruned by a limit, for searches that count costs: the
    /// least cost through a node that waits, `u64::MAX` if none does. Once something is left out for want of memory it
    /// is not raised any more.
    pub(crate) fn reached(&self) -> u64 {
        if self.is_complete { self.least_cost().unwrap_or(u64::MAX).max(self.reached) } else { self.reached }
    }

    /// Returns what part of the way the best node is along, by the bounds.
    pub(crate) fn promise(&self) -> f64 {
        let left = f64::from(self.least_bound.min(self.root_bound));
        if self.root_bound == 0 { 0.0 } else { 1.0 - left / f64::from(self.root_bound) }
    }

    /// Returns how many nodes wait.
    pub(crate) fn n_open(&self) -> usize {
        self.open.len()
    }

    /// Returns whether nothing was left out that could be part of a solution.
    pub(crate) const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns the least cost of a solution through a node that waits, for searches that count it.
    pub(crate) fn least_cost(&self) -> Option<u64> {
        match self.open.oldest() {
            Some(id) => Some(u64::from(self.table.node(id).cost)),
            None => self.open.least().map(|priority| priority >> 16),
        }
    }

    /// Expands the first node that waits; false if none does. Arrivals are added to `arrivals`.
    ///
    /// # Errors
    /// The slice or the budget is used up; the node is then still waiting.
    pub(crate) fn expand_next(
        &mut self,
        limit: u64,
        arrivals: &mut Vec<Arrival>,
        effort: &mut Effort,
    ) -> Result<bool, Stop> {
        arrivals.clear();
        effort.tick()?;
        let Some((waited, id)) = self.open.pop() else { return Ok(self.takes_up()) };
        let node = *self.table.node(id);
        if node.flags & Node::<W>::CLOSED != 0 {
            return Ok(true);
        }
        let Some(bound) = self.expander.bound(&node.boxes, node.player) else {
            self.n_lost += 1;
            self.table.node_mut(id).flags |= Node::<W>::CLOSED;
            return Ok(true);
        };
        let bound = bound.max(node.bound);
        let now = self.priority(&node.boxes, node.cost, bound);
        if now > self.priority(&node.boxes, node.cost, node.bound) {
            self.table.node_mut(id).bound = bound;
            if self.open.least().is_some_and(|least| now > least) {
                self.open.push(now, id);
                return Ok(true);
            }
        }
        if self.is_complete {
            // No other node waits for less than this one did. It may have waited twice, for less than it takes by now.
            self.reached = self.reached.max(now.min(waited) >> 16);
        }
        self.table.node_mut(id).flags |= Node::<W>::CLOSED;
        self.n_expanded += 1;
        self.max_cost = self.max_cost.max(node.cost);
        self.least_bound = self.least_bound.min(bound);
        let mut children = std::mem::take(&mut self.children);
        self.expander.children(&node.boxes, node.player, &mut children);
        self.n_children += children.len() as u64;
        effort.count(children.len() as u64 + self.expander.take_work());
        if self.expander.has_put_off() {
            self.table.node_mut(id).flags |= Node::<W>::PUT_OFF;
            self.n_put_off += 1;
        }
        for child in &children {
            self.arrive(id, &node, child, limit, arrivals);
        }
        if !children.is_empty()
            && let Some(pushes) = self.expander.cut(&node.boxes)
        {
            self.follow(id, &node, &pushes, arrivals);
        }
        self.children = children;
        if self.counts_cost() && !self.is_complete {
            // Without room there is no proof; without a proof there is no use in going on.
            return Err(Stop::Memory);
        }
        Ok(true)
    }

    fn arrive(&mut self, parent: u32, from: &Node<W>, child: &Child<W>, limit: u64, arrivals: &mut Vec<Arrival>) {
        let Ok(cost) = u32::try_from(self.rule.sum(from.cost.into(), child.cost.into())) else {
            self.is_complete = false;
            return;
        };
        if self.rule.least(cost, child.bound) >= limit {
            return;
        }
        // What is left is at most one push less than before, so a parent's bound helps its children.
        let bound = child.bound.max(from.bound.saturating_sub(1));
        let Child { boxes, player, came, end, .. } = *child;
        let node = Node { boxes, parent, cost, player, came, bound, flags: 0 };
        let id = match self.table.insert(node) {
            Entry::New(id) => id,
            Entry::Known(id) => {
                self.n_known += 1;
                if !self.counts_cost() || cost >= self.table.node(id).cost {
                    return;
                }
                let known = self.table.node_mut(id);
                self.n_reopened += u64::from(known.flags & Node::<W>::CLOSED != 0);
                (known.parent, known.cost, known.came) = (parent, cost, came);
                known.flags &= !Node::<W>::CLOSED;
                id
            }
            Entry::Full => match self.make_room(self.priority(&boxes, cost, bound)).then(|| self.table.insert(node)) {
                Some(Entry::New(id)) => id,
                _ => return,
            },
        };
        let bound = self.table.node(id).bound;
        self.open.push(self.priority(&boxes, cost, bound), id);
        arrivals.push(Arrival { id, cost, end });
    }

    /// Adds the positions along a way that was found in one go. They count as others do, the last one by its own bound.
    fn follow(&mut self, mut at: u32, from: &Node<W>, pushes: &[(u16, usize)], arrivals: &mut Vec<Arrival>) {
        let (mut boxes, mut cost, mut bound) = (from.boxes, from.cost, from.bound);
        for (n, &push) in (1..).zip(pushes) {
            let Some(child) = self.expander.pushed(&boxes, push) else { return };
            boxes = child.boxes;
            (cost, bound) = (cost + child.cost, bound.saturating_sub(1));
            if n == pushes.len() {
                let Some(exact) = self.expander.bound(&boxes, child.player) else { return };
                bound = bound.max(exact);
            }
            let flags = if n < pushes.len() { Node::<W>::KEPT } else { 0 };
            let (player, came) = (child.player, child.came);
            at = match self.table.insert(Node { boxes, parent: at, cost, player, came, bound, flags }) {
                Entry::Known(id) => {
                    self.table.node_mut(id).flags |= flags;
                    id
                }
                Entry::New(id) => {
                    self.open.push(self.priority(&boxes, cost, bound), id);
                    arrivals.push(Arrival { id, cost, end: child.end });
                    id
                }
                Entry::Full => return,
            };
        }
    }

    /// Takes up again, once nothing else waits, the nodes of which something was put off; false if there are none.
    fn takes_up(&mut self) -> bool {
        if self.n_put_off == 0 {
            return false;
        }
        self.n_put_off = 0;
        self.expander.stop_putting_off();
        for id in 0..self.table.n_ids() {
            let Node { boxes, cost, bound, flags, .. } = *self.table.node(id);
            if flags & Node::<W>::PUT_OFF != 0 {
                self.table.node_mut(id).flags = flags & !(Node::<W>::PUT_OFF | Node::<W>::CLOSED);
                self.open.push(self.priority(&boxes, cost, bound), id);
            }
        }
        true
    }

    /// Releases nodes that would wait longer than one of this priority; false if none would.
    fn make_room(&mut self, priority: u64) -> bool {
        const AT_ONCE: usize = 64;
        self.is_complete = false;
        let mut n_released = 0;
        while n_released < AT_ONCE {
            let Some(id) = self.open.pop_worst() else { break };
            let node = self.table.node(id);
            let worst = self.priority(&node.boxes, node.cost, node.bound);
            let stays = Node::<W>::CLOSED | Node::<W>::KEPT;
            if worst <= priority || node.flags & stays != 0 || node.parent == Node::<W>::ROOT {
                self.open.push(worst, id);
                break;
            }
            self.table.release(id);
            n_released += 1;
        }
        n_released > 0
    }

    fn counts_cost(&self) -> bool {
        matches!(self.algorithm, Algorithm::AStar | Algorithm::Bfs)
    }

    fn priority(&self, boxes: &Bits<W>, cost: u32, bound: u16) -> u64 {
        let early = self.expander.n_early(boxes) as u64;
        priority(self.algorithm, self.rule, cost, bound) + early * Self::EARLY
    }
}
