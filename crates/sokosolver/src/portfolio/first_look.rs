//! The first look at a level: a compact board is searched alone, before the portfolio is set up.
//!
//! Most levels on compact boards are solved and proved in less time than it takes to make the tables of the portfolio's
//! strategies. If this search needs more than a few ticks, it ends with the bound that it has proved, and the portfolio
//! follows.
//!
//! Invariant: it depends on the level, the knobs and the limits alone, and it takes a small part of these.

use sokocore::Level;
use sokosearch::{Budget, End};

use super::race::{self, RaceResult, RaceSpec};
use super::{SolveKnobs, selection};
use crate::portfolio::best_known::BestKnown;
use crate::{Answer, Optimal, SolveProgress};

/// Ticks of the first look: for any solution, and for a proof, which the compact search makes much sooner than others.
const TICKS: u64 = 1 << 12;
const TICKS_OF_PROOF: u64 = 1 << 18;
/// The part of a limit of work that it may take: one in so many.
const PART_OF_WORK: u64 = 16;
/// The part of the memory: one in so many.
const PART_OF_MEMORY: u64 = 4;

/// Looks at a level, unless the board is not compact or the run is for certain strategies. Whether that was enough is in
/// the answer; `best_known` is given back in the result.
pub(super) fn first_look(
    level: &Level,
    knobs: &SolveKnobs,
    best_known: Option<BestKnown>,
    budget: &Budget,
    progress: &dyn SolveProgress,
) -> RaceResult {
    let is_for_all = knobs.strategy.is_none() && knobs.runs_built_in && knobs.custom.is_empty();
    if !knobs.looks_first || !is_for_all {
        return RaceResult::without_answer(best_known);
    }
    let upper_bound = best_known.as_ref().map(BestKnown::upper_bound);
    let Some(spec) = selection::compact_spec(level, &knobs.settings, upper_bound) else {
        return RaceResult::without_answer(best_known);
    };
    let ticks = if knobs.optimal() == Optimal::Any { TICKS } else { TICKS_OF_PROOF };
    let ticks = budget.work().map_or(ticks, |work| ticks.min(work / PART_OF_WORK));
    let memory = budget.memory().part(budget.memory().limit() / PART_OF_MEMORY);
    let part = budget.clone().with_memory(memory).with_work(Some(ticks));
    let race_spec = RaceSpec { specs: vec![spec], n_threads: 1, best_known, polish: knobs.polish.as_deref() };
    race::run(level, race_spec, &part, progress)
}

/// Returns whether the first look was enough.
pub(super) fn is_enough(result: &RaceResult) -> bool {
    match &result.answer {
        Answer::Solved { proved, .. } => *proved || result.best_known.is_none(),
        // What is dead at the start has a reason to be told, see `Fault`.
        Answer::Unsolvable { .. } => result.tried.iter().any(|attempt| attempt.stats.expanded > 0),
        Answer::Unsolved(_) => false,
    }
}

impl RaceResult {
    /// The result where nothing was looked at.
    pub(super) fn without_answer(best_known: Option<BestKnown>) -> Self {
        Self { best_known, ..Self::without_search(Answer::Unsolved(End::Exhausted), None) }
    }

    /// Puts what the first look did before what the portfolio did.
    pub(super) fn after(mut self, first: Self) -> Self {
        self.ticks += first.ticks;
        self.find_times += first.find_times;
        self.tried.splice(0..0, first.tried);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Solver;
    use crate::compact::COMPACT;

    const LEVEL: &str =
        "##########\n#   #    #\n# $ # .  #\n#   #    #\n# $    $ #\n#   ##   #\n# .  # . #\n#  @ #   #\n##########";

    fn strategies(outcome: &crate::Outcome) -> Vec<&str> {
        outcome.tried.iter().map(|attempt| attempt.strategy.as_str()).collect()
    }

    #[test]
    fn a_compact_level_needs_no_other_strategy() {
        let level = Level::parse(LEVEL).unwrap();
        for optimal in [Optimal::Any, Optimal::Pushes, Optimal::Moves] {
            let solver = || Solver::new(&level).optimal(optimal).work(10_000_000);
            let outcome = solver().run();
            assert_eq!((strategies(&outcome), outcome.by()), (vec![COMPACT], Some(COMPACT)));
            assert_eq!(outcome.is_proved(), optimal != Optimal::Any);
            let known = solver().known(outcome.solution().unwrap()).unwrap().run();
            assert_eq!(known.by(), Some(if optimal == Optimal::Any { COMPACT } else { "known" }));
            assert_eq!((known.is_proved(), known.lower_bound), (outcome.is_proved(), outcome.lower_bound));
        }
        assert!(!strategies(&Solver::new(&level).optimal(Optimal::PushesMoves).work(10_000).run()).contains(&COMPACT));
    }

    /// A short limit leaves it a small part, and all of the rest to the others.
    #[test]
    fn what_it_does_not_answer_is_left_to_others() {
        let level = Level::parse(LEVEL).unwrap();
        let outcome = Solver::new(&level).optimal(Optimal::Moves).work(320).run();
        let first = &outcome.tried[0];
        assert_eq!(first.strategy, COMPACT);
        assert!(first.ticks <= 20 && outcome.tried.len() > 1 && outcome.tried[1].ticks > 0, "{outcome:?}");
        assert!(first.lower_bound <= outcome.lower_bound, "{outcome:?}");
    }
}
