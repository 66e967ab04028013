//! Load-time clean-up: loops are cut, and every walk becomes a shortest one with the fewest turns.
//!
//! A loop is a stretch of the solution that comes back to a state, the same boxes and the same player square
//! (trap 17). Cutting it never costs anything, and after the cut no state occurs twice.

use hashbrown::HashMap;
use sokocore::{Level, Position, Push, Square, SquareSet, pushes_of};
use sokosearch::{Context, Stop};

use crate::{Method, Spec};

pub(crate) const SPEC: Spec =
    Spec { name: "tidy path", about: "cuts loops and makes every walk a shortest one", build: |_| Box::new(TidyPath) };

/// Cuts loops and straightens walks.
#[derive(Clone, Copy, Debug)]
pub struct TidyPath;

impl Method for TidyPath {
    fn run(&self, cx: &mut Context<'_>) -> Result<bool, Stop> {
        cx.working("tidy path", "cutting loops");
        let pushes = pushes_of(cx.level(), cx.incumbent().lurd());
        let cut = without_loops(cx.level(), &pushes);
        let improved = cx.found_pushes(&cut);
        cx.poll().map(|()| improved)
    }
}

/// Returns the pushes without those that only lead back to an earlier state.
///
/// A level that starts solved comes back to its start boxes in the end; that is its solution, not a loop, so the
/// last state is never taken for an earlier one.
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
    use sokocore::{Lurd, moves_of};

    use super::*;

    fn check(rows: &[&str], moves: &str, expect: &str) {
        let level = Level::parse(&rows.join("\n")).unwrap();
        let moves: Lurd = moves.parse().unwrap();
        let pushes = without_loops(&level, &pushes_of(&level, &moves));
        assert_eq!(moves_of(&level, &pushes).unwrap().to_string(), expect);
    }

    /// Trap 17: a path that comes back to a state is cut.
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
