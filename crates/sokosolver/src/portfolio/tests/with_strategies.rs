//! The portfolio with its real strategies, on small levels.

use super::*;
use crate::{Algorithm, Optimal, Settings, SolveKnobs, Strategy, Supplied, Supply, solve};

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
fn hopeless_levels_are_told_at_once() {
    let level = Level::parse("#######\n#@ $$##\n#  $$.#\n# ....#\n#######").unwrap();
    let outcome = solve(&level, &SolveKnobs::default(), &budget(1_000_000), &());
    assert!(matches!(outcome.answer, Answer::Unsolvable { .. }));
    assert_eq!(outcome.ticks, 0);
}

#[test]
fn unsolvable_levels_are_searched_through() {
    // The player cannot get behind the box.
    let rows = "#######\n#.   ##\n#### ##\n#@ $  #\n#######";
    assert_eq!(answer(rows, &SolveKnobs::default()), "unsolvable");
}

/// Trap 6: a level that starts solved is played through.
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

#[test]
fn a_supply_brings_the_solution_of_each_strategy() {
    let level = level();
    let budget = budget(1);
    let mut supply = Supply::new(&level, &SolveKnobs::default(), &budget);
    let mut names = Vec::new();
    loop {
        match supply.go_on(100_000).unwrap() {
            Supplied::Solution(_, by) => names.push(by),
            Supplied::Nothing => {}
            Supplied::Exhausted => break,
        }
    }
    assert!(names.len() > 1, "{names:?}");
    assert!(supply.ticks() > 0);
}

/// What strategies tell each other comes at the same points of their searches in every run.
#[test]
fn equal_runs_do_equal_work_with_shared_proofs() {
    let rows = "############\n#     ##   #\n# $ $    $ #\n## # ### $ #\n#  #...#   #\n#  #.   @ ##\n## #..## $ #\n#  $  ##   #\n#     ######\n############";
    let level = Level::parse(rows).unwrap();
    // Nobody is done in so much time.
    let run = |shared_proofs, work| {
        let settings = Settings { shared_proofs, optimal: Optimal::Pushes, ..Settings::default() };
        let outcome = solve(&level, &SolveKnobs { settings, ..SolveKnobs::default() }, &budget(work), &());
        let nodes = outcome.tried.iter().map(|attempt| (attempt.ticks, attempt.n_nodes)).collect::<Vec<_>>();
        (nodes, outcome.solution().map(|solution| solution.metrics().pushes))
    };
    for work in [30_000, 20_000_000] {
        assert_eq!(run(true, work), run(true, work));
        assert_eq!(run(true, work).1, run(false, work).1);
    }
}
