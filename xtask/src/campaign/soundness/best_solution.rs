//! The best solution of a small level by all six metrics, by Dijkstra's algorithm, and the metrics of given moves.
//!
//! Like `sokocore::optimum`, with rules and counts of its own, and with a square for the player to end on.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashMap;
use sokocore::{Metric, Objective};

use super::flat_board::{FlatBoard, FlatState, Way};
use super::position_graph::PositionGraph;

/// What the future costs of a game depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct GameState {
    state: FlatState,
    /// Cell of the box pushed last, and the way of that push.
    last_push: Option<(usize, Way)>,
    last_way: Option<Way>,
    has_walked: bool,
}

/// The metrics in the order of the objective.
pub(super) type GameCost = [u64; 6];

impl GameState {
    const fn start(board: &FlatBoard) -> Self {
        Self { state: board.start, last_push: None, last_way: None, has_walked: true }
    }

    /// Plays a move; returns what it costs. The caller has played it by the rules.
    fn after(self, next: FlatState, is_push: bool, way: Way, objective: Objective) -> (Self, GameCost) {
        let turns = self.last_way != Some(way);
        let same_box = self.last_push.is_some_and(|(cell, _)| is_push && cell == next.player);
        let same_line = same_box && self.last_push.is_some_and(|(_, last)| last == way);
        let costs = |metric| match metric {
            Metric::Moves => true,
            Metric::Pushes => is_push,
            Metric::MostPushes => !is_push,
            Metric::BoxLines => is_push && !same_line,
            Metric::BoxChanges => is_push && !same_box,
            Metric::PushingSessions => is_push && self.has_walked,
            Metric::PlayerLines => turns,
        };
        let cost = objective.order().map(|metric| u64::from(costs(metric)));
        let last_push = if is_push { Some((beyond(self.state.boxes, next.boxes), way)) } else { self.last_push };
        (Self { state: next, last_push, last_way: Some(way), has_walked: !is_push }, cost)
    }
}

/// The cell where a push has left its box.
const fn beyond(before: u64, after: u64) -> usize {
    (after & !before).trailing_zeros() as usize
}

/// The end of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Best {
    /// This is what a best solution costs; `None` if there is no solution.
    Cost(Option<GameCost>),
    /// There are more states than the search may keep.
    TooMany,
}

/// Finds the cost of a best solution, which ends as soon as the level is solved; with the player on `end`, if that is
/// given. At most `max` states are kept.
pub(super) fn best(
    board: &FlatBoard,
    graph: &PositionGraph,
    objective: Objective,
    end: Option<usize>,
    max: usize,
) -> Best {
    let start = GameState::start(board);
    let mut costs: HashMap<GameState, GameCost> = HashMap::from([(start, GameCost::default())]);
    let mut open = BinaryHeap::from([Reverse((GameCost::default(), start))]);
    while let Some(Reverse((cost, game))) = open.pop() {
        if costs[&game] < cost {
            continue;
        }
        if !game.has_walked && board.is_solved(game.state.boxes) {
            if end.is_none_or(|end| end == game.state.player) {
                return Best::Cost(Some(cost));
            }
            continue;
        }
        for way in 0..4 {
            let Some((next, is_push)) = board.play(game.state, way) else { continue };
            if is_push && graph.pushes_left(board, next).is_none() {
                continue;
            }
            let (next, step) = game.after(next, is_push, way, objective);
            let next_cost = std::array::from_fn(|at| cost[at] + step[at]);
            if costs.get(&next).is_none_or(|&known| next_cost < known) {
                costs.insert(next, next_cost);
                open.push(Reverse((next_cost, next)));
            }
        }
        if costs.len() > max {
            return Best::TooMany;
        }
    }
    Best::Cost(None)
}

/// Counts what moves cost that end as soon as they solve the level; `None` if they do not, or are against the rules.
pub(super) fn cost_of(board: &FlatBoard, letters: &str, objective: Objective) -> Option<GameCost> {
    let (mut game, mut sum) = (GameState::start(board), GameCost::default());
    let mut is_over = false;
    for letter in letters.chars() {
        let way = "urdl".find(letter.to_ascii_lowercase())?;
        let (next, is_push) = board.play(game.state, way)?;
        if is_over || letter.is_ascii_uppercase() != is_push {
            return None;
        }
        let (next, step) = game.after(next, is_push, way, objective);
        sum = std::array::from_fn(|at| sum[at] + step[at]);
        game = next;
        is_over = is_push && board.is_solved(game.state.boxes);
    }
    is_over.then_some(sum)
}
