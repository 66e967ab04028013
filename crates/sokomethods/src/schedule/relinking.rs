//! Relinking with other solutions: those that are given at the start, and the run's own best before an arrival.
//!
//! ```text
//!   best   ──┬─ relink ─▶ best path through the configurations of all ──┬─ relink with rings ─▶ and through those near them
//!   others ──┴─ cross ──▶ some boxes as in one, others as in another ───┘
//! ```
//!
//! The arms wait for it, and the configurations near those of several long solutions are millions. So it has a limit: given
//! solutions have a part of the time and of the work that are left, an arrival has a part of the work so far. What takes least
//! comes first.

use sokocore::Solution;
use sokosearch::{Context, Stop};

use super::bandit::run_technique;
use crate::{Crossover, Knobs, Relink, Technique};

/// Given solutions may take one part in so many of the time and of the work that are left, and an arrival of the work so far.
const PART: u64 = 8;
/// Least and most ticks of an arrival.
const LEAST_TICKS: u64 = 1_000_000;
const MOST_TICKS: u64 = 16_000_000;

/// Relinks the best with solutions that are given at the start. Returns false if the limit has cut it off.
pub(super) fn relink_given(others: Vec<Solution>, knobs: &Knobs, cx: &mut Context<'_>) -> Result<bool, Stop> {
    if !knobs.relinks || others.is_empty() {
        return Ok(true);
    }
    let mut part = cx.part(cx.pool(), cx.progress(), 1.0 / PART as f64);
    let end = relink_and_cross(others, knobs, &mut part);
    cx.merge_part(&part);
    match end {
        // The limits are those of the part, unless the run is at its own.
        Err(Stop::Time | Stop::Work) => cx.poll().map(|()| false),
        end => end.map(|()| true),
    }
}

/// Relinks an arrival with the run's former best, after so many ticks of the run.
pub(super) fn relink_arrival(
    former: Solution,
    ticks_of_run: u64,
    knobs: &Knobs,
    cx: &mut Context<'_>,
) -> Result<(), Stop> {
    if !knobs.relinks {
        return Ok(());
    }
    let ticks = (ticks_of_run / PART).clamp(LEAST_TICKS, MOST_TICKS);
    cx.sliced(ticks, |cx| relink_and_cross(vec![former], knobs, cx)).map(|_: Option<()>| ())
}

/// Relinks the best with other solutions through the configurations of all, crosses them, and relinks them with rings.
fn relink_and_cross(others: Vec<Solution>, knobs: &Knobs, cx: &mut Context<'_>) -> Result<(), Stop> {
    let relink = |ring| Relink::new(others.clone(), ring, knobs.engine);
    run_technique(Technique::Relink, &relink(0), knobs, cx)?;
    run_technique(Technique::Crossover, &Crossover::new(others.clone()), knobs, cx)?;
    if knobs.relink_ring > 0 {
        run_technique(Technique::Relink, &relink(knobs.relink_ring), knobs, cx)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use sokocore::{Level, Objective, replay};
    use sokosearch::{Budget, Cancel, MemoryAccount, Pool};

    use super::*;
    use crate::checkpoint::Checkpoint;
    use crate::schedule::run_from;

    const ROWS: &str = "#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######";
    const BEST: &str = "rUluRddDldRulLruuLdlUdD";
    const OTHER: &str = "lUruLdrdrUluRdldlDrdLururDldR";

    fn solutions(level: &Level) -> (Solution, Solution) {
        let solution = |moves: &str| replay(level, &moves.parse().unwrap()).unwrap();
        (solution(BEST), solution(OTHER))
    }

    /// Given solutions have an eighth of the work that is left, and a run that is at its own limit ends.
    #[test]
    fn given_solutions_have_a_part_of_the_run() {
        let level = Level::parse(ROWS).unwrap();
        let (best, other) = solutions(&level);
        let relink = |work: Option<u64>, done_before: u64| {
            let pool = Pool::new(&level, &best, &[Objective::MOVES]);
            let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default()).with_work(work);
            let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
            let end =
                cx.tick_by(done_before).and_then(|()| relink_given(vec![other.clone()], &Knobs::default(), &mut cx));
            (end, cx.ticks())
        };
        let (end, all) = relink(None, 0);
        assert_eq!(end, Ok(true));
        assert!(all > 8_000, "{all} ticks");
        assert_eq!(relink(Some(8 * all + 8), 0), (Ok(true), all));
        let (end, ticks) = relink(Some(4 * all), 0);
        assert_eq!(end, Ok(false));
        assert!((all / 2..all / 2 + 1_000).contains(&ticks), "{ticks} of {all} ticks");
        assert_eq!(relink(Some(1_000), 1_000).0, Err(Stop::Work));
    }

    /// What was cut off is not called relinked, so the next run relinks it; what was not is called so.
    #[test]
    fn a_checkpoint_notes_what_was_relinked_in_whole() {
        let level = Level::parse(ROWS).unwrap();
        let (best, other) = solutions(&level);
        let knobs = Knobs::default().with_others([other]);
        let run = |work: u64, before: Option<&Checkpoint>| {
            let pool = Pool::new(&level, &best, &[Objective::MOVES]);
            let budget = Budget::new(None, MemoryAccount::new(64 << 20), Cancel::default()).with_work(Some(work));
            let mut cx = Context::new(&pool, Objective::MOVES, &budget, &());
            run_from(&knobs, before, None, &mut cx)
        };
        let (end, cut) = run(40_000, None);
        assert_eq!((end, cut.relinked.len()), (Err(Stop::Work), 0));
        assert!(cut.arms().count() > 0, "the arms have begun");
        let (end, whole) = run(800_000, Some(&cut));
        assert_eq!((end, whole.relinked.len()), (Err(Stop::Work), 1));
    }
}
