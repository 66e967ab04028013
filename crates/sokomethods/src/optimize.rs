//! The entry points: improve a solution, or the part of it that a scope selects; and the order of several objectives.

use sokocore::{Metric, Objective};
use sokosearch::{Context, Stop};

use crate::scope::part_optimizer::optimize_parts;
use crate::{Checkpoint, Knobs, schedule};

/// Improves the context's incumbent until no method gains anything more.
///
/// # Errors
/// Why it was stopped before that. Every solution found by then is in the pool.
pub fn optimize(knobs: &Knobs, cx: &mut Context<'_>) -> Result<(), Stop> {
    match &knobs.scope {
        Some(scope) => optimize_parts(scope, knobs, cx),
        None => schedule::run(knobs, cx),
    }
}

/// As [`optimize`], but continues where an earlier run ended, and also returns where this one has ended.
///
/// The solution of the checkpoint is offered to the pool first. If the incumbent is better than that, whatever still holds
/// is taken up. A checkpoint of another level or objective is left out. With one thread, equal runs from equal checkpoints
/// with limited work give equal results on every machine.
///
/// For a run that may be killed, `on_checkpoint` is called every few seconds, and sooner after a gain. It is called by the
/// threads of the run, which wait for it.
///
/// There is no checkpoint of a run with a scope, whose parts are levels of their own.
///
/// ```
/// use sokocore::{Level, Objective, replay};
/// use sokomethods::{Checkpoint, Knobs, optimize_from};
/// use sokosearch::{Budget, Cancel, Context, MemoryAccount, Pool, Stop};
///
/// let level = Level::parse("#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######")?;
/// let start = replay(&level, &"lUruLdrdrUluRdldlDrdLururDldR".parse()?)?;
/// let pool = Pool::new(&level, &start, &[Objective::MOVES]);
/// let run = |checkpoint: Option<&Checkpoint>| {
///     let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default()).with_work(Some(50_000));
///     optimize_from(&Knobs::default(), checkpoint, None, &mut Context::new(&pool, Objective::MOVES, &budget, &()))
/// };
/// let (end, first) = run(None);
/// assert_eq!(end, Err(Stop::Work));
/// let (_, second) = run(first.as_ref());
/// assert_eq!(second.map(|checkpoint| checkpoint.n_runs()), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn optimize_from(
    knobs: &Knobs,
    checkpoint: Option<&Checkpoint>,
    on_checkpoint: Option<&(dyn Fn(&Checkpoint) + Sync)>,
    cx: &mut Context<'_>,
) -> (Result<(), Stop>, Option<Checkpoint>) {
    if knobs.scope.is_some() {
        return (optimize(knobs, cx), None);
    }
    let (end, last) = schedule::run_from(knobs, checkpoint, on_checkpoint, cx);
    (end, Some(last))
}

/// Sorts objectives into the order in which one thread searches by them: those that count pushes first come before the others.
///
/// A search by another objective that stagnates continues from what the search by pushes has found (see
/// [`Technique::Reformulation`](crate::Technique::Reformulation)). Measured: see
/// `docs/experiments/2026-11-26-reformulation.md`.
///
/// ```
/// use sokocore::Objective;
/// use sokomethods::sort_for_search;
///
/// let mut objectives = [Objective::MOVES, Objective::PUSHES];
/// sort_for_search(&mut objectives, |objective| *objective);
/// assert_eq!(objectives, [Objective::PUSHES, Objective::MOVES]);
/// ```
pub fn sort_for_search<T>(searches: &mut [T], objective: impl Fn(&T) -> Objective) {
    searches.sort_by_key(|search| objective(search).order()[0] != Metric::Pushes);
}
