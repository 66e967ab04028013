//! Loops of a solution: pushes that lead back to an earlier state, the same boxes and the same player square.
//!
//! Cutting a loop makes no metric worse, and after the cut no state occurs twice (trap 17).

use hashbrown::HashMap;
use sokocore::{Level, Position, Push, Square, SquareSet};

/// Returns the pushes without loops.
///
/// The solution of a level that starts solved returns to the boxes of the start. That is no loop, so the last state
/// never counts as an earlier one.
#[must_use]
pub(crate) fn without_loops(level: &Level, pushes: &[Push]) -> Vec<Push> {
    let mut position: Position = level.start().clone();
    let mut kept: Vec<Push> = Vec::with_capacity(pushes.len());
    let mut states: Vec<(SquareSet, Square)> = vec![(position.boxes.clone(), position.player)];
    let mut depth_of: HashMap<(SquareSet, Square), usize> = HashMap::new();
    depth_of.insert(states[0].clone(), 0);
    for (at, &push) in pushes.iter().enumerate() {
        position.push(level.board(), push);
        kept.push(push);
        let state = (position.boxes.clone(), position.player);
        let is_last = at + 1 == pushes.len();
        if let Some(&depth) = depth_of.get(&state).filter(|_| !is_last) {
            for left in states.drain(depth + 1..) {
                depth_of.remove(&left);
            }
            kept.truncate(depth);
        } else {
            depth_of.insert(state.clone(), kept.len());
            states.push(state);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use sokocore::{Lurd, moves_of, pushes_of};

    use super::*;

    fn check(rows: &[&str], moves: &str, expect: &str) {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let moves: Lurd = moves.parse().unwrap();
        let pushes = without_loops(&level, &pushes_of(&level, &moves));
        assert_eq!(moves_of(&level, &pushes).unwrap().to_string(), expect);
    }

    /// Trap 17: a path that returns to a state is cut.
    #[test]
    fn trap_17_loops_are_cut() {
        let rows = ["########", "#      #", "#      #", "#  @$ .#", "#      #", "#      #", "########"];
        check(&rows, "RurrdLulldRR", "RR");
    }

    /// Trap 6: the solution of a level that starts solved is no loop.
    #[test]
    fn trap_06_a_solved_start_is_not_cut_away() {
        check(&["######", "# *@ #", "#    #", "######"], "dlluRdrruL", "dlluRdrruL");
    }
}
