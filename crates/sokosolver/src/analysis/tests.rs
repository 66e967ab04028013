//! Analyses against searches that know no technique, and the answers on levels made for one question each.

mod naive;

use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
use sokocore::{Cell, PlantSpec, Square, planted, replay};
use sokosearch::{Cancel, MemoryAccount};

use super::*;
use crate::systematic::tests::small_levels;
use naive::{fewest_pushes, n_best, sees_solution};

fn budget() -> Budget {
    Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default())
}

/// By the graph of the whole level, by the solver and the graph of the best solutions, by the solver alone.
fn all_analyses(level: &Level) -> [Analysis; 3] {
    let knobs = AnalysisKnobs::default();
    [
        knobs.clone(),
        AnalysisKnobs { max_whole: 0, ..knobs.clone() },
        AnalysisKnobs { max_whole: 0, max_best: 0, ..knobs },
    ]
    .map(|knobs| analyze(level, &[], &knobs, &budget(), &|_| ()))
}

/// The same without the last, which counts nothing.
fn both_graphs(level: &Level) -> [Analysis; 2] {
    let [whole, best, _] = all_analyses(level);
    [whole, best]
}

fn level(rows: &[&str]) -> Level {
    Level::parse(&rows.join("\n")).unwrap()
}

/// The level with one cell changed; `None` if it is no valid level.
fn with(level: &Level, sq: Square, cell: Cell) -> Option<Level> {
    let (row, column) = level.board().place(sq);
    let mut grid = level.play_grid().clone();
    grid.set(row, column, cell);
    Level::from_grid(grid).ok()
}

fn small(pulls: std::ops::RangeInclusive<usize>) -> PlantSpec {
    PlantSpec { width: 5..=7, height: 5..=6, boxes: 2..=2, pulls, ..PlantSpec::default() }
}

/// Compares the analysis of a solvable level with the naive answers.
fn check(level: &Level, analysis: &Analysis) {
    let best = fewest_pushes(level).expect("planted levels can be solved");
    let start = level.start();
    assert_eq!(analysis.answer, Solvability::Solvable);
    assert_eq!((analysis.bounds.at_least, analysis.bounds.at_most), (best, Some(best)), "{level:?}");
    let solution = analysis.best.as_ref().unwrap();
    assert_eq!(replay(level, solution.lurd()).unwrap().metrics().pushes, best);
    let squares = analysis.squares.as_ref().unwrap();
    for sq in level.board().squares().filter(|&sq| sq != start.player && !start.boxes.contains(sq)) {
        if level.board().goals().contains(sq) {
            continue;
        }
        let filled = with(level, sq, Cell::Wall).and_then(|level| fewest_pushes(&level));
        assert_eq!(squares.spare.contains(sq), filled == Some(best), "{:?} {level:?}", level.board().place(sq));
        assert_eq!(squares.needed.contains(sq), filled != Some(best), "{:?} {level:?}", level.board().place(sq));
    }
    for one in &analysis.boxes {
        let is_on_goal = level.board().goals().contains(one.from);
        let as_wall = with(level, one.from, Cell::Wall);
        let stays = as_wall.filter(|_| is_on_goal).and_then(|level| fewest_pushes(&level)) == Some(best);
        assert_eq!(one.can_stay, Some(stays), "{:?} {level:?}", level.board().place(one.from));
    }
}

proptest! {
    #[test]
    fn squares_boxes_and_bounds_agree_with_plain_search((level, _) in planted(small(4..=12))) {
        for analysis in all_analyses(&level) {
            check(&level, &analysis);
        }
    }

    #[test]
    fn best_solutions_are_counted_right((level, _) in planted(small(1..=6))) {
        let expect = n_best(&level);
        for analysis in both_graphs(&level) {
            let expect = if expect > 100 { Alternatives::MoreThan(100) } else { Alternatives::Exactly(expect) };
            prop_assert_eq!(analysis.alternatives, Some(expect), "{:?}", level);
        }
    }

    #[test]
    fn lost_pushes_are_lost((level, _) in planted(small(4..=12))) {
        for (analysis, is_whole) in all_analyses(&level).iter().zip([true, false, false]) {
            let trace = solution_trace::SolutionTrace::of(&level, analysis.best.as_ref().unwrap());
            for (choices, position) in analysis.choices.iter().zip(&trace.positions) {
                let after = naive::children(&level, position);
                let n_lost = after.iter().filter(|child| !sees_solution(&level, child)).count();
                prop_assert_eq!(choices.pushes, after.len());
                prop_assert!(choices.lost <= n_lost && n_lost <= choices.lost + choices.undecided, "{:?}", level);
                prop_assert!(!is_whole || choices.undecided == 0);
            }
        }
    }
}

/// Levels of which most have no solution: *unsolvable* is the answer for those, and for no other.
#[test]
fn unsolvable_levels_are_told_from_others() {
    let (mut n_solvable, mut n_unsolvable) = (0, 0);
    for level in (0..).filter_map(|number| small_levels::level(number, 6)).take(120) {
        let expect = fewest_pushes(&level);
        n_solvable += usize::from(expect.is_some());
        n_unsolvable += usize::from(expect.is_none());
        for analysis in all_analyses(&level) {
            assert_eq!(analysis.bounds.at_most, expect, "{level:?}");
            assert_eq!(matches!(analysis.answer, Solvability::Unsolvable(_)), expect.is_none(), "{level:?}");
        }
    }
    assert!(n_solvable > 10 && n_unsolvable > 10, "{n_solvable} {n_unsolvable}");
}

#[test]
fn the_order_of_pushes_makes_no_other_solution() {
    let two_lanes = level(&["######", "#@$ .#", "#    #", "# $ .#", "######"]);
    assert!(both_graphs(&two_lanes).iter().all(|analysis| analysis.alternatives == Some(Alternatives::Exactly(1))));
    let round_a_pillar = level(&["########", "#      #", "# $  . #", "#@   # #", "# .  $ #", "#      #", "########"]);
    for analysis in both_graphs(&round_a_pillar) {
        assert!(matches!(analysis.alternatives, Some(Alternatives::Exactly(n)) if n > 1), "{analysis:?}");
    }
}

#[test]
fn an_idle_box_is_found() {
    let level = level(&["#########", "#@$ . * #", "#     # #", "#########"]);
    for analysis in both_graphs(&level) {
        assert_eq!(analysis.boxes[1].can_stay, Some(true));
        assert_eq!(analysis.boxes[0].can_stay, Some(false));
        assert_eq!(analysis.boxes[1].others_need, Some(2));
        assert_eq!(analysis.boxes[0].others_need, Some(0));
        assert_eq!(analysis.boxes[1].hindrance(2), Some(0));
    }
}

/// A solved start takes a push off its goal and one back.
#[test]
fn a_solved_start_needs_pushes() {
    let level = level(&["######", "# *@ #", "#    #", "######"]);
    for analysis in both_graphs(&level) {
        assert_eq!((analysis.bounds.at_least, analysis.bounds.at_most), (2, Some(2)), "{analysis:?}");
    }
}

#[test]
fn without_time_there_is_what_needs_no_search() {
    let level = level(&["########", "#@$   .#", "#. $   #", "#      #", "########"]);
    let budget = Budget::new(Some(Duration::ZERO), MemoryAccount::new(1 << 24), Cancel::default());
    let analysis = analyze(&level, &[], &AnalysisKnobs::default(), &budget, &|_| ());
    assert_eq!(analysis.answer, Solvability::Unknown);
    assert!(analysis.bounds.at_least >= 1 && analysis.bounds.at_most.is_none());
    assert_eq!(analysis.end, End::Stopped(sokosearch::Stop::Time));
}

/// Answers that do not fit a small account stay unknown, and the account is empty again afterwards.
#[test]
fn memory_stays_within_its_account() {
    let rows = ["##########", "#        #", "# $ $ $  #", "#   @    #", "# . . .  #", "#        #", "##########"];
    let level = level(&rows);
    for limit in [0, 1 << 10, 1 << 16, 1 << 20] {
        let account = MemoryAccount::new(limit);
        let time = Some(Duration::from_secs(2));
        let budget = Budget::new(time, account.clone(), Cancel::default()).with_work(Some(20_000));
        let analysis = analyze(&level, &[], &AnalysisKnobs::default(), &budget, &|_| ());
        assert!(account.peak() <= limit, "{limit}: {}", account.peak());
        drop(analysis);
        assert_eq!(account.used(), 0);
    }
}

/// Of given solutions the best one counts, and it is enough where there is no time for a search.
#[test]
fn a_known_solution_is_used() {
    let level = level(&["#######", "#@$ . #", "#     #", "#######"]);
    let known = ["duRR", "RR"].map(|text| replay(&level, &text.parse().unwrap()));
    let known: Vec<_> = known.into_iter().flatten().collect();
    assert!(known.len() >= 2, "{known:?}");
    let no_time = Budget::new(Some(Duration::ZERO), MemoryAccount::new(1 << 24), Cancel::default());
    let analysis = analyze(&level, &known, &AnalysisKnobs::default(), &no_time, &|_| ());
    assert_eq!(analysis.bounds, PushBounds { at_least: 2, at_most: Some(2) });
    assert_eq!(analysis.best.as_ref().map(|best| best.metrics().moves), Some(2));
    assert!(analysis.found_by.is_none() && analysis.boxes.len() == 1);
}
