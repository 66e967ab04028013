//! Exact best solutions of tiny levels, all six metrics at once: the oracle that searches are tested against.
//!
//! Dijkstra's algorithm over all states that the metrics can tell apart. It uses no bound and no symmetry; it prunes
//! only boxes on squares from which even a lone box reaches no goal. It has move rules of its own and shares nothing
//! with the searches but the board.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::{Direction, Level, Lurd, Metric, Objective, Solution, Square, Step, replay};

/// What the future metrics of a game depend on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct GameState {
    /// Bit `n` is square `n`.
    boxes: u64,
    player: Square,
    /// Square of the box pushed last, and the direction of that push.
    last_push: Option<(Square, Direction)>,
    last_dir: Option<Direction>,
    walked: bool,
}

/// Metrics in the order of the objective.
type GameCost = [u32; 6];

/// The best known way to each state: its cost, the state before and the move from there.
type Ways = BTreeMap<GameState, (GameCost, Option<(GameState, Step)>)>;

/// Returns a best solution by Dijkstra's algorithm, or `None` if the level has none.
///
/// ```
/// use sokocore::{Level, Objective, optimum};
///
/// let level = Level::parse("######\n#@  .#\n# $ ##\n##   #\n######")?;
/// let best = |objective: Objective| optimum(&level, objective).map(|solution| solution.metrics().to_string());
/// assert_eq!(best(Objective::MOVES).as_deref(), Some("8/3/3/1/3/8"));
/// assert_eq!(best("boxlines".parse()?).as_deref(), Some("10/3/2/1/2/7"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time and memory grow with the number of positions: good for boards of some 30 squares and four boxes.
///
/// # Panics
/// On boards with more than 64 squares.
#[must_use]
pub fn optimum(level: &Level, objective: Objective) -> Option<Solution> {
    assert!(level.board().n_squares() <= 64, "brute force is for boards of at most 64 squares");
    let goals = bits(level.board().goals().iter());
    let useful = useful_squares(level);
    let boxes = bits(level.start().boxes.iter());
    let start = GameState { boxes, player: level.start().player, last_push: None, last_dir: None, walked: true };
    let mut best = Ways::from([(start, (GameCost::default(), None))]);
    let mut open = BinaryHeap::from([Reverse((GameCost::default(), start))]);
    while let Some(Reverse((cost, state))) = open.pop() {
        if best[&state].0 < cost {
            continue;
        }
        if state.boxes & !goals == 0 && !state.walked {
            let solution = replay(level, &trace(&best, state));
            return Some(solution.expect("invariant: brute force plays by the rules"));
        }
        for dir in Direction::ALL {
            let Some((next, step, price)) = play(level, state, dir, objective) else { continue };
            if next.boxes & !useful != 0 {
                continue;
            }
            let next_cost = std::array::from_fn(|at| cost[at] + price[at]);
            if best.get(&next).is_none_or(|known| next_cost < known.0) {
                best.insert(next, (next_cost, Some((state, step))));
                open.push(Reverse((next_cost, next)));
            }
        }
    }
    None
}

/// Plays one move; `None` if it is illegal.
fn play(level: &Level, state: GameState, dir: Direction, objective: Objective) -> Option<(GameState, Step, GameCost)> {
    let player = level.board().step(state.player, dir)?;
    let turns = state.last_dir != Some(dir);
    if state.boxes & bit(player) == 0 {
        let next = GameState { player, last_dir: Some(dir), walked: true, ..state };
        let price = |metric| {
            matches!(metric, Metric::Moves | Metric::MostPushes) || (matches!(metric, Metric::PlayerLines) && turns)
        };
        return Some((next, Step::Walk(dir), objective.order().map(|metric| u32::from(price(metric)))));
    }
    let to = level.board().step(player, dir).filter(|&to| state.boxes & bit(to) == 0)?;
    let boxes = state.boxes ^ bit(player) ^ bit(to);
    let next = GameState { boxes, player, last_push: Some((to, dir)), last_dir: Some(dir), walked: false };
    let price = |metric| match metric {
        Metric::Moves | Metric::Pushes => true,
        Metric::MostPushes => false,
        Metric::BoxLines => state.last_push != Some((player, dir)),
        Metric::BoxChanges => state.last_push.is_none_or(|(sq, _)| sq != player),
        Metric::PushingSessions => state.walked,
        Metric::PlayerLines => turns,
    };
    Some((next, Step::Push(dir), objective.order().map(|metric| u32::from(price(metric)))))
}

/// Squares from which pulls of a lone box could have come from a goal, the player being anywhere.
fn useful_squares(level: &Level) -> u64 {
    let mut todo: Vec<Square> = level.board().goals().iter().collect();
    let mut useful = bits(todo.iter().copied());
    while let Some(sq) = todo.pop() {
        for dir in Direction::ALL {
            let Some(to) = level.board().step(sq, dir) else { continue };
            if level.board().step(to, dir).is_some() && useful & bit(to) == 0 {
                useful |= bit(to);
                todo.push(to);
            }
        }
    }
    useful
}

fn trace(best: &Ways, end: GameState) -> Lurd {
    let mut steps = Vec::new();
    let mut state = end;
    while let Some((before, step)) = best[&state].1 {
        steps.push(step);
        state = before;
    }
    steps.into_iter().rev().collect()
}

fn bits(squares: impl Iterator<Item = Square>) -> u64 {
    squares.fold(0, |bits, sq| bits | bit(sq))
}

fn bit(sq: Square) -> u64 {
    1 << sq.idx()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_only_solution_and_admits_when_there_is_none() {
        let level = Level::parse("######\n#@$ .#\n######").unwrap();
        assert_eq!(optimum(&level, Objective::MOVES).unwrap().lurd().to_string(), "RR");
        let stuck = Level::parse("######\n#$@ .#\n######").unwrap();
        assert_eq!(optimum(&stuck, Objective::MOVES), None);
    }

    /// Trap 6: a level that starts solved needs a push.
    #[test]
    fn trap_06_a_solved_start_takes_a_cycle() {
        let level = Level::parse("######\n# *@ #\n#    #\n######").unwrap();
        let solution = optimum(&level, Objective::MOVES).unwrap();
        assert_eq!(solution.metrics().pushes, 2);
    }
}
