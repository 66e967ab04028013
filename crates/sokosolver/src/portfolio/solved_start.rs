//! Levels that start solved. A solution still needs a push, so each first push makes a level of its own.
//!
//! The searches below never see a start that is solved, unless the first push was from goal to goal; then one level
//! more is made of it, for the game is won by that push already.

use sokocore::{Level, Push, Reach, Solution, moves_of, pushes_of, replay};
use sokosearch::{Budget, End};

use super::leftovers::Leftovers;
use super::race::checked;
use super::standing::Standing;
use super::{SolveKnobs, run_portfolio};
use crate::position_level::level_at;
use crate::{Answer, Attempt, Optimal, Outcome, SolveEvent, SolveProgress};

/// Solves a level whose boxes are all on goals.
pub(crate) fn solve(
    level: &Level,
    knobs: &SolveKnobs,
    budget: &Budget,
    progress: &dyn SolveProgress,
) -> (Outcome, Leftovers) {
    let firsts = first_pushes(level);
    let mut leftovers = Leftovers::default();
    let mut tally = Tally::new(level, knobs, budget, progress);
    for (at, &push) in firsts.iter().enumerate() {
        if tally.is_over() {
            break;
        }
        let mut after = level.start().clone();
        after.push(level.board(), push);
        if level.is_solved(&after.boxes) {
            tally.add_solved(&[push], "first push", true);
            continue;
        }
        let Some(rest) = level_at(level, &after) else {
            tally.add_unknown(End::Exhausted, 0);
            continue;
        };
        let elapsed = budget.elapsed();
        let n_left = u32::try_from(firsts.len() - at).unwrap_or(u32::MAX);
        let deadline = budget.time().map(|time| elapsed + time.saturating_sub(elapsed) / n_left);
        let work = budget.work().map(|work| work.saturating_sub(tally.ticks) / u64::from(n_left));
        let part = budget.clone().with_time(deadline).with_work(work);
        // The next run needs the memory of the last one.
        drop(std::mem::take(&mut leftovers));
        let known = knobs.known.iter().filter_map(|solution| rest_of(level, push, &rest, solution)).collect();
        let own = SolveKnobs { known, polish: None, ..knobs.clone() };
        let (outcome, left) = run_portfolio(&rest, &own, &part, &OfRest(progress));
        leftovers = left;
        tally.add(push, &rest, outcome);
    }
    (tally.outcome(), leftovers)
}

/// The part of a known solution after this first push, if it begins with that.
fn rest_of(level: &Level, first: Push, rest: &Level, solution: &Solution) -> Option<Solution> {
    let pushes = pushes_of(level, solution.lurd());
    let (&own, after) = pushes.split_first()?;
    (own == first).then(|| checked(rest, after).ok())?
}

/// Listens to the run of a level that begins after a first push: what it says about solutions is not true of the whole.
struct OfRest<'a>(&'a dyn SolveProgress);

impl SolveProgress for OfRest<'_> {
    fn on(&self, event: SolveEvent<'_>) {
        if !matches!(event, SolveEvent::Improved { .. } | SolveEvent::Bound { .. }) {
            self.0.on(event);
        }
    }
}

/// What the first pushes have come to so far.
struct Tally<'a> {
    level: &'a Level,
    knobs: &'a SolveKnobs,
    budget: &'a Budget,
    progress: &'a dyn SolveProgress,
    optimal: Optimal,
    standing: Standing,
    /// The least cost that a solution can have by the first pushes so far; `u64::MAX` if none leads to one.
    floor: u64,
    /// Whether every first push so far has its final answer.
    is_complete: bool,
    end: End,
    tried: Vec<Attempt>,
    ticks: u64,
    peak_bytes: u64,
}

impl<'a> Tally<'a> {
    fn new(level: &'a Level, knobs: &'a SolveKnobs, budget: &'a Budget, progress: &'a dyn SolveProgress) -> Self {
        let optimal = knobs.optimal();
        let mut standing = Standing::new(level, optimal);
        if optimal != Optimal::Any {
            standing.take_known(level, &knobs.known);
        }
        Self {
            level,
            knobs,
            budget,
            progress,
            optimal,
            standing,
            floor: u64::MAX,
            is_complete: true,
            end: End::Exhausted,
            tried: Vec::new(),
            ticks: 0,
            peak_bytes: 0,
        }
    }

    /// Whether any solution will do, and there is one.
    fn is_over(&self) -> bool {
        self.optimal == Optimal::Any && self.standing.has_solution()
    }

    fn add(&mut self, first: Push, rest: &Level, outcome: Outcome) {
        self.ticks += outcome.ticks;
        self.peak_bytes = self.peak_bytes.max(outcome.peak_bytes);
        self.tried.extend(outcome.tried);
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

    /// What counts first of a first push, with the walk to it.
    fn first_part_of(&self, first: Push) -> u64 {
        match self.optimal {
            Optimal::Moves | Optimal::MovesPushes => {
                moves_of(self.level, &[first]).map_or(0, |moves| moves.len() as u64)
            }
            Optimal::Any | Optimal::Pushes | Optimal::PushesMoves => 1,
        }
    }

    /// A first push whose solutions have so much at least of what counts first.
    fn add_unknown(&mut self, end: End, least: u64) {
        self.is_complete = false;
        self.end = end;
        self.floor = self.floor.min(self.standing.rule().with_first_part(least));
    }

    fn add_solved(&mut self, pushes: &[Push], by: &str, proved: bool) {
        let Ok(solution) = checked(self.level, pushes) else {
            return self.add_unknown(End::Exhausted, 0);
        };
        if proved {
            self.floor = self.floor.min(self.standing.rule().of_solution(&solution.metrics()));
        }
        if !self.standing.is_better(&solution.metrics()) {
            return;
        }
        let polished =
            self.knobs.polish.as_deref().and_then(|polish| replay(self.level, polish(&solution).lurd()).ok());
        let solution = polished.filter(|polished| self.standing.ranks(polished, &solution)).unwrap_or(solution);
        self.standing.offer(solution.clone(), by);
        if self.optimal != Optimal::Any {
            let (metrics, elapsed) = (solution.metrics(), self.budget.elapsed());
            self.progress.on(SolveEvent::Improved { strategy: by, metrics, elapsed, solution: &solution });
        }
    }

    fn outcome(mut self) -> Outcome {
        let proves = self.optimal != Optimal::Any;
        if proves {
            self.standing.raise(self.floor);
        }
        let is_solvable = self.standing.has_solution() || !self.is_complete;
        let answer = match self.standing.answer() {
            Some(answer) => answer,
            None if is_solvable => Answer::Unsolved(self.end),
            None => Answer::Unsolvable { by: "every first push".to_owned() },
        };
        Outcome {
            answer,
            lower_bound: self.standing.bound().filter(|_| proves && is_solvable),
            end: if self.standing.is_proved() { End::Exhausted } else { self.end },
            tried: self.tried,
            elapsed: self.budget.elapsed(),
            ticks: self.ticks,
            peak_bytes: self.peak_bytes,
        }
    }
}

/// The pushes that can be made at the start.
fn first_pushes(level: &Level) -> Vec<Push> {
    let (board, start) = (level.board(), level.start());
    let mut reach = Reach::new(board);
    reach.flood(board, &start.boxes, start.player);
    start.pushes(board, &reach).collect()
}
