//! Levels that start solved. A solution still needs a push, so the level after each first push is solved as one of its
//! own.
//!
//! If the first push is from goal to goal, that push alone is a solution.

use sokocore::{Level, Push, Solution, moves_of, pushes_of, replay};
use sokosearch::{Budget, End};

use super::race::checked;
use super::{SolveKnobs, run_portfolio};
use crate::portfolio::best_known::BestKnown;
use crate::portfolio::deferred_drop::DeferredDrop;
use crate::{Answer, Attempt, AttemptEnd, FindTimes, Optimal, Outcome, SolveEvent, SolveProgress};

/// Solves a level whose boxes are all on goals.
pub(crate) fn solve(
    level: &Level,
    knobs: &SolveKnobs,
    budget: &Budget,
    progress: &dyn SolveProgress,
) -> (Outcome, DeferredDrop) {
    let firsts = first_pushes(level);
    let mut deferred_drop = DeferredDrop::default();
    let mut summary = FirstPushes::new(level, knobs, budget, progress);
    for (at, &push) in firsts.iter().enumerate() {
        if summary.is_over() {
            break;
        }
        let mut after = level.start().clone();
        after.push(level.board(), push);
        if level.is_solved(&after.boxes) {
            summary.add_solved(&[push], "first push", true);
            continue;
        }
        let Some(rest) = level.subproblem(&after, level.board().goals()) else {
            summary.add_unknown(End::Exhausted, 0);
            continue;
        };
        let elapsed = budget.elapsed();
        let n_left = u32::try_from(firsts.len() - at).expect("invariant: there are at most four pushes for each box");
        let deadline = budget.time().map(|time| elapsed + time.saturating_sub(elapsed) / n_left);
        let work = budget.work().map(|work| work.saturating_sub(summary.ticks) / u64::from(n_left));
        let part = budget.clone().with_time(deadline).with_work(work);
        // The next run needs the memory of the previous one.
        drop(std::mem::take(&mut deferred_drop));
        let known = knobs.known.iter().filter_map(|solution| rest_of(level, push, &rest, solution)).collect();
        let own = SolveKnobs { known, polish: None, ..knobs.clone() };
        let (outcome, left) = run_portfolio(&rest, &own, &part, &RestProgress(progress));
        deferred_drop = left;
        summary.add(push, &rest, outcome);
    }
    (summary.outcome(), deferred_drop)
}

/// The part of a known solution after this first push, if it begins with that.
fn rest_of(level: &Level, first: Push, rest: &Level, solution: &Solution) -> Option<Solution> {
    let pushes = pushes_of(level, solution.lurd());
    let (&own, after) = pushes.split_first()?;
    (own == first).then(|| checked(rest, after).ok())?
}

/// Passes on the events of a run after a first push, without those about solutions and bounds, which do not hold for
/// the whole level.
struct RestProgress<'a>(&'a dyn SolveProgress);

impl SolveProgress for RestProgress<'_> {
    fn on(&self, event: SolveEvent<'_>) {
        if !matches!(event, SolveEvent::Improved { .. } | SolveEvent::Bound { .. }) {
            self.0.on(event);
        }
    }
}

/// The results of the first pushes so far.
struct FirstPushes<'a> {
    level: &'a Level,
    knobs: &'a SolveKnobs,
    budget: &'a Budget,
    progress: &'a dyn SolveProgress,
    optimal: Optimal,
    best_known: BestKnown,
    /// The lower bound of solutions that begin with the first pushes so far; `u64::MAX` if there are none.
    lower_bound: u64,
    /// Whether every first push so far has its final answer.
    is_complete: bool,
    end: End,
    tried: Vec<Attempt>,
    ticks: u64,
    find_times: FindTimes,
    peak_bytes: u64,
}

impl<'a> FirstPushes<'a> {
    fn new(level: &'a Level, knobs: &'a SolveKnobs, budget: &'a Budget, progress: &'a dyn SolveProgress) -> Self {
        let optimal = knobs.optimal();
        let mut best_known = BestKnown::new(level, optimal);
        if optimal != Optimal::Any {
            best_known.take_known(level, &knobs.known);
        }
        Self {
            level,
            knobs,
            budget,
            progress,
            optimal,
            best_known,
            lower_bound: u64::MAX,
            is_complete: true,
            end: End::Exhausted,
            tried: Vec::new(),
            ticks: 0,
            find_times: FindTimes::default(),
            peak_bytes: 0,
        }
    }

    /// Whether any solution will do, and there is one.
    fn is_over(&self) -> bool {
        self.optimal == Optimal::Any && self.best_known.has_solution()
    }

    fn add(&mut self, first: Push, rest: &Level, outcome: Outcome) {
        self.ticks += outcome.ticks;
        self.find_times += outcome.find_times;
        self.peak_bytes = self.peak_bytes.max(outcome.peak_bytes);
        // What an attempt proved about the rest holds for this first push alone.
        self.tried.extend(outcome.tried.into_iter().map(|attempt| Attempt { lower_bound: None, ..attempt }));
        let rest_bound = outcome.lower_bound.unwrap_or(0);
        let least = || self.first_part_of(first).saturating_add(rest_bound);
        match outcome.answer {
            Answer::Solved { solution, by, proved } => {
                if !proved {
                    self.add_unknown(outcome.end, least());
                }
                let pushes: Vec<_> = std::iter::once(first).chain(pushes_of(rest, solution.lurd())).collect();
                self.add_solved(&pushes, &by, proved);
            }
            Answer::Unsolvable { .. } => {}
            Answer::Unsolved(end) => self.add_unknown(end, least()),
        }
    }

    /// The cost of a first push, with the walk to it, in the metric that counts first.
    fn first_part_of(&self, first: Push) -> u64 {
        match self.optimal {
            Optimal::Moves | Optimal::MovesPushes => {
                moves_of(self.level, &[first]).map_or(0, |moves| moves.len() as u64)
            }
            Optimal::Any | Optimal::Pushes | Optimal::PushesMoves => 1,
        }
    }

    /// Records a first push without a final answer, with a lower bound in the metric that counts first.
    fn add_unknown(&mut self, end: End, least: u64) {
        self.is_complete = false;
        self.end = end;
        self.lower_bound = self.lower_bound.min(self.best_known.rule().with_first_part(least));
    }

    fn add_solved(&mut self, pushes: &[Push], by: &str, proved: bool) {
        let Ok(solution) = checked(self.level, pushes) else {
            return self.add_unknown(End::Exhausted, 0);
        };
        if proved {
            self.lower_bound = self.lower_bound.min(self.best_known.rule().of_solution(&solution.metrics()));
        }
        if !self.best_known.is_better(&solution.metrics()) {
            return;
        }
        let polished =
            self.knobs.polish.as_deref().and_then(|polish| replay(self.level, polish(&solution).lurd()).ok());
        let solution = polished.filter(|polished| self.best_known.ranks(polished, &solution)).unwrap_or(solution);
        self.best_known.offer(solution.clone(), by);
        if self.optimal != Optimal::Any {
            let (metrics, elapsed) = (solution.metrics(), self.budget.elapsed());
            self.progress.on(SolveEvent::Improved { strategy: by, metrics, elapsed, solution: &solution });
        }
    }

    fn outcome(mut self) -> Outcome {
        let proves = self.optimal != Optimal::Any;
        if proves {
            self.best_known.raise(self.lower_bound);
        }
        let is_solvable = self.best_known.has_solution() || !self.is_complete;
        let answer = match self.best_known.answer() {
            Some(answer) => answer,
            None if is_solvable => Answer::Unsolved(self.end),
            None => Answer::Unsolvable { by: "every first push".to_owned() },
        };
        if is_solvable {
            let ends = self.tried.iter_mut().map(|attempt| &mut attempt.end);
            ends.filter(|end| **end == AttemptEnd::Unsolvable).for_each(|end| *end = AttemptEnd::GaveUp);
        }
        Outcome {
            answer,
            lower_bound: self.best_known.bound().filter(|_| proves && is_solvable),
            end: if self.best_known.is_proved() { End::Exhausted } else { self.end },
            tried: self.tried,
            elapsed: self.budget.elapsed(),
            find_times: self.find_times,
            ticks: self.ticks,
            peak_bytes: self.peak_bytes,
        }
    }
}

/// The pushes that can be made at the start.
fn first_pushes(level: &Level) -> Vec<Push> {
    level.start().pushes(level.board())
}
