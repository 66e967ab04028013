//! Correctness traps that concern the rules themselves, each on a level made for it.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use sokocore::{
    FreezeCheck, GoalMatching, Level, Lurd, Objective, ParseLevelError, PlantSpec, Position, Push, PushLowerBound,
    Reach, Square, SquareSet, moves_of, optimum, planted, pushes_of, replay,
};

fn level(rows: &[&str]) -> Level {
    Level::parse(&rows.join("\n")).unwrap()
}

/// Number of pushes at which each (boxes, zone) is first reached, at most 3,000 of them.
fn push_depths(level: &Level) -> BTreeMap<(SquareSet, Square), (usize, Position)> {
    let board = level.board();
    let mut reach = Reach::new(board);
    let mut depths = BTreeMap::new();
    let mut layer = vec![level.start().clone()];
    for depth in 0.. {
        let mut next_layer = Vec::new();
        for position in layer {
            let region = position.region(board, &mut reach);
            let key = (position.boxes.clone(), region.zone());
            if depths.len() >= 3_000 || depths.contains_key(&key) {
                continue;
            }
            next_layer.extend(region.pushes().map(|push| {
                let mut next = position.clone();
                assert!(next.push(board, push));
                next
            }));
            depths.insert(key, (depth, position));
        }
        if next_layer.is_empty() {
            break;
        }
        layer = next_layer;
    }
    depths
}

/// Evenness of the sum of all (row + column) of these squares.
fn color(level: &Level, squares: impl Iterator<Item = Square>) -> usize {
    squares.map(|sq| level.board().place(sq)).map(|(row, column)| row + column).sum::<usize>() % 2
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Trap 3: for one set of boxes all push counts have equal parity, whatever the zone; for one player square
    /// all move counts do.
    #[test]
    fn trap_03_parity_of_pushes_and_moves((level, moves) in planted(PlantSpec::default())) {
        let mut parity_of: BTreeMap<SquareSet, usize> = BTreeMap::new();
        for ((boxes, _), (depth, position)) in push_depths(&level) {
            prop_assert_eq!(*parity_of.entry(boxes).or_insert(depth % 2), depth % 2);
            let change = color(&level, position.boxes.iter()) + color(&level, level.start().boxes.iter());
            prop_assert_eq!(change % 2, depth % 2);
        }
        let end = moves.steps().iter().fold(level.start().player, |player, step| {
            level.board().step(player, step.dir()).unwrap()
        });
        let change = color(&level, [end, level.start().player].into_iter());
        prop_assert_eq!(change, moves.len() % 2);
    }

    /// Trap 17: between equal positions nothing is needed; cutting there leaves a solution that is no longer.
    #[test]
    fn trap_17_cut_cycles_leave_a_solution((level, moves) in planted(PlantSpec::default())) {
        let cut = without_cycles(&level, &moves);
        let solution = replay(&level, &cut).unwrap();
        prop_assert!(solution.lurd().len() <= moves.len());
        prop_assert_eq!(without_cycles(&level, &cut), cut);
    }
}

/// Drops what lies between two positions with equal boxes and player.
fn without_cycles(level: &Level, moves: &Lurd) -> Lurd {
    let board = level.board();
    let mut trail = vec![level.start().clone()];
    let mut steps = Vec::new();
    for &step in moves.steps() {
        let mut next = trail[steps.len()].clone();
        let ahead = board.step(next.player, step.dir()).unwrap();
        if step.is_push() {
            assert!(next.push(board, Push { from: ahead, dir: step.dir() }));
        }
        next.player = ahead;
        steps.push(step);
        if let Some(seen) = trail.iter().position(|position| *position == next) {
            trail.truncate(seen);
            steps.truncate(seen);
        }
        trail.push(next);
    }
    steps.into_iter().collect()
}

/// Trap 17: a box pushed round and back to where it stood was not worth the way.
#[test]
fn trap_17_the_recorded_cycle_becomes_two_pushes() {
    let rows = ["########", "#      #", "#      #", "#  @$ .#", "#      #", "#      #", "########"];
    let level = level(&rows);
    let detour: Lurd = "RurrdLulldRR".parse().unwrap();
    assert_eq!(replay(&level, &detour).unwrap().metrics().to_string(), "12/4/3/1/3/9");
    let cut = without_cycles(&level, &detour);
    assert_eq!(cut.to_string(), "RR");
    assert_eq!(moves_of(&level, &pushes_of(&level, &cut)), Some(cut));
    assert_eq!(optimum(&level, Objective::MOVES).unwrap().metrics().moves, 2);
}

/// Trap 12: sealed rooms change nothing for the searches and the checks.
#[test]
fn trap_12_sealed_rooms_change_nothing() {
    let plain = level(&["######", "#@$.#", "######"]);
    let sealed = level(&["######", "#@$.#", "######", "# *  #", "######"]);
    assert_eq!(plain.board(), sealed.board());
    assert_eq!(plain.start(), sealed.start());
    assert_eq!(optimum(&sealed, Objective::MOVES).unwrap().lurd().to_string(), "R");
    assert_eq!(PushLowerBound::new(&sealed).unwrap().of(&sealed.start().boxes), Some(1));
    assert!(!GoalMatching::new(&sealed).is_deadlock(&sealed.start().boxes));
}

/// Trap 13: a box in a corner is a deadlock by every check that looks at it, and an extra box is refused.
#[test]
fn trap_13_a_box_on_a_dead_square() {
    let level = level(&["######", "#$   #", "# $@.#", "#   .#", "######"]);
    let corner = level.board().square_at(1, 1).unwrap();
    assert!(!level.live().contains(corner));
    assert!(FreezeCheck::new(&level).is_deadlock(&level.start().boxes, corner));
    assert!(GoalMatching::new(&level).is_deadlock(&level.start().boxes));
    assert_eq!(PushLowerBound::new(&level).unwrap().of(&level.start().boxes), None);
    assert_eq!(optimum(&level, Objective::PUSHES), None);
    let extra = Level::parse("######\n#$   #\n# $@.#\n######");
    assert_eq!(extra, Err(ParseLevelError::MoreBoxesThanGoals { boxes: 2, goals: 1 }));
}

/// Trap 13: pulling from the solved positions, kept to live squares, finds every pushed configuration that can
/// still be solved, and nothing outside the live squares.
#[test]
fn trap_13_backward_configurations_are_live() {
    let level = level(&["#######", "#.    #", "# $ $ #", "#  @ .#", "#######"]);
    let board = level.board();
    let mut reach = Reach::new(board);
    let mut todo: Vec<Position> = Vec::new();
    for player in board.squares().filter(|&sq| !board.goals().contains(sq)) {
        todo.push(Position { boxes: board.goals().clone(), player });
    }
    let mut seen = BTreeSet::new();
    while let Some(position) = todo.pop() {
        let region = position.region(board, &mut reach);
        if !position.boxes.is_subset(level.live()) || !seen.insert((position.boxes.clone(), region.zone())) {
            continue;
        }
        todo.extend(region.pulls().map(|pull| {
            let mut before = position.clone();
            assert!(before.pull(board, pull));
            before
        }));
    }
    let zone = level.start().region(board, &mut reach).zone();
    assert!(seen.contains(&(level.start().boxes.clone(), zone)));
    assert!(seen.iter().all(|(boxes, _)| boxes.is_subset(level.live())));
}
