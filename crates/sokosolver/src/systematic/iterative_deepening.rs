//! Depth-first search within a rising cost limit: IDA* (Korf, 1985) and iterative deepening.
//!
//! Only the positions of one path are held, each with its untried children. A transposition table keeps the least cost
//! at which a position was entered in the current round, so that it is not searched twice. When the table is full,
//! further positions are not recorded, and the search continues.
//!
//! From both sides it searches forward, and ends where it enters a [`GoalPerimeter`] made by pulls.
//!
//! **Invariant**: when a round is over, every position within its limit was searched, so a solution of the next round
//! costs exactly that round's limit, and no other costs less.

use std::sync::Arc;

use sokocore::{FloorSquare, Push};
use sokosearch::Stop;

use crate::board::bit_set::BitSet;
use crate::board::{SearchBoard, SearchDirection};
use crate::part_times::Part;
use crate::store::packed_push::PackedPush;
use crate::store::transposition_table::{Insertion, SearchNode, TranspositionTable};
use crate::systematic::cost::CostRule;
use crate::systematic::expander::{Child, Expander};
use crate::systematic::level_source::LevelSource;
use crate::systematic::perimeter::{GoalPerimeter, PerimeterHit};
use crate::systematic::start_positions::roots;
use crate::systematic::tables::TableMaker;
use crate::{Algorithm, DeadlockStats, Heading, Optimal, PartTimes, Search, SearchStats, Settings, Verdict, WorkMeter};

/// A search in rounds of rising limits.
#[derive(Debug)]
pub(crate) struct IterativeDeepening<const W: usize> {
    board: Arc<SearchBoard>,
    source: LevelSource,
    settings: Settings,
    direction: SearchDirection,
    rule: CostRule,
    maker: Option<TableMaker>,
    engine: Option<(Expander<W>, TranspositionTable<W>)>,
    perimeter: Option<GoalPerimeter<W>>,
    roots: Vec<(BitSet<W>, FloorSquare)>,
    next_root: usize,
    path: Vec<StackFrame<W>>,
    limit: u64,
    next_limit: u64,
    round: u16,
    counts: DeepeningCounts,
}

/// Counters, summed over all rounds.
#[derive(Clone, Copy, Debug, Default)]
struct DeepeningCounts {
    expanded: u64,
    children: u64,
    known: u64,
    /// Positions that were reached again in one round, at less cost.
    reopened: u64,
    /// Positions that were entered and are lost.
    lost: u64,
    depth: u64,
}

/// What the limit of the round allows at a position.
#[derive(Clone, Copy, Debug)]
enum Visit {
    /// It is beyond the limit.
    Prune,
    /// It has to be searched.
    Search,
    /// It is in the perimeter, with a solution within the limit.
    PerimeterHit(PerimeterHit),
}

/// A position of the path.
#[derive(Debug)]
struct StackFrame<const W: usize> {
    cost: u32,
    /// The push to it; none for a root.
    packed_push: Option<PackedPush>,
    children: Vec<Child<W>>,
}

impl<const W: usize> IterativeDeepening<W> {
    /// The most that a node can cost.
    const MOST: u64 = u32::MAX as u64;

    pub(crate) fn new(board: Arc<SearchBoard>, source: LevelSource, settings: Settings) -> Self {
        let direction =
            if settings.heading == Heading::Backward { SearchDirection::Backward } else { SearchDirection::Forward };
        Self {
            direction,
            rule: CostRule::of(&settings),
            maker: None,
            engine: None,
            perimeter: None,
            roots: Vec::new(),
            next_root: 0,
            path: Vec::new(),
            limit: 0,
            next_limit: 0,
            round: 0,
            counts: DeepeningCounts::default(),
            settings,
            source,
            board,
        }
    }

    /// The least cost of a solution through a position: f = g + h.
    fn least_of(&self, cost: u32, bound: u16) -> u64 {
        self.rule.least(cost, if self.settings.algorithm == Algorithm::Iddfs { 0 } else { bound })
    }

    /// Compares a position with the limit, and lowers the next limit to its cost if it is beyond.
    fn test_limit(&mut self, boxes: &BitSet<W>, player: FloorSquare, cost: u32, bound: u16) -> Visit {
        let mut least = self.least_of(cost, bound);
        if least <= self.limit
            && let Some(perimeter) = &mut self.perimeter
        {
            let hit = perimeter.hit(boxes, player);
            let rule = self.rule;
            let total = hit.map_or(u64::MAX, |hit| rule.sum(hit.to_go, cost.into()));
            if let Some(hit) = hit.filter(|_| total <= self.limit) {
                return Visit::PerimeterHit(hit);
            }
            least = least.max(rule.sum(perimeter.outside_bound(), cost.into()).min(total));
        }
        if least <= self.limit {
            return Visit::Search;
        }
        self.next_limit = self.next_limit.min(least);
        Visit::Prune
    }

    /// Enters a position unless it is beyond the limit; returns a solution if the perimeter has one. A root has no
    /// push.
    fn visit(
        &mut self,
        boxes: BitSet<W>,
        player: FloorSquare,
        cost: u32,
        bound: u16,
        packed_push: Option<PackedPush>,
    ) -> Option<Vec<Push>> {
        match self.test_limit(&boxes, player, cost, bound) {
            Visit::Prune => {}
            Visit::Search => self.enter(boxes, player, cost, packed_push),
            Visit::PerimeterHit(hit) => return Some(self.solution(packed_push, Some(hit))),
        }
        None
    }

    /// Pushes a position with its children on the path, unless it is lost, beyond the limit, or searched in this round.
    fn enter(&mut self, boxes: BitSet<W>, player: FloorSquare, cost: u32, packed_push: Option<PackedPush>) {
        let bound_of = |(expander, _): &mut (Expander<W>, TranspositionTable<W>)| {
            expander.sampler.begin(Part::Storage);
            expander.bound(&boxes, player)
        };
        let Some(bound) = self.engine.as_mut().and_then(bound_of) else {
            self.counts.lost += 1;
            return;
        };
        let least = self.least_of(cost, bound);
        if least > self.limit {
            self.next_limit = self.next_limit.min(least);
            return;
        }
        let Some((expander, table)) = &mut self.engine else { return };
        let push = packed_push.unwrap_or_default();
        let node = SearchNode {
            boxes,
            parent: SearchNode::<W>::ROOT,
            cost,
            player,
            packed_push: push,
            bound: self.round,
            flags: 0,
        };
        // A solved start is not recorded: a solution may end there.
        if packed_push.is_some()
            && let Insertion::Known(id) = table.insert(node)
        {
            self.counts.known += 1;
            let known = table.node_mut(id);
            let is_of_round = known.bound == self.round;
            if is_of_round && known.cost <= cost {
                return;
            }
            self.counts.reopened += u64::from(is_of_round);
            (known.bound, known.cost) = (self.round, cost);
        }
        self.counts.expanded += 1;
        self.counts.depth = self.counts.depth.max(self.path.len() as u64);
        let mut children = Vec::new();
        expander.children(&boxes, player, &mut children);
        self.counts.children += children.len() as u64;
        // The last one is tried first.
        children.sort_by_key(|child| std::cmp::Reverse(child.bound));
        expander.sampler.end();
        self.path.push(StackFrame { cost, packed_push, children });
    }

    /// Begins the next round if the last one is over; returns the verdict if no round is left.
    fn next_round(&mut self, meter: &mut WorkMeter) -> Result<Option<Verdict>, Stop> {
        if !self.path.is_empty() || self.next_root < self.roots.len() {
            return Ok(None);
        }
        if self.next_limit >= meter.upper_bound() && meter.upper_bound() < u64::MAX {
            self.limit = meter.upper_bound();
            return Ok(Some(Verdict::NoneBetter));
        }
        if self.next_limit == u64::MAX {
            return Ok(Some(Verdict::Unsolvable));
        }
        if self.next_limit > Self::MOST {
            return Ok(Some(Verdict::GaveUp));
        }
        if let Some(perimeter) = &mut self.perimeter {
            perimeter.grow(self.counts.expanded, meter)?;
        }
        (self.limit, self.next_limit, self.next_root) = (self.next_limit, u64::MAX, 0);
        self.round = self.round.checked_add(1).unwrap_or_else(|| self.restart_round_numbers());
        Ok(None)
    }

    /// Forgets the rounds of all positions, so that round numbers can be used again; returns the first one.
    fn restart_round_numbers(&mut self) -> u16 {
        if let Some((_, table)) = &mut self.engine {
            (0..table.n_ids()).for_each(|id| table.node_mut(id).bound = 0);
        }
        1
    }

    /// Starts a path from the next root, or tries the next child of its last position; returns a solution if there is
    /// one.
    fn step(&mut self) -> Option<Vec<Push>> {
        let Some(frame) = self.path.last_mut() else {
            let (boxes, player) = *self.roots.get(self.next_root)?;
            self.next_root += 1;
            return self.visit(boxes, player, 0, 0, None);
        };
        let Some(child) = frame.children.pop() else {
            self.path.pop();
            return None;
        };
        let cost = self.rule.sum(frame.cost.into(), child.cost.into());
        let Ok(cost) = u32::try_from(cost) else {
            self.next_limit = self.next_limit.min(cost);
            return None;
        };
        if let Some(end) = child.end {
            let total = self.rule.sum(cost.into(), end.into());
            if total <= self.limit {
                return Some(self.solution(Some(child.packed_push), None));
            }
            self.next_limit = self.next_limit.min(total);
        }
        self.visit(child.boxes, child.player, cost, child.bound, Some(child.packed_push))
    }

    /// The pushes of the path, one more, and those beyond a hit of the perimeter.
    fn solution(&self, last: Option<PackedPush>, hit: Option<PerimeterHit>) -> Vec<Push> {
        let packed_push = self.path.iter().filter_map(|frame| frame.packed_push).chain(last);
        let mut pushes: Vec<Push> = packed_push.map(|packed_push| self.board.push(packed_push.unpack())).collect();
        if self.direction == SearchDirection::Backward {
            pushes.reverse();
        }
        let beyond = self.perimeter.as_ref().zip(hit).map(|(perimeter, hit)| perimeter.pushes(hit));
        pushes.extend(beyond.into_iter().flatten());
        pushes
    }

    fn prepare(&mut self, meter: &mut WorkMeter) -> Result<bool, Stop> {
        if self.engine.is_some() {
            return Ok(true);
        }
        let Some(roots) = roots(&self.board, self.direction, self.rule.player_key()) else { return Ok(false) };
        let maker =
            self.maker.get_or_insert_with(|| TableMaker::new(&self.board, self.direction, &self.settings, meter));
        maker.resume(&self.board, meter)?;
        let table = TranspositionTable::new(meter.memory(), self.settings.table_bytes)?;
        if let Some(maker) = self.maker.take() {
            let tables = maker.finish(&self.board, meter);
            let board = self.board.clone();
            let expander = Expander::new(board, self.direction, &self.settings, tables, &self.source, meter);
            self.engine = Some((expander, table));
            let is_met = self.settings.heading == Heading::Both;
            self.perimeter = is_met.then(|| GoalPerimeter::new(&self.board, &self.source, &self.settings, meter));
            (self.next_root, self.roots) = (roots.len(), roots);
        }
        Ok(true)
    }
}

impl<const W: usize> Search for IterativeDeepening<W> {
    fn name(&self) -> &'static str {
        if self.settings.algorithm == Algorithm::Iddfs { "iddfs" } else { "ida-star" }
    }

    fn n_nodes(&self) -> u64 {
        self.counts.expanded + self.perimeter.as_ref().map_or(0, GoalPerimeter::n_expanded)
    }

    fn stats(&self) -> SearchStats {
        let DeepeningCounts { expanded, children, known, reopened, lost, depth } = self.counts;
        let engine = self.engine.as_ref();
        let pruned = engine.map_or_else(DeadlockStats::default, |(expander, _)| expander.deadlocks_found());
        let mut stats = SearchStats {
            expanded,
            generated: Some(children + pruned.sum()),
            duplicates: Some(known),
            reopened: Some(reopened),
            max_depth: Some(depth),
            ..SearchStats::default()
        }
        .with_deadlocks(DeadlockStats { expanded: lost, ..pruned });
        stats += self.perimeter.as_ref().map(GoalPerimeter::stats).unwrap_or_default();
        stats
    }

    fn part_times(&self) -> PartTimes {
        let mut times = self.engine.as_ref().map(|(expander, _)| expander.sampler.times()).unwrap_or_default();
        times += self.perimeter.as_ref().map(GoalPerimeter::part_times).unwrap_or_default();
        times
    }

    fn proved_cost(&self) -> u64 {
        if self.settings.optimal == Optimal::Any { 0 } else { self.limit }
    }

    fn resume(&mut self, meter: &mut WorkMeter) -> Result<Verdict, Stop> {
        if !self.prepare(meter)? {
            return Ok(Verdict::GaveUp);
        }
        meter.mark_set_up();
        loop {
            if let Some(verdict) = self.next_round(meter)? {
                return Ok(verdict);
            }
            let more = self.engine.as_mut().map_or(0, |(expander, _)| expander.take_work());
            meter.ticks_of(1 + more)?;
            if let Some(pushes) = self.step() {
                return Ok(Verdict::Solved(pushes));
            }
        }
    }
}
