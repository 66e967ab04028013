//! The state of a run for the best solution: the best solution known, and the proved lower bound.
//!
//! ```text
//!   0 ── lower bound, only rises ──▶        ◀── best solution, only gets cheaper ──
//!                          proved when the two meet
//! ```
//!
//! Invariant: the lower bound is proved, by a search, by a matching at the start, or by parity: each push moves a box
//! to a square of the other color, so if every goal is filled, the pushes of all solutions have the same parity. A
//! solution below the lower bound shows a bug; from then on nothing counts as proved.

use sokocore::{Level, Metrics, PushLowerBound, Solution, replay};
use sokosearch::Budget;
use tracing::error;

use crate::fault::has_time_to_match;
use crate::systematic::CostRule;
use crate::upper_bound::UpperBound;
use crate::{Answer, Optimal};

/// The finder of solutions that were known before the run.
const KNOWN: &str = "known";

/// The best solution and the lower bound of a run.
#[derive(Debug)]
pub(crate) struct BestKnown {
    optimal: Optimal,
    rule: CostRule,
    /// Whether solutions have an odd number of pushes, if all of them have the same parity.
    has_odd_pushes: Option<bool>,
    best: Option<KnownSolution>,
    upper_bound: UpperBound,
    lower_bound: u64,
    is_contradicted: bool,
}

#[derive(Debug)]
struct KnownSolution {
    solution: Solution,
    by: String,
    cost: u64,
}

impl BestKnown {
    /// Raises the bound to that of a matching of boxes and goals, if there is time for one.
    pub(crate) fn raise_by_matching(&mut self, level: &Level, budget: &Budget) {
        let bound = has_time_to_match(level, budget).then(|| PushLowerBound::new(level)).flatten();
        if let Some(pushes) = bound.and_then(|mut bound| bound.of(&level.start().boxes)) {
            self.raise(self.rule.with_first_part(pushes));
        }
    }

    /// Starts without a solution or a bound.
    pub(crate) fn new(level: &Level, optimal: Optimal) -> Self {
        Self {
            optimal,
            rule: CostRule::for_optimal(optimal),
            has_odd_pushes: has_odd_pushes(level),
            best: None,
            upper_bound: UpperBound::new(),
            lower_bound: 0,
            is_contradicted: false,
        }
    }

    /// Offers the solutions known before the run; those of other levels are ignored.
    pub(crate) fn take_known(&mut self, level: &Level, known: &[Solution]) {
        for solution in known.iter().filter_map(|solution| replay(level, solution.lurd()).ok()) {
            self.offer(solution, KNOWN);
        }
    }

    /// Returns the cost of the best solution, which all searches of the run share.
    pub(crate) const fn upper_bound(&self) -> &UpperBound {
        &self.upper_bound
    }

    /// Returns the rule of costs.
    pub(crate) const fn rule(&self) -> CostRule {
        self.rule
    }

    /// Returns whether a solution is known.
    pub(crate) const fn has_solution(&self) -> bool {
        self.best.is_some()
    }

    /// Returns whether a solution is better than the best one known: by the metric that counts first, then by the other
    /// one of pushes and moves.
    pub(crate) fn is_better(&self, metrics: &Metrics) -> bool {
        self.best.as_ref().is_none_or(|best| self.score(metrics) < self.score(&best.solution.metrics()))
    }

    /// Returns whether one solution is better than another.
    pub(crate) fn ranks(&self, one: &Solution, other: &Solution) -> bool {
        self.score(&one.metrics()) < self.score(&other.metrics())
    }

    /// Keeps a replayed solution if it is better; returns whether it is.
    pub(crate) fn offer(&mut self, solution: Solution, by: &str) -> bool {
        let metrics = solution.metrics();
        if !self.is_better(&metrics) {
            return false;
        }
        let cost = self.rule.of_solution(&metrics);
        self.upper_bound.lower(cost);
        self.best = Some(KnownSolution { solution, by: by.to_owned(), cost });
        self.compare();
        true
    }

    /// Raises the lower bound to a proved cost; returns the new bound if it has risen.
    pub(crate) fn raise(&mut self, cost: u64) -> Option<u64> {
        if cost <= self.lower_bound || cost == u64::MAX {
            return None;
        }
        let before = self.bound();
        self.lower_bound = self.raised_to_parity(cost);
        self.compare();
        self.bound().filter(|&bound| before.is_none_or(|before| bound > before))
    }

    /// Returns the proved lower bound of the metric that counts first, pushes or moves; `None` after a contradiction.
    pub(crate) fn bound(&self) -> Option<u64> {
        (!self.is_contradicted).then_some(self.rule.first_part(self.lower_bound))
    }

    /// Returns whether no solution is better than the best one known.
    pub(crate) fn is_proved(&self) -> bool {
        let is_reached = |best: &KnownSolution| self.rule.is_exact(best.cost) && best.cost <= self.lower_bound;
        !self.is_contradicted && self.best.as_ref().is_some_and(is_reached)
    }

    /// Returns whether a solution was found that was proved not to exist.
    pub(crate) const fn is_contradicted(&self) -> bool {
        self.is_contradicted
    }

    /// Returns the best solution as an answer.
    pub(crate) fn answer(&self) -> Option<Answer> {
        let KnownSolution { solution, by, .. } = self.best.as_ref()?;
        Some(Answer::Solved { solution: solution.clone(), by: by.clone(), proved: self.is_proved() })
    }

    /// Records a proof that there is no solution; a contradiction if there is one.
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

    /// The least cost, not below this one, that a solution can have by parity.
    fn raised_to_parity(&self, cost: u64) -> u64 {
        let counts_pushes = matches!(self.rule, CostRule::Pushes | CostRule::PushesMoves);
        let pushes = self.rule.first_part(cost);
        match self.has_odd_pushes {
            Some(is_odd) if counts_pushes && (pushes % 2 == 1) != is_odd => self.rule.with_first_part(pushes + 1),
            _ => cost,
        }
    }

    fn compare(&mut self) {
        if self.best.as_ref().is_some_and(|best| best.cost < self.lower_bound) {
            self.contradict();
        }
    }

    fn contradict(&mut self) {
        if !self.is_contradicted {
            error!(lower_bound = self.lower_bound, best = ?self.best, "a solution is better than what was proved. Please report this");
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

    fn best_known(optimal: Optimal) -> BestKnown {
        BestKnown::new(&Level::parse(LEVEL).unwrap(), optimal)
    }

    #[test]
    fn a_solution_is_proved_when_the_lower_bound_reaches_it() {
        let mut best_known = best_known(Optimal::Moves);
        assert_eq!(best_known.raise(11), Some(11));
        assert!(best_known.offer(solution("dudrruurDullDrdL"), "a") && !best_known.is_proved());
        assert!(
            best_known.offer(solution("drruurDullDrdL"), "b") && !best_known.offer(solution("dudrruurDullDrdL"), "c")
        );
        assert_eq!((best_known.upper_bound().cost(), best_known.raise(10), best_known.raise(13)), (14, None, Some(13)));
        assert!(!best_known.is_proved());
        assert_eq!(best_known.raise(14), Some(14));
        assert!(matches!(best_known.answer(), Some(Answer::Solved { proved: true, by, .. }) if by == "b"));
    }

    /// All solutions of this level have an odd number of pushes.
    #[test]
    fn parity_raises_the_lower_bound() {
        let mut best_known = best_known(Optimal::Pushes);
        assert_eq!((best_known.raise(2), best_known.raise(3)), (Some(3), None));
        assert!(best_known.offer(solution("drruurDullDrdL"), "a") && best_known.is_proved());
    }

    #[test]
    fn nothing_is_proved_after_a_contradiction() {
        let mut best_known = best_known(Optimal::Pushes);
        best_known.raise(5);
        best_known.offer(solution("drruurDullDrdL"), "a");
        assert!(best_known.is_contradicted() && !best_known.is_proved());
        assert_eq!(best_known.bound(), None);
    }
}
