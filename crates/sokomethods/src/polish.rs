//! A few milliseconds of the quick methods: what a solver finds has loops and detours.

use sokocore::{Level, Objective, Solution};
use sokosearch::{Budget, Cancel, Context, MemoryAccount, Pool};

use crate::{Knobs, METHODS};

/// Most units of work, some ten milliseconds.
pub(crate) const WORK: u64 = 300_000;
/// Most memory, in bytes.
const MEMORY: u64 = 16 << 20;
/// What is quick, in this order.
const QUICK: [&str; 4] = ["tidy path", "symmetry", "permute", "rearrange"];

/// Improves a solution a little: its loops and detours go. It takes some ten milliseconds and at most 16 MiB of `memory`;
/// where that is used up, or once `cancel` is set, it returns what it has by then. The result is at least as good as the
/// solution by the objective, so what was proved of its first metric holds.
///
/// ```
/// use sokocore::{Level, Objective, replay};
/// use sokomethods::polish;
/// use sokosearch::{Cancel, MemoryAccount};
///
/// let level = Level::parse("#####\n#@$.#\n#   #\n#####")?;
/// let found = replay(&level, &"duR".parse()?)?;
/// let memory = MemoryAccount::new(64 << 20);
/// let polished = polish(&level, &found, Objective::MOVES, &memory, &Cancel::default());
/// assert_eq!(polished.to_string(), "R");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn polish(
    level: &Level,
    solution: &Solution,
    objective: Objective,
    memory: &MemoryAccount,
    cancel: &Cancel,
) -> Solution {
    let pool = Pool::new(level, solution, &[objective]);
    let budget = Budget::new(None, memory.part(MEMORY), cancel.clone()).with_work(Some(WORK));
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
        let polished = |objective, bytes| {
            polish(&level, &detour, objective, &MemoryAccount::new(bytes), &Cancel::default()).metrics()
        };
        let by_pushes = polished(Objective::PUSHES, MEMORY);
        assert_eq!((by_pushes.pushes, by_pushes.moves), (3, 14));
        assert!(polished(Objective::MOVES, MEMORY).moves <= 14);
        assert!(polished(Objective::MOVES, 0).moves <= 16, "without memory it is no worse");
    }

    #[test]
    fn what_is_cancelled_returns_at_once() {
        let level = Level::parse("#####\n#@$.#\n#   #\n#####").unwrap();
        let found = replay(&level, &"duR".parse().unwrap()).unwrap();
        let cancel = Cancel::default();
        cancel.cancel();
        let polished = polish(&level, &found, Objective::MOVES, &MemoryAccount::new(MEMORY), &cancel);
        assert!(polished.metrics().moves <= 3);
    }
}
