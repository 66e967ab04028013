//! A search pruned by an incumbent ends with the optimum, whichever solution it begins with.

use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use sokocore::{Objective, n_cases, optimum, planted, replay};
use sokosearch::MemoryAccount;

use super::*;
use crate::systematic::tests::spec;

fn budget(memory: u64) -> Budget {
    Budget::new(None, MemoryAccount::new(memory), Cancel::default())
}

/// Runs slices of so many ticks until the search is over; returns the best solution and the last slice. The lower bound
/// never falls, and never exceeds the optimum.
fn run(search: &mut IncumbentSearch, start: &Solution, ticks: u64, optimum: u64) -> (Solution, OptimalSlice) {
    let (mut incumbent, mut bound) = (start.clone(), 0);
    for _ in 0..10_000 {
        let slice = search.run_slice(&incumbent, ticks).unwrap();
        assert!((bound..=optimum).contains(&search.lower_bound()), "{bound} {} {optimum}", search.lower_bound());
        bound = search.lower_bound();
        match slice {
            OptimalSlice::Better(solution) => incumbent = solution,
            OptimalSlice::Pending => {}
            OptimalSlice::Optimal | OptimalSlice::GaveUp => return (incumbent, slice),
        }
    }
    panic!("it does not end");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(n_cases(24, 400)).unwrap_or(400)))]

    #[test]
    fn the_optimum_is_proved_from_any_solution((level, planted) in planted(spec())) {
        let start = replay(&level, &planted).unwrap();
        for (metric, optimal, objective) in [
            (Metric::Pushes, Optimal::Pushes, Objective::PUSHES),
            (Metric::Moves, Optimal::Moves, Objective::MOVES),
        ] {
            let best = optimum(&level, objective).unwrap();
            let least = metric.of(&best.metrics());
            for spec in [selection::sole_prover, selection::a_star_spec] {
                for incumbent in [&start, &best] {
                    let mut search = IncumbentSearch::new(&level, optimal, spec, &budget(1 << 26));
                    let (found, end) = run(&mut search, incumbent, 1_000, least);
                    prop_assert_eq!(end, OptimalSlice::Optimal);
                    prop_assert_eq!((metric.of(&found.metrics()), search.lower_bound()), (least, least));
                    prop_assert!(level.is_solved(&crate::systematic::tests::solution_end(&level, &found)));
                }
            }
        }
    }
}

/// Three boxes in front of a door.
const DOOR: &str = "###########\n#    #    #\n# $  #  . #\n# @$    . #\n#  $ #  . #\n#    #    #\n###########";

fn solved(level: &Level) -> Solution {
    let answer = crate::solve(level, &crate::SolveKnobs::default(), &budget(1 << 26), &());
    answer.solution().unwrap().clone()
}

/// An incumbent that another search has made optimal ends this one with a proof, without a solution of its own.
#[test]
fn incumbents_may_become_better_between_slices() {
    let level: Level = DOOR.parse().unwrap();
    let start = solved(&level);
    let best = optimum(&level, Objective::PUSHES).unwrap();
    let mut search = IncumbentSearch::new(&level, Optimal::Pushes, selection::a_star_spec, &budget(1 << 26));
    assert_eq!(search.run_slice(&start, 50), Ok(OptimalSlice::Pending));
    let (found, end) = run(&mut search, &best, 50, best.metrics().pushes);
    assert_eq!((found, end), (best.clone(), OptimalSlice::Optimal));
    assert_eq!(search.run_slice(&best, 50), Ok(OptimalSlice::Optimal), "it stays proved");
}

#[test]
fn a_search_ends_with_its_memory() {
    let level: Level = DOOR.parse().unwrap();
    let start = solved(&level);
    let mut search = IncumbentSearch::new(&level, Optimal::Moves, selection::a_star_spec, &budget(1 << 18));
    let is_over = |slice: &Result<OptimalSlice, Stop>| *slice != Ok(OptimalSlice::Pending);
    assert_eq!((0..100).map(|_| search.run_slice(&start, 1_000)).find(is_over), Some(Err(Stop::Memory)));
    assert!(search.lower_bound() <= optimum(&level, Objective::MOVES).unwrap().metrics().moves);
}

#[test]
fn other_metrics_and_solved_levels_have_no_search() {
    let level: Level = DOOR.parse().unwrap();
    for metric in Metric::ALL {
        let has_search = AStarSearcher.begin(&level, metric, &budget(1 << 26)).is_some();
        assert_eq!(has_search, matches!(metric, Metric::Moves | Metric::Pushes), "{metric:?}");
    }
    let solved: Level = "#####\n#@* #\n#####".parse().unwrap();
    assert!(AStarSearcher.begin(&solved, Metric::Pushes, &budget(1 << 26)).is_none());
}
