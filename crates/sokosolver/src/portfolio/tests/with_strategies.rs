//! The portfolio with its real strategies, on small levels.

use std::collections::BTreeSet;

use sokocore::replay;
use sokosearch::{SolutionSource, SourceSlice};

use super::*;
use crate::Technique;
use crate::{Algorithm, Optimal, Outcome, PortfolioSource, STRATEGIES, Settings, SolveKnobs, Strategy, solve};

fn knobs(optimal: Optimal) -> SolveKnobs {
    SolveKnobs { settings: Settings { optimal, ..Settings::default() }, ..SolveKnobs::default() }
}

/// The answer in short: pushes and whether proved, or a word.
fn answer(rows: &str, knobs: &SolveKnobs) -> String {
    match solve(&Level::parse(rows).unwrap(), knobs, &budget(20_000_000), &()).answer {
        Answer::Solved { solution, proved, .. } => {
            let metrics = solution.metrics();
            format!("{}/{}{}", metrics.moves, metrics.pushes, if proved { " proved" } else { "" })
        }
        Answer::Unsolvable { .. } => "unsolvable".to_owned(),
        Answer::Unsolved(end) => format!("{end:?}"),
    }
}

#[test]
fn proofs_are_said_only_when_asked_for() {
    assert_eq!(answer(LEVEL, &knobs(Optimal::PushesMoves)), "14/3 proved");
    assert_eq!(answer(LEVEL, &knobs(Optimal::MovesPushes)), "12/5 proved");
    assert!(!answer(LEVEL, &knobs(Optimal::Any)).contains("proved"));
    let alone = SolveKnobs { strategy: Strategy::named("systematic"), ..knobs(Optimal::Pushes) };
    let settings = Settings { algorithm: Algorithm::IdaStar, ..alone.settings.clone() };
    assert!(answer(LEVEL, &SolveKnobs { settings, ..alone }).ends_with("/3 proved"));
}

#[test]
fn faulty_levels_need_no_search() {
    let level = Level::parse("#######\n#@ $$##\n#  $$.#\n# ....#\n#######").unwrap();
    let outcome = solve(&level, &SolveKnobs::default(), &budget(1_000_000), &());
    assert!(matches!(outcome.answer, Answer::Unsolvable { .. }));
    assert_eq!(outcome.ticks, 0);
}

#[test]
fn unsolvable_levels_are_searched_exhaustively() {
    // The player cannot get behind the box.
    let rows = "#######\n#.   ##\n#### ##\n#@ $  #\n#######";
    assert_eq!(answer(rows, &SolveKnobs::default()), "unsolvable");
}

/// Trap 6: a level that starts solved still needs pushes.
#[test]
fn trap_06_solved_starts_get_their_pushes() {
    let rows = "######\n# *@ #\n#    #\n######";
    assert_eq!(answer(rows, &knobs(Optimal::MovesPushes)), "10/2 proved");
    assert!(answer(rows, &SolveKnobs::default()).contains("/2"));
    assert_eq!(answer("####\n#@*#\n####", &SolveKnobs::default()), "unsolvable");
    let level = Level::parse("#######\n#@*  .#\n#     #\n#######").unwrap();
    let solved = solve(&level, &knobs(Optimal::Pushes), &budget(20_000_000), &());
    let solution = solved.solution().unwrap();
    assert_eq!(replay(&level, solution.lurd()).unwrap(), *solution);
}

/// On the level itself and on its images, whose solutions are turned back. Single-threaded, it repeats itself.
#[test]
fn a_source_has_solutions_of_each_strategy_and_of_images() {
    let level = level();
    let solutions = || {
        let mut source = PortfolioSource::new(&level, &SolveKnobs::default(), &budget(1));
        let mut found = Vec::new();
        loop {
            match source.run_slice(100_000).unwrap() {
                SourceSlice::Solution { solution, by } => found.push((by, solution)),
                SourceSlice::Pending => {}
                SourceSlice::Exhausted => break,
            }
        }
        assert!(source.ticks() > 0);
        found
    };
    let found = solutions();
    for (by, solution) in &found {
        assert_eq!(replay(&level, solution.lurd()).as_ref(), Ok(solution), "{by}");
    }
    let names: BTreeSet<_> = found.iter().map(|(by, _)| by).collect();
    assert!(names.len() > 1 && found.len() > 2 * names.len(), "{} of {names:?}", found.len());
    assert_eq!(solutions(), found);
}

/// A source of a later run begins with the images whose turns have not been.
#[test]
fn a_source_skips_the_turns_that_are_over() {
    let level = level();
    let source = || PortfolioSource::new(&level, &SolveKnobs::default(), &budget(1));
    let mut first = source();
    while first.position() < 3 {
        assert_ne!(first.run_slice(10_000), Ok(SourceSlice::Exhausted));
    }
    let mut second = source();
    assert_eq!(second.position(), 0);
    second.skip_to(first.position());
    assert_eq!(second.position(), first.position());
    let Ok(SourceSlice::Solution { solution, .. }) = second.run_slice(1_000_000) else { panic!("an image is solved") };
    assert_eq!(replay(&level, solution.lurd()), Ok(solution));
    second.skip_to(u64::MAX);
    assert!(second.position() > 3);
}

/// A seed decides what is left to chance, and nothing else.
#[test]
fn other_seeds_find_other_solutions() {
    let (level, _) = sokocore::hard_level();
    let strategy = Strategy::named("fess-excess-dice").unwrap();
    let found = |seed| {
        let mut meter = WorkMeter::new(budget(20_000_000), Cancel::default());
        let settings = Settings { seed, ..Settings::default() };
        match strategy.build(&level, &settings, &mut meter).unwrap().resume(&mut meter) {
            Ok(Verdict::Solved(pushes)) => pushes,
            other => panic!("seed {seed}: {other:?}"),
        }
    };
    let first = found(1);
    assert_eq!(found(1), first);
    assert!([2, 3, 4].into_iter().any(|seed| found(seed) != first), "all seeds find the same");
}

#[test]
fn a_search_that_is_nearly_done_has_a_high_progress_estimate() {
    for name in ["greedy-forward", "greedy-backward"] {
        let mut meter = WorkMeter::new(budget(1_000_000), Cancel::default());
        let strategy = Strategy::named(name).unwrap();
        let mut search = strategy.build(&level(), &Settings::default(), &mut meter).unwrap();
        assert!(search.progress_estimate() < 1e-9, "{name}");
        assert!(matches!(search.resume(&mut meter), Ok(Verdict::Solved(_))), "{name}");
        assert!((0.5..=1.0).contains(&search.progress_estimate()), "{name}: {}", search.progress_estimate());
    }
}

/// Proofs are shared at the same points of the searches in every run.
#[test]
fn equal_runs_do_equal_work_with_shared_proofs() {
    let rows = "############\n#     ##   #\n# $ $    $ #\n## # ### $ #\n#  #...#   #\n#  #.   @ ##\n## #..## $ #\n#  $  ##   #\n#     ######\n############";
    let level = Level::parse(rows).unwrap();
    // No strategy is done in the lesser work.
    let run = |shared_proofs, work| {
        let mut settings = Settings { optimal: Optimal::Pushes, ..Settings::default() };
        settings.switch(Technique::SharedProofs, shared_proofs);
        let outcome = solve(&level, &SolveKnobs { settings, ..SolveKnobs::default() }, &budget(work), &());
        let nodes = outcome.tried.iter().map(|attempt| (attempt.ticks, attempt.n_nodes())).collect::<Vec<_>>();
        (nodes, outcome.solution().map(|solution| solution.metrics().pushes))
    };
    for work in [30_000, 10_000_000] {
        assert_eq!(run(true, work), run(true, work));
        assert_eq!(run(true, work).1, run(false, work).1);
    }
}

/// Switching a technique that does not affect a strategy changes nothing: the table of techniques leaves none out. That
/// each entry does affect is in the tests of each technique.
#[test]
fn techniques_that_do_not_affect_a_strategy_change_nothing() {
    let level = Level::parse("#########\n#   #   #\n# $ $ . #\n## #$#.##\n#  * .  #\n#   @   #\n#########").unwrap();
    let mut n_ignored = 0;
    for optimal in [Optimal::Any, Optimal::Pushes, Optimal::Moves] {
        for strategy in STRATEGIES.iter().filter(|strategy| optimal == Optimal::Any || strategy.name.contains("star")) {
            let run = |switched: Option<Technique>| {
                let mut settings = Settings { optimal, ..Settings::default() };
                if let Some(technique) = switched {
                    settings.switch(technique, !settings.uses(technique));
                }
                let knobs = SolveKnobs { strategy: Some(strategy), settings, ..SolveKnobs::default() };
                let Outcome { answer, ticks, .. } = solve(&level, &knobs, &budget(20_000), &());
                (answer, ticks)
            };
            let settings = Settings { optimal, ..Settings::default() };
            let usual = run(None);
            assert!(usual.1 > 8, "{}: {usual:?}", strategy.name);
            for technique in Technique::ALL.into_iter().filter(|&technique| !strategy.affects(technique, &settings)) {
                assert_eq!(run(Some(technique)), usual, "{} {technique}", strategy.name);
                n_ignored += 1;
            }
        }
    }
    assert!(n_ignored > 300, "{n_ignored}");
}

#[test]
fn a_portfolio_is_affected_if_one_of_its_strategies_is() {
    use Technique::{AdvisorPacking, GoalRooms, Pairs, Penalties, SharedProofs, Tunnels};
    let affects = |optimal, technique| knobs(optimal).affects(technique);
    assert!([Pairs, SharedProofs, AdvisorPacking, GoalRooms].into_iter().all(|it| affects(Optimal::Any, it)));
    assert!(affects(Optimal::Pushes, Penalties) && affects(Optimal::Pushes, Tunnels));
    assert!(!affects(Optimal::Any, Penalties) && affects(Optimal::Pushes, AdvisorPacking));
    assert!(affects(Optimal::Moves, Tunnels), "for a first solution");
}
