//! Depth first within a limit that rises: IDA* and iterative deepening.
//!
//! Only the positions of one line are held, with the children that are still to be tried. A table keeps the least
//! cost at which a position was entered under the present limit, so that it is not searched twice; when the table is
//! full it takes no more, and the search goes on with what it has.
//!
//! From both sides it goes forward, and comes home where it enters a [`Perimeter`] of positions known by pulls.
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
use super::perimeter::{Gate, Perimeter};
use super::tables::TableMaker;
use crate::bits::Bits;
use crate::ground::{Ground, Way};
use crate::table::{Entry, Node, Table};
use crate::{Algorithm, Effort, Heading, Optimal, Search, SearchStats, Settings, Verdict};

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
    perimeter: Option<Perimeter<W>>,
    roots: Vec<(Bits<W>, u16)>,
    next_root: usize,
    line: Vec<Frame<W>>,
    limit: u64,
    next_limit: u64,
    round: u16,
    counts: Counts,
}

/// What a search in rounds counts, all rounds together.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    expanded: u64,
    children: u64,
    known: u64,
    /// Positions that were entered and are lost.
    lost: u64,
    depth: u64,
}

/// What is left to do from a position, as far as it matters in this round.
#[derive(Clone, Copy, Debug)]
enum Ahead {
    /// More than the limit allows.
    Nothing,
    /// It has to be searched.
    Search,
    /// A known way within the limit.
    Gate(Gate),
}

/// A position of the line.
#[derive(Debug)]
struct Frame<const W: usize> {
    cost: u32,
    /// The push to it; none for the start.
    came: Option<u16>,
    children: Vec<Child<W>>,
}

impl<const W: usize> Deepening<W> {
    /// The most that a node can cost.
    const MOST: u64 = u32::MAX as u64;

    pub(crate) fn new(ground: Arc<Ground>, aids: Aids, settings: Settings) -> Self {
        let way = if settings.heading == Heading::Backward { Way::Backward } else { Way::Forward };
        Self {
            way,
            rule: CostRule::of(&settings),
            maker: None,
            engine: None,
            perimeter: None,
            roots: Vec::new(),
            next_root: 0,
            line: Vec::new(),
            limit: 0,
            next_limit: 0,
            round: 0,
            counts: Counts::default(),
            settings,
            aids: if way == Way::Forward { aids } else { Aids::default() },
            ground,
        }
    }

    /// What a solution costs at least by the bound.
    fn least_of(&self, cost: u32, bound: u16) -> u64 {
        self.rule.least(cost, if self.settings.algorithm == Algorithm::Iddfs { 0 } else { bound })
    }

    /// Asks what is left to do from a position, and raises the next limit if it is too much for this round.
    fn look(&mut self, boxes: &Bits<W>, player: u16, cost: u32, bound: u16) -> Ahead {
        let mut least = self.least_of(cost, bound);
        if least <= self.limit
            && let Some(perimeter) = &mut self.perimeter
        {
            let gate = perimeter.gate(boxes, player);
            let rule = self.rule;
            let whole = gate.map_or(u64::MAX, |gate| rule.sum(gate.to_go, cost.into()));
            if let Some(gate) = gate.filter(|_| whole <= self.limit) {
                return Ahead::Gate(gate);
            }
            least = least.max(rule.sum(perimeter.floor(), cost.into()).min(whole));
        }
        if least <= self.limit {
            return Ahead::Search;
        }
        self.next_limit = self.next_limit.min(least);
        Ahead::Nothing
    }

    /// Goes on from a position unless it is too far from the end, or is known to have been searched. `came` is no push
    /// for the start.
    fn visit(&mut self, boxes: Bits<W>, player: u16, cost: u32, bound: u16, came: Option<u16>) -> Option<Vec<Push>> {
        match self.look(&boxes, player, cost, bound) {
            Ahead::Nothing => {}
            Ahead::Search => self.enter(boxes, player, cost, came),
            Ahead::Gate(gate) => return Some(self.solution(came, Some(gate))),
        }
        None
    }

    fn enter(&mut self, boxes: Bits<W>, player: u16, cost: u32, came: Option<u16>) {
        let Some(bound) = self.engine.as_mut().and_then(|(expander, _)| expander.bound(&boxes, player)) else {
            self.counts.lost += 1;
            return;
        };
        let least = self.least_of(cost, bound);
        if least > self.limit {
            self.next_limit = self.next_limit.min(least);
            return;
        }
        let Some((expander, table)) = &mut self.engine else { return };
        let push = came.unwrap_or(0);
        let node = Node { boxes, parent: Node::<W>::ROOT, cost, player, came: push, bound: self.round, flags: 0 };
        // A solved start has to be found again.
        if came.is_some()
            && let Entry::Known(id) = table.insert(node)
        {
            self.counts.known += 1;
            let known = table.node_mut(id);
            if known.bound == self.round && known.cost <= cost {
                return;
            }
            (known.bound, known.cost) = (self.round, cost);
        }
        self.counts.expanded += 1;
        self.counts.depth = self.counts.depth.max(self.line.len() as u64);
        let mut children = Vec::new();
        expander.children(&boxes, player, &mut children);
        self.counts.children += children.len() as u64;
        // The last one is tried first.
        children.sort_by_key(|child| std::cmp::Reverse(child.bound));
        self.line.push(Frame { cost, came, children });
    }

    /// Begins another round if the last one is over; returns what follows if none is left.
    fn next_round(&mut self, effort: &mut Effort) -> Result<Option<Verdict>, Stop> {
        if !self.line.is_empty() || self.next_root < self.roots.len() {
            return Ok(None);
        }
        if self.next_limit >= effort.ceiling() && effort.ceiling() < u64::MAX {
            self.limit = effort.ceiling();
            return Ok(Some(Verdict::NoneBetter));
        }
        if self.next_limit == u64::MAX {
            return Ok(Some(Verdict::Unsolvable));
        }
        if self.next_limit > Self::MOST {
            return Ok(Some(Verdict::GaveUp));
        }
        if let Some(perimeter) = &mut self.perimeter {
            perimeter.grow(self.counts.expanded, effort)?;
        }
        (self.limit, self.next_limit, self.next_root) = (self.next_limit, u64::MAX, 0);
        self.round = self.round.checked_add(1).unwrap_or_else(|| self.forget_rounds());
        Ok(None)
    }

    /// Makes the number of the first round free again: no position is known from any round. Returns that number.
    fn forget_rounds(&mut self) -> u16 {
        if let Some((_, table)) = &mut self.engine {
            (0..table.n_ids()).for_each(|id| table.node_mut(id).bound = 0);
        }
        1
    }

    /// Starts a line, or tries the next child of its last position; returns a solution if that is one.
    fn step(&mut self) -> Option<Vec<Push>> {
        let Some(frame) = self.line.last_mut() else {
            let (boxes, player) = *self.roots.get(self.next_root)?;
            self.next_root += 1;
            return self.visit(boxes, player, 0, 0, None);
        };
        let Some(child) = frame.children.pop() else {
            self.line.pop();
            return None;
        };
        let cost = self.rule.sum(frame.cost.into(), child.cost.into());
        let Ok(cost) = u32::try_from(cost) else {
            self.next_limit = self.next_limit.min(cost);
            return None;
        };
        if let Some(end) = child.end {
            let whole = self.rule.sum(cost.into(), end.into());
            if whole <= self.limit {
                return Some(self.solution(Some(child.came), None));
            }
            self.next_limit = self.next_limit.min(whole);
        }
        self.visit(child.boxes, child.player, cost, child.bound, Some(child.came))
    }

    /// The pushes of the line, one more, and those from a gate on.
    fn solution(&self, last: Option<u16>, gate: Option<Gate>) -> Vec<Push> {
        let came = self.line.iter().filter_map(|frame| frame.came).chain(last);
        let mut pushes: Vec<Push> = came.map(|came| self.ground.push(came / 4, usize::from(came % 4))).collect();
        if self.way == Way::Backward {
            pushes.reverse();
        }
        let beyond = self.perimeter.as_ref().zip(gate).map(|(perimeter, gate)| perimeter.pushes(gate));
        pushes.extend(beyond.into_iter().flatten());
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
            let is_met = self.settings.heading == Heading::Both;
            self.perimeter = is_met.then(|| Perimeter::new(&self.ground, &self.settings, effort));
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
        self.counts.expanded + self.perimeter.as_ref().map_or(0, Perimeter::n_expanded)
    }

    fn stats(&self) -> SearchStats {
        let Counts { expanded, children, known, lost, depth } = self.counts;
        let pruned = self.engine.as_ref().map_or(0, |(expander, _)| expander.n_pruned());
        let mut stats = SearchStats {
            expanded,
            generated: Some(children + pruned),
            duplicates: Some(known),
            reopened: None,
            pruned: Some(pruned + lost),
            max_depth: Some(depth),
        };
        stats += self.perimeter.as_ref().map(Perimeter::stats).unwrap_or_default();
        stats
    }

    fn proved_cost(&self) -> u64 {
        if self.settings.optimal == Optimal::Any { 0 } else { self.limit }
    }

    fn go_on(&mut self, effort: &mut Effort) -> Result<Verdict, Stop> {
        if !self.prepare(effort)? {
            return Ok(Verdict::GaveUp);
        }
        effort.mark_set_up();
        loop {
            if let Some(verdict) = self.next_round(effort)? {
                return Ok(verdict);
            }
            let more = self.engine.as_mut().map_or(0, |(expander, _)| expander.take_work());
            effort.ticks_of(1 + more)?;
            if let Some(pushes) = self.step() {
                return Ok(Verdict::Solved(pushes));
            }
        }
    }
}
