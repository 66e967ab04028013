//! Pairs of goals that exclude each other, against plain searches over two boxes and on corridors with known counts.

use std::collections::BTreeSet;
use std::sync::Arc;

use sokocore::Level;

use super::*;
use crate::Settings;
use crate::board::SearchDirection;
use crate::board::tests::meter_within;
use crate::bound::matching::CostTable;
use crate::systematic::tests::small_levels;

/// A corridor with two goals in its middle, and a box on a goal in the nook below the player.
const CORRIDOR: &str = "############\n#@ $  .. $ #\n#*##########\n############";

fn goal_pairs<const W: usize>(board: &SearchBoard) -> GoalPairs<W> {
    GoalPairs::new(board, &meter_within(1 << 24)).unwrap()
}

/// The corridor, its box in the nook, and a function from columns of the corridor to sets with that box.
fn corridor() -> (SearchBoard, BitSet<2>, impl Fn(&[usize]) -> BitSet<2>) {
    let level = Level::parse(CORRIDOR).unwrap();
    let board = SearchBoard::new(&level).unwrap();
    let places = [1, 2].map(|row| {
        (0..12).map(|column| level.board().square_at(row, column).map(|sq| board.number(sq))).collect::<Vec<_>>()
    });
    let frozen = SearchBoard::set::<2>(&[places[1][1].unwrap()]);
    let boxes = move |columns: &[usize]| {
        let mut boxes = frozen;
        columns.iter().for_each(|&column| boxes.insert(places[0][column].unwrap()));
        boxes
    };
    (board, frozen, boxes)
}

/// The ordered pairs of squares that an exclusion lists.
fn listed(exclusion: &Exclusion<2>) -> BTreeSet<[FloorSquare; 2]> {
    exclusion.iter().flat_map(|(&one, others)| others.iter().map(move |other| [one, other])).collect()
}

/// The pairs of squares, in both orders, to which a player who steps and pulls can bring two boxes from these goals;
/// `None` if both leave their goals.
fn pulled(board: &SearchBoard, frozen: &BitSet<2>, goals: [FloorSquare; 2]) -> Option<BTreeSet<[FloorSquare; 2]>> {
    let is_open =
        |sq: FloorSquare, boxes: &[FloorSquare]| sq != board.wall() && !frozen.has(sq) && !boxes.contains(&sq);
    let players = board.squares().filter(|&sq| board.steps(sq).iter().any(|next| goals.contains(next)));
    let mut todo: Vec<_> = players.filter(|&sq| is_open(sq, &goals)).map(|player| (goals, player)).collect();
    let (mut pairs, mut seen) = (BTreeSet::from([goals]), BTreeSet::new());
    while let Some((boxes, player)) = todo.pop() {
        if !seen.insert((boxes, player)) {
            continue;
        }
        if boxes[0] != goals[0] && boxes[1] != goals[1] {
            return None;
        }
        pairs.extend([boxes, [boxes[1], boxes[0]]]);
        for (dir, next) in board.steps(player).into_iter().enumerate().filter(|&(_, next)| is_open(next, &boxes)) {
            todo.push((boxes, next));
            let behind = boxes.iter().position(|&sq| sq == board.step(player, dir + 2));
            if let Some(at) = behind.filter(|_| board.is_live(player)) {
                let mut after = boxes;
                after[at] = player;
                todo.push((after, next));
            }
        }
    }
    Some(pairs)
}

/// Whether two free squares beside this one are joined by no part of the ring of eight squares around it.
fn parts_its_sides(level: &Level, board: &SearchBoard, frozen: &BitSet<2>, sq: FloorSquare) -> bool {
    let (row, column) = level.board().place(board.square(sq));
    let ring = [(0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0)].map(|(down, right)| {
        let sq = level.board().square_at(row + down - 1, column + right - 1);
        sq.is_some_and(|sq| !frozen.has(board.number(sq)))
    });
    let sides: Vec<usize> = (0..8).step_by(2).filter(|&side| ring[side]).collect();
    let is_joined = |from: usize, to: usize| {
        ring[from..to].iter().all(|&is_free| is_free) || ring[to..].iter().chain(&ring[..from]).all(|&is_free| is_free)
    };
    sides.iter().any(|&from| sides.iter().any(|&to| from < to && !is_joined(from, to)))
}

/// Small levels with narrow places that have as many boxes as goals.
fn small_boards() -> impl Iterator<Item = (Level, SearchBoard)> {
    let levels = [3, 4].into_iter().flat_map(|one_in| (0..3_000).filter_map(move |n| small_levels::level(n, one_in)));
    let boards = levels.filter_map(|level| SearchBoard::new(&level).map(|board| (level, board)));
    boards.filter(|(_, board)| board.goals().len() == board.n_boxes())
}

#[test]
fn a_square_splits_the_floor_if_its_sides_are_not_joined_around_it() {
    let mut n = [0; 2];
    for (level, board) in small_boards().take(10) {
        let sets = board.live_squares().map(|sq| SearchBoard::set(&[sq])).chain([BitSet::default()]);
        for (frozen, sq) in sets.flat_map(|frozen: BitSet<2>| board.squares().map(move |sq| (frozen, sq))) {
            if !frozen.has(sq) {
                let expect = parts_its_sides(&level, &board, &frozen, sq);
                assert_eq!(splits_floor(&board, &frozen, sq), expect, "{sq:?} {frozen:?} {level:?}");
                n[usize::from(expect)] += 1;
            }
        }
    }
    assert!(n.iter().all(|&n| n > 100), "{n:?}");
}

/// Around no frozen box and around each goal.
#[test]
fn goals_exclude_each_other_if_a_plain_search_pulls_only_one_box_away() {
    let mut n = [0; 2];
    for (level, board) in small_boards() {
        let mut goal_pairs = goal_pairs::<2>(&board);
        let sets = board.goals().iter().map(|&goal| SearchBoard::set(&[goal])).chain([BitSet::default()]);
        for frozen in sets {
            let mut narrow = Vec::new();
            for (at, &other) in board.goals().iter().enumerate().filter(|&(_, &goal)| !frozen.has(goal)) {
                for &one in board.goals()[..at].iter().filter(|&&goal| !frozen.has(goal)) {
                    let expect = pulled(&board, &frozen, [one, other]);
                    let found = goal_pairs.origins(&board, &frozen, [one, other]);
                    assert_eq!(found.as_ref().map(listed), expect, "{one:?} {other:?} {frozen:?} {level:?}");
                    n[usize::from(expect.is_some())] += 1;
                    if [one, other].iter().all(|&sq| parts_its_sides(&level, &board, &frozen, sq)) {
                        narrow.push(([one, other], expect));
                    }
                }
            }
            narrow.sort_by_key(|&(goals, _)| goals);
            let expect: Vec<_> = narrow.into_iter().filter_map(|(_, pairs)| pairs).collect();
            let found: Vec<_> = goal_pairs.find_exclusions(&board, &frozen).iter().map(listed).collect();
            assert_eq!(found, expect, "{frozen:?} {level:?}");
        }
    }
    assert!(n.iter().all(|&n| n > 50), "{n:?}");
}

/// From the left the left box is pulled over four squares, from the right the right one over two.
#[test]
fn boxes_on_both_sides_of_a_corridor_are_lost() {
    let (board, frozen, boxes) = corridor();
    let mut goal_pairs = goal_pairs::<2>(&board);
    assert!(
        !goal_pairs.is_lost(&board, &boxes(&[3, 9]), &BitSet::default()),
        "nothing is examined without frozen boxes"
    );
    assert_eq!((goal_pairs.take_work(), goal_pairs.bytes), (0, 0));
    assert!(goal_pairs.is_lost(&board, &boxes(&[3, 9]), &frozen));
    assert_eq!((goal_pairs.take_work(), goal_pairs.bytes), (8, 64 + 8 * 32));
    for columns in [[5, 8], [2, 3], [2, 4], [8, 9]] {
        assert!(goal_pairs.is_lost(&board, &boxes(&columns), &frozen), "{columns:?}");
    }
    for columns in [[2, 7], [3, 7], [5, 7], [6, 7], [6, 8], [6, 9]] {
        assert!(!goal_pairs.is_lost(&board, &boxes(&columns), &frozen), "{columns:?}");
    }
    assert_eq!((goal_pairs.take_work(), goal_pairs.bytes), (0, 64 + 8 * 32), "it is examined once");
}

#[test]
fn a_lost_position_has_no_bound_and_others_have_none_above_zero() {
    let (board, frozen, boxes) = corridor();
    let mut bound = goal_pairs::<2>(&board);
    let mut of = |columns: &[usize]| {
        let boxes = boxes(columns);
        let position =
            BoundedPosition { board: &board, boxes: &boxes, rows: &[], player: board.player(), frozen: &frozen };
        AddedBound::of(&mut bound, &position)
    };
    assert_eq!([of(&[3, 9]), of(&[3, 7])], [None, Some(0)]);
    assert!(bound.reads_frozen());
}

/// In a corridor that ends behind its goals, one box is pulled over all squares before them: 1,000 positions are
/// examined, 1,001 are not.
#[test]
fn a_search_of_too_many_positions_excludes_nothing() {
    for (n_before, n_origins) in [(999, Some(1_001)), (1_000, None)] {
        let wall = "#".repeat(n_before + 5);
        let level = Level::parse(&format!("{wall}\n#@$ ${}..#\n{wall}", " ".repeat(n_before - 3))).unwrap();
        let board = SearchBoard::new(&level).unwrap();
        let goals = [board.goals()[0], board.goals()[1]];
        let origins = goal_pairs::<16>(&board).origins(&board, &BitSet::default(), goals);
        assert_eq!(origins.map(|origins| origins.len()), n_origins);
    }
}

#[test]
fn tables_that_are_full_are_cleared() {
    let (board, frozen, boxes) = corridor();
    let mut goal_pairs = goal_pairs::<2>(&board);
    assert!(goal_pairs.is_lost(&board, &boxes(&[3, 9]), &frozen));
    goal_pairs.make_room((8 << 20) - 320);
    assert_eq!((goal_pairs.bytes, goal_pairs.exclusions.len()), (8_388_608, 1), "just full");
    goal_pairs.make_room(1);
    assert_eq!((goal_pairs.bytes, goal_pairs.exclusions.len()), (1, 0));
    goal_pairs.make_room(9_000_000);
    assert_eq!(goal_pairs.bytes, 8_388_608);
}

#[test]
fn the_bound_is_made_if_frozen_boxes_are_walls_and_every_goal_needs_a_box() {
    let is_made = |rows: &str, has_frozen_walls: bool, settings: &Settings, bytes: u64| {
        let board = SearchBoard::new(&Level::parse(rows).unwrap()).unwrap();
        let (costs, meter) = (Arc::new(CostTable::new(&board, board.to_goals())), meter_within(bytes));
        let direction = SearchDirection::Forward;
        let (costs, penalties, meter) = (&costs, None, &meter);
        make::<2>(&mut BoundParts { board: &board, direction, settings, costs, has_frozen_walls, penalties, meter })
            .is_some()
    };
    let on = Settings::default().plain().with(Technique::GoalPairs);
    let off = Settings::default().without(Technique::GoalPairs);
    assert!(is_made(CORRIDOR, true, &on, 8 << 20));
    assert!(!is_made(CORRIDOR, false, &on, 8 << 20));
    assert!(!is_made(CORRIDOR, true, &off, 8 << 20));
    assert!(!is_made(CORRIDOR, true, &on, (8 << 20) - 1));
    assert!(!is_made(&CORRIDOR.replacen('$', " ", 1), true, &on, 8 << 20), "a goal may stay empty");
}
