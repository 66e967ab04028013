//! Levels that start solved. A solution still needs a push, so each first push makes a level of its own.
//!
//! The searches below never see a start that is solved, unless the first push was from goal to goal; then one level
//! more is made of it, for the game is won by that push already.

use sokocore::{Cell, Direction, Level, Position, Push, Reach, Square, pushes_of};
use sokosearch::{Budget, End};

use super::leftovers::Leftovers;
use super::race::checked;
use super::{SolveKnobs, run_portfolio};
use crate::{Answer, Optimal, Outcome, SolveProgress};

/// Solves a level whose boxes are all on goals.
pub(crate) fn solve(
    level: &Level,
    knobs: &SolveKnobs,
    budget: &Budget,
    progress: &dyn SolveProgress,
) -> (Outcome, Leftovers) {
    let firsts = first_pushes(level);
    let mut leftovers = Leftovers::default();
    let mut tally = Tally::new(level, knobs.settings.optimal);
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
        let Some(rest) = level_from(level, &after) else { continue };
        let elapsed = budget.elapsed();
        let n_left = u32::try_from(firsts.len() - at).unwrap_or(u32::MAX);
        let deadline = budget.time().map(|time| elapsed + time.saturating_sub(elapsed) / n_left);
        let work = budget.work().map(|work| work.saturating_sub(tally.ticks) / u64::from(n_left));
        let part = budget.clone().with_time(deadline).with_work(work);
        // The next run needs the memory of the last one.
        drop(std::mem::take(&mut leftovers));
        let (outcome, left) = run_portfolio(&rest, knobs, &part, progress);
        leftovers = left;
        tally.add(push, &rest, outcome);
    }
    (tally.outcome(budget), leftovers)
}

/// What the first pushes have come to so far.
struct Tally<'a> {
    level: &'a Level,
    optimal: Optimal,
    best: Option<(sokocore::Solution, String)>,
    /// Whether every first push so far has its final answer.
    is_complete: bool,
    end: End,
    tried: Vec<crate::Attempt>,
    ticks: u64,
    peak_bytes: u64,
}

impl<'a> Tally<'a> {
    const fn new(level: &'a Level, optimal: Optimal) -> Self {
        let tried = Vec::new();
        Self { level, optimal, best: None, is_complete: true, end: End::Exhausted, tried, ticks: 0, peak_bytes: 0 }
    }

    /// Whether any solution will do, and there is one.
    fn is_over(&self) -> bool {
        self.optimal == Optimal::Any && self.best.is_some()
    }

    fn add(&mut self, first: Push, rest: &Level, outcome: Outcome) {
        self.ticks += outcome.ticks;
        self.peak_bytes = self.peak_bytes.max(outcome.peak_bytes);
        self.tried.extend(outcome.tried);
        match outcome.answer {
            Answer::Solved { solution, by, proved } => {
                let pushes: Vec<_> = std::iter::once(first).chain(pushes_of(rest, solution.lurd())).collect();
                self.add_solved(&pushes, &by, proved);
            }
            Answer::Unsolvable { .. } => {}
            Answer::Unsolved(end) => {
                self.is_complete = false;
                self.end = end;
            }
        }
    }

    fn add_solved(&mut self, pushes: &[Push], by: &str, proved: bool) {
        self.is_complete &= proved;
        let Ok(solution) = checked(self.level, pushes) else { return };
        let score = |solution: &sokocore::Solution| {
            let metrics = solution.metrics();
            match self.optimal {
                Optimal::Moves | Optimal::MovesPushes => (metrics.moves, metrics.pushes),
                _ => (metrics.pushes, metrics.moves),
            }
        };
        if self.best.as_ref().is_none_or(|(best, _)| score(&solution) < score(best)) {
            self.best = Some((solution, by.to_owned()));
        }
    }

    fn outcome(self, budget: &Budget) -> Outcome {
        let answer = match self.best {
            Some((solution, by)) => {
                let proved = self.is_complete && self.optimal != Optimal::Any;
                Answer::Solved { solution, by, proved }
            }
            None if self.is_complete => Answer::Unsolvable { by: "every first push".to_owned() },
            None => Answer::Unsolved(self.end),
        };
        let Self { tried, ticks, peak_bytes, .. } = self;
        Outcome { answer, tried, elapsed: budget.elapsed(), ticks, peak_bytes }
    }
}

/// The pushes that can be made at the start.
fn first_pushes(level: &Level) -> Vec<Push> {
    let (board, start) = (level.board(), level.start());
    let mut reach = Reach::new(board);
    reach.flood(board, &start.boxes, start.player);
    start.pushes(board, &reach).collect()
}

/// The same level from another position on. Its squares have the same names: only boxes and player differ.
fn level_from(level: &Level, position: &Position) -> Option<Level> {
    let board = level.board();
    let mut grid = level.play_grid().clone();
    for sq in board.squares() {
        let (row, column) = board.place(sq);
        grid.set(row, column, cell(level, position, sq));
    }
    let made = Level::from_grid(grid).ok()?;
    let same = |sq: Square| Direction::ALL.iter().all(|&dir| made.board().step(sq, dir) == board.step(sq, dir));
    (made.board().n_squares() == board.n_squares() && board.squares().all(same)).then_some(made)
}

fn cell(level: &Level, position: &Position, sq: Square) -> Cell {
    match (level.board().goals().contains(sq), position.boxes.contains(sq), position.player == sq) {
        (true, true, _) => Cell::BoxOnGoal,
        (true, false, true) => Cell::PlayerOnGoal,
        (true, false, false) => Cell::Goal,
        (false, true, _) => Cell::Box,
        (false, false, true) => Cell::Player,
        (false, false, false) => Cell::Floor,
    }
}
