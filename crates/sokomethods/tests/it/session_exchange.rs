//! Session exchange: gains on solutions in which boxes take each other's goals or turns, and its limits.

use proptest::prelude::*;
use sokocore::{Direction, Level, Metrics, Objective, PlantSpec, Push, Solution, moves_of, optimum, planted, replay};
use sokomethods::{Method, SessionExchange};
use sokosearch::{Budget, Cancel, Context, MemoryAccount, Pool, Stop};

/// Makes a solution of rows of pushes: where a box is, and where it is pushed, how often.
fn solution(level: &Level, rows: &[((usize, usize), Direction, usize)]) -> Solution {
    let board = level.board();
    let mut pushes = Vec::new();
    for &((row, column), dir, n) in rows {
        let mut from = board.square_at(row, column).unwrap();
        for _ in 0..n {
            pushes.push(Push { from, dir });
            from = board.step(from, dir).unwrap();
        }
    }
    replay(level, &moves_of(level, &pushes).unwrap()).unwrap()
}

/// Runs one pass with this many ticks.
fn run(level: &Level, start: &Solution, objective: Objective, ticks: u64) -> (Result<bool, Stop>, Metrics) {
    let pool = Pool::new(level, start, &[objective]);
    let budget = Budget::new(None, MemoryAccount::new(1 << 26), Cancel::default()).with_work(Some(ticks));
    let end = SessionExchange.run(&mut Context::new(&pool, objective, &budget, &()));
    (end, replay(level, pool.best(objective).lurd()).unwrap().metrics())
}

const PLENTY: u64 = 1_000_000;

const TWO_AND_TWO: &str = "\
##########
#        #
# $    $ #
#        #
# .    . #
#@       #
##########";

#[test]
fn two_boxes_that_cross_take_the_goals_before_them() {
    use Direction::{Down, Left, Right};
    let level = Level::parse(TWO_AND_TWO).unwrap();
    let crossed = [
        ((2, 2), Down, 1),
        ((3, 2), Right, 4),
        ((3, 6), Down, 1),
        ((4, 6), Right, 1),
        ((2, 7), Down, 1),
        ((3, 7), Left, 5),
        ((3, 2), Down, 1),
    ];
    let start = solution(&level, &crossed);
    assert_eq!(start.metrics().pushes, 14);
    let (end, metrics) = run(&level, &start, Objective::MOVES, PLENTY);
    let best = optimum(&level, Objective::MOVES).unwrap().metrics();
    assert_eq!((end, metrics.moves, metrics.pushes), (Ok(true), best.moves, 4));
}

const THREE_IN_A_ROW: &str = "\
############
#@         #
# $  $  $  #
# .  .  .  #
############";

#[test]
fn two_boxes_change_their_turns() {
    use Direction::Down;
    let level = Level::parse(THREE_IN_A_ROW).unwrap();
    let start = solution(&level, &[((2, 2), Down, 1), ((2, 8), Down, 1), ((2, 5), Down, 1)]);
    let (end, metrics) = run(&level, &start, Objective::MOVES, PLENTY);
    let best = optimum(&level, Objective::MOVES).unwrap().metrics();
    assert!(metrics.moves < start.metrics().moves, "{metrics}");
    assert_eq!((end, metrics.moves, metrics.pushes), (Ok(true), best.moves, 3));
}

/// Both rows of pushes may be of one box, and a solution may have a single one.
#[test]
fn a_single_box_has_nothing_to_exchange() {
    let level = Level::parse("########\n#@ $ . #\n#      #\n########").unwrap();
    let start = solution(&level, &[((1, 3), Direction::Right, 2)]);
    assert_eq!(run(&level, &start, Objective::MOVES, PLENTY).0, Ok(false));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_ends_worse(
        (level, moves) in planted(PlantSpec { boxes: 2..=6, pulls: 10..=80, ..PlantSpec::default() }),
        work in 1..40_000_u64,
    ) {
        let start = replay(&level, &moves).unwrap();
        for objective in [Objective::MOVES, Objective::PUSHES, "boxlines/pushes".parse().unwrap()] {
            let (end, best) = run(&level, &start, objective, work);
            prop_assert!(matches!(end, Ok(_) | Err(Stop::Work)));
            prop_assert!(objective.score(&best) <= objective.score(&start.metrics()));
            let is_better = objective.score(&best) < objective.score(&start.metrics());
            prop_assert!(end != Ok(!is_better), "it says what it has done");
        }
    }
}
