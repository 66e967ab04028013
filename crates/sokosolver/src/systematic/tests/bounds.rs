//! Lower bounds against the true cost to go, from every position of small levels and in both directions.

use hashbrown::HashMap;
use sokocore::{FloorSquare, n_cases};

use super::*;
use crate::board::tests::{BoxStep, Position, costs_to_go, steps};
use crate::board::{SearchDirection, SideRows};
use crate::bound::lower_bounds::Bounds;
use crate::systematic::tables::TableMaker;

/// Levels whose floor a box can split.
const N_LEVELS: usize = 60;

fn bounds(board: &SearchBoard, direction: SearchDirection, settings: &Settings) -> Bounds<2> {
    let mut meter = meter();
    let mut maker = TableMaker::new(board, direction, settings, &meter);
    maker.resume(board, &mut meter).unwrap();
    let tables = maker.finish(board, &meter);
    Bounds::new(board, direction, settings, tables.penalties, tables.sides, &meter)
}

/// With these techniques the bounds of every position and of its children are admissible.
fn check(
    level: &Level,
    board: &SearchBoard,
    direction: SearchDirection,
    left: &HashMap<Position, u16>,
    on: &[&str],
) -> Vec<u16> {
    let mut settings = Settings::default().plain();
    on.iter().for_each(|name| settings.switch(name.parse().unwrap(), true));
    let mut bounds = bounds(board, direction, &settings);
    let mut all = Vec::new();
    let mut positions: Vec<_> = left.iter().collect();
    positions.sort_unstable_by_key(|((boxes, player), _)| (boxes.0, *player));
    for (&(boxes, player), &expect) in positions {
        let squares: Vec<FloorSquare> = boxes.iter().collect();
        let bound = bounds.exact(board, &boxes, &squares, player);
        assert!(
            bound.is_some_and(|bound| bound <= expect),
            "{bound:?} {expect} {direction:?} {on:?} {boxes:?} {level:?}"
        );
        for (BoxStep { row, to, side }, next) in steps(board, direction, (boxes, player)) {
            let Some(&expect) = left.get(&next) else { continue };
            let bound = bounds.after(row, to, side);
            assert!(
                bound.is_some_and(|bound| bound <= expect),
                "{bound:?} {expect} {direction:?} {on:?} {next:?} {level:?}"
            );
        }
        all.extend(bound);
    }
    all
}

/// Each set of techniques with and without the player's side, which raises some bounds.
#[test]
fn no_bound_is_more_than_what_is_left() {
    let mut n_raised = [0; 2];
    let levels = (0..).filter_map(|number| small_levels::level(number, 4));
    let parted = levels.filter_map(|level| {
        let board = SearchBoard::new(&level)?;
        SideRows::new(board.sides())?;
        let far = costs_to_go(&board, SearchDirection::Backward).len() > 50
            && costs_to_go(&board, SearchDirection::Forward).len() > 50;
        far.then_some((level, board))
    });
    for (level, board) in parted.take(n_cases(N_LEVELS / 2, N_LEVELS)) {
        for (at, direction) in [SearchDirection::Forward, SearchDirection::Backward].into_iter().enumerate() {
            let left = costs_to_go(
                &board,
                if direction == SearchDirection::Forward {
                    SearchDirection::Backward
                } else {
                    SearchDirection::Forward
                },
            );
            for walls in [&[][..], &["frozen-walls"], &["frozen-walls", "goal-pairs"]] {
                for more in [&[][..], &["matching"], &["penalties"], &["matching", "penalties"]] {
                    let with: Vec<_> = walls.iter().chain(more).chain(&["side-distances"]).copied().collect();
                    let by_side = check(&level, &board, direction, &left, &with);
                    let plain = check(&level, &board, direction, &left, &with[..with.len() - 1]);
                    assert!(plain.iter().zip(&by_side).all(|(plain, by_side)| plain <= by_side));
                    n_raised[at] += usize::from(plain != by_side);
                }
            }
        }
    }
    assert!(n_raised.iter().all(|&n| n > 20), "{n_raised:?}");
}
