//! The one trusted checker: it plays a text of moves on the level's picture and returns a solution or an error.
//!
//! It is short, slow and obvious on purpose. It works on the picture's cells, not on the board, and shares no code with
//! any search. Invariant: a [`Solution`] or a [`Snapshot`] has been replayed, because nothing else makes one.

use std::fmt;

use thiserror::Error;

use crate::counted::Counted;
use crate::{BoxLineRule, Cell, Direction, Grid, Level, Lurd, Metrics, Step};

/// Moves that were replayed on their level and solve it. Only [`replay`] makes it.
///
/// It is written as its moves.
///
/// ```
/// use sokocore::{Level, replay};
///
/// let level = Level::parse("######\n# @$.#\n######")?;
/// let solution = replay(&level, &"Lrr".parse()?)?;
/// assert_eq!(solution.to_string(), "lrR");
/// assert_eq!(solution.metrics().to_string(), "3/1/1/1/1/2");
/// assert_eq!(solution.remarks().case_corrected, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Solution {
    lurd: Lurd,
    metrics: Metrics,
    remarks: Remarks,
}

/// Moves that were replayed on their level; whether they solve it is not asked. Only [`replay_snapshot`] makes it.
///
/// It is written as its moves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    lurd: Lurd,
    metrics: Metrics,
    remarks: Remarks,
}

/// What the replay changed to make the text right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Remarks {
    /// Moves whose letter had the wrong case.
    pub case_corrected: usize,
    /// Moves dropped because the level was solved before them.
    pub cut_after_solved: usize,
}

/// Why a text of moves is not a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The player would walk into a wall.
    #[error("move {step} ({letter}) walks into a wall")]
    Wall {
        /// Number of the move, from 1.
        step: usize,
        /// The move's letter.
        letter: char,
    },
    /// The box in the way cannot be pushed.
    #[error("move {step} ({letter}) pushes a box that is blocked")]
    Blocked {
        /// Number of the move, from 1.
        step: usize,
        /// The move's letter.
        letter: char,
    },
    /// All moves are possible, but boxes are left off goals.
    #[error("the moves end with {} off goal; the level is not solved", Counted(*boxes_left, "box", "boxes"))]
    Unsolved {
        /// Boxes off goal at the end.
        boxes_left: usize,
    },
    /// The level starts solved, and no push was made.
    #[error("the moves push no box; a level that starts solved still needs one push")]
    NoPush,
}

impl Solution {
    /// Returns the moves, in the right case, ending with the push that solves the level.
    #[must_use]
    pub const fn lurd(&self) -> &Lurd {
        &self.lurd
    }

    /// Returns the six metrics, box lines by the default rule.
    #[must_use]
    pub const fn metrics(&self) -> Metrics {
        self.metrics
    }

    /// Returns the six metrics, box lines by another rule.
    #[must_use]
    pub fn metrics_by(&self, rule: BoxLineRule) -> Metrics {
        Metrics::count_by(rule, self.lurd.steps())
    }

    /// Returns what the replay changed in the text.
    #[must_use]
    pub const fn remarks(&self) -> Remarks {
        self.remarks
    }
}

impl Snapshot {
    /// Returns the moves, in the right case.
    #[must_use]
    pub const fn lurd(&self) -> &Lurd {
        &self.lurd
    }

    /// Returns the six metrics, box lines by the default rule.
    #[must_use]
    pub const fn metrics(&self) -> Metrics {
        self.metrics
    }

    /// Returns what the replay changed in the text.
    #[must_use]
    pub const fn remarks(&self) -> Remarks {
        self.remarks
    }
}

impl From<Solution> for Lurd {
    fn from(solution: Solution) -> Self {
        solution.lurd
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lurd.fmt(f)
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lurd.fmt(f)
    }
}

/// Plays the moves up to the first solved position. The case of the letters is corrected, moves after the first
/// solved position are cut; both are counted in [`Solution::remarks`].
///
/// # Errors
/// An illegal move before the level is solved, or a level that is not solved at the end.
///
/// ```
/// use sokocore::{Level, ReplayError, replay};
///
/// let level = Level::parse("######\n#@$ .#\n######")?;
/// assert_eq!(replay(&level, &"RR".parse()?)?.metrics().pushes, 2);
/// assert_eq!(replay(&level, &"R".parse()?), Err(ReplayError::Unsolved { boxes_left: 1 }));
/// assert_eq!(replay(&level, &"Rl".parse()?), Err(ReplayError::Unsolved { boxes_left: 1 }));
/// assert_eq!(replay(&level, &"u".parse()?), Err(ReplayError::Wall { step: 1, letter: 'u' }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn replay(level: &Level, moves: &Lurd) -> Result<Solution, ReplayError> {
    let mut game = Playback::start(level.play_grid());
    let mut lurd = Vec::with_capacity(moves.len());
    let mut remarks = Remarks::default();
    for (at, &step) in moves.steps().iter().enumerate() {
        let played = game.play(at + 1, step)?;
        remarks.case_corrected += usize::from(played != step);
        lurd.push(played);
        if played.is_push() && game.boxes_left == 0 {
            remarks.cut_after_solved = moves.len() - lurd.len();
            let metrics = Metrics::count(&lurd);
            return Ok(Solution { lurd: lurd.into_iter().collect(), metrics, remarks });
        }
    }
    Err(match game.boxes_left {
        0 => ReplayError::NoPush,
        boxes_left => ReplayError::Unsolved { boxes_left },
    })
}

/// Plays all the moves; the level need not be solved at the end. The case of the letters is corrected.
///
/// # Errors
/// An illegal move.
pub fn replay_snapshot(level: &Level, moves: &Lurd) -> Result<Snapshot, ReplayError> {
    let mut game = Playback::start(level.play_grid());
    let mut lurd = Vec::with_capacity(moves.len());
    let mut remarks = Remarks::default();
    for (at, &step) in moves.steps().iter().enumerate() {
        let played = game.play(at + 1, step)?;
        remarks.case_corrected += usize::from(played != step);
        lurd.push(played);
    }
    Ok(Snapshot { metrics: Metrics::count(&lurd), lurd: lurd.into_iter().collect(), remarks })
}

/// A game in progress, on cells.
struct Playback {
    width: usize,
    cells: Vec<Cell>,
    player: usize,
    boxes_left: usize,
}

impl Playback {
    fn start(grid: &Grid) -> Self {
        let cells = grid.cells().to_vec();
        let player = cells.iter().position(|cell| cell.is_player()).expect("invariant: a level has a player");
        let boxes_left = cells.iter().filter(|&&cell| cell == Cell::Box).count();
        Self { width: grid.width(), cells, player, boxes_left }
    }

    fn play(&mut self, number: usize, step: Step) -> Result<Step, ReplayError> {
        let dir = step.dir();
        let next = self.ahead(self.player, dir);
        if self.cells[next] == Cell::Wall {
            return Err(ReplayError::Wall { step: number, letter: step.letter() });
        }
        let pushes = self.cells[next].is_box();
        if pushes {
            let to = self.ahead(next, dir);
            if self.cells[to] == Cell::Wall || self.cells[to].is_box() {
                return Err(ReplayError::Blocked { step: number, letter: step.letter() });
            }
            self.boxes_left += usize::from(self.cells[next].is_goal());
            self.boxes_left -= usize::from(self.cells[to].is_goal());
            self.cells[to] = if self.cells[to].is_goal() { Cell::BoxOnGoal } else { Cell::Box };
            self.cells[next] = if self.cells[next].is_goal() { Cell::Goal } else { Cell::Floor };
        }
        self.player = next;
        Ok(if pushes { Step::Push(dir) } else { Step::Walk(dir) })
    }

    /// The cell ahead. Levels are closed, so a cell next to floor is always inside the grid.
    fn ahead(&self, cell: usize, dir: Direction) -> usize {
        match dir {
            Direction::Up => cell - self.width,
            Direction::Right => cell + 1,
            Direction::Down => cell + self.width,
            Direction::Left => cell - 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(rows: &[&str]) -> Level {
        Level::parse(&rows.join("\n")).unwrap()
    }

    fn play(level: &Level, moves: &str) -> Result<String, ReplayError> {
        replay(level, &moves.parse().unwrap()).map(|solution| solution.lurd().to_string())
    }

    /// Trap 5: moves after the first solved position are cut.
    #[test]
    fn trap_05_ends_with_the_first_solved_position() {
        let level = level(&["#####", "#.###", "#$ @#", "#   #", "#####"]);
        assert_eq!(play(&level, "dllU").unwrap(), "dllU");
        let solution = replay(&level, &"dllUrl".parse().unwrap()).unwrap();
        assert_eq!(solution.remarks().cut_after_solved, 2);
        assert_eq!(solution.metrics().to_string(), "4/1/1/1/1/3");
    }

    #[test]
    fn corrects_case_and_names_illegal_moves() {
        let level = level(&["######", "# @$.#", "######"]);
        let solution = replay(&level, &"Lrr".parse().unwrap()).unwrap();
        assert_eq!((solution.lurd().to_string().as_str(), solution.remarks().case_corrected), ("lrR", 2));
        assert_eq!(play(&level, "ll"), Err(ReplayError::Wall { step: 2, letter: 'l' }));
        assert_eq!(play(&level, "l"), Err(ReplayError::Unsolved { boxes_left: 1 }));
        let blocked = replay_snapshot(&level, &"RR".parse().unwrap());
        assert_eq!(blocked, Err(ReplayError::Blocked { step: 2, letter: 'R' }));
    }

    #[test]
    fn a_snapshot_and_a_solution_tell_what_was_played() {
        let level = level(&["#######", "# @$ .#", "#######"]);
        let snapshot = replay_snapshot(&level, &"Lrr".parse().unwrap()).unwrap();
        assert_eq!((snapshot.to_string(), snapshot.lurd().to_string()), ("lrR".to_owned(), "lrR".to_owned()));
        assert_eq!(snapshot.remarks(), Remarks { case_corrected: 2, cut_after_solved: 0 });
        assert_eq!(snapshot.metrics().to_string(), "3/1/1/1/1/2");
        let solution = replay(&level, &"RlrR".parse().unwrap()).unwrap();
        assert_eq!(solution.to_string(), "RlrR");
        assert_eq!(solution.metrics().box_lines, 1);
        assert_eq!(solution.metrics_by(BoxLineRule::LetterRuns), Metrics { box_lines: 2, ..solution.metrics() });
    }

    /// Trap 6: a level that starts solved needs at least one push.
    #[test]
    fn trap_06_a_solved_start_needs_a_push() {
        let level = level(&["######", "# *@ #", "#    #", "######"]);
        assert_eq!(play(&level, "dl"), Err(ReplayError::NoPush));
        assert_eq!(play(&level, "dlluRdrruL").unwrap(), "dlluRdrruL");
    }

    /// Trap 18: more than 65,535 moves are replayed and counted.
    #[test]
    fn trap_18_long_solutions_replay() {
        let level = level(&["#######", "#  @$.#", "#######"]);
        let moves = format!("{}R", "lr".repeat(35_000));
        assert_eq!(replay(&level, &moves.parse().unwrap()).unwrap().metrics().moves, 70_001);
    }
}
