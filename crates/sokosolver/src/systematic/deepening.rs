//! Depth first within a limit that rises: IDA* and iterative deepening.
//!
//! Only the positions of one line are held, with the children that are still to be tried. A table keeps the least
//! cost at which a position was entered under the present limit, so that it is not searched twice; when the table is
//! full it takes no more, and the search goes on with what it has.
//!
//! **Invariant**: when a round is over, every position within its limit was searched, so a solution of the next round
//! costs exactly that round's limit and no other costs less.

use std::sync::Arc;

use sokocore::Push;
use sokosearch::Stop;

use super::aids::Aids;
use super::cost::CostRule;
use super::expander::{Child, Expander};
use super::home::roots;
use super::tables::TableMaker;
use crate::bits::Bits;
use crate::ground::{Ground, Way};
use crate::table::{Entry, Node, Table};
use crate::{Algorithm, Effort, Heading, Search, Settings, Verdict};

/// A search in rounds.
#[derive(Debug)]
pub(crate) struct Deepening<const W: usize> {
    ground: Arc<Ground>,
    aids: Aids,
    settings: Settings,
    way: Way,
    rule: CostRule,
    maker: Option<TableMaker>,
    engine: Option<(Expander<W>, Table<W>)>,
    roots: Vec<(Bits<W>, u16)>,
    next_root: usize,
    line: Vec<Frame<W>>,
    limit: u64,
    next_limit: u64,
    round: u16,
    n_expanded: u64,
}

/// A position of the line.
#[derive(Debug)]
struct Frame<const W: usize> {
    cost: u32,
    came: u16,
    children: Vec<Child<W>>,
}

impl<const W: usize> Deepening<W> {
    pub(crate) fn new(ground: Arc<Ground>, aids: Aids, settings: Settings) -> Self {
        let way = if settings.heading == Heading::Backward { Way::Backward } else { Way::Forward };
        Self {
            way,
            rule: CostRule::of(&settings),
            maker: None,
            engine: None,
            roots: Vec::new(),
            next_root: 0,
            line: Vec::new(),
            limit: 0,
            next_limit: 0,
            round: 0,
            n_expanded: 0,
            settings,
            aids: if way == Way::Forward { aids } else { Aids::default() },
            ground,
        }
    }

    fn limit_of(&self, cost: u32, bound: u16) -> u64 {
        let ahead = if self.settings.algorithm == Algorithm::Iddfs { 0 } else { self.rule.of_bound(bound) };
        u64::from(cost) + u64::from(ahead)
    }

    /// Enters a position if it is within the limit and not known to have been searched.
    fn enter(&mut self, boxes: Bits<W>, player: u16, cost: u32, came: u16, is_root: bool) {
        let Some((expander, table)) = &mut self.engine else { return };
        let Some(bound) = expander.bound(&boxes, player) else { return };
        let ahead = if self.settings.algorithm == Algorithm::Iddfs { 0 } else { self.rule.of_bound(bound) };
        let least = u64::from(cost) + u64::from(ahead);
        if least > self.limit {
            self.next_limit = self.next_limit.min(least);
            return;
        }
        let node = Node { boxes, parent: Node::<W>::ROOT, cost, player, came, bound: self.round, flags: 0 };
        // A solved start has to be found again.
        if !is_root && let Entry::Known(id) = table.insert(node) {
            let known = table.node_mut(id);
            if known.bound == self.round && known.cost <= cost {
                return;
            }
            (known.bound, known.cost) = (self.round, cost);
        }
        self.n_expanded += 1;
        let mut children = Vec::new();
        expander.children(&boxes, player, &mut children);
        // The last one is tried first.
        children.sort_by_key(|child| std::cmp::Reverse(child.bound));
        self.line.push(Frame { cost, came, children });
    }

    /// Starts the next line; false if there is none.
    fn next_line(&mut self) -> bool {
        if self.next_root == self.roots.len() {
            if self.next_limit == u64::MAX {
                return false;
            }
            (self.limit, self.next_limit, self.next_root) = (self.next_limit, u64::MAX, 0);
            self.round = self.round.wrapping_add(1);
        }
        if let Some(&(boxes, player)) = self.roots.get(self.next_root) {
            self.next_root += 1;
            self.enter(boxes, player, 0, 0, true);
        }
        true
    }

    fn solution(&self, last: u16) -> Vec<Push> {
        let came = self.line.iter().skip(1).map(|frame| frame.came).chain([last]);
        let mut pushes: Vec<Push> = came.map(|came| self.ground.push(came / 4, usize::from(came % 4))).collect();
        if self.way == Way::Backward {
            pushes.reverse();
        }
        pushes
    }

    fn prepare(&mut self, effort: &mut Effort) -> Result<bool, Stop> {
        if self.engine.is_some() {
            return Ok(true);
        }
        let exact = self.rule != CostRule::Pushes;
        let Some(roots) = roots(&self.ground, self.way, exact) else { return Ok(false) };
        let maker = self.maker.get_or_insert_with(|| TableMaker::new(&self.ground, self.way, &self.settings, effort));
        maker.go_on(&self.ground, effort)?;
        let table = Table::new(effort.memory(), self.settings.table_bytes)?;
        if let Some(maker) = self.maker.take() {
            let tables = maker.finish(&self.ground, effort);
            let aids = self.aids.clone();
            let ground = self.ground.clone();
            let expander = Expander::new(ground, self.way, &self.settings, tables, aids, effort);
            self.engine = Some((expander, table));
            (self.next_root, self.roots) = (roots.len(), roots);
        }
        Ok(true)
    }
}

impl<const W: usize> Search for Deepening<W> {
    fn name(&self) -> &'static str {
        if self.settings.algorithm == Algorithm::Iddfs { "iddfs" } else { "ida-star" }
    }

    fn n_nodes(&self) -> u64 {
        self.n_expanded
    }

    fn go_on(&mut self, effort: &mut Effort) -> Result<Verdict, Stop> {
        if !self.prepare(effort)? {
            return Ok(Verdict::GaveUp);
        }
        loop {
            effort.tick()?;
            let Some(frame) = self.line.last_mut() else {
                if self.next_line() {
                    continue;
                }
                return Ok(Verdict::Unsolvable);
            };
            let Some(child) = frame.children.pop() else {
                self.line.pop();
                continue;
            };
            let Some(cost) = frame.cost.checked_add(child.cost) else { continue };
            if let Some(end) = child.end {
                let whole = u64::from(cost) + u64::from(end);
                if whole <= self.limit {
                    return Ok(Verdict::Solved(self.solution(child.came)));
                }
                self.next_limit = self.next_limit.min(whole);
            }
            let least = self.limit_of(cost, child.bound);
            if least > self.limit {
                self.next_limit = self.next_limit.min(least);
            } else {
                self.enter(child.boxes, child.player, cost, child.came, false);
            }
        }
    }
}
