//! Best-first search with one tree, or with two that grow toward each other until they meet.
//!
//! Without costs the first meeting is a solution and ends the search. With costs (A*, breadth-first) the best meeting
//! is kept. It is optimal once no open node of one of the trees can lead to a cheaper one: the least cost through an
//! open node has reached its cost, or that tree is exhausted.
//!
//! The cost of the best solution that the run knows is an upper bound too: nodes that cost as much are pruned, and when
//! nothing cheaper is left, that solution is proved optimal.
//!
//! Breadth-first search stops at half the depth: once the least costs of the two open lists add up to the cost of the
//! meeting, a cheaper solution would have a position in both trees, so it would have been found. This holds if at most
//! one tree prunes pushes in favor of equal paths, since two trees may keep different ones: so pulls then pass tunnels
//! step by step.

use std::fmt;
use std::sync::Arc;

use sokocore::Push;
use sokosearch::Stop;

use crate::board::{SearchBoard, SearchDirection};
use crate::systematic::tree::{Arrival, SearchTree};
use crate::{Algorithm, Heading, Optimal, PartTimes, Search, SearchStats, Settings, Technique, Verdict, WorkMeter};

use crate::systematic::cost::CostRule;
use crate::systematic::frontier_meeting::FrontierMeeting;
use crate::systematic::level_source::LevelSource;
use crate::systematic::tables::{SearchTables, TableMaker};

/// A best-first search with one or two trees.
pub(crate) struct BestFirst<const W: usize> {
    board: Arc<SearchBoard>,
    source: LevelSource,
    settings: Settings,
    directions: Vec<SearchDirection>,
    maker: Option<TableMaker>,
    tables: Vec<SearchTables<W>>,
    trees: Vec<SearchTree<W>>,
    arrivals: Vec<Arrival>,
    best: Option<Incumbent>,
    /// The cost of the last solution that was reported.
    reported_cost: u64,
    /// The least upper bound that was pruned by.
    limit: u64,
    /// The cost that was proved when the search was over; 0 before.
    proved_at_end: u64,
    /// For costs that count moves: the player may walk between the two trees.
    meeting: Option<FrontierMeeting>,
}

/// The best solution found: a path in one tree, or one in each.
#[derive(Clone, Copy, Debug)]
struct Incumbent {
    cost: u64,
    forward: Option<u32>,
    backward: Option<u32>,
}

impl<const W: usize> fmt::Debug for BestFirst<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BestFirst").field("settings", &self.settings).field("best", &self.best).finish_non_exhaustive()
    }
}

impl<const W: usize> BestFirst<W> {
    pub(crate) fn new(board: Arc<SearchBoard>, source: LevelSource, settings: Settings) -> Self {
        let directions = match settings.heading {
            Heading::Backward => vec![SearchDirection::Backward],
            Heading::Forward => vec![SearchDirection::Forward],
            Heading::Both => vec![SearchDirection::Forward, SearchDirection::Backward],
        };
        Self {
            board,
            source,
            settings,
            directions,
            maker: None,
            tables: Vec::new(),
            trees: Vec::new(),
            arrivals: Vec::new(),
            best: None,
            reported_cost: u64::MAX,
            limit: u64::MAX,
            proved_at_end: 0,
            meeting: None,
        }
    }

    /// Makes the tables, then the trees, unless that is done.
    fn prepare(&mut self, meter: &mut WorkMeter) -> Result<(), Stop> {
        while self.trees.is_empty() && self.tables.len() < self.directions.len() {
            let direction = self.directions[self.tables.len()];
            let maker =
                self.maker.get_or_insert_with(|| TableMaker::new(&self.board, direction, &self.settings, meter));
            maker.resume(&self.board, meter)?;
            if let Some(maker) = self.maker.take() {
                self.tables.push(maker.finish(&self.board, meter));
            }
        }
        for (tables, direction) in self.tables.drain(..).zip(self.directions.clone()) {
            let stops_halfway = self.directions.len() == 2 && self.settings.algorithm == Algorithm::Bfs;
            let mut settings = self.settings.clone();
            if stops_halfway && direction == SearchDirection::Backward {
                settings.switch(Technique::Tunnels, false);
            }
            if let Some(tree) = SearchTree::new(&self.board, direction, &settings, tables, &self.source, meter)? {
                self.trees.push(tree);
            }
        }
        let rule = CostRule::of(&self.settings);
        if self.trees.len() == 2 && rule != CostRule::Pushes && self.meeting.is_none() {
            self.meeting = Some(FrontierMeeting::new(&self.board, rule, meter));
        }
        Ok(())
    }

    /// The tree with fewer open nodes, whatever they cost.
    fn smaller_tree(&self) -> usize {
        match &self.trees[..] {
            [one, other] => usize::from(other.n_open() < one.n_open()),
            _ => 0,
        }
    }

    fn counts_cost(&self) -> bool {
        matches!(self.settings.algorithm, Algorithm::AStar | Algorithm::Bfs)
    }

    /// Updates the incumbent with the nodes that were reached in tree `at`.
    fn note_arrivals(&mut self, at: usize) {
        let tree = &self.trees[at];
        for arrival in &self.arrivals {
            let (own, other) = (Some(arrival.id), self.trees.get(1 - at.min(1)).filter(|_| self.trees.len() == 2));
            let node = tree.table().node(arrival.id);
            let met = other.and_then(|other| match &mut self.meeting {
                Some(meeting) => meeting.meet(&self.board, at, other, (&node.boxes, node.player)),
                None => {
                    let id = other.table().find(&node.boxes, node.player)?;
                    Some((id, u64::from(other.table().node(id).cost)))
                }
            });
            let rule = CostRule::of(&self.settings);
            let total = |cost| rule.sum(arrival.cost.into(), cost);
            let end = arrival.end.map(|end| (None, total(end.into())));
            let finds = [end, met.map(|(id, cost)| (Some(id), total(cost)))];
            for (others, cost) in finds.into_iter().flatten() {
                if self.best.is_none_or(|best| cost < best.cost) {
                    let (forward, backward) = match tree.direction() {
                        SearchDirection::Forward => (own, others),
                        SearchDirection::Backward => (others, own),
                    };
                    self.best = Some(Incumbent { cost, forward, backward });
                }
            }
        }
    }

    /// Whether no solution that costs less than the limit is left; without costs, whether there is a solution.
    fn is_settled(&self, limit: u64) -> bool {
        if !self.counts_cost() {
            return self.best.is_some();
        }
        let has_reached =
            |tree: &SearchTree<W>| tree.is_complete() && tree.least_cost().is_none_or(|least| least >= limit);
        limit < u64::MAX && (self.trees.iter().any(has_reached) || self.frontier_bound() >= limit)
    }

    /// A lower bound of all solutions on which the two frontiers of a breadth-first search have not met; 0 otherwise.
    fn frontier_bound(&self) -> u64 {
        let has_missed = self.meeting.as_ref().is_some_and(|meeting| !meeting.is_complete());
        match &self.trees[..] {
            [one, other] if self.settings.algorithm == Algorithm::Bfs && !has_missed => {
                let least = |tree: &SearchTree<W>| tree.least_cost().filter(|_| tree.is_complete()).unwrap_or(0);
                CostRule::of(&self.settings).sum(least(one), least(other))
            }
            _ => 0,
        }
    }

    /// The verdict when no solution below the limit is left.
    fn verdict(&mut self, limit: u64) -> Verdict {
        self.proved_at_end = limit;
        match self.best.filter(|best| best.cost <= limit) {
            Some(incumbent) => Verdict::Solved(self.solution(incumbent)),
            None => Verdict::NoneBetter,
        }
    }

    /// The incumbent, if the run asks for improvements and it has not been reported.
    fn unreported(&mut self, meter: &WorkMeter) -> Option<Verdict> {
        let best = self
            .best
            .filter(|best| meter.wants_improvements() && best.cost < self.reported_cost.min(meter.upper_bound()))?;
        self.reported_cost = best.cost;
        Some(Verdict::Better(self.solution(best)))
    }

    fn solution(&self, incumbent: Incumbent) -> Vec<Push> {
        let path = |direction, id: Option<u32>| {
            let tree = self.trees.iter().find(|tree| tree.direction() == direction);
            tree.zip(id).into_iter().flat_map(|(tree, id)| tree.pushes(&self.board, id)).collect::<Vec<_>>()
        };
        let mut pushes = path(SearchDirection::Forward, incumbent.forward);
        pushes.reverse();
        pushes.extend(path(SearchDirection::Backward, incumbent.backward));
        pushes
    }
}

impl<const W: usize> Search for BestFirst<W> {
    fn name(&self) -> &'static str {
        match (self.settings.algorithm, self.settings.heading) {
            (Algorithm::Greedy, Heading::Forward) => "greedy-forward",
            (Algorithm::Greedy, Heading::Backward) => "greedy-backward",
            (Algorithm::Greedy, Heading::Both) => "greedy",
            (Algorithm::AStar, Heading::Forward) => "a-star",
            (Algorithm::AStar, Heading::Backward) => "a-star-backward",
            (Algorithm::AStar, Heading::Both) => "a-star-both",
            _ => "systematic",
        }
    }

    fn n_nodes(&self) -> u64 {
        self.trees.iter().map(SearchTree::n_expanded).sum()
    }

    fn part_times(&self) -> PartTimes {
        let mut times = PartTimes::default();
        self.trees.iter().for_each(|tree| times += tree.part_times());
        times
    }

    fn stats(&self) -> SearchStats {
        let mut stats = SearchStats::default();
        self.trees.iter().for_each(|tree| stats += tree.stats());
        stats
    }

    fn proved_cost(&self) -> u64 {
        if !self.counts_cost() || self.settings.optimal == Optimal::Any {
            return 0;
        }
        let by_tree = self.trees.iter().map(SearchTree::proved_cost).max().unwrap_or(0);
        by_tree.max(self.frontier_bound()).max(self.proved_at_end).min(self.limit)
    }

    fn progress_estimate(&self) -> f64 {
        self.trees.iter().map(SearchTree::progress_estimate).fold(0.0, f64::max)
    }

    fn resume(&mut self, meter: &mut WorkMeter) -> Result<Verdict, Stop> {
        self.prepare(meter)?;
        if self.trees.is_empty() {
            return Ok(Verdict::GaveUp);
        }
        meter.mark_set_up();
        loop {
            let best = self.best.filter(|_| self.counts_cost()).map_or(u64::MAX, |best| best.cost);
            let limit = best.min(self.limit).min(if self.counts_cost() { meter.upper_bound() } else { u64::MAX });
            self.limit = limit;
            if self.is_settled(limit) {
                return Ok(self.verdict(limit));
            }
            if let Some(verdict) = self.unreported(meter) {
                return Ok(verdict);
            }
            let at = self.smaller_tree();
            if !self.trees[at].expand_next(limit, &mut self.arrivals, meter)? {
                return Ok(match self.trees[at].is_complete() {
                    true if limit < u64::MAX => self.verdict(limit),
                    true => Verdict::Unsolvable,
                    false => Verdict::GaveUp,
                });
            }
            self.note_arrivals(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sokocore::{Level, moves_of, replay};
    use sokosearch::{Budget, Cancel, MemoryAccount};

    /// Three boxes in front of a door.
    const LEVEL: &str = "###########\n#    #    #\n# $  #  . #\n# @$    . #\n#  $ #  . #\n#    #    #\n###########";

    /// Searches from the sides of this heading: pushes, those of them from the tree of pushes, positions expanded.
    fn search(algorithm: Algorithm, heading: Heading, optimal: Optimal) -> (usize, usize, u64) {
        let level = Level::parse(LEVEL).unwrap();
        let settings = Settings { algorithm, heading, optimal, ..Settings::default() };
        let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default());
        let mut meter = WorkMeter::new(budget, Cancel::default());
        let board = Arc::new(SearchBoard::new(&level).unwrap());
        let source = LevelSource::new(&level, &board, &settings);
        let mut search = BestFirst::<2>::new(board, source, settings);
        let Ok(Verdict::Solved(pushes)) = search.resume(&mut meter) else { panic!("{algorithm:?}") };
        assert!(replay(&level, &moves_of(&level, &pushes).unwrap()).is_ok());
        let incumbent = search.best.unwrap();
        let forward = Incumbent { backward: None, ..incumbent };
        (pushes.len(), search.solution(forward).len(), search.n_nodes())
    }

    /// The solution consists of two paths, each from its own side.
    #[test]
    fn two_frontiers_meet_on_the_way() {
        let plain =
            [Algorithm::Bfs, Algorithm::AStar, Algorithm::Greedy, Algorithm::Dfs].map(|one| (one, Optimal::Any));
        let by_moves = [(Algorithm::AStar, Optimal::Moves), (Algorithm::Bfs, Optimal::MovesPushes)];
        for (algorithm, optimal) in plain.into_iter().chain(by_moves) {
            let (n_pushes, n_forward, _) = search(algorithm, Heading::Both, optimal);
            assert!(0 < n_forward && n_forward < n_pushes, "{algorithm:?} {optimal:?}: {n_forward} of {n_pushes}");
        }
    }

    /// Two trees of half the depth are smaller than one of the whole depth.
    #[test]
    fn breadth_first_search_stops_where_the_frontiers_meet() {
        for optimal in [Optimal::Pushes, Optimal::Moves] {
            let [forward, backward, both] = [Heading::Forward, Heading::Backward, Heading::Both]
                .map(|heading| search(Algorithm::Bfs, heading, optimal));
            assert!(3 * both.2 < 2 * forward.2.min(backward.2), "{optimal:?}: {both:?} {forward:?} {backward:?}");
        }
    }
}
