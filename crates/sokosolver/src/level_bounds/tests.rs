//! Every bound against brute force: a bound above the best solution would be a wrong proof.

use proptest::prelude::{ProptestConfig, prop_assert, proptest};
use sokocore::{Objective, PlantSpec, Solution, n_cases, optimum, planted, replay};
use sokosearch::End;

use super::*;
use crate::Strategy;
use crate::systematic::tests::proofs::levels;
use crate::systematic::tests::small_levels;

/// Fewest pushes and fewest moves.
fn least(level: &Level) -> Option<(u64, u64)> {
    let pushes = optimum(level, Objective::PUSHES)?.metrics().pushes;
    Some((pushes, optimum(level, Objective::MOVES)?.metrics().moves))
}

/// Compares the bounds before a search, each by itself, with the best solutions; returns the bounds.
#[track_caller]
fn check(level: &Level, (pushes, moves): (u64, u64)) -> LevelBounds {
    let bounds = LevelBounds::of(level).expect("it has a solution");
    assert!((1..=pushes).contains(&bounds.pushes), "{bounds:?}, {pushes} pushes are enough: {level:?}");
    assert!(bounds.at_least(Metric::Moves) <= Some(moves), "{bounds:?}, {moves} moves are enough: {level:?}");
    assert_eq!(bounds.at_least(Metric::BoxLines), None);
    let mut meter = WorkMeter::new(budget(u64::MAX), Cancel::default());
    let Some(board) = SearchBoard::new(level) else { return bounds };
    let firsts = walk_bound::first_pushes(level, &board);
    for potential in PlayerPotential::candidates(level, &board) {
        assert!(potential.is_valid(&board), "{potential:?} {level:?}");
        let by_this = WalkBound::new(&board, potential.clone(), &mut meter).unwrap().after_any(&firsts);
        assert!(by_this <= moves, "{by_this} by {potential:?}, {moves} moves are enough: {level:?}");
    }
    bounds
}

/// The walks of every solution are at least as many as the displacement asks for, however good the solution is.
#[track_caller]
fn check_walks(level: &Level, bounds: &LevelBounds, solution: &Solution) {
    let metrics = solution.metrics();
    assert!(bounds.walks <= metrics.moves - metrics.pushes, "{bounds:?} {metrics} {level:?}");
}

fn budget(work: u64) -> Budget {
    Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default()).with_work(Some(work))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(u32::try_from(n_cases(48, 1_500)).unwrap()))]

    #[test]
    fn planted_levels_have_no_solution_below_a_bound(
        (level, moves) in planted(PlantSpec { pulls: 1..=30, ..PlantSpec::default() }),
    ) {
        let bounds = check(&level, least(&level).unwrap());
        check_walks(&level, &bounds, &replay(&level, &moves).unwrap());
        for objective in [Objective::MOVES, Objective::PUSHES] {
            check_walks(&level, &bounds, &optimum(&level, objective).unwrap());
        }
    }

    /// Larger levels, whose best solutions are not known: no solution at all is below a bound.
    #[test]
    fn no_solution_is_below_a_bound(
        (level, moves) in planted(PlantSpec { boxes: 3..=9, spare_goals: 0..=2, pulls: 1..=200, ..PlantSpec::default() }),
    ) {
        let (bounds, solution) = (LevelBounds::of(&level).unwrap(), replay(&level, &moves).unwrap());
        check_walks(&level, &bounds, &solution);
        prop_assert!(bounds.at_least(Metric::Moves) <= Some(solution.metrics().moves), "{bounds:?} {level:?}");
        prop_assert!(bounds.at_least(Metric::Pushes) <= Some(solution.metrics().pushes), "{bounds:?} {level:?}");
    }
}

/// Levels with narrow places, many of them where a box parts the floor.
#[test]
fn small_levels_have_no_solution_below_a_bound() {
    let (mut n_tight, mut n_walks, mut n) = ([0; 2], 0, 0);
    for one_in in [3, 4, 6] {
        for level in (0..n_cases(300, 6_000) as u64).filter_map(|number| small_levels::level(number, one_in)) {
            let Some(best) = least(&level) else { continue };
            let bounds = check(&level, best);
            n += 1;
            n_tight[0] += usize::from(bounds.at_least(Metric::Pushes) == Some(best.0));
            n_tight[1] += usize::from(bounds.at_least(Metric::Moves) == Some(best.1));
            n_walks += usize::from(bounds.at_least(Metric::Moves) > bounds.at_least(Metric::Pushes));
        }
    }
    // Of what brute force solves, half of the bounds on pushes and a part of those on moves are the best there are.
    assert!(n > 20 && 2 * n_tight[0] > n && 10 * n_tight[1] > n && 2 * n_walks > n, "{n_tight:?} {n_walks} of {n}");
}

#[test]
fn starts_that_are_solved_need_a_push() {
    for rows in [
        "######\n# *@ #\n#    #\n######",
        "########\n#      #\n# * *@ #\n#      #\n#   #  #\n########",
        "#######\n#@*.  #\n#     #\n#######",
    ] {
        let level = Level::parse(rows).unwrap();
        check(&level, least(&level).unwrap());
    }
}

/// What is known before anything is proved.
const NOTHING: LevelBounds = LevelBounds { pushes: 0, walks: 0, moves: 0, parity: None };

/// Wherever a run is stopped, what it has proved is true; at its end it is the optimum. That holds for what searches
/// prove alone, and together with the bounds before a search.
#[test]
fn a_bound_of_a_stopped_search_is_never_above_the_optimum() {
    let mut n_between = 0;
    for (level, [by_pushes, by_moves, ..]) in levels().take(n_cases(3, 30)) {
        let any = solve(&level, &SolveKnobs::default(), &budget(u64::MAX), &()).solution().cloned().unwrap();
        for (optimal, metric, best) in
            [(Optimal::Pushes, Metric::Pushes, &by_pushes), (Optimal::Moves, Metric::Moves, &by_moves)]
        {
            let (best, fewest_moves) = (metric.of(&best.metrics()), by_moves.metrics().moves);
            for name in ["portfolio", "a-star", "a-star-both", "a-star-backward"] {
                let knobs = SolveKnobs::default().with_strategy(Strategy::named(name)).with_known([any.clone()]);
                for work in [1, 5, 20, 60, 120, 200, 350, 600, 1_000, 2_000, 5_000, 20_000, u64::MAX] {
                    let (mut alone, mut bounds) = (NOTHING, LevelBounds::of(&level).unwrap());
                    let outcome = alone.raise(&level, optimal, &knobs, &budget(work), &());
                    bounds.learn(optimal, &outcome);
                    let [by_search, proved] = [alone, bounds].map(|bounds| bounds.at_least(metric).unwrap());
                    assert!(
                        by_search <= proved && proved <= best,
                        "{proved} of {best} by {name} after {work}: {level:?}"
                    );
                    assert!(bounds.at_least(Metric::Moves) <= Some(fewest_moves), "{bounds:?} {level:?}");
                    assert!(work < u64::MAX || (by_search == best && outcome.end == End::Exhausted), "{outcome:?}");
                    n_between += usize::from(0 < by_search && by_search < best);
                }
            }
        }
    }
    assert!(n_between > n_cases(10, 100), "{n_between}");
}

/// Searches that find any solution prove nothing about the best.
#[test]
fn a_search_that_may_lose_solutions_raises_nothing() {
    let level = Level::parse("######\n##   #\n#@$ $#\n#.  .#\n######").unwrap();
    let start = LevelBounds::of(&level).unwrap();
    for name in ["fess", "packing"] {
        let mut bounds = start;
        let knobs = SolveKnobs::default().with_strategy(Strategy::named(name));
        let outcome = bounds.raise(&level, Optimal::Moves, &knobs, &budget(1_000_000), &());
        assert!(!outcome.is_proved() && outcome.lower_bound <= start.at_least(Metric::Pushes), "{outcome:?}");
        bounds.learn(Optimal::Any, &outcome);
        assert!(bounds.at_least(Metric::Moves) <= Some(12), "{bounds:?}");
    }
}

/// Whatever the work before a search, the bounds are proved.
#[test]
fn bounds_hold_wherever_their_making_is_stopped() {
    let level = Level::parse("#########\n#   #   #\n# $ $ $ #\n#. .#. .#\n# $ $   #\n#.  .@  #\n#########").unwrap();
    let level = if level.n_boxes() <= 5 { level } else { panic!("brute force is for few boxes") };
    let mut last = (Some(0), Some(0));
    for work in [0, 1, 10, 100, 1_000, 10_000, 100_000] {
        let bounds = LevelBounds::within(&level, &budget(work)).unwrap();
        let now = (bounds.at_least(Metric::Pushes), bounds.at_least(Metric::Moves));
        assert!(last.0 <= now.0 && last.1 <= now.1, "{last:?} {now:?}");
        last = now;
    }
    let best = solve(&level, &SolveKnobs::default().with_strategy(Strategy::named("a-star")), &budget(u64::MAX), &());
    assert!(last.0 <= best.lower_bound && best.is_proved());
}

/// Three boxes to the right, five columns each: of 32 moves, 29 are proved without a search.
#[test]
fn walks_back_are_counted() {
    let level =
        Level::parse("##########\n#        #\n# $    . #\n# $@   . #\n# $    . #\n#        #\n##########").unwrap();
    let bounds = LevelBounds::of(&level).unwrap();
    assert_eq!((bounds.pushes, LeastPushes::of(&level).at_least()), (15, Some(15)));
    let moves = bounds.at_least(Metric::Moves).unwrap();
    let budget = Budget::new(None, MemoryAccount::new(1 << 28), Cancel::default());
    let knobs = SolveKnobs::default().with_strategy(Strategy::named("a-star"));
    let mut raised = bounds;
    assert!(raised.raise(&level, Optimal::Moves, &knobs, &budget, &()).is_proved());
    assert!(bounds.walks >= 9 && (29..=raised.moves).contains(&moves), "{bounds:?} {raised:?}");
}

#[test]
fn a_level_that_cannot_be_matched_has_no_bounds() {
    let level = Level::parse("########\n#. $ $ #\n#      #\n#   @  #\n# .    #\n########").unwrap();
    assert_eq!(LevelBounds::of(&level), None);
}

/// Two boxes in a row and two goals behind them: the first one has to step aside, two pushes beyond the matching.
#[test]
fn pairs_in_conflict_are_counted_before_a_search() {
    let level = Level::parse("#######\n#     #\n#     #\n#@$$..#\n#     #\n#     #\n#######").unwrap();
    assert_eq!(LeastPushes::of(&level).at_least(), Some(4));
    assert_eq!(LevelBounds::of(&level).unwrap().at_least(Metric::Pushes), Some(6));
    assert_eq!(optimum(&level, Objective::PUSHES).unwrap().metrics().pushes, 6);
}
