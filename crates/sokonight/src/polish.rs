//! A few milliseconds of the quick methods: what a solver finds has loops and detours.

use sokocore::{Level, Objective, Solution};
use sokomethods::{Knobs, METHODS};
use sokosearch::{Budget, Cancel, Context, MemoryAccount, Pool};
use sokosolver::Optimal;

/// Most units of work, some ten milliseconds.
const WORK: u64 = 300_000;
/// Most memory, in bytes.
const MEMORY: u64 = 16 << 20;
/// What is quick, in this order.
const QUICK: [&str; 4] = ["tidy path", "symmetry", "permute", "rearrange"];

/// Improves a solution of the solver a little, by what it was meant to be best in; what is proved stays as good. It
/// takes some ten milliseconds.
#[must_use]
pub fn polish(level: &Level, solution: &Solution, optimal: Optimal, cancel: &Cancel) -> Solution {
    let objective = match optimal {
        Optimal::Pushes | Optimal::PushesMoves => Objective::PUSHES,
        Optimal::Any | Optimal::Moves | Optimal::MovesPushes => Objective::MOVES,
    };
    let pool = Pool::new(level, solution, &[objective]);
    let budget = Budget::new(None, MemoryAccount::new(MEMORY), cancel.clone()).with_work(Some(WORK));
    let mut context = Context::new(&pool, objective, &budget, &());
    let knobs = Knobs::default();
    for name in QUICK {
        let method = METHODS.iter().find(|spec| spec.name == name).map(|spec| (spec.build)(&knobs));
        // Whatever stops it, the pool keeps the best by then.
        if method.is_some_and(|method| method.run(&mut context).is_err()) {
            break;
        }
    }
    pool.best(objective)
}

#[cfg(test)]
mod tests {
    use sokocore::replay;

    use super::*;

    #[test]
    fn every_quick_method_exists() {
        for name in QUICK {
            assert!(METHODS.iter().any(|spec| spec.name == name), "{name}");
        }
    }

    #[test]
    fn detours_go_and_proofs_stay() {
        let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######").unwrap();
        let detour = replay(&level, &"dudrruurDullDrdL".parse().unwrap()).unwrap();
        let by_pushes = polish(&level, &detour, Optimal::Pushes, &Cancel::default());
        assert_eq!((by_pushes.metrics().pushes, by_pushes.metrics().moves), (3, 14));
        assert!(polish(&level, &detour, Optimal::Any, &Cancel::default()).metrics().moves <= 14);
    }
}
