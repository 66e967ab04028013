//! The stages of an analysis, each with its share of the time that is left.
//!
//! Invariant: a stage that is stopped keeps its results, and the next one begins. Only a cancellation, or the end of
//! the whole budget, ends them all.

use sokocore::{Level, Reach, Solution, Square};
use sokosearch::{Budget, End, Stop};

use super::charged_vec::ChargedVec;
use super::choices::{GraphKnowledge, choices};
use super::graph::{Extent, Graph};
use super::shortest::ShortestSolutions;
use super::solution_trace::{BoxTrip, SolutionTrace};
use super::variants::{with_wall, without};
use super::{Analysis, AnalysisKnobs, AnalysisStage, BoxUse, PushBounds, Reason, Solvability, Space, SquareUse};
use crate::fault::{Fault, has_time_to_match};
use crate::portfolio::race::checked;
use crate::{Answer, LeastPushes, Optimal, Outcome, Parity, Settings, SolveKnobs, solve};

/// Shares of the time that is left when a stage begins.
const WHOLE_SHARE: f64 = 0.2;
const SOLVING_SHARE: f64 = 0.5;
const PROVING_SHARE: f64 = 0.5;
const BEST_SHARE: f64 = 0.4;
const STAGE_SHARE: f64 = 0.5;

/// A running analysis.
struct AnalysisRun<'a> {
    level: &'a Level,
    knobs: &'a AnalysisKnobs,
    budget: &'a Budget,
    stage: &'a dyn Fn(AnalysisStage),
    result: Analysis,
    /// What stopped the first stage that was stopped, and the first run of the solver.
    first_stop: Option<Stop>,
    solver_stop: Option<Stop>,
}

/// Runs all stages.
pub(super) fn run(
    level: &Level,
    known: &[Solution],
    knobs: &AnalysisKnobs,
    budget: &Budget,
    stage: &dyn Fn(AnalysisStage),
) -> Analysis {
    let result = Analysis {
        answer: Solvability::Unknown,
        bounds: PushBounds { at_least: 0, at_most: None },
        parity: Parity::of(level),
        best: None,
        found_by: None,
        alternatives: None,
        boxes: Vec::new(),
        squares: None,
        choices: Vec::new(),
        space: None,
        n_nodes: 0,
        end: End::Exhausted,
        elapsed: budget.elapsed(),
    };
    let mut run = AnalysisRun { level, knobs, budget, stage, result, first_stop: None, solver_stop: None };
    run.raise_bound(1);
    for solution in known {
        run.take(solution.clone(), None);
    }
    run.answer();
    let AnalysisRun { mut result, first_stop, solver_stop, .. } = run;
    let is_settled = result.bounds.is_proved() || matches!(result.answer, Solvability::Unsolvable(_));
    let stop = first_stop.or(if is_settled { None } else { solver_stop });
    result.end = stop.map_or(End::Exhausted, End::Stopped);
    result.elapsed = budget.elapsed();
    result
}

impl<'a> AnalysisRun<'a> {
    fn answer(&mut self) {
        if self.result.best.is_none()
            && let Some(fault) = Fault::within(self.level, self.budget)
        {
            self.result.answer = Solvability::Unsolvable(Reason::Fault(fault));
            return;
        }
        if has_time_to_match(self.level, self.budget)
            && let LeastPushes::AtLeast(pushes) = LeastPushes::of(self.level)
        {
            self.raise_bound(pushes);
        }
        (self.stage)(AnalysisStage::Whole);
        let part = self.part(WHOLE_SHARE);
        let n_nodes = &mut self.result.n_nodes;
        if let Ok(graph) = Graph::explore(self.level, Extent::Whole, self.knobs.max_whole, &part, n_nodes) {
            let solvable = graph.solvable(self.budget);
            match self.keep(solvable) {
                Some(solvable) => self.answer_by_whole(&graph, &solvable),
                None => self.answer_by_search(),
            }
        } else {
            self.answer_by_search();
        }
    }

    /// Answers everything from the graph of all positions.
    fn answer_by_whole(&mut self, graph: &Graph<'_>, solvable: &ChargedVec<bool>) {
        let positions = graph.n_nodes() as u64;
        let n_solvable = solvable.iter().filter(|&&solvable| solvable).count() as u64;
        self.result.space = Some(Space { positions, lost: positions - n_solvable });
        let shortest = ShortestSolutions::of(graph, self.budget);
        let Some(shortest) = self.keep(shortest) else { return };
        let Some(shortest) = shortest else {
            self.result.answer = Solvability::Unsolvable(Reason::Exhausted { positions });
            return;
        };
        self.answer_by_best(&shortest);
        self.classify_choices(GraphKnowledge::Whole(graph, solvable));
        self.solve_without_boxes();
    }

    /// Answers with the solver and the graph of all best solutions.
    fn answer_by_search(&mut self) {
        if self.result.best.is_none() {
            (self.stage)(AnalysisStage::Solving);
            let outcome = self.solve(self.level, Optimal::Any, SOLVING_SHARE);
            self.take_outcome(outcome);
        }
        if matches!(self.result.answer, Solvability::Unsolvable(_)) {
            return;
        }
        if !self.result.bounds.is_proved() {
            (self.stage)(AnalysisStage::Proving);
            let outcome = self.solve(self.level, Optimal::Pushes, PROVING_SHARE);
            self.take_outcome(outcome);
        }
        let explored = self.explore_best();
        let best = self.keep(explored).flatten();
        if let Some(graph) = &best {
            let shortest = ShortestSolutions::of(graph, self.budget);
            if let Some(shortest) = self.keep(shortest).flatten() {
                self.answer_by_best(&shortest);
                self.classify_choices(GraphKnowledge::ShortestSolutions(graph, &shortest));
                self.solve_without_boxes();
                return;
            }
        }
        if self.result.best.is_some() {
            self.classify_boxes(None);
            self.classify_squares(None);
            self.classify_choices(GraphKnowledge::None);
            self.solve_without_boxes();
        }
    }

    /// Makes the graph of all best solutions. If their pushes are not known, the limit rises round by round, and each
    /// round that ends without a solution raises the bound.
    fn explore_best(&mut self) -> Result<Option<Graph<'a>>, Stop> {
        (self.stage)(AnalysisStage::Best);
        let part = self.part(BEST_SHARE);
        let level = self.level;
        loop {
            let limit = self.result.bounds.at_least;
            let n_nodes = &mut self.result.n_nodes;
            let graph = Graph::explore(level, Extent::Within(limit), self.knobs.max_best, &part, n_nodes)?;
            if !graph.solved().is_empty() {
                return Ok(Some(graph));
            }
            if graph.is_whole() && self.result.best.is_none() {
                let positions = graph.n_nodes() as u64;
                self.result.answer = Solvability::Unsolvable(Reason::Exhausted { positions });
            }
            if graph.is_whole() || self.result.bounds.is_proved() {
                return Ok(None);
            }
            self.raise_bound(limit + 1);
        }
    }

    /// Answers from the graph of all best solutions.
    fn answer_by_best(&mut self, shortest: &ShortestSolutions<'_>) {
        self.raise_bound(shortest.n_pushes() as u64);
        if let Ok(solution) = checked(self.level, &shortest.pushes()) {
            self.take(solution, Some("exhaustive search"));
        }
        let count = shortest.count(self.knobs.max_alternatives, &self.part(STAGE_SHARE));
        self.result.alternatives = self.keep(count);
        self.classify_boxes(Some(shortest));
        self.classify_squares(Some(shortest));
    }

    fn classify_boxes(&mut self, shortest: Option<&ShortestSolutions<'_>>) {
        let Some(trace) = self.trace() else { return };
        let idle = shortest.map(|shortest| shortest.idle_boxes(&self.part(STAGE_SHARE)));
        let idle = idle.and_then(|idle| self.keep(idle));
        let proved = self.result.bounds.is_proved();
        for trip in &trace.boxes {
            let can_stay = match &idle {
                _ if !self.level.board().goals().contains(trip.from) => Some(false),
                Some(idle) => Some(idle.contains(trip.from)),
                None if trip.pushes == 0 && proved => Some(true),
                None => self.does_without(trip.from, trace.boxes.len()),
            };
            let BoxTrip { from, to, pushes } = *trip;
            self.result.boxes.push(BoxUse { from, to, pushes, can_stay, others_need: None });
        }
    }

    fn classify_squares(&mut self, shortest: Option<&ShortestSolutions<'_>>) {
        (self.stage)(AnalysisStage::Squares);
        let Some(trace) = self.trace() else { return };
        let (board, start) = (self.level.board(), self.level.start());
        let empty = |&sq: &_| sq != start.player && !start.boxes.contains(sq) && !board.goals().contains(sq);
        let none = board.no_squares();
        let mut squares =
            SquareUse { unentered: none.clone(), spare: none.clone(), needed: none.clone(), undecided: none };
        let proved = self.result.bounds.is_proved();
        let part = self.part(STAGE_SHARE);
        let mut reach = Reach::new(board);
        let candidates: Vec<_> = board.squares().filter(empty).collect();
        for (at, &sq) in candidates.iter().enumerate() {
            if !trace.entered.contains(sq) {
                squares.unentered.insert(sq);
                if proved {
                    squares.spare.insert(sq)
                } else {
                    squares.undecided.insert(sq)
                };
                continue;
            }
            let does_without = match shortest {
                Some(shortest) => {
                    let answer = shortest.does_without(sq, &mut reach, &part);
                    self.keep(answer)
                }
                None => self.does_without(sq, 2 * (candidates.len() - at)),
            };
            match does_without {
                Some(true) => squares.spare.insert(sq),
                Some(false) => squares.needed.insert(sq),
                None => squares.undecided.insert(sq),
            };
        }
        self.result.squares = Some(squares);
    }

    /// Solves the level with a wall in place of a square, empty or with a box on a goal, and returns whether that needs
    /// no more pushes. It gets the `n_parts`-th part of the time that is left.
    fn does_without(&mut self, square: Square, n_parts: usize) -> Option<bool> {
        let best = self.result.bounds.at_most.filter(|_| self.result.bounds.is_proved())?;
        let polled = self.budget.poll(0);
        self.keep(polled)?;
        let Some(level) = with_wall(self.level, square) else { return Some(false) };
        match LeastPushes::of(&level) {
            LeastPushes::Unsolvable => return Some(false),
            LeastPushes::AtLeast(pushes) if pushes > best => return Some(false),
            _ => {}
        }
        let outcome = self.solve(&level, Optimal::Pushes, 1.0 / n_parts.max(1) as f64);
        match outcome.answer {
            // A solution of no more pushes needs no proof: with a wall none has fewer.
            Answer::Solved { solution, .. } if solution.metrics().pushes <= best => Some(true),
            Answer::Solved { proved: true, .. } | Answer::Unsolvable { .. } => Some(false),
            Answer::Solved { .. } | Answer::Unsolved(_) => None,
        }
    }

    fn classify_choices(&mut self, knowledge: GraphKnowledge<'_>) {
        (self.stage)(AnalysisStage::Choices);
        let Some(trace) = self.trace() else { return };
        let mut found = Vec::new();
        let ended = choices(self.level, &trace, knowledge, &self.part(STAGE_SHARE), &mut found);
        self.keep(ended);
        self.result.choices = found;
    }

    /// Solves the level without each box.
    fn solve_without_boxes(&mut self) {
        (self.stage)(AnalysisStage::Boxes);
        let Some(total) = self.result.bounds.at_most else { return };
        let n_boxes = self.result.boxes.len();
        for at in 0..n_boxes {
            let polled = self.budget.poll(0);
            if self.keep(polled).is_none() {
                return;
            }
            let one = self.result.boxes[at];
            let Some(level) = without(self.level, &one) else { continue };
            // The best solution without the pushes of this box solves that level.
            let others = total.saturating_sub(one.pushes);
            if LeastPushes::of(&level) == LeastPushes::AtLeast(others) && others > 0 {
                self.result.boxes[at].others_need = Some(others);
                continue;
            }
            if level.is_solved(&level.start().boxes) {
                self.result.boxes[at].others_need = Some(0);
                continue;
            }
            let share = 1.0 / (n_boxes - at) as f64;
            let outcome = self.solve(&level, Optimal::Pushes, share);
            if let Answer::Solved { solution, proved: true, .. } = outcome.answer {
                self.result.boxes[at].others_need = Some(solution.metrics().pushes);
            }
        }
    }

    /// Solves a level within a share of what is left.
    fn solve(&mut self, level: &Level, optimal: Optimal, share: f64) -> Outcome {
        let settings = Settings { optimal, ..Settings::default() };
        let knobs = SolveKnobs { settings, n_threads: self.knobs.n_threads, ..SolveKnobs::default() };
        let outcome = solve(level, &knobs, &self.part(share), &());
        self.result.n_nodes += outcome.n_nodes();
        if let End::Stopped(stop) = outcome.end {
            self.solver_stop = self.solver_stop.or(Some(stop));
        }
        outcome
    }

    fn take_outcome(&mut self, outcome: Outcome) {
        if let Some(pushes) = outcome.lower_bound {
            self.raise_bound(pushes);
        }
        match outcome.answer {
            Answer::Solved { solution, by, proved } => {
                let pushes = solution.metrics().pushes;
                self.take(solution, Some(&by));
                if proved {
                    self.raise_bound(pushes);
                }
            }
            Answer::Unsolvable { by } if self.result.best.is_none() => {
                self.result.answer = Solvability::Unsolvable(Reason::Search { by });
            }
            Answer::Unsolvable { .. } | Answer::Unsolved(_) => {}
        }
    }

    /// Keeps a solution if it is better than the one known.
    fn take(&mut self, solution: Solution, by: Option<&str>) {
        let score = |solution: &Solution| (solution.metrics().pushes, solution.metrics().moves);
        self.result.answer = Solvability::Solvable;
        if self.result.best.as_ref().is_none_or(|best| score(&solution) < score(best)) {
            self.result.bounds.at_most = Some(solution.metrics().pushes);
            self.result.best = Some(solution);
            self.result.found_by = by.map(str::to_owned);
        }
    }

    fn raise_bound(&mut self, pushes: u64) {
        let pushes = self.result.parity.map_or(pushes, |parity| parity.at_least(pushes));
        self.result.bounds.at_least = self.result.bounds.at_least.max(pushes);
    }

    fn trace(&self) -> Option<SolutionTrace> {
        self.result.best.as_ref().map(|best| SolutionTrace::of(self.level, best))
    }

    /// A part of the budget with this share of the time that is left.
    fn part(&self, share: f64) -> Budget {
        let elapsed = self.budget.elapsed();
        let end = self.budget.time().map(|time| elapsed + time.saturating_sub(elapsed).mul_f64(share));
        self.budget.clone().with_time(end)
    }

    /// Returns the result of a stage, or records what stopped it.
    fn keep<T>(&mut self, result: Result<T, Stop>) -> Option<T> {
        result.map_err(|stop| self.first_stop = self.first_stop.or(Some(stop))).ok()
    }
}
