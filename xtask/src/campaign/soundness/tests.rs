//! The campaign in short, and its referee against the oracle of the core.

use sokocore::{Cell, Metric, Objective, n_cases, optimum};

use super::best_solution::{Best, best, cost_of};
use super::position_graph::Optimum;
use super::*;

/// Levels of a run with their numbers.
fn levels() -> impl Iterator<Item = (u64, Level)> {
    (1..).filter_map(|number| Some((number, level_maker::level(number)?)))
}

#[test]
fn no_answer_disagrees_with_exhaustive_search() {
    let mut counts = Counts::default();
    for (number, level) in levels().take(n_cases(350, 20_000)) {
        if let Tried::Level { findings, picture } = try_level(&level, number, &mut counts) {
            assert!(findings.is_empty(), "number {number}\n{picture}{}", findings.join("\n"));
        }
    }
    assert!(counts.solvable > 100 && counts.proofs > 1_000 && counts.positions > 1_000, "{counts:?}");
    assert!(counts.proved_results > 20 && counts.unanswered * 100 < counts.answers, "{counts:?}");
}

#[test]
fn levels_are_of_every_kind() {
    let (mut solvable, mut solved, mut spare, mut sealed, mut n) = (0, 0, 0, 0, 0);
    let mut n_boxes = [0; 9];
    for (_, level) in levels().take(1_000) {
        let Some(board) = FlatBoard::of(&level) else { panic!("{level:?} is too large") };
        n += 1;
        n_boxes[level.n_boxes()] += 1;
        solved += usize::from(board.is_solved(board.start.boxes));
        spare += usize::from(level.board().goals().len() > level.n_boxes());
        let n_floor = level.grid().cells().iter().filter(|&&cell| cell != Cell::Wall).count();
        sealed += usize::from(n_floor > level.board().n_squares());
        let graph = PositionGraph::explore(&board, 500);
        solvable += usize::from(graph.is_some_and(|graph| graph.optimum(&board).is_some()));
    }
    assert!([solvable, n - solvable, spare].iter().all(|&n| n > 200), "{solvable} {spare} of {n}");
    assert!(solved > 20 && sealed > 50, "{solved} {sealed}");
    assert!(n_boxes[2..=5].iter().all(|&n| n > 20), "{n_boxes:?}");
}

/// Two searches with rules of their own find the same best solutions by all six metrics.
#[test]
fn the_referee_agrees_with_the_oracle_of_the_core() {
    let lines = Objective::starting_with(&[Metric::BoxLines, Metric::PlayerLines]);
    let most = Objective::starting_with(&[Metric::Moves, Metric::MostPushes]);
    let mut n_compared = 0;
    for (_, level) in levels().filter(|(_, level)| level.board().n_squares() < 16).take(60) {
        let Some(board) = FlatBoard::of(&level) else { continue };
        let Some(graph) = PositionGraph::explore(&board, 60) else { continue };
        for objective in [Objective::MOVES, Objective::PUSHES, lines, most] {
            let expect = optimum(&level, objective);
            let cost = expect.as_ref().map(|solution| objective.order().map(|metric| metric.of(&solution.metrics())));
            assert_eq!(best(&board, &graph, objective, None, 100_000), Best::Cost(cost), "{level:?}");
            let Some(solution) = expect else { continue };
            assert_eq!(cost_of(&board, &solution.lurd().to_string(), objective), cost);
            n_compared += 1;
        }
        let least = graph.optimum(&board);
        let first = |objective| optimum(&level, objective).map(|best| best.metrics());
        assert_eq!(least.map(|best| best.moves), first(Objective::MOVES).map(|metrics| metrics.moves));
        assert_eq!(least.map(|best| best.pushes), first(Objective::PUSHES).map(|metrics| metrics.pushes));
    }
    assert!(n_compared > 40, "{n_compared}");
}

/// A referee whose truth is off by one finds fault with the right answers.
#[test]
fn a_difference_is_found() {
    let level = Level::parse("######\n#@$ .#\n#    #\n######").unwrap();
    let board = FlatBoard::of(&level).unwrap();
    let graph = PositionGraph::explore(&board, 1_000).unwrap();
    let best = graph.optimum(&board).unwrap();
    assert_eq!((best.pushes, best.moves), (2, 2));
    let ask = |best| {
        let mut counts = Counts::default();
        let dice = SplitMix64(1);
        let (level, board, graph) = (&level, &board, &graph);
        let mut trial = Trial { level, board, graph, best, dice, counts: &mut counts, findings: Vec::new() };
        solver_answers::check(&mut trial);
        trial.findings
    };
    assert_eq!(ask(Some(best)), Vec::<String>::new());
    assert!(ask(None).iter().any(|what| what.contains("but None")));
    let too_few = Optimum { pushes: 1, moves: 1, ..best };
    assert!(ask(Some(too_few)).iter().any(|what| what.contains("is above the best")));
    let too_many = Optimum { pushes: 3, moves: 3, ..best };
    assert!(ask(Some(too_many)).iter().any(|what| what.contains("but Some")));
}
