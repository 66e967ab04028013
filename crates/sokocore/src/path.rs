//! Solutions as sequences of pushes, which searches work on, and back to moves.

use crate::{Level, Lurd, Position, Push, Step, Walker};

/// Returns the pushes that the moves make. Illegal moves are not looked for: replay the text first.
///
/// ```
/// use sokocore::{Level, Lurd, moves_of, pushes_of};
///
/// let level = Level::parse("#####\n#.###\n#$ @#\n#   #\n#####")?;
/// let detour: Lurd = "lrdlrllU".parse()?;
/// let pushes = pushes_of(&level, &detour);
/// assert_eq!(pushes.len(), 1);
/// assert_eq!(moves_of(&level, &pushes), Some("dllU".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn pushes_of(level: &Level, moves: &Lurd) -> Vec<Push> {
    let mut player = level.start().player;
    let mut pushes = Vec::new();
    for step in moves {
        let Some(next) = level.board().step(player, step.dir()) else { break };
        if step.is_push() {
            pushes.push(Push { from: next, dir: step.dir() });
        }
        player = next;
    }
    pushes
}

/// Turns pushes into moves, with the shortest walks between them, and of these the ones with the fewest turns.
///
/// Returns `None` if some push cannot be made or the player cannot walk to it. Whether the level is solved is not
/// asked. For an example see [`pushes_of`].
#[must_use]
pub fn moves_of(level: &Level, pushes: &[Push]) -> Option<Lurd> {
    let board = level.board();
    let mut walker = Walker::new(board);
    let mut position: Position = level.start().clone();
    let mut steps: Vec<Step> = Vec::with_capacity(pushes.len() * 3);
    for &push in pushes {
        let before = steps.last().map(|step| step.dir());
        let stand = push.stand(board)?;
        if !walker.walk(board, &position, stand, before, Some(push.dir), &mut steps) || !position.push(board, push) {
            return None;
        }
        steps.push(Step::Push(push.dir));
    }
    Some(steps.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detours_become_shortest_walks() {
        let level = Level::parse("#####\n#.###\n#$ @#\n#   #\n#####").unwrap();
        let detour: Lurd = "lrdlrllU".parse().unwrap();
        let pushes = pushes_of(&level, &detour);
        assert_eq!(moves_of(&level, &pushes).unwrap().to_string(), "dllU");
    }

    #[test]
    fn impossible_pushes_give_nothing() {
        let level = Level::parse("######\n#@$ .#\n######").unwrap();
        let from = level.start().boxes.iter().next().unwrap();
        assert_eq!(moves_of(&level, &[Push { from, dir: crate::Direction::Left }]), None);
    }
}
