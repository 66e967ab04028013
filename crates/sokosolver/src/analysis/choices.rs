//! The pushes at each position of a solution, and which of them lose the level.
//!
//! A push is *lost* if no solution follows. That is proved by a dead square, by boxes frozen off goal, by boxes and
//! goals that cannot be matched, by the graph of the whole level, or by a short complete search. A push is *safe* if it
//! leads to a position of a known solution, or if the graph or the search finds a solution. All others are undecided.

use hashbrown::HashSet;
use sokocore::{FreezeCheck, Level, Position, PushLowerBound, Reach, Square};
use sokosearch::{Budget, Stop};

use super::charged_vec::ChargedVec;
use super::graph::Graph;
use super::shortest::ShortestSolutions;
use super::solution_trace::{SolutionTrace, canonical};
use crate::fault::has_time_to_match;
use crate::{Answer, SolveKnobs, Strategy, solve};

/// The pushes that can be made at one position of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Legal pushes.
    pub pushes: usize,
    /// Those after which the level has no solution any more.
    pub lost: usize,
    /// Those that are neither proved lost nor safe.
    pub undecided: usize,
}

/// The graph of positions that decides pushes, if there is one.
#[derive(Clone, Copy, Debug)]
pub(super) enum GraphKnowledge<'g> {
    /// No graph.
    None,
    /// Positions on solutions of fewest pushes.
    ShortestSolutions(&'g Graph<'g>, &'g ShortestSolutions<'g>),
    /// All positions, and which of them can be solved.
    Whole(&'g Graph<'g>, &'g ChargedVec<bool>),
}

/// Units of work of a search for one push.
const WORK: u64 = 20_000;

/// Classifies all pushes along a solution. At the end of the budget it stops searching, but still classifies without a
/// search.
///
/// # Errors
/// The reason to stop; what is known without a search is in `choices` even then.
pub(super) fn choices(
    level: &Level,
    trace: &SolutionTrace,
    knowledge: GraphKnowledge<'_>,
    budget: &Budget,
    choices: &mut Vec<Choices>,
) -> Result<(), Stop> {
    let board = level.board();
    let mut classifier = PushClassifier::new(level, trace, knowledge, budget);
    let mut reach = Reach::new(board);
    let mut open = Vec::new();
    for (at, position) in trace.positions.iter().take(trace.pushes.len()).enumerate() {
        let mut here = Choices::default();
        for push in position.region(board, &mut reach).pushes() {
            let mut child = position.clone();
            child.push(board, push);
            here.pushes += 1;
            match push.to(board).and_then(|to| classifier.classify(&child, to)) {
                Some(PushOutcome::Lost) => here.lost += 1,
                Some(PushOutcome::Safe) => {}
                None => {
                    here.undecided += 1;
                    open.push((at, child));
                }
            }
        }
        choices.push(here);
    }
    for (at, child) in open {
        match classifier.classify_by_search(&child, budget)? {
            Some(PushOutcome::Lost) => {
                choices[at].lost += 1;
                choices[at].undecided -= 1;
            }
            Some(PushOutcome::Safe) => choices[at].undecided -= 1,
            None => {}
        }
    }
    Ok(())
}

/// Whether a solution follows a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PushOutcome {
    Safe,
    Lost,
}

/// Decides whether pushes are safe or lost.
struct PushClassifier<'a> {
    level: &'a Level,
    knowledge: GraphKnowledge<'a>,
    freeze: FreezeCheck,
    bound: Option<PushLowerBound>,
    reach: Reach,
    /// Canonical positions with a solution, and others without one.
    safe: HashSet<Position>,
    lost: HashSet<Position>,
}

impl<'a> PushClassifier<'a> {
    fn new(level: &'a Level, trace: &SolutionTrace, knowledge: GraphKnowledge<'a>, budget: &Budget) -> Self {
        let mut reach = Reach::new(level.board());
        let safe = trace.positions.iter().map(|position| canonical(level, position.clone(), &mut reach)).collect();
        let freeze = FreezeCheck::new(level);
        let bound = if has_time_to_match(level, budget) { PushLowerBound::new(level) } else { None };
        Self { level, knowledge, freeze, bound, reach, safe, lost: HashSet::new() }
    }

    /// Classifies the position after a push to `to` without a search.
    fn classify(&mut self, position: &Position, to: Square) -> Option<PushOutcome> {
        let boxes = &position.boxes;
        if self.level.is_solved(boxes) {
            return Some(PushOutcome::Safe);
        }
        if !self.level.live().contains(to) || self.freeze.is_deadlock(boxes, to) {
            return Some(PushOutcome::Lost);
        }
        let canonical = canonical(self.level, position.clone(), &mut self.reach);
        if self.safe.contains(&canonical) {
            return Some(PushOutcome::Safe);
        }
        let found = |graph: &Graph<'_>| graph.find(boxes, canonical.player);
        match self.knowledge {
            GraphKnowledge::Whole(graph, solvable) => {
                let is_safe = found(graph).is_some_and(|node| solvable[node as usize]);
                return Some(if is_safe { PushOutcome::Safe } else { PushOutcome::Lost });
            }
            GraphKnowledge::ShortestSolutions(graph, shortest)
                if found(graph).is_some_and(|node| shortest.is_on(node)) =>
            {
                return Some(PushOutcome::Safe);
            }
            _ => {}
        }
        let has_matching = self.bound.as_mut().is_none_or(|bound| bound.of(boxes).is_some());
        if has_matching { None } else { Some(PushOutcome::Lost) }
    }

    /// Classifies a position by a short search.
    fn classify_by_search(&mut self, position: &Position, budget: &Budget) -> Result<Option<PushOutcome>, Stop> {
        budget.poll(0)?;
        let canonical = canonical(self.level, position.clone(), &mut self.reach);
        if self.safe.contains(&canonical) {
            return Ok(Some(PushOutcome::Safe));
        }
        if self.lost.contains(&canonical) {
            return Ok(Some(PushOutcome::Lost));
        }
        let Some(level) = self.level.subproblem(position, self.level.board().goals()) else { return Ok(None) };
        let knobs = SolveKnobs { strategy: Strategy::named("greedy"), ..SolveKnobs::default() };
        let part = budget.clone().with_work(Some(WORK));
        Ok(match solve(&level, &knobs, &part, &()).answer {
            Answer::Solved { .. } => {
                self.safe.insert(canonical);
                Some(PushOutcome::Safe)
            }
            Answer::Unsolvable { .. } => {
                self.lost.insert(canonical);
                Some(PushOutcome::Lost)
            }
            Answer::Unsolved(_) => None,
        })
    }
}
