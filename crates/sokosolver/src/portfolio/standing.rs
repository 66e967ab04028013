//! How far a run for the best solution has come: the best solution known, and what every solution costs at least.
//!
//! ```text
//!   0 ── floor, only rises ──▶        ◀── best solution, only gets cheaper ──
//!                        proved when the two meet
//! ```
//!
//! Invariant: the floor is proved: by a search, by a matching at the start, or by parity. Each push moves a box to a
//! square of the other color, so where every goal is filled all solutions have pushes of the same parity. A solution below the
//! floor shows a fault of the program; from then on nothing counts as proved.

use sokocore::{Level, Metrics, PushLowerBound, Solution, replay};
use sokosearch::Budget;
use tracing::error;

use super::ceiling::Ceiling;
use super::hopeless::has_time_to_match;
use crate::systematic::CostRule;
use crate::{Answer, Optimal};

/// Who brings the solutions that were known before the run.
const KNOWN: &str = "known";

/// The best solution and the bound of a run.
#[derive(Debug)]
pub(crate) struct Standing {
    optimal: Optimal,
    rule: CostRule,
    /// Whether solutions have an odd number of pushes, if all of them have the same parity.
    has_odd_pushes: Option<bool>,
    best: Option<Best>,
    ceiling: Ceiling,
    floor: u64,
    is_contradicted: bool,
}

#[derive(Debug)]
struct Best {
    solution: Solution,
    by: String,
    cost: u64,
}

impl Standing {
    /// Knows the level alone: what a matching of its boxes and goals says, if there is time for one.
    pub(crate) fn of(level: &Level, optimal: Optimal, budget: &Budget) -> Self {
        let mut standing = Self::new(level, optimal);
        let bound = has_time_to_match(level, budget).then(|| PushLowerBound::new(level)).flatten();
        if let Some(pushes) = bound.and_then(|mut bound| bound.of(&level.start().boxes)) {
            standing.raise(standing.rule.with_first_part(pushes));
        }
        standing
    }

    /// Knows nothing.
    pub(crate) fn new(level: &Level, optimal: Optimal) -> Self {
        Self {
            optimal,
            rule: CostRule::for_optimal(optimal),
            has_odd_pushes: has_odd_pushes(level),
            best: None,
            ceiling: Ceiling::new(),
            floor: 0,
            is_contradicted: false,
        }
    }

    /// Takes in the solutions that are known before the run; those of other levels are left out.
    pub(crate) fn take_known(&mut self, level: &Level, known: &[Solution]) {
        for solution in known.iter().filter_map(|solution| replay(level, solution.lurd()).ok()) {
            self.offer(solution, KNOWN);
        }
    }

    /// Returns the cost of the best solution, as all searches of the run see it.
    pub(crate) const fn ceiling(&self) -> &Ceiling {
        &self.ceiling
    }

    /// Returns what costs are made of.
    pub(crate) const fn rule(&self) -> CostRule {
        self.rule
    }

    /// Returns whether a solution is known.
    pub(crate) const fn has_solution(&self) -> bool {
        self.best.is_some()
    }

    /// Returns whether a solution is better than the best one known: what counts first decides, then the other one of
    /// pushes and moves.
    pub(crate) fn is_better(&self, metrics: &Metrics) -> bool {
        self.best.as_ref().is_none_or(|best| self.score(metrics) < self.score(&best.solution.metrics()))
    }

    /// Returns whether one solution is better than another.
    pub(crate) fn ranks(&self, one: &Solution, other: &Solution) -> bool {
        self.score(&one.metrics()) < self.score(&other.metrics())
    }

    /// Takes in a solution that was replayed, if it is better; returns whether it is.
    pub(crate) fn offer(&mut self, solution: Solution, by: &str) -> bool {
        let metrics = solution.metrics();
        if !self.is_better(&metrics) {
            return false;
        }
        let cost = self.rule.of_solution(&metrics);
        self.ceiling.lower(cost);
        self.best = Some(Best { solution, by: by.to_owned(), cost });
        self.compare();
        true
    }

    /// Raises the floor to a cost that is proved; returns the new bound if that rises.
    pub(crate) fn raise(&mut self, cost: u64) -> Option<u64> {
        if cost <= self.floor || cost == u64::MAX {
            return None;
        }
        let before = self.bound();
        self.floor = self.lifted(cost);
        self.compare();
        self.bound().filter(|&bound| before.is_none_or(|before| bound > before))
    }

    /// Returns the fewest pushes or moves that are proved to be needed, by what counts first; `None` after a fault.
    pub(crate) fn bound(&self) -> Option<u64> {
        (!self.is_contradicted).then_some(self.rule.first_part(self.floor))
    }

    /// Returns whether no solution is better than the best one known.
    pub(crate) fn is_proved(&self) -> bool {
        let is_reached = |best: &Best| self.rule.is_exact(best.cost) && best.cost <= self.floor;
        !self.is_contradicted && self.best.as_ref().is_some_and(is_reached)
    }

    /// Returns whether a solution was found that was proved not to exist.
    pub(crate) const fn is_contradicted(&self) -> bool {
        self.is_contradicted
    }

    /// Returns the best solution as an answer.
    pub(crate) fn answer(&self) -> Option<Answer> {
        let Best { solution, by, .. } = self.best.as_ref()?;
        Some(Answer::Solved { solution: solution.clone(), by: by.clone(), proved: self.is_proved() })
    }

    /// Takes note that a search has shown that there is no solution; a fault if there is one.
    pub(crate) fn note_unsolvable(&mut self) {
        if self.best.is_some() {
            self.contradict();
        }
    }

    fn score(&self, metrics: &Metrics) -> (u64, u64) {
        match self.optimal {
            Optimal::Moves | Optimal::MovesPushes => (metrics.moves, metrics.pushes),
            Optimal::Any | Optimal::Pushes | Optimal::PushesMoves => (metrics.pushes, metrics.moves),
        }
    }

    /// The least cost from this one on that a solution can have by its parity.
    fn lifted(&self, cost: u64) -> u64 {
        let counts_pushes = matches!(self.rule, CostRule::Pushes | CostRule::PushesMoves);
        let pushes = self.rule.first_part(cost);
        match self.has_odd_pushes {
            Some(is_odd) if counts_pushes && (pushes % 2 == 1) != is_odd => self.rule.with_first_part(pushes + 1),
            _ => cost,
        }
    }

    fn compare(&mut self) {
        if self.best.as_ref().is_some_and(|best| best.cost < self.floor) {
            self.contradict();
        }
    }

    fn contradict(&mut self) {
        if !self.is_contradicted {
            error!(floor = self.floor, best = ?self.best, "a solution is better than what was proved. Please report this");
        }
        self.is_contradicted = true;
    }
}

/// Whether solutions have an odd number of pushes; `None` if that depends on the goals that are filled.
fn has_odd_pushes(level: &Level) -> Option<bool> {
    let (board, boxes) = (level.board(), &level.start().boxes);
    let is_dark = |&sq: &_| {
        let (row, column) = board.place(sq);
        (row + column) % 2 == 1
    };
    let n_dark = boxes.iter().filter(is_dark).count() + board.goals().iter().filter(is_dark).count();
    (boxes.len() == board.goals().len()).then_some(n_dark % 2 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: &str = "######\n##   #\n#@$ $#\n#.  .#\n######";

    fn solution(moves: &str) -> Solution {
        replay(&Level::parse(LEVEL).unwrap(), &moves.parse().unwrap()).unwrap()
    }

    fn standing(optimal: Optimal) -> Standing {
        Standing::new(&Level::parse(LEVEL).unwrap(), optimal)
    }

    #[test]
    fn a_solution_is_proved_when_the_floor_comes_up_to_it() {
        let mut standing = standing(Optimal::Moves);
        assert_eq!(standing.raise(11), Some(11));
        assert!(standing.offer(solution("dudrruurDullDrdL"), "a") && !standing.is_proved());
        assert!(standing.offer(solution("drruurDullDrdL"), "b") && !standing.offer(solution("dudrruurDullDrdL"), "c"));
        assert_eq!((standing.ceiling().cost(), standing.raise(10), standing.raise(13)), (14, None, Some(13)));
        assert!(!standing.is_proved());
        assert_eq!(standing.raise(14), Some(14));
        assert!(matches!(standing.answer(), Some(Answer::Solved { proved: true, by, .. }) if by == "b"));
    }

    /// All solutions of this level have an odd number of pushes.
    #[test]
    fn parity_lifts_the_floor() {
        let mut standing = standing(Optimal::Pushes);
        assert_eq!((standing.raise(2), standing.raise(3)), (Some(3), None));
        assert!(standing.offer(solution("drruurDullDrdL"), "a") && standing.is_proved());
    }

    #[test]
    fn nothing_is_proved_after_a_contradiction() {
        let mut standing = standing(Optimal::Pushes);
        standing.raise(5);
        standing.offer(solution("drruurDullDrdL"), "a");
        assert!(standing.is_contradicted() && !standing.is_proved());
        assert_eq!(standing.bound(), None);
    }
}
