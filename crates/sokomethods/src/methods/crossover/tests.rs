//! The best child of two solutions is found, and impossible interleavings are not.

use proptest::prelude::*;
use sokocore::{Direction, Level, Objective, PlantSpec, Push, planted};
use sokosearch::{Budget, Cancel, MemoryAccount, Pool};

use super::box_paths::PathPart;
use super::*;
use crate::{Knobs, METHODS};

/// Two rooms.
const ROWS: &str = "#########\n#   #   #\n# $   $ #\n#.  @  .#\n#   #   #\n#########";
const LEFT_WELL: &[(usize, usize, Direction)] = &[(2, 2, Direction::Down), (3, 2, Direction::Left)];
const LEFT_BADLY: &[(usize, usize, Direction)] =
    &[(2, 2, Direction::Right), (2, 3, Direction::Left), (2, 2, Direction::Down), (3, 2, Direction::Left)];
const RIGHT_WELL: &[(usize, usize, Direction)] = &[(2, 6, Direction::Down), (3, 6, Direction::Right)];
const RIGHT_BADLY: &[(usize, usize, Direction)] =
    &[(2, 6, Direction::Left), (2, 5, Direction::Right), (2, 6, Direction::Down), (3, 6, Direction::Right)];

fn pushes(level: &Level, parts: &[&[(usize, usize, Direction)]]) -> Vec<Push> {
    let square = |row, column| level.board().square_at(row, column).unwrap();
    parts.concat().into_iter().map(|(row, column, dir)| Push { from: square(row, column), dir }).collect()
}

fn solution(level: &Level, pushes: &[Push]) -> Solution {
    replay(level, &moves_of(level, pushes).unwrap()).unwrap()
}

/// Runs `work` with a context whose incumbent is `start`, and returns what it returned and the best.
fn with<T>(
    level: &Level,
    start: &Solution,
    objective: Objective,
    work: impl FnOnce(&mut Context<'_>) -> T,
) -> (T, Solution) {
    let pool = Pool::new(level, start, &[objective]);
    let budget = Budget::new(None, MemoryAccount::new(1 << 24), Cancel::default());
    let mut cx = Context::new(&pool, objective, &budget, &());
    let result = work(&mut cx);
    (result, pool.best(objective))
}

#[test]
fn a_child_takes_the_better_part_of_each_parent() {
    let level = Level::parse(ROWS).unwrap();
    let one = solution(&level, &pushes(&level, &[LEFT_WELL, RIGHT_BADLY]));
    let other = solution(&level, &pushes(&level, &[LEFT_BADLY, RIGHT_WELL]));
    for objective in [Objective::MOVES, Objective::PUSHES] {
        let (improved, best) = with(&level, &one, objective, |cx| Crossover::new(vec![other.clone()]).run(cx));
        assert_eq!((improved, best.metrics().pushes), (Ok(true), 4));
        let (child, _) = with(&level, &one, objective, |cx| cross(&other, &one, cx).unwrap());
        assert_eq!(child.map(|child| child.metrics()), Some(best.metrics()), "either may come first");
    }
}

#[test]
fn a_solution_has_no_children_with_itself() {
    let level = Level::parse(ROWS).unwrap();
    let one = solution(&level, &pushes(&level, &[LEFT_WELL, RIGHT_BADLY]));
    let (child, _) = with(&level, &one, Objective::MOVES, |cx| cross(&one, &one, cx).unwrap());
    assert_eq!(child, None);
}

/// The box on the near goal leaves the far one to the other box: both take their paths from the same parent.
#[test]
fn boxes_that_share_goals_form_a_group() {
    use Direction::{Down, Right};
    let level = Level::parse("########\n#      #\n#@$ $..#\n#      #\n#      #\n########").unwrap();
    let first_goes_far = [(2, 4, Down), (2, 2, Right), (2, 3, Right), (2, 4, Right), (2, 5, Right), (3, 4, Right)];
    let up = [(3, 5, Direction::Up)];
    let second_goes_far = [(2, 4, Right), (2, 5, Right), (2, 2, Right), (2, 3, Right), (2, 4, Right)];
    let far = |parts: &[_]| solution(&level, &pushes(&level, &[parts]));
    let (one, other) = (far(&[&first_goes_far[..], &up].concat()), far(&second_goes_far));
    let account = MemoryAccount::new(1 << 20);
    let paths = |solution| BoxPaths::new(&level, solution, &account).unwrap();
    let together = vec![Group { boxes: vec![0, 1], n_pushes: (7, 5) }];
    assert_eq!(groups(&paths(&one), &paths(&other), Grouping::ByGoal), together);
    let (child, _) = with(&level, &one, Objective::PUSHES, |cx| cross(&one, &other, cx).unwrap());
    assert_eq!(child, None);
}

/// Returns every way to interleave two lists.
fn interleavings(one: &[Push], other: &[Push]) -> Vec<Vec<Push>> {
    let (Some((&last, one_before)), Some((&other_last, other_before))) = (one.split_last(), other.split_last()) else {
        return vec![[one, other].concat()];
    };
    let with_last = |lists: Vec<Vec<Push>>, last| lists.into_iter().map(move |list| [&list[..], &[last]].concat());
    let by_one = with_last(interleavings(one_before, other), last);
    by_one.chain(with_last(interleavings(one, other_before), other_last)).collect()
}

#[test]
fn interleaving_finds_the_fewest_moves() {
    let level = Level::parse(ROWS).unwrap();
    let square = |row, column| level.board().square_at(row, column).unwrap();
    let part = |start, pushes| PathPart { starts: vec![start], pushes };
    for (left, right) in [(LEFT_WELL, RIGHT_BADLY), (LEFT_BADLY, RIGHT_WELL), (LEFT_BADLY, RIGHT_BADLY)] {
        let (left, right) = (pushes(&level, &[left]), pushes(&level, &[right]));
        let all = interleavings(&left, &right);
        let moves = |pushes: &[Push]| Some(replay(&level, &moves_of(&level, pushes)?).unwrap().metrics().moves);
        let fewest = all.iter().filter_map(|order| moves(order)).min();
        let start = solution(&level, &all[0]);
        let parts = (part(square(2, 2), left), part(square(2, 6), right));
        let to_beat = Metrics { moves: 999, ..Metrics::default() };
        let (found, _) = with(&level, &start, Objective::MOVES, |cx| interleave((&parts.0, &parts.1), &to_beat, cx));
        assert_eq!(found.unwrap().and_then(|order| moves(&order)), fewest);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A child solves the level and is better than both parents; the pool judges the same.
    #[test]
    fn children_are_better_than_both_parents(
        (level, moves) in planted(PlantSpec { boxes: 2..=4, ..PlantSpec::default() }),
        number in 0..METHODS.len(),
        by_pushes in any::<bool>(),
    ) {
        let one = replay(&level, &moves).unwrap();
        let objective = if by_pushes { Objective::PUSHES } else { Objective::MOVES };
        let method = (METHODS[number].build)(&Knobs::default());
        let (_, other) = with(&level, &one, objective, |cx| cx.sliced(20_000, |cx| method.run(cx)));
        let (child, best) = with(&level, &one, objective, |cx| cross(&one, &other, cx).unwrap());
        if let Some(child) = child {
            let score = |solution: &Solution| objective.score(&solution.metrics());
            prop_assert!(score(&child) < score(&one) && score(&child) < score(&other));
            prop_assert_eq!(best.lurd(), child.lurd());
        }
    }
}
