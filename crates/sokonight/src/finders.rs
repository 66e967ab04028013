//! Which method has found the best solutions of a level.

use std::time::Duration;

use parking_lot::Mutex;
use sokocore::{Metrics, Objective, Solution};

use crate::FoundSolution;

/// The methods that have found the best solutions of a level, one for each objective; for several threads.
#[derive(Debug, Default)]
pub struct Finders(Mutex<Vec<Finder>>);

#[derive(Clone, Debug)]
struct Finder {
    objective: Objective,
    metrics: Metrics,
    method: String,
    elapsed: Duration,
}

impl Finders {
    /// Notes that a method has found a better solution, so long after its search began.
    pub fn note(&self, objective: Objective, metrics: Metrics, method: &str, elapsed: Duration) {
        let finder = Finder { objective, metrics, method: method.to_owned(), elapsed };
        let mut finders = self.0.lock();
        match finders.iter_mut().find(|old| old.objective == objective) {
            Some(old) => *old = finder,
            None => finders.push(finder),
        }
    }

    /// Adds to the best solution by an objective what found it, if that was noted.
    #[must_use]
    pub fn found(&self, solution: Solution, objective: Objective) -> FoundSolution {
        let finders = self.0.lock();
        let metrics = solution.metrics();
        let finder = finders.iter().find(|finder| finder.objective == objective && finder.metrics == metrics);
        let found = FoundSolution::new(solution, objective);
        match finder {
            Some(finder) => found.by(&*finder.method, finder.elapsed),
            None => found,
        }
    }
}

#[cfg(test)]
mod tests {
    use sokocore::{Level, replay};

    use super::*;

    #[test]
    fn a_solution_has_the_method_that_found_it_and_no_other() {
        let level = Level::parse("#######\n#@ $ .#\n#######").unwrap();
        let solution = |moves: &str| replay(&level, &moves.parse().unwrap()).unwrap();
        let (short, long) = (solution("rRR"), solution("rlrRR"));
        let finders = Finders::default();
        finders.note(Objective::MOVES, long.metrics(), "solver", Duration::from_secs(1));
        finders.note(Objective::MOVES, short.metrics(), "tidy path", Duration::from_secs(2));
        let method = |solution: &Solution, objective| finders.found(solution.clone(), objective).method;
        assert_eq!(method(&short, Objective::MOVES), "tidy path");
        assert_eq!(
            (method(&long, Objective::MOVES), method(&short, Objective::PUSHES)),
            (String::new(), String::new())
        );
    }
}
