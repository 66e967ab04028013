//! The settings of the builder reach the run.

use std::time::Duration;

use sokocore::{Level, Solution, replay};
use sokosearch::{Cancel, End, Stop};
use sokosolver::{Answer, Optimal, SolveEvent, Solver, Strategy};

const LEVEL: &str = "######\n##   #\n#@$ $#\n#.  .#\n######";
const LARGER: &str = "#######\n#.   .#\n# $ $ #\n#  @  #\n# $ $ #\n#.   .#\n#######";

fn level(text: &str) -> Level {
    Level::parse(text).unwrap()
}

fn solution(level: &Level, moves: &str) -> Solution {
    replay(level, &moves.parse().unwrap()).unwrap()
}

#[test]
fn each_limit_ends_a_run() {
    let level = level(LARGER);
    let cancel = Cancel::default();
    cancel.cancel();
    let check = |solver: Solver<'_>, stop| {
        let outcome = solver.optimal(Optimal::Moves).run();
        assert_eq!((outcome.end, outcome.is_proved()), (End::Stopped(stop), false));
    };
    check(Solver::new(&level).work(1), Stop::Work);
    check(Solver::new(&level).time(Duration::ZERO), Stop::Time);
    check(Solver::new(&level).cancel(&cancel), Stop::Cancelled);
    check(Solver::new(&level).memory(1 << 10), Stop::Memory);
}

#[test]
fn strategies_and_optimality_are_those_asked_for() {
    let level = level(LEVEL);
    let a_star = Strategy::named("a-star").unwrap();
    let outcome = Solver::new(&level).strategy(a_star).run();
    assert_eq!((outcome.by(), outcome.metrics().unwrap().pushes), (Some("a-star"), 3));
    assert!(outcome.is_proved());
    assert_eq!(outcome.answer.to_string(), format!("solved by a-star, proved optimal: {}", outcome.metrics().unwrap()));
    let best = |optimal| Solver::new(&level).optimal(optimal).threads(2).run().metrics().unwrap();
    assert_eq!((best(Optimal::Moves).moves, best(Optimal::Pushes).pushes), (12, 3));
    let metrics = best(Optimal::PushesMoves);
    assert_eq!((metrics.moves, metrics.pushes), (14, 3));
}

#[test]
fn known_solutions_are_pruned_by_and_those_of_other_levels_refused() {
    let (small, large) = (level(LEVEL), level(LARGER));
    let known = solution(&small, "RurrDLulDrdL");
    assert!(Solver::new(&large).known(&known).is_err());
    let outcome = Solver::new(&small).known(&known).unwrap().optimal(Optimal::Moves).run();
    assert_eq!((outcome.by(), outcome.is_proved()), (Some("known"), true));
    assert_eq!(outcome.solution(), Some(&known));
}

#[test]
fn solutions_are_polished_before_the_proof() {
    let level = level(LEVEL);
    let best = solution(&level, "RurrDLulDrdL");
    let polished = best.clone();
    let outcome = Solver::new(&level).optimal(Optimal::Moves).polish(move |_| polished.clone()).run();
    assert_eq!(outcome.metrics().unwrap().moves, best.metrics().moves);
}

#[test]
fn a_listener_hears_of_every_strategy_that_leaves() {
    let level = level(LEVEL);
    let (mut n_solved, mut last) = (0, String::new());
    let solver = Solver::new(&level).on_event(|event| match event {
        SolveEvent::Solved { .. } => n_solved += 1,
        SolveEvent::Left { strategy, end, .. } => last = format!("{strategy} {end}"),
        _ => {}
    });
    let outcome = solver.run();
    drop(solver);
    assert_eq!(n_solved, 1);
    assert_eq!(last, format!("{} solved", outcome.by().unwrap()));
}

#[test]
fn a_level_without_a_solution_is_told() {
    let hopeless = level("######\n#@$$ #\n#    #\n#..  #\n######");
    let outcome = Solver::new(&hopeless).run();
    assert!(outcome.is_unsolvable() && outcome.is_proved() && outcome.metrics().is_none());
    assert!(matches!(outcome.answer, Answer::Unsolvable { .. }));
    assert!(outcome.answer.to_string().starts_with("unsolvable, by "));
}
