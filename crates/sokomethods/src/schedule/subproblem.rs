//! A window of a solution as a level of its own, for the solver.

use std::ops::Range;

use sokocore::{Level, Position, Square};
use sokosearch::{LiveIndex, Spine};

/// Returns the level whose start is the state at the beginning of a window and whose goals are the box set at its end, and the
/// player's square there. `None` as for [`Level::subproblem`].
pub(crate) fn subproblem(
    spine: &Spine,
    window: &Range<usize>,
    live: &LiveIndex,
    level: &Level,
) -> Option<(Level, Square)> {
    let (from, to) = (&spine.states()[window.start], &spine.states()[window.end]);
    let boxes = |key: &[u64]| level.board().set_of(LiveIndex::bits_of(key).map(|bit| live.square(bit)));
    let start = Position { boxes: boxes(&from.key), player: from.player };
    Some((level.subproblem(&start, &boxes(&to.key))?, to.player))
}

#[cfg(test)]
pub(crate) mod tests {
    use sokocore::{Solution, replay};

    use super::*;

    /// A box that is pushed 39 squares to the right, with a detour of two pushes after the first eight.
    pub(crate) fn detour() -> (Level, Solution) {
        let (wall, floor) = ("#".repeat(44), " ".repeat(42));
        let row = format!("#@${}.#", " ".repeat(38));
        let rows =
            [&wall, &format!("#{floor}#"), &format!("#{floor}#"), &format!("{row:<43}#"), &format!("#{floor}#"), &wall];
        let level = Level::parse(&rows.map(String::as_str).join("\n")).unwrap();
        let moves = format!("{}drUluurDld{}", "R".repeat(8), "R".repeat(31));
        let solution = replay(&level, &moves.parse().unwrap()).unwrap();
        assert_eq!(solution.metrics().pushes, 41);
        (level, solution)
    }
}
