//! The costs of a lone box and the bound, against plain searches over single steps.

use super::*;
use crate::board::Flood;
use crate::board::tests::meter_within;
use crate::systematic::tests::small_levels;

/// The least cost of pushing a lone box from each square to a goal, the player anywhere; walks cost nothing.
fn costs_to(board: &SearchBoard, potential: &PlayerPotential, goal: FloorSquare) -> Vec<u16> {
    // By the square of the box, then by that of the player.
    let mut costs = vec![vec![u16::MAX; board.n_squares()]; board.n_squares()];
    let mut is_done = false;
    while !is_done {
        is_done = true;
        for (sq, player) in board.squares().flat_map(|sq| board.squares().map(move |player| (sq, player))) {
            let mut least = if sq == goal { 0 } else { u16::MAX };
            for (dir, next) in board.steps(player).into_iter().enumerate().filter(|&(_, next)| next != board.wall()) {
                if next != sq {
                    least = least.min(costs[sq.idx()][next.idx()]);
                } else if board.step(sq, dir) != board.wall() {
                    let after = costs[board.step(sq, dir).idx()][sq.idx()];
                    least = least.min(after.saturating_add(potential.moves_of_push(player, sq)));
                }
            }
            let known = &mut costs[sq.idx()][player.idx()];
            if sq != player && least < *known {
                (*known, is_done) = (least, false);
            }
        }
    }
    costs.into_iter().map(|row| row.into_iter().min().unwrap()).collect()
}

/// The least sum of costs over all ways to give each box a goal of its own that is not taken.
fn least_sum(costs: &[Vec<u16>], boxes: &[FloorSquare], taken: u32) -> Option<u64> {
    let Some((sq, rest)) = boxes.split_first() else { return Some(0) };
    let free = (0..costs.len()).filter(|&goal| taken >> goal & 1 == 0 && costs[goal][sq.idx()] < u16::MAX);
    let sums =
        free.filter_map(|goal| Some(u64::from(costs[goal][sq.idx()]) + least_sum(costs, rest, taken | 1 << goal)?));
    sums.min()
}

/// Walk, boxes and player of each push at the start, by a flood over the numbers of the search.
fn pushes_at_start(board: &SearchBoard) -> Vec<(u64, Vec<FloorSquare>, FloorSquare)> {
    let mut flood = Flood::new(board);
    flood.place(board.starts().iter().copied());
    flood.measure(board, board.player());
    let mut pushes = Vec::new();
    for (at, &sq) in board.starts().iter().enumerate() {
        for dir in 0..4 {
            let (to, stand) = (board.step(sq, dir), board.step(sq, dir + 2));
            if flood.reaches(stand) && flood.is_free(to) && board.is_live(to) {
                let mut boxes = board.starts().to_vec();
                boxes[at] = to;
                pushes.push((u64::from(flood.distance(stand)), boxes, sq));
            }
        }
    }
    pushes
}

/// The bound after the first pushes, as the module defines it.
fn bound(board: &SearchBoard, potential: &PlayerPotential, costs: &[Vec<u16>]) -> u64 {
    let beside = board.goals().iter().flat_map(|&goal| board.steps(goal)).filter(|&sq| sq != board.wall());
    let end = beside.map(|sq| i64::from(potential.height(sq))).min().unwrap();
    let after = |(walk, boxes, player): (u64, Vec<FloorSquare>, FloorSquare)| {
        let left = least_sum(costs, &boxes, 0).map_or(0, |sum| {
            let moves = i64::try_from(sum).unwrap() + end - i64::from(potential.height(player));
            u64::try_from(moves).unwrap_or(0)
        });
        walk + 1 + left
    };
    pushes_at_start(board).into_iter().map(after).min().unwrap_or(0)
}

/// Of each level a few of the potentials, among them the distances from goals, starts and poles.
#[test]
fn costs_pushes_and_bounds_agree_with_plain_searches() {
    let levels = (0..).filter_map(|number| small_levels::level(number, 5));
    let mut n_known = 0;
    for (level, board) in levels.filter_map(|level| SearchBoard::new(&level).map(|board| (level, board))).take(10) {
        let firsts = first_pushes(&level, &board);
        let as_tuple = |first: &FirstPush| (first.walk, first.boxes.clone(), first.player);
        assert_eq!(firsts.iter().map(as_tuple).collect::<Vec<_>>(), pushes_at_start(&board), "{level:?}");
        for potential in PlayerPotential::candidates(&level, &board).into_iter().step_by(5).take(4) {
            let costs: Vec<_> = board.goals().iter().map(|&goal| costs_to(&board, &potential, goal)).collect();
            let mut meter = meter_within(1 << 28);
            let distances = distances(&board, &potential, &mut meter).unwrap();
            assert_eq!(meter.ticks(), (costs.len() * (1 + board.n_squares() / 4)) as u64);
            for sq in board.squares() {
                let expect: Vec<u16> = costs.iter().map(|column| column[sq.idx()]).collect();
                assert_eq!(distances.row(sq), expect, "{sq:?} {level:?}");
            }
            let expect = bound(&board, &potential, &costs);
            assert_eq!(WalkBound::new(&board, potential, &mut meter).unwrap().after_any(&firsts), expect, "{level:?}");
            n_known += usize::from(expect > 1);
        }
    }
    assert!(n_known > 20, "{n_known}");
}

/// One step of a walk and two pushes; without a first push nothing is known.
#[test]
fn the_moves_of_a_corridor_are_all_counted() {
    let level = Level::parse("#######\n#@ $ .#\n#######").unwrap();
    let board = SearchBoard::new(&level).unwrap();
    let by_goals = PlayerPotential::candidates(&level, &board).swap_remove(0);
    let mut bound = WalkBound::new(&board, by_goals, &mut meter_within(1 << 28)).unwrap();
    assert_eq!(bound.after_any(&first_pushes(&level, &board)), 3);
    assert_eq!(bound.after_any(&[]), 0);
}

/// A corridor in which each push costs two moves by the distance from the goal, more than a cost can hold.
#[test]
fn a_cost_that_is_too_large_is_the_largest_there_is() {
    let wall = "#".repeat(32_805);
    let level = Level::parse(&format!("{wall}\n#@${}.#\n{wall}", " ".repeat(32_800))).unwrap();
    let board = SearchBoard::new(&level).unwrap();
    let by_goals = PlayerPotential::candidates(&level, &board).swap_remove(0);
    let distances = distances(&board, &by_goals, &mut meter_within(1 << 28)).unwrap();
    let near = board.number(level.board().square_at(1, 32_793).unwrap());
    assert_eq!((distances.row(board.starts()[0]), distances.row(near)), (&[65_534][..], &[20][..]));
}
