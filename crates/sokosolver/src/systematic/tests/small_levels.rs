//! Hundreds of small levels, most of them unsolvable, against a breadth-first search without any technique.

use std::collections::{BTreeSet, VecDeque};

use super::*;
use sokocore::{Direction, Square, n_cases};

/// The searches of levels with tunnels.
const SEARCHES: [Algorithm; 4] = [Algorithm::Greedy, Algorithm::AStar, Algorithm::IdaStar, Algorithm::Bfs];

/// Levels with tunnels that are open at both ends.
const N_TUNNEL_LEVELS: usize = 16;

/// A position of the reference: boxes and player.
type ReferenceState = (BTreeSet<Square>, Square);

/// Fewest pushes and fewest moves, or `None` if there is no solution: two plain searches.
pub(crate) fn reference(level: &Level) -> Option<(u64, u64)> {
    Some((cheapest(level, u64::from)?, cheapest(level, |_| 1)?))
}

/// Breadth first over single moves, those that cost nothing first.
fn cheapest(level: &Level, price: fn(bool) -> u64) -> Option<u64> {
    let board = level.board();
    let start: ReferenceState = (level.start().boxes.iter().collect(), level.start().player);
    let mut todo = VecDeque::from([(0, start)]);
    let mut done = BTreeSet::new();
    while let Some((cost, state)) = todo.pop_front() {
        if !done.insert(state.clone()) {
            continue;
        }
        let (boxes, player) = state;
        if boxes.iter().all(|&sq| board.goals().contains(sq)) {
            return Some(cost);
        }
        for dir in Direction::ALL {
            let Some(next) = board.step(player, dir) else { continue };
            let mut moved = boxes.clone();
            let is_push = moved.remove(&next);
            if is_push {
                let Some(to) = board.step(next, dir).filter(|to| !boxes.contains(to)) else { continue };
                moved.insert(to);
            }
            let (price, state) = (price(is_push), (moved, next));
            if price == 0 { todo.push_front((cost, state)) } else { todo.push_back((cost + price, state)) }
        }
    }
    None
}

/// A level of at most 5 by 6 squares, one of so many of them a wall, with two or three boxes, not solved at the start;
/// the same for the same number.
pub(crate) fn level(number: u64, one_in: usize) -> Option<Level> {
    let mut seed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut roll = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap_or(0) % n
    };
    let (n_rows, n_columns) = (3 + roll(3), 3 + roll(4));
    let mut rows = vec![vec!['#'; n_columns + 2]; n_rows + 2];
    for row in &mut rows[1..=n_rows] {
        row[1..=n_columns].iter_mut().for_each(|cell| *cell = if roll(one_in) == 0 { '#' } else { ' ' });
    }
    let n_boxes = 2 + roll(2);
    for (mark, n) in [('@', 1), ('$', n_boxes), ('.', n_boxes + roll(5) / 4)] {
        for _ in 0..n {
            let cell = &mut rows[1 + roll(n_rows)][1 + roll(n_columns)];
            *cell = match (*cell, mark) {
                (' ' | '#', mark) => mark,
                ('$', '.') => '*',
                ('@', '.') => '+',
                _ => return None,
            };
        }
    }
    let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    Level::parse(&rows.join("\n")).ok().filter(|level| !level.start().boxes.is_subset(level.board().goals()))
}

/// Everything, nothing, one technique alone, all but that one.
fn technique_sets(at: usize) -> [Settings; 4] {
    let techniques: Vec<_> = Technique::ALL.into_iter().filter(|technique| !technique.is_advisor()).collect();
    let technique = techniques[at % techniques.len()];
    let all = Technique::ALL.into_iter().fold(Settings::default(), Settings::with);
    let alone = Settings::default().plain().with(Technique::FrozenWalls).with(technique);
    let without = all.clone().without(technique);
    [all, Settings::default().plain(), alone, without]
}

/// Searches a level by every algorithm in every direction; `expect` are the fewest pushes and moves by the reference.
fn check(level: &Level, settings: &Settings, expect: Option<(u64, u64)>) {
    use Algorithm::{AStar, Bfs, IdaStar, Iddfs};
    let proofs = [
        (Optimal::Any, &ALGORITHMS[..]),
        (Optimal::Pushes, &[AStar, IdaStar, Bfs, Iddfs]),
        (Optimal::Moves, &[AStar, IdaStar, Bfs]),
        (Optimal::PushesMoves, &[AStar, Bfs]),
        (Optimal::MovesPushes, &[IdaStar]),
    ];
    for (optimal, algorithms) in proofs {
        let weights = |algorithm| if algorithm == AStar { &[100, 150][..] } else { &[100] };
        let weighted = algorithms.iter().flat_map(|&algorithm| weights(algorithm).iter().map(move |&w| (algorithm, w)));
        for ((algorithm, percent), heading) in weighted.flat_map(|search| HEADINGS.map(|heading| (search, heading))) {
            let bound_weight = BoundWeight::from_percent(percent);
            let settings = Settings { algorithm, heading, optimal, bound_weight, ..settings.clone() };
            let verdict = solve(level, &settings).0;
            let Some((pushes, moves)) = expect else {
                assert_eq!(verdict, Verdict::Unsolvable, "{settings:?} {level:?}");
                continue;
            };
            let found = replayed(level, &verdict).metrics();
            match optimal {
                Optimal::Any => {}
                Optimal::Pushes | Optimal::PushesMoves => assert_eq!(found.pushes, pushes, "{settings:?} {level:?}"),
                Optimal::Moves | Optimal::MovesPushes => assert_eq!(found.moves, moves, "{settings:?} {level:?}"),
            }
        }
    }
}

/// Two rooms with two tunnels between them, four squares long, and two boxes anywhere in the rooms.
fn with_tunnels(number: u64) -> Option<Level> {
    let mut seed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut roll = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap_or(0) % n
    };
    let mut rows: Vec<Vec<char>> = [
        "############",
        "#   ####   #",
        "#          #",
        "#   ####   #",
        "#          #",
        "#   ####   #",
        "############",
    ]
    .map(|row| row.chars().collect())
    .to_vec();
    for (mark, n) in [('@', 1), ('$', 2), ('.', 2), ('#', roll(3))] {
        for _ in 0..n {
            let cell = &mut rows[1 + roll(5)][[1, 2, 3, 8, 9, 10][roll(6)]];
            *cell = if *cell == ' ' { mark } else { return None };
        }
    }
    let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    Level::parse(&rows.join("\n")).ok()
}

/// Proofs of fewest pushes and plain search, with tunnels alone and with all that loses nothing.
#[test]
fn tunnels_in_every_search_agree_with_a_search_without_any() {
    let (mut n_levels, mut n_solvable) = (0, 0);
    for level in (0..).filter_map(with_tunnels) {
        let expect = cheapest(&level, u64::from);
        if expect.is_none() && n_levels > 2 * n_solvable {
            continue;
        }
        let alone = Settings::default().plain().with(Technique::Tunnels).with(Technique::FrozenWalls);
        for settings in [alone, Settings::default()] {
            for (algorithm, heading) in SEARCHES.iter().flat_map(|&of| HEADINGS.map(|heading| (of, heading))) {
                let proves = algorithm != Algorithm::Greedy;
                let optimal = if proves { Optimal::Pushes } else { Optimal::Any };
                let settings = Settings { algorithm, heading, optimal, ..settings.clone() };
                let verdict = solve(&level, &settings).0;
                match expect {
                    None => assert_eq!(verdict, Verdict::Unsolvable, "{settings:?} {level:?}"),
                    Some(pushes) if proves => {
                        assert_eq!(replayed(&level, &verdict).metrics().pushes, pushes, "{settings:?} {level:?}");
                    }
                    Some(_) => drop(replayed(&level, &verdict)),
                }
            }
        }
        n_levels += 1;
        n_solvable += usize::from(expect.is_some());
        if n_levels == N_TUNNEL_LEVELS {
            break;
        }
    }
    assert!(3 * n_solvable >= N_TUNNEL_LEVELS, "{n_solvable} of {n_levels} have a solution");
}

#[test]
fn every_technique_in_every_search_agrees_with_a_search_without_any() {
    let (n_wanted, mut n_levels, mut n_solvable) = (n_cases(40, 240), 0, 0);
    for level in (0..).filter_map(|number| level(number, 6)) {
        let expect = reference(&level);
        // Most such levels have no solution: half of those compared are to have one.
        if expect.is_none() && 2 * (n_levels - n_solvable) > n_wanted {
            continue;
        }
        technique_sets(n_levels).iter().for_each(|settings| check(&level, settings, expect));
        n_levels += 1;
        n_solvable += usize::from(expect.is_some());
        if n_levels == n_wanted {
            break;
        }
    }
    assert!(3 * n_solvable >= n_wanted, "{n_solvable} of {n_levels} have a solution");
}
