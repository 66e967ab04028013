//! Walks against a naive twin.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use sokocore::{Board, Direction, PlantSpec, Position, Square, Step, Walker, planted};

/// The steps and the turns of the best walk: Dijkstra over the square and the direction of the last move.
fn best_walk(
    board: &Board,
    position: &Position,
    to: Square,
    before: Option<Direction>,
    after: Option<Direction>,
) -> Option<(usize, usize)> {
    let turn = |from: Option<Direction>, to: Option<Direction>| usize::from(from.zip(to).is_some_and(|(a, b)| a != b));
    let mut closed = BTreeSet::new();
    // A direction by its place among all; four for none.
    let number = |dir: Option<Direction>| dir.map_or(4, Direction::idx);
    let mut open = BinaryHeap::from([Reverse((0, 0, position.player, number(before)))]);
    let mut best = None;
    while let Some(Reverse((steps, turns, sq, last))) = open.pop() {
        if !closed.insert((sq, last)) {
            continue;
        }
        let last = Direction::ALL.get(last).copied();
        if sq == to {
            let walk = (steps, turns + turn(last, after));
            best = Some(best.map_or(walk, |best: (usize, usize)| best.min(walk)));
        }
        for dir in Direction::ALL {
            let next = board.step(sq, dir).filter(|&next| !position.boxes.contains(next));
            open.extend(next.map(|next| Reverse((steps + 1, turns + turn(last, Some(dir)), next, dir.idx()))));
        }
    }
    best
}

proptest! {
    /// Between any two squares and moves the walk is a shortest one, and of these one with the fewest turns.
    #[test]
    fn walks_are_the_shortest_and_straightest((level, _) in planted(PlantSpec::default()), choice in any::<u64>()) {
        let board = level.board();
        let mut position = level.start().clone();
        position.boxes = board.no_squares();
        board.squares().filter(|sq| choice >> (sq.idx() % 64) & 3 == 3).for_each(|sq| _ = position.boxes.insert(sq));
        let free: Vec<_> = board.squares().filter(|&sq| !position.boxes.contains(sq)).collect();
        let move_of = |bits: u64| Direction::ALL.get((bits % 5) as usize).copied();
        let (mut walker, mut steps) = (Walker::new(board), Vec::new());
        for (n, &player) in free.iter().enumerate() {
            position.player = player;
            for (m, &to) in free.iter().enumerate().filter(|&(_, &to)| to != player) {
                let (before, after) = (move_of(choice >> 7 ^ n as u64), move_of(choice >> 13 ^ m as u64));
                steps.clear();
                let is_found = walker.walk(board, &position, to, before, after, &mut steps);
                let best = best_walk(board, &position, to, before, after);
                prop_assert_eq!(is_found, best.is_some());
                let Some((n_steps, n_turns)) = best else { continue };
                let end = steps.iter().try_fold(player, |sq, step| board.step(sq, step.dir()));
                prop_assert!(end == Some(to) && !steps.iter().any(|step| Step::is_push(*step)));
                let dirs: Vec<_> = before.into_iter().chain(steps.iter().map(|step| step.dir())).chain(after).collect();
                let turns = dirs.windows(2).filter(|pair| pair[0] != pair[1]).count();
                prop_assert_eq!((steps.len(), turns), (n_steps, n_turns));
            }
        }
    }
}
