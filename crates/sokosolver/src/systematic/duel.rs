//! One tree, or two that grow toward each other until they meet.
//!
//! Without costs the first meeting is a solution and ends the search. With costs (A*, breadth first) the best meeting
//! is kept, and it is optimal once no node that waits in one of the trees could lead to a cheaper one: then either
//! the least cost through a waiting node has reached it, or that tree is exhausted.
//!
//! The cost of the best solution that the run knows counts as a find does: what costs as much is not looked for, and once
//! nothing cheaper is left the search has proved that one.
//!
//! Breadth first search stops at half the way: a cheaper solution would have a position that has waited in one tree
//! and was passed by the other, once the costs at which the trees stand add up to that of the meeting. For this one
//! tree may leave out pushes that an equal way can do without, but not both, since the two may keep different ways: so
//! pulls then go through tunnels step by step.

use std::fmt;
use std::sync::Arc;

use sokocore::Push;
use sokosearch::Stop;

use super::tree::{Arrival, Tree};
use crate::ground::{Ground, Way};
use crate::{Algorithm, Effort, Heading, Optimal, Search, SearchStats, Settings, Verdict};

use super::aids::Aids;
use super::cost::CostRule;
use super::crossing::Crossing;
use super::tables::{TableMaker, Tables};

/// Searches with one or two trees.
pub(crate) struct Duel<const W: usize> {
    ground: Arc<Ground>,
    aids: Aids,
    settings: Settings,
    ways: Vec<Way>,
    maker: Option<TableMaker>,
    tables: Vec<Tables<W>>,
    trees: Vec<Tree<W>>,
    arrivals: Vec<Arrival>,
    best: Option<Find>,
    /// The least cost that was said to be found.
    told: u64,
    /// The least cost that was pruned by.
    limit: u64,
    /// What was proved when the search was over; 0 before.
    settled: u64,
    /// Where players do not meet on a square, but walk to each other.
    crossing: Option<Crossing>,
}

/// A solution that was found: a line in one tree, or one in each.
#[derive(Clone, Copy, Debug)]
struct Find {
    cost: u64,
    forward: Option<u32>,
    backward: Option<u32>,
}

impl<const W: usize> fmt::Debug for Duel<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Duel").field("settings", &self.settings).field("best", &self.best).finish_non_exhaustive()
    }
}

impl<const W: usize> Duel<W> {
    pub(crate) fn new(ground: Arc<Ground>, aids: Aids, settings: Settings) -> Self {
        let ways = match settings.heading {
            Heading::Backward => vec![Way::Backward],
            Heading::Forward => vec![Way::Forward],
            Heading::Both => vec![Way::Forward, Way::Backward],
        };
        Self {
            ground,
            aids,
            settings,
            ways,
            maker: None,
            tables: Vec::new(),
            trees: Vec::new(),
            arrivals: Vec::new(),
            best: None,
            told: u64::MAX,
            limit: u64::MAX,
            settled: 0,
            crossing: None,
        }
    }

    /// Makes the tables of dead patterns, then the trees. Does nothing the second time.
    fn prepare(&mut self, effort: &mut Effort) -> Result<(), Stop> {
        while self.trees.is_empty() && self.tables.len() < self.ways.len() {
            let way = self.ways[self.tables.len()];
            let maker = self.maker.get_or_insert_with(|| TableMaker::new(&self.ground, way, &self.settings, effort));
            maker.go_on(&self.ground, effort)?;
            if let Some(maker) = self.maker.take() {
                self.tables.push(maker.finish(&self.ground, effort));
            }
        }
        for (tables, way) in self.tables.drain(..).zip(self.ways.clone()) {
            let aids = if way == Way::Forward { self.aids.clone() } else { Aids::default() };
            let stops_halfway = self.ways.len() == 2 && self.settings.algorithm == Algorithm::Bfs;
            let tunnels = self.settings.tunnels && !(stops_halfway && way == Way::Backward);
            let settings = Settings { tunnels, ..self.settings.clone() };
            if let Some(tree) = Tree::new(&self.ground, way, &settings, tables, aids, effort)? {
                self.trees.push(tree);
            }
        }
        let rule = CostRule::of(&self.settings);
        if self.trees.len() == 2 && rule != CostRule::Pushes && self.crossing.is_none() {
            self.crossing = Some(Crossing::new(&self.ground, rule, effort));
        }
        Ok(())
    }

    /// The tree with fewer nodes waiting, whatever they cost.
    fn turn(&self) -> usize {
        match &self.trees[..] {
            [one, other] => usize::from(other.n_open() < one.n_open()),
            _ => 0,
        }
    }

    fn counts_cost(&self) -> bool {
        matches!(self.settings.algorithm, Algorithm::AStar | Algorithm::Bfs)
    }

    /// Takes note of what was reached in tree `at`.
    fn note_arrivals(&mut self, at: usize) {
        let tree = &self.trees[at];
        for arrival in &self.arrivals {
            let (mine, other) = (Some(arrival.id), self.trees.get(1 - at.min(1)).filter(|_| self.trees.len() == 2));
            let node = tree.table().node(arrival.id);
            let met = other.and_then(|other| match &mut self.crossing {
                Some(crossing) => crossing.meet(&self.ground, at, other, (&node.boxes, node.player)),
                None => {
                    let id = other.table().find(&node.boxes, node.player)?;
                    Some((id, u64::from(other.table().node(id).cost)))
                }
            });
            let rule = CostRule::of(&self.settings);
            let whole = |cost| rule.sum(arrival.cost.into(), cost);
            let end = arrival.end.map(|end| (None, whole(end.into())));
            let finds = [end, met.map(|(id, cost)| (Some(id), whole(cost)))];
            for (theirs, cost) in finds.into_iter().flatten() {
                if self.best.is_none_or(|best| cost < best.cost) {
                    let (forward, backward) = match tree.way() {
                        Way::Forward => (mine, theirs),
                        Way::Backward => (theirs, mine),
                    };
                    self.best = Some(Find { cost, forward, backward });
                }
            }
        }
    }

    /// Whether nothing that costs less than this is left to be found; any find will do where costs do not count.
    fn is_settled(&self, limit: u64) -> bool {
        if !self.counts_cost() {
            return self.best.is_some();
        }
        let has_passed = |tree: &Tree<W>| tree.is_complete() && tree.least_cost().is_none_or(|least| least >= limit);
        limit < u64::MAX && (self.trees.iter().any(has_passed) || self.halfway() >= limit)
    }

    /// What solutions cost at least that two frontiers have not met on; 0 if that does not follow from where they are.
    fn halfway(&self) -> u64 {
        let has_missed = self.crossing.as_ref().is_some_and(|crossing| !crossing.is_complete());
        match &self.trees[..] {
            [one, other] if self.settings.algorithm == Algorithm::Bfs && !has_missed => {
                let least = |tree: &Tree<W>| tree.least_cost().filter(|_| tree.is_complete()).unwrap_or(0);
                CostRule::of(&self.settings).sum(least(one), least(other))
            }
            _ => 0,
        }
    }

    /// What the search has come to when nothing below the limit is left.
    fn verdict(&mut self, limit: u64) -> Verdict {
        self.settled = limit;
        match self.best.filter(|best| best.cost <= limit) {
            Some(find) => Verdict::Solved(self.solution(find)),
            None => Verdict::NoneBetter,
        }
    }

    /// The cheapest solution so far, if the run wants to know and has not heard of it.
    fn news(&mut self, effort: &Effort) -> Option<Verdict> {
        let best = self.best.filter(|best| effort.wants_any() && best.cost < self.told.min(effort.ceiling()))?;
        self.told = best.cost;
        Some(Verdict::Better(self.solution(best)))
    }

    fn solution(&self, find: Find) -> Vec<Push> {
        let line = |way, id: Option<u32>| {
            let tree = self.trees.iter().find(|tree| tree.way() == way);
            tree.zip(id).into_iter().flat_map(|(tree, id)| tree.pushes(&self.ground, id)).collect::<Vec<_>>()
        };
        let mut pushes = line(Way::Forward, find.forward);
        pushes.reverse();
        pushes.extend(line(Way::Backward, find.backward));
        pushes
    }
}

impl<const W: usize> Search for Duel<W> {
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
        self.trees.iter().map(Tree::n_expanded).sum()
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
        let by_tree = self.trees.iter().map(Tree::reached).max().unwrap_or(0);
        by_tree.max(self.halfway()).max(self.settled).min(self.limit)
    }

    fn promise(&self) -> f64 {
        self.trees.iter().map(Tree::promise).fold(0.0, f64::max)
    }

    fn go_on(&mut self, effort: &mut Effort) -> Result<Verdict, Stop> {
        self.prepare(effort)?;
        if self.trees.is_empty() {
            return Ok(Verdict::GaveUp);
        }
        effort.mark_set_up();
        loop {
            let best = self.best.filter(|_| self.counts_cost()).map_or(u64::MAX, |best| best.cost);
            let limit = best.min(self.limit).min(if self.counts_cost() { effort.ceiling() } else { u64::MAX });
            self.limit = limit;
            if self.is_settled(limit) {
                return Ok(self.verdict(limit));
            }
            if let Some(verdict) = self.news(effort) {
                return Ok(verdict);
            }
            let at = self.turn();
            if !self.trees[at].expand_next(limit, &mut self.arrivals, effort)? {
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

    /// Three boxes on their way through a door.
    const LEVEL: &str = "###########\n#    #    #\n# $  #  . #\n# @$    . #\n#  $ #  . #\n#    #    #\n###########";

    /// Searches from the sides of this heading: pushes, those of them from the tree of pushes, positions expanded.
    fn search(algorithm: Algorithm, heading: Heading, optimal: Optimal) -> (usize, usize, u64) {
        let level = Level::parse(LEVEL).unwrap();
        let settings = Settings { algorithm, heading, optimal, ..Settings::default() };
        let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default());
        let mut effort = Effort::new(budget, Cancel::default());
        let ground = Arc::new(Ground::new(&level).unwrap());
        let mut duel = Duel::<1>::new(ground, Aids::default(), settings);
        let Ok(Verdict::Solved(pushes)) = duel.go_on(&mut effort) else { panic!("{algorithm:?}") };
        assert!(replay(&level, &moves_of(&level, &pushes).unwrap()).is_ok());
        let find = duel.best.unwrap();
        let forward = Find { backward: None, ..find };
        (pushes.len(), duel.solution(forward).len(), duel.n_nodes())
    }

    /// The solution is put together of two lines, each from its own side.
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

    /// Two trees of half the depth are smaller than one of all.
    #[test]
    fn breadth_first_search_stops_where_the_frontiers_meet() {
        for optimal in [Optimal::Pushes, Optimal::Moves] {
            let [forward, backward, both] = [Heading::Forward, Heading::Backward, Heading::Both]
                .map(|heading| search(Algorithm::Bfs, heading, optimal));
            assert!(3 * both.2 < 2 * forward.2.min(backward.2), "{optimal:?}: {both:?} {forward:?} {backward:?}");
        }
    }
}
