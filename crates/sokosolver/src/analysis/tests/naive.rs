//! Plain searches over plain values, for comparison.

use std::collections::BTreeSet;

use sokocore::{Direction, Level, Position, Square};

/// Boxes in the order of their start squares, each with its path; and the player.
type PathSets = BTreeSet<(Vec<(Square, Vec<Direction>)>, Square)>;

/// The positions after each legal push.
pub(super) fn children(level: &Level, position: &Position) -> Vec<Position> {
    let board = level.board();
    let after = |push| {
        let mut child = position.clone();
        child.push(board, push);
        child
    };
    position.pushes(board).into_iter().map(after).collect()
}

/// Fewest pushes, layer by layer over boxes and player.
pub(super) fn fewest_pushes(level: &Level) -> Option<u64> {
    pushes_from(level, level.start())
}

/// Whether a position is solved or leads to one that is.
pub(super) fn sees_solution(level: &Level, position: &Position) -> bool {
    level.is_solved(&position.boxes) || pushes_from(level, position).is_some()
}

fn pushes_from(level: &Level, start: &Position) -> Option<u64> {
    let mut seen = BTreeSet::new();
    let mut layer = vec![start.clone()];
    for n_pushes in 1.. {
        let mut next = Vec::new();
        for child in layer.iter().flat_map(|position| children(level, position)) {
            if level.is_solved(&child.boxes) {
                return Some(n_pushes);
            }
            // Boxes on squares that lead to no goal are left out, for their number alone.
            if child.boxes.is_subset(level.live()) && seen.insert((child.boxes.clone(), child.player)) {
                next.push(child);
            }
        }
        if next.is_empty() {
            return None;
        }
        layer = next;
    }
    None
}

/// How many solutions of fewest pushes there are that differ in the path of a box.
pub(super) fn n_best(level: &Level) -> usize {
    let Some(n_pushes) = fewest_pushes(level) else { return 0 };
    let board = level.board();
    let start = level.start();
    let paths: Vec<_> = start.boxes.iter().map(|sq| (sq, Vec::new())).collect();
    let mut layer = PathSets::from([(paths, start.player)]);
    for _ in 0..n_pushes {
        let mut next = PathSets::new();
        for (paths, player) in &layer {
            let position = Position { boxes: board.set_of(paths.iter().map(|(sq, _)| *sq)), player: *player };
            for push in position.pushes(board) {
                let mut paths = paths.clone();
                let (sq, path) = paths.iter_mut().find(|(sq, _)| *sq == push.from).unwrap();
                path.push(push.dir);
                *sq = push.to(board).unwrap();
                if level.live().contains(*sq) {
                    next.insert((paths, push.from));
                }
            }
        }
        layer = next;
    }
    let is_solved = |paths: &Vec<(Square, _)>| paths.iter().all(|(sq, _)| board.goals().contains(*sq));
    layer.into_iter().map(|(paths, _)| paths).filter(is_solved).collect::<BTreeSet<_>>().len()
}
