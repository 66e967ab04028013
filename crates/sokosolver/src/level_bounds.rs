//! Proved lower bounds of a level: no solution has fewer pushes, and none has fewer moves.
//!
//! ```text
//!   pushes ≥ matching by the player's side · pairs in conflict · parity          from the start, and from the goals
//!   moves  ≥ pushes + walks that the boxes' displacement asks for                displacement
//!          ≥ matching of pushes with the walks back, by a potential              potential, walk_bound
//!   both   ≥ what the searches for the best solution had proved when they ended  the portfolio
//! ```
//!
//! The bounds before a search take milliseconds. [`LevelBounds::raise`] runs the searches that prove: IDA* exhausts one
//! threshold after the other, and A* proves the least cost plus bound in its open list, whatever stops it.
//!
//! **Invariant**: a bound only rises, and each is proved. What a search prunes without a proof never raises one.

mod displacement;
mod potential;
mod start_bound;
mod walk_bound;

use sokocore::{Level, Metric};
use sokosearch::{Budget, Cancel, MemoryAccount, Stop};

use self::potential::PlayerPotential;
use self::walk_bound::WalkBound;
use crate::board::SearchBoard;
use crate::fault::has_time_to_match;
use crate::{LeastPushes, Optimal, Outcome, Parity, SolveKnobs, SolveProgress, WorkMeter, solve};

/// Proved lower bounds of every solution of a level.
///
/// ```
/// use sokocore::{Level, Metric};
/// use sokosearch::{Budget, Cancel, MemoryAccount};
/// use sokosolver::{LevelBounds, Optimal, SolveKnobs};
///
/// let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######")?;
/// let mut bounds = LevelBounds::of(&level).expect("boxes and goals can be matched");
/// assert_eq!(bounds.at_least(Metric::Pushes), Some(3));
///
/// let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default());
/// bounds.raise(&level, Optimal::Moves, &SolveKnobs::default(), &budget, &());
/// assert_eq!(bounds.at_least(Metric::Moves), Some(12));
/// # Ok::<(), sokocore::ParseLevelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelBounds {
    pushes: u64,
    walks: u64,
    /// By itself; pushes and walks may say more.
    moves: u64,
    parity: Option<Parity>,
}

impl LevelBounds {
    /// The most work before a search, in ticks: some 50 milliseconds.
    const WORK: u64 = 50_000;
    /// The memory of the tables before a search.
    const MEMORY: u64 = 96 << 20;

    /// Returns the bounds that need no search; `None` if boxes and goals cannot be matched, so that there is no solution.
    /// The same on every machine.
    #[must_use]
    pub fn of(level: &Level) -> Option<Self> {
        Self::within(level, &Budget::new(None, MemoryAccount::new(Self::MEMORY), Cancel::default()))
    }

    /// Returns the bounds that need no search, as far as the budget lasts; `None` as for [`LevelBounds::of`].
    #[must_use]
    pub fn within(level: &Level, budget: &Budget) -> Option<Self> {
        let matching = if has_time_to_match(level, budget) { LeastPushes::of(level) } else { LeastPushes::NotComputed };
        if matching == LeastPushes::Unsolvable {
            return None;
        }
        let start = &level.start().boxes;
        let n_off_goal = start.iter().filter(|&sq| !level.board().goals().contains(sq)).count() as u64;
        let mut bounds = Self { pushes: 0, walks: 0, moves: 0, parity: Parity::of(level) };
        // A solution of a level that starts solved has a push, too.
        bounds.raise_pushes(n_off_goal.max(1));
        bounds.raise_pushes(matching.at_least().unwrap_or(0));
        let work = budget.work().map_or(Self::WORK, |work| work.min(Self::WORK));
        let mut meter = WorkMeter::new(budget.clone().with_work(Some(work)), Cancel::default());
        if let Ok(Some(board)) = SearchBoard::within(level, &mut meter) {
            // What was proved before a limit counts.
            let _stopped: Result<(), Stop> = bounds.raise_without_search(level, &board, &mut meter);
        }
        Some(bounds)
    }

    /// Returns the least value of a metric in a solution, as far as it is proved; `None` for metrics other than pushes
    /// and moves.
    #[must_use]
    pub fn at_least(&self, metric: Metric) -> Option<u64> {
        match metric {
            Metric::Pushes => Some(self.pushes),
            Metric::Moves => Some(self.moves.max(self.pushes + self.walks)),
            _ => None,
        }
    }

    /// Runs the searches for the best solution in this mode within a budget, raises the bound to what they prove, and
    /// returns their outcome. They prune by [`SolveKnobs::known`], and find better solutions if there are any.
    pub fn raise(
        &mut self,
        level: &Level,
        optimal: Optimal,
        knobs: &SolveKnobs,
        budget: &Budget,
        progress: &dyn SolveProgress,
    ) -> Outcome {
        let mut knobs = knobs.clone();
        knobs.settings.optimal = optimal;
        let outcome = solve(level, &knobs, budget, progress);
        self.learn(knobs.optimal(), &outcome);
        outcome
    }

    /// Raises the bound to what a run for the best solution of this level in this mode has proved.
    pub fn learn(&mut self, optimal: Optimal, outcome: &Outcome) {
        let Some(proved) = outcome.lower_bound else { return };
        if let Some(objective) = optimal.objective() {
            self.note(objective.order()[0], proved);
        }
    }

    /// Raises the bound of pushes or moves to what a search has proved of this level; other metrics have none.
    pub fn note(&mut self, metric: Metric, proved: u64) {
        match metric {
            Metric::Pushes => self.raise_pushes(proved),
            Metric::Moves => self.moves = self.moves.max(proved),
            _ => {}
        }
    }

    fn raise_pushes(&mut self, proved: u64) {
        let proved = self.parity.map_or(proved, |parity| parity.at_least(proved));
        self.pushes = self.pushes.max(proved);
    }

    /// Raises the bounds by what the start position shows.
    fn raise_without_search(&mut self, level: &Level, board: &SearchBoard, meter: &mut WorkMeter) -> Result<(), Stop> {
        if let Some(pushes) = start_bound::least_pushes(board, meter)? {
            self.raise_pushes(u64::from(pushes));
        }
        let firsts = walk_bound::first_pushes(level, board);
        let first_walk = firsts.iter().map(|first| first.walk).min().unwrap_or(0);
        self.walks = displacement::least_walks(level, board).max(first_walk);
        for potential in PlayerPotential::candidates(level, board) {
            let mut bound = WalkBound::new(board, potential, meter)?;
            self.moves = self.moves.max(bound.after_any(&firsts));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
